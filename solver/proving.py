"""What a game's search contributes to a certificate: its answers at every node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Proving:
    """The search for one player's score, with which a certificate is made (`puzzles.proofs`).

    `after(node, text)` makes a move from a node, the first being `start`. `reaches(node, score)` is whether the
    player scores at least `score` in the whole round from there; None if a limit was reached first.
    """

    start: Any
    after: Callable[[Any, str], Any]
    reaches: Callable[[Any, int], bool | None]
