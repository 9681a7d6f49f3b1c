"""Causes for hints in trick games: why one card is better than another, by who can beat it or has to follow it.

A game describes both cards in every sampled deal (`Played`), and adds these predicates to its own table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from solver.common import members
from solver.hints.causes import LAST, SURE_OF_FEW, Claim, Predicate, S, Truths, part, trade, where
from solver.hints.ranking import POINTS
from solver.kernels.words import Floats, Words

_WHOLE = 0.05  # points; a smaller rest of a lead is nothing


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

    def can_be_beaten(self) -> Truths | None:
        """The worlds in which a later player can beat the card.

        None if nobody plays later, or if the card does not currently win the trick.
        """
        if not self.beaten_by:
            return None
        found: Truths = np.any([cards != 0 for cards in self.beaten_by.values()], axis=0)
        return found


class Pair(NamedTuple):
    """The two compared cards; ``name(n)`` is the name of the card of bit n in masks."""

    best: Played
    other: Played
    name: Callable[[int], str]

    @property
    def named(self) -> dict[str, str]:
        return {"move": self.best.text, "other": self.other.text}


def _beaten(pair: Pair) -> Iterator[Claim]:
    beaten = pair.other.can_be_beaten()
    if beaten is not None:
        yield where(beaten, card=pair.other.text)


def _unbeaten(pair: Pair) -> Iterator[Claim]:
    beaten = pair.best.can_be_beaten()
    if beaten is not None:
        yield where(~beaten, card=pair.best.text)


def _beaten_by(pair: Pair) -> Iterator[Claim]:
    for seat, answers in (pair.other.beaten_by or {}).items():
        for held in members(int(np.bitwise_or.reduce(answers))):
            holds = (answers >> held & 1) != 0
            if not answers[~holds].any():  # else it is not for this card, which other cards can stand in for
                yield where(holds, other=pair.other.text, seat=seat, card=pair.name(held))


def _if_beaten_by(pair: Pair) -> Iterator[Claim]:
    for seat, answers in (pair.best.beaten_by or {}).items():
        for held in members(int(np.bitwise_or.reduce(answers))):
            holds = (answers >> held & 1) != 0
            yield where(holds, **pair.named, seat=seat, card=pair.name(held))


def _if_beaten(pair: Pair) -> Iterator[Claim]:
    beaten = pair.best.can_be_beaten()
    if beaten is not None:
        yield where(beaten, **pair.named)


def _if_unbeaten(pair: Pair) -> Iterator[Claim]:
    beaten = pair.other.can_be_beaten()
    if beaten is not None:
        yield where(~beaten, **pair.named)


def _led(pair: Pair) -> list[Played]:
    """The compared cards with different values of `led`: both, or only the best one if these are equal."""
    return [pair.best] if pair.best.led == pair.other.led else [pair.best, pair.other]


def _follows(pair: Pair) -> Iterator[Claim]:
    for played in _led(pair):
        for seat, has_to in played.follows.items():
            yield where(has_to, **pair.named, seat=seat, card=played.led)


def _follows_not(pair: Pair) -> Iterator[Claim]:
    for played in _led(pair):
        for seat, has_to in played.follows.items():
            yield where(~has_to, **pair.named, seat=seat, card=played.led)


TRICK_PREDICATES: tuple[Predicate[Pair], ...] = (
    Predicate(
        "can_be_beaten", "trick", "{card} is worse mainly because a later player can beat it in {deals}.", _beaten
    ),
    Predicate(
        "stays_best", "trick", "{card} is better mainly when no later player can beat it ({deals}).", _unbeaten
    ),
    Predicate(
        "beaten_by",
        "trick",
        "{other} is worse mainly because {seat:who} can beat it with {card} in {deals}.",
        _beaten_by,
    ),
    Predicate(
        "better_if_beaten",
        "trick",
        "{move} is better than {other} mainly when a later player can beat {move} ({deals}).",
        _if_beaten,
        rank=1,
    ),
    Predicate(
        "better_if_beaten_by",
        "trick",
        "{move} is better than {other} mainly when {seat:who} can beat {move} with {card} ({deals}).",
        _if_beaten_by,
        rank=1,
    ),
    Predicate(
        "better_if_unbeaten",
        "trick",
        "{move} is better than {other} mainly when no later player can beat {other} ({deals}).",
        _if_unbeaten,
        rank=1,
    ),
    Predicate(
        "has_to_follow",
        "follow",
        "{move} is better than {other} mainly when {seat:who} must follow {card} ({deals}).",
        _follows,
        rank=1,
    ),
    Predicate(
        "cannot_follow",
        "follow",
        "{move} is better than {other} mainly when {seat:who} can't follow {card} ({deals}).",
        _follows_not,
        rank=1,
    ),
)


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

    def claims(*signs: int) -> Callable[[S], Iterator[Claim]]:
        def found(scene: S) -> Iterator[Claim]:
            split = leads(scene)
            means = [] if split is None else [float(half.mean()) for half in split]
            if split and all(sign * mean >= POINTS.enough for sign, mean in zip(signs, means, strict=True)):
                now, later = split
                points, others = map(abs, means)
                fields = {"points": points, "other_points": others, **named(scene)}
                if signs == (1, 1):
                    yield part(now + later, **fields)
                elif signs == (1, -1):
                    yield trade(now, -later, **fields)
                else:
                    yield trade(later, -now, **fields)

        return found

    rows = {
        "now_and_later": (both, claims(1, 1)),
        "now_not_later": (now, claims(1, -1)),
        "later_not_now": (later, claims(-1, 1)),
    }
    return tuple(
        Predicate(code, "later", text, made, rank=LAST, sure=SURE_OF_FEW, trades=code != "now_and_later")
        for code, (text, made) in rows.items()
    )
