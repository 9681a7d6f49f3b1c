"""`Control`, which runs every search in short slices, under a deadline and a node limit.

A search keeps its whole state in arrays and has a function ``step(budget) -> (finished, nodes)``, which continues
it for at most about `budget` nodes. `Control.drive` calls it in slices of a few milliseconds, and between slices
checks the clock, the node limit and the cancel flag, and reports progress.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, wraps
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from solver.common import EXACT

Step = Callable[[int], tuple[bool, int]]

SLICE_SECONDS = 0.01  # between two checks of the clock; a cancellation takes effect within about this time
_FIRST_SLICE = 500  # nodes; small, so that a deadline of a millisecond is kept
_LARGEST_SLICE = 1 << 30
_PROGRESS_SECONDS = 0.1  # between two reports
_FIRST_PROGRESS_SECONDS = 0.03  # to the first report, so that users see quickly that the search is running


class Limit(BaseModel):
    """How long a search may run: until the first of these limits is reached. None means no limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)] | None = None
    nodes: Annotated[int, Field(gt=0, lt=EXACT, strict=True)] | None = None


@dataclass(frozen=True, slots=True)
class Bounded:
    """A move, and the bounds proved so far on its value."""

    move: str
    bounds: tuple[Any, Any]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has got.

    `done` is the share of the work done, from 0 to 1; None if the total is unknown. `stage` names the current
    step. `best` is the best move so far, `moves` the proved bounds of each move, and `bounds` those of the
    position's value; each is None if the search does not report it.
    """

    nodes: int
    seconds: float
    done: float | None
    stage: str
    best: str | None = None
    moves: tuple[Bounded, ...] | None = None
    bounds: tuple[Any, Any] | None = None


ProgressCallback = Callable[[Progress], None]
N = TypeVar("N", int, float)


def _lower(one: N | None, other: N | None) -> N | None:
    """Return the lower of two limits, where None means no limit."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


class Control:
    """The limit, clock, cancel flag and progress callback of one question. Make a new one for each question.

    The clock starts when the object is made, and again with `restart`. `cancel` may be set from any thread. Up to
    `threads` threads may work on the question simultaneously; with a node limit only one does, so that the result
    is always the same. A hint's reason compares the best move with the move `compare`; None for the next best. A
    sampled hint judges only the moves `among`, if all of them are legal; None for all legal moves.
    """

    def __init__(
        self,
        limit: Limit | None = None,
        cancel: threading.Event | None = None,
        progress: ProgressCallback | None = None,
        threads: int = 1,
        compare: str | None = None,
        among: frozenset[str] | None = None,
    ) -> None:
        self.limit = limit or Limit()
        self.cancel = cancel
        self.compare = compare
        self.among = among
        self.threads = 1 if self.limit.nodes is not None else threads
        self.node_limit = self.limit.nodes
        self.nodes = 0
        self._progress = progress
        self._proved: Callable[[], Iterable[Bounded]] | None = None
        self.restart()

    def restart(self) -> None:
        """Start the clock anew, since the time until now, such as that of loading kernels, does not count."""
        self.started = time.monotonic()
        self.deadline = None if self.limit.seconds is None else self.started + self.limit.seconds
        self._reported = self.started + _FIRST_PROGRESS_SECONDS - _PROGRESS_SECONDS

    @property
    def seconds(self) -> float:
        """Seconds since the clock started."""
        return time.monotonic() - self.started

    def seconds_left(self) -> float | None:
        """Return how many seconds are left to the deadline, possibly negative; None without a deadline."""
        return None if self.deadline is None else self.deadline - time.monotonic()

    def nodes_left(self) -> int | None:
        """Return how many nodes are left to the node limit; None without a node limit."""
        return None if self.node_limit is None else max(0, self.node_limit - self.nodes)

    def cancelled(self) -> bool:
        return self.cancel is not None and self.cancel.is_set()

    def late(self) -> bool:
        """Return whether the time is up or the question was cancelled, so that no further step should begin."""
        left = self.seconds_left()
        return (left is not None and left <= 0) or self.cancelled()

    def stopped(self) -> bool:
        """Return whether the search must end now: the time or nodes are used up, or it was cancelled."""
        return self.late() or self.nodes_left() == 0

    @contextmanager
    def part(self, *, until: float | None = None, nodes: int | None = None) -> Iterator[Control]:
        """Provide a control for part of the work, which ends at `until` (by `time.monotonic`) or after `nodes`.

        The part never exceeds what is left of this control, and shares its cancel flag and callback. On leaving
        the context, the part's nodes are added to this control's.
        """
        inner = Control(
            cancel=self.cancel,
            progress=self._progress and self._of_part,
            compare=self.compare,
            among=self.among,
        )
        inner._reported = self._reported
        inner.deadline = _lower(self.deadline, until)
        inner.node_limit = _lower(self.nodes_left(), nodes)
        try:
            yield inner
        finally:
            self.nodes += inner.nodes

    def _of_part(self, progress: Progress) -> None:
        """Pass on a progress report of a part, with the nodes and time of the whole."""
        assert self._progress is not None
        self._reported = time.monotonic()
        self._progress(
            replace(progress, nodes=self.nodes + progress.nodes, seconds=self.seconds, moves=self._told())
        )

    @contextmanager
    def telling(self, proved: Callable[[], Iterable[Bounded]]) -> Iterator[None]:
        """Within this context, every report includes the bounds proved for each move so far.

        Afterwards the control drops the callback: otherwise it would keep the search's tables alive.
        """
        self._proved = proved
        try:
            yield
        finally:
            self._proved = None

    def _told(self) -> tuple[Bounded, ...] | None:
        return None if self._proved is None else tuple(self._proved())

    def report(
        self,
        done: float | None = None,
        stage: str = "",
        *,
        best: Callable[[], str | None] = lambda: None,
        bounds: Callable[[], tuple[Any, Any] | None] = lambda: None,
    ) -> None:
        """Call the progress callback, unless the last call was less than a tenth of a second ago.

        The first call is not held back, however soon after the start. `best` and `bounds` are called only if there
        is a report.
        """
        if self._progress is None:
            return
        moment = time.monotonic()
        if moment - self._reported >= _PROGRESS_SECONDS:
            self._reported = moment
            seconds = moment - self.started
            self._progress(Progress(self.nodes, seconds, done, stage, best(), self._told(), bounds()))

    def tell_first(self, stage: str, best: Callable[[], str | None]) -> None:
        """Report the best move known before the search begins, without delaying the first regular report."""
        if self._progress is not None:
            self._progress(Progress(self.nodes, self.seconds, 0.0, stage, best()))

    def drive(
        self,
        step: Step,
        *,
        until: float | None = None,
        node_share: int | None = None,
        stage: str = "",
        done: Callable[[], float] | None = None,
        best: Callable[[], str | None] = lambda: None,
        bounds: Callable[[], tuple[Any, Any] | None] = lambda: None,
    ) -> bool:
        """Run `step` until it is finished (returns True), or a limit or a cancel ends it (returns False).

        `until` (by `time.monotonic`) and `node_share` are further limits, for this call only. The size of a slice
        depends on the speed of the previous ones, and never exceeds the time or nodes left. `done`, `best` and
        `bounds` are for reports: the share done, the best move so far, and the proved bounds of the value.
        """
        deadline = _lower(self.deadline, until)
        last = _lower(self.node_limit, None if node_share is None else self.nodes + node_share)
        budget = _FIRST_SLICE
        rate = 0.0
        # The clock first: a cancel flag may block the search when it is checked.
        while (deadline is None or time.monotonic() < deadline) and not self.cancelled():
            begin = time.monotonic()
            room = SLICE_SECONDS if deadline is None else min(SLICE_SECONDS, deadline - begin)
            if room <= 0:
                return False
            if rate:
                budget = max(1, min(_LARGEST_SLICE, 2 * budget, int(rate * room)))
            allowed = budget if last is None else min(budget, last - self.nodes)
            if allowed <= 0:
                return False
            finished, nodes = step(allowed)
            self.nodes += nodes
            if finished:
                return True
            rate = max(nodes, 1) / max(time.monotonic() - begin, 1e-7)
            self.report(done() if done else None, stage, best=best, bounds=bounds)
        return False


# ----------------------------------------------------------------------------------------------------
# Starting threads on systems that may refuse, and values that are computed once for all threads.


T = TypeVar("T")


def started(thread: threading.Thread) -> bool:
    """Start a thread; return False if the system refuses, so that the caller must do the work elsewhere."""
    try:
        thread.start()
    except (RuntimeError, MemoryError):
        return False
    return True


def once(make: Callable[[], T]) -> Callable[[], T]:
    """Return a function that calls `make` only once, however many threads call it, and keeps the result.

    `functools.cache` may call it once per thread, and so return several objects where there must be one.
    """
    kept, lock = cache(make), threading.RLock()

    @wraps(make)
    def made() -> T:
        with lock:
            return kept()

    return made


# ----------------------------------------------------------------------------------------------------
# Parts of a question's limit, and node budgets that grow from round to round.


@dataclass(frozen=True)
class Growth:
    """Node budgets for several passes over the same questions.

    In the first pass each question gets `first` nodes, and in each later pass `factor` times as many as in the one
    before. So, if one good answer is enough, a cheap one is found before much is spent on expensive questions.
    """

    first: int
    factor: int

    def rounds(self) -> Iterator[int]:
        """Yield the number of nodes that each question gets in each pass, without end."""
        nodes = self.first
        while True:
            yield nodes
            nodes *= self.factor


class Part:
    """A share (0 to 1) of the time and nodes that a control has left; unlimited if the control has no limits."""

    def __init__(self, control: Control, share: float = 1.0) -> None:
        seconds, nodes = control.seconds_left(), control.nodes_left()
        self.control = control
        self.until = None if seconds is None else time.monotonic() + share * seconds
        self._last_node = None if nodes is None else control.nodes + int(share * nodes)

    def nodes(self, most: int | None = None) -> int | None:
        """Return the nodes left in this part, at most `most`; `most` if there is no limit."""
        if self._last_node is None:
            return most
        left = max(0, self._last_node - self.control.nodes)
        return left if most is None else min(left, most)

    def over(self) -> bool:
        """Return whether this part's time or nodes are used up, or the control has stopped."""
        late = self.until is not None and time.monotonic() >= self.until
        return late or self.nodes() == 0 or self.control.stopped()

    def rounds(self, growth: Growth) -> Iterator[int | None]:
        """Yield the number of nodes for each question in each pass over the questions, until this part is over.

        Without a limit there is one pass, with None for no limit.
        """
        if self.until is None and self._last_node is None:
            yield None
            return
        for nodes in growth.rounds():
            yield nodes
            if self.over():
                return
