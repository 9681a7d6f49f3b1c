"""Whole games over HTTP, without a guess: `/v1/deal`, `/v1/view`, `/v1/worlds`, `/v1/moves`, `/v1/play`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from solver.common import Random
from tests.api.support import DUEL, FREE, KNOWN, refused

Post = Callable[..., Any]


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app().test_client()


def post(client: FlaskClient, path: str, **body: Any) -> Any:
    found = client.post(path, json=body)
    assert found.status_code == 200, found.get_json()
    return found.get_json()


@pytest.mark.parametrize(
    ("game", "variant"), [("kirin", "undeclared"), ("king", "picked"), ("aqua-regia", None), ("alchemy", "solo")]
)
def test_a_whole_game_is_played_by_what_is_told(client: FlaskClient, game: str, variant: str | None) -> None:
    random = Random(1)
    wanted = {"variant": variant} if variant else {}
    position = post(client, "/v1/deal", game=game, seed=5, **wanted)["position"]
    made = 0
    while True:
        asked = post(client, "/v1/moves", position=position)
        assert asked["game"] == game
        assert asked["possible"] == []
        assert (asked["to_move"] is None) == (not asked["moves"])
        if asked["to_move"] is None:
            break
        move = asked["moves"][random.below(len(asked["moves"]))]
        after = post(client, "/v1/play", position=position, moves=[move])
        position, made = after["position"], made + 1
        if after["to_move"] is None:
            break
    assert made > 8


def test_a_view_says_what_another_seat_could_play_and_grows_by_it(client: FlaskClient) -> None:
    known = post(client, "/v1/deal", game="kirin", seed=3)["position"]
    seen = post(client, "/v1/view", position=known, seat=2)
    assert seen["to_move"] == 0
    assert seen["position"]["seat"] == 2
    asked = post(client, "/v1/moves", position=seen["position"])
    assert asked["moves"] == []
    card = known["hands"][0][0]
    assert card in asked["possible"]
    assert not set(asked["possible"]) & {*known["hands"][2], known["declared"][2]}
    after = post(client, "/v1/play", position=seen["position"], moves=[card])
    assert after["position"]["trick"] == [card]
    assert after["to_move"] == 1
    own = post(client, "/v1/view", position=known, seat=0)
    assert post(client, "/v1/moves", position=own["position"])["moves"]


def test_a_move_of_which_more_is_to_be_told_has_a_code_of_its_own(client: FlaskClient) -> None:
    hidden = "alchemy alternative line=2,4,5,9 hand=7"
    body: dict[str, Any] = {"position": hidden, "moves": ["7+2=9", "3"]}
    assert "2 more" in refused(client.post("/v1/play", json=body), 422, "incomplete_move", "moves[0]")
    assert post(client, "/v1/play", position=hidden, moves=["7+2=9", "3", "3", "6"])["to_move"] == 0
    picks = post(client, "/v1/deal", game="king", seed=3, variant="unpicked", seat=0)["position"]
    body = {"position": picks, "moves": [picks["hand"][0]]}
    refused(client.post("/v1/play", json=body), 422, "incomplete_move", "moves[0]")


def test_the_move_that_is_wrong_is_named_by_its_place(client: FlaskClient) -> None:
    found = client.post("/v1/play", json={"position": KNOWN, "moves": ["6+7=4+9", "Q+Q=2"]})
    refused(found, 422, "illegal_move", "moves[1]")
    found = client.post("/v1/play", json={"position": DUEL, "moves": ["none", "none"]})
    refused(found, 422, "incomplete_move", "moves[1]")
    legal = client.post("/v1/moves", json={"position": FREE}).get_json()["moves"]
    found = client.post("/v1/play", json={"position": FREE, "moves": legal[:1]})
    refused(found, 422, "not_playable", "variant")
    found = client.post("/v1/play", json={"position": KNOWN, "moves": ["6+7=4+9"] * 1001})
    refused(found, 422, "wrong_size", "moves")
    found = client.post("/v1/view", json={"position": KNOWN, "seat": 7})
    refused(found, 422, "out_of_range", "seat")


@pytest.mark.parametrize("game", ["kirin", "king", "aqua-regia", "alchemy"])
def test_deals_that_agree_with_a_view_are_drawn(client: FlaskClient, game: str) -> None:
    view = post(client, "/v1/deal", game=game, seed=5, seat=0)["text"]
    found = post(client, "/v1/worlds", position=view, most=3, seed=5)["worlds"]
    assert len({one["text"] for one in found}) == 3
    for one in found:
        assert post(client, "/v1/view", position=one["position"], seat=0)["text"] == view
    assert post(client, "/v1/worlds", position=view, most=3, seed=5)["worlds"] == found
    refused(client.post("/v1/worlds", json={"position": view, "most": 101}), 422, "out_of_range", "most")
    refused(client.post("/v1/worlds", json={"position": KNOWN}), 422, "all_known", "stock")


def test_what_is_wrong_is_an_answer(client: FlaskClient) -> None:
    """Of what is typed, most is wrong until it is whole: the same faults as elsewhere, and no failed request."""
    hand = {"game": "kirin", "seat": 0, "leader": 0, "hand": ["D1", "D1"]}
    refusal = client.post("/v1/play", json={"position": hand, "moves": []}).get_json()["error"]
    faults = post(client, "/v1/check", position=hand)["faults"]
    assert faults[0] == {key: refusal[key] for key in ("code", "path", "message")}
    assert faults == refusal.get("faults", faults)
    assert post(client, "/v1/check", position=KNOWN, moves=["6+7=4+9"])["faults"] == []
    [fault] = post(client, "/v1/check", position=KNOWN, moves=["6+7=4+9", "Q+Q=2"])["faults"]
    assert (fault["code"], fault["path"]) == ("illegal_move", "moves[1]")
    nowhere: tuple[Any, ...] = (None, 7, [], "", {"game": "chess"})
    for nothing in nowhere:
        assert post(client, "/v1/check", position=nothing)["faults"]
    refused(client.post("/v1/check", json={"positions": KNOWN}), 422, "unknown_key", "positions")
