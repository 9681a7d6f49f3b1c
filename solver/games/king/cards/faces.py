"""What is printed on the cards of a deck of King × Alchemy."""

from __future__ import annotations

from typing import Any

from solver.decks import chosen, deck_of
from solver.games.king.cards.deck import SUIT_NAMES, SUITS, Card
from solver.games.king.cards.deck_data import KIND
from solver.protocol.showing.card_faces import CardFace


def faces(variant: str | None, deck: Any) -> tuple[CardFace, ...]:
    """The fifty cards in the deck's order. `deck` is a name, a deck as users write it, or None: the house deck."""
    return tuple(_face(card) for card in deck_of(KIND, chosen(KIND, deck)).cards)


def _face(card: Card) -> CardFace:
    details = {"kind": card.kind, "points": str(card.vp)}
    if card.provides:
        details["provides"] = card.provides
    if card.recipe:
        details["makes"] = card.recipe.item
        details["of"] = ", ".join(card.recipe.needs)
        details["bonus"] = str(card.recipe.bonus)
    suit = SUIT_NAMES[card.suit] if card.suit < SUITS else None
    return CardFace(card=card.code, name=card.name, suit=suit, rank=str(card.number), copies=1, details=details)
