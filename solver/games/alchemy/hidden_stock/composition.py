"""Composition DP: the solitaire as if stock cards came with replacement from the unseen ones.

The state is then only (cap, line, cards left), and backward induction over all lines solves it exactly. Solved
from the true unseen counts at each decision it makes a near-optimal policy for the hidden stock. A rank that
new cards of the line have used up counts as less: without that correction the regret is five times larger.

A *node* is (cap, line of up to cap cards); W[k, node] is the chance to win with k cards left in the stock.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.cards.rules import Variant
from solver.games.alchemy.fast_rules.lines import LONGEST, lines
from solver.kernels.jit import kernel

# Words of the control array.
_LAYER, _GROUP, _TURN, NODES = range(4)

Values = NDArray[np.float32]
Targets = NDArray[np.uint16]


class Plan(NamedTuple):
    """The order of work, the same for all positions of a variant, built once.

    A *turn* is a full node with a hand; turns are sorted by how many outcomes they have, since a loop whose
    length does not change runs three times as fast. `base` (8,): node = base[cap] + line; `nodes` in all.
    Of each turn: `node`, its `line` and `rank`, and where its outcomes begin in `targets`, which holds nodes.
    Turns with k outcomes are ``group[k] : group[k + 1]``. Turns that lose at once are left out.
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
    """The plan of a variant."""
    tables = lines(variant)
    base = np.zeros(LONGEST + 2, np.int64)
    for cap in range(tables.shortest, LONGEST + 1):
        base[cap + 1] = base[cap] + (tables.offset[cap + 1] if cap <= tables.cap else 0)
    shape = tables.ranks, tables.shortest, tables.cap
    turns = _order_turns(*shape, tables.offset, tables.start, tables.outcome, base)
    return Plan(base, int(base[LONGEST + 1]), *turns)


@kernel
def _order_turns(
    ranks: int,
    shortest: int,
    last_cap: int,
    offset: NDArray[np.int64],
    start: NDArray[np.int32],
    outcome: NDArray[np.int16],
    base: NDArray[np.int64],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int8], NDArray[np.int32], NDArray[np.int64], Targets]:
    group = np.zeros((1 << LONGEST) + 2, np.int64)
    first = offset[shortest] * ranks
    last = offset[last_cap + 1] * ranks
    for key in range(first, last):
        group[start[key + 1] - start[key] + 1] += 1
    for size in range(1, len(group)):
        group[size] += group[size - 1]
    place = group.copy()
    order = np.zeros(last - first, np.int64)
    for key in range(first, last):
        size = start[key + 1] - start[key]
        order[place[size]] = key
        place[size] += 1
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
                # At the shortest cap a discard loses: node 0 is marked, and never read (see `select`).
                targets[filled] = base[cap - 1] + ~rest if cap > shortest else _LOST
            filled += 1
    return node, line, rank, begin, group, targets


_LOST = 0xFFFF


def outcomes(variant: Variant, cap: int, cards: int) -> int:
    """About how many outcomes the DP from a position with this cap and stock looks at."""
    tables = lines(variant)
    return cards * int(tables.start[tables.offset[cap + 1] * tables.ranks])


class Composition:
    """The DP from one position, resumable; `values` (cards left + 1, nodes) is W.

    `unseen` and `line` are counts a rank, of the stock and of the line that is refilled from it; only nodes of
    `cap` and below are solved.
    """

    def __init__(self, variant: Variant, cap: int, unseen: Sequence[int], line: Sequence[int]) -> None:
        self.tables = lines(variant)
        self.plan = plan(variant)
        self.cap = cap
        self.cards = sum(unseen)
        self.values = np.empty((max(2, self.cards + 1), int(self.plan.base[cap + 1])), np.float32)
        self.values[:2] = 1
        tables, work = self.tables, self.plan
        self.chances, possible, self.exhausted = chances(
            tables.ranks, tables.digits, np.array(unseen, np.float32), np.array(line, np.float32)
        )
        self.turns = select(
            work.node, work.line, work.rank, work.begin, work.group, work.targets, self.chances, possible,
            self.values.shape[1],
        )  # fmt: skip
        self.control = np.array([2, 0, 0, 0], np.int64)

    def step(self, budget: int) -> tuple[bool, int]:
        """Go on for about `budget` outcomes looked at: see `solver.common.control`."""
        before = int(self.control[NODES])
        tables = self.tables
        finished = fill(
            tables.ranks, tables.shortest, self.cap, tables.offset, tables.insert, self.plan.base,
            self.plan.targets, self.chances, self.exhausted, *self.turns, self.values, self.control, budget,
        )  # fmt: skip
        return bool(finished), int(self.control[NODES]) - before


@kernel
def chances(
    ranks: int, digits: NDArray[np.int8], unseen: Values, line: Values
) -> tuple[Values, NDArray[np.bool_], NDArray[np.bool_]]:
    """The chance of each rank to be drawn next (lines, ranks); which lines can arise; which took every card."""
    found = np.zeros((len(digits), ranks), np.float32)
    possible = np.ones(len(digits), np.bool_)
    exhausted = np.zeros(len(digits), np.bool_)
    counts = np.zeros(ranks, np.float32)
    for index in range(len(digits)):
        counts[:] = 0
        for place in range(LONGEST):
            if digits[index, place] >= 0:
                counts[digits[index, place]] += 1
        total = np.float32(0)
        for rank in range(ranks):
            left = unseen[rank] - max(np.float32(0), counts[rank] - line[rank])
            if left < 0:
                possible[index] = False
            found[index, rank] = max(np.float32(0), left)
            total += found[index, rank]
        if total > 0:
            found[index] /= total
        else:
            exhausted[index] = True
    return found, possible, exhausted


@kernel
def select(
    node: NDArray[np.int32],
    line: NDArray[np.int32],
    rank: NDArray[np.int8],
    begin: NDArray[np.int32],
    group: NDArray[np.int64],
    targets: Targets,
    chance: Values,
    possible: NDArray[np.bool_],
    end: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], Values, NDArray[np.int64]]:
    """The turns that can come up from a position: their node, first outcome and chance, and the new groups."""
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


@kernel
def _refills(
    ranks: int,
    shortest: int,
    last_cap: int,
    offset: NDArray[np.int64],
    insert: NDArray[np.int16],
    base: NDArray[np.int64],
    chance: Values,
    exhausted: NDArray[np.bool_],
    before: Values,
    row: Values,
) -> None:
    """A layer's nodes whose line is not full: the mean over the card that refills it. Full ones become 0.

    Where the line has taken every unseen card the true stock is empty: won.
    """
    for cap in range(shortest, last_cap + 1):
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


@kernel
def fill(
    ranks: int,
    shortest: int,
    last_cap: int,
    offset: NDArray[np.int64],
    insert: NDArray[np.int16],
    base: NDArray[np.int64],
    targets: Targets,
    chance: Values,
    exhausted: NDArray[np.bool_],
    nodes: NDArray[np.int32],
    begins: NDArray[np.int32],
    weights: Values,
    groups: NDArray[np.int64],
    values: Values,
    control: NDArray[np.int64],
    budget: int,
) -> bool:
    """Backward induction. Layers 0 and 1 are all won: the last card drawn wins."""
    spent = 0
    layer = control[_LAYER]
    size = control[_GROUP]
    turn = control[_TURN]
    while layer < len(values) and spent < budget:
        before = values[layer - 1]
        row = values[layer]
        if size == 0:
            _refills(ranks, shortest, last_cap, offset, insert, base, chance, exhausted, before, row)
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
    control[NODES] += spent
    return bool(layer == len(values))
