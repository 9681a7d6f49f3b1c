"""Sets of cards as masks: bit c stands for card c. A game's rules and positions use them; kernels have `bits`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def mask(cards: Iterable[int]) -> int:
    """The set of cards as a mask."""
    return sum(1 << card for card in set(cards))


def members(cards: int) -> Iterator[int]:
    """The cards of a mask, in ascending order."""
    while cards:
        yield (cards & -cards).bit_length() - 1
        cards &= cards - 1
