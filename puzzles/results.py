"""What solving a puzzle gives, and whether the solution that its author stated is right."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import SerializeAsAny

from puzzles.asks import ASKED
from puzzles.models import Puzzle
from puzzles.moves import judge_hidden
from puzzles.solution import Solution
from puzzles.verdicts import Objection, Verdict
from solver.protocol.answers import Analysis, Answer, Hint
from solver.protocol.compounding import CompoundAnalysis

Status = Literal["solved", "confirmed", "refuted", "unproved", "error"]


class PuzzleFault(Answer):
    """Why a puzzle could not be solved: the contract's error object."""

    code: str
    path: str
    message: str


class PuzzleResult(Answer):
    """One puzzle's answer, and what became of its stated solution.

    `status` is "solved" (proved; no solution was stated), "confirmed", "refuted", "unproved" (the search ended
    before a proof, or the answer is an estimate) or "error". `confirmed` is null unless a stated solution was
    confirmed or refuted. `found` holds what is proved, in the form of a puzzle file's solution. Where hands are
    hidden nothing is proved: a hint judges instead, and the `reason` says so. `file` is set where puzzles of
    several files are solved together.
    """

    file: str | None = None
    id: str
    title: str
    ask: str
    game: str
    status: Status
    confirmed: bool | None
    reason: str | None = None
    found: Solution | None
    error: PuzzleFault | None = None
    answer: SerializeAsAny[Analysis] | SerializeAsAny[Hint] | CompoundAnalysis | None
    nodes: int
    seconds: float


def result_of(puzzle: Puzzle, answer: Answer) -> PuzzleResult:
    """The result of a puzzle from the answer to its question."""
    fields: dict[str, Any] = {"status": "solved" if puzzle.solution is None else "confirmed"}
    if puzzle.judged:
        assert isinstance(answer, Hint)
        verdict = judge_hidden(answer, puzzle.solution)
        fields["reason"] = "as a hint judges it"
    else:
        subject = ASKED[puzzle.ask].subject
        verdict = subject.judge(puzzle.game, puzzle.position, puzzle.ask, answer, puzzle.solution)
    objection = _objection(puzzle, verdict)
    if objection is not None:
        fields = {"status": "refuted" if objection.refuted else "unproved", "reason": objection.reason}
    searched: Any = answer  # every answer to a question tells how long it took
    return PuzzleResult(
        **_head(puzzle),
        **fields,
        confirmed={"confirmed": True, "refuted": False}.get(fields["status"]),
        found=verdict.found,
        answer=answer,
        nodes=searched.nodes,
        seconds=searched.seconds,
    )


def _objection(puzzle: Puzzle, verdict: Verdict) -> Objection | None:
    """What speaks most against the stated solution; where none is stated, whether anything was proved."""
    if puzzle.solution is None:
        nothing = Objection(False, "the search ended before the answer was proved")
        return nothing if verdict.found is None else None
    first = None
    for objection in verdict.objections:
        if objection.refuted:
            return objection
        first = first or objection
    return first


def failed(puzzle: Puzzle, code: str, message: str, path: str = "", *, seconds: float = 0.0) -> PuzzleResult:
    """The result of a puzzle that could not be solved."""
    return PuzzleResult(
        **_head(puzzle),
        status="error",
        confirmed=None,
        found=None,
        error=PuzzleFault(code=code, path=path, message=message),
        answer=None,
        nodes=0,
        seconds=seconds,
    )


def _head(puzzle: Puzzle) -> dict[str, Any]:
    return {"id": puzzle.id, "title": puzzle.title, "ask": puzzle.ask, "game": puzzle.game.name}
