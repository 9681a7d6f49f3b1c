"""Cards with nothing between them: ``S1S4BT``, and a trick with what its winner took and gave: ``F2F9E1tF2E1gF9``.

A text that is a card's name is that card. Any other is read as names one behind the other; a reading in the deck's
own letters comes before readings in letters of another case. What can still be read in two ways is left as it was
written, as `TwoReadings`, for the checks to say so: nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_MOST_LETTERS = 2000  # of cards with nothing between them
_WAYS = 2  # readings are followed no further: two are a fault already
_COLON, _NOTHING = ":", "-"


@dataclass(frozen=True)
class Mark:
    """A word that may stand between cards, by itself or by its first letter; there may be colons beside it."""

    word: str


class TwoReadings(str):
    """A text that can be read in two ways, as it was written; `message` tells both."""

    message: str

    @classmethod
    def of(cls, text: str, ways: Sequence[str]) -> TwoReadings:
        """A text with its readings."""
        found = cls(text)
        one, other = ways
        found.message = f"{text!r} can be read as {one} or as {other}: write commas between the cards"
        return found


Found = str | Mark
_Way = tuple[Any, Found] | None  # a reading: what comes before, and its last part
_Ways = dict[tuple[int, int], list[_Way]]  # by the place that is reached, and how many marks are behind it


@dataclass(frozen=True)
class Spelling:
    """The texts of a deck's cards; `folded` has them by their folded case, `lengths` are how long they are."""

    exact: frozenset[str]
    folded: Mapping[str, tuple[str, ...]]
    lengths: tuple[int, ...]


@lru_cache(maxsize=32)
def spelling(codes: tuple[str, ...]) -> Spelling:
    """How the cards with these texts are written."""
    folded: dict[str, tuple[str, ...]] = {}
    for code in dict.fromkeys(codes):
        folded[code.casefold()] = (*folded.get(code.casefold(), ()), code)
    return Spelling(frozenset(codes), folded, tuple(sorted({len(code) for code in codes if code})))


def readings(text: str, deck: Spelling, marks: Sequence[Mark] = ()) -> list[Found]:
    """The cards and marks that a text means; what means nothing is left as a text, behind the cards before it.

    Marks stand in the order of `marks`, each once at most.
    """
    nothing = bool(text) and not deck.lengths and not marks  # that a text could mean
    if nothing or text in deck.exact or len(text) > _MOST_LETTERS:
        return [text]
    ways: _Ways = {}
    for exact in (True, False):
        ways = _ends(text, deck, () if exact else marks, exact=exact)
        found = [way for (end, _), there in ways.items() if end == len(text) for way in there]
        if len(found) > 1:
            return [TwoReadings.of(text, [_told(_parts(way)) for way in found[:_WAYS]])]
        if found:
            return _parts(found[0])
    return _as_far_as_known(text, ways)


def _ends(text: str, deck: Spelling, marks: Sequence[Mark], *, exact: bool) -> _Ways:
    """How each place of a text can be reached, with so many marks behind it."""
    ways: _Ways = {(0, 0): [None]}
    for place in range(len(text)):
        for behind in range(len(marks) + 1):
            here = ways.get((place, behind))
            if here is None:
                continue
            steps: list[tuple[int, int, Found]] = [
                (place + len(card), behind, card) for card in _cards_at(text, place, deck, exact=exact)
            ]
            steps += _marks_at(text, place, marks, behind)
            for end, after, found in steps:
                there = ways.setdefault((end, after), [])
                there += [(way, found) for way in here[: _WAYS - len(there)]]
    return ways


def _cards_at(text: str, place: int, deck: Spelling, *, exact: bool) -> Iterator[str]:
    for length in deck.lengths:
        part = text[place : place + length]
        if len(part) < length:
            return
        if not exact:
            yield from (card for card in deck.folded.get(part.casefold(), ()) if len(card) == length)
        elif part in deck.exact:
            yield part


def _marks_at(text: str, place: int, marks: Sequence[Mark], behind: int) -> Iterator[tuple[int, int, Found]]:
    """The marks at a place of a text: where each ends, how many are then behind, and the mark."""
    start = place + text.startswith(_COLON, place)
    for number, mark in enumerate(marks[behind:], start=behind):
        for word in (mark.word, mark.word[0]):
            end = start + len(word)
            if text[start:end].lower() != word:
                continue
            end += text.startswith(_COLON, end)
            nothing = text[end : end + 2]
            if nothing in (_NOTHING, _NOTHING + _COLON):
                end += 1
            yield end, number + 1, mark


def _parts(way: _Way) -> list[Found]:
    found: list[Found] = []
    while way is not None:
        way, part = way
        found.append(part)
    return found[::-1]


def _told(parts: Sequence[Found]) -> str:
    return " ".join(part.word if isinstance(part, Mark) else part for part in parts)


def _as_far_as_known(text: str, ways: _Ways) -> list[Found]:
    """The cards that a text begins with, then the rest, if that begins as a card may; else the whole text."""
    for (place, _), there in sorted(ways.items(), reverse=True):
        if 0 < place < len(text) and text[place].isalpha() and len(there) == 1:
            return [*_parts(there[0]), text[place:]]
    return [text]
