"""The questions that search: what a body asks of which position, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import BaseModel

from api.apart.questions import Analyzing, Compounding, Hinting
from api.apart.wire import Search
from api.bodies.models import AnalyzeRequest, CompoundRequest, HintRequest, limit_of
from api.config import Config
from api.http.body import validated
from solver.answers import Answer
from solver.errors import AthanorError, RequestError
from solver.limits import Limit

Q = TypeVar("Q", AnalyzeRequest, HintRequest, CompoundRequest)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was read: its position, its limit, and the search that answers it."""

    position: BaseModel
    limit: Limit
    search: Search[Answer]


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
