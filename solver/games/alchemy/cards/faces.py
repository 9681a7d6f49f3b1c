"""What is printed on Alchemy's cards: ranks, since suits never matter."""

from __future__ import annotations

from solver.games.alchemy.cards.deck import COPIES, JOKER, RANKS, card
from solver.games.alchemy.cards.rules import SOLITAIRE
from solver.protocol.showing.card_faces import CardFace

_NAMES = {1: "Ace", 11: "Jack", 12: "Queen", 13: "King"}


def faces(variant: str | None) -> tuple[CardFace, ...]:
    """The ranks of a variant's deck, in order: the usual 52 cards where none is named, any number in `free`."""
    if variant in SOLITAIRE:
        ranks = sorted(set(SOLITAIRE[variant].deck))
    else:
        ranks = list(RANKS)
    copies = None if variant == "free" else COPIES
    found = [_face(rank, copies) for rank in ranks]
    if variant == "duel":
        found.append(CardFace(card=card(JOKER), name="Joker", suit=None, rank="X", copies=COPIES, details={}))
    return tuple(found)


def _face(rank: int, copies: int | None) -> CardFace:
    name = _NAMES.get(rank, str(rank))
    return CardFace(
        card=card(rank), name=name, suit=None, rank=card(rank), copies=copies, details={"worth": str(rank)}
    )
