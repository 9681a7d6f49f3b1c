"""What becomes of a stated solution when the puzzle is solved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from pydantic import BaseModel

from puzzles.solution import Solution
from solver.protocol.answers import Answer


class Objection(NamedTuple):
    """Why a stated solution is not confirmed: it is `refuted`, or else it is not proved."""

    refuted: bool
    reason: str


class Verdict(NamedTuple):
    """What is proved, in the form of a solution (None: nothing), and what speaks against the stated one."""

    found: Solution | None
    objections: Iterator[Objection]


class Subject(Protocol):
    """What questions are about: moves, or how cards are compounded."""

    def check(self, game: Any, position: BaseModel, ask: str, stated: Solution) -> None:
        """Refuse a solution that cannot be one of this position, whether right or wrong.

        Raises PuzzleError, whose path is seen from the solution.
        """

    def judge(self, game: Any, position: BaseModel, ask: str, answer: Answer, stated: Solution | None) -> Verdict:
        """Compare the answer to the question with the stated solution, which `check` has let pass."""
