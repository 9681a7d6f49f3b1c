"""What kirin's positions and records are made of: cards, hands, finished tricks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from pydantic import AfterValidator, BeforeValidator, Field

from solver.games.kirin.cards.deck import CARDS, card_of
from solver.games.kirin.cards.rules import SEATS, TRICKS, Masks
from solver.inputs.faults import fault
from solver.notation.schema import OrText
from solver.tricks.fields import Model


def _card(text: str) -> str:
    if card_of(text) is None:
        raise fault(
            "illegal_card", f"{text!r} is no card; cards are a colour D S B G and 1 to 6, T, + or -: D6 ST B+"
        )
    return text


# What the document says of a card's text; letters of either case are taken.
_LETTERS = "[DSBGdsbg][1-6Tt+-]"
Card = Annotated[
    str,
    Field(strict=True, examples=["D6"], json_schema_extra={"pattern": f"^{_LETTERS}$"}),
    AfterValidator(_card),
]
NOT_YET = ""  # in the place of the card that a seat has still to set aside


def _set_aside(text: str) -> str:
    return text if text == NOT_YET else _card(text)


SetAside = Annotated[
    str,
    Field(strict=True, examples=["D6"], json_schema_extra={"pattern": f"^({_LETTERS})?$"}),
    BeforeValidator(lambda value: NOT_YET if value is None else value),
    AfterValidator(_set_aside),
]
Cards = Annotated[tuple[Card, ...], Field(max_length=2 * CARDS), OrText("S1 S4 BT")]
FourHands = Annotated[tuple[Cards, ...], Field(min_length=SEATS, max_length=SEATS), OrText("S1,S4/BT/D6/G+")]
Seat = Annotated[int, Field(ge=0, lt=SEATS, strict=True)]


def number(text: str) -> int:
    """The number of a card that was validated before."""
    card = card_of(text)
    assert card is not None
    return card


def numbers(texts: Iterable[str]) -> tuple[int, ...]:
    return tuple(map(number, texts))


def four(items: Iterable[int]) -> Masks:
    """Four items as a tuple of that length."""
    first, second, third, fourth = items
    return first, second, third, fourth


class FinishedTrick(Model):
    """A trick that was played to its end: its leader, and the four cards in play order."""

    leader: Seat
    cards: Annotated[Cards, Field(min_length=SEATS, max_length=SEATS)]

    inferred: ClassVar[frozenset[str]] = frozenset({"leader"})


History = Annotated[tuple[FinishedTrick, ...], Field(max_length=TRICKS), OrText("3:S1,G2,D4,B6")]
TrickCards = Annotated[Cards, Field(max_length=SEATS - 1)]
