"""What King × Alchemy's positions and records are made of: decks, cards, finished tricks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from solver import decks
from solver.games.king.cards.deck import CARDS, Deck
from solver.games.king.cards.deck_data import KIND, DeckData
from solver.games.king.cards.rules import PLAYERS, TRICKS, Play
from solver.games.king.cards.text import card_of, play_of
from solver.inputs.faults import fault
from solver.tricks.fields import Model

Card = Annotated[str, Field(strict=True, min_length=1, max_length=20, examples=["F3"])]
Cards = Annotated[tuple[Card, ...], Field(max_length=2 * CARDS, fail_fast=True)]
_FEWEST, _MOST = PLAYERS
Hands = Annotated[tuple[Cards, ...], Field(min_length=_FEWEST, max_length=_MOST, fail_fast=True)]
Piles = Annotated[tuple[Cards, ...], Field(max_length=2 * _MOST, fail_fast=True)]
Seat = Annotated[int, Field(ge=0, lt=_MOST, strict=True)]
DeckField = Annotated[str | DeckData, decks.DeckField(KIND)]


class FinishedTrick(Model):
    """A trick that was played to its end: its leader, the cards in play order, what its winner took and gave.

    The winner's own card, which is kept, is not among those `taken`.
    """

    leader: Seat
    cards: Annotated[Cards, Field(min_length=_FEWEST, max_length=_MOST)]
    taken: Cards = ()
    given: Card | None = None


History = Annotated[tuple[FinishedTrick, ...], Field(max_length=max(TRICKS.values()), fail_fast=True)]
TrickCards = Annotated[Cards, Field(max_length=_MOST)]


def card_at(deck: Deck, text: str, path: str) -> int:
    """The card that a text in a hand or pile names. Raises a fault."""
    card = card_of(deck, text)
    if isinstance(card, str):
        raise fault("illegal_card", card, path)
    return card


def cards_at(deck: Deck, texts: Iterable[str], path: str) -> tuple[int, ...]:
    """The cards of a hand or pile. Raises a fault that names the place."""
    return tuple(card_at(deck, text, f"{path}[{index}]") for index, text in enumerate(texts))


def plays_at(deck: Deck, texts: Iterable[str], path: str) -> tuple[Play, ...]:
    """The plays of a trick. Raises a fault that names the place."""
    plays: list[Play] = []
    for index, text in enumerate(texts):
        play = play_of(deck, text)
        if isinstance(play, str):
            raise fault("illegal_card", play, f"{path}[{index}]")
        plays.append(play)
    return tuple(plays)


def piles_at(deck: Deck, piles: Iterable[Iterable[str]], path: str) -> tuple[tuple[int, ...], ...]:
    return tuple(cards_at(deck, pile, f"{path}[{seat}]") for seat, pile in enumerate(piles))
