"""Causes for hints in trick games: why one card is better than another, by who can beat it or has to follow it.

A game describes both cards in every sampled deal (`Played`), and adds these predicates to its own table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from solver.common import members
from solver.hints.causes import REST, Claim, Predicate, Truths, where
from solver.kernels.words import Floats, Words

_FEW = 3  # cards that beat one are named, but not more


class Played(NamedTuple):
    """A card that may be played now, and its consequences in each world.

    `beaten_by` has, for each seat still to play, which of its cards can beat this one, as masks by world; it is
    None if this card does not currently win the trick. `follows` has, for each of these seats, the worlds in which
    it has to follow `led`, the card led to the trick (this one if it leads).
    """

    text: str
    led: str
    beaten_by: Mapping[int, Words] | None
    follows: Mapping[int, Truths]


class Pair(NamedTuple):
    """The two compared cards; ``name(n)`` is the name of the card of bit n in masks."""

    best: Played
    other: Played
    name: Callable[[int], str]

    @property
    def named(self) -> dict[str, str]:
        return {"move": self.best.text, "other": self.other.text}

    def beaten(self, played: Played, /, *, can: bool, **fields: Any) -> list[Claim]:
        """Claim that a later player can beat a card, or that none can.

        Return no claim if nobody plays later, or if the card does not currently win the trick.
        """
        beating = [cards != 0 for cards in (played.beaten_by or {}).values()]
        return [where(np.any(beating, axis=0) == can, **fields)] if beating else []

    def beaten_mostly(self, *, named: bool) -> list[Claim]:
        """Claim that a later player can beat the other card, naming the cards that can if they are few."""
        masks = [int(np.bitwise_or.reduce(cards)) for cards in (self.other.beaten_by or {}).values()]
        cards = tuple(map(self.name, members(int(np.bitwise_or.reduce(masks))))) if masks else ()
        if named != (0 < len(cards) <= _FEW):
            return []
        return self.beaten(self.other, can=True, card=self.other.text, **({"cards": cards} if named else {}))

    def beaten_by(self) -> Iterator[Claim]:
        """Claim for each card of each later player that it can beat the other card, if no further one can."""
        for seat, answers in (self.other.beaten_by or {}).items():
            for held in members(int(np.bitwise_or.reduce(answers))):
                holds = (answers >> held & 1) != 0
                if not answers[~holds].any():
                    yield where(holds, other=self.other.text, seat=seat, card=self.name(held))

    def followed(self, *, has_to: bool) -> Iterator[Claim]:
        """Claim for each later player that it has to follow the card led, or that it need not."""
        for played in [self.best] if self.best.led == self.other.led else [self.best, self.other]:
            for seat, must in played.follows.items():
                yield where(must == has_to, **self.named, seat=seat, card=played.led)


row = Predicate[Pair]

# Where a card is better if it can be beaten, or if the other one can't be, that alone does not explain why.
TRICK_PREDICATES: tuple[Predicate[Pair], ...] = (
    row("can_be_beaten", "trick", "{card} is worse mainly because a later player can beat it in {deals}.",
        lambda p: p.beaten_mostly(named=False)),
    row("can_be_beaten", "trick",
        "{card} is worse mainly because of {cards}, with which a later player can beat it in {deals}.",
        lambda p: p.beaten_mostly(named=True)),
    row("stays_best", "trick", "{card} is better mainly when no later player can beat it ({deals}).",
        lambda p: p.beaten(p.best, can=False, card=p.best.text)),
    row("beaten_by", "trick", "{other} is worse mainly because {seat:who} can beat it with {card} in {deals}.",
        Pair.beaten_by),
    row("has_to_follow", "follow",
        "{move} is better than {other} mainly when {seat:who} must follow {card} ({deals}).",
        lambda p: p.followed(has_to=True), rank=1),
    row("cannot_follow", "follow",
        "{move} is better than {other} mainly when {seat:who} can't follow {card} ({deals}).",
        lambda p: p.followed(has_to=False), rank=1),
)  # fmt: skip


def is_most(leads: Floats, part: Floats) -> bool:
    """Return whether a part of a lead, such as the points of this trick, is most of it: neither less nor more."""
    lead = float(leads.mean())
    return abs(lead - float(part.mean())) <= REST * abs(lead)
