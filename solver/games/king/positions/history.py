"""What the cards played so far tell: leaders, what was won, and suits that a seat cannot hold.

A follower whose play neither has the lead suit nor is a trump held no card of that suit ("I don't have it"): to
name the Dancer another suit says it as well. Whoever shows such a card later contradicts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from solver.common.masks import mask, members
from solver.common.words import counted, seats_named
from solver.games.king.cards.deck import SUIT_NAMES, SUITS, Deck
from solver.games.king.cards.rules import Masks, Play, Taking, follows, gains, winner, with_seat
from solver.games.king.cards.text import play_text
from solver.games.king.positions.faults import listed, revoke, taking_fault
from solver.inputs.faults import fault


class Trick(NamedTuple):
    """Cards in play order, the first by `leader`; `path` is where they stand in the position."""

    leader: int
    plays: tuple[Play, ...]
    path: str

    def by_seat(self, players: int) -> Iterator[tuple[int, Play, str]]:
        """Each play with its seat and path."""
        for place, play in enumerate(self.plays):
            yield (self.leader + place) % players, play, f"{self.path}[{place}]"


class Finished(NamedTuple):
    """A full trick and what its winner took; `path` is where it stands in the position."""

    trick: Trick
    taking: Taking
    path: str


class Refusal(NamedTuple):
    """A play that did not follow: `seat` held no card of the lead suit `suit` at that time."""

    seat: int
    play: Play
    suit: int
    path: str


@dataclass(frozen=True, slots=True)
class Past:
    """Where finished tricks lead: the next leader, what was won in them, the cards put aside, the refusals."""

    deck: Deck
    leader: int
    gained: Masks  # by tricks, the picks left out
    discarded: int = 0
    refusals: tuple[Refusal, ...] = ()

    def excluded(self, seat: int) -> int:
        """The mask of the cards that `seat` cannot hold, by what it has played."""
        found = 0
        for refusal in self.refusals:
            if refusal.seat == seat:
                found |= self.deck.of_suit[refusal.suit]
        return found

    def shown(self, seat: int, cards: Iterable[int], where: str) -> None:
        """Hold the cards that `seat` shows against its earlier plays. Raises a fault on a contradiction."""
        for card in cards:
            for refusal in self.refusals:
                if refusal.seat == seat and self.deck.cards[card].suit == refusal.suit:
                    held = f"{self.deck.cards[card].code} {where}"
                    message = revoke(self.deck, seat, refusal.play, refusal.suit, held)
                    raise fault("illegal_play", message, refusal.path)


def with_trick(past: Past, trick: Trick) -> Past:
    """The past with a trick's refusals. Raises a fault where its cards contradict earlier plays."""
    players = len(past.gained)
    refusals = list(past.refusals)
    for seat, play, path in trick.by_seat(players):
        past.shown(seat, [play.card], f"(later {path})")
        lead = trick.plays[0].suit
        if lead < SUITS and not follows(play, lead):
            refusals.append(Refusal(seat, play, lead, path))
    return Past(past.deck, past.leader, past.gained, past.discarded, tuple(refusals))


def replay(deck: Deck, players: int, leader: int, tricks: Sequence[Finished]) -> Past:
    """The past that finished tricks make of a round; `leader` leads where there are none.

    Raises a fault for a leader who did not win the trick before, a card that had to be played earlier, and a
    taking that the rules do not allow.
    """
    past = Past(deck, tricks[0].trick.leader if tricks else leader, (0,) * players)
    for index, finished in enumerate(tricks):
        trick = finished.trick
        if len(trick.plays) != players:
            raise fault("wrong_size", f"a trick has {players} cards, not {len(trick.plays)}", trick.path)
        if trick.leader != past.leader:
            message = f"seat {past.leader} leads trick {index + 1}, not seat {trick.leader}"
            raise fault("conflict", message, f"{finished.path}.leader")
        past = _finish(with_trick(past, trick), finished)
    return past


def _finish(past: Past, finished: Finished) -> Past:
    deck, (trick, taking, path) = past.deck, finished
    wrong = taking_fault(deck, trick.plays, taking)
    if wrong is not None:
        where, why = wrong
        raise fault("illegal_taking", why, f"{path}.{where}")
    gained, discarded = past.gained, past.discarded | mask(play.card for play in trick.plays)
    for seat, cards in gains(deck, trick.leader, trick.plays, taking):
        gained = with_seat(gained, seat, gained[seat] | cards)
        discarded &= ~cards
    taker = (trick.leader + winner(deck, trick.plays)) % len(gained)
    return Past(deck, taker, gained, discarded, past.refusals)


def check_won(past: Past, won: Sequence[Sequence[int]], *, complete: bool) -> None:
    """Whether the piles agree with the tricks: what was won there, and one card that was picked, a seat.

    With `complete` nothing may be missing. Raises a fault.
    """
    deck, everything = past.deck, past.discarded
    for cards in past.gained:
        everything |= cards
    for seat, pile in enumerate(won):
        for index, card in enumerate(pile):
            if (everything & ~past.gained[seat]) >> card & 1:
                message = f"by the history seat {seat} has not won {deck.cards[card].code}"
                raise fault("conflict", message, f"won[{seat}][{index}]")
    for seat, pile in enumerate(won):
        missing, picked = past.gained[seat] & ~mask(pile), mask(pile) & ~past.gained[seat]
        if complete and missing:
            message = f"by the history seat {seat} has won {listed(deck, members(missing))} too"
            raise fault("missing_card", message, f"won[{seat}]")
        if picked.bit_count() > 1 or (complete and not picked):
            found = f"{picked.bit_count()}: {listed(deck, members(picked))}" if picked else "none"
            message = (
                f"beside what was won in tricks a pile has the one card picked before; seat {seat} has {found}"
            )
            raise fault("conflict" if picked else "missing_card", message, f"won[{seat}]")


def check_deal_exists(past: Past, unseen: int, counts: dict[int, int]) -> None:
    """Whether the unseen cards can be dealt as the refusals allow; `counts` has each hidden hand's size.

    Hall's theorem: a deal exists when every group of hands is allowed at least as many cards as it holds.
    Raises a fault that names the group.
    """
    for size in range(1, len(counts) + 1):
        for group in combinations(counts, size):
            allowed = 0
            for seat in group:
                allowed |= unseen & ~past.excluded(seat)
            wanted = sum(counts[seat] for seat in group)
            if allowed.bit_count() < wanted:
                left = listed(past.deck, members(allowed)) or "none"
                told = [
                    refusal
                    for refusal in past.refusals
                    if refusal.seat in group and past.deck.of_suit[refusal.suit] & unseen
                ]
                plays = ", ".join(
                    f"{play_text(past.deck, refusal.play)} to {SUIT_NAMES[refusal.suit]} ({refusal.path})"
                    for refusal in told
                )
                raise fault(
                    "conflict",
                    f"no deal agrees with this: {seats_named(group)} must hold {counted(wanted, 'card')}, "
                    f"but by what was played only {counted(allowed.bit_count(), 'unseen card')} can be there: "
                    f"{left}; the plays that say so: {plays}",
                    "trick" if all(refusal.path.startswith("trick") for refusal in told) else "history",
                )
