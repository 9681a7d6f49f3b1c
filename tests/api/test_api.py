"""`/v1/analyze` and `/v1/hint`, and what is common to all addresses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from solver.games.alchemy import solving
from solver.limits import Control
from solver.positions import parse_position
from solver.registry import game_of
from tests.api.support import DUEL, FREE, HIDDEN, KNOWN, POSITIONS, refused, warmed


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    warmed()
    return create_app(Config(default_seconds=5, max_seconds=10)).test_client()


@pytest.mark.parametrize("kind", POSITIONS)
def test_analyze_says_what_the_solver_says(client: FlaskClient, kind: str) -> None:
    found = client.post("/v1/analyze", json={"position": POSITIONS[kind]})
    assert found.status_code == 200, found.text
    position = parse_position(POSITIONS[kind])
    expected = json.loads(game_of(position).analyze(position, Control()).to_json())
    answer = found.get_json()
    for varying in ("nodes", "seconds"):
        assert answer.pop(varying) >= 0
        expected.pop(varying)
    assert answer == expected


@pytest.mark.parametrize("position", [HIDDEN, DUEL], ids=["hidden", "duel"])
def test_hint(client: FlaskClient, position: dict[str, Any]) -> None:
    body = {"position": position, "limit": {"seconds": 5, "nodes": 10**9}, "worlds": 50, "seed": 7}
    found = client.post("/v1/hint", json=body)
    assert found.status_code == 200, found.text
    answer = found.get_json()
    assert answer["best"] == answer["moves"][0]["move"]
    assert answer["reason"]


def test_nulls_are_as_good_as_nothing(client: FlaskClient) -> None:
    body = {"position": KNOWN, "model": None, "player": None, "limit": {"seconds": None, "nodes": None}}
    assert client.post("/v1/analyze", json=body).status_code == 200


@pytest.mark.parametrize(("asked", "given"), [(None, 2.0), (1.5, 1.5), (1000.0, 3.0), (1, 1.0)])
def test_limit(monkeypatch: pytest.MonkeyPatch, asked: float | None, given: float) -> None:
    controls: list[Control] = []
    inner = solving.analyze

    def spy(position: Any, control: Control, **options: Any) -> Any:
        controls.append(control)
        return inner(position, control, **options)

    monkeypatch.setattr(solving, "analyze", spy)
    app = create_app(Config(default_seconds=2, max_seconds=3))
    body = {"position": KNOWN, "limit": {"seconds": asked, "nodes": 12345}}
    assert app.test_client().post("/v1/analyze", json=body).status_code == 200
    (control,) = controls
    assert control.deadline is not None
    assert control.deadline - control.started == pytest.approx(given, abs=0.05)
    assert control.node_limit == 12345


def test_a_limit_that_ends_the_search_returns_the_best_so_far(client: FlaskClient) -> None:
    deal = client.post("/v1/deal", json={"game": "alchemy", "variant": "alternative", "seed": 4}).get_json()
    found = client.post("/v1/analyze", json={"position": deal["position"], "limit": {"nodes": 1}})
    assert found.status_code == 200
    answer = found.get_json()
    assert answer["exact"] is (answer["bounds"][0] == answer["bounds"][1])


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"position": {**KNOWN, "line": ["4", "7", "K", "2", "Z", "A"]}}, "illegal_card", "line[4]"),
        ({"position": {**KNOWN, "line": ["4", "7", "K", "2", 9, "A"]}}, "wrong_type", "line[4]"),
        ({"position": {**KNOWN, "line": ["4", "7"]}}, "wrong_size", "line"),
        ({"position": {**KNOWN, "stok": []}}, "unknown_key", "stok"),
        ({"position": {**KNOWN, "cap": 10**400}}, "out_of_range", "cap"),
        ({"position": {**KNOWN, "game": "chess"}}, "unknown_value", "game"),
        ({"position": {**KNOWN, "game": None}}, "unknown_value", "game"),
        ({"position": {**KNOWN, "variant": "poker"}}, "unknown_value", "variant"),
        ({"position": {}}, "missing_key", "game"),
        ({"position": 5}, "wrong_type", "position"),
        ({"position": None}, "wrong_type", "position"),
        ({"position": HIDDEN}, "hidden_cards", "stock"),
        ({"limit": {"seconds": 0}}, "out_of_range", "limit.seconds"),
        ({"limit": {"seconds": "1"}}, "wrong_type", "limit.seconds"),
        ({"limit": {"nodes": 10**400}}, "out_of_range", "limit.nodes"),
        ({"limit": {"nodes": 1.5}}, "wrong_type", "limit.nodes"),
        ({"limit": {"minutes": 1}}, "unknown_key", "limit.minutes"),
        ({"limit": 5}, "wrong_type", "limit"),
        ({"model": "paranoid"}, "unknown_value", "model"),
        ({"model": 5}, "wrong_type", "model"),
        ({"player": 9}, "out_of_range", "player"),
        ({"player": -1}, "out_of_range", "player"),
        ({"worlds": 5}, "unknown_key", "worlds"),
    ],
    ids=str,
)
def test_analyze_names_the_key_that_is_wrong(
    client: FlaskClient, change: dict[str, Any], code: str, path: str
) -> None:
    refused(client.post("/v1/analyze", json={"position": KNOWN, **change}), 422, code, path)


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"worlds": -1}, "out_of_range", "worlds"),
        ({"worlds": 10**6}, "out_of_range", "worlds"),
        ({"seed": -1}, "out_of_range", "seed"),
        ({"seed": 2**63}, "out_of_range", "seed"),
        ({"model": "paranoid"}, "not_applicable", "model"),
        ({"player": 0}, "not_applicable", "player"),
    ],
    ids=str,
)
def test_hint_names_the_key_that_is_wrong(
    client: FlaskClient, change: dict[str, Any], code: str, path: str
) -> None:
    refused(client.post("/v1/hint", json={"position": HIDDEN, **change}), 422, code, path)


def test_a_position_that_cannot_be_hinted(client: FlaskClient) -> None:
    found = client.post("/v1/hint", json={"position": FREE})
    assert found.status_code == 422
    assert found.get_json()["error"]["message"]


def test_a_missing_position(client: FlaskClient) -> None:
    refused(client.post("/v1/analyze", json={}), 422, "missing_key", "position")


@pytest.mark.parametrize("address", ["/nothing", "/v1/analyze/", "//v1/games", "/v1/nothing", "/docs/x"])
def test_an_unknown_address(client: FlaskClient, address: str) -> None:
    # Said by itself, the host is not taken from an address that begins with two slashes.
    refused(client.get(address, headers={"Host": "localhost"}), 404, "not_found")


@pytest.mark.parametrize(
    ("address", "method", "allowed"),
    [("/v1/analyze", "GET", "POST"), ("/v1/solve", "PUT", "POST"), ("/v1/games", "POST", "GET")],
)
def test_another_method(client: FlaskClient, address: str, method: str, allowed: str) -> None:
    found = client.open(address, method=method)
    refused(found, 405, "method_not_allowed")
    assert allowed in found.headers["Allow"].split(", ")


def test_a_failure_of_ours_is_logged_and_not_told(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a secret of the kitchen")

    monkeypatch.setattr(solving, "analyze", broken)
    found = client.post("/v1/analyze", json={"position": KNOWN})
    refused(found, 500, "internal_error")
    assert "secret" not in found.text
    assert "a secret of the kitchen" in caplog.text
