"""What solving a puzzle gives, and whether the solution that its author stated is right."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

from pydantic import SerializeAsAny

from puzzles.compounding import StatedRecipe, contradictions
from puzzles.models import Puzzle, Solution
from solver.protocol.answers import Analysis, Answer, Hint, Proved
from solver.protocol.compounding import CompoundAnalysis

Status = Literal["solved", "confirmed", "refuted", "unproved", "error"]

TOLERANCE = 1e-6  # between a stated number and the one found


class Fault(Answer):
    """Why a puzzle could not be solved: the contract's error object."""

    code: str
    path: str
    message: str


class PuzzleResult(Answer):
    """One puzzle's answer, and what became of its stated solution.

    `status` is "solved" (proved; no solution was stated), "confirmed", "refuted", "unproved" (the search ended
    before a proof, or the answer is an estimate) or "error". `confirmed` is null unless a stated solution was
    confirmed or refuted. `found` holds what is proved, in the form of a puzzle file's solution. `file` is set
    where puzzles of several files are solved together.
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
    error: Fault | None = None
    answer: SerializeAsAny[Analysis] | SerializeAsAny[Hint] | CompoundAnalysis | None
    nodes: int
    seconds: float


class _RefutedError(Exception):
    """A stated solution contradicts what is proved."""


class _UnprovedError(Exception):
    """What a solution states is neither proved nor refuted."""


def result_of(puzzle: Puzzle, answer: Analysis | Hint | CompoundAnalysis) -> PuzzleResult:
    """The result of a puzzle from the answer to its question."""
    if isinstance(answer, CompoundAnalysis):
        check = partial(_check_compounding, puzzle, answer=answer)
        found = _found_compounding(answer)
    else:
        proved = puzzle.game.proved(puzzle.position, answer, _stated_moves(puzzle))
        check = partial(_check, puzzle, proved=proved, answer=answer)
        found = _found(puzzle, proved)
    fields: dict[str, Any] = {"found": found}
    try:
        if puzzle.solution is not None:
            check(puzzle.solution)
            fields |= {"status": "confirmed", "confirmed": True}
        elif fields["found"] is None:
            raise _UnprovedError("the search ended before the answer was proved")
        else:
            fields |= {"status": "solved", "confirmed": None}
    except _RefutedError as found:
        fields |= {"status": "refuted", "confirmed": False, "reason": str(found)}
    except _UnprovedError as found:
        fields |= {"status": "unproved", "confirmed": None, "reason": str(found)}
    return PuzzleResult(**_head(puzzle), **fields, answer=answer, nodes=answer.nodes, seconds=answer.seconds)


def failed(puzzle: Puzzle, code: str, message: str, path: str = "", *, seconds: float = 0.0) -> PuzzleResult:
    """The result of a puzzle that could not be solved."""
    return PuzzleResult(
        **_head(puzzle),
        status="error",
        confirmed=None,
        found=None,
        error=Fault(code=code, path=path, message=message),
        answer=None,
        nodes=0,
        seconds=seconds,
    )


def _head(puzzle: Puzzle) -> dict[str, Any]:
    return {"id": puzzle.id, "title": puzzle.title, "ask": puzzle.ask, "game": puzzle.game.name}


def _stated_moves(puzzle: Puzzle) -> list[Any]:
    if puzzle.solution is None:
        return []
    game, position = puzzle.game, puzzle.position
    return [game.parse_move(position, text) for _, texts in puzzle.solution.move_lists() for text in texts]


def _found(puzzle: Puzzle, proved: Proved) -> Solution | None:
    """What is proved, as a solution with the keys that the question asks for."""
    fields: dict[str, Any] = {}
    if puzzle.ask == "best-move" and proved.best is not None:
        fields["best"] = proved.best
    if proved.value is not None:
        fields["value"] = proved.value
        if puzzle.ask == "winnable":
            fields["winnable"] = proved.value == "won"
    if puzzle.ask == "all-matches" and proved.best is not None:
        fields["moves"] = proved.best
    asked = {"best-move": "best", "all-matches": "moves"}.get(puzzle.ask, "value")
    nothing = puzzle.ask == "value" and proved.best == ()  # no move, so no value: that too is an answer
    if nothing and not fields:
        fields["best"] = ()
    return Solution(**fields) if asked in fields or nothing else None


def _found_compounding(answer: CompoundAnalysis) -> Solution | None:
    if not answer.exact:
        return None
    recipes = tuple(StatedRecipe(**made.to_dict()) for made in answer.recipes)
    return Solution(total=answer.total, bonus=answer.bonus, recipes=recipes)


def _check_compounding(puzzle: Puzzle, stated: Solution, answer: CompoundAnalysis) -> None:
    """As `_check`."""
    wrong = list(contradictions(puzzle.position, answer, stated.total, stated.bonus, stated.recipes))
    for refuted, reason in sorted(wrong, key=lambda found: not found[0]):
        raise _RefutedError(reason) if refuted else _UnprovedError(reason)


def _check(puzzle: Puzzle, stated: Solution, proved: Proved, answer: Analysis | Hint) -> None:
    """Raise _RefutedError for what is proved wrong or, when nothing is, _UnprovedError for what is not proved."""
    unproved: list[_UnprovedError] = []
    value = stated.value
    if stated.winnable is not None:
        value = "won" if stated.winnable else "lost"
    try:
        if value is not None:
            _check_value(value, proved, answer)
    except _UnprovedError as found:
        unproved.append(found)
    for _, texts in stated.move_lists():
        try:
            _check_moves(puzzle, texts, proved)
        except _UnprovedError as found:
            unproved.append(found)
    if unproved:
        raise unproved[0]


def _check_value(stated: object, proved: Proved, answer: Analysis | Hint) -> None:
    if proved.value is not None:
        if not _same(stated, proved.value):
            raise _RefutedError(f"the value is {_text(proved.value)}, not {_text(stated)}")
        return
    if proved.best == ():
        raise _RefutedError(f"there is no move, so the value is not {_text(stated)}")
    bounds = getattr(answer, "bounds", None)
    if bounds is not None and isinstance(stated, int | float):
        low, high = bounds
        if isinstance(low, int | float) and not low - TOLERANCE <= stated <= high + TOLERANCE:
            raise _RefutedError(f"the value is between {_text(low)} and {_text(high)}, not {_text(stated)}")
    raise _UnprovedError("the search ended before the value was proved")


def _check_moves(puzzle: Puzzle, texts: Sequence[str], proved: Proved) -> None:
    if proved.best is None:
        raise _UnprovedError("the search ended before the moves were proved")
    game, position = puzzle.game, puzzle.position
    # Two splits of the same cards are one move, so moves are compared, not their texts. Canonical texts are
    # tried first: a puzzle may have tens of thousands.
    stated = {game.format_move(position, move): move for move in (game.parse_move(position, t) for t in texts)}
    strange = {game.parse_move(position, text) for text in proved.best if text not in stated}
    canonical = set(proved.best)
    wrong = [text for text, move in stated.items() if text not in canonical and move not in strange]
    listing = puzzle.ask == "all-matches"
    if wrong:
        raise _RefutedError(f"{wrong[0]} is {'no match' if listing else 'not optimal'}")
    missing = [game.format_move(position, move) for move in strange - set(stated.values())]
    if (missing and proved.complete) or (proved.best and not stated):
        first = min(missing)
        raise _RefutedError(f"{first} is {'missing' if listing else 'optimal too'}")


def _same(stated: object, found: object) -> bool:
    if isinstance(stated, int | float) and isinstance(found, int | float):
        return abs(stated - found) <= TOLERANCE
    if isinstance(stated, tuple) and isinstance(found, tuple):
        return len(stated) == len(found) and all(map(_same, stated, found))
    return stated == found


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))})"
    return f"{value:.7g}" if isinstance(value, float) else str(value)
