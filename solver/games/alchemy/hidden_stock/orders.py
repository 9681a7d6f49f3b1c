"""What a player who sees the stock would win: the share of stock orders, all of them or a sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from solver.games.alchemy.hidden_stock import rollouts
from solver.games.alchemy.known_stock.clairvoyant import NODES, Search

if TYPE_CHECKING:
    from solver.games.alchemy.hidden_stock.search import HiddenStock

_CLAIRVOYANT_WORLDS = 1000
_ALL_ORDERS = 5040  # up to so many stock orders all are looked at


def clairvoyant(stock: HiddenStock) -> None:
    """The share of stock orders that are won after each open move by a player who sees them."""
    cards, caps, left = stock.arrays()
    orders = count_orders(stock.counts)
    every = np.array(list(_permutations(stock.counts)), np.int8) if orders <= _ALL_ORDERS else None
    most = _CLAIRVOYANT_WORLDS if every is None else len(every)
    search = Search(stock.tables)
    wins = np.zeros(len(stock.open), np.int64)
    done = 0

    def step(budget: int) -> tuple[bool, int]:
        nonlocal done
        before = int(search.control[NODES])
        count = min(budget // len(stock.open) + 1, most - done)
        if every is None:
            worlds = rollouts.deal_worlds(cards, stock.seed, done, count)
        else:
            worlds = every[done : done + count]
        # Counting the nodes world by world makes a node limit end at the same one whatever the slices.
        done += rollouts.clairvoyant_wins(
            *stock.turn_tables(), worlds, caps, left, search.stack, search.memo, search.control, wins, budget
        )  # fmt: skip
        return done == most, max(1, int(search.control[NODES]) - before)

    stock.control.drive(step, stage="clairvoyant")
    for candidate, won in zip(stock.open, wins.tolist(), strict=True):
        if done and (every is None or done == most):
            share = won / done
            # Whoever sees the stock wins at least as often: a sample may say less by chance.
            candidate.clairvoyant = max(share, candidate.probability) if candidate.exact else share
            if every is not None:
                candidate.probability = min(candidate.probability, share)  # no estimate is above the whole truth


def count_orders(counts: Sequence[int]) -> int:
    """How many distinct orders a multiset has."""
    total, orders = 0, 1
    for count in counts:
        total += count
        orders *= comb(total, count)
    return orders


def _permutations(counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every distinct order of a multiset of rank indices."""
    left = list(counts)

    def extend(prefix: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not any(left):
            yield prefix
        for rank, count in enumerate(left):
            if count:
                left[rank] -= 1
                yield from extend((*prefix, rank))
                left[rank] += 1

    return extend(())
