"""Learn what hints of Kirin do, to see how well it can be told: ``python -m benchmarks.kirin_watching --help``.

Hints play rounds among themselves; the weights of the plausible player of `solver.games.kirin.players` are
fitted to their choices by maximum likelihood (`benchmarks.watching`). Prints how likely the choices of other
rounds are by these weights, by those that were learned by self-play, as they are and made smaller, and with any
choice as likely as any other: the mean of the logarithm. Other hints, asked the same, tell what the best would be.
"""

from __future__ import annotations

import click
import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from benchmarks.arena import interval
from benchmarks.kirin_tree import reading_of
from benchmarks.watching import Choices, fitted, likely
from solver import registry
from solver.common import Random, mask
from solver.games.kirin.fast_rules import INNER, to_inner
from solver.games.kirin.players import (
    ALL,
    BY_RULES,
    COLOURS,
    DECLARE,
    DECLARE_WEIGHTS,
    FEATURES,
    MIXED,
    PLAY,
    PLAYED,
    WEIGHTS,
    colour_of,
    declare_values,
    features,
    legal_cards,
)
from solver.games.kirin.position import KnownPosition, View, fields_number, numbers
from solver.games.kirin.worlds import BEFORE, CARD, PLAYER, TABLE, Evidence, Work, deals
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import kernel
from solver.limits import Control, Limit

GAME = registry.game("kirin")
START = 0.1  # of the weights that were learned by self-play
SHARES = (0.0, 0.1, 0.3)  # of choices taken to be made at random
SMALLER = (1.0, 0.5, 0.25, 0.1)  # parts of these weights
ASKED = 8  # of so many plays one is asked for again
_PLAYS = 8  # of a seat in a round


@kernel
def watch_plays(
    evidence: Evidence,
    work: Work,
    seat: int,
    aside: int,
    found: NDArray[np.float32],
    counts: Words,
    chosen: Words,
) -> int:
    """Write the plays of a seat in a whole round; return how many had a choice."""
    seen, table = evidence.seen, work.table
    hand = 0
    for row in range(len(seen)):
        if seen[row, PLAYER] == seat:
            hand |= 1 << seen[row, CARD]
    done = 0
    for row in range(len(seen)):
        if seen[row, PLAYER] != seat:
            continue
        for word in range(len(table)):
            table[word] = seen[row, TABLE + word]
        legal, card = legal_cards(hand, table), seen[row, CARD]
        if popcount(legal) > 1:
            unseen = ALL & ~hand & ~seen[row, BEFORE] & ~(1 << aside)
            at = 2 * FEATURES * table[PLAYED]
            rest = legal
            for place in range(popcount(legal)):
                one = trailing_zeros(rest)
                rest &= rest - 1
                features(one, hand, COLOURS[colour_of(aside)], unseen, table, work.room.features)
                for index in range(FEATURES):
                    found[done, place, at + index] = work.room.features[index]
                    found[done, place, at + FEATURES + index] = 0.125 * popcount(hand) * work.room.features[index]
                if one == card:
                    chosen[done] = place
            counts[done] = popcount(legal)
            done += 1
        hand &= ~(1 << card)
    return done


def watch_aside(hand: int, aside: int, found: NDArray[np.float32]) -> int:
    """Write the features of setting each card of a hand of nine (a mask) aside; the place of the one set aside."""
    out = np.zeros(9)
    for weight in range(DECLARE_WEIGHTS):
        declare_values(hand, np.eye(DECLARE_WEIGHTS)[weight], out)
        found[:, weight] = out
    return (hand & (1 << aside) - 1).bit_count()


def best(view: BaseModel, nodes: int, seed: int) -> object:
    """What a hint of so many games chooses."""
    return GAME.parse_move(view, str(GAME.hint(view, Control(Limit(nodes=nodes)), seed=seed).best))


def watched(rounds: int, nodes: int, seed: int, again: int = 0) -> tuple[Choices, Choices, list[float]]:
    """The plays and the cards set aside in rounds among hints of so many games a move.

    Then, for some plays, the logarithm of the share of `again` other such hints that play the same; one more is
    taken to play any card.
    """
    plays: list[tuple[NDArray[np.float32], Words, Words]] = []
    asides = np.zeros((4 * rounds, 9, DECLARE_WEIGHTS), np.float32)
    places = np.zeros(4 * rounds, np.int64)
    same: list[float] = []
    for dealt in range(rounds):
        position, random = GAME.deal(seed, number=dealt, variant="undeclared"), Random(dealt, 1)
        hands = [to_inner(mask(numbers(hand))) for hand in position.hands]  # type: ignore[attr-defined]
        move_number = 0
        while not (isinstance(position, KnownPosition) and position.state.over):
            view = GAME.view(position, position.seat_to_move)  # type: ignore[attr-defined]
            legal = GAME.legal_moves(view)

            move = legal[0] if len(legal) == 1 else best(view, nodes, 1000 * dealt + move_number)
            if again and len(legal) > 1 and isinstance(view, View) and random.below(ASKED) == 0:
                count = sum(best(view, nodes, -1 - other) == move for other in range(again))
                same.append(np.log((count + 1 / len(legal)) / (again + 1)))
            position = GAME.play(position, move)
            move_number += 1
        reading = reading_of(deals(GAME.view(position, 0)).by_rules)  # type: ignore[arg-type]
        for seat in range(4):
            aside = INNER[fields_number(position.declared[seat])]
            at = 4 * dealt + seat
            places[at] = watch_aside(hands[seat], aside, asides[at])
            found = np.zeros((_PLAYS, _PLAYS, WEIGHTS), np.float32)
            counts, chosen = np.zeros((2, _PLAYS), np.int64)
            done = watch_plays(reading.evidence, reading.work, seat, aside, found, counts, chosen)
            plays.append((found[:done], counts[:done], chosen[:done]))
    play = Choices(*(np.concatenate(part) for part in zip(*plays, strict=True)))
    return play, Choices(asides, np.full(len(places), 9), places), same


def told(choices: Choices, weights: Floats) -> str:
    """The mean of the logarithm of a choice's chance, by the share of choices at random."""
    return ", ".join(f"{likely(choices, weights, share)[0]:.3f} ({share})" for share in SHARES)


@click.command()
@click.option("--rounds", default=400)
@click.option("--nodes", default=600, help="games a hint")
@click.option("--seed", default=1)
@click.option("--held", default=150, help="other rounds, by which the weights are judged")
@click.option("--again", default=24, help="other hints that are asked for one in eight plays of these")
def main(rounds: int, nodes: int, seed: int, held: int, again: int) -> None:
    """Watch, fit, and print how likely the choices of other rounds are."""
    GAME.warm()
    seen, judged = watched(rounds, nodes, seed), watched(held, nodes, seed + 1, again)
    for name, part, own in (("play", 0, PLAY), ("set aside", 1, DECLARE)):
        start = START * np.array(own)
        weights = fitted([seen[part]], start, 0.0)  # type: ignore[list-item]
        choices = judged[part]
        assert isinstance(choices, Choices)
        click.echo(f"{name}, {len(choices.counts)} choices: the logarithm (the share of choices at random)")
        click.echo(f"  any {-np.log(choices.counts).mean():.3f}")
        for size in SMALLER:
            click.echo(f"  {size} of the weights by self-play: {told(choices, size * np.array(own))}")
        click.echo(f"  fitted: {told(choices, weights)}")
    mean, half = interval(judged[2])
    click.echo(f"play, {again} other hints: {mean:.3f} ± {half:.3f}, {len(judged[2])} choices")


assert MIXED[BY_RULES] in SHARES  # as hints take it

if __name__ == "__main__":
    main()
