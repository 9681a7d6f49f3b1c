"""The interface of the search from which a certificate, an independently checkable proof, is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Proving:
    """A search for one player's score, from which `puzzles.proofs` makes a certificate.

    `start` is the first node, and ``after(node, text)`` the node after a move. ``reaches(node, score)`` is whether
    the player scores at least `score` in the whole round from a node; None if a limit was reached first.
    """

    start: Any
    after: Callable[[Any, str], Any]
    reaches: Callable[[Any, int], bool | None]
