"""Tricks in a line: ``3:S1,G2,D4,B6``, the seat that leads and the cards in play order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from solver.notation.runs import Found, Mark
from solver.notation.values import CardNames, Cards, Value, listed, parts, piles, run_of

_LED = re.compile(r"\s*(\d{1,9}):(.*)", re.DOTALL)
_ROW = Cards(in_order=True)


@dataclass(frozen=True)
class Led:
    """A trick with its leader, if that is told."""

    leader: int | None
    cards: Any


class Trick(Value):
    """The trick on the table, its leader first or, where that is told elsewhere, without."""

    def read(self, text: str, names: CardNames) -> Any:
        led = led_by(text)
        cards = _ROW.read(led.cards, names)
        return cards if led.leader is None else Led(led.leader, cards)

    def tidied(self, value: Any, names: CardNames) -> Any:
        return self.read(value, names) if isinstance(value, str) else _ROW.tidied(value, names)

    def write(self, value: Any) -> str:
        if isinstance(value, Led):
            return f"{value.leader}:{listed(value.cards)}"
        return listed(value)


class Tricks(Value):
    """The finished tricks, parted by slashes. `words` names those keys of a trick, beside its cards.

    They are written behind the cards: ``2:F2,F9,E1:take:F2,E1:give:F9``. When they are read, their first letters
    will do, and so will blanks, or nothing, in place of the colons: ``2:F2F9E1tF2E1gF9``.
    """

    def __init__(self, words: Mapping[str, str] | None = None, single: frozenset[str] = frozenset()) -> None:
        self._words = words or {}
        self._single = single
        self._marks = [Mark(word) for word in self._words]
        either = "|".join(f"{word}|{word[0]}" for word in self._words)
        self._marked = re.compile(rf"(:(?:{either}):)", re.IGNORECASE) if either else None

    def read(self, text: str, names: CardNames) -> Any:
        return [self._trick(one, names) for one in piles(text)]

    def tidied(self, value: Any, names: CardNames) -> Any:
        if isinstance(value, str):
            return self.read(value, names)
        return [self._tidied(one, names) for one in value] if isinstance(value, list | tuple) else value

    def _tidied(self, value: Any, names: CardNames) -> Any:
        if isinstance(value, str):
            return self._trick(value, names)
        if isinstance(value, Mapping):
            lists = {"cards", *self._words.values()}
            return {
                key: self._part(key, one, names) if key in lists and one is not None else one
                for key, one in value.items()
            }
        return value

    def _part(self, key: str, value: Any, names: CardNames) -> Any:
        if key in self._single:
            return names.card(value) if isinstance(value, str) else value
        return _ROW.tidied(value, names)

    def _trick(self, text: str, names: CardNames) -> dict[str, Any]:
        led = led_by(text)
        found: dict[str, Any] = {} if led.leader is None else {"leader": led.leader}
        cards: list[str] = []
        found["cards"] = cards
        for one in self._found(led.cards, names):
            if isinstance(one, Mark):
                cards = found.setdefault(self._words[one.word], [])
            elif one or self._marked is None:
                cards.append(one)
        for key in self._single & found.keys():
            given = found[key]
            found[key] = given[0] if len(given) == 1 else ",".join(given) or None
        return found

    def _found(self, text: str, names: CardNames) -> Iterator[Found]:
        """The cards and marks of a trick."""
        left = self._marks
        for word in parts(text):
            run = run_of(word, names, left)
            if self._marked is not None and len(run) == 1 and run[0] == word:  # what it has is no card
                run = [one for part in self._marked.split(word) if part for one in run_of(part, names, left)]
            yield from run
            behind = [self._marks.index(one) + 1 for one in run if isinstance(one, Mark)]
            left = self._marks[max(behind) :] if behind else left

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
