"""What King × Alchemy's positions and records are made of: decks, cards, finished tricks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import Field

from solver import decks
from solver.games.king.cards.deck import CARDS, Deck, read_by
from solver.games.king.cards.deck_data import KIND, DeckData
from solver.games.king.cards.readings import USUAL, KingReadings
from solver.games.king.cards.rules import PLAYERS, TRICKS, Play
from solver.games.king.cards.text import card_of, play_of
from solver.inputs.errors import Fault
from solver.inputs.faults import all_of, fault, refuse
from solver.notation.schema import CARD_LIST, DEALT, OrText
from solver.protocol.readings import ANY_ON
from solver.tricks.fields import Model

Card = Annotated[str, Field(strict=True, min_length=1, max_length=20, examples=["F3"])]
Cards = Annotated[tuple[Card, ...], Field(max_length=2 * CARDS), OrText("F3 W11 T2")]
_FEWEST, _MOST = PLAYERS
Hands = Annotated[tuple[Cards, ...], Field(min_length=_FEWEST, max_length=_MOST), OrText("F3,W11/T2/E4")]
Piles = Annotated[tuple[Cards, ...], Field(max_length=2 * _MOST), OrText("F3,W11/T2/E4")]
Seat = Annotated[int, Field(ge=0, lt=_MOST, strict=True)]
T = TypeVar("T")
# Keys that may be given in place of others: how many play, the card that each seat picked, the cards dealt.
INSTEAD: Mapping[str, Any] = {"players": {"type": "integer"}, "pick": CARD_LIST, "dealt": DEALT}
DeckField = Annotated[str | DeckData, decks.DeckField(KIND)]

RulesField = Annotated[KingReadings | None, ANY_ON, OrText("late_trump_does_not_lift")]


class OfDeck(Model):
    """What is played with a deck, by a reading of the rules."""

    game: Literal["king"]
    deck: DeckField = "house"
    rules: RulesField = None

    @property
    def full_deck(self) -> Deck:
        """The deck that is played with, and the readings of the rules that it is played by."""
        return read_by(decks.deck_of(KIND, self.deck), self.rules or USUAL)


class FinishedTrick(Model):
    """A trick that was played to its end: its leader, the cards in play order, what its winner took and gave.

    The winner's own card, which is kept, is not among those `taken`.
    """

    leader: Seat
    cards: Annotated[Cards, Field(min_length=_FEWEST, max_length=_MOST)]
    taken: Cards = ()
    given: Card | None = None

    inferred: ClassVar[frozenset[str]] = frozenset({"leader"})


History = Annotated[
    tuple[FinishedTrick, ...],
    Field(max_length=max(TRICKS.values())),
    OrText("2:F2,F9,E1,W3:take:F2,E1:give:W3"),
]
TrickCards = Annotated[Cards, Field(max_length=_MOST)]


def card_at(deck: Deck, text: str, path: str) -> int:
    """The card that a text in a hand or pile names. Raises a fault."""
    card = card_of(deck, text)
    if isinstance(card, str):
        raise fault("illegal_card", card, path)
    return card


def cards_at(deck: Deck, texts: Iterable[str], path: str) -> tuple[int, ...]:
    """The cards of a hand or pile. Raises a fault that names the place of each that is none."""
    return tuple(_numbered(texts, partial(card_of, deck), path))


def plays_at(deck: Deck, texts: Iterable[str], path: str) -> tuple[Play, ...]:
    """The plays of a trick. Raises a fault that names the place of each text that is none."""
    return tuple(_numbered(texts, partial(play_of, deck), path))


def _numbered(texts: Iterable[str], read: Callable[[str], T | str], path: str) -> Iterator[T]:
    """What `read` makes of the texts. Raises a fault for those of which it says what is wrong."""
    found = [read(text) for text in texts]
    refuse(
        Fault("illegal_card", one, f"{path}[{index}]") for index, one in enumerate(found) if isinstance(one, str)
    )
    return (one for one in found if not isinstance(one, str))


def piles_at(deck: Deck, piles: Iterable[Iterable[str]], path: str) -> tuple[tuple[int, ...], ...]:
    """The cards of several piles. Raises a fault that names the place of each text that is none."""
    found: list[tuple[int, ...]] = []
    all_of(
        *(
            lambda seat=seat, pile=pile: found.append(cards_at(deck, pile, f"{path}[{seat}]"))
            for seat, pile in enumerate(piles)
        )
    )
    return tuple(found)
