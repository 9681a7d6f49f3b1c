"""What is timed of King × Alchemy's compounding: random sets of the house deck, by kernel and by CP-SAT."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solver.common import Random, mask, members
from solver.games.king.compounding import compound
from solver.games.king.compounding_kernel import ENDLESS, best, optimistic, tables, working_space
from solver.games.king.deck import CARDS, house
from solver.kernels.arrays import Words
from solver.kernels.jit import lean
from solver.limits import Control

SIZES = (15, 25, 35, 42, 50)
SETS = 2000  # by the kernel
_FEW = 10  # of them by the constraint solver


def random_sets(size: int, count: int) -> Words:
    """So many random sets of `size` cards, as masks."""
    sets = []
    for number in range(count):
        cards = list(range(CARDS))
        Random(size, number).shuffle(cards)
        sets.append(mask(cards[:size]))
    return np.array(sets, np.int64)


@lean
def best_of_all(table: Words, work: Words, sets: Words) -> int:
    """The sum of the best bonuses."""
    total = 0
    for cards in sets:
        total += best(table, work, cards, ENDLESS)
    return total


@lean
def optimistic_of_all(table: Words, work: Words, sets: Words) -> int:
    """The sum of the optimistic bounds."""
    total = 0
    for cards in sets:
        total += optimistic(table, work, cards)
    return total


def kernel(sets: Words, *, exact: bool = True) -> Callable[[], int]:
    """The work of the kernel on these sets; it returns their number."""
    table, work = tables(house()), working_space()
    function = best_of_all if exact else optimistic_of_all

    def run() -> int:
        function(table, work, sets)
        return len(sets)

    return run


def constraint_solver(sets: Words) -> Callable[[], None]:
    """The work of the constraint solver on the same sets, every part of them."""
    deck = house()

    def run() -> None:
        for cards in sets:
            compound(deck, list(members(int(cards))), Control())

    return run


def comparison(size: int) -> tuple[Callable[[], int], Callable[[], None], float]:
    """Kernel, constraint solver, and the share of the kernel's sets that the solver gets."""
    sets = random_sets(size, SETS)
    return kernel(sets), constraint_solver(sets[:_FEW]), _FEW / SETS
