"""Aqua Regia's moves as a line has them: ``0:Zn,Zn/1:pass/2:pass:Zn:Pb``, or shorter ``0:ZnZn/p/pZnPb``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from solver.games.aqua_regia.cards.deck import FIELDS
from solver.games.aqua_regia.cards.text import EXCHANGE, PASS
from solver.games.aqua_regia.positions.following import Seen
from solver.notation.escapes import unescaped
from solver.notation.runs import TwoReadings
from solver.notation.values import CardNames, Value, cards_of, listed, parts, piles, texts, written

_FIELD = re.compile(rf"({'|'.join(FIELDS)})(?::(\d{{1,9}}))?", re.IGNORECASE)
_MOVE = re.compile(r"(?:(\d{1,9}):)?(.*)", re.DOTALL)
_IN_PASS = re.compile(rf"[\s,:{EXCHANGE}]+")


class Moves(Value):
    """The moves that were seen, parted by slashes."""

    def read(self, text: str, names: CardNames) -> Any:
        found: list[Seen] = []
        field, stock = None, None
        for part in piles(text):
            begun = _FIELD.fullmatch(part)
            if begun is not None:
                field, stock = begun[1].lower(), int(begun[2]) if begun[2] else None
                continue
            move = _MOVE.fullmatch(part)
            assert move is not None  # it matches every text
            found.append(Seen(int(move[1]) if move[1] else None, plain(move[2], names), field, stock))
            field, stock = None, None
        return found

    def tidied(self, value: Any, names: CardNames) -> Any:
        if isinstance(value, str):
            return self.read(value, names)
        return [_tidied(trick, names) for trick in value] if isinstance(value, list | tuple) else value

    def write(self, value: Any) -> str:
        return "/".join(map(_written, value)) or "-"


def _tidied(trick: Any, names: CardNames) -> Any:
    if not isinstance(trick, Mapping) or texts(trick.get("moves")) is None:
        return trick
    return {**trick, "moves": [plain(move, names) for move in trick["moves"]]}


def plain(text: str, names: CardNames) -> str:
    """A move as answers have it: ``Zn Zn``, ``pass``, ``pass Zn>Pb`` for ``pass:Zn:Pb`` or ``pZnPb``.

    What could be a play as well as a pass is left as it was written, as `TwoReadings`.
    """
    words = parts(text)
    symbols = [unescaped(word) for word in words]
    if all(map(names.has, symbols)):
        return " ".join(symbols)
    passed = _passed([word for word in _IN_PASS.split(text) if word], names)
    played = cards_of(text, names)
    unclear = next((one for one in played if isinstance(one, TwoReadings)), None)
    if passed is not None and all(map(names.has, played)):
        return TwoReadings.of(text, [f"{' '.join(played)} played", passed])
    return passed or unclear or " ".join(played)


def _passed(words: Sequence[str], names: CardNames) -> str | None:
    """The pass that words mean; None for those that mean none."""
    first = words[0].lower()
    if first == PASS:
        cards = [one for word in words[1:] for one in cards_of(word, names)]
        return f"{PASS} {EXCHANGE.join(cards)}".rstrip()
    for word in (PASS, PASS[0]):
        if first.startswith(word):
            rest = [words[0][len(word) :], *words[1:]]
            cards = [one for word in rest if word for one in cards_of(word, names)]
            if len(cards) in (0, 2) and all(map(names.has, cards)):
                return f"{PASS} {EXCHANGE.join(cards)}".rstrip()
    return None


def _written(seen: Seen) -> str:
    begun = "" if seen.field is None else seen.field + (f":{seen.stock}" if seen.stock is not None else "") + "/"
    first, *others = seen.text.split()
    if first == PASS:
        move = ":".join([PASS, *(written(card) for card in "".join(others).split(EXCHANGE) if others)])
    else:
        move = listed([first, *others])
    return f"{begun}{seen.seat}:{move}"
