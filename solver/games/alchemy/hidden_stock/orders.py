"""What a player who sees the stock would win: the share of stock orders, all of them or a sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from solver.common.control import Control
from solver.games.alchemy.fast_rules.dealing import deal_worlds
from solver.games.alchemy.hidden_stock import rollouts
from solver.games.alchemy.hidden_stock.stock import HiddenStock, Option, caps_and_lines
from solver.games.alchemy.known_stock.clairvoyant import NODES, Search

_SAMPLED_ORDERS = 1000
_ALL_ORDERS = 5040  # up to so many stock orders all are looked at


class Clairvoyant(NamedTuple):
    """The share of stock orders that are won after each move; `all_orders` says that none was left out."""

    shares: list[float]
    all_orders: bool


def clairvoyant(stock: HiddenStock, options: Sequence[Option], control: Control) -> Clairvoyant | None:
    """The share of stock orders that are won after each move by a player who sees them.

    None where the limit came first: before one order of a sample, or before all of those that are to be counted.
    """
    caps, left = caps_and_lines(options)
    orders = count_orders(stock.counts)
    every = np.array(list(_permutations(stock.counts)), np.int8) if orders <= _ALL_ORDERS else None
    most = _SAMPLED_ORDERS if every is None else len(every)
    search = Search(stock.tables)
    wins = np.zeros(len(options), np.int64)
    done = 0

    def step(budget: int) -> tuple[bool, int]:
        nonlocal done
        before = int(search.control[NODES])
        count = min(budget // len(options) + 1, most - done)
        if every is None:
            worlds = deal_worlds(stock.cards, stock.seed, done, count)
        else:
            worlds = every[done : done + count]
        # Counting the nodes world by world makes a node limit end at the same one whatever the slices.
        done += rollouts.clairvoyant_wins(
            *stock.tables.turns, worlds, caps, left, search.stack, search.memo, search.control, wins, budget
        )  # fmt: skip
        return done == most, max(1, int(search.control[NODES]) - before)

    control.drive(step, stage="clairvoyant")
    if done == 0 or (every is not None and done < most):
        return None
    return Clairvoyant([won / done for won in wins.tolist()], every is not None)


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
