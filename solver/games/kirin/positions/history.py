"""What the cards played so far tell: leaders, piles, the direction, and cards that a seat cannot have held.

A follower who played a card that does not qualify held none that does, under the direction then in force.
Whoever shows such a card later contradicts it. The card set aside was not in the hand, so it is not excluded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from solver.common.masks import mask as mask_of
from solver.common.masks import members
from solver.common.words import counted, seats_named
from solver.games.kirin.cards.deck import ASCENDING, DIRECTIONS, name, names
from solver.games.kirin.cards.rules import NOTHING, SEATS, Masks, direction_after, qualifying, winner, with_seat
from solver.inputs.faults import fault


class Trick(NamedTuple):
    """Cards in play order, the first by `leader`; `path` is where they stand in the position."""

    leader: int
    cards: tuple[int, ...]
    path: str

    def plays(self) -> Iterator[tuple[int, int, str]]:
        """Each play's seat, card and path."""
        for place, card in enumerate(self.cards):
            yield (self.leader + place) % SEATS, card, f"{self.path}[{place}]"


class Refusal(NamedTuple):
    """A play that did not follow the standard: `seat` held no card of `excluded` at that time."""

    seat: int
    card: int
    standard: int
    direction: int
    excluded: int
    path: str


@dataclass(frozen=True, slots=True)
class Past:
    """Where finished tricks lead: the next leader and direction, the piles, the cards put aside, the refusals."""

    leader: int
    direction: int = ASCENDING
    won: Masks = NOTHING
    discarded: int = 0
    refusals: tuple[Refusal, ...] = ()

    def excluded(self, seat: int) -> int:
        """The cards that `seat` cannot hold, by what it has played."""
        found = 0
        for refusal in self.refusals:
            if refusal.seat == seat:
                found |= refusal.excluded
        return found

    def shown(self, seat: int, cards: Iterable[int], where: str) -> None:
        """Hold the cards that `seat` shows against its earlier plays. Raises a fault on a contradiction."""
        for card in cards:
            for refusal in self.refusals:
                if refusal.seat == seat and refusal.excluded >> card & 1:
                    raise fault(
                        "illegal_play",
                        f"seat {seat} could not play {name(refusal.card)} to {name(refusal.standard)} "
                        f"({DIRECTIONS[refusal.direction]}): {name(card)} {where} had to follow",
                        refusal.path,
                    )


def _refusals(trick: Trick, direction: int) -> Iterator[Refusal]:
    standard = trick.cards[0]
    needed = qualifying(-1, standard, direction)
    for seat, card, path in list(trick.plays())[1:]:
        if needed and not needed >> card & 1:
            yield Refusal(seat, card, standard, direction, needed, path)


def with_trick(past: Past, trick: Trick) -> Past:
    """The past with an unfinished trick's refusals. Raises a fault where its cards contradict earlier plays."""
    for seat, card, path in trick.plays():
        past.shown(seat, [card], f"(later {path})")
    if not trick.cards:
        return past
    refusals = (*past.refusals, *_refusals(trick, past.direction))
    return Past(past.leader, past.direction, past.won, past.discarded, refusals)


def replay(tricks: Sequence[Trick]) -> Past:
    """The past that finished tricks, at least one, make of a round.

    Raises a fault for a leader who did not win the trick before, or a card that had to be played earlier.
    """
    past = Past(tricks[0].leader)
    for index, trick in enumerate(tricks):
        if trick.leader != past.leader:
            path = trick.path.removesuffix(".cards") + ".leader"
            raise fault("conflict", f"seat {past.leader} leads trick {index + 1}, not seat {trick.leader}", path)
        past = _finish(with_trick(past, trick), trick)
    return past


def _finish(past: Past, trick: Trick) -> Past:
    direction = direction_after(trick.cards, past.direction)
    place = winner(trick.cards, past.direction)
    taken = mask_of(trick.cards)
    if place is None:
        return Past(past.leader, direction, past.won, past.discarded | taken, past.refusals)
    taker = (trick.leader + place) % SEATS
    won = with_seat(past.won, taker, past.won[taker] | taken)
    return Past(taker, direction, won, past.discarded, past.refusals)


def check_deal_exists(past: Past, unseen: int, counts: dict[int, int]) -> None:
    """Whether the unseen cards can be dealt as the refusals allow; `counts` has each hidden hand's size.

    Hall's theorem: a deal exists when every group of hands is allowed at least as many cards as it holds.
    (What is left over was set aside, which nothing restricts.) Raises a fault that names the group.
    """
    for size in range(1, len(counts) + 1):
        for group in combinations(counts, size):
            allowed = 0
            for seat in group:
                allowed |= unseen & ~past.excluded(seat)
            wanted = sum(counts[seat] for seat in group)
            if allowed.bit_count() < wanted:
                left = " ".join(names(members(allowed))) or "none"
                told = [
                    refusal for refusal in past.refusals if refusal.seat in group and refusal.excluded & unseen
                ]
                plays = ", ".join(
                    f"{name(refusal.card)} to {name(refusal.standard)} ({refusal.path})" for refusal in told
                )
                raise fault(
                    "conflict",
                    f"no deal agrees with this: {seats_named(group)} must hold {counted(wanted, 'card')}, "
                    f"but by what was played only {counted(allowed.bit_count(), 'unseen card')} can be there: "
                    f"{left}; the plays that say so: {plays}",
                    "trick" if all(refusal.path.startswith("trick") for refusal in told) else "history",
                )
