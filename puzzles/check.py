"""Solving puzzles, several at a time, and checking their stated solutions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Literal

from pydantic import SerializeAsAny

from puzzles.format import QUESTION_KINDS, Puzzle
from puzzles.moves import judge_hidden
from puzzles.quality import false_themes
from puzzles.solution import Objection, Solution, Verdict
from solver.answers import Analysis, Answer, CompoundAnalysis, Fault, Hint
from solver.common import one_after_another
from solver.errors import AthanorError
from solver.language import language, say, say_many, speak, translated
from solver.limits import Control, Limit

# ----------------------------------------------------------------------------------------------------
# The result of solving a puzzle, and whether its author's stated solution is right.


Status = Literal["solved", "confirmed", "refuted", "unproved", "error"]


class PuzzleResult(Answer):
    """The answer to a puzzle, and whether it confirms the stated solution.

    `status` is "solved" (proved; no solution was stated), "confirmed", "refuted", "unproved" (the search ended
    before a proof, or the answer is an estimate) or "error". `confirmed` is null unless a stated solution was
    confirmed or refuted. `found` holds what is proved, in the form of a puzzle file's solution. If hands are
    hidden, nothing is proved: a hint is used instead, and `reason` says so. `file` is set if puzzles of several
    files are solved together.
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


def result_of(puzzle: Puzzle, answer: Answer) -> PuzzleResult:
    """Compare a puzzle's stated solution with the answer to its question."""
    fields: dict[str, Any] = {"status": "solved" if puzzle.solution is None else "confirmed"}
    if puzzle.judged:
        assert isinstance(answer, Hint)
        verdict = judge_hidden(answer, puzzle.solution)
        fields["reason"] = say("as a hint judges it")
    else:
        subject = QUESTION_KINDS[puzzle.ask].subject
        verdict = subject.judge(puzzle.game, puzzle.position, puzzle.ask, answer, puzzle.solution)
    objection = _objection(puzzle, verdict) or _false_themes(puzzle, answer)
    if objection is not None:
        fields = {"status": "refuted" if objection.refuted else "unproved", "reason": objection.reason}
    searched: Any = answer  # every answer to a question has its time
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
    """Return the strongest objection to the stated solution, or None.

    If no solution is stated, the only possible objection is that nothing was proved.
    """
    if puzzle.solution is None:
        nothing = Objection(False, say("the search ended before the answer was proved"))
        return nothing if verdict.found is None else None
    first = None
    for objection in verdict.objections:
        if objection.refuted:
            return objection
        first = first or objection
    return first


def _false_themes(puzzle: Puzzle, answer: Answer) -> Objection | None:
    """Return the objection to themes that a solved position does not have."""
    themes = false_themes(puzzle, answer)
    if not themes:
        return None
    if not _is_played_out(puzzle, answer):
        return Objection(False, say("the search ended before the themes were proved"))
    return Objection(
        True,
        say_many(
            "the best play does not have the theme {themes}",
            "the best play does not have the themes {themes}",
            len(themes),
            themes=one_after_another(map(translated, themes)),
        ),
    )


def _is_played_out(puzzle: Puzzle, answer: Answer) -> bool:
    """Whether an answer's line, by which themes are judged, reaches the end; True for answers without lines."""
    game, position = puzzle.game, puzzle.position
    if not isinstance(answer, Analysis) or not game.models or puzzle.hidden:
        return True
    for move in answer.line:
        position = game.play(position, game.parse_move(position, move))
    return not game.legal_moves(position)


def failed(puzzle: Puzzle, code: str, message: str, path: str = "", *, seconds: float = 0.0) -> PuzzleResult:
    """Return the result of a puzzle that could not be solved because of an error."""
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


_JUDGED = Limit(nodes=100_000)  # of a hint that judges a puzzle with hidden hands, by default
_WAKE_SECONDS = 0.2  # a blocked wait would hold off Ctrl-C on Windows


class _Stop(threading.Event):
    """An event that also counts as set when the caller's own event is set."""

    def __init__(self, cancel: threading.Event | None) -> None:
        super().__init__()
        self._cancel = cancel

    def is_set(self) -> bool:
        return super().is_set() or (self._cancel is not None and self._cancel.is_set())


def solve_puzzle(puzzle: Puzzle, limit: Limit, cancel: threading.Event | None = None) -> PuzzleResult:
    """Solve a puzzle and return its result. Errors become part of the result."""
    if puzzle.judged and limit.seconds is None and limit.nodes is None:
        limit = _JUDGED
    control = Control(limit, cancel)
    try:
        if puzzle.judged:
            return result_of(puzzle, puzzle.game.hint(puzzle.position, control))
        answer = puzzle.game.answer(
            puzzle.position,
            puzzle.ask,
            control,
            model=puzzle.model,
            player=puzzle.player,
            wishes=puzzle.wishes,
        )
        return result_of(puzzle, answer)
    except AthanorError as error:
        error = error.beside(Puzzle.model_fields, "position")
        return failed(puzzle, error.code, error.message, error.path, seconds=control.seconds)
    except MemoryError as error:
        return failed(puzzle, "out_of_memory", str(error) or "out of memory", seconds=control.seconds)
    except Exception as error:  # one failing puzzle must not lose the others
        return failed(puzzle, "internal_error", f"{type(error).__name__}: {error}", seconds=control.seconds)


def run(
    puzzles: Iterable[Puzzle],
    *,
    limit: Limit | None = None,
    jobs: int = 1,
    cancel: threading.Event | None = None,
    solve: Callable[[Puzzle, Limit, threading.Event], PuzzleResult] = solve_puzzle,
) -> Iterator[tuple[int, PuzzleResult]]:
    """Solve puzzles in `jobs` threads; yield (index, result) for each puzzle as soon as it is done.

    `limit` applies to each puzzle. `cancel` ends the running searches, whose results
    say how far they got; puzzles not started are left out. Kernels run without the GIL, so threads use all cores.
    """
    limit = limit or Limit()
    stop = _Stop(cancel)
    waiting = enumerate(puzzles)
    executor = ThreadPoolExecutor(jobs, initializer=speak, initargs=(language(),))
    pending: dict[Future[PuzzleResult], tuple[int, Puzzle]] = {}

    def begin(number: int, puzzle: Puzzle) -> None:
        try:
            future = executor.submit(solve, puzzle, limit, stop)
        except RuntimeError as refused:  # the system starts no thread
            future = Future()
            future.set_exception(refused)
        pending[future] = number, puzzle

    try:
        while True:
            # At most one further round is queued: puzzles may come from a stream.
            while len(pending) < 2 * jobs and not stop.is_set() and (entry := next(waiting, None)):
                begin(*entry)
            if stop.is_set():
                for future in pending:
                    future.cancel()
            if not pending:
                return
            ended = wait(pending, _WAKE_SECONDS, FIRST_COMPLETED).done
            for finished in sorted(ended, key=lambda future: pending[future][0]):
                number, puzzle = pending.pop(finished)
                if not finished.cancelled():
                    yield number, _result(puzzle, finished)
    finally:
        stop.set()
        executor.shutdown(wait=True, cancel_futures=True)


def _result(puzzle: Puzzle, finished: Future[PuzzleResult]) -> PuzzleResult:
    try:
        return finished.result()
    except Exception as error:  # no thread was started, or a process that solves died
        return failed(puzzle, "internal_error", f"{type(error).__name__}: {error}")
