"""Cards of alchemy. Suits never matter: a card is its rank, 1 (A) to 13 (K), or 0 for a joker."""

from __future__ import annotations

from collections.abc import Iterable

JOKER = 0
KING = 13
RANKS = range(1, 14)
COPIES = 4  # of each rank in a deck

_TEXT = ("X", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_RANK = {text: rank for rank, text in enumerate(_TEXT)} | {"T": 10}
_SUITS = "SHDCshdc♠♥♦♣"
# How a card may be written, in capital letters.
TEXTS = (
    *_RANK,
    *(text + suit for text in _RANK if text != _TEXT[JOKER] for suit in dict.fromkeys(_SUITS.upper())),
)


def rank_of(text: str) -> int | None:
    """The rank that a card's text means, a suit letter after it ignored; None for no card."""
    if text in _RANK:
        return _RANK[text]
    if len(text) > 1 and text[-1] in _SUITS:
        rank = _RANK.get(text[:-1])
        return rank if rank != JOKER else None
    return None


def card(rank: int) -> str:
    """The text of a rank."""
    return _TEXT[rank]


def cards(ranks: Iterable[int]) -> list[str]:
    """The texts of several ranks."""
    return [_TEXT[rank] for rank in ranks]


def points(pile: Iterable[int]) -> int:
    """What a duel player's pile scores at the end of a round.

    K is 2, a joker 10, any other card 1; the four aces together are 10. Ruling: with more than one deck's
    aces (a `free` puzzle) the set of four counts once and each further ace 1.
    """
    total = aces = 0
    for rank in pile:
        total += 10 if rank == JOKER else 2 if rank == KING else 1
        aces += rank == 1
    return total + (6 if aces >= COPIES else 0)
