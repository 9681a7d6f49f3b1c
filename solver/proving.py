"""What a game's search contributes to a certificate: its answers at every node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Proving:
    """The search of one player's score, for making its certificate (`puzzles.proofs`).

    `after(node, text)` makes a move from a node, the first being `start`. `reaches(node, score)` says whether the
    score of the whole round is at least `score` there; None if a limit came first.
    """

    start: Any
    after: Callable[[Any, str], Any]
    reaches: Callable[[Any, int], bool | None]
