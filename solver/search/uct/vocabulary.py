"""What a game brings to the Monte-Carlo tree search, written as kernels over a block of words.

A position is a block of `STATE_WORDS` int64 words in the array `work`, at an offset `at`; the `SCRATCH_WORDS`
words behind it may be overwritten. `deal` is an int64 array of the game's constants: what `reward` counts and what
each seat is after, under which model of play, is part of it. Every game must end.

The functions document what a game's own must do; `wanted` and `rollout` have defaults. `rules` has the record in
which a game hands over its own.
"""

from __future__ import annotations

from solver.kernels.rng import below
from solver.kernels.words import Words

STATE_WORDS = 1  # words of a position
SCRATCH_WORDS = 0  # words behind it that a rule may write
EXPLORATION = 0.7  # how much a move that was tried less often is favoured, in units of the spread of rewards
RIPE = 1  # how often a node is visited before it gets children
FIRST_AT_RANDOM = False  # which of several moves that were never tried is tried first: any of them, or the first


def moves(deal: Words, work: Words, at: int, codes: Words) -> int:
    """Write the legal moves to `codes`; return their number."""
    raise NotImplementedError


def play(deal: Words, work: Words, at: int, to: int, move: int) -> None:
    """Write the position after a move to `to`."""
    raise NotImplementedError


def seat_to_move(deal: Words, work: Words, at: int) -> int:
    """The seat whose move it is."""
    raise NotImplementedError


def result(deal: Words, work: Words, at: int) -> int:
    """-1 while the game is open, else a number that `reward` understands. It may end before its last move."""
    raise NotImplementedError


def reward(deal: Words, work: Words, at: int, ended: int, seat: int) -> int:
    """What a seat has got, the game's `result` being `ended`."""
    raise NotImplementedError


def wanted(deal: Words, tree: Words, sums: int, visits: int, seat: int) -> float:
    """What a seat wants more of, a visit. `tree[sums + s]` is the sum of the rewards of seat s in so many visits.

    By default the seat's own mean reward.
    """
    return float(tree[sums + seat] / visits)


def rollout(deal: Words, work: Words, at: int, spare: int, codes: Words, count: int, random: Words) -> int:
    """One of the `count` moves in `codes`, where the tree has no node; `work` has room for a position at `spare`.

    By default any of them, each as likely.
    """
    return int(codes[below(random, count)])
