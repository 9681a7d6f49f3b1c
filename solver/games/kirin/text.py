"""The text formats of Kirin's positions and records."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from pydantic import ValidationError

from solver.codec import (
    CARD_OR_CARDS,
    FLAG,
    PILES,
    RULES,
    WHOLE,
    WORD,
    Data,
    Led,
    Names,
    Notation,
    Tricks,
)
from solver.display import POINTS
from solver.game import Game
from solver.games.kirin.deck import ASCENDING, DIRECTIONS, TEXTS, members, names
from solver.games.kirin.keys import is_fresh
from solver.tricks.text import (
    AS_PLAYED,
    HANDS,
    MEMORY,
    OF_MATCH,
    TABLE,
)


def notation(game: Game) -> Notation:
    """Return the text formats of all keys of Kirin's positions and records."""
    return Notation(
        values={
            "points": POINTS,
            "declared_counts": FLAG,
            "rules": RULES,
            **OF_MATCH,
            "seat": WHOLE,
            "direction": WORD,
            **HANDS,
            "declared": CARD_OR_CARDS,
            "won": PILES,
            "history": Tricks(),
            **MEMORY,
            **TABLE,
            **AS_PLAYED,
        },
        rounds={"declared": CARD_OR_CARDS, "won": PILES, "history": Tricks(), "rules": RULES, **AS_PLAYED},
        names=lambda data: Names(TEXTS),
        shortened=_shortened,
    )


def _shortened(data: Data, position: Any) -> Data:
    """Return the data to write: without what follows, and with the leader in front of the trick's cards."""
    if "seat" not in data and "hands" not in data:
        return data  # a record
    known, history, leader = "hands" in data, data.get("history"), data["leader"]
    left_out = {key for key, value in data.items() if key in _MAY_BE_EMPTY and not any(value or ())}
    if known and history is not None:
        follows = data["won"] == [names(members(pile)) for pile in position.past.won]
        left_out = left_out - {"history", "won"} | {"direction"} | ({"won"} if follows else set())
    elif known and data.get("direction") == DIRECTIONS[ASCENDING] and is_fresh(data):
        left_out.add("direction")
    if data.get("trick") or (history and "gone" not in data):
        left_out.add("leader")
    written = {key: value for key, value in data.items() if key not in left_out}
    read = type(position).model_validate
    for key in ("direction", "leader") if "gone" in data else ():
        less = {other: value for other, value in data.items() if other != key}
        with suppress(ValidationError):
            if read(less) == read(data):
                data = less
                written.pop(key, None)
    return written | {"trick": Led(leader, data["trick"])} if data.get("trick") else written


_MAY_BE_EMPTY = {"trick", "declared", "won", "history", "gone", "voids"}
