"""The exact chance to win with a hidden stock: expectimax without replacement, memoised.

A state is (unseen counts, cap, line); each refill card is a chance node of its own, since the line's further
cards may depend on nothing else. Values are exact up to float64 rounding.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.cards.rules import Variant
from solver.games.alchemy.fast_rules.lines import lines
from solver.games.alchemy.hidden_stock.composition import plan
from solver.kernels.bits import wrapping_product
from solver.kernels.jit import kernel
from solver.search.memory.tables import new_table

_FIRST_SLOTS = 1 << 14
MOST_SLOTS = 1 << 23  # 128 MiB
# Words of the control array.
_DEPTH, NODES, _LEFT, _INDEX, _ENTRIES, _FULL = range(6)
# Columns of the stack; the float stack holds the best hand outcome and the weighted sum.
_CAP, _LINE, _RANK, _NEXT, _END, _WIDTH = range(6)


class Expectimax:
    """The search from one position's unseen cards; all questions share the memo. Not for several threads.

    `unseen` is counts a rank. `value` is the finished search's chance to win.
    """

    def __init__(self, variant: Variant, unseen: Sequence[int]) -> None:
        self.tables = lines(variant)
        self.plan = plan(variant)
        self.unseen = np.array(unseen, np.int64)
        self.stride = np.ones(len(unseen), np.int64)
        self.stride[1:] = np.cumprod(self.unseen + 1)[:-1]
        self.root = int(self.stride @ self.unseen)
        self.cards = sum(unseen)
        self.stack = np.zeros((2 * self.cards + 2, _WIDTH), np.int64)
        self.sums = np.zeros((2 * self.cards + 2, 2), np.float64)
        self.keys = np.full(_FIRST_SLOTS, -1, np.int64)
        self.memo = np.zeros(_FIRST_SLOTS, np.float64)
        self.control = np.zeros(6, np.int64)

    def enter(self, cap: int, line: int) -> None:
        """Begin the search of the line that a move leaves; the stock is not empty."""
        self.control[_DEPTH] = 1
        self.control[_LEFT] = self.cards
        self.control[_INDEX] = self.root
        self.stack[0] = (cap, line, -1, 0, 0)
        self.sums[0] = 0

    def step(self, budget: int) -> tuple[bool, int]:
        """Go on for `budget` states: see `solver.common.control`.

        Raises MemoryError at MOST_SLOTS, and where there is not enough memory for more.
        """
        before = int(self.control[NODES])
        finished = search(
            *self.tables.turns, self.plan.base, self.plan.nodes, self.unseen, self.stride, self.stack, self.sums,
            self.keys, self.memo, self.control, budget,
        )  # fmt: skip
        if self.control[_FULL]:
            self._grow()
        return bool(finished), int(self.control[NODES]) - before

    def value_with(self, cap: int, line: int, unseen: NDArray[np.int64]) -> float:
        """The chance to win of a line from which the search has come by, or might have: `unseen` are then left.

        What it has solved on the way is remembered. Raises MemoryError as `step` does.
        """
        whole = self.unseen.copy()
        self.unseen[:] = unseen
        self.enter(cap, line)
        self.control[_LEFT] = unseen.sum()
        self.control[_INDEX] = self.stride @ unseen
        try:
            while not self.step(1 << 30)[0]:
                pass
        finally:
            self.unseen[:] = whole
        return self.value

    def _grow(self) -> None:
        if len(self.keys) >= MOST_SLOTS:
            raise MemoryError
        keys = new_table([4 * len(self.keys)])
        memo = new_table([4 * len(self.keys)], np.float64)
        keys[:] = -1
        rehash(self.keys, self.memo, keys, memo)
        self.keys, self.memo = keys, memo
        self.control[_FULL] = 0

    @property
    def value(self) -> float:
        return float(self.sums[0, 1])


@kernel
def _slot(keys: NDArray[np.int64], key: int) -> int:
    """The slot that holds `key`, or the empty one where it belongs."""
    mask = len(keys) - 1
    slot = (wrapping_product(key, -7046029254386353131) >> 20) & mask
    while keys[slot] != key and keys[slot] >= 0:
        slot = (slot + 1) & mask
    return int(slot)


@kernel
def rehash(
    keys: NDArray[np.int64],
    memo: NDArray[np.float64],
    new_keys: NDArray[np.int64],
    new_memo: NDArray[np.float64],
) -> None:
    """Copy a memo into a larger one."""
    for slot in range(len(keys)):
        if keys[slot] >= 0:
            other = _slot(new_keys, keys[slot])
            new_keys[other] = keys[slot]
            new_memo[other] = memo[slot]


@kernel
def search(
    ranks: int,
    shortest: int,
    size: NDArray[np.int8],
    insert: NDArray[np.int16],
    start: NDArray[np.int32],
    outcome: NDArray[np.int16],
    base: NDArray[np.int64],
    nodes: int,
    unseen: NDArray[np.int64],
    stride: NDArray[np.int64],
    stack: NDArray[np.int64],
    sums: NDArray[np.float64],
    keys: NDArray[np.int64],
    memo: NDArray[np.float64],
    control: NDArray[np.int64],
    budget: int,
) -> bool:
    """Depth first; stops early when the budget is spent or the memo needs room. True when finished."""
    spent = 0
    depth = control[_DEPTH]
    left = control[_LEFT]
    index = control[_INDEX]
    back = -1.0  # the value of the state just left
    while depth > 0:
        top = depth - 1
        cap = stack[top, _CAP]
        line = stack[top, _LINE]
        rank = stack[top, _RANK]
        if rank < 0:  # a new state
            if spent >= budget or control[_ENTRIES] * 2 > len(keys):
                if control[_ENTRIES] * 2 > len(keys):
                    control[_FULL] = 1
                break
            spent += 1
            if left <= 1 or left <= cap - size[line]:  # the refill takes the last card
                back = 1.0
            else:
                key = index * nodes + base[cap] + line
                slot = _slot(keys, key)
                if keys[slot] == key:
                    back = memo[slot]
            if back >= 0:
                depth -= 1
                if depth == 0:
                    sums[0, 1] = back
                continue
        elif size[line] < cap:
            # `rank` was drawn into the line, and `back` is what that is worth.
            unseen[rank] += 1
            left += 1
            index += stride[rank]
            sums[top, 1] += unseen[rank] * back
            back = -1.0
        else:
            # `rank` is the hand; a turn's outcome is worth `back`.
            sums[top, 0] = max(sums[top, 0], back)
            back = -1.0
            if stack[top, _NEXT] == stack[top, _END] or sums[top, 0] >= 1.0:
                unseen[rank] += 1
                left += 1
                index += stride[rank]
                sums[top, 1] += unseen[rank] * sums[top, 0]
            else:
                _descend(stack, sums, top, cap, outcome[stack[top, _NEXT]])
                stack[top, _NEXT] += 1
                depth += 1
                continue
        rank += 1
        while rank < ranks and unseen[rank] == 0:
            rank += 1
        stack[top, _RANK] = rank
        if rank == ranks:
            back = sums[top, 1] / left
            key = index * nodes + base[cap] + line
            slot = _slot(keys, key)
            keys[slot] = key
            memo[slot] = back
            control[_ENTRIES] += 1
            depth -= 1
            if depth == 0:
                sums[0, 1] = back
            continue
        unseen[rank] -= 1
        left -= 1
        index -= stride[rank]
        if size[line] < cap:
            stack[depth, _CAP] = cap
            stack[depth, _LINE] = insert[line * ranks + rank]
            stack[depth, _RANK] = -1
            sums[depth] = 0.0
            depth += 1
            continue
        begin = start[line * ranks + rank]
        stack[top, _END] = start[line * ranks + rank + 1]
        sums[top, 0] = 0.0
        if outcome[begin] < 0 and cap == shortest:  # no match at the shortest cap: lost, cards are left
            stack[top, _NEXT] = stack[top, _END]
            back = 0.0
            continue
        _descend(stack, sums, top, cap, outcome[begin])
        stack[top, _NEXT] = begin + 1
        depth += 1
    control[_DEPTH] = depth
    control[_LEFT] = left
    control[_INDEX] = index
    control[NODES] += spent
    return bool(depth == 0)


@kernel
def _descend(stack: NDArray[np.int64], sums: NDArray[np.float64], top: int, cap: int, rest: int) -> None:
    """Put the line that a turn leaves on the stack; ``~line`` for a discard, which shortens the cap."""
    stack[top + 1, _CAP] = cap if rest >= 0 else cap - 1
    stack[top + 1, _LINE] = rest if rest >= 0 else ~rest
    stack[top + 1, _RANK] = -1
    sums[top + 1, 0] = 0.0
    sums[top + 1, 1] = 0.0
