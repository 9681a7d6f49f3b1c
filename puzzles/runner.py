"""Solving many puzzles at once, over any `concurrent.futures` executor."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

from puzzles.models import Puzzle
from puzzles.results import PuzzleResult, failed, result_of
from solver.common.control import Control, Limit
from solver.inputs.errors import AthanorError

Numbered = tuple[int, PuzzleResult]

_JUDGED = Limit(nodes=100_000)  # of a hint that judges a puzzle of hidden hands where no limit is given
_WAKE_SECONDS = 0.2  # a blocked wait would hold off Ctrl-C on Windows


class _Stop(threading.Event):
    """Set by the runner when its caller goes away, or by the caller's own event."""

    def __init__(self, cancel: threading.Event | None) -> None:
        super().__init__()
        self._cancel = cancel

    def is_set(self) -> bool:
        return super().is_set() or (self._cancel is not None and self._cancel.is_set())


def solve_puzzle(puzzle: Puzzle, limit: Limit, cancel: threading.Event | None = None) -> PuzzleResult:
    """The result of one puzzle; whatever goes wrong is in it."""
    if puzzle.judged and limit.seconds is None and limit.nodes is None:
        limit = _JUDGED
    control = Control(limit, cancel)
    try:
        if puzzle.judged:
            return result_of(puzzle, puzzle.game.hint(puzzle.position, control))
        answer = puzzle.game.answer(puzzle.position, puzzle.ask, control, model=puzzle.model, player=puzzle.player)
        return result_of(puzzle, answer)
    except AthanorError as found:
        return failed(puzzle, found.code, found.message, found.path, seconds=control.seconds)
    except MemoryError as found:
        return failed(puzzle, "out_of_memory", str(found) or "out of memory", seconds=control.seconds)
    except Exception as found:  # one failing puzzle must not lose the others
        return failed(puzzle, "internal_error", f"{type(found).__name__}: {found}", seconds=control.seconds)


def run(
    puzzles: Iterable[Puzzle],
    *,
    limit: Limit | None = None,
    jobs: int = 1,
    cancel: threading.Event | None = None,
    executor_factory: Callable[[int], Executor] = ThreadPoolExecutor,
) -> Iterator[PuzzleResult]:
    """Solve puzzles, `jobs` at a time; the results come in the order in which they are done.

    The limit is for each puzzle. `cancel` ends the running searches, whose results say how far they came;
    puzzles not begun are left out. Kernels run without the GIL, so threads, the default, use all cores. An
    executor of processes works too, but does not see `cancel` before its running puzzles are done.
    """
    numbered = run_numbered(puzzles, limit=limit, jobs=jobs, cancel=cancel, executor_factory=executor_factory)
    for _, result in numbered:
        yield result


def run_numbered(
    puzzles: Iterable[Puzzle],
    *,
    limit: Limit | None = None,
    jobs: int = 1,
    cancel: threading.Event | None = None,
    executor_factory: Callable[[int], Executor] = ThreadPoolExecutor,
) -> Iterator[Numbered]:
    """As `run`, each result with the place of its puzzle in `puzzles`."""
    limit = limit or Limit()
    stop = _Stop(cancel)
    done: queue.SimpleQueue[tuple[int, Puzzle, Future[PuzzleResult]]] = queue.SimpleQueue()
    waiting = enumerate(puzzles)
    executor = executor_factory(jobs)
    seen_by_workers = None if isinstance(executor, ProcessPoolExecutor) else stop
    pending: set[Future[PuzzleResult]] = set()

    def begin(number: int, puzzle: Puzzle) -> None:
        try:
            future = executor.submit(solve_puzzle, puzzle, limit, seen_by_workers)
        except RuntimeError as broken:  # a pool of processes that one of them took down
            future = Future()
            future.set_exception(broken)
        pending.add(future)
        future.add_done_callback(lambda finished: done.put((number, puzzle, finished)))

    try:
        while True:
            # No more than a second helping is queued: puzzles may come from a stream.
            while len(pending) < 2 * jobs and not stop.is_set() and (entry := next(waiting, None)):
                begin(*entry)
            if stop.is_set():
                for future in pending:
                    future.cancel()
            if not pending:
                return
            try:
                number, puzzle, finished = done.get(timeout=_WAKE_SECONDS)
            except queue.Empty:
                continue
            pending.remove(finished)
            if not finished.cancelled():
                yield number, _result(puzzle, finished)
    finally:
        stop.set()
        executor.shutdown(wait=True, cancel_futures=True)


def _result(puzzle: Puzzle, finished: Future[PuzzleResult]) -> PuzzleResult:
    try:
        return finished.result()
    except Exception as found:  # a worker process that died, or an answer that could not be sent back
        return failed(puzzle, "internal_error", f"{type(found).__name__}: {found}")
