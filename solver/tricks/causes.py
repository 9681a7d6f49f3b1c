"""Causes for hints in trick games: why one card is better than another, by who can beat it or has to follow it.

A game describes both cards in every sampled deal (`Played`), and adds these predicates to its own table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from solver.common import members
from solver.hints.causes import LAST, SURE_OF_FEW, Claim, Predicate, S, Truths, part, trade, where
from solver.hints.ranking import POINTS
from solver.kernels.words import Floats, Words

_WHOLE = 0.05  # points; a smaller rest of a lead is nothing
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

    def beaten_by(self, played: Played, *, alone: bool, **fields: Any) -> Iterator[Claim]:
        """Claim for each card of each later player that it can beat the one that is `played`.

        If `alone`, there is no claim for a card that the player's other cards can stand in for.
        """
        for seat, answers in (played.beaten_by or {}).items():
            for held in members(int(np.bitwise_or.reduce(answers))):
                holds = (answers >> held & 1) != 0
                if not (alone and answers[~holds].any()):
                    yield where(holds, **fields, seat=seat, card=self.name(held))

    def followed(self, *, has_to: bool) -> Iterator[Claim]:
        """Claim for each later player that it has to follow the card led, or that it need not."""
        for played in [self.best] if self.best.led == self.other.led else [self.best, self.other]:
            for seat, must in played.follows.items():
                yield where(must == has_to, **self.named, seat=seat, card=played.led)


row = Predicate[Pair]

TRICK_PREDICATES: tuple[Predicate[Pair], ...] = (
    row("can_be_beaten", "trick", "{card} is worse mainly because a later player can beat it in {deals}.",
        lambda p: p.beaten_mostly(named=False)),
    row("can_be_beaten", "trick",
        "{card} is worse mainly because of {cards}, with which a later player can beat it in {deals}.",
        lambda p: p.beaten_mostly(named=True)),
    row("stays_best", "trick", "{card} is better mainly when no later player can beat it ({deals}).",
        lambda p: p.beaten(p.best, can=False, card=p.best.text)),
    row("beaten_by", "trick", "{other} is worse mainly because {seat:who} can beat it with {card} in {deals}.",
        lambda p: p.beaten_by(p.other, alone=True, other=p.other.text)),
    row("better_if_beaten", "trick",
        "{move} is better than {other} mainly when a later player can beat {move} ({deals}).",
        lambda p: p.beaten(p.best, can=True, **p.named), rank=1),
    row("better_if_beaten_by", "trick",
        "{move} is better than {other} mainly when {seat:who} can beat {move} with {card} ({deals}).",
        lambda p: p.beaten_by(p.best, alone=False, **p.named), rank=1),
    row("better_if_unbeaten", "trick",
        "{move} is better than {other} mainly when no later player can beat {other} ({deals}).",
        lambda p: p.beaten(p.other, can=False, **p.named), rank=1),
    row("has_to_follow", "follow",
        "{move} is better than {other} mainly when {seat:who} must follow {card} ({deals}).",
        lambda p: p.followed(has_to=True), rank=1),
    row("cannot_follow", "follow",
        "{move} is better than {other} mainly when {seat:who} can't follow {card} ({deals}).",
        lambda p: p.followed(has_to=False), rank=1),
)  # fmt: skip


def is_whole(leads: Floats, half: Floats) -> bool:
    """Return whether this half of a lead, in this trick or later, leaves nothing worth mentioning to the other."""
    return abs(float((leads - half).mean())) < _WHOLE


def halves(
    leads: Callable[[S], tuple[Floats, Floats] | None],
    named: Callable[[S], Mapping[str, str]],
    both: str,
    now: str,
    later: str,
) -> tuple[Predicate[S], ...]:
    """Return predicates that split a lead in points between this trick and later ones, so that the halves add up.

    A half that hardly matters (`POINTS.enough`) explains nothing, so then there is no claim.

    `leads` returns both halves of the lead for each world, or None if moves are not compared by points; `named`
    returns the fields that name the moves. The sentences are for a lead in `both`, for one in this trick at the
    cost of later ones (`now`), and for the reverse (`later`).
    """

    def half(code: str, text: str, *signs: int) -> Predicate[S]:
        def claims(scene: S) -> Iterator[Claim]:
            split = leads(scene) or ()
            means = [float(half.mean()) for half in split]
            if split and all(sign * mean >= POINTS.enough for sign, mean in zip(signs, means, strict=True)):
                fields = {"points": abs(means[0]), "other_points": abs(means[1]), **named(scene)}
                if signs == (1, 1):
                    yield part(split[0] + split[1], **fields)
                else:
                    gain, loss = split if signs[0] > 0 else split[::-1]
                    yield trade(gain, -loss, **fields)

        return Predicate(code, "later", text, claims, rank=LAST, sure=SURE_OF_FEW, trades=-1 in signs)

    return (
        half("now_and_later", both, 1, 1),
        half("now_not_later", now, 1, -1),
        half("later_not_now", later, -1, 1),
    )
