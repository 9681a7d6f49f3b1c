"""`/v1/batch`: many questions in, a line for each out, and no fault of one is another's."""

from __future__ import annotations

import json
import logging
import threading
import time
from typing import Any

import pytest
from flask.testing import FlaskClient

import athanor
from api.app import create_app
from api.config import Config
from tests.api.searching import lanes
from tests.api.support import FREE, HIDDEN, KNOWN, lines_of, refused, warmed

ANALYSIS: dict[str, Any] = {"ask": "analyze", "position": KNOWN}
HINT: dict[str, Any] = {"ask": "hint", "position": HIDDEN, "limit": {"nodes": 2000}}
COMPOUND: dict[str, Any] = {"ask": "compound", "position": {"game": "king", "cards": ["F3", "F6", "W5", "A1"]}}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    warmed()
    return create_app(Config(), lanes(3, 16)).test_client()


def by_index(client: FlaskClient, questions: list[Any]) -> dict[int, dict[str, Any]]:
    lines = lines_of(client.post("/v1/batch", json={"questions": questions}))
    assert len(lines) == len(questions)
    return {line["index"]: line for line in lines}


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "seconds"}


def test_each_answer_is_that_of_its_own_address(client: FlaskClient) -> None:
    questions = [ANALYSIS, HINT, COMPOUND, {**HINT, "seed": 7}] * 5
    lines = by_index(client, questions)
    assert set(lines) == set(range(20))
    for index, question in enumerate(questions):
        body = {key: value for key, value in question.items() if key != "ask"}
        alone = client.post(f"/v1/{question['ask']}", json=body).get_json()
        assert timeless(lines[index]["answer"]) == timeless(alone)


@pytest.mark.parametrize(
    ("question", "code", "path"),
    [
        ({**ANALYSIS, "position": {**KNOWN, "hand": "P"}}, "illegal_card", "hand"),
        ({**ANALYSIS, "limit": {"seconds": 0}}, "out_of_range", "limit.seconds"),
        ({**HINT, "model": "ally"}, "not_applicable", "model"),
        ({**HINT, "position": FREE}, "not_playable", "variant"),
        ({"ask": "win", "position": KNOWN}, "unknown_value", "ask"),
        ({"position": KNOWN}, "missing_key", "ask"),
        ({"ask": "hint"}, "missing_key", "position"),
        ("hint", "wrong_type", ""),
    ],
    ids=str,
)
def test_a_faulty_question_has_its_error_and_the_others_their_answers(
    client: FlaskClient, question: Any, code: str, path: str
) -> None:
    lines = by_index(client, [ANALYSIS, question, ANALYSIS])
    error = lines[1]["error"]
    assert (error["code"], error["path"]) == (code, path)
    assert lines[0]["answer"]["value"] == lines[2]["answer"]["value"]


def test_a_bug_is_one_questions_own(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("a secret of the kitchen")

    monkeypatch.setattr(athanor, "compound", broken)
    with caplog.at_level(logging.ERROR):
        lines = by_index(client, [COMPOUND, ANALYSIS])
    assert lines[0]["error"]["code"] == "internal_error"
    assert lines[1]["answer"]["exact"]
    assert "secret" in caplog.text


@pytest.mark.parametrize("refusal", [MemoryError(), RuntimeError("can't start new thread")], ids=repr)
def test_what_the_system_refuses_is_no_bug(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, refusal: Exception
) -> None:
    def refused_by_the_system(*_: Any, **__: Any) -> Any:
        raise refusal

    monkeypatch.setattr(athanor, "compound", refused_by_the_system)
    error = by_index(client, [COMPOUND])[0]["error"]
    assert error["code"] == "out_of_memory"
    assert error["message"].endswith("try again later")
    told = client.post("/v1/compound", json={key: value for key, value in COMPOUND.items() if key != "ask"})
    refused(told, 503, "out_of_memory")
    assert not caplog.text


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ({"questions": []}, "wrong_size", "questions"),
        ({"questions": [HINT] * 1001}, "wrong_size", "questions"),
        ({}, "missing_key", "questions"),
        ({"questions": HINT}, "wrong_type", "questions"),
        ([HINT], "wrong_type", ""),
    ],
    ids=["none", "too-many", "missing", "no-list", "list"],
)
def test_a_body_that_is_no_batch(client: FlaskClient, body: Any, code: str, path: str) -> None:
    refused(client.post("/v1/batch", json=body), 422, code, path)


def test_lines_come_in_the_order_of_their_ends_and_one_slot_stays_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three slots a batch takes two at a time; a long question does not keep quick ones waiting."""
    inner = athanor.analyze
    more = threading.Event()
    lock = threading.Lock()
    running: list[int] = [0]

    def slow(position: Any, **options: Any) -> Any:
        with lock:
            running[0] += 1
            assert running[0] <= 2
        if options["player"] == 1:
            assert more.wait(10)
        found = inner(position, **{**options, "player": None})
        with lock:
            running[0] -= 1
        return found

    monkeypatch.setattr(athanor, "analyze", slow)
    client = create_app(Config(), lanes(3, 16)).test_client()
    questions = [{**ANALYSIS, "player": 1}] + [ANALYSIS] * 5
    found = client.post("/v1/batch", json={"questions": questions}, buffered=False)
    stream = found.iter_encoded()
    assert [json.loads(next(stream))["index"] for _ in range(5)] == [1, 2, 3, 4, 5]
    more.set()
    assert [json.loads(line)["index"] for line in stream] == [0]
    found.close()


def test_a_batch_that_nobody_reads_ends_its_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    cancels: list[threading.Event] = []
    inner = athanor.analyze

    def noted(position: Any, *, cancel: threading.Event, **options: Any) -> Any:
        cancels.append(cancel)
        return inner(position, cancel=cancel, **options)

    monkeypatch.setattr(athanor, "analyze", noted)
    searches = lanes(1, 8)
    client = create_app(Config(), searches).test_client()
    found = client.post("/v1/batch", json={"questions": [ANALYSIS] * 30}, buffered=False)
    next(found.iter_encoded())
    found.close()
    assert cancels[0].is_set()
    time.sleep(0.05)
    assert len(cancels) <= 2  # at most the one that was begun already, which ends at once


def test_a_batch_that_is_cut_short_says_so() -> None:
    searches = lanes(1, 8)
    client = create_app(Config(), searches).test_client()
    searches.cancel_all()
    lines = lines_of(client.post("/v1/batch", json={"questions": [ANALYSIS] * 3}))
    assert lines[-1]["error"]["code"] == "cancelled"
    assert "3 questions" in lines[-1]["error"]["message"]
