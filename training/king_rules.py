"""The weights of King × Alchemy's plausible players, for `solver/games/king/players.py`.

``python -m training.king_rules learn`` learns the trained player's weights by policy gradient (REINFORCE, Williams
1992) for the softmax player of `solver.games.king.players`: copies play random deals of 3, 4 and 5 players in
turn, each for its own score, and each choice is made more likely in proportion to how far the score exceeded the
usual one with the same points and cards left.

``python -m training.king_rules watch`` learns what hints pick: hints play rounds against each other, and the
weights of `solver.games.king.players` are fitted to their picks by maximum likelihood (a softmax, a share of the
choices made at random, and regularization towards a third of the trained player's weights). It prints
``SEEN_PICK``, and the mean log-likelihood of held-out rounds. Plays are predicted better by a network
(`training.king`).
"""

from __future__ import annotations

import time
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from solver import registry
from solver.common import mask, members
from solver.games.king import fast_rules
from solver.games.king.compounding import ENDLESS, WORK_WORDS, bonus_of
from solver.games.king.deck import CARDS, house
from solver.games.king.fast_rules import (
    LEADER,
    NAMED,
    NODE_WORDS,
    PILES,
    PLAYED,
    PLAYERS,
    SCORES,
    TABLES,
    THE_DANCER,
    judge,
    lay,
    seat_after,
    start_trick,
)
from solver.games.king.players import (
    AHEAD,
    ALL,
    CONTEXTS,
    FEATURES,
    HOPE,
    MIXED,
    MOST_LEFT,
    PICK,
    PICK_FEATURES,
    PLAY,
    SCALE,
    TRAINED,
    CardValues,
    Plays,
    Scratch,
    additions,
    book_of,
    card_value,
    features,
    lose,
    new_scratch,
    pick_chances,
    pick_features,
    plays,
    prepared,
    recipes_of,
    row_of,
    share_out,
    value_plays,
    win,
)
from solver.games.king.position import Round
from solver.games.king.rules import DEALT, State
from solver.games.king.worlds import deals as deals_of
from solver.hints.network import NOTHING
from solver.hints.policy import draw_place, to_chances
from solver.kernels.jit import kernel
from solver.kernels.rng import shuffle, start_stream
from solver.kernels.words import Floats, popcount
from solver.limits import Control, Limit
from training.fitting import Choices, fitted, likely

ADAM = (0.9, 0.99, 1e-8)
WEIGHTS = 2 * CONTEXTS * FEATURES  # a constant and a slope in the cards left

GAME = registry.game("king")
START = 1 / 3  # of the weights learned by self-play, from which those of watched picks are fitted
RANDOM = float(MIXED[AHEAD])


@click.group()
def main() -> None:
    """Learn the weights of King × Alchemy's plausible players."""


class Weights(NamedTuple):
    """The weights of the players: those of plays, in the form that `prepared` returns, and those of picks."""

    play: Plays
    pick: Floats


@kernel
def play_and_learn(
    given: CardValues,
    dealt: int,
    weights: Weights,
    usual: Floats,
    seed: int,
    rounds: int,
    gradient: Floats,
    seen: Floats,
    room: Scratch,
) -> None:
    """Play rounds, and add the policy gradient of all weights to `gradient`: first of plays, then of picks.

    `usual[n]`, the baseline, is the usual number of points still to come with n cards left in the hand. The points
    that did come are added to `seen[n]`.
    """
    deal = given.deal
    players = deal[PLAYERS]
    random = np.zeros(1, np.int64)
    deck = np.zeros(CARDS, np.int8)
    hands = np.zeros(players, np.int64)
    picked = np.zeros(players, np.int64)
    node = np.zeros(NODE_WORDS, np.int64)
    worths = np.zeros(0)  # not known beforehand
    codes, scratch, out = room.codes, room.table, room.values
    mean = np.zeros(FEATURES)
    work = np.zeros(WORK_WORDS, np.int64)
    size = WEIGHTS + PICK_FEATURES
    plain = np.zeros((players, size))  # each seat's sum of the choices' gradients
    taken = np.zeros((players, size))  # the same, times the points won so far plus the usual points to come
    had = np.zeros((players, MOST_LEFT))
    for number in range(rounds):
        start_stream(random, seed, number)
        for card in range(CARDS):
            deck[card] = card
        shuffle(random, deck)
        plain[:] = 0.0
        taken[:] = 0.0
        values = CardValues(deal, given.recipes, given.book.copy(), given.adds)
        gone = 0
        for card in deck[players * dealt :]:
            gone |= 1 << int(card)
            lose(values, int(card))
        for seat in range(players):
            hand = 0
            for card in deck[dealt * seat : dealt * seat + dealt]:
                hand |= 1 << int(card)
            count = pick_chances(values, seat, hand, weights.pick, room)
            chosen = draw_place(count, out, random)
            for option in range(count):
                pick_features(values, seat, hand, count - 1, codes[option], scratch)
                share = (1.0 if option == chosen else 0.0) - out[option]
                for index in range(PICK_FEATURES):
                    plain[seat, WEIGHTS + index] += share * scratch[index]
            taken[seat, WEIGHTS:] = plain[seat, WEIGHTS:] * usual[dealt]
            picked[seat] = codes[chosen]
            hands[seat] = hand & ~(1 << picked[seat])
            gone |= 1 << picked[seat]
        for seat in range(players):
            node[PILES + seat] = node[SCORES + seat] = 0
            win(values, node, seat, picked[seat])
        had[:] = 0.0
        start_trick(node, 0, number % players)
        while True:
            if node[PLAYED] == players:
                share_out(values, node, popcount(hands[node[LEADER]]), -1)
            seat = seat_after(deal, node[LEADER], node[PLAYED])
            hand = hands[seat]
            if hand == 0:
                break
            unseen = ALL & ~hand & ~gone
            left = popcount(hand)
            had[seat, left] = node[SCORES + seat]
            count = plays(deal, node, hand, codes)
            move = codes[0]
            if count > 1:
                kinds = 1 << TRAINED
                value_plays(values, worths, False, count, node, seat, hand, unseen, weights.play, kinds, room)
                to_chances(count, out)
                move = codes[draw_place(count, out, random)]
                mean[:] = 0.0
                row = row_of(values.recipes, seat)
                for option in range(count):
                    code = codes[option]
                    card = deal[THE_DANCER] if code >= NAMED else code
                    own = card_value(values, row, left, card)
                    of_play = features(deal, node, hand, unseen, code, own, scratch)
                    for index in range(FEATURES):
                        mean[index] += out[option] * of_play[index]
                card = deal[THE_DANCER] if move >= NAMED else move
                own = card_value(values, row, left, card)
                of_play = features(deal, node, hand, unseen, move, own, scratch)
                context = 0 if node[PLAYED] == 0 else 2 if node[PLAYED] == players - 1 else 1
                at = 2 * FEATURES * context
                base = had[seat, left] + usual[left]
                for index in range(FEATURES):
                    slope = of_play[index] - mean[index]
                    plain[seat, at + index] += slope
                    taken[seat, at + index] += slope * base
                    slope *= left * SCALE
                    plain[seat, at + FEATURES + index] += slope
                    taken[seat, at + FEATURES + index] += slope * base
            gone |= 1 << (deal[THE_DANCER] if move >= NAMED else move)
            hands[seat] &= ~(1 << (deal[THE_DANCER] if move >= NAMED else move))
            lay(deal, node, 0, move)
            if node[PLAYED] == players:
                judge(deal, node, 0)
        for seat in range(players):
            points = node[SCORES + seat] + bonus_of(deal[TABLES:], work, node[PILES + seat], ENDLESS)
            gradient += plain[seat] * points - taken[seat]
            for left in range(1, dealt + 1):
                seen[left] += points - had[seat, left]


@main.command()
@click.option("--steps", default=400)
@click.option("--rounds", default=5_000, help="of each step")
@click.option("--rate", default=0.03)
@click.option("--seed", default=1)
@click.option("--hope", default=HOPE, help="q at the start of a round: see `card_values`")
@click.option("--out", type=click.Path(), help="write the weights here after each tenth of the steps")
@click.option("--start", type=click.Path(exists=True), help="go on from weights written before")
def learn(
    steps: int, rounds: int, rate: float, seed: int, hope: float, out: str | None, start: str | None
) -> None:
    """Learn by self-play, and print the weights."""
    theta = np.loadtxt(start) if start else np.array((*PLAY, *PICK))
    first = np.zeros_like(theta)
    second = np.zeros_like(theta)
    deck = house()
    deals = {
        players: fast_rules.deal_words(State(deck, (0,) * players, 0, (), (0,) * players), 0, allies=False)
        for players in DEALT
    }
    usual = {players: np.zeros(MOST_LEFT) for players in DEALT}
    begin = time.thread_time()
    order = (4, 3, 4, 5)
    for step in range(-len(order), steps):
        players = order[step % len(order)]
        gradient, seen = np.zeros_like(theta), np.zeros(MOST_LEFT)
        play_and_learn(
            CardValues(
                deals[players], recipes_of(deck), book_of(deck, (0,) * players, 0), additions(hope, players)
            ),
            DEALT[players],
            Weights(Plays(prepared(tuple(theta[:WEIGHTS])), NOTHING), theta[WEIGHTS:].copy()),
            usual[players],
            seed + step,
            rounds,
            gradient,
            seen,
            new_scratch(),
        )
        usual[players] = seen / (players * rounds)
        if step < 0:
            continue  # the usual points were still unknown
        gradient /= players * rounds
        fast, slow, tiny = ADAM
        first = fast * first + (1 - fast) * gradient
        second = slow * second + (1 - slow) * gradient**2
        size = rate * min(1.0, 2 * (1 - step / steps))
        theta += size * (first / (1 - fast ** (step + 1))) / (np.sqrt(second / (1 - slow ** (step + 1))) + tiny)
        if (step + 1) % max(1, steps // 10) == 0:
            scores = ", ".join(f"{values_[DEALT[count]]:.2f} of {count}" for count, values_ in usual.items())
            click.echo(f"# step {step + 1}: {scores} a round, {time.thread_time() - begin:.0f} s", err=True)
            if out:
                np.savetxt(out, theta)
    click.echo(written("PLAY", theta[:WEIGHTS]) + "\n" + written("PICK", theta[WEIGHTS:]))


def written(name: str, weights: Floats) -> str:
    """Weights in the form used in `solver.games.king.players`, eight in a row."""
    rows = (", ".join(f"{value:.3f}" for value in row) for row in weights.reshape(-1, 8))
    return f"{name} = (\n" + "".join(f"    {row},\n" for row in rows) + ")"


def watch_pick(
    values: CardValues, seat: int, dealt: int, pick: int, found: NDArray[np.float32]
) -> tuple[int, int]:
    """Write the features of the cards that a seat could pick; returns how many, and the place of the one picked.

    `values` are those before the picks; `dealt` and `pick` are masks.
    """
    cards, out = list(members(dealt)), np.zeros(PICK_FEATURES)
    for row, card in enumerate(cards):
        pick_features(values, seat, dealt, len(cards) - 1, card, out)
        found[row] = out
    return len(cards), cards.index(pick.bit_length() - 1)


def watched(players: int, rounds: int, nodes: int, seed: int) -> Choices:
    """The picks that hints make in `rounds` deals, with a limit of `nodes` simulated games for each pick."""
    most = max(DEALT.values())
    picks = np.zeros((rounds * players, most, PICK_FEATURES), np.float32)
    counts, chosen = np.zeros((2, rounds * players), np.int64)
    for number in range(rounds):
        position = GAME.deal(seed, number=number, players=players, variant="unpicked")
        assert isinstance(position, Round)
        deck, removed = position.full_deck, mask(position.numbers("removed"))
        for seat in range(players):
            view = GAME.view(position, seat)
            assert isinstance(view, Round)
            setting = deals_of(view).game().setting
            book = book_of(deck, (0,) * players, removed)
            values = CardValues(setting.deal, setting.recipes, book, setting.adds)
            answer = GAME.hint(view, Control(Limit(nodes=nodes)), seed=1000 * number + seat)
            pick, at = GAME.parse_move(view, str(answer.best)), number * players + seat
            counts[at], chosen[at] = watch_pick(values, seat, view.hand_mask, 1 << pick.card, picks[at])
    return Choices(picks, counts, chosen)


@main.command()
@click.option("--rounds", default=200, help="of four players; of three and of five a third as many")
@click.option("--nodes", default=4000, help="games a hint")
@click.option("--seed", default=1)
def watch(rounds: int, nodes: int, seed: int) -> None:
    """Record the picks of hints, fit the weights, and print them."""
    GAME.warm()
    sizes = {4: rounds, 3: max(1, rounds // 3), 5: max(1, rounds // 3)}
    seen = [watched(players, count, nodes, seed) for players, count in sizes.items()]
    held = watched(4, max(1, rounds // 10), nodes, seed + 1)
    weights = fitted(seen, START * np.array(PICK), RANDOM)
    click.echo(written("SEEN_PICK", weights))
    means = [likely(held, np.array(player), RANDOM)[0] for player in (weights, PICK, np.zeros(len(PICK)))]
    click.echo("# held out: {:.3f}; by the plausible player {:.3f}, at random {:.3f}".format(*means))


if __name__ == "__main__":
    main()
