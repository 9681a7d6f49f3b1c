"""What Aqua Regia's positions and records are made of: decks by name or inline, cards, seats, what was seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field

from solver import decks
from solver.games.aqua_regia.cards.deck import Deck, FieldName
from solver.games.aqua_regia.cards.deck_data import KIND, MOST_COPIES, MOST_METALS, DeckData
from solver.games.aqua_regia.cards.rules import PLAYERS
from solver.inputs.errors import Fault
from solver.inputs.faults import fault, refuse
from solver.notation.schema import OrText
from solver.tricks import fields

FEWEST, MOST = PLAYERS
_MOST_MOVES = 2 * MOST_COPIES * MOST_METALS  # of a round

DeckField = Annotated[str | DeckData, decks.DeckField(KIND)]
Card = Annotated[str, Field(strict=True, examples=["Zn"])]
Cards = Annotated[
    tuple[Card, ...], Field(max_length=MOST_COPIES * MOST_METALS, fail_fast=True), OrText("Zn Zn Pb")
]
Hands = Annotated[tuple[Cards, ...], Field(min_length=FEWEST, max_length=MOST), OrText("Zn,Zn/Pb")]
Seat = Annotated[int, Field(ge=0, lt=MOST, strict=True)]
MoveText = Annotated[str, Field(strict=True, examples=["pass Zn>Pb"])]
Count = Annotated[int, Field(ge=0, strict=True)]


class Model(fields.Model):
    """A piece of a position, written out with the names that users know."""

    model_config = ConfigDict(serialize_by_alias=True)


class DealPass(Model):
    """Somebody could not lead in a field: a public fact about a hand.

    `most` is how many cards of the hand at most can be played in that field now: none when the deal was passed,
    one more for each card drawn since or taken, one fewer for each such card played or discarded.
    """

    seat: Seat
    field: FieldName
    most: Count = 0


class Trick(Model):
    """A trick that was seen: its field, who led, the stock when it began, and its moves in turn.

    A pass's move says what was exchanged; the card that it drew nobody else saw.
    """

    field: FieldName
    leader: Seat
    stock_count: Count
    moves: Annotated[tuple[MoveText, ...], Field(min_length=1, max_length=_MOST_MOVES, fail_fast=True)]

    inferred: ClassVar[frozenset[str]] = frozenset({"field", "leader", "stock_count"})


_SEEN = OrText("0:Zn,Zn/1:pass/2:pass:Zn:Pb")
History = Annotated[tuple[Trick, ...], Field(max_length=_MOST_MOVES, fail_fast=True), _SEEN]


def check_cards(deck: Deck, where: Iterable[tuple[str, str]]) -> None:
    """Every card is a metal of the deck, and no metal is there more often than the deck has it."""
    counts: Counter[str] = Counter()
    found = []
    for path, card in where:
        if card not in deck.index:
            found.append(_no_card(deck, path, card))
            continue
        counts[card] += 1
        if counts[card] > deck.copies:
            many = f"this is card number {counts[card]} of {card}; the deck has {deck.copies}"
            found.append(Fault("duplicate_card", many, path))
    refuse(found)


def check_card(deck: Deck, path: str, card: Any) -> None:
    if card not in deck.index:
        refuse([_no_card(deck, path, card)])


def _no_card(deck: Deck, path: str, card: Any) -> Fault:
    known = " ".join(deck.index)
    return Fault("illegal_card", f"{card!r} is no metal of the deck {deck.name}; there is {known}", path)


def check_seat(path: str, seat: int, players: int) -> None:
    if seat >= players:
        message = f"there is no seat {seat}; with {players} players seats are 0 to {players - 1}"
        raise fault("out_of_range", message, path)
