"""Kirin's cards: numbers 0 to 35 in order of strength, as text, and as masks of 36 bits.

The best card of a set is its highest bit. Weakest first when ascending, the cards are

* 0–7 kirin: ``2 * strength + (0 ascending, 1 descending)``;
* 8–31 numbers: ``8 + 4 * rank + strength``, rank 0–5 for the numbers 1–6;
* 32–35 trumps: ``32 + strength``;

where strength is 0–3 for G B S D. Descending reverses numbers among themselves and trumps among themselves.

Colours are 0 to 3 for D (Azure Dragon), S (Vermilion Bird), B (White Tiger) and G (Black Tortoise); ranks 0 to 5
are the numbers 1 to 6, then the trump, the ascending and the descending kirin. The canonical order is by colour,
then by rank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from solver.display import CardFace
from solver.language import say, translated

COLOURS = "DSBG"
COLOUR_NAMES = ("Azure Dragon", "Vermilion Bird", "White Tiger", "Black Tortoise")
RANKS = "123456T+-"
CARDS = len(COLOURS) * len(RANKS)
TRUMP = RANKS.index("T")
ASCENDING_KIRIN = RANKS.index("+")  # this rank and the one above are kirin

ASCENDING, DESCENDING = 0, 1
DIRECTIONS = ("ascending", "descending")


def name(card: int) -> str:
    return _NAMES[card]


def names(cards: Iterable[int]) -> list[str]:
    return [_NAMES[card] for card in cards]


def is_kirin(card: int) -> bool:
    return card < 8


def colour(card: int) -> int:
    return 3 - (card >> 1 if is_kirin(card) else card & 3)


def rank(card: int) -> int:
    return ASCENDING_KIRIN + (card & 1) if is_kirin(card) else (card - 8) >> 2


ALL = (1 << CARDS) - 1
KIRIN = 0xFF
CANONICAL = tuple(sorted(range(CARDS), key=lambda card: (colour(card), rank(card))))
_NAMES = tuple(COLOURS[colour(card)] + RANKS[rank(card)] for card in range(CARDS))
TEXTS = tuple(_NAMES[card] for card in CANONICAL)
NUMBERS = dict(zip(TEXTS, CANONICAL, strict=True))


def members(cards: int) -> Iterator[int]:
    """The cards of a mask, in canonical order."""
    return (card for card in CANONICAL if cards >> card & 1)


@cache
def of_colour(which: int) -> int:
    """The mask of a colour's nine cards."""
    return sum(1 << card for card in range(CARDS) if colour(card) == which)


# ----------------------------------------------------------------------------------------------------
# The faces of Kirin's cards.


def faces(variant: str | None) -> tuple[CardFace, ...]:
    """Describe the 36 cards in the deck's order; they are the same in every variant."""
    return tuple(map(_face, CANONICAL))


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
