"""The text formats of Aqua Regia's positions and records.

A history is one list of moves, each with its seat: ``0:Zn,Zn/1:pass/2:pass:Zn:Pb``. If a trick does not begin in
the field that follows from the earlier moves, the field stands in front of it: ``acid/0:Fe``. If a history does
not begin with the round, the field and the number of cards in the stock stand in front: ``acid:17/0:Fe``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticCustomError

from solver import decks
from solver.codec import (
    CARD,
    CARDS,
    DATA,
    FLAG,
    NOTHING,
    NUMBERS,
    PILES,
    ROW,
    RULES,
    WHOLE,
    WORD,
    Data,
    Listed,
    Names,
    Notation,
    TwoReadings,
    Value,
    Voids,
    cards_of,
    listed,
    parts,
    piles,
    texts,
    unescaped,
    written,
)
from solver.display import POINTS
from solver.game import Game
from solver.games.aqua_regia.deck import FIELDS, KIND, MOST_COPIES, MOST_METALS, WATER
from solver.games.aqua_regia.keys import NO_LEAD, Seen, Step, complete, first_stock, kind_of
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rules import EXCHANGE, HAND, PASS
from solver.texts import plain as typed

# ----------------------------------------------------------------------------------------------------
# Moves in a line of text: ``0:Zn,Zn/1:pass/2:pass:Zn:Pb``, or shorter ``0:ZnZn/p/pZnPb``.


_FIELD = re.compile(rf"({'|'.join(FIELDS)})(?::(\d{{1,9}}))?", re.IGNORECASE)
_MOVE = re.compile(r"(?:(\d{1,9}):)?(.*)", re.DOTALL)
_IN_PASS = re.compile(rf"[\s,:{EXCHANGE}]+")
_MOST_WORDS = 20  # of a pass, which has two cards: each word may be many things


class Moves(Listed):
    """The text format of a history: moves separated by slashes."""

    counts = ("trick", "move")
    words = (PASS, "lead", *"-".join(FIELDS).split("-"))

    def of_text(self, text: str, names: Names) -> Any:
        seen: list[Seen] = []
        meant: dict[str, str] = {}  # each text is parsed once
        field, stock = None, None
        for part in piles(text):
            begun = _FIELD.fullmatch(part)
            if begun is not None:
                field, stock = begun[1].lower(), int(begun[2]) if begun[2] else None
                continue
            move = _MOVE.fullmatch(part)
            assert move is not None  # the pattern matches every text
            if move[2] not in meant:
                meant[move[2]] = plain(move[2], names)
            seen.append(Seen(int(move[1]) if move[1] else None, meant[move[2]], field, stock))
            field, stock = None, None
        return seen

    def of_list(self, entries: Sequence[Any], names: Names) -> Any:
        return [_tidied(trick, names) for trick in entries]

    def write(self, value: Any) -> str:
        return "/".join(map(_written, value)) or "-"


def _tidied(trick: Any, names: Names) -> Any:
    if not isinstance(trick, Mapping) or texts(trick.get("moves")) is None:
        return trick
    return {**trick, "moves": [plain(move, names) for move in trick["moves"]]}


def plain(text: str, names: Names) -> str:
    """Return a move in its standard form: ``pass Zn>Pb`` for ``pass:Zn:Pb`` or ``pZnPb``.

    Text that could be both a play and a pass is kept as written, as `TwoReadings`.
    """
    text = typed(text)
    words = parts(text)
    symbols = [unescaped(word) for word in words]
    if all(map(names.has, symbols)):
        return " ".join(symbols)
    passed = _passed([word for word in _IN_PASS.split(text) if word], names)
    played = cards_of(text, names)
    unclear = next((entry for entry in played if isinstance(entry, TwoReadings)), None)
    if passed is not None and all(map(names.has, played)):
        return TwoReadings.of(text, [f"{' '.join(played)} played", passed])
    return passed or unclear or " ".join(card or NOTHING for card in played)


def _passed(words: Sequence[str], names: Names) -> str | None:
    """Parse words as a pass and return it as text; None if they are not a pass."""
    if not 0 < len(words) <= _MOST_WORDS:
        return None
    first = words[0].lower()
    if first == PASS:
        cards = [card for word in words[1:] for card in cards_of(word, names)]
        return f"{PASS} {EXCHANGE.join(cards)}".rstrip()
    for word in (PASS, PASS[0]):
        if first.startswith(word):
            rest = [words[0][len(word) :], *words[1:]]
            cards = [card for word in rest if word for card in cards_of(word, names)]
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


# ----------------------------------------------------------------------------------------------------
# The keys of positions and records.


class DealPasses(Value):
    """The text format of `deal_passes`: seat, field and the most playable cards, as in ``0:water:1/2:acid:0``."""

    def read(self, text: str) -> Any:
        passes = []
        for part in piles(text):
            seat, _, rest = part.partition(":")
            field, _, most = rest.partition(":")
            deal_pass = {"seat": WHOLE.read(seat), "field": field.lower()}
            passes.append({**deal_pass, "max_playable": WHOLE.read(most)} if most else deal_pass)
        return passes

    def write(self, value: Any) -> str:
        return (
            "/".join(f"{entry['seat']}:{entry['field']}:{entry.get('max_playable', 0)}" for entry in value) or "-"
        )


class AsPlayed(Moves):
    """The text format of `as_played`: moves as in a history, such as ``1:Zn,Zn/2:pass:Zn:Li/0:no:lead:acid``."""

    def of_text(self, text: str, names: Names) -> Any:
        return [self._read(part, names) for part in piles(text)]

    def of_list(self, entries: Sequence[Any], names: Names) -> Any:
        return [self._read(entry, names) if isinstance(entry, str) else entry for entry in entries]

    def _read(self, text: str, names: Names) -> str:
        seat, _, move = text.partition(":")
        words = " ".join(_IN_PASS.split(move.strip().lower()))
        return f"{seat}:{words if words.startswith(NO_LEAD) else plain(move, names)}"

    def write(self, value: Any) -> str:
        moves = ((int(seat), move) for seat, _, move in (text.partition(":") for text in value))
        return "/".join(
            f"{seat}:{':'.join(move.split())}" if move.startswith(NO_LEAD) else _written(Seen(seat, move))
            for seat, move in moves
        )


def notation(game: Game) -> Notation:
    """Return the text formats of all keys of Aqua Regia's positions and records."""
    return Notation(
        values={
            "points": POINTS,
            "deck": DATA,
            "rules": RULES,
            "players": WHOLE,
            "seat": WHOLE,
            "hand": CARDS,
            "drawn": CARD,
            "hands": PILES,
            "counts": NUMBERS,
            "field": WORD,
            "reversed": FLAG,
            "turn": WHOLE,
            "table": ROW,
            "owner": WHOLE,
            "stock": ROW,
            "stock_count": WHOLE,
            "discard": CARDS,
            "known": PILES,
            "deal_passes": DealPasses(),
            "gone": CARDS,
            "tricks": WHOLE,
            "voids": Voids(),
            "history": Moves(),
            "as_played": AsPlayed(),
        },
        rounds={"hands": PILES, "counts": NUMBERS},
        names=lambda data: Names(decks.meant(KIND, data.get("deck")).index),
        most_entries=2 * MOST_COPIES * MOST_METALS,
        shortened=_shortened,
    )  # fmt: skip


INFERRED = frozenset(
    ["counts", "field", "reversed", "turn", "table", "owner", "stock_count", "discard", "known", "deal_passes"]
)  # which are written only if they don't follow from the others
_MAY_BE_EMPTY = ("reversed", "table", "discard", "stock", "voids")


def _shortened(data: Data, position: BaseModel) -> Data:
    """Return the data to write: without what follows, and with the history as one list of moves."""
    if not isinstance(position, Round):
        return data
    data = {key: value for key, value in data.items() if value or key not in _MAY_BE_EMPTY}
    values = {key: getattr(position, key) for key in data.keys() | {"deck"}}
    values |= {key: tuple(data[key]) for key in ("discard",) if key in data}
    values |= {key: tuple(map(tuple, data[key])) for key in ("known",) if key in data}
    if position.history:
        data["history"] = values["history"] = _moves(position)
    fresh = not (position.history or position.table or position.discard) and set(position.sizes) == {HAND}
    if position.viewer is not None and (position.history or fresh):
        data = {"players": position.players, **data}
        values["players"] = position.players
    written = data.keys() - INFERRED
    while True:  # a key that follows from the others may no longer do so beside one that must be written
        filled = {key: values[key] for key in written | {"deck"}}
        with suppress(PydanticCustomError):
            complete(kind_of(data), filled, [])
        needed = {key for key in data if key in written or filled.get(key) != values[key]}
        if needed == written:
            break
        written = needed
    nothing: Data = {key: () for key in INFERRED & filled.keys() - data.keys() if filled[key]}
    return {key: value for key, value in data.items() if key in written} | nothing


def _moves(position: Round) -> list[Seen]:
    """Return a position's history as one list of moves.

    A trick's field and stock are given only where they do not follow from the earlier moves.
    """
    ends = [step.following for step in position.steps if isinstance(step, Step) and step.clears]
    moves = []
    for number, (trick, follows) in enumerate(zip(position.history or (), [WATER, *ends], strict=False)):
        middle = not number and trick.stock_count != first_stock(position.metals, position.players)
        field = trick.field if middle or trick.field != FIELDS[follows] else None
        seats = ((trick.leader + turn) % position.players for turn in range(len(trick.moves)))
        (leader, first), *others = zip(seats, trick.moves, strict=True)
        moves.append(Seen(leader, first, field, trick.stock_count if middle else None))
        moves += (Seen(seat, text) for seat, text in others)
    return moves
