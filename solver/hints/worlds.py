"""Deals of hidden cards into hands: how many there are, which one has a given number, and uniform random ones.

Cards 0 … n-1 go into groups (hands, or what was set aside) of fixed sizes; each card has a mask of the groups that
may hold it. A *world* is a division that the masks allow; cards have no order within a group.

`_fill` computes, for i = n, n-1, …, 0 and for every number of places left in the groups, the number of ways to
place the cards i … n-1: the sum, over the groups that may take card i, of the ways to place the rest. So the entry
at card 0 is the number of worlds, and `lay_places` turns a number r below it into a world: at each card the
possible groups divide the numbers into consecutive ranges, one for the ways that continue with each group; r falls
in one of them, and r minus the start of the range numbers the continuation. That is a bijection between numbers
and worlds, so a uniform r gives an exactly uniform world.

The last group's places follow from the others', so a table has (n + 1) * product(size + 1) entries over all groups
but the last. Ways are int64: n! / product(size!), which no entry exceeds, must be below 2**63, unless each card
has only one place; and the number of worlds must be below 2**62, so that random numbers below it can be drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import factorial, prod
from operator import or_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.common import LYING
from solver.kernels.jit import Instances, inlined, lean
from solver.kernels.rng import below, below_wide, start_stream, uniform
from solver.kernels.words import Floats, Words, wrapping_product


class Numbering(NamedTuple):
    """The table of some deals, as kernels read it.

    By card: `groups`, the mask of the groups that may hold it. By group: `sizes`, its number of cards. A state,
    the places left in all groups but the last, is a mixed-radix number: each place left in group g counts
    ``strides[g]``, so the last state comes before any card is placed. ``ways[card, state]`` is the number of ways
    to place this card and those after it. It has no rows in a table that is not needed.
    """

    groups: Words
    sizes: Words
    strides: Words
    ways: NDArray[np.int64 | np.float64]


@lean
def _fill(deals: Numbering) -> None:
    """Fill `ways` with the number of ways to place each card and those after it.

    The caller must pass it filled with zeros.
    """
    groups, sizes, strides, ways = deals
    cards, most = ways.shape[0] - 1, len(strides)
    ways[cards, 0] = 1
    for card in range(cards - 1, -1, -1):
        for state in range(ways.shape[1]):
            open_places = 0
            here_on = ways[card, state]
            for group in range(most):
                left = (state // strides[group]) % (sizes[group] + 1)
                open_places += left
                if left > 0 and (groups[card] >> group) & 1:
                    here_on += ways[card + 1, state - strides[group]]
            spare = cards - card - open_places  # places of the last group
            if spare > 0 and (groups[card] >> most) & 1:
                here_on += ways[card + 1, state]
            if 0 <= spare <= sizes[most]:
                ways[card, state] = here_on


@lean
def lay_places(deals: Numbering, rank: int, out: Words) -> None:
    """Write the group of each card in world number `rank` to `out`."""
    groups, sizes, strides, ways = deals
    state = ways.shape[1] - 1
    most = len(strides)
    for card in range(ways.shape[0] - 1):
        chosen = most
        for group in range(most):
            if (groups[card] >> group) & 1 and (state // strides[group]) % (sizes[group] + 1) > 0:
                here = ways[card + 1, state - strides[group]]
                if rank < here:
                    chosen = group
                    break
                rank -= here
        out[card] = chosen
        if chosen < most:
            state -= strides[chosen]


# ----------------------------------------------------------------------------------------------------
# Likely worlds from a Markov chain: what the others have done is evidence of what they hold. Templates, for any
# game's kernels.
#
# A world puts each unseen card into a *box*: a hand, or a card set aside. Each box has an owner; a world's weight
# is the product over the owners of the likelihood of their actions given their boxes. A chain (Metropolis et al.
# 1953) samples worlds by weight: one of a few uniform worlds, drawn by weight, starts it; a step proposes to swap
# two unseen cards, and is accepted with probability min(1, new weight / old weight). The proposal is symmetric,
# and swaps lead from any allowed world to any other, except in a few tight endings; so the distribution converges
# to the weights. The worlds of a chain depend on each other; chains are independent.
#
# A game provides two kernels as globals of its instance (`solver.kernels.jit`); `game` is data for them:
#
# * ``draw(game, chain)`` writes the places of a uniform world;
# * ``likelihood(game, chain, owner)`` is the likelihood of an owner's actions given its boxes.


FIRST = 8  # uniform worlds, one of which starts the chain
WARMING = 60  # steps before the first world counts
STEPS = 10  # from one world to the next


class Chain(NamedTuple):
    """The state of a Markov chain over worlds. A box is a group of unseen cards with one owner, such as a hand.

    For each unseen card: `cards`, `allowed` (the mask of its possible boxes), `places` (its box), and `kept`, a
    copy of one world's places. For each box: `owners` (the owner's index) and `boxes` (the mask of its cards). For
    each owner: `chances`, the likelihood of its actions. `random` is an array of one word, the state of a random
    number generator.
    """

    cards: Words
    allowed: Words
    places: Words
    kept: Words
    owners: Words
    boxes: Words
    chances: Floats
    random: Words


def new_chain(cards: Words, allowed: Words, owners: Words, random: Words) -> Chain:
    """Return a chain over these cards and boxes; the caller must start it with `begin_chain`."""
    places, kept, boxes = (np.zeros(count, np.int64) for count in (len(cards), len(cards), len(owners)))
    return Chain(cards, allowed, places, kept, owners, boxes, np.zeros(int(owners.max(initial=0)) + 1), random)


def draw(game: Any, chain: Chain) -> None:
    """Write the places of a uniform world to `chain.places`. Each game has its own kernel for this."""
    raise NotImplementedError


def likelihood(game: Any, chain: Chain, owner: int) -> float:
    """Return the likelihood of an owner's actions given its boxes. Each game has its own kernel for this."""
    raise NotImplementedError


def lay_boxes(chain: Chain) -> None:
    """Write to `chain.boxes` the cards in each box, given the places of the cards."""
    for box in range(len(chain.boxes)):
        chain.boxes[box] = 0
    for index in range(len(chain.cards)):
        chain.boxes[chain.places[index]] |= 1 << chain.cards[index]


def step_chain(game: Any, chain: Chain) -> None:
    """Take one step: propose to swap two cards between their boxes, and accept or reject it."""
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
    """Start a chain from one of a few uniform worlds, chosen in proportion to their likelihoods; take some steps.

    To choose, each world replaces the one kept so far with probability: its likelihood / the sum up to it.
    """
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
    """Instantiate `begin_chain` and `step_chain` with a game's kernels. Nothing is compiled yet."""
    instances = Instances(game, {"draw": draw, "likelihood": likelihood})
    instances.of(lay_boxes)
    step = instances.of(step_chain)
    return instances.of(begin_chain), step


# ----------------------------------------------------------------------------------------------------
# Deals drawn uniformly if there are too many to number: in floating point, one card after another.
#
# The table is the same as above, with floats for the numbers of ways. Each card goes to a group in proportion to
# the ways to continue. Sums of ways are rounded (to 53 bits), so probabilities are accurate to about one in
# 10**14, which no sample can show.


@lean
def draw_among_many(deals: Numbering, random: Words, places: Words) -> None:
    """Write the group of each card in a uniformly drawn deal to `places`.

    `random` is an array of one word, the state of a random number generator.
    """
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


# ----------------------------------------------------------------------------------------------------
# The deals of hidden cards that agree with what a seat sees: counted, and drawn uniformly.
#
# In a trick game, only the sizes of the hidden hands and the cards that seats are known not to hold restrict a
# deal (`HiddenCards`). Fewer than 2**62 deals are numbered. If there are more and every card may be anywhere,
# shuffling the cards draws a deal uniformly; otherwise `draw_among_many` does.


_NUMBERED = 1 << 62


@lean
def draw_places(numbering: Numbering, random: Words, places: Words) -> None:
    """Write the group of each card in a uniformly drawn deal to `places`.

    `random` is an array of one word, the state of a random number generator.
    """
    ways = numbering.ways
    if len(ways) > 0:
        lay_places(numbering, below_wide(random, ways[0, ways.shape[1] - 1]), places)
        return
    at = 0
    for group in range(len(numbering.sizes)):
        for _ in range(numbering.sizes[group]):
            places[at] = group
            at += 1
    for last in range(len(places) - 1, 0, -1):  # Fisher and Yates
        other = below(random, last + 1)
        places[last], places[other] = places[other], places[last]


@dataclass(frozen=True)
class HiddenCards:
    """Unseen cards, and the groups, such as the other hands, in which they may be.

    `groups` has, for each card, the mask of the groups that may hold it; `sizes` has the number of cards in each
    group. A deal's *places* are the groups of its cards, in the order of `cards`.
    """

    cards: tuple[int, ...]
    groups: tuple[int, ...]
    sizes: tuple[int, ...]

    @property
    def _divisions(self) -> int:
        return factorial(len(self.cards)) // prod(map(factorial, self.sizes))

    @property
    def _anywhere(self) -> bool:
        """Whether every card may be in the same groups."""
        return len(set(self.groups)) <= 1

    def table(self, kind: type[np.int64 | np.float64], *, filled: bool) -> Numbering:
        """Return the table of these deals, with integers or with floats; without rows unless it is `filled`."""
        steps = (
            [prod(size + 1 for size in self.sizes[:group]) for group in range(len(self.sizes))] if filled else [1]
        )
        ways = np.zeros((len(self.cards) + 1 if filled else 0, steps[-1]), kind)
        groups, sizes, strides = (np.array(words, np.int64) for words in (self.groups, self.sizes, steps[:-1]))
        table = Numbering(groups, sizes, strides, ways)
        if filled:
            _fill(table)
        return table

    @cached_property
    def numbering(self) -> Numbering:
        """The table by which the deals are numbered; without rows if they are too many."""
        fits = self._divisions < (_NUMBERED if self._anywhere else 1 << 63)
        if fits or not any(mask & (mask - 1) for mask in self.groups):
            table = self.table(np.int64, filled=True)
            if table.ways[0, -1] < _NUMBERED:
                return table
        return self.table(np.int64, filled=False)

    @property
    def numbered(self) -> bool:
        return len(self.numbering.ways) > 0

    @property
    def total(self) -> int:
        """The number of deals, or an upper bound if they are too many to number.

        The upper bound is the number of deals there would be if every card could be in any group.
        """
        return int(self.numbering.ways[0, -1]) if self.numbered else self._divisions

    def world(self, number: int) -> list[int]:
        """Return the places of deal `number`. The deals must be numbered."""
        places = np.zeros(len(self.cards), np.int64)
        lay_places(self.numbering, number, places)
        return [int(group) for group in places]

    @cached_property
    def many(self) -> Numbering:
        """The table for drawing deals that are too many to number; without rows if it is not needed.

        It is not needed if the deals are numbered, or if all cards may be in the same groups.
        """
        return self.table(np.float64, filled=not (self.numbered or self._anywhere))

    def draw(self, random: Words, places: Words) -> None:
        """Write the places of a deal drawn uniformly to `places`.

        `random` is an array of one word, the state of a random number generator.
        """
        if len(self.many.ways) > 0:
            draw_among_many(self.many, random, places)
        else:
            draw_places(self.numbering, random, places)

    def drawn(self, seed: int, number: int) -> list[int]:
        """Return the places of the deal that a kernel draws first from random stream `number` of a seed."""
        places, random = np.zeros(len(self.cards), np.int64), np.zeros(1, np.int64)
        start_stream(random, seed, number)
        self.draw(random, places)
        return [int(box) for box in places]


def may_hold(cards: Iterable[int], excluded: Sequence[int]) -> tuple[int, ...]:
    """Return, for each card, the mask of the groups that may hold it.

    `excluded` has, for each group, the mask of the cards that it cannot hold. The first groups are the hands of
    the other seats. Within `solver.common.lying`, which makes these hands known, they are used instead of
    `excluded`.
    """
    known = LYING.get()
    if known:
        held = reduce(or_, known)
        excluded = [held if group >= len(known) else ~known[group] for group in range(len(excluded))]
    return tuple(
        sum(1 << group for group, without in enumerate(excluded) if not without >> card & 1) for card in cards
    )


# ----------------------------------------------------------------------------------------------------
# A cache of hands' likelihoods for the worlds of a view: the worlds of a chain repeat most hands.
#
# What the cache holds affects only the speed.


_SLOTS = 4096
_SPREAD = 0x1E3779B97F4A7C15  # odd, so that the upper bits of a key times this are well mixed


class LikelihoodCache(NamedTuple):
    """A cache of likelihoods: each slot has the key of a hand (0 if it is empty) and the hand's `chances`."""

    keys: Words
    chances: Floats


def new_likelihood_cache(numbers: int) -> LikelihoodCache:
    """Return an empty cache with `numbers` chances per hand, for one view and one thread at a time."""
    return LikelihoodCache(np.zeros(_SLOTS, np.int64), np.zeros(_SLOTS * numbers))


@inlined
def slot_of(key: int) -> int:
    """Return the slot of a nonzero key in a `LikelihoodCache` cache."""
    return int((wrapping_product(key, _SPREAD) >> 40) & (_SLOTS - 1))
