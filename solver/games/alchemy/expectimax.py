"""Chances to win a solitaire whose stock is hidden: approximate by dynamic programming, exact by expectimax.

A state of expectimax is (unseen counts, cap, line). Every card that refills the line is a separate chance node,
since the chances of the next card depend only on the state. Values are exact up to float64 rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.deck import Move
from solver.games.alchemy.fast_rules import LONGEST, Lines, lines
from solver.games.alchemy.rules import Turn, Variant, solitaire_moves
from solver.kernels.jit import kernel, lean
from solver.kernels.words import wrapping_product
from solver.limits import Control, Part
from solver.search.memory import new_table

# ----------------------------------------------------------------------------------------------------
# Composition DP: the solitaire as if stock cards came with replacement from the unseen ones.
#
# The state is then only (cap, line, cards left), and backward induction over all lines solves it exactly. Solved
# from the true unseen counts at each decision, it gives a near-optimal policy for the hidden stock. Ranks that new
# line cards have used up count less: without that correction the regret is five times larger.
#
# A *node* is (cap, line of up to cap cards); W[k, node] is the chance to win with k cards left in the stock.


# Words of the control array.
_LAYER, _GROUP, _TURN, COMPOSITION_NODES = range(4)

Values = NDArray[np.float32]
Targets = NDArray[np.uint16]


class Plan(NamedTuple):
    """The order in which the dynamic program visits its states; built once per variant.

    A *node* is a line with a maximum line length (cap): ``base[cap] + line`` is its index, and `nodes` the number
    of nodes. A *turn* is a full line and a drawn card. Turn t is described by ``node[t]``, ``line[t]`` and
    ``rank[t]``; the nodes that it can lead to are in `targets`, from ``begin[t]`` on. A turn that loses
    immediately has the target `_LOST`.

    Turns are sorted by their number of outcomes, since a loop of constant length runs three times as fast. Those
    with k outcomes are ``group[k]`` to ``group[k + 1] - 1``.
    """

    base: NDArray[np.int64]
    nodes: int
    node: NDArray[np.int32]
    line: NDArray[np.int32]
    rank: NDArray[np.int8]
    begin: NDArray[np.int32]
    group: NDArray[np.int64]
    targets: Targets


@cache
def plan(variant: Variant) -> Plan:
    tables = lines(variant)
    base = np.zeros(LONGEST + 2, np.int64)
    for cap in range(tables.shortest, LONGEST + 1):
        base[cap + 1] = base[cap] + (tables.offset[cap + 1] if cap <= tables.cap else 0)
    return Plan(base, int(base[LONGEST + 1]), *_order_turns(tables, base))


@kernel
def _order_turns(
    tables: Lines, base: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int8], NDArray[np.int32], NDArray[np.int64], Targets]:
    ranks, shortest, offset = tables.ranks, tables.shortest, tables.offset
    start, outcome = tables.start, tables.outcome
    group = np.zeros((1 << LONGEST) + 2, np.int64)
    first = offset[shortest] * ranks
    last = offset[tables.cap + 1] * ranks
    for key in range(first, last):
        group[start[key + 1] - start[key] + 1] += 1
    for size in range(1, len(group)):
        group[size] += group[size - 1]
    free = group.copy()
    order = np.zeros(last - first, np.int64)
    for key in range(first, last):
        size = start[key + 1] - start[key]
        order[free[size]] = key
        free[size] += 1
    node = np.zeros(len(order), np.int32)
    line = np.zeros(len(order), np.int32)
    rank = np.zeros(len(order), np.int8)
    begin = np.zeros(len(order), np.int32)
    targets = np.zeros(start[last] - start[first], np.uint16)
    filled = 0
    for turn in range(len(order)):
        key = order[turn]
        line[turn] = key // ranks
        rank[turn] = key % ranks
        cap = shortest
        while offset[cap + 1] <= line[turn]:
            cap += 1
        node[turn] = base[cap] + line[turn]
        begin[turn] = filled
        for index in range(start[key], start[key + 1]):
            rest = outcome[index]
            if rest >= 0:
                targets[filled] = base[cap] + rest
            else:
                # At the shortest cap a discard loses: `_LOST` marks the turn, which `select` leaves out.
                targets[filled] = base[cap - 1] + ~rest if cap > shortest else _LOST
            filled += 1
    return node, line, rank, begin, group, targets


_LOST = 0xFFFF


def outcomes(variant: Variant, cap: int, cards: int) -> int:
    """Estimate how many outcomes `Composition` visits from a position with `cards` cards in the stock."""
    tables = lines(variant)
    return cards * int(tables.start[tables.offset[cap + 1] * tables.ranks])


class Composition:
    """A resumable dynamic program; `values[k, node]` is the chance to win with k cards left in the stock.

    `unseen` and `line` are the numbers of cards of each rank in the stock and in the line that is refilled from
    it. Only nodes with a maximum line length of at most `cap` are solved.
    """

    def __init__(self, variant: Variant, cap: int, unseen: Sequence[int], line: Sequence[int]) -> None:
        self.tables = lines(variant)
        self.plan = plan(variant)
        self.cap = cap
        self.cards = sum(unseen)
        self.values = np.empty((max(2, self.cards + 1), int(self.plan.base[cap + 1])), np.float32)
        self.values[:2] = 1
        self.chances, possible, self.exhausted = chances(
            self.tables.ranks, self.tables.digits, np.array(unseen, np.float32), np.array(line, np.float32)
        )
        self.turns = select(self.plan, self.chances, possible, self.values.shape[1])
        self.control = np.array([2, 0, 0, 0], np.int64)

    def step(self, budget: int) -> tuple[bool, int]:
        """Continue for about `budget` outcomes; return whether it is finished, and how many it visited."""
        before = int(self.control[COMPOSITION_NODES])
        finished = fill(
            self.tables, self.plan, self.cap, self.turns, self.chances, self.exhausted, self.values, self.control,
            budget,
        )  # fmt: skip
        return bool(finished), int(self.control[COMPOSITION_NODES]) - before


@kernel
def chances(
    ranks: int, digits: NDArray[np.int8], unseen: Values, line: Values
) -> tuple[Values, NDArray[np.bool_], NDArray[np.bool_]]:
    """Return, for each line, each rank's chance to be drawn next, as an array (lines, ranks).

    `unseen` and `line` are the numbers of cards of each rank in the stock and in the line at the start. Also
    returns whether each line can arise, and whether it has used up the unseen cards, both (lines,).
    """
    chance = np.zeros((len(digits), ranks), np.float32)
    possible = np.ones(len(digits), np.bool_)
    exhausted = np.zeros(len(digits), np.bool_)
    counts = np.zeros(ranks, np.float32)
    for index in range(len(digits)):
        counts[:] = 0
        for slot in range(LONGEST):
            if digits[index, slot] >= 0:
                counts[digits[index, slot]] += 1
        total = np.float32(0)
        for rank in range(ranks):
            left = unseen[rank] - max(np.float32(0), counts[rank] - line[rank])
            if left < 0:
                possible[index] = False
            chance[index, rank] = max(np.float32(0), left)
            total += chance[index, rank]
        if total > 0:
            for rank in range(ranks):
                chance[index, rank] /= total
        else:
            exhausted[index] = True
    return chance, possible, exhausted


# For each turn its node, first outcome and chance; then the groups of turns, as in a plan.
Turns = tuple[NDArray[np.int32], NDArray[np.int32], Values, NDArray[np.int64]]


@kernel
def select(work: Plan, chance: Values, possible: NDArray[np.bool_], end: int) -> Turns:
    """Return the turns that can arise from a position, except those that lose immediately."""
    node, line, rank, begin = work.node, work.line, work.rank, work.begin
    group, targets = work.group, work.targets
    nodes = np.zeros(len(node), np.int32)
    begins = np.zeros(len(node), np.int32)
    weights = np.zeros(len(node), np.float32)
    groups = np.zeros(len(group), np.int64)
    count = 0
    for size in range(len(group) - 1):
        for turn in range(group[size], group[size + 1]):
            weight = chance[line[turn], rank[turn]]
            if node[turn] < end and weight > 0 and possible[line[turn]] and targets[begin[turn]] != _LOST:
                nodes[count] = node[turn]
                begins[count] = begin[turn]
                weights[count] = weight
                count += 1
        groups[size + 1] = count
    return nodes[:count].copy(), begins[:count].copy(), weights[:count].copy(), groups


@lean
def _refills(
    tables: Lines,
    base: NDArray[np.int64],
    last_cap: int,
    chance: Values,
    exhausted: NDArray[np.bool_],
    before: Values,
    row: Values,
) -> None:
    """Compute one layer of values: for a line that is not full, the mean over the next card that refills it.

    Full lines get 0 here. A line that has used up the unseen cards is won, since the stock is then empty.
    """
    ranks, offset, insert = tables.ranks, tables.offset, tables.insert
    for cap in range(tables.shortest, last_cap + 1):
        for line in range(offset[cap + 1]):
            if exhausted[line]:
                row[base[cap] + line] = 1
                continue
            if line >= offset[cap]:
                row[base[cap] + line] = 0
                continue
            total = np.float32(0)
            for rank in range(ranks):
                if chance[line, rank] > 0:
                    total += chance[line, rank] * before[base[cap] + insert[line * ranks + rank]]
            row[base[cap] + line] = total


@lean
def fill(
    tables: Lines,
    work: Plan,
    last_cap: int,
    turns: Turns,
    chance: Values,
    exhausted: NDArray[np.bool_],
    values: Values,
    control: NDArray[np.int64],
    budget: int,
) -> bool:
    """Continue the backward induction for about `budget` outcomes; return True when it is finished.

    A layer holds the values for one number of stock cards. Layers 0 and 1 are won, since drawing the last card
    wins.
    """
    nodes, begins, weights, groups = turns
    targets = work.targets
    spent = 0
    layer = control[_LAYER]
    size = control[_GROUP]
    turn = control[_TURN]
    while layer < len(values) and spent < budget:
        before = values[layer - 1]
        row = values[layer]
        if size == 0:
            _refills(tables, work.base, last_cap, chance, exhausted, before, row)
            spent += len(chance)
            size = 1
            turn = 0
        while size < len(groups) - 1 and spent < budget:
            stop = min(groups[size + 1], turn + (budget - spent) // size + 1)
            spent += (stop - turn) * size
            for index in range(turn, stop):
                begin = np.uint64(begins[index])
                best = np.float32(0)
                for target in targets[begin : begin + np.uint64(size)]:
                    if before[target] > best:
                        best = before[target]
                row[nodes[index]] += weights[index] * best
            turn = stop
            if turn == groups[size + 1]:
                size += 1
        if size == len(groups) - 1:
            for node in range(len(row)):
                row[node] = min(row[node], np.float32(1))
            layer += 1
            size = 0
    control[_LAYER] = layer
    control[_GROUP] = size
    control[_TURN] = turn
    control[COMPOSITION_NODES] += spent
    return bool(layer == len(values))


_FIRST_SLOTS = 1 << 14
MOST_SLOTS = 1 << 23  # 128 MiB
# Words of the control array.
_DEPTH, NODES, _LEFT, _INDEX, _ENTRIES, _FULL = range(6)
# Columns of the stack; the float stack has the best outcome of the hand and the weighted sum.
_CAP, _LINE, _RANK, _NEXT, _END, _WIDTH = range(6)


class Expectimax:
    """A resumable exact search for one set of unseen cards; all lines searched share one memo. Not thread-safe.

    `unseen` is the number of cards of each rank. `value` is the chance to win, once a search is finished.
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
        """Set up the search from a line that a move has left, before its refill. The stock must not be empty."""
        self.control[_DEPTH] = 1
        self.control[_LEFT] = self.cards
        self.control[_INDEX] = self.root
        self.stack[0] = (cap, line, -1, 0, 0)
        self.sums[0] = 0

    def step(self, budget: int) -> tuple[bool, int]:
        """Continue for `budget` states; return whether the search is finished, and how many states it visited.

        Raises MemoryError if the memo would need more than MOST_SLOTS slots or more memory than is available.
        """
        before = int(self.control[NODES])
        finished = search(
            self.tables, self.plan, self.unseen, self.stride, self.stack, self.sums,
            self.keys, self.memo, self.control, budget,
        )  # fmt: skip
        if self.control[_FULL]:
            self._grow()
        return bool(finished), int(self.control[NODES]) - before

    def value_with(self, cap: int, line: int, unseen: NDArray[np.int64]) -> float:
        """Return the chance to win from a line when only the cards `unseen` are left in the stock.

        They must be a subset of the unseen cards with which the search was created. All states solved on the way
        stay in the memo. Raises MemoryError as `step` does.
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


@lean
def _slot(keys: NDArray[np.int64], key: int) -> int:
    """Return the slot of a hash table that holds `key`, or the empty one where it belongs."""
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
    """Copy a memo into a larger hash table."""
    for slot in range(len(keys)):
        if keys[slot] >= 0:
            other = _slot(new_keys, keys[slot])
            new_keys[other] = keys[slot]
            new_memo[other] = memo[slot]


@lean
def search(
    tables: Lines,
    work: Plan,
    unseen: NDArray[np.int64],
    stride: NDArray[np.int64],
    stack: NDArray[np.int64],
    sums: NDArray[np.float64],
    keys: NDArray[np.int64],
    memo: NDArray[np.float64],
    control: NDArray[np.int64],
    budget: int,
) -> bool:
    """Run the expectimax search depth first; return True when it is finished.

    Returns False if the budget is spent or the memo must grow; the next call then continues the search.
    """
    ranks, shortest, size = tables.ranks, tables.shortest, tables.size
    insert, start, outcome = tables.insert, tables.start, tables.outcome
    base, nodes = work.base, work.nodes
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
            # `rank` was drawn into the line, and that is worth `back`.
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
    """Push the line that a turn leaves: `rest` is its index in `Lines`, inverted (``~index``) after a discard."""
    stack[top + 1, _CAP] = cap if rest >= 0 else cap - 1
    stack[top + 1, _LINE] = rest if rest >= 0 else ~rest
    stack[top + 1, _RANK] = -1
    sums[top + 1, 0] = 0.0
    sums[top + 1, 1] = 0.0


# ----------------------------------------------------------------------------------------------------
# A turn of a solitaire with a hidden stock in terms of the tables: what each of its moves leaves.


def counts_of(ranks: Sequence[int], size: int) -> list[int]:
    """Count the cards of each rank from 1 to `size`."""
    return [ranks.count(rank) for rank in range(1, size + 1)]


class Option(NamedTuple):
    """A move and the line it leaves: the maximum line length from then on, and the line's index in `Lines`."""

    move: Move
    cap: int
    line: int
    lost: bool  # whether it loses immediately: the line is too short to go on, and cards are left


@dataclass(frozen=True)
class HiddenStock:
    """A turn of an unfinished solitaire whose stock order is hidden; `unseen` has the stock's ranks, ascending.

    `counts` is the number of cards of each rank in the stock, which is not empty. `seed` determines all sampled
    orders.
    """

    variant: Variant
    turn: Turn
    unseen: tuple[int, ...]
    counts: tuple[int, ...]
    seed: int
    tables: Lines

    @property
    def product(self) -> int:
        """The number of distinct sub-multisets of the stock, which measures the cost of an exact solution."""
        return prod(count + 1 for count in self.counts)

    @property
    def cards(self) -> NDArray[np.int8]:
        """The stock's cards in ascending order, as ranks from 0."""
        return np.array(self.unseen, np.int8) - 1

    def options(self) -> list[Option]:
        assert self.turn.hand is not None
        options = []
        for move in solitaire_moves(self.variant, self.turn.line, self.turn.hand):
            rest = list(self.turn.line)
            for rank in move.used:
                rest.remove(rank)
            cap = self.turn.cap - (move.kind == "discard")
            options.append(Option(move, cap, self.tables.number(tuple(rest)), cap < self.variant.shortest))
        return options


def hidden_stock(variant: Variant, turn: Turn, unseen: Sequence[int], seed: int) -> HiddenStock:
    counts = tuple(counts_of(unseen, variant.ranks))
    return HiddenStock(variant, turn, tuple(sorted(unseen)), counts, seed, lines(variant))


def caps_and_lines(options: Sequence[Option]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the `cap` and `line` of each option as two arrays (moves,), for kernels."""
    caps = np.array([option.cap for option in options], np.int64)
    return caps, np.array([option.line for option in options], np.int64)


# ----------------------------------------------------------------------------------------------------
# The table of values that judges a position: its own composition DP, or that of a full deck.


_SHARE = 0.6  # of the time and nodes left
_OUTCOMES_A_SECOND = 2e9  # more than on any machine: a DP that can't be done in time is not started


@cache
def static_table(rules: Variant) -> Composition:
    """Solve the dynamic program of a full deck, for use when there is no time to solve that of a given stock."""
    table = Composition(rules, rules.cap, [4] * rules.ranks, [0] * rules.ranks)
    while not table.step(1 << 40)[0]:
        pass
    return table


def table_of(stock: HiddenStock, control: Control) -> Composition:
    """Solve the dynamic program of `stock` or, if time is too short, that of a full deck (`static_table`)."""
    variant, turn = stock.variant, stock.turn
    seconds, nodes = control.seconds_left(), control.nodes_left()
    work = outcomes(variant, turn.cap, len(stock.unseen))
    hopeless = seconds is not None and work > _OUTCOMES_A_SECOND * seconds
    if hopeless or (nodes is not None and work > _SHARE * nodes):
        return static_table(variant)
    table = Composition(variant, turn.cap, stock.counts, counts_of(turn.line, variant.ranks))
    solved = control.drive(table.step, until=Part(control, _SHARE).until, stage="composition DP")
    return table if solved else static_table(variant)
