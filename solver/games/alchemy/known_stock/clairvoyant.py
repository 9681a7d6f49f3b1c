"""Solitaire with a known stock: depth-first search over turns with a memo of lost states.

A state is (pos, line): `cards[pos]` is the hand just drawn and the line is full, so the line's size is the
cap. Its value is the fewest stock cards left over all ways to play on, 0 for won. A won state ends the
search; a lost one has been searched whole, so its value is exact and is remembered.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.fast_rules.lines import Lines
from solver.kernels.jit import kernel

# Words of the control array.
DEPTH, NODES, STAMP, RESULT, FAILED = range(5)
_UNKNOWN = 127  # more than any stock
_MOST_CARDS = 52
_LEFT_BITS = 7
# Columns of a stack frame.
_POS, _LINE, _NEXT, _END, _BEST, _WIDTH = range(6)


class Search:
    """The arrays of one search, reused from deal to deal of at most `most` cards. Each thread needs its own."""

    def __init__(self, lines: Lines, most: int = _MOST_CARDS) -> None:
        self.lines = lines
        self.cards = np.zeros(_MOST_CARDS, np.int8)
        self.count = 0
        self.stack = np.zeros((_MOST_CARDS + 1) * _WIDTH, np.int64)
        self.memo = np.zeros(most * len(lines.size), np.int32)
        self.control = np.zeros(8, np.int64)

    def deal(self, cards: list[int]) -> None:
        """Take a new deal: the hand and then the stock in draw order, as ranks from 1. Forgets the old one."""
        self.count = len(cards)
        self.cards[: self.count] = np.array(cards, np.int8) - 1
        next_stamp(self.control, self.memo)

    def enter(self, pos: int, line: int) -> None:
        """Begin the search of a state."""
        enter(pos, line, self.stack, self.control)

    def step(self, budget: int) -> tuple[bool, int]:
        """Go on for `budget` nodes: see `solver.common.control`."""
        before = int(self.control[NODES])
        tables = self.lines
        finished = run(
            *tables.turns, self.cards, self.count,
            self.stack, self.memo, self.control, budget,
        )  # fmt: skip
        return bool(finished), int(self.control[NODES]) - before

    @property
    def left(self) -> int:
        """The finished search's value."""
        return int(self.control[RESULT])


@kernel
def next_stamp(control: NDArray[np.int64], memo: NDArray[np.int32]) -> None:
    """Forget the memo: entries of an older stamp do not count."""
    control[STAMP] += 1
    control[FAILED] = 0
    if control[STAMP] >= 1 << (31 - _LEFT_BITS):
        memo[:] = 0
        control[STAMP] = 1


@kernel
def enter(pos: int, line: int, stack: NDArray[np.int64], control: NDArray[np.int64]) -> None:
    """Put the root state on an empty stack."""
    control[DEPTH] = 1
    control[RESULT] = _UNKNOWN
    stack[_POS] = pos
    stack[_LINE] = line
    stack[_NEXT] = -1
    stack[_BEST] = _UNKNOWN


@kernel
def run(
    ranks: int,
    shortest: int,
    size: NDArray[np.int8],
    insert: NDArray[np.int16],
    start: NDArray[np.int32],
    outcome: NDArray[np.int16],
    cards: NDArray[np.int8],
    count: int,
    stack: NDArray[np.int64],
    memo: NDArray[np.int32],
    control: NDArray[np.int64],
    budget: int,
) -> bool:
    lines = len(size)
    stamp = control[STAMP]
    depth = control[DEPTH]
    nodes = 0
    back = np.int64(-1)  # the value of the state just left, -1 while going down
    while depth > 0:
        frame = (depth - 1) * _WIDTH
        pos = stack[frame + _POS]
        line = stack[frame + _LINE]
        if back >= 0:
            stack[frame + _BEST] = min(stack[frame + _BEST], back)
            back = np.int64(-1)
            if stack[frame + _BEST] == 0:
                depth = 0
                control[RESULT] = 0
                break
        elif stack[frame + _NEXT] < 0:
            if nodes >= budget:
                break
            nodes += 1
            if pos + 1 >= count:  # the last stock card is drawn: won
                depth = 0
                control[RESULT] = 0
                break
            if control[FAILED] > 0:
                known = np.int64(memo[pos * lines + line])
                if known >> _LEFT_BITS == stamp:
                    back = known & ((1 << _LEFT_BITS) - 1)
                    depth -= 1
                    continue
            key = line * ranks + cards[pos]
            stack[frame + _NEXT] = start[key]
            stack[frame + _END] = start[key + 1]
        index = stack[frame + _NEXT]
        if index == stack[frame + _END]:
            back = stack[frame + _BEST]
            memo[pos * lines + line] = (stamp << _LEFT_BITS) | back
            control[FAILED] += 1
            depth -= 1
            continue
        stack[frame + _NEXT] = index + 1
        rest = np.int64(outcome[index])
        cap = np.int64(size[line])
        if rest < 0:
            rest = ~rest
            cap -= 1
        pos += 1
        end = pos + cap - size[rest]
        if end >= count:  # the refill takes the last stock card: won
            depth = 0
            control[RESULT] = 0
            break
        if cap < shortest:
            back = np.int64(count - pos)
            continue
        while pos < end:
            rest = np.int64(insert[rest * ranks + cards[pos]])
            pos += 1
        frame += _WIDTH
        stack[frame + _POS] = pos
        stack[frame + _LINE] = rest
        stack[frame + _NEXT] = -1
        stack[frame + _BEST] = _UNKNOWN
        depth += 1
    if depth == 0 and control[RESULT] != 0:
        control[RESULT] = back
    control[DEPTH] = depth
    control[NODES] += nodes
    return bool(depth == 0)


@kernel
def solve_deals(
    ranks: int,
    shortest: int,
    size: NDArray[np.int8],
    insert: NDArray[np.int16],
    start: NDArray[np.int32],
    outcome: NDArray[np.int16],
    deals: NDArray[np.int8],
    cap: int,
    stack: NDArray[np.int64],
    memo: NDArray[np.int32],
    control: NDArray[np.int64],
    left: NDArray[np.int8],
) -> None:
    """The fewest stock cards left of each deal (a shuffled deck a row; the first `cap` cards are the line)."""
    count = deals.shape[1] - cap
    for deal in range(len(deals)):
        cards = deals[deal]
        line = 0
        for place in range(cap):
            line = int(insert[line * ranks + int(cards[place])])
        next_stamp(control, memo)
        enter(0, line, stack, control)
        run(
            ranks, shortest, size, insert, start, outcome, cards[cap:], count, stack, memo, control, 1 << 62
        )  # fmt: skip
        left[deal] = control[RESULT]
