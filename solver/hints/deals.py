"""The deals of hidden cards that agree with what a seat sees: counted, drawn uniformly, and checked by the rules.

In a trick game nothing but the sizes of the hidden hands and the cards that a seat showed that it does not hold
restricts a deal (`HiddenCards`). Deals are numbered by `solver.hints.worlds`, which takes fewer than 2**62 of
them. Where there are more and every card may be anywhere, shuffling the cards draws a deal uniformly without a
number; otherwise `solver.hints.many_deals` does.

`agrees` holds a deal against the view by the rules alone: dealt so, the seat must see that view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod
from typing import NamedTuple, TypeVar

import numpy as np
from pydantic import ValidationError

from solver.hints.many_deals import ManyDeals, draw_among_many, many_deals
from solver.hints.worlds import Worlds, deal
from solver.kernels.arrays import Words
from solver.kernels.jit import kernel
from solver.kernels.rng import below, below_wide
from solver.kernels.rng import start as start_stream

_NUMBERED = 1 << 62


class Numbering(NamedTuple):
    """How hidden cards are dealt into groups, as kernels read it.

    By card: `groups`, the mask of the groups that may hold it. By group: `sizes`, how many cards it has. `strides`
    and `ways` are those of `solver.hints.worlds.Worlds`; without rows of `ways` every card may be anywhere.
    """

    groups: Words
    sizes: Words
    strides: Words
    ways: Words


@kernel
def draw_places(numbering: Numbering, random: Words, places: Words) -> None:
    """Write the group of each card in a uniformly drawn deal to `places`. `random` is a stream's one word."""
    groups, sizes, strides, ways = numbering
    if len(ways) > 0:
        start = ways.shape[1] - 1
        deal(groups, strides, ways, start, below_wide(random, ways[0, start]), places)
        return
    at = 0
    for group in range(len(sizes)):
        for _ in range(sizes[group]):
            places[at] = group
            at += 1
    for last in range(len(places) - 1, 0, -1):  # Fisher and Yates
        other = below(random, last + 1)
        places[last], places[other] = places[other], places[last]


@dataclass(frozen=True)
class HiddenCards:
    """Cards that are not seen, and how they may lie in groups, such as the other hands.

    `groups` has, for each card, the mask of the groups that may hold it; `sizes` the number of cards of each
    group. A deal's *places* are, for each card, its group.
    """

    cards: tuple[int, ...]
    groups: tuple[int, ...]
    sizes: tuple[int, ...]

    @cached_property
    def worlds(self) -> Worlds | None:
        """The deals by number; None where they are too many to number."""
        if len(set(self.groups)) <= 1 and self._divisions >= _NUMBERED:
            return None
        try:
            return Worlds(list(self.groups), list(self.sizes))
        except ValueError:
            return None

    @property
    def _divisions(self) -> int:
        return factorial(len(self.cards)) // prod(map(factorial, self.sizes))

    @property
    def total(self) -> int:
        """How many deals there are; if too many to number, how many there would be if nothing were known."""
        return self._divisions if self.worlds is None else self.worlds.total

    @cached_property
    def numbering(self) -> Numbering:
        """What kernels draw deals from; not for deals that need `many`."""
        assert self.many is None
        groups, sizes = np.array(self.groups, np.int64), np.array(self.sizes, np.int64)
        if self.worlds is None:
            return Numbering(groups, sizes, np.zeros(0, np.int64), np.zeros((0, 1), np.int64))
        return Numbering(groups, sizes, self.worlds.strides, self.worlds.ways)

    def world(self, number: int) -> list[int]:
        """The places of deal `number`. Only where deals have numbers."""
        assert self.worlds is not None
        return self.worlds.world(number)

    @cached_property
    def many(self) -> ManyDeals | None:
        """What draws deals that are too many to number while some cards cannot be everywhere; else None."""
        if self.worlds is not None or len(set(self.groups)) <= 1:
            return None
        return many_deals(self.groups, self.sizes)

    def draw(self, random: Words, places: Words) -> None:
        """Write the places of a deal drawn uniformly to `places`. `random` is a stream's one word."""
        if self.many is None:
            draw_places(self.numbering, random, places)
        else:
            draw_among_many(self.many, random, places)

    def drawn(self, seed: int, number: int) -> list[int]:
        """The places of deal `number` of a seed, drawn as kernels draw it that draw nothing before."""
        places, random = np.zeros(len(self.cards), np.int64), np.zeros(1, np.int64)
        start_stream(random, seed, number)
        self.draw(random, places)
        return [int(place) for place in places]


def may_hold(cards: Iterable[int], excluded: Sequence[int]) -> tuple[int, ...]:
    """For each card the mask of the groups that may hold it; `excluded` has each group's mask of other cards."""
    return tuple(
        sum(1 << group for group, without in enumerate(excluded) if not without >> card & 1) for card in cards
    )


P = TypeVar("P")
S = TypeVar("S")
M = TypeVar("M")


def agrees(position: Callable[[], P], *tests: Callable[[P], bool]) -> bool:
    """Whether the position that a deal makes stands all tests, such as that a seat sees its view there.

    A position that its own checks refuse does not.
    """
    try:
        made = position()
        return all(test(made) for test in tests)
    except ValidationError:
        return False


def leads_to(
    start: S,
    moves: Iterable[M],
    end: S,
    *,
    legal_moves: Callable[[S], Sequence[M]],
    play: Callable[[S, M], S],
) -> bool:
    """Whether `moves` are legal, one after the other, from `start` on and end in `end`."""
    now = start
    for move in moves:
        if move not in legal_moves(now):
            return False
        now = play(now, move)
    return now == end
