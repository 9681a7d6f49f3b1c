"""Games, rules, deals, scores: what needs no search."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from solver import registry
from solver.positions import parse_position
from tests.api.support import refused, warmed


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    warmed()
    return create_app(Config(default_seconds=5, max_seconds=10)).test_client()


def test_games(client: FlaskClient) -> None:
    games = client.get("/v1/games").get_json()["games"]
    assert [game["name"] for game in games] == list(registry.names())
    assert set(games[0]) == {"name", "title", "players", "variants", "models", "rules"}
    assert "solo" in games[0]["variants"]


@pytest.mark.parametrize("name", registry.names())
def test_rules(client: FlaskClient, name: str) -> None:
    found = client.get(f"/v1/rules/{name}").get_json()
    assert found["game"] == name
    text = client.get(f"/v1/rules/{name}", headers={"Accept": "text/markdown"})
    assert text.mimetype == "text/markdown"
    assert text.text == found["rules"] == registry.game(name).rules()


def test_rules_of_no_game(client: FlaskClient) -> None:
    refused(client.get("/v1/rules/chess"), 404, "unknown_game", "game")


def test_deal(client: FlaskClient) -> None:
    body = {"game": "alchemy", "seed": 5, "number": 2, "variant": "alternative"}
    found = client.post("/v1/deal", json=body).get_json()
    assert (found["seed"], found["number"]) == (5, 2)
    assert found == client.post("/v1/deal", json=body).get_json()
    assert parse_position(found["position"]) == registry.game("alchemy").deal(5, number=2, variant="alternative")
    view = client.post("/v1/deal", json={**body, "seat": 0}).get_json()["position"]
    assert "stock" not in view
    assert view["line"] == found["position"]["line"]


def test_a_drawn_seed_is_told(client: FlaskClient) -> None:
    first, second = (client.post("/v1/deal", json={"game": "alchemy"}).get_json() for _ in range(2))
    assert first["seed"] != second["seed"]
    assert client.post("/v1/deal", json={"game": "alchemy", "seed": first["seed"]}).get_json() == first


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ({}, "missing_key", "game"),
        ({"game": "chess"}, "unknown_game", "game"),
        ({"game": "alchemy", "seed": -1}, "out_of_range", "seed"),
        ({"game": "alchemy", "seed": 2**63}, "out_of_range", "seed"),
        ({"game": "alchemy", "seed": 1.5}, "wrong_type", "seed"),
        ({"game": "alchemy", "variant": "free"}, "unknown_value", "variant"),
        ({"game": "alchemy", "players": 7}, "out_of_range", "players"),
        ({"game": "alchemy", "seat": 3}, "out_of_range", "seat"),
        ({"game": "alchemy", "sed": 3}, "unknown_key", "sed"),
    ],
    ids=str,
)
def test_a_deal_that_cannot_be(client: FlaskClient, body: dict[str, Any], code: str, path: str) -> None:
    refused(client.post("/v1/deal", json=body), 422, code, path)


def test_score(client: FlaskClient) -> None:
    record = {"game": "alchemy", "variant": "duel", "rounds": [{"piles": [["A", "K"], ["2"]]}]}
    answer = client.post("/v1/score", json=record).get_json()
    assert answer["variant"] == "duel"
    assert len(answer["rounds"]) == 1


def test_a_record_that_is_wrong(client: FlaskClient) -> None:
    record = {"game": "alchemy", "variant": "duel", "rounds": [{"piles": [["A", "Z"], ["2"]]}]}
    refused(client.post("/v1/score", json=record), 422, "illegal_card", "rounds[0].piles[0][1]")


def test_health_and_home(client: FlaskClient) -> None:
    found = client.get("/healthz")
    assert found.get_json()["status"] == "ok"
    assert client.get("/", follow_redirects=True).mimetype == "text/html"


@pytest.mark.parametrize("name", registry.names())
def test_cards_are_those_of_a_deal(client: FlaskClient, name: str) -> None:
    found = client.post("/v1/cards", json={"game": name}).get_json()["cards"]
    shown = {one["card"] for one in found}
    assert len(shown) == len(found)
    dealt = client.post("/v1/deal", json={"game": name, "seed": 1}).get_json()["position"]
    held = [card for key in ("hands", "won") for hand in dealt.get(key, ()) for card in hand]
    held += [card for key in ("line", "stock", "removed", "declared") for card in dealt.get(key, ())]
    assert shown >= set(held)
    assert all(one["name"] and {"suit", "rank", "copies", "details"} < set(one) for one in found)


def test_cards_of_a_variant_and_of_a_deck(client: FlaskClient) -> None:
    def of(**body: Any) -> dict[str, dict[str, Any]]:
        return {one["card"]: one for one in client.post("/v1/cards", json=body).get_json()["cards"]}

    assert list(of(game="alchemy", variant="alternative")) == ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
    assert of(game="alchemy", variant="duel")["X"]["name"] == "Joker"
    assert of(game="alchemy", variant="free")["A"]["copies"] is None
    row = {"water": 1, "vapor": 0, "acid": 2, "aqua-regia": 2}
    metals = of(
        game="aqua-regia", deck={"name": "one", "copies": 9, "metal": [{"symbol": "Q", "reactivity": row}]}
    )
    assert metals["Q"] == {
        "card": "Q", "name": "Q", "suit": None, "rank": "1", "copies": 9,
        "details": {"water": "1", "vapor": "0", "acid": "2", "aqua-regia": "2"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ({"game": "kirin", "deck": "house"}, "not_offered", "deck"),
        ({"game": "kirin", "variant": "solo"}, "unknown_value", "variant"),
        ({"game": "king", "deck": "none"}, "unknown_deck", "deck"),
        ({"game": "chess"}, "unknown_game", "game"),
    ],
    ids=str,
)
def test_cards_that_there_are_not(client: FlaskClient, body: dict[str, Any], code: str, path: str) -> None:
    refused(client.post("/v1/cards", json=body), 422, code, path)
