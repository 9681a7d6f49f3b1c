"""The cards of a deck by their texts: as the deck has them, and in its order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solver.notation.runs import Found, Mark, Spelling, readings, spelling


class Names:
    """A deck's cards. A text in letters of another case means the card that it names alone.

    `played` are further texts of cards: as they are written when they are played.
    """

    def __init__(self, codes: Iterable[str], played: Iterable[str] = ()) -> None:
        self._places = {code: place for place, code in enumerate(codes)}
        self._spelling: Spelling = spelling((*self._places, *played))

    def card(self, text: str) -> str:
        """The card that a text means, as the deck writes it; a text that means none, as it is."""
        if text in self._places:
            return text
        meant = self._spelling.folded.get(text.casefold(), ())
        return meant[0] if len(meant) == 1 else text

    def has(self, text: str) -> bool:
        """Whether a text is a card's, as the deck writes it."""
        return text in self._places

    def run(self, text: str, marks: Sequence[Mark] = ()) -> list[Found]:
        """The cards, and the marks between them, that a text without separators means (`solver.notation.runs`)."""
        return readings(text, self._spelling, marks)

    def place(self, text: str) -> int:
        """Where a card stands in the deck; behind all cards for a text that is none."""
        return self._places.get(text, len(self._places))
