"""What is printed on Kirin's cards."""

from __future__ import annotations

from solver.games.kirin.cards.deck import CARDS, COLOUR_NAMES, RANKS, TRUMP, colour, is_kirin, name, rank
from solver.protocol.showing.card_faces import CardFace

_WORDS = {"T": "trump", "+": "ascending kirin", "-": "descending kirin"}


def faces(variant: str | None) -> tuple[CardFace, ...]:
    """The 36 cards in the deck's order; every variant has the same."""
    return tuple(_face(card) for card in range(CARDS))


def _face(card: int) -> CardFace:
    suit, sign = COLOUR_NAMES[colour(card)], RANKS[rank(card)]
    kind = "kirin" if is_kirin(card) else "trump" if rank(card) == TRUMP else "number"
    return CardFace(
        card=name(card),
        name=f"{suit} {_WORDS.get(sign, sign)}",
        suit=suit,
        rank=sign,
        copies=1,
        details={"kind": kind},
    )
