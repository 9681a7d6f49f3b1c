"""Hints and analyses that tell how far they are, line by line, and end with the same answer."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from flask.testing import FlaskClient

import athanor
from api.app import create_app
from api.config import Config
from tests.api.searching import lanes
from tests.api.support import FREE, HIDDEN, KNOWN, lines_of, refused, warmed

NDJSON = {"Accept": "application/x-ndjson"}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    warmed()
    return create_app(Config()).test_client()


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "seconds"}


@pytest.fixture(scope="module")
def views() -> list[dict[str, Any]]:
    """A view of each game that is hinted by sampling."""
    dealt = [athanor.view(athanor.deal(name, seed=2), 0) for name in ("kirin", "king", "aqua-regia")]
    return [json.loads(view.model_dump_json(exclude_none=True)) for view in dealt]


def test_the_last_line_is_the_hint_as_it_is_without_a_stream(
    client: FlaskClient, views: list[dict[str, Any]]
) -> None:
    for view in views:
        body = {"position": view, "worlds": 40, "seed": 3}
        alone = client.post("/v1/hint", json=body).get_json()
        *progress, last = lines_of(client.post("/v1/hint", json=body, headers=NDJSON))
        assert timeless(last) == timeless(alone)
        assert all(set(line) == {"progress"} for line in progress)


@pytest.mark.parametrize("place", range(3), ids=["kirin", "king", "aqua-regia"])
def test_a_hint_tells_how_far_it_is(client: FlaskClient, views: list[dict[str, Any]], place: int) -> None:
    client.post("/v1/hint", json={"position": views[place], "worlds": 1})  # loads the kernels
    body = {"position": views[place], "limit": {"seconds": 0.6}}
    *lines, last = lines_of(client.post("/v1/hint?stream=1", json=body))
    progress = [line["progress"] for line in lines]
    assert 1 <= len(progress) <= 7
    moves = {move["move"] for move in last["moves"]}
    for one in progress:
        assert 0 <= one["done"] <= 1
        assert one["stage"]
        assert one["best"] in moves
    searched = [one for one in progress if one["stage"] != "policy"]
    assert all(one["nodes"] > 0 and one["done"] > 0 for one in searched)
    assert [one["seconds"] for one in progress] == sorted(one["seconds"] for one in progress)
    assert last["best"]


def test_an_analysis_too(client: FlaskClient) -> None:
    known = athanor.deal("king", seed=1)
    body = {"position": json.loads(known.model_dump_json()), "limit": {"seconds": 0.5}}
    *progress, last = lines_of(client.post("/v1/analyze", json=body, headers=NDJSON))
    nodes = [line["progress"]["nodes"] for line in progress]
    assert nodes
    assert nodes == sorted(nodes)
    assert last["nodes"] >= nodes[-1] > 0
    proved = {move["move"]: move["bounds"] for move in last["moves"]}
    proving = [line["progress"]["moves"] for line in progress if "moves" in line["progress"]]
    assert proving
    for moves in proving:
        told = {move["move"]: move["bounds"] for move in moves}
        assert set(told) == set(proved)
        assert all(told[move][0] <= least <= most <= told[move][1] for move, (least, most) in proved.items())


def test_an_analysis_tells_who_can_go_out_first_by_then(client: FlaskClient) -> None:
    known = athanor.deal("aqua-regia", seed=1, players=2)
    body = {"position": json.loads(known.model_dump_json()), "model": "maxn", "limit": {"seconds": 0.4}}
    *progress, last = lines_of(client.post("/v1/analyze?stream=1", json=body))
    for line in progress:
        told = line["progress"].get("moves")
        if told is None:  # the line of play is looked for
            continue
        assert {move["move"] for move in told} == {move["move"] for move in last["moves"]}
        assert all(least <= most for move in told for least, most in zip(*move["bounds"], strict=True))
    assert progress or last["exact"]


def test_a_quick_answer_is_one_line(client: FlaskClient) -> None:
    alone = client.post("/v1/analyze", json={"position": KNOWN}).get_json()
    (line,) = lines_of(client.post("/v1/analyze?stream=1", json={"position": KNOWN}))
    assert timeless(line) == timeless(alone)
    unstreamed = client.post("/v1/analyze?stream=0", json={"position": KNOWN}, headers=NDJSON)
    assert unstreamed.mimetype == "application/json"


@pytest.mark.parametrize(
    ("query", "body", "code", "path"),
    [
        ("stream=1", {"position": FREE}, "not_playable", "variant"),
        ("stream=1", {"position": {**HIDDEN, "hand": "P"}}, "illegal_card", "hand"),
        ("stream=yes", {"position": HIDDEN}, "unknown_value", "stream"),
        ("steam=1", {"position": HIDDEN}, "unknown_key", "steam"),
    ],
)
def test_what_cannot_be_answered_is_an_error_with_its_status(
    client: FlaskClient, query: str, body: Any, code: str, path: str
) -> None:
    refused(client.post(f"/v1/hint?{query}", json=body), 422, code, path)


def test_a_stream_that_is_closed_ends_its_search(
    views: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = athanor.hint
    cancels: list[threading.Event] = []
    done = threading.Event()

    def noted(position: Any, *, cancel: threading.Event, **options: Any) -> Any:
        cancels.append(cancel)
        found = inner(position, cancel=cancel, **options)
        done.set()
        return found

    monkeypatch.setattr(athanor, "hint", noted)
    searches = lanes(1, 8)  # two places for streams, one for a client
    client = create_app(Config(), searches).test_client()
    body = {"position": views[0], "limit": {"seconds": 50}}
    found = client.post("/v1/hint?stream=1", json=body, buffered=False)
    assert "progress" in json.loads(next(found.iter_encoded()))
    assert not cancels[0].is_set()
    found.close()
    assert cancels[0].is_set()
    assert done.wait(20)
    assert client.post("/v1/hint?stream=1", json={**body, "limit": {"seconds": 0.1}}).status_code == 200
