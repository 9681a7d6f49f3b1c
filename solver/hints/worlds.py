"""Ways to deal hidden cards into hands, counted, numbered, and drawn exactly uniformly.

Cards 0 … n-1 go into groups (hands, or what was set aside) of fixed sizes; a mask a card says which groups may
hold it. A *world* is a division that fits; within a group cards have no order.

`count` fills, for i = n, n-1, …, 0 and for every number of places left in the groups, the number of ways to place
the cards i … n-1: the sum over the groups that card i may go to of the ways to place the rest. So the entry at
card 0 is the number of worlds, and `deal` turns a number r below it into a world: at each card the groups that
may take it part the numbers that are left into consecutive ranges, as long as there are ways to go on; r lies in
one of them, and r less the range's start numbers the way to go on. That is a bijection between the numbers and
the worlds, hence a uniform r is a uniform world: exactly so, in integers, with nothing to converge.

The last group's places follow from the others', so a table has (n + 1) * product(size + 1) entries over all
groups but the last. Ways are int64: n! / product(size!), which no entry exceeds, must be below 2**63, and the
number of worlds, for a number to be drawn below it, below 2**62.
"""

from __future__ import annotations

from math import factorial, prod

import numpy as np

from solver.kernels.arrays import Words
from solver.kernels.jit import kernel


@kernel
def _fill(groups: Words, sizes: Words, strides: Words, ways: Words) -> None:
    """Fill `ways`, at [card, places left in all groups but the last, mixed radix]."""
    cards, states = ways.shape[0] - 1, ways.shape[1]
    most = len(sizes) - 1
    left = np.zeros(most, np.int64)
    for state in range(states):
        ways[cards, state] = 0
    ways[cards, 0] = 1
    for card in range(cards - 1, -1, -1):
        for state in range(states):
            rest = state
            open_places = 0
            for group in range(most - 1, -1, -1):
                left[group] = rest // strides[group]
                rest %= strides[group]
                open_places += left[group]
            spare = cards - card - open_places  # places of the last group
            here_on = 0
            if 0 <= spare <= sizes[most]:
                for group in range(most):
                    if left[group] > 0 and (groups[card] >> group) & 1:
                        here_on += ways[card + 1, state - strides[group]]
                if spare > 0 and (groups[card] >> most) & 1:
                    here_on += ways[card + 1, state]
            ways[card, state] = here_on


@kernel
def deal(groups: Words, strides: Words, ways: Words, start: int, rank: int, out: Words) -> None:
    """Write the group of each card in world number `rank` to `out`. `start` is the state with all places open."""
    state = start
    most = len(strides)
    for card in range(ways.shape[0] - 1):
        chosen = most
        for group in range(most):
            if (groups[card] >> group) & 1 and (state // strides[group]) % (
                strides[group + 1] // strides[group] if group + 1 < most else ways.shape[1] // strides[group]
            ) > 0:
                here = ways[card + 1, state - strides[group]]
                if rank < here:
                    chosen = group
                    break
                rank -= here
        out[card] = chosen
        if chosen < most:
            state -= strides[chosen]


class Worlds:
    """Every way to deal n cards into groups of the given sizes, `groups[i]` the mask of those that may hold
    card i.

    `total` is their number; 0 when nothing fits. Raises ValueError when there are too many to number.
    """

    def __init__(self, groups: list[int], sizes: list[int]) -> None:
        assert sum(sizes) == len(groups)
        if factorial(len(groups)) // prod(map(factorial, sizes)) >= 1 << 63:
            raise ValueError("too many worlds to number")
        self.groups = np.array(groups, np.int64)
        self.strides = np.array([prod(size + 1 for size in sizes[:group]) for group in range(len(sizes) - 1)])
        states = prod(size + 1 for size in sizes[:-1])
        self.ways = np.zeros((len(groups) + 1, states), np.int64)
        self.start = states - 1
        _fill(self.groups, np.array(sizes, np.int64), self.strides, self.ways)
        self.total = int(self.ways[0, self.start])
        if self.total >= 1 << 62:
            raise ValueError("too many worlds to number")

    def world(self, rank: int) -> list[int]:
        """The group of each card in world number `rank`."""
        out = np.zeros(len(self.groups), np.int64)
        deal(self.groups, self.strides, self.ways, self.start, rank, out)
        return [int(group) for group in out]
