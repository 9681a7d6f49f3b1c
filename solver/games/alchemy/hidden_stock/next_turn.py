"""The next turn after a move, in sampled stocks: what it meets, and what it is worth when it has been played well.

A move is judged by the chance to win after the next hand has been played, not by how one game ended: its mean is
the move's own chance, and it varies far less.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.hidden_stock.composition import Composition
from solver.games.alchemy.hidden_stock.expectimax import Expectimax
from solver.games.alchemy.hidden_stock.stock import HiddenStock, Option
from solver.kernels.arrays import Floats

Judge = Composition | Expectimax


class NextTurn(NamedTuple):
    """A turn after a move, in each of some stocks: an element each.

    `worth` is the chance to win after it. `hand` is the hand's rank from 0, and `matched` says that it found a
    match; where the stock ended before there was a hand to be played the rank is -1, and nothing was matched.
    `used` has a row each, with how many cards of each rank the match takes from the line.
    """

    worth: Floats
    hand: NDArray[np.int64]
    matched: NDArray[np.bool_]
    used: NDArray[np.int64]


def next_turn(
    stock: HiddenStock, option: Option, worlds: NDArray[np.int8], judge: Judge, fewer: int = 0
) -> NextTurn:
    """The next turn after a move in each world (stocks, the last card drawn first), by a solved table or search.

    With `fewer` it is judged as if so many cards less were in the stock then: those that would be drawn last.
    """
    tables, count = stock.tables, len(worlds)
    place = worlds.shape[1]
    line = np.full(count, option.line, np.int64)
    for _ in range(min(option.cap - int(tables.size[option.line]), place)):
        place -= 1
        line = tables.insert[line * tables.ranks + worlds[:, place]].astype(np.int64)
    if place - fewer <= 1:  # the last card is drawn now, or as the hand: won
        nothing = np.zeros((count, tables.ranks), np.int64)
        return NextTurn(np.ones(count), np.full(count, -1), np.zeros(count, np.bool_), nothing)
    place -= 1
    hand = worlds[:, place].astype(np.int64)
    key = line * tables.ranks + hand
    # What is left in the stock follows from these; so each is judged once.
    _, alike, which = np.unique(
        np.column_stack([key, np.sort(worlds[:, :fewer], axis=1)]), axis=0, return_index=True, return_inverse=True
    )
    key, left = key[alike], worlds[alike, fewer:place]
    begin = tables.start[key].astype(np.int64)
    sizes = tables.start[key + 1].astype(np.int64) - begin
    starts = np.cumsum(sizes) - sizes
    of_turn = np.repeat(np.arange(len(key)), sizes)
    outcome = tables.outcome[np.arange(int(sizes.sum())) + np.repeat(begin - starts, sizes)].astype(np.int64)
    matched = outcome >= 0
    rest = np.where(matched, outcome, ~outcome)
    caps = option.cap - ~matched
    worth = _worth(stock, judge, caps, rest, left[of_turn])
    best = _firsts_of_highest(worth, starts, of_turn)[which]
    digits = tables.digits
    used = _counts(digits[line], tables.ranks) - _counts(digits[rest[best]], tables.ranks)
    return NextTurn(worth[best], hand, matched[best], used * matched[best][:, None])


def _worth(
    stock: HiddenStock, judge: Judge, caps: NDArray[np.int64], lines: NDArray[np.int64], left: NDArray[np.int8]
) -> Floats:
    """The chance to win of each line, with its cap and the cards that are left in the stock."""
    if isinstance(judge, Composition):
        open_ = caps >= stock.variant.shortest
        row = judge.values[left.shape[1]]
        return np.where(open_, row[judge.plan.base[np.where(open_, caps, stock.variant.shortest)] + lines], 0.0)
    found: Floats = np.zeros(len(caps))
    known: dict[tuple[int, ...], float] = {}
    for place, (cap, line) in enumerate(zip(caps.tolist(), lines.tolist(), strict=True)):
        if cap >= stock.variant.shortest:
            counts = np.bincount(left[place], minlength=stock.tables.ranks)
            state = (cap, line, *counts.tolist())
            if state not in known:
                known[state] = judge.value_with(cap, line, counts)
            found[place] = known[state]
    return found


def _firsts_of_highest(worth: Floats, starts: NDArray[np.int64], of_turn: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of the highest value of each turn; the first of equals."""
    highest = np.maximum.reduceat(worth, starts)
    places = np.flatnonzero(worth >= highest[of_turn])
    return places[np.unique(of_turn[places], return_index=True)[1]]


def _counts(digits: NDArray[np.int8], ranks: int) -> NDArray[np.int64]:
    """How many cards of each rank are in each line."""
    return np.array([(digits == rank).sum(axis=1) for rank in range(ranks)], np.int64).T
