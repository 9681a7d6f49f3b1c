"""Learn the weights of kirin's plausible player by self-play: ``python -m training.kirin_rules --help``.

Policy gradient (REINFORCE, Williams 1992) for the softmax player of `solver.games.kirin.players`: four copies play
random deals, each for its own points, and each choice is made more likely in proportion to how far the later
points exceeded the usual number with as many cards left. Self-play ends with a player that is almost certain of
each card, which no other player is, so the final weights are scaled down a little. Prints the module
`solver/games/kirin/players.py`.
"""

from __future__ import annotations

import time

import click
import numpy as np

from solver.games.kirin.deck import ALL
from solver.games.kirin.fast_rules import (
    LIVE,
    PLAYED,
    RANK_OF,
    SAME_COLOUR,
    STATE_WORDS,
    TRICK,
    end_trick,
    lay,
    playable,
    seat_to_move,
    start_trick,
)
from solver.games.kirin.players import (
    BY_RULES,
    DECLARE_WEIGHTS,
    FEATURES,
    MOST,
    WEIGHTS,
    Scratch,
    declare_values,
    features,
    new_scratch,
    value_cards,
)
from solver.hints.network import NOTHING, Chooser
from solver.hints.policy import draw_place, to_chances
from solver.kernels.jit import kernel
from solver.kernels.rng import shuffle, start_stream
from solver.kernels.words import Floats, popcount, trailing_zeros

ADAM = (0.9, 0.99, 1e-8)


@kernel
def learn(
    weights: Floats,
    declare: Floats,
    usual: Floats,
    seed: int,
    rounds: int,
    gradient: Floats,
    seen: Floats,
    net: Chooser,
    room: Scratch,
) -> None:
    """Play rounds, and add the policy gradient of all weights to `gradient`: first of plays, then of cards set
    aside.

    `usual[n]`, the baseline, is the usual number of points still to come with n cards left in the hand. The points
    that did come are added to `seen[n]`.
    """
    random = np.zeros(1, np.int64)
    deck = np.zeros(36, np.int8)
    hands = np.zeros(4, np.int64)
    aside = np.zeros(4, np.int64)
    points = np.zeros(4, np.int64)
    table = np.zeros(STATE_WORDS, np.int64)
    codes = np.zeros(MOST, np.int64)
    scratch, out = room.features, room.values[BY_RULES * MOST :]
    mean = np.zeros(FEATURES)
    size = WEIGHTS + DECLARE_WEIGHTS
    plain = np.zeros((4, size))  # each seat's sum of the choices' gradients
    taken = np.zeros((4, size))  # the same, times the points won so far plus the usual points to come
    had = np.zeros((4, 9))
    for number in range(rounds):
        start_stream(random, seed, number)
        for card in range(36):
            deck[card] = card
        shuffle(random, deck)
        plain[:] = 0.0
        taken[:] = 0.0
        for seat in range(4):
            hands[seat] = 0
            points[seat] = 0
            for card in deck[9 * seat : 9 * seat + 9]:
                hands[seat] |= 1 << int(card)
            declare_values(hands[seat], declare, out)
            to_chances(9, out)
            rest = hand = hands[seat]
            for option in range(9):
                codes[option] = trailing_zeros(rest)
                rest &= rest - 1
            aside[seat] = codes[draw_place(9, out, random)]
            for option in range(9):
                card = codes[option]
                share = (1.0 if card == aside[seat] else 0.0) - out[option]
                plain[seat, WEIGHTS + 9 + RANK_OF[card]] += share
                kept = hand & SAME_COLOUR[card] & ~(1 << card)
                while kept != 0:
                    plain[seat, WEIGHTS + RANK_OF[trailing_zeros(kept)]] += share
                    kept &= kept - 1
            taken[seat, WEIGHTS:] = plain[seat, WEIGHTS:] * usual[8]
            hands[seat] &= ~(1 << aside[seat])
        table[LIVE] = ALL
        start_trick(table, 0, 0, 0, 0)
        for _ in range(4 * 8):
            seat = seat_to_move(table, 0)
            hand = hands[seat] & table[LIVE]
            own = SAME_COLOUR[aside[seat]]
            unseen = table[LIVE] & ~hand & ~(1 << aside[seat])
            left = popcount(hand)
            had[seat, left] = points[seat]
            legal = playable(hand, table, 0)
            count = popcount(legal)
            for option in range(count):
                codes[option] = trailing_zeros(legal)
                legal &= legal - 1
            value_cards(codes, count, hand, own, unseen, table, weights, net, 1 << BY_RULES, room)
            to_chances(count, out)
            card = codes[draw_place(count, out, random)]
            if count > 1:
                mean[:] = 0.0
                for option in range(count):
                    features(codes[option], own, unseen, table, room.sight, scratch)
                    mean += out[option] * scratch
                features(card, own, unseen, table, room.sight, scratch)
                at = 2 * FEATURES * table[PLAYED]
                base = points[seat] + usual[left]
                for index in range(FEATURES):
                    slope = scratch[index] - mean[index]
                    plain[seat, at + index] += slope
                    taken[seat, at + index] += slope * base
                    slope *= left * 0.125
                    plain[seat, at + FEATURES + index] += slope
                    taken[seat, at + FEATURES + index] += slope * base
            lay(table, 0, card)
            if table[PLAYED] == 4:
                trick = table[TRICK]
                taker = end_trick(table, 0, 0)
                if taker >= 0:
                    points[taker] += popcount(trick & SAME_COLOUR[aside[taker]])
        for seat in range(4):
            gradient += plain[seat] * points[seat] - taken[seat]
            for left in range(1, 9):
                seen[left] += points[seat] - had[seat, left]


@click.command()
@click.option("--steps", default=400)
@click.option("--rounds", default=10_000, help="of each step")
@click.option("--rate", default=0.03)
@click.option("--seed", default=1)
@click.option("--out", type=click.Path(), help="write the weights here after each tenth of the steps")
@click.option("--soften", default=0.7, help="what is printed is so many times what was learned")
@click.option("--start", type=click.Path(exists=True), help="go on from weights written before")
def main(
    steps: int, rounds: int, rate: float, seed: int, out: str | None, soften: float, start: str | None
) -> None:
    """Learn by self-play, and print the weights as a module."""
    theta = np.zeros(WEIGHTS + DECLARE_WEIGHTS)
    if start:
        theta = np.loadtxt(start)
    first = np.zeros_like(theta)
    second = np.zeros_like(theta)
    usual = np.zeros(9)
    begin = time.thread_time()
    for step in range(steps):
        gradient, seen = np.zeros_like(theta), np.zeros(9)
        of_plays, of_asides = theta[:WEIGHTS].copy(), theta[WEIGHTS:].copy()
        learn(of_plays, of_asides, usual, seed + step, rounds, gradient, seen, NOTHING, new_scratch())
        usual = seen / (4 * rounds)
        gradient /= 4 * rounds
        if step == 0:
            continue  # the usual points were still unknown
        fast, slow, tiny = ADAM
        first = fast * first + (1 - fast) * gradient
        second = slow * second + (1 - slow) * gradient**2
        size = rate * min(1.0, 2 * (1 - step / steps))
        theta += size * (first / (1 - fast**step)) / (np.sqrt(second / (1 - slow**step)) + tiny)
        if (step + 1) % max(1, steps // 10) == 0:
            click.echo(
                f"# step {step + 1}: {usual[8]:.4f} points a round, {time.thread_time() - begin:.0f} s", err=True
            )
            if out:
                np.savetxt(out, theta)
    theta *= soften
    click.echo(_MODULE.format(play=_rows(theta[:WEIGHTS], 8), declare=_rows(theta[WEIGHTS:], 9)), nl=False)


_MODULE = '''"""What kirin's plausible player has learned by self-play: ``python -m training.kirin_rules``.

The features are those of `policy`.
"""

from __future__ import annotations

# For each number of cards on the table: the constant part, then the part a card left (of eight) in the hand.
# fmt: off
PLAY = (
{play}
)
# What a kept card of the colour is worth, by rank, and what the card set aside is.
DECLARE = (
{declare}
)
# fmt: on
'''


def _rows(values: Floats, length: int) -> str:
    rows = (values[start : start + length] for start in range(0, len(values), length))
    return "\n".join("    " + ", ".join(f"{value:.3f}" for value in row) + "," for row in rows)


if __name__ == "__main__":
    main()
