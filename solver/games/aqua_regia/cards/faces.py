"""What is printed on the metals of a deck of Aqua Regia."""

from __future__ import annotations

from typing import Any

from solver.decks import chosen, deck_of
from solver.games.aqua_regia.cards.deck import FIELDS
from solver.games.aqua_regia.cards.deck_data import KIND
from solver.protocol.showing.card_faces import CardFace


def faces(variant: str | None, deck: Any) -> tuple[CardFace, ...]:
    """The metals, the weakest first. `deck` is a name, a deck as users write it, or None: the house table.

    A metal's rank is its strength, from 1; its details are its reactivity to each field.
    """
    found = deck_of(KIND, chosen(KIND, deck))
    return tuple(
        CardFace(
            card=metal.symbol,
            name=metal.name,
            suit=None,
            rank=str(strength),
            copies=found.copies,
            details={field: str(value) for field, value in zip(FIELDS, metal.reactivity, strict=True)},
        )
        for strength, metal in enumerate(found.metals, start=1)
    )
