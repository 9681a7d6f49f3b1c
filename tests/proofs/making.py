"""Certificates of the collection's puzzles, with what making and checking them took."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from puzzles import training
from puzzles.check import solve_puzzle
from puzzles.check_proof import check
from puzzles.format import Puzzle
from puzzles.proofs import NoCertificateError, certificate, text_of
from solver.limits import Control, Limit


@cache
def provable() -> list[Puzzle]:
    """The collection's puzzles of the kinds that have certificates."""
    return [puzzle for puzzle in training.collection() if _is_provable(puzzle)]


def _is_provable(puzzle: Puzzle) -> bool:
    if puzzle.ask == "compound":
        return True
    if puzzle.hidden or puzzle.model == "maxn":
        return False
    return puzzle.game.name != "alchemy" or getattr(puzzle.position, "stock", None) is not None


@dataclass(frozen=True)
class Made:
    """A certificate as JSON text, or why there is none; seconds of making and of checking."""

    puzzle: Puzzle
    text: str = ""
    reason: str = ""
    making: float = 0.0
    checking: float = 0.0
    nodes: int = 0


def made(puzzle: Puzzle, limit: Limit) -> Made:
    """Make the certificate of a puzzle's value and check it. Raises BrokenProofError where it proves nothing."""
    answer = solve_puzzle(puzzle, limit).answer
    assert answer is not None, puzzle.id
    begun = time.monotonic()
    try:
        text = text_of(certificate(puzzle.position, answer, Control(limit)))
    except NoCertificateError as found:
        return Made(puzzle, reason=found.message, making=time.monotonic() - begun)
    making = time.monotonic() - begun
    begun = time.monotonic()
    nodes = check(json.loads(text))
    return Made(puzzle, text, "", making, time.monotonic() - begun, nodes)


def small_certificates(bytes_: int, puzzles: list[Puzzle]) -> Iterator[dict[str, Any]]:
    """The certificates of puzzles that are no larger than this, and that take few nodes to make."""
    for puzzle in puzzles:
        text = made(puzzle, Limit(nodes=300)).text
        if 0 < len(text) <= bytes_:
            yield json.loads(text)
