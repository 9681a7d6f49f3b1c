"""What the cards played so far tell: leaders, piles, and the cards that a seat cannot have held.

A follower who does not follow shows that it held no card that could (`TrickRules.excluded`). Whoever shows such
a card later contradicts it: both plays cannot have been made by the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Generic, NamedTuple, TypeVar

from solver.common.masks import mask, members
from solver.common.words import counted, seats_named
from solver.inputs.faults import fault
from solver.tricks.rules import Masks, Trick, TrickRules

P = TypeVar("P")
R = TypeVar("R", bound=TrickRules[Any])


class Refusal(NamedTuple, Generic[P, R]):
    """A play that did not follow `lead`: `seat` held no card of `excluded` then. `rules` were in force."""

    seat: int
    play: P
    lead: P
    excluded: int
    rules: R
    path: str

    @property
    def text(self) -> str:
        """The play, and what it did not follow."""
        return f"{self.rules.play_text(self.play)} to {self.rules.lead_text(self.lead)}"


@dataclass(frozen=True, slots=True)
class Past(Generic[P, R]):
    """Where the tricks so far lead. `rules` are those in force now, and `leader` led or leads the current trick.

    `won` has the mask of the cards that each seat has won in tricks, `discarded` those that nobody won.
    """

    rules: R
    leader: int
    won: Masks
    discarded: int = 0
    refusals: tuple[Refusal[P, R], ...] = ()

    def excluded(self, seat: int) -> int:
        """The mask of the cards that `seat` cannot hold, by what it has played."""
        cards = 0
        for refusal in self.refusals:
            if refusal.seat == seat:
                cards |= refusal.excluded
        return cards

    def check_shown(self, seat: int, cards: Iterable[int], where: str) -> None:
        """Raise a fault where cards that `seat` shows (`where` says the place) contradict its earlier plays."""
        for card in cards:
            for refusal in self.refusals:
                if refusal.seat == seat and refusal.excluded >> card & 1:
                    rules = refusal.rules
                    message = (
                        f"seat {seat} could not play {refusal.text}{rules.in_force}: "
                        f"{rules.name(card)} {where} {rules.duty(refusal.lead)}"
                    )
                    raise fault("illegal_play", message, refusal.path)

    def with_plays(self, trick: Trick[P]) -> Past[P, R]:
        """The past with a trick's refusals. Raises a fault where its cards contradict earlier plays."""
        refusals = list(self.refusals)
        for place, (seat, play, path) in enumerate(trick.by_seat(self.rules.players)):
            self.check_shown(seat, [self.rules.card(play)], f"(later {path})")
            excluded = self.rules.excluded(trick.plays[:place], play) if place else 0
            if excluded:
                refusals.append(Refusal(seat, play, trick.plays[0], excluded, self.rules, path))
        return Past(self.rules, self.leader, self.won, self.discarded, tuple(refusals))

    def after(self, trick: Trick[P]) -> Past[P, R]:
        """The past when a full trick is over as well. Raises a fault where its plays or its end are illegal."""
        leader, gains, rules = self.rules.finish(trick)
        won = list(self.won)
        discarded = self.discarded | mask(map(self.rules.card, trick.plays))
        for seat, cards in gains:
            won[seat] |= cards
            discarded &= ~cards
        return Past(rules, leader, tuple(won), discarded, self.refusals)


def replay(start: Past[P, R], tricks: Sequence[Trick[P]]) -> Past[P, R]:
    """The past that finished tricks make of `start`.

    Raises a fault for a trick of another size, a leader who did not win the trick before, a card that had to be
    played earlier, and what `TrickRules.finish` does not allow.
    """
    past = start
    for index, trick in enumerate(tricks):
        players = past.rules.players
        if len(trick.plays) != players:
            raise fault("wrong_size", f"a trick has {players} cards, not {len(trick.plays)}", trick.path)
        if trick.leader != past.leader:
            message = f"seat {past.leader} leads trick {index + 1}, not seat {trick.leader}"
            raise fault("conflict", message, f"{trick.whole_path}.leader")
        past = past.with_plays(trick).after(trick)
    return past


def check_deal_exists(past: Past[P, R], unseen: int, counts: Mapping[int, int]) -> None:
    """Raise a fault unless the unseen cards can be dealt as the refusals allow, naming the hands that cannot.

    `unseen` is a mask, `counts` has the size of each hidden hand by seat; cards left over are in no hand.
    By Hall's theorem a deal exists when every group of hands is allowed at least as many cards as it holds.
    """
    may_hold = {seat: unseen & ~past.excluded(seat) for seat in counts}
    for size in range(1, len(counts) + 1):
        for group in combinations(counts, size):
            allowed = 0
            for seat in group:
                allowed |= may_hold[seat]
            wanted = sum(counts[seat] for seat in group)
            if allowed.bit_count() < wanted:
                left = " ".join(map(past.rules.name, members(allowed))) or "none"
                reasons = [
                    refusal for refusal in past.refusals if refusal.seat in group and refusal.excluded & unseen
                ]
                plays = ", ".join(f"{refusal.text} ({refusal.path})" for refusal in reasons)
                raise fault(
                    "conflict",
                    f"no deal agrees with this: {seats_named(group)} must hold {counted(wanted, 'card')}, "
                    f"but by what was played only {counted(allowed.bit_count(), 'unseen card')} can be there: "
                    f"{left}; the plays that say so: {plays}",
                    "trick" if all(refusal.path.startswith("trick") for refusal in reasons) else "history",
                )
