"""Tricks in a line: ``3:S1,G2,D4,B6``, the seat that leads and the cards in play order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from solver.notation.values import CardOf, Cards, Value, listed, piles

_LED = re.compile(r"\s*(\d{1,9}):(.*)", re.DOTALL)
_ROW = Cards(in_order=True)


@dataclass(frozen=True)
class Led:
    """A trick with its leader, if that is told."""

    leader: int | None
    cards: Any


class Trick(Value):
    """The trick on the table, its leader first or, where that is told elsewhere, without."""

    def read(self, text: str, card: CardOf) -> Any:
        led = led_by(text)
        cards = _ROW.read(led.cards, card)
        return cards if led.leader is None else Led(led.leader, cards)

    def tidied(self, value: Any, card: CardOf) -> Any:
        return self.read(value, card) if isinstance(value, str) else _ROW.tidied(value, card)

    def write(self, value: Any) -> str:
        if isinstance(value, Led):
            return f"{value.leader}:{listed(value.cards)}"
        return listed(value)


class Tricks(Value):
    """The finished tricks, parted by slashes. `lists` has those keys of a trick, beside its cards, that are lists.

    Behind the cards they are written with their names: ``2:F2,F9,E1:take:F2,E1:give:F9``. `words` names the keys;
    when they are read, their first letters will do, and so will blanks in place of the colons.
    """

    def __init__(self, words: Mapping[str, str] | None = None, single: frozenset[str] = frozenset()) -> None:
        self._words = words or {}
        self._single = single
        whole = "|".join(self._words)
        # The first letter of a word will do, but for where it is the suit of a card before the word itself.
        short = "|".join(rf"{word[0]}(?=:(?!(?:{whole}):))" for word in self._words)
        self._marked = re.compile(rf"(?::|\s+)({whole})(?::|\s+)|:({short}):", re.IGNORECASE) if whole else None
        self._letters = {word[0]: key for word, key in self._words.items()}

    def read(self, text: str, card: CardOf) -> Any:
        return [self._trick(one, card) for one in piles(text)]

    def tidied(self, value: Any, card: CardOf) -> Any:
        if isinstance(value, str):
            return self.read(value, card)
        return [self._tidied(one, card) for one in value] if isinstance(value, list | tuple) else value

    def _tidied(self, value: Any, card: CardOf) -> Any:
        if isinstance(value, str):
            return self._trick(value, card)
        if isinstance(value, Mapping):
            lists = {"cards", *self._words.values()}
            return {
                key: self._part(key, one, card) if key in lists and one is not None else one
                for key, one in value.items()
            }
        return value

    def _part(self, key: str, value: Any, card: CardOf) -> Any:
        if key in self._single:
            return card(value) if isinstance(value, str) else value
        return _ROW.tidied(value, card)

    def _trick(self, text: str, card: CardOf) -> dict[str, Any]:
        led = led_by(text)
        found_parts = self._marked.split(led.cards) if self._marked else [led.cards]
        cards, *marked = [one for one in found_parts if one is not None]  # the one or the other way to mark
        found: dict[str, Any] = {} if led.leader is None else {"leader": led.leader}
        found["cards"] = _ROW.read(cards, card)
        for word, rest in zip(marked[::2], marked[1::2], strict=True):
            key = self._letters[word[0].lower()]
            listed = _ROW.read(rest, card)
            found[key] = (
                (listed[0] if len(listed) == 1 else None if not listed else rest)
                if key in self._single
                else listed
            )
        return found

    def write(self, value: Any) -> str:
        return "/".join(map(self._written, value)) or "-"

    def _written(self, trick: Mapping[str, Any]) -> str:
        text = f"{trick['leader']}:{listed(trick['cards'])}"
        for word, key in self._words.items():
            cards = trick.get(key)
            if cards:
                text += f":{word}:{listed([cards] if key in self._single else cards)}"
        return text

    def sorted(self, value: Any, place: Callable[[str], int]) -> Any:
        lists = set(self._words.values()) - self._single
        return [
            {key: sorted(one, key=place) if key in lists else one for key, one in trick.items()} for trick in value
        ]


def led_by(text: str) -> Led:
    """A trick's text with its leader split off, if it begins with one."""
    found = _LED.fullmatch(text)
    return Led(None, text) if found is None else Led(int(found[1]), found[2])
