"""Kirin's cards: numbers 0 to 35 in the deck's canonical order, as text, and as masks of 36 bits.

``card = 9 * colour + rank``. Colours are 0 to 3 for D (Azure Dragon), S (Vermilion Bird), B (White Tiger) and
G (Black Tortoise); ranks 0 to 5 are the numbers 1 to 6, then the trump, the ascending and the descending kirin.
"""

from __future__ import annotations

from collections.abc import Iterable

from solver.language import say, translated
from solver.showing import CardFace

COLOURS = "DSBG"
COLOUR_NAMES = ("Azure Dragon", "Vermilion Bird", "White Tiger", "Black Tortoise")
RANKS = "123456T+-"
CARDS = len(COLOURS) * len(RANKS)
TRUMP = RANKS.index("T")
ASCENDING_KIRIN = RANKS.index("+")  # this rank and the one above are kirin

ASCENDING, DESCENDING = 0, 1
DIRECTIONS = ("ascending", "descending")

_NAMES = tuple(colour + rank for colour in COLOURS for rank in RANKS)
NUMBERS = {name: card for card, name in enumerate(_NAMES)}


def name(card: int) -> str:
    return _NAMES[card]


def names(cards: Iterable[int]) -> list[str]:
    return [_NAMES[card] for card in cards]


def colour(card: int) -> int:
    return card // len(RANKS)


def rank(card: int) -> int:
    return card % len(RANKS)


def is_kirin(card: int) -> bool:
    return rank(card) >= ASCENDING_KIRIN


FULL_COLOUR = (1 << len(RANKS)) - 1
ALL = (1 << CARDS) - 1
KIRIN = sum(1 << card for card in range(CARDS) if is_kirin(card))


def of_colour(which: int) -> int:
    """The mask of a colour's nine cards."""
    return FULL_COLOUR << which * len(RANKS)


# ----------------------------------------------------------------------------------------------------
# The faces of Kirin's cards.


def faces(variant: str | None) -> tuple[CardFace, ...]:
    """Describe the 36 cards in the deck's order; they are the same in every variant."""
    return tuple(_face(card) for card in range(CARDS))


def _face(card: int) -> CardFace:
    suit, sign = translated(COLOUR_NAMES[colour(card)]), RANKS[rank(card)]
    names = {
        "T": say("{suit} trump", suit=suit),
        "+": say("{suit} ascending kirin", suit=suit),
        "-": say("{suit} descending kirin", suit=suit),
    }
    kind = "kirin" if is_kirin(card) else "trump" if rank(card) == TRUMP else "number"
    return CardFace(
        card=name(card),
        name=names.get(sign, f"{suit} {sign}"),
        suit=suit,
        rank=sign,
        copies=1,
        details={"kind": kind},
    )
