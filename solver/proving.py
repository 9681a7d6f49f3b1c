"""What a game's search brings to a certificate: its answers at every node of the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Proving:
    """The search of one player's score, for the maker of its certificate (`puzzles.proofs`).

    `after(node, text)` makes a move from a node, `start` at first. `reaches(node, score)` says whether the score
    of the whole round is at least `score` there; None when a limit came first.
    """

    start: Any
    after: Callable[[Any, str], Any]
    reaches: Callable[[Any, int], bool | None]
