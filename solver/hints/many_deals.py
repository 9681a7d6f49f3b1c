"""Deals drawn uniformly where they are too many to number: in floating point, one card after another.

The table is that of `solver.hints.worlds`, with floats for the numbers of ways. Each card goes to a group with the
chance that the ways to go on give it. Sums of ways are rounded (to 53 bits), so chances are right to about one in
10**14, which no sample shows.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel
from solver.kernels.rng import uniform


class ManyDeals(NamedTuple):
    """What is drawn from, as kernels read it.

    `groups` has for each card the mask of the groups that may hold it. A state of the places left in all groups
    but the last is a number of mixed radix: group g counts `strides[g]` for each place, and has `sizes[g]` at
    first. ``ways[card, state]`` is the number of ways to place this card and those after it.
    """

    groups: Words
    sizes: Words
    strides: Words
    ways: Floats


@kernel
def _fill(deals: ManyDeals) -> None:
    """Fill `ways`, from the last card back."""
    groups, sizes, strides, ways = deals
    cards, most = ways.shape[0] - 1, len(strides)
    ways[cards, 0] = 1.0
    for card in range(cards - 1, -1, -1):
        for state in range(ways.shape[1]):
            open_places = 0
            found = 0.0
            for group in range(most):
                left = (state // strides[group]) % (sizes[group] + 1)
                open_places += left
                if left > 0 and (groups[card] >> group) & 1:
                    found += ways[card + 1, state - strides[group]]
            spare = cards - card - open_places  # places of the last group
            if spare > 0 and (groups[card] >> most) & 1:
                found += ways[card + 1, state]
            if 0 <= spare <= sizes[most]:
                ways[card, state] = found


@kernel
def draw_among_many(deals: ManyDeals, random: Words, places: Words) -> None:
    """Write the group of each card in a uniformly drawn deal to `places`. `random` is a stream's one word."""
    groups, sizes, strides, ways = deals
    most = len(strides)
    state = ways.shape[1] - 1
    for card in range(ways.shape[0] - 1):
        left = uniform(random) * ways[card, state]
        after = state
        for group in range(most + 1):
            if (groups[card] >> group) & 1 == 0:
                continue
            if group < most and (state // strides[group]) % (sizes[group] + 1) == 0:
                continue
            there = state - strides[group] if group < most else state
            if ways[card + 1, there] > 0:
                places[card] = group
                after = there
                if left < ways[card + 1, there]:
                    break
                left -= ways[card + 1, there]
        state = after


def many_deals(groups: tuple[int, ...], sizes: tuple[int, ...]) -> ManyDeals:
    """The table for cards with these masks of groups, and groups of these sizes. There is a deal at least."""
    assert sum(sizes) == len(groups)
    strides = [prod(size + 1 for size in sizes[:group]) for group in range(len(sizes) - 1)]
    ways = np.zeros((len(groups) + 1, prod(size + 1 for size in sizes[:-1])))
    found = ManyDeals(np.array(groups, np.int64), np.array(sizes, np.int64), np.array(strides, np.int64), ways)
    _fill(found)
    return found
