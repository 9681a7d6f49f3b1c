"""What the API's document allows, forbids, and leaves at its bounds: no 5xx, and answers as the document says.

`tests.api.test_fuzz` runs this file in a process of its own: every process that collects the tests would make
the cases of all bounds anew. There are 45,000, nearly all of them bounds of a position, a match or a deck, which
many calls read in the same way: one call is asked them here, with whole decks in one kind of position a game, and
with a wrong type at each place. With `ATHANOR_ALL_BOUNDS=1` each is asked all, which takes five minutes.
"""

from __future__ import annotations

import os
import zlib
from collections import Counter
from itertools import count
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation.meta import CoverageScenario
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from api.app import create_app
from api.config import Config
from tests.api.support import warmed

# Short limits: a search that is cut short is an answer like any other.
APP = create_app(Config(default_seconds=0.05, max_seconds=0.1))
ALL = bool(os.environ.get("ATHANOR_ALL_BOUNDS"))
BOUNDED = settings(
    max_examples=6 if ALL else 2, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)

schemathesis.serializer.alias("application/toml", "text/plain")
WITH_WHOLE_DECKS = ("KingPosition", "AquaPosition")
READ_ELSEWHERE = [
    *("/v1/analyze", "/v1/batch", "/v1/compound", "/v1/hint", "/v1/jobs"),
    *("/v1/match/hint", "/v1/match/log", "/v1/match/review", "/v1/match/turn"),
    *("/v1/check", "/v1/play", "/v1/puzzles", "/v1/puzzles/reply", "/v1/solve", "/v1/view", "/v1/worlds"),
]


def document(*, bounds: bool) -> BaseSchema:
    """The API's document as it is tested, with or without cases at its bounds.

    `tests.api.test_openapi` asks the examples themselves, of all calls.
    """
    read = schemathesis.openapi.from_wsgi("/openapi.json", APP)
    for name, model in read.raw_schema["components"]["schemas"].items():
        deck = model.get("properties", {}).get("deck", {})
        if "oneOf" in deck and not ALL and name not in WITH_WHOLE_DECKS:
            deck["oneOf"] = [kind for kind in deck["oneOf"] if "$ref" not in kind]  # the name of one
    rejected = read.config.checks.negative_data_rejection
    # A list that is already too long may be so by its bytes.
    rejected.expected_statuses = [*rejected.expected_statuses, "413"]
    read.config.phases.coverage.enabled = bounds
    read.config.phases.examples.enabled = ALL and bounds
    wrong: Counter[tuple[Any, ...]] = Counter()
    whole = count()

    @read.hook
    def filter_case(_: schemathesis.HookContext, case: schemathesis.Case[Any]) -> bool:
        """Of wrong types one at a place, of whole objects every eighth.

        The wrong type is by turns one of the first two, which pydantic might convert.
        """
        data: Any = case.meta and case.meta.phase.data
        scenario = getattr(data, "scenario", None)
        if ALL or scenario not in (CoverageScenario.INCORRECT_TYPE, CoverageScenario.VALID_OBJECT):
            return True
        if scenario == CoverageScenario.VALID_OBJECT:
            return next(whole) % 8 == 0
        wrong[place := (case.path, data.parameter_location, data.parameter, data.location)] += 1
        return wrong[place] == 1 + zlib.crc32(repr(place).encode()) % 2

    return read


BOUNDS, DRAWN = document(bounds=True), document(bounds=False)


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warmed()


def check(case: schemathesis.Case[Any]) -> None:
    checks = [
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_headers_conformance,
        response_schema_conformance,
        unsupported_method,
        allow_header_conformance,
    ]
    if case.path != "/v1/batch":  # whose faulty questions have their errors in their lines
        checks.append(negative_data_rejection)
    # What schemathesis asks for by itself, gzip, it cannot read from an application that it calls directly.
    case.call_and_validate(checks=checks, headers={"Accept-Encoding": "identity"})


@(BOUNDS if ALL else BOUNDS.exclude(path=READ_ELSEWHERE)).parametrize()
@BOUNDED
def test_the_api_does_what_its_document_says(case: schemathesis.Case[Any]) -> None:
    check(case)


@DRAWN.include(path=READ_ELSEWHERE).parametrize()
@BOUNDED
def test_calls_that_read_positions_do_what_the_document_says(case: schemathesis.Case[Any]) -> None:
    check(case)
