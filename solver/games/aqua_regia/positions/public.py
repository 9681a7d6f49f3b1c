"""What everybody at the table sees of a position of Aqua Regia, and whether it can be."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from solver.common.words import counted
from solver.decks import deck_of
from solver.games.aqua_regia.cards.deck import FIELDS, Deck, FieldName, read_by
from solver.games.aqua_regia.cards.deck_data import KIND
from solver.games.aqua_regia.cards.readings import USUAL, RulesField
from solver.games.aqua_regia.cards.rules import MOST_AT_ONCE, Counts, Play, follows, lets, runs
from solver.games.aqua_regia.positions.fields import (
    Cards,
    DealPass,
    DeckField,
    Hands,
    History,
    Model,
    Seat,
    check_seat,
)
from solver.games.aqua_regia.positions.history import Now, Step, Stuck, first_size, known_by, read
from solver.inputs.faults import fault
from solver.positions import Shown
from solver.tricks.fields import places


class Public(Shown, Model):
    """What everybody at the table sees.

    `table` has the trick's cards in play order: the last run of one metal is what must be beaten, and `owner`
    played it. With an empty table there is no owner, and `turn` is the dealer. `known` are cards that were seen
    going into a hand and not leaving it, a list a seat; `deal_passes` tells who could not lead; `history` has the
    tricks that were seen, up to now. All three are optional.
    """

    game: Literal["aqua-regia"]
    deck: DeckField = "house"
    rules: RulesField = None
    field: FieldName
    reversed: Annotated[bool, Field(strict=True)] = False
    turn: Seat
    table: Cards = ()
    owner: Seat | None = None
    discard: Cards = ()
    known: Hands | None = None
    deal_passes: Annotated[tuple[DealPass, ...], Field(max_length=100, fail_fast=True)] | None = None
    history: History | None = None

    @property
    @abstractmethod
    def players(self) -> int:
        """How many seats there are."""

    @property
    @abstractmethod
    def sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""

    @property
    @abstractmethod
    def stock_size(self) -> int:
        """How many cards the stock has."""

    @cached_property
    def metals(self) -> Deck:
        """The deck that is played with, and how the rules are read. Raises a fault for a name that no deck has."""
        return read_by(deck_of(KIND, self.deck), self.rules or USUAL)

    @property
    def field_number(self) -> int:
        return FIELDS.index(self.field)

    @property
    def pile(self) -> Counts:
        """The discard pile, as how many cards of each metal it has."""
        return self.metals.counts(self.metals.numbers(self.discard))

    @property
    def top(self) -> Play | None:
        """The play that must be beaten; None while the table is empty."""
        return runs(self.metals.numbers(self.table))[-1] if self.table else None

    def gone_out(self, seat: int) -> bool:
        """Whether a seat without cards has just won: it played those on top of the table."""
        return bool(self.table) and seat == self.owner

    def known_of(self, seat: int) -> Cards:
        return self.known[seat] if self.known else ()

    @cached_property
    def steps(self) -> tuple[Step | Stuck, ...]:
        """The moves of the history, each with what was there before it, and who could not lead; none without one.

        Raises a fault where the history contradicts the rest.
        """
        if self.history is None:
            return ()
        deck, sizes = self.metals, self.sizes
        table = deck.numbers(self.table)
        field, stock = self.field_number, self.stock_size
        now = Now(field, self.reversed, self.turn, table, self.owner, self.pile, stock, sizes)
        steps = read(deck, self.history, now)
        for seat, known_since in enumerate(known_by(deck, steps, len(sizes))):
            known = deck.counts(deck.numbers(self.known_of(seat)))
            for metal, count in enumerate(known_since):
                if count > known[metal]:
                    symbol = deck.metals[metal].symbol
                    message = f"by the history seat {seat} has taken {symbol} and not shown it again"
                    raise fault("conflict", message, f"known[{seat}]" if self.known else "known")
            first = first_size(steps, seat, sizes[seat])
            before = sum(known) - sum(known_since)
            if before > first:
                held = f"seat {seat} held {counted(first, 'card')} when the history begins"
                raise fault("conflict", f"{held}, not {before} of those known", f"known[{seat}]")
        return steps

    def check_history(self) -> None:
        """Raise a fault where the history contradicts the rest."""
        assert self.steps is not None

    def open_places(self) -> Iterator[tuple[str, str]]:
        """The places of the cards that lie open."""
        yield from places("discard", self.discard)
        yield from places("table", self.table)

    def check_public(self) -> None:
        """Raise a fault for a trick, a seat or a thing seen that cannot be; the cards are of the deck already."""
        players = self.players
        check_seat("turn", self.turn, players)
        self._check_table()
        self._check_owner(players)
        if self.known is not None and len(self.known) != players:
            raise fault("wrong_size", f"there are {players} players; give a list for each", "known")
        listed: set[tuple[int, str]] = set()
        for index, passed in enumerate(self.deal_passes or ()):
            check_seat(f"deal_passes[{index}].seat", passed.seat, players)
            if (passed.seat, passed.field) in listed:
                message = f"that seat {passed.seat} could not lead in {passed.field} is there twice"
                raise fault("conflict", message, f"deal_passes[{index}]")
            listed.add((passed.seat, passed.field))

    def _check_table(self) -> None:
        """Each play lies on the one before as the rules have it."""
        deck = self.metals
        place = 0
        below: Play | None = None
        for play in runs(deck.numbers(self.table)):
            symbol = deck.metals[play.metal].symbol
            path = f"table[{place}]"
            if play.count > MOST_AT_ONCE:
                raise fault("illegal_play", f"{play.count} {symbol} at once: at most {MOST_AT_ONCE} are", path)
            if not lets(deck, self.field_number, play, below):
                has = deck.reactivity[self.field_number][play.metal]
                needs = "1 or more" if play.count == 1 else "2 or more, being several"
                message = f"{symbol} has reactivity {has} in {self.field}; {play.count} at once need {needs}"
                raise fault("illegal_play", message, path)
            if below is not None and not follows(play, below):
                under = deck.metals[below.metal].symbol
                why = f"{under} is stronger" if play.metal < below.metal else "as many or one more may follow"
                message = f"{play.count} {symbol} can't lie on {below.count} {under}: {why}"
                raise fault("illegal_play", message, path)
            below = play
            place += play.count

    def _check_owner(self, players: int) -> None:
        if not self.table:
            if self.owner is not None:
                raise fault("conflict", "the table is empty, so nobody owns the cards on it", "owner")
            return
        if self.owner is None:
            raise fault("missing_key", "owner is missing: who played the last cards on the table?", "owner")
        check_seat("owner", self.owner, players)
        if self.owner == self.turn:
            message = f"seat {self.turn} played the last cards and can't be to move: when all others have passed, "
            message += "the trick is over and the table is empty"
            raise fault("conflict", message, "owner")

    def check_known(self, seat: int, held: Sequence[str]) -> None:
        """Raise a fault unless what was seen going into a hand is there, and what could not be led is not."""
        deck = self.metals
        left = Counter(held)
        for index, card in enumerate(self.known_of(seat)):
            left[card] -= 1
            if left[card] < 0:
                message = f"seat {seat} does not hold so many {card}"
                raise fault("conflict", message, f"known[{seat}][{index}]")
        for index, passed in enumerate(self.deal_passes or ()):
            if passed.seat == seat:
                row = deck.reactivity[FIELDS.index(passed.field)]
                playable = sum(row[metal] > 0 for metal in deck.numbers(held))
                if playable > passed.most:
                    many = f"{counted(playable, 'card')} that can be played in {passed.field}"
                    message = f"seat {seat} has {many}, not at most {passed.most}"
                    raise fault("conflict", message, f"deal_passes[{index}]")
