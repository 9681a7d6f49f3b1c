"""The questions of puzzles: what each is about, and the keys of a solution that answer it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from puzzles import compounding, moves
from puzzles.verdicts import Subject

Ask = Literal["best-move", "value", "winnable", "all-matches", "compound"]
ASKS: tuple[str, ...] = get_args(Ask)


@dataclass(frozen=True)
class Asked:
    """A question: its subject, and the keys of a solution that answer it."""

    subject: Subject
    keys: tuple[str, ...]


ASKED: Mapping[str, Asked] = {
    "best-move": Asked(moves, ("best", "value")),
    "value": Asked(moves, ("best", "value")),
    "winnable": Asked(moves, ("best", "value", "winnable")),
    "all-matches": Asked(moves, ("best", "value", "moves")),
    "compound": Asked(compounding, ("total", "bonus", "recipes")),
}


def answered_by(key: str) -> list[str]:
    """The questions that a key of a solution answers."""
    return [ask for ask in ASKS if key in ASKED[ask].keys]
