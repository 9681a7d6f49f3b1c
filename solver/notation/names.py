"""The cards of a deck by their texts: as the deck has them, and in its order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache


class Names:
    """A deck's cards. A text in letters of another case means the card that it names alone."""

    def __init__(self, codes: Iterable[str]) -> None:
        self._places = {code: place for place, code in enumerate(codes)}
        self._folded = _folded(tuple(self._places))

    def card(self, text: str) -> str:
        """The card that a text means, as the deck writes it; a text that means none, as it is."""
        if text in self._places:
            return text
        return self._folded.get(text.casefold(), text)

    def place(self, text: str) -> int:
        """Where a card stands in the deck; behind all cards for a text that is none."""
        return self._places.get(text, len(self._places))


@lru_cache(maxsize=32)
def _folded(codes: tuple[str, ...]) -> Mapping[str, str]:
    """The codes by their folded case, but for those that another one shares."""
    found: dict[str, str] = {}
    shared = set()
    for code in codes:
        folded = code.casefold()
        if folded in found:
            shared.add(folded)
        found[folded] = code
    return {folded: code for folded, code in found.items() if folded not in shared}
