"""What is searched for a question about a position, a record or a puzzle, as data that can be sent."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from pydantic import BaseModel

import athanor
from api.apart.wire import Portable
from api.bodies.models import AnalyzeRequest, CompoundRequest, HintRequest
from puzzles import check
from puzzles.check import PuzzleResult
from puzzles.format import Puzzle
from solver.answers import Answer
from solver.limits import Limit, ProgressCallback


@dataclass(frozen=True, slots=True)
class Analyzing(Portable):
    """The search of an analysis."""

    asked: AnalyzeRequest

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Answer:
        asked = self.asked
        return athanor.analyze(
            asked.position, model=asked.model, player=asked.player, limit=limit, cancel=cancel, progress=progress
        )


@dataclass(frozen=True, slots=True)
class Hinting(Portable):
    """The search of a hint."""

    asked: HintRequest

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Answer:
        asked = self.asked
        return athanor.hint(
            asked.position, worlds=asked.worlds, seed=asked.seed, limit=limit, cancel=cancel, progress=progress
        )


@dataclass(frozen=True, slots=True)
class Compounding(Portable):
    """The search of a compounding."""

    asked: CompoundRequest

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Answer:
        asked = self.asked
        return athanor.compound(
            asked.position,
            must=asked.must,
            without=asked.without,
            best=asked.best,
            missing=asked.missing,
            limit=limit,
            cancel=cancel,
            progress=progress,
        )


@dataclass(frozen=True, slots=True)
class Scoring(Portable):
    """The search of a score: what cards make together."""

    record: BaseModel

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Answer:
        return athanor.score(self.record, limit=limit, cancel=cancel)


@dataclass(frozen=True, slots=True)
class Solving(Portable):
    """The search of a puzzle's solution."""

    puzzle: Puzzle

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> PuzzleResult:
        return check.solve_puzzle(self.puzzle, limit, cancel)
