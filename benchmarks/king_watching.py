"""Learn what hints of King × Alchemy do, to infer hands by it: ``python -m benchmarks.king_watching --help``.

Hints play rounds among themselves; the weights of `policy` and `pick_policy` in `solver.games.king.hints`
are fitted to their choices by maximum likelihood (a softmax, a share of the choices made at random, and a pull
towards a third of the plausible player's own weights). Prints ``SEEN_PLAY`` and ``SEEN_PICK`` of
`solver/games/king/players/weights.py`, and the mean log-likelihood of rounds that were held out.
"""

from __future__ import annotations

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.watching import Choices, fitted, likely
from solver import registry
from solver.common.control import Control, Limit
from solver.common.masks import mask, members
from solver.games.king.cards.deck import CARDS
from solver.games.king.cards.rules import DEALT
from solver.games.king.fast_rules.kernel import NAMED, ORDER, PLAYED, PLAYERS, THE_DANCER, card_at
from solver.games.king.hints.evidence import (
    BEFORE,
    CODE,
    MOST_TRICKS,
    NODE,
    SEEN_WORDS,
    Evidence,
    evidence_of,
)
from solver.games.king.hints.likelihood import stands_for
from solver.games.king.players.card_values import CardValues, book_of
from solver.games.king.players.features import FEATURES, features
from solver.games.king.players.kinds import MIXED
from solver.games.king.players.pick_policy import PICK_FEATURES, pick_features
from solver.games.king.players.policy import ALL, CONTEXTS, MOST_PLAYS, SCALE, WEIGHTS, plays
from solver.games.king.players.setting import setting
from solver.games.king.players.weights import PICK, PLAY
from solver.games.king.positions.fields import cards_at
from solver.games.king.positions.known import KnownPosition, View
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount
from solver.kernels.jit import kernel

GAME = registry.game("king")
START = 1 / 3  # of the plausible player's weights
RANDOM = float(MIXED[1])


@kernel
def watch_plays(
    evidence: Evidence, seat: int, hand: int, found: NDArray[np.float32], counts: Words, chosen: Words
) -> int:
    """Write the plays of a seat that held `hand` after the picks; return how many had a choice."""
    deal, dancer = evidence.deal, evidence.deal[THE_DANCER]
    codes, table = np.zeros(MOST_PLAYS, np.int64), np.zeros(8)
    done = 0
    for row in range(seat * MOST_TRICKS, seat * MOST_TRICKS + evidence.counts[seat]):
        code = evidence.seen[row * SEEN_WORDS + CODE]
        node = evidence.seen[row * SEEN_WORDS + NODE :]
        count = plays(deal, node, hand, codes)
        if count > 1:
            played = node[PLAYED]
            for place in range(played):
                table[place] = evidence.card_values[row * CARDS + card_at(node[ORDER], place)]
            unseen = ALL & ~evidence.seen[row * SEEN_WORDS + BEFORE] & ~hand
            at = 2 * FEATURES * (0 if played == 0 else 2 if played == deal[PLAYERS] - 1 else 1)
            counts[done] = count
            for place in range(count):
                move = codes[place]
                own = evidence.card_values[row * CARDS + (dancer if move >= NAMED else move)]
                values = features(deal, node, hand, unseen, move, own, table)
                for index in range(FEATURES):
                    found[done, place, at + index] = values[index]
                    found[done, place, at + FEATURES + index] = SCALE * popcount(hand) * values[index]
                if stands_for(node, move, code):
                    chosen[done] = place
            done += 1
        hand &= ~(1 << (dancer if code >= NAMED else code))
    return done


def watch_pick(
    values: CardValues, seat: int, dealt: int, pick: int, found: NDArray[np.float32]
) -> tuple[int, int]:
    """Write the features of the cards that a seat could pick; how many, and the place of the one picked.

    `values` are those before the picks; `dealt` and `pick` are masks.
    """
    cards, out = list(members(dealt)), np.zeros(PICK_FEATURES)
    for place, card in enumerate(cards):
        pick_features(values, seat, dealt, len(cards) - 1, card, out)
        found[place] = out
    return len(cards), cards.index(pick.bit_length() - 1)


def watched(players: int, rounds: int, nodes: int, seed: int) -> tuple[Choices, Choices]:
    """The plays and the picks of rounds among hints of so many games a move."""
    most = max(DEALT.values())
    rows: list[tuple[NDArray[np.float32], Words, Words]] = []
    picks = np.zeros((rounds * players, most, PICK_FEATURES), np.float32)
    counts, chosen = np.zeros((2, rounds * players), np.int64)
    for number in range(rounds):
        position = GAME.deal(seed, number=number, players=players, variant="unpicked")
        move_number = 0
        while legal := GAME.legal_moves(position):
            view = GAME.view(position, position.seat_to_move)  # type: ignore[attr-defined]
            answer = GAME.hint(view, Control(Limit(nodes=nodes)), seed=1000 * number + move_number)
            move = legal[0] if len(legal) == 1 else GAME.parse_move(view, str(answer.best))
            position = GAME.play(position, move)
            move_number += 1
        assert isinstance(position, KnownPosition)
        view = GAME.view(position, 0)
        assert isinstance(view, View)
        values = setting(view).values
        evidence = evidence_of(view, setting(view))
        removed = mask(cards_at(view.full_deck, view.removed, "removed"))
        before = values._replace(book=book_of(view.full_deck, (0,) * players, removed))
        for seat in range(players):
            hand = 0
            for row in range(seat * MOST_TRICKS, seat * MOST_TRICKS + int(evidence.counts[seat])):
                code = int(evidence.seen[row * SEEN_WORDS + CODE])
                hand |= 1 << (int(evidence.deal[THE_DANCER]) if code >= NAMED else code)
            found = np.zeros((MOST_TRICKS, MOST_PLAYS, WEIGHTS), np.float32)
            sizes, made = np.zeros((2, MOST_TRICKS), np.int64)
            done = watch_plays(evidence, seat, hand, found, sizes, made)
            rows.append((found[:done], sizes[:done], made[:done]))
            at, pick = number * players + seat, int(evidence.picks[seat])
            counts[at], chosen[at] = watch_pick(before, seat, hand | pick, pick, picks[at])
    play = Choices(*(np.concatenate(part) for part in zip(*rows, strict=True)))
    return play, Choices(picks, counts, chosen)


@click.command()
@click.option("--rounds", default=200, help="of four players; of three and of five a third as many")
@click.option("--nodes", default=4000, help="games a hint")
@click.option("--seed", default=1)
def main(rounds: int, nodes: int, seed: int) -> None:
    """Watch, fit, and print the weights."""
    GAME.warm()
    sizes = {4: rounds, 3: max(1, rounds // 3), 5: max(1, rounds // 3)}
    seen = [watched(players, count, nodes, seed) for players, count in sizes.items()]
    held = watched(4, max(1, rounds // 10), nodes, seed + 1)
    for name, part, own in (("SEEN_PLAY", 0, PLAY), ("SEEN_PICK", 1, PICK)):
        weights = fitted([pair[part] for pair in seen], START * np.array(own), RANDOM)
        click.echo(f"{name} = (\n" + "".join(f"    {value:.3f},\n" for value in weights) + ")")
        told = [likely(held[part], np.array(one), RANDOM)[0] for one in (weights, own, np.zeros(len(own)))]
        click.echo("# held out: {:.3f}; by the plausible player {:.3f}, at random {:.3f}".format(*told))


assert CONTEXTS * 2 * FEATURES == WEIGHTS

if __name__ == "__main__":
    main()
