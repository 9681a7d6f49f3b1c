"""Whatever is sent: no 5xx, and answers as the document says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from copy import copy
from functools import reduce
from itertools import count
from operator import getitem
from typing import Any

import jsonschema_rs
import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from api.app import create_app
from api.config import Config
from athanor.sessions import Saved, dumps
from puzzles.format import loads
from tests.api.support import FILE, KIRIN, ended, followed, paths_of, refused, rooted, warmed
from tests.support.places import ROOT

# Short limits: a search that is cut short is an answer like any other.
APP = create_app(Config(default_seconds=0.02, max_seconds=0.02))
BOUNDED = settings(max_examples=40, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warmed()


# A position that the schema allows is hardly ever one of a game. These nearly always are, and odd ones.
CARDS = st.sampled_from(["A", *map(str, range(2, 11)), "J", "Q", "K"])
LOW_CARDS = st.sampled_from(["A", *map(str, range(2, 11))])


def solitaires(variant: str, cap: int, cards: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    return st.integers(3, cap).flatmap(
        lambda size: st.fixed_dictionaries(
            {
                "game": st.just("alchemy"),
                "variant": st.just(variant),
                "cap": st.just(size),
                "line": st.lists(cards, min_size=size, max_size=size),
                "hand": cards,
            },
            optional={"discarded": st.lists(cards, max_size=4)},
        ).flatmap(
            lambda position: st.one_of(
                st.just(position),
                st.lists(cards, max_size=9).map(lambda hidden: {**position, "unseen": hidden}),
                st.lists(cards, max_size=9).map(lambda known: {**position, "stock": known}),
            )
        )
    )


DUELS = st.fixed_dictionaries(
    {
        "game": st.just("alchemy"),
        "variant": st.just("duel"),
        "line": st.lists(CARDS, min_size=6, max_size=6),
        "hand": CARDS | st.just("X"),
        "opponent_hand": CARDS | st.just("X"),
        "table_jokers": st.integers(0, 3),
    },
    optional={"pile": st.lists(CARDS | st.just("X"), max_size=4)},
)
FREE = st.fixed_dictionaries(
    {
        "game": st.just("alchemy"),
        "variant": st.just("free"),
        "min_line": st.integers(1, 9),
        "line": st.lists(CARDS, max_size=9),
        "hand": CARDS,
    },
    optional={
        "objective": st.sampled_from(["most-cards", "fewest-cards", "most-points"]),
        "cards": st.integers(1, 9),
    },
)
POSITIONS = st.one_of(solitaires("solo", 6, CARDS), solitaires("alternative", 4, LOW_CARDS), DUELS, FREE)


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return APP.test_client()


@pytest.mark.parametrize("question", ["analyze", "hint"])
@settings(BOUNDED, max_examples=80)
@given(position=POSITIONS, nodes=st.none() | st.integers(1, 2000))
def test_odd_positions(client: FlaskClient, question: str, position: dict[str, Any], nodes: int | None) -> None:
    found = client.post(f"/v1/{question}", json={"position": position, "limit": {"nodes": nodes}})
    assert found.status_code in (200, 422), (position, found.text)
    if found.status_code == 200:
        answer = found.get_json()
        assert answer["best"] == (answer["moves"][0]["move"] if answer["moves"] else None)


# What the document says: its examples are answered so, and what it does not allow in their places is refused.


Part = dict[str, Any]
JSON = "application/json"
METHODS = {"GET", "POST", "PUT", "DELETE", "PATCH"}
JUNK: tuple[Any, ...] = (None, True, 0.5, "?", "", "x" * 300, [], {}, [[]], ["?"], -1, 10**30)
TEXTS = ("", "?", "-1", "1.5", "9" * 30)  # for what an address says
REPLY = {"puzzle": loads(FILE).puzzles[0].model_dump(mode="json", exclude_none=True), "answer": "lost"}
# Requests of calls that have no examples.
MORE: dict[str, list[Part]] = {
    "/v1/match/ended": [{"match": followed()}],
    "/v1/match/review": [{"match": ended(KIRIN), "limit": {"seconds": 0.05}}],
    "/v1/match/read": [{"text": dumps([Saved(**ended(KIRIN))])}],
    "/v1/puzzles/answer": [REPLY],
    "/v1/score": [
        {"record": json.loads(path.read_text())} for path in (ROOT / "docs/examples").glob("*score.json")
    ],
}


class Document:
    """The document, and whether data are as one of its schemas says."""

    def __init__(self, client: FlaskClient) -> None:
        self.data = client.get("/openapi.json").get_json()
        self._known: dict[int, Callable[[Any], bool]] = {}

    def allows(self, schema: Part, data: Any) -> bool:
        if id(schema) not in self._known:
            whole = {**schema, "components": self.data["components"]}
            self._known[id(schema)] = jsonschema_rs.validator_for(whole).is_valid
        return self._known[id(schema)](data)

    def resolved(self, schema: Part) -> Part:
        while "$ref" in schema:
            schema = reduce(getitem, schema["$ref"].split("/")[1:], self.data)
        return schema

    def calls(self) -> Iterator[tuple[str, str, Part]]:
        for path, calls in self.data["paths"].items():
            yield from ((path, method, call) for method, call in calls.items() if method != "parameters")

    def places(self, schema: Part, data: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Part, tuple[Any, ...]]]:
        """Every place in the data, and every key that may be there, with what the document says of it."""
        yield schema, at
        while kinds := (schema := self.resolved(schema)).get("oneOf") or schema.get("anyOf"):
            schema = next(kind for kind in kinds if self.allows(kind, data))
        if isinstance(data, dict):
            for key, inner in schema.get("properties", {}).items():
                yield from self.places(inner, data[key], (*at, key)) if key in data else [(inner, (*at, key))]
        elif isinstance(data, list) and data and "items" in schema:
            yield from self.places(schema["items"], data[0], (*at, 0))

    def conforms(self, call: Part, found: TestResponse) -> bool:
        """Whether an answer has a status and a body that the document knows."""
        answer = self.resolved(call["responses"][str(found.status_code)])["content"][found.mimetype]
        return found.mimetype != JSON or self.allows(answer["schema"], found.get_json())


@pytest.fixture(scope="module")
def document(client: FlaskClient) -> Document:
    return Document(client)


def put(data: Any, at: tuple[Any, ...], value: Any) -> Any:
    """The data with another value at a place."""
    if not at:
        return value
    key, *inner = at
    changed = copy(data)
    changed[key] = put(data[key], tuple(inner), value) if inner else value
    return changed


def test_examples_are_answered_and_nothing_else_is_allowed_in_their_places(
    client: FlaskClient, document: Document
) -> None:
    """Each place of the document is tried in one example: with one of what it does not allow, by turns."""
    tried: set[int] = set()
    turns = count()
    for path, _, call in document.calls():
        content = call.get("requestBody", {}).get("content", {}).get(JSON)
        if content is None:
            continue
        examples = [example["value"] for example in content.get("examples", {}).values()] + MORE.get(path, [])
        assert examples, path
        for example in examples:
            assert document.allows(content["schema"], example), (path, example)
            if path != "/v1/jobs":  # a job would go on behind this test
                # Compounding takes milliseconds, but on a busy machine perhaps more than it has by itself.
                patient = {"limit": {"seconds": 30}} if path == "/v1/compound" else {}
                found = client.post(path, json=example | patient)
                assert found.status_code == 200, (path, example, found.text)
                assert document.conforms(call, found), (path, example, found.text)
                assert not inexact(found.get_json(silent=True)), (path, example)
            for schema, at in document.places(content["schema"], example):
                # The questions of a batch have their errors in their lines.
                if id(schema) in tried or (path, at[:1]) == ("/v1/batch", ("questions",)):
                    continue
                tried.add(id(schema))
                wrong = [
                    body for junk in JUNK if not document.allows(content["schema"], body := put(example, at, junk))
                ]
                turn = next(turns)
                for body in wrong and [wrong[turn % len(wrong)]]:
                    found = client.post(path, data=json.dumps(body), content_type=JSON)
                    assert found.status_code in (400, 413, 422), (path, at, body, found.text)
                    assert document.conforms(call, found), (path, at, body, found.text)
                    for wrong_at in paths_of(found.get_json()["error"]):
                        assert rooted(wrong_at, body), (path, body, wrong_at)
    assert len(tried) > 300


def inexact(data: Any) -> list[int]:
    """The whole numbers that a browser would read as others."""
    if isinstance(data, dict | list):
        return [number for part in (data.values() if isinstance(data, dict) else data) for number in inexact(part)]
    return [data] if isinstance(data, int) and abs(data) >= 2**53 else []


def test_no_number_that_a_browser_reads_as_another_is_taken_or_given(
    client: FlaskClient, document: Document
) -> None:
    tried: set[int] = set()
    for path, _, call in document.calls():
        content = call.get("requestBody", {}).get("content", {}).get(JSON)
        if content is None or path == "/v1/jobs":
            continue
        for example in [one["value"] for one in content.get("examples", {}).values()] + MORE.get(path, []):
            for schema, at in document.places(content["schema"], example):
                body = put(example, at, 2**53)
                if id(schema) in tried or not document.allows(content["schema"], body):
                    continue
                tried.add(id(schema))
                found = client.post(path, json=body)
                if found.status_code == 200:
                    assert not inexact(found.get_json(silent=True)), (path, at, found.text)
    numbers = [
        schema
        for name in ("DealRequest", "HintRequest", "WorldsRequest", "Saved", "Limit", "ResultsQuery")
        for key, schema in document.data["components"]["schemas"][name]["properties"].items()
        if key in ("seed", "number", "nodes", "after")
    ]
    assert len(numbers) >= 8
    for schema in numbers:
        assert document.allows(schema, 2**53 - 1), schema
        assert not document.allows(schema, 2**53), schema


def test_of_an_address_what_the_document_does_not_allow(client: FlaskClient, document: Document) -> None:
    """Words after the question mark, names of jobs that there are not, and other methods."""
    tried = 0
    for path, method, call in document.calls():
        address = path.format(game="kirin", job="0" * 16)
        content = call["requestBody"]["content"].get(JSON) if "requestBody" in call else None
        examples = list(content.get("examples", {}).values()) if content else []
        sent: dict[str, Any] = {"json": examples[0]["value"] if examples else None}
        if "requestBody" in call and not content:
            sent = {"data": "", "content_type": next(iter(call["requestBody"]["content"]))}
        if "{job}" in path:
            found = client.open(address, method=method)
            assert found.status_code == 404, (path, method, found.text)
            assert document.conforms(call, found), (path, method, found.text)
        for word in call.get("parameters", ()):
            for text in TEXTS:
                number = [json.loads(text)] if re.fullmatch(r"-?[\d.]+", text) else []
                if word["in"] == "query" and not any(
                    document.allows(word["schema"], one) for one in [text, *number]
                ):
                    tried += 1
                    found = client.open(address, method=method, query_string={word["name"]: text}, **sent)
                    assert found.status_code in (404, 422), (path, method, word["name"], text, found.text)
                    assert document.conforms(call, found), (path, method, word["name"], text, found.text)
    for path, calls in document.data["paths"].items():
        allowed = {method.upper() for method in calls} & METHODS
        for method in METHODS - allowed:
            found = client.open(path.format(game="kirin", job="0" * 16), method=method)
            refused(found, 405, "method_not_allowed")
            assert set(found.headers["Allow"].split(", ")) & METHODS == allowed, (path, method)
    assert tried > 40
