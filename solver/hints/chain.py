"""Likely worlds, by a chain: what the others have done tells of what they hold. Templates, for any game's kernels.

A world puts each unseen card into a *box*: a hand, or where a card was set aside. Each box has an owner; a world's
weight is the product over the owners of the chance that with such boxes they would have done what was seen. Worlds
by weight come from a chain (Metropolis et al. 1953): the best of a few uniform worlds, drawn by weight, begins it;
a step proposes to swap two unseen cards, and is taken with the chance min(1, new weight / old weight). The
proposal is symmetric, and swaps lead from any world to any other that the rules allow, up to a few tight endings;
so the chain's worlds come to be distributed as their weights. The worlds of a chain depend on each other; chains
do not.

A game brings two kernels as globals of its instance (`solver.kernels.template`); `game` is what these need:

* ``draw(game, chain)`` writes the places of a uniform world;
* ``likelihood(game, chain, owner)`` is the chance that the owner of such boxes would have done what was seen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel
from solver.kernels.rng import below, uniform
from solver.kernels.template import Instances

FIRST = 8  # uniform worlds, of which one begins the chain
WARMING = 60  # steps before the first world counts
STEPS = 10  # from one world to the next


class Chain(NamedTuple):
    """Where a chain stands. By unseen card: `cards`, `allowed` (a mask of boxes) and `places`, the box that it is
    in, `kept` for one world's; by box: the `owners`, and the cards in `boxes` as masks; by owner: `chances`.
    """

    cards: Words
    allowed: Words
    places: Words
    kept: Words
    owners: Words
    boxes: Words
    chances: Floats
    random: Words


@kernel
def new_chain(cards: Words, allowed: Words, owners: Words, random: Words) -> Chain:
    """A chain of these cards, boxes and random numbers, not begun yet."""
    return Chain(
        cards,
        allowed,
        np.zeros(len(cards), np.int64),
        np.zeros(len(cards), np.int64),
        owners,
        np.zeros(len(owners), np.int64),
        np.zeros(owners.max() + 1),
        random,
    )


def draw(game: Any, chain: Chain) -> None:
    """Stands for the game's."""
    raise NotImplementedError


def likelihood(game: Any, chain: Chain, owner: int) -> float:
    """Stands for the game's."""
    raise NotImplementedError


def lay_boxes(chain: Chain) -> None:
    """Put the cards into the boxes of their places."""
    for box in range(len(chain.boxes)):
        chain.boxes[box] = 0
    for index in range(len(chain.cards)):
        chain.boxes[chain.places[index]] |= 1 << chain.cards[index]


def step_chain(game: Any, chain: Chain) -> None:
    """One step of the chain."""
    places, boxes, chances = chain.places, chain.boxes, chain.chances
    one = below(chain.random, len(places))
    two = below(chain.random, len(places))
    from_, to = places[one], places[two]
    if from_ == to or (chain.allowed[one] >> to) & (chain.allowed[two] >> from_) & 1 == 0:
        return
    swapped = (1 << chain.cards[one]) | (1 << chain.cards[two])
    boxes[from_] ^= swapped
    boxes[to] ^= swapped
    first, second = chain.owners[from_], chain.owners[to]
    new_first = likelihood(game, chain, first)
    ratio = new_first / chances[first]
    new_second = new_first
    if second != first:
        new_second = likelihood(game, chain, second)
        ratio *= new_second / chances[second]
    if ratio < 1.0 and uniform(chain.random) >= ratio:
        boxes[from_] ^= swapped
        boxes[to] ^= swapped
        return
    chances[first] = new_first
    chances[second] = new_second
    places[one], places[two] = to, from_


def begin_chain(game: Any, chain: Chain) -> None:
    """Begin a chain. Of some uniform worlds each is kept with the chance of its share of the weights so far."""
    total = 0.0
    for first in range(FIRST):
        draw(game, chain)
        lay_boxes(chain)
        weight = 1.0
        for owner in range(len(chain.chances)):
            weight *= likelihood(game, chain, owner)
        total += weight
        if uniform(chain.random) * total < weight or first == 0:
            for index in range(len(chain.places)):
                chain.kept[index] = chain.places[index]
    for index in range(len(chain.places)):
        chain.places[index] = chain.kept[index]
    lay_boxes(chain)
    for owner in range(len(chain.chances)):
        chain.chances[owner] = likelihood(game, chain, owner)
    for _ in range(WARMING):
        step_chain(game, chain)


def chain_kernels(
    game: str, draw: Callable[..., None], likelihood: Callable[..., float]
) -> tuple[Callable[[Any, Chain], None], Callable[[Any, Chain], None]]:
    """`begin_chain` and `step_chain` with a game's kernels. Compiles nothing yet."""
    made = Instances(game, {"draw": draw, "likelihood": likelihood})
    made.of(lay_boxes)
    step = made.of(step_chain)
    return made.of(begin_chain), step
