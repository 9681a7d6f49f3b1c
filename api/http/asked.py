"""The questions that search: what a body asks of which position, and how it is answered."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import BaseModel

import athanor
from api.apart.wire import Portable, Search
from api.bodies.models import AnalyzeRequest, CompoundRequest, HintRequest, limit_of
from api.config import Config
from api.http.body import validated
from solver.common.control import Limit, ProgressCallback
from solver.inputs.errors import AthanorError, RequestError
from solver.protocol.answers import Answer

Q = TypeVar("Q", AnalyzeRequest, HintRequest, CompoundRequest)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was read: its position, its limit, and the search that answers it."""

    position: BaseModel
    limit: Limit
    search: Search[Answer]


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


def analysis(body: Any, config: Config) -> Asked:
    """The body of `/v1/analyze`. Raises RequestError and PositionError, as do the others."""
    asked = _read(AnalyzeRequest, body)
    return Asked(asked.position, limit_of(config, asked.limit.seconds, asked.limit.nodes), Analyzing(asked))


def hint(body: Any, config: Config) -> Asked:
    """The body of `/v1/hint`."""
    asked = _read(HintRequest, body)
    for key, value in (("model", asked.model), ("player", asked.player)):
        if value is not None:
            raise RequestError("not_applicable", f"a hint is the viewer's; it takes no {key}", key)
    unlimited = asked.limit.nodes is None and asked.worlds is None
    default = config.hint_seconds if unlimited else config.max_seconds
    return Asked(asked.position, limit_of(config, asked.limit.seconds, asked.limit.nodes, default), Hinting(asked))


def compounding(body: Any, config: Config) -> Asked:
    """The body of `/v1/compound`."""
    asked = _read(CompoundRequest, body)
    return Asked(asked.position, limit_of(config, asked.limit.seconds, asked.limit.nodes), Compounding(asked))


READERS: Mapping[str, Callable[[Any, Config], Asked]] = MappingProxyType(
    {"hint": hint, "analyze": analysis, "compound": compounding}
)
HURRIED = ("hint",)  # what has to come in time, and so shares the processors instead of waiting


def _read(kind: type[Q], body: Any) -> Q:
    """The request. A path inside the position is seen from the position."""
    try:
        return validated(kind, body)
    except AthanorError as found:
        raise found.within("position") from None
