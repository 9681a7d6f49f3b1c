"""The one loop that plays worlds: numbered batches in several threads, merged in order, under a `Control`.

The answer depends only on which worlds are counted. They are counted from the first batch on without a gap, and
whether the best move is clear is asked only at certain numbers of worlds; so the same seed and node limit give the
same answer, however many threads there are. A node is one game played to its end.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from solver.common.control import MOST_WORLDS, Control
from solver.common.threads import started
from solver.hints.paired import Sums
from solver.inputs.errors import RequestError
from solver.kernels.arrays import Floats

DEFAULT_SECONDS = 1.0  # of a hint that is given no limit at all
GAMES_A_BATCH = 128  # one or two milliseconds
_FIRST_LOOK = 256  # worlds; then at each quarter more, about
_SEPARATION = 4.0  # paired standard errors between the best move and every other one
_ALIKE = 0.002  # a difference known to this standard error is known well enough
_PRECISE = 0.01  # the best move's mean is known well enough with this standard error, as a share of it
_MARGIN_SECONDS = 0.005  # kept for making the answer, for each hint that runs now; at most a share of the time
_MARGIN_SHARE = 0.2


class Rollouts(Protocol):
    """What a game brings: see `solver.hints`."""

    moves: int
    statistics: int
    chained: bool

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        """Play each move in the worlds from number `first` on, one a row of `results`; `weights` come as ones."""


class _Company:
    """How many hints this process works on now: with several, each has one thread and keeps more time back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.hints = 0

    def __enter__(self) -> None:
        with self._lock:
            self.hints += 1

    def __exit__(self, *_exception: object) -> None:
        with self._lock:
            self.hints -= 1


_company = _Company()


@dataclass
class _Run:
    """What the threads of one hint share."""

    rollouts: Rollouts
    batches: int
    batch: int
    worlds: int
    begun: float
    until: float | None
    sums: Sums
    control: Control
    names: Sequence[str]
    judged: Callable[[Sums], Sums]
    lock: threading.Lock = field(default_factory=threading.Lock)
    taken: int = 0
    merged: int = 0
    waiting: dict[int, tuple[Floats, Floats]] = field(default_factory=dict)
    slowest: float = 0.0
    look: int = _FIRST_LOOK
    clear: bool = False
    failure: BaseException | None = None

    def next(self) -> int | None:
        """The number of a batch to play; None when all is done. The first is played whatever the time."""
        with self.lock:
            ended = self.clear or self.failure is not None or self.taken == self.batches
            if ended or (self.taken and (self._late() or self.control.cancelled())):
                return None
            self.taken += 1
            return self.taken - 1

    def _late(self) -> bool:
        """Whether another batch might not end in time."""
        if self.until is None:
            return False
        kept = min(_MARGIN_SECONDS * _company.hints, _MARGIN_SHARE * (self.until - self.begun))
        return time.monotonic() + self.slowest + kept >= self.until

    def help(self) -> None:
        """Play batches beside the first thread until none is left, or until other hints need the processor."""
        try:
            while _company.hints < 2 and (number := self.next()) is not None:
                self.play(number)
        except BaseException as error:
            self.failure = error

    def play(self, number: int) -> None:
        """Play a batch, and count those that are next in order."""
        begin = time.monotonic()
        first = number * self.batch
        count = min(self.batch, self.worlds - first)
        results = np.empty((count, self.rollouts.moves, self.rollouts.statistics))
        weights = np.ones(count)
        self.rollouts.play(first, results, weights)
        with self.lock:
            self.slowest = max(0.9 * self.slowest, time.monotonic() - begin)
            self.waiting[number] = results, weights
            while self.merged in self.waiting and not self.clear:
                self.sums.add(*self.waiting.pop(self.merged), chained=self.rollouts.chained)
                self.merged += 1
                if self.sums.worlds >= self.look:
                    self.look = self.sums.worlds * 5 // 4
                    self.clear = separated(self.sums, self.rollouts.moves)

    def report(self) -> None:
        if not self.merged:  # the other thread still plays the first batch
            return
        share = self.merged / self.batches
        begun, left = self.control.started, self.control.deadline
        if left is not None:
            share = max(share, min(1.0, (time.monotonic() - begun) / (left - begun)))
        self.control.report(share, "sampled deals", best=self.best)

    def best(self) -> str | None:
        """The move that does best so far, if the moves have names and a world was counted."""
        with self.lock:
            return self.names[self.judged(self.sums).best()] if self.names and self.sums.worlds else None


def separated(sums: Sums, moves: int) -> bool:
    """Whether more worlds can be spared: each move is surely worse than the best, or as good."""
    best = sums.best()
    if sums.stderr(best) > _PRECISE * max(1.0, abs(float(sums.means[best, 0]))):
        return False
    for other in range(moves):
        if other != best:
            gap, error = sums.difference(best, other)
            if gap <= _SEPARATION * error and error > _ALIKE:
                return False
    return True


def default_threads() -> int:
    """Two, where there are two processors."""
    return min(2, os.cpu_count() or 1)


def _load(rollouts: Rollouts) -> None:
    """Play one world, so that loading the kernels takes nothing of the time that is meant for thinking."""
    rollouts.play(0, np.empty((1, rollouts.moves, rollouts.statistics)), np.ones(1))


def worlds_error() -> RequestError:
    """What is said to a number of worlds that is out of range."""
    return RequestError("out_of_range", f"worlds is from 1 to {MOST_WORLDS}", "worlds")


def simulate(
    rollouts: Rollouts,
    control: Control,
    *,
    worlds: int | None = None,
    threads: int | None = None,
    games: int = GAMES_A_BATCH,
    names: Sequence[str] = (),
    judged: Callable[[Sums], Sums] = lambda sums: sums,
) -> Sums:
    """Play worlds until the best move is clear, `worlds` are played, or the control's limit comes.

    Without any limit it takes `DEFAULT_SECONDS`. About `games` games are played between two looks at the time, but
    those of one world at least. At least one batch is played, so there is always an answer. `names` are the moves
    as text, for telling which does best so far by what is `judged` of the sums.
    Raises RequestError for a number of worlds that is out of range.
    """
    if worlds is not None and not 1 <= worlds <= MOST_WORLDS:
        raise worlds_error()
    unlimited = control.deadline is None and control.node_limit is None and worlds is None
    if unlimited:
        _load(rollouts)
    until = time.monotonic() + DEFAULT_SECONDS if unlimited else control.deadline
    most = MOST_WORLDS if worlds is None else worlds
    nodes = control.nodes_left()
    if nodes is not None:
        most = max(1, min(most, nodes // rollouts.moves))
    batch = max(1, games // rollouts.moves)
    run = _Run(
        rollouts=rollouts,
        batches=-(-most // batch),
        batch=batch,
        worlds=most,
        begun=time.monotonic(),
        until=until,
        sums=Sums(rollouts.moves, rollouts.statistics),
        control=control,
        names=names,
        judged=judged,
    )
    helpers = [
        threading.Thread(target=run.help, name="hint", daemon=True)
        for _ in range((default_threads() if threads is None else threads) - 1)
    ]
    with _company:
        helpers = [helper for helper in helpers if started(helper)]
        try:
            while (number := run.next()) is not None:
                run.play(number)
                run.report()
        finally:
            with run.lock:
                run.batches = run.taken
            for helper in helpers:
                helper.join()
    if run.failure is not None:
        raise run.failure
    control.nodes += run.sums.worlds * rollouts.moves
    return run.sums
