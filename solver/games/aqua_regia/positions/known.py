"""Positions and views of Aqua Regia as users send them, validated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Discriminator, Field, PrivateAttr, Tag, model_validator

from solver.common.words import counted
from solver.decks import deck_of
from solver.games.aqua_regia.cards.deck import FIELDS, Deck, FieldName
from solver.games.aqua_regia.cards.deck_data import KIND
from solver.games.aqua_regia.cards.rules import MOST_AT_ONCE, Counts, Play, State, follows, lets, runs, settle
from solver.games.aqua_regia.positions.fields import (
    FEWEST,
    MOST,
    Card,
    Cards,
    Count,
    DealPass,
    DeckField,
    Hands,
    History,
    Model,
    Seat,
    check_card,
    check_cards,
    check_seat,
    places,
    spread,
)
from solver.games.aqua_regia.positions.history import Now, Step, Stuck, first_size, known_by, read
from solver.inputs.faults import fault
from solver.positions import Shown


class _Public(Shown, Model):
    """What everybody at the table sees.

    `table` has the trick's cards in play order: the last run of one metal is what must be beaten, and `owner`
    played it. With an empty table there is no owner, and `turn` is the dealer. `known` are cards that were seen
    going into a hand and not leaving it, a list a seat; `deal_passes` tells who could not lead; `history` has the
    tricks that were seen, up to now. All three are optional.
    """

    game: Literal["aqua-regia"]
    deck: DeckField = "house"
    field: FieldName
    reversed: Annotated[bool, Field(strict=True)] = False
    turn: Seat
    table: Cards = ()
    owner: Seat | None = None
    discard: Cards = ()
    known: Hands | None = None
    deal_passes: tuple[DealPass, ...] | None = None
    history: History | None = None

    _metals: Deck = PrivateAttr()

    @property
    def metals(self) -> Deck:
        """The deck that is played with."""
        return self._metals

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

    def known_of(self, seat: int) -> Cards:
        return self.known[seat] if self.known else ()

    def _steps(self, stock: int, sizes: Sequence[int]) -> tuple[Step | Stuck, ...]:
        """What the history tells, read back; nothing without one. Raises a fault where it contradicts the rest."""
        if self.history is None:
            return ()
        deck = self.metals
        table = deck.numbers(self.table)
        now = Now(self.field_number, self.reversed, self.turn, table, self.owner, self.pile, stock, tuple(sizes))
        steps = read(deck, self.history, now)
        for seat, seen in enumerate(known_by(deck, steps, len(sizes))):
            known = deck.counts(deck.numbers(self.known_of(seat)))
            for metal, count in enumerate(seen):
                if count > known[metal]:
                    symbol = deck.metals[metal].symbol
                    message = f"by the history seat {seat} has taken {symbol} and not shown it again"
                    raise fault("conflict", message, f"known[{seat}]" if self.known else "known")
            first = first_size(steps, seat, sizes[seat])
            before = sum(known) - sum(seen)
            if before > first:
                held = f"seat {seat} held {counted(first, 'card')} when the history begins"
                raise fault("conflict", f"{held}, not {before} of those known", f"known[{seat}]")
        return steps

    def _open_places(self) -> Iterator[tuple[str, str]]:
        yield from places("discard", self.discard)
        yield from places("table", self.table)

    def _check_public(self, players: int) -> None:
        """The trick, the seats, and what was seen; each card is a metal of the deck already."""
        check_seat("turn", self.turn, players)
        self._check_table()
        self._check_owner(players)
        if self.known is not None and len(self.known) != players:
            raise fault("wrong_size", f"there are {players} players; give a list for each", "known")
        seen: set[tuple[int, str]] = set()
        for index, passed in enumerate(self.deal_passes or ()):
            check_seat(f"deal_passes[{index}].seat", passed.seat, players)
            if (passed.seat, passed.field) in seen:
                message = f"that seat {passed.seat} could not lead in {passed.field} is there twice"
                raise fault("conflict", message, f"deal_passes[{index}]")
            seen.add((passed.seat, passed.field))

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
            if not lets(deck, self.field_number, play):
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

    def _check_known(self, seat: int, held: Sequence[str]) -> None:
        """What was seen going into a hand is there, and what could not be led is not."""
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


class KnownPosition(_Public):
    """A game with every card known. No hand is empty; `stock` is in draw order.

    Cards that are nowhere are out of play. `known` and `deal_passes` matter only for what the players see.
    """

    hands: Hands
    stock: Cards = ()

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def state(self) -> State:
        """The state after what happens by itself; `turn` and `field` may differ from the position's."""
        return settle(self.metals, self.state_as_written)

    @property
    def state_as_written(self) -> State:
        deck = self.metals
        return State(
            hands=tuple(deck.counts(deck.numbers(hand)) for hand in self.hands),
            turn=self.turn,
            field=self.field_number,
            reversed=self.reversed,
            table=deck.numbers(self.table),
            owner=self.owner,
            stock=deck.numbers(self.stock),
            discard=self.pile,
        )

    @property
    def seat_to_move(self) -> int:
        return self.state.turn

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._metals = deck_of(KIND, self.deck)
        where = [*spread("hands", self.hands), *places("stock", self.stock), *self._open_places()]
        check_cards(self.metals, where)
        for path, card in spread("known", self.known or ()):
            check_card(self.metals, path, card)
        for seat, hand in enumerate(self.hands):
            if not hand:
                raise fault("wrong_size", f"seat {seat} has no cards: it has won already", f"hands[{seat}]")
        self._check_public(self.players)
        for seat, hand in enumerate(self.hands):
            self._check_known(seat, hand)
        self._steps(len(self.stock), tuple(map(len, self.hands)))
        return self


class View(_Public):
    """What one player sees. `counts` has how many cards each seat holds, this one included.

    `drawn` is for the second half of a pass: the card just drawn, while `hand`, `counts` and `stock_count` are
    still as they were before. Where there are more unseen cards than hidden places, the rest is out of play.
    """

    seat: Seat
    hand: Cards
    counts: Annotated[tuple[Count, ...], Field(min_length=FEWEST, max_length=MOST)]
    stock_count: Count
    drawn: Card | None = None

    @property
    def players(self) -> int:
        return len(self.counts)

    @property
    def seat_to_move(self) -> int:
        return self.turn

    @property
    def held(self) -> Counts:
        """The hand, the drawn card included, as how many cards of each metal it has."""
        return self.metals.counts(self.metals.numbers((*self.hand, *((self.drawn,) if self.drawn else ()))))

    @property
    def unseen(self) -> Counts:
        """How many cards of each metal are in hidden places or out of play."""
        deck = self.metals
        seen = deck.counts(deck.numbers(card for _, card in self._all_places()))
        return tuple(deck.copies - count for count in seen)

    def hidden(self, seat: int) -> int:
        """How many cards of another seat's hand are not known."""
        return self.counts[seat] - len(self.known_of(seat))

    @property
    def hidden_stock(self) -> int:
        """How many cards are left in the stock."""
        return self.stock_count - (self.drawn is not None)

    def _all_places(self) -> Iterator[tuple[str, str]]:
        yield from places("hand", self.hand)
        if self.drawn is not None:
            yield "drawn", self.drawn
        for seat, cards in enumerate(self.known or ()):
            if seat != self.seat:
                yield from places(f"known[{seat}]", cards)
        yield from self._open_places()

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._metals = deck_of(KIND, self.deck)
        check_cards(self.metals, self._all_places())
        if self.known is not None and self.seat < len(self.known):
            check_cards(self.metals, places(f"known[{self.seat}]", self.known[self.seat]))
        check_seat("seat", self.seat, self.players)
        self._check_public(self.players)
        self._check_counts()
        self._check_drawn()
        self._steps(self.stock_count, self.counts)
        return self

    @property
    def steps(self) -> tuple[Step | Stuck, ...]:
        """The moves of the history, each with what was there before it, and who could not lead."""
        return self._steps(self.stock_count, self.counts)

    def _check_counts(self) -> None:
        if len(self.hand) != self.counts[self.seat]:
            message = f"the hand has {counted(len(self.hand), 'card')}, not {self.counts[self.seat]}"
            raise fault("wrong_size", message, f"counts[{self.seat}]")
        for seat, count in enumerate(self.counts):
            if not count:
                raise fault("wrong_size", f"seat {seat} has no cards: it has won already", f"counts[{seat}]")
            held = self.hand if seat == self.seat else self.known_of(seat)
            if len(self.known_of(seat)) > count:
                message = f"more cards of seat {seat} are known than the {count} it holds"
                raise fault("wrong_size", message, f"known[{seat}]")
            self._check_known(seat, held)
        hidden = sum(self.hidden(seat) for seat in range(self.players) if seat != self.seat) + self.hidden_stock
        unseen = sum(self.unseen)
        if hidden > unseen:
            many = counted(hidden, "card")
            message = f"the other hands and the stock have {many} not seen, but no more than {unseen} can be there"
            raise fault("wrong_size", message, "stock_count")

    def _check_drawn(self) -> None:
        if self.drawn is None:
            return
        if self.turn != self.seat:
            raise fault("conflict", f"seat {self.turn} is to move, so seat {self.seat} draws nothing", "drawn")
        if not self.table:
            raise fault("conflict", "the table is empty: the dealer leads and does not pass", "drawn")
        if not self.stock_count:
            raise fault("conflict", "the stock had no card to draw (stock_count is from before)", "drawn")


def _kind(data: Any) -> str:
    """Known or a view, by its keys."""
    if isinstance(data, BaseModel):
        return "seen" if isinstance(data, View) else "all-known"
    return "seen" if isinstance(data, Mapping) and "hand" in data and "hands" not in data else "all-known"


Position = Annotated[
    Annotated[KnownPosition, Tag("all-known")] | Annotated[View, Tag("seen")],
    Discriminator(_kind),
]
