"""How the values of a position's keys are written in a line of text, and what JSON may hold instead of a list.

A `Value` turns text into JSON-like data (`read`) and back (`write`). `tidied` takes what a caller sent under the
key in JSON: a list of cards may be one text there too, and cards may have letters of either case. What it cannot
make sense of it leaves as it is, so that the position's own checks say what is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from solver.notation.escapes import NOTHING, escaped, unescaped
from solver.notation.runs import Found, Mark


class CardNames(Protocol):
    """The cards of a deck by their texts (`solver.notation.names.Names`)."""

    def card(self, text: str) -> str:
        """The card that a text means, as the deck writes it; a text that means none, as it is."""

    def has(self, text: str) -> bool:
        """Whether a text is a card's, as the deck writes it."""

    def run(self, text: str, marks: Sequence[Mark] = ()) -> list[Found]:
        """The cards, and the marks between them, that a text without separators means."""

    def place(self, text: str) -> int:
        """Where a card stands in the deck."""


_PARTS = re.compile(r"[\s,]+")
_TIMES = re.compile(r"(.+)[×*]([1-9])")
_BEHIND_TIMES = re.compile(r"(?<=[×*][1-9])(?=.)")
YES, NO = "yes", "no"


class Value:
    """A text as it is, such as the name of a direction."""

    collects = True  # where it is a list, whether the checks tell what is wrong with each entry

    def read(self, text: str, names: CardNames) -> Any:
        """JSON-like data for what stands behind the key in a line."""
        return unescaped(text)

    def tidied(self, value: Any, names: CardNames) -> Any:
        """JSON-like data for what stands under the key in JSON."""
        return value

    def write(self, value: Any) -> str:
        """What stands behind the key in a line, for a value of a valid position."""
        return escaped(str(value))

    def sorted(self, value: Any, place: Callable[[str], int]) -> Any:
        """A value in canonical order; `place` is a card's place in the deck."""
        return value


class Word(Value):
    """A text of which the case does not matter."""

    def read(self, text: str, names: CardNames) -> Any:
        return unescaped(text).lower()


class Whole(Value):
    """A whole number."""

    def read(self, text: str, names: CardNames) -> Any:
        return int(text) if text.isascii() and text.isdecimal() and len(text) <= 20 else text


class Flag(Value):
    """Yes or no."""

    def read(self, text: str, names: CardNames) -> Any:
        return {YES: True, NO: False}.get(text.lower(), text)

    def write(self, value: Any) -> str:
        return YES if value else NO


class Numbers(Value):
    """Whole numbers, such as one a seat: ``10,9,8``."""

    collects = False

    def read(self, text: str, names: CardNames) -> Any:
        return [Whole().read(part, names) for part in parts(text)]

    def write(self, value: Any) -> str:
        return ",".join(map(str, value)) or NOTHING


class Data(Value):
    """A name, or an object, which is written as JSON."""

    def read(self, text: str, names: CardNames) -> Any:
        plain = unescaped(text)
        if plain.startswith("{"):
            try:
                return json.loads(plain)
            except ValueError:
                return plain
        return plain

    def write(self, value: Any) -> str:
        if isinstance(value, str):
            return escaped(value)
        return escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


class Card(Value):
    """One card."""

    def read(self, text: str, names: CardNames) -> Any:
        return names.card(unescaped(text)) if text != NOTHING else ""

    def tidied(self, value: Any, names: CardNames) -> Any:
        return names.card(value) if isinstance(value, str) else value

    def write(self, value: Any) -> str:
        return written(value) if value else NOTHING


class Cards(Value):
    """A list of cards: ``S1,S4,BT``. In canonical order, unless they are `in_order` as they lie."""

    def __init__(self, *, in_order: bool = False) -> None:
        self._in_order = in_order

    def read(self, text: str, names: CardNames) -> Any:
        return cards_of(text, names)

    def tidied(self, value: Any, names: CardNames) -> Any:
        if isinstance(value, str):
            return self.read(value, names)
        if isinstance(value, list | tuple):
            return [Card().tidied(one, names) for one in value]
        return value

    def write(self, value: Any) -> str:
        return listed(value)

    def sorted(self, value: Any, place: Callable[[str], int]) -> Any:
        return value if self._in_order else sorted(value, key=place)


class Piles(Value):
    """A list of cards a seat: ``S1,S4/BT/-/D6``."""

    def __init__(self, of: Value | None = None) -> None:
        self._of = of or Cards()
        self.collects = self._of.collects

    def read(self, text: str, names: CardNames) -> Any:
        return [self._of.read(part, names) for part in piles(text)]

    def tidied(self, value: Any, names: CardNames) -> Any:
        if isinstance(value, str):
            return self.read(value, names)
        if isinstance(value, list | tuple):
            return [self._of.tidied(one, names) for one in value]
        return value

    def write(self, value: Any) -> str:
        return "/".join(map(self._of.write, value)) or NOTHING

    def sorted(self, value: Any, place: Callable[[str], int]) -> Any:
        return [self._of.sorted(one, place) for one in value]


class Rules(Value):
    """Options that are on, by their names: ``one,another``; in JSON an object, or this text."""

    def read(self, text: str, names: CardNames) -> Any:
        return dict.fromkeys(parts(text), True)

    def tidied(self, value: Any, names: CardNames) -> Any:
        return self.read(value, names) if isinstance(value, str) else value

    def write(self, value: Any) -> str:
        return ",".join(value) or NOTHING


class CardOrCards(Value):
    """One card or, where there are several, a list of one a seat in which a hyphen stands for none."""

    def read(self, text: str, names: CardNames) -> Any:
        found = cards_of(text, names)
        return found[0] if len(found) == 1 else found

    def tidied(self, value: Any, names: CardNames) -> Any:
        return self.read(value, names) if isinstance(value, str) and value else CARDS.tidied(value, names)

    def write(self, value: Any) -> str:
        return CARD.write(value) if isinstance(value, str) else listed(value)


class HandOrHands(Value):
    """A hand or, with slashes, one a seat."""

    def read(self, text: str, names: CardNames) -> Any:
        return (PILES if "/" in text else CARDS).read(text, names)

    def tidied(self, value: Any, names: CardNames) -> Any:
        if isinstance(value, str):
            return self.read(value, names)
        return (CARDS if texts(value) else PILES).tidied(value, names)


TEXT, WORD, WHOLE, FLAG, NUMBERS, DATA, CARD = Value(), Word(), Whole(), Flag(), Numbers(), Data(), Card()
RULES = Rules()
CARDS, ROW, PILES = Cards(), Cards(in_order=True), Piles()
CARD_OR_CARDS, HAND_OR_HANDS = CardOrCards(), HandOrHands()


def written(card: str) -> str:
    """A card in a line; a colon may be part of it, as in ``D:F``."""
    return escaped(card, ":")


def listed(cards: Iterable[str]) -> str:
    """Cards in a line, in this order."""
    return ",".join(written(card) if card else NOTHING for card in cards) or NOTHING


def parts(text: str) -> list[str]:
    """The parts of a list between commas and blanks; none of a lone hyphen."""
    return [part for part in _PARTS.split(text.strip()) if part] if text.strip() != NOTHING else []


def cards_of(text: str, names: CardNames) -> list[str]:
    """The cards of a list in a line: ``S1,S4``, ``S1S4``; ``Zn×3`` or ``Zn*3`` is ``Zn,Zn,Zn``."""
    words = parts(text)
    read = {word: run_of(word, names) for word in dict.fromkeys(words)}  # a long list has the same ones often
    return [one if isinstance(one, str) else one.word for word in words for one in read[word]]


def run_of(word: str, names: CardNames, marks: Sequence[Mark] = ()) -> list[Found]:
    """The cards, and the marks between them, of a word in a line; an empty text where it is a hyphen."""
    if word == NOTHING:
        return [""]
    found: list[Found] = []
    runs: dict[str, list[Found]] = {}  # each is looked at once
    for part in _BEHIND_TIMES.split(word):
        times = _TIMES.fullmatch(part)
        text = unescaped(part if times is None else times[1])
        if text not in runs:
            runs[text] = names.run(text, marks)
        found += runs[text]
        found += [found[-1]] * (int(times[2]) - 1 if times is not None else 0)
    return found


def piles(text: str) -> list[str]:
    """The parts of a text between slashes; none of a lone hyphen."""
    return [part.strip() for part in text.split("/")] if text.strip() != NOTHING else []


def texts(value: object) -> Sequence[str] | None:
    """A list of texts, if a value is one."""
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return value
    return None


def entries(value: object) -> Sequence[Any]:
    """A list's entries; none for what is no list."""
    return value if isinstance(value, list | tuple) else ()


def mapping(value: object) -> Mapping[str, Any]:
    """An object's entries; none for what is no object."""
    return value if isinstance(value, Mapping) else {}
