"""Aqua Regia over HTTP, on the command line, and in puzzle files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from api.app import create_app
from api.cli.main import cli
from api.config import Config
from puzzles.check import solve_puzzle
from puzzles.format import from_data
from solver.games.aqua_regia import GAME
from solver.limits import Limit
from solver.positions import parse_position
from tests.api.support import refused
from tests.games.aqua_regia.examples import KNOWN, SEEN, SMALL

# Fe Fe leaves Sn against a lone Pb that cannot lie on two cards; Sn at once lets seat 1 go out with Pb.
ENDING: dict[str, Any] = {
    "game": "aqua-regia",
    "deck": "house",
    "field": "acid",
    "turn": 0,
    "hands": [["Fe", "Fe", "Sn"], ["Pb"]],
    "stock": [],
    "discard": [],
}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    GAME.warm()
    return create_app(Config(default_seconds=5, max_seconds=10)).test_client()


def test_analyze(client: FlaskClient) -> None:
    found = client.post("/v1/analyze", json={"position": ENDING}).get_json()
    assert (found["game"], found["model"], found["player"], found["value"]) == ("aqua-regia", "paranoid", 0, 1)
    assert (found["best"], found["exact"], found["bounds"]) == ("Fe Fe", True, [1, 1])
    assert {move["move"]: move["value"] for move in found["moves"]} == {"Fe Fe": 1, "Fe": 0, "Sn": 0}
    assert found["line"] == ["Fe Fe", "pass", "Sn"]
    other = client.post("/v1/analyze", json={"position": ENDING, "player": 1, "model": "ally"}).get_json()
    assert (other["value"], other["best"]) == (1, "Fe")
    everybody = client.post("/v1/analyze", json={"position": ENDING, "model": "maxn"}).get_json()
    assert everybody["value"] == [1, 0]


def test_a_deck_inside_the_position(client: FlaskClient) -> None:
    position = {**ENDING, "deck": SMALL, "hands": [["Fe"], ["Ag", "Ag"]]}
    found = client.post("/v1/analyze", json={"position": position}).get_json()
    assert (found["value"], found["best"]) == (1, "Fe")


@pytest.mark.parametrize(
    ("keys", "code", "path"),
    [
        ({"hands": [["Fe"], []]}, "wrong_size", "hands[1]"),
        ({"discard": ["Fe"] * 3}, "duplicate_card", "discard[2]"),
        ({"table": ["Zn", "Li"], "owner": 1}, "illegal_play", "table[1]"),
        ({"table": ["Zn"], "owner": 0}, "conflict", "owner"),
        ({"deck": "mine"}, "unknown_deck", "deck"),
        (
            {"deck": SMALL | {"metal": [{"symbol": "Fe", "reactivity": {"water": "x"}}]}},
            "wrong_type",
            "deck.metal[0].reactivity.water",
        ),
        ({"hands": None}, "wrong_type", "hands"),
        ({"stock": ["Unobtainium"]}, "illegal_card", "stock[0]"),
    ],
)
def test_refused_positions(client: FlaskClient, keys: dict[str, Any], code: str, path: str) -> None:
    refused(client.post("/v1/analyze", json={"position": ENDING | keys}), 422, code, path)


def test_a_view_is_not_analyzed(client: FlaskClient) -> None:
    refused(client.post("/v1/analyze", json={"position": SEEN}), 422, "hidden_cards", "hand")


@pytest.mark.parametrize("keys", [{"model": "greedy"}, {"player": 2}])
def test_refused_questions(client: FlaskClient, keys: dict[str, Any]) -> None:
    found = client.post("/v1/analyze", json={"position": ENDING} | keys)
    refused(found, 422, "unknown_value" if "model" in keys else "out_of_range", next(iter(keys)))


def test_deal_and_score(client: FlaskClient) -> None:
    found = client.post("/v1/deal", json={"game": "aqua-regia", "seed": 5, "players": 3}).get_json()
    assert parse_position(found["position"]) == GAME.deal(5, players=3)
    seen = client.post("/v1/deal", json={"game": "aqua-regia", "seed": 5, "players": 3, "seat": 2}).get_json()
    assert seen["position"]["counts"] == [10, 10, 10]
    assert seen["position"]["hand"] == found["position"]["hands"][2]
    refused(client.post("/v1/deal", json={"game": "aqua-regia", "players": 6}), 422, "out_of_range", "players")
    record = {"game": "aqua-regia", "rounds": [{"counts": [3, 0]}]}
    assert client.post("/v1/score", json=record).get_json()["totals"] == [0, 1]
    record = {"game": "aqua-regia", "rounds": [{"counts": [3, 1]}]}
    refused(client.post("/v1/score", json=record), 422, "conflict", "rounds[0].counts")


def test_the_command_line() -> None:
    run = CliRunner().invoke
    found = run(cli, ["deal", "aqua-regia", "--seed", "2", "--players", "5", "--seat", "4"])
    assert found.exit_code == 0
    assert len(json.loads(found.stdout)["counts"]) == 5
    found = run(cli, ["analyze", "-"], input=json.dumps(KNOWN), env={"COLUMNS": "200"})
    assert found.exit_code == 0, found.output
    assert "Li < Zn Zn, the last by seat 1" in found.stdout
    assert "Fe Sn Sn   (can play Sn Sn; to move)" in found.stdout
    found = run(cli, ["analyze", "-"], input=json.dumps(KNOWN | {"owner": 2}))
    assert (found.exit_code, found.stdout) == (2, "")
    assert "seat 2 played the last cards and can't be to move" in found.stderr
    assert "ionisation" in run(cli, ["rules", "aqua-regia"]).stdout


@pytest.mark.parametrize(
    ("ask", "solution", "status"),
    [
        ("best-move", {"best": ["Fe Fe"], "value": 1}, "confirmed"),
        ("best-move", {"best": ["Sn"]}, "refuted"),
        ("value", {"value": 0}, "refuted"),
    ],
)
def test_puzzles(ask: str, solution: dict[str, Any], status: str) -> None:
    data = {"id": "one", "title": "One", "ask": ask, "model": "paranoid", "position": ENDING, "solution": solution}
    [puzzle] = from_data({"puzzle": [data]}).puzzle
    assert solve_puzzle(puzzle, Limit(seconds=10)).status == status
