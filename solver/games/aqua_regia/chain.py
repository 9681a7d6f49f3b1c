"""Worlds of Aqua Regia as likely as they are, as kernels: what the others were seen to do tells of what they hold.

A world says where the cards lie that are hidden when the history begins: each in a *slot*, which is a place in
another seat's first hand, one of that seat's draws, a place in the stock, or out of play. Its weight is the chance
that the other seats would have done what was seen (`likelihood`). Worlds by weight come from a chain (Metropolis
et al. 1953): a step proposes to swap the cards of two slots, and is taken with the chance min(1, new weight / old
weight). The worlds of one chain depend on each other; chains do not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.games.aqua_regia.likelihood import Evidence, likelihood
from solver.games.aqua_regia.rollouts import SCALARS, STOCKED, TURN, try_moves
from solver.search.jit import kernel, lean
from solver.search.rng import below, start, uniform

Words = NDArray[np.int64]
Floats = NDArray[np.float64]

WARMING = 200  # steps before the first world counts
STEPS = 15  # from one world to the next


class Chain(NamedTuple):
    """Where a chain stands: its random numbers, the card in each slot, each seat's chance and its hand now."""

    random: Words
    slots: Words
    chances: Floats
    hands: Words  # a row a seat
    scratch: Words  # two rows


@lean
def begin_chain(seat: int, told: Evidence, chain: Chain) -> None:
    """Compute the chances and the hands of all seats but `seat`, which asks."""
    for other in range(len(chain.chances)):
        if other != seat:
            chain.chances[other] = likelihood(other, told, chain.slots, chain.hands[other])


@lean
def step_chain(told: Evidence, chain: Chain) -> None:
    """One step of the chain."""
    slots, chances = chain.slots, chain.chances
    one, two = below(chain.random, told.owned), below(chain.random, len(slots))
    if slots[one] == slots[two]:
        return
    first, second = told.owners[one], told.owners[two]
    slots[one], slots[two] = slots[two], slots[one]
    new_first = likelihood(first, told, slots, chain.scratch[0])
    ratio = new_first / chances[first]
    both = second >= 0 and second != first and ratio > 0.0
    new_second = 0.0
    if both:
        new_second = likelihood(second, told, slots, chain.scratch[1])
        ratio *= new_second / chances[second]
    if ratio < 1.0 and uniform(chain.random) >= ratio:
        slots[one], slots[two] = slots[two], slots[one]
        return
    chances[first] = new_first
    for metal in range(chain.scratch.shape[1]):
        chain.hands[first, metal] = chain.scratch[0, metal]
    if both:
        chances[second] = new_second
        for metal in range(chain.scratch.shape[1]):
            chain.hands[second, metal] = chain.scratch[1, metal]


@lean
def shuffle_rest(told: Evidence, chain: Chain) -> None:
    """Put the cards of the slots that nobody owns in any order: no step that was seen depends on it."""
    slots = chain.slots
    for last in range(len(slots) - 1, told.owned, -1):
        other = told.owned + below(chain.random, last - told.owned + 1)
        slots[last], slots[other] = slots[other], slots[last]


@kernel
def play_likely_worlds(
    told: Evidence,
    seen_hands: Words,
    seen_piles: Words,
    seen_scalars: Words,
    drawn: int,
    moves: Words,
    seed: int,
    first: int,
    results: Floats,
) -> None:
    """`rollouts.play_worlds` in the worlds of one chain."""
    seats, metals = seen_hands.shape
    known = 1 if drawn >= 0 else 0
    chain = Chain(
        np.zeros(1, np.int64),
        told.begun.copy(),
        np.ones(seats),
        seen_hands.copy(),
        np.zeros((2, metals), np.int64),
    )
    start(chain.random, seed, first)
    hands = np.empty((seats, metals), np.int64)
    sizes = np.empty(seats, np.int64)
    piles = np.empty((2, metals), np.int64)
    scalars = np.empty(SCALARS, np.int64)
    stock = np.empty(seen_scalars[STOCKED], np.int64)
    everybody = np.empty((seats, len(told.weights)))
    everybody[:] = told.weights
    if known:
        stock[0] = drawn
    begin_chain(seen_scalars[TURN], told, chain)
    for world in range(len(results)):
        for _ in range(STEPS if world else WARMING):
            step_chain(told, chain)
        shuffle_rest(told, chain)
        for place in range(known, len(stock)):
            stock[place] = chain.slots[told.owned + place - known]
        try_moves(
            told.reactivity, chain.hands, seen_piles, seen_scalars, stock, moves, everybody, chain.random, hands,
            sizes, piles, scalars, results[world],
        )  # fmt: skip
