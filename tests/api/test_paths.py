"""Paths of faults begin at the body as it was sent, whether it cannot be read or only not be answered."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from api.models import BODIES
from athanor.jobs.store import Store
from tests.api.support import FREE, HIDDEN, KNOWN, lines_of, paths_of, refused, rooted, warmed
from tests.jobs.support import do


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    warmed()
    return create_app(Config(default_seconds=0.05, max_seconds=0.5, hint_seconds=0.05)).test_client()


NINE = ["D1", "D2", "D3", "D4", "D5", "D6", "DT", "D+", "D-"]
WRONG: dict[str, tuple[Any, str]] = {  # positions, and a path in them
    "unread": ({"game": "kirin", "seat": 2, "leader": 0, "hand": ["D1", *NINE[1:8], "D1"]}, "hand[8]"),
    "text": (f"kirin seat=2 leader=0 hand={','.join(['D1', *NINE[1:8], 'D1'])}", "hand[8]"),
    "deep": ({"game": "king", "deck": {"name": "x", "cards": {"F": 1}}, "cards": ["F1"]}, "deck"),
    "nothing": ({"game": "kirin"}, ""),
    "unknown": ({"game": "kirin", "seat": 2, "leader": 0, "hand": NINE, "colour": 1}, "colour"),
    "free": (FREE, "variant"),
    "hidden": ({"game": "kirin", "seat": 2, "leader": 0, "hand": NINE}, ""),
    "known": (KNOWN, ""),
    "other": ({"game": "kirin", "seat": 1, "leader": 0, "hand": NINE, "declared": None}, ""),
}
MORE: dict[str, dict[str, Any]] = {"play": {"moves": ["D9", "D7"]}, "view": {"seat": 7}, "check": {"moves": ["x"]}}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", [name for name, body in BODIES.items() if "position" in body.model_fields])
def test_a_path_begins_at_the_body(client: FlaskClient, name: str, wrong: str) -> None:
    position, path = WRONG[wrong]
    body = {"position": position, **MORE.get(name, {})}
    found = client.post(f"/v1/{name}", json=body).get_json()
    paths = [fault["path"] for fault in found["faults"]] if name == "check" else paths_of(found.get("error", {}))
    assert all(rooted(one, body) for one in paths), paths
    if wrong in ("unread", "text", "deep", "nothing", "unknown"):
        assert any(one.startswith(f"position.{path}") for one in paths), paths
    if name not in ("hint", "analyze", "compound"):
        return
    asked = [{"ask": name, "position": KNOWN}, {"ask": name, **body}]
    [line] = [line for line in lines_of(client.post("/v1/batch", json={"questions": asked})) if line["index"] == 1]
    assert paths_of(line.get("error", {})) == [f"questions[1].{one}".removesuffix(".") for one in paths]


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("kind", ["analyze", "hint"])
@pytest.mark.parametrize("bare", [True, False])
def test_a_path_begins_at_the_body_of_a_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, wrong: str, bare: bool
) -> None:
    """A faulty question is a result of its own, whether the fault shows at once or when its turn comes."""
    monkeypatch.setenv("ATHANOR_JOBS", str(tmp_path / "jobs.sqlite"))
    client = create_app(Config(searches=1)).test_client()
    position, path = WRONG[wrong]
    sound = KNOWN if kind == "analyze" else HIDDEN
    body = {
        "kind": kind,
        "limit": {"nodes": 20},
        "questions": [sound, position if bare else {"position": position}],
    }
    job = client.post("/v1/jobs", json=body)
    assert job.status_code == 201, job.text
    with closing(Store()) as store:
        do(store)
        results = [result.result for result in store.results(job.get_json()["id"])]
    assert "error" not in results[0]
    paths = paths_of(results[1].get("error", {}))
    assert all(one.startswith("questions[1]") and rooted(one, body) for one in paths), paths
    if wrong in ("unread", "text", "deep", "nothing", "unknown"):
        within = path if bare else f"position.{path}"
        assert any(one.startswith(f"questions[1].{within}".removesuffix(".")) for one in paths), paths


def test_an_option_of_a_job_that_its_kind_does_not_take_is_named_as_it_was_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATHANOR_JOBS", str(tmp_path / "jobs.sqlite"))
    client = create_app(Config(searches=1)).test_client()
    body = {"kind": "deal", "questions": ["kirin"], "limit": {"nodes": 5}}
    refused(client.post("/v1/jobs", json=body), 422, "not_applicable", "limit")


PUZZLES = [
    {"id": "a", "title": "A", "ask": "winnable", "position": KNOWN},
    {"id": "b", "title": "B", "ask": "winnable", "position": KNOWN},
]


@pytest.mark.parametrize("address", ["/v1/puzzles", "/v1/solve"])
@pytest.mark.parametrize(
    "change", [{"ask": "x"}, {"position": {**KNOWN, "hand": "P"}}, {"colour": 1}, {"title": 4}]
)
def test_a_path_begins_at_the_file_of_puzzles(client: FlaskClient, address: str, change: Any) -> None:
    body = {"puzzle": [PUZZLES[0], {**PUZZLES[1], **change}]}
    paths = paths_of(client.post(address, json=body).get_json()["error"])
    assert all(one.startswith("puzzle[1]") and rooted(one, body) for one in paths), paths


@pytest.mark.parametrize("below", ["", "/log", "/turn", "/hint", "/review", "/ended"])
@pytest.mark.parametrize(
    "match",
    [
        {"game": "chess"}, {"seat": 9}, {"moves": [["D1", "x"]]}, {"players": 9}, {"dealt": ["x"]},
        {"rules": ["x"]}, {"game": "king", "deck": {"name": "x"}}, {"moves": [[], ["D1"]]}, {"colour": 1},
        {"variant": "x"}, {"shown": {"1": "D1"}}, {"seed": -1}, {"seconds": "long"},
        {"dealt": ["kirin seat=0 leader=0 hand=D1"]},
    ],
    ids=str,
)  # fmt: skip
def test_a_path_begins_at_the_body_of_a_match(client: FlaskClient, below: str, match: Any) -> None:
    body = {"match": {"game": "kirin", "seed": 1, "seconds": 0.1, **match}}
    found = client.post(f"/v1/match{below}", json=body)
    paths = paths_of(json.loads(found.text.splitlines()[-1]).get("error", {}))
    assert all(path.startswith("match") and rooted(path, body) for path in paths), (paths, found.text)


def test_what_cannot_be_played_in_a_match_is_named_by_its_place(client: FlaskClient) -> None:
    body: dict[str, Any] = {"match": {"game": "kirin", "seed": 1, "seconds": 0.1}, "moves": ["x"]}
    assert client.post("/v1/match", json=body).get_json()["error"]["path"] == "moves[0]"
