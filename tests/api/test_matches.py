"""`/v1/match`: a game in progress over HTTP, which the client keeps, and files of games."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import athanor
from api.app import create_app
from api.config import Config
from api.searches import Sessions, plan_review, replay_game
from athanor.reviews import Wish
from athanor.sessions import Saved, Session
from solver.errors import RequestError
from solver.limits import Control, Limit
from solver.positions import position_data, text_of
from tests.api.support import KIRIN, ended, lanes, refused, searching, warmed
from tests.support import places, rounds

DUEL: dict[str, Any] = {"game": "alchemy", "variant": "duel", "seed": 3, "rounds": 1, "seconds": 0.05}
SOLO: dict[str, Any] = {"game": "alchemy", "variant": "alternative", "seed": 1, "seconds": 0.05}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    warmed()
    return create_app(Config(default_seconds=5, max_seconds=10)).test_client()


def asked(client: FlaskClient, path: str, **body: Any) -> Any:
    found = client.post(f"/v1/match{path}", json=body)
    assert found.status_code == 200, found.text
    return found.get_json()


def test_the_player_decides_on_what_the_seat_sees(client: FlaskClient) -> None:
    found = asked(client, "", match=KIRIN)
    assert (found["players"], found["round"], found["move_count"], found["has_choice"]) == (4, 1, 0, False)
    assert found["legal_moves"] == []
    assert "hands" not in found["position"]
    first = asked(client, "/turn", match=found["match"])
    last = first["last_move"]
    assert (last["seat"], last["announcement"], first["reason"]) == (0, "sets a card aside", None)
    found = asked(client, "/turn", match=first["match"])
    assert found["has_choice"]
    assert found["to_move"] == 2
    assert found["text"].startswith("kirin seat=2 hand=")
    hint = asked(client, "/hint", match=found["match"])
    assert hint["best"] in found["legal_moves"]
    after = asked(client, "", match=found["match"], moves=[hint["best"]])
    assert after["position"]["declared"] == hint["best"]
    assert (after["move_count"], after["has_choice"]) == (3, False)


def test_moves_are_taken_back_to_the_last_decision_and_made_again(client: FlaskClient) -> None:
    over = asked(client, "", match=ended(KIRIN))
    back = asked(client, "", match=over["match"], undo=2)
    assert back["has_choice"]
    assert back["move_count"] + len(back["undone"]) == over["move_count"]
    once = asked(client, "", match=back["match"], redo=back["undone"])
    assert once["has_choice"]
    assert 1 <= once["redone_count"] < len(back["undone"])
    twice = asked(client, "", match=once["match"], redo=back["undone"][once["redone_count"] :])
    assert twice["match"] == over["match"]
    assert asked(client, "", match=KIRIN, undo=3)["move_count"] == 0


def test_a_round_ends_with_all_cards_and_sentences(client: FlaskClient) -> None:
    found = asked(client, "", match=ended(KIRIN))
    assert (found["to_move"], found["ended"]["round"]) == (None, 1)
    assert found["ended"]["summary"][0].startswith("In this round ")
    assert len(found["ended"]["totals"]) == 4
    assert found["ended"]["unit"] == "points"
    assert found["ended"]["text"].startswith("kirin hands=-/-/-/-")
    assert refused(client.post("/v1/match/turn", json={"match": found["match"]}), 422, "game_over", "match")
    assert refused(client.post("/v1/match/hint", json={"match": found["match"]}), 422, "game_over", "match")


def test_a_hint_and_a_turn_take_a_limit(client: FlaskClient) -> None:
    """Few games are the same each time; without a limit, the game's own time counts."""
    body = {"match": {"game": "kirin", "seed": 1, "seconds": 30}, "limit": {"nodes": 20}}
    first, again = (client.post("/v1/match/hint", json=body).get_json() for _ in range(2))
    assert first["nodes"] == again["nodes"] <= 20
    assert first["moves"] == again["moves"]
    turn = client.post("/v1/match/turn", json=body).get_json()
    assert turn["match"]["moves"] == [[first["best"]]]
    refused(client.post("/v1/match/hint", json=body | {"limit": {"nodes": 0}}), 422, "out_of_range", "limit.nodes")
    refused(client.post("/v1/match/log", json=body), 422, "unknown_key", "limit")


def test_sentences_have_the_players_names(client: FlaskClient) -> None:
    body = {"match": ended(KIRIN)}
    headers = {"X-Names": "Hermes,G%C3%A9ber%20%281%29,,Agrippa"}
    found = client.post("/v1/match", json=body, headers=headers).get_json()["ended"]["summary"][0]
    assert "seat" not in found
    assert all(found.count(name) == 1 for name in ("Hermes", "Géber (1)", "you", "Agrippa"))


def test_the_log_tells_each_move_as_its_player_knows_it(client: FlaskClient) -> None:
    found = ended(KIRIN)
    log = asked(client, "/log", match=found)["log"]
    moves = found["moves"][0]
    assert len(log) == len(moves)
    for seat in range(4):  # what another sets aside stays hidden
        assert log[seat]["seat"] == seat
        assert (moves[seat] in log[seat]["announcement"]) == (seat == found["seat"])
    assert all(card in one["announcement"] for one, card in zip(log[4:], moves[4:], strict=True))
    assert {one["round"] for one in log} == {1}
    assert [one["trick"] for one in log] == [None] * 4 + [1 + at // 4 for at in range(32)]
    for at, one in enumerate(log):  # who wins a trick leads to the next
        ends = at >= 4 and at % 4 == 3
        assert (one["won_by"] is not None) == (ends and "nobody takes" not in one["announcement"])
        if one["won_by"] is not None and at + 1 < len(log):
            assert log[at + 1]["seat"] == one["won_by"]


@pytest.mark.parametrize("case", rounds.FEWEST, ids=str)
def test_the_last_move_is_that_of_the_log(client: FlaskClient, case: rounds.Case) -> None:
    """Also who won a trick: in Aqua Regia who played last before all passed, in King × Alchemy who takes."""
    game = case.name
    kind = {"players": case.players, "variant": case.variant}
    state = asked(client, "", match={"game": game, "seed": 5, "seconds": 0.05, **kind})
    assert state["last_move"] is None
    played: dict[int, int] = {}
    winners = drew = 0
    for _ in range(30):
        if state["to_move"] is None:
            break
        if state["legal_moves"]:
            state = asked(client, "", match=state["match"], moves=[state["legal_moves"][0]])
        else:
            state = asked(client, "/turn", match=state["match"])
        *before, last = asked(client, "/log", match=state["match"])["log"]
        assert state["last_move"] == last
        if before and game != "aqua-regia":  # where a winner who has nothing to lead passes the turn on
            assert before[-1]["won_by"] in (None, last["seat"])
        if state["position"] and (drawn := state["position"].get("drawn")):  # the exchange is still to be chosen
            assert last["announcement"] == f"drew {drawn} and passed"
            drew += 1
        if last["trick"] is None:
            continue
        if last["won_by"] is not None:
            winners += 1
            assert game != "king" or last["won_by"] == last["seat"]
            assert game != "aqua-regia" or last["won_by"] == played[last["trick"]]
        elif not last["announcement"].startswith(("pass", "draws", "drew")):
            played[last["trick"]] = last["seat"]
    assert game == "alchemy" or winners
    assert (game == "aqua-regia") == (drew > 0)


def test_a_next_round_begins_after_the_last(client: FlaskClient) -> None:
    one = ended(KIRIN)
    del one["rounds"]
    found = asked(client, "", match=one)
    assert (found["round"], found["ended"]["round"]) == (2, 1)
    assert found["to_move"] is not None
    assert asked(client, "", match=found["match"])["ended"] is not None
    assert asked(client, "/turn", match=found["match"])["ended"] is None


def test_who_grabs_second_sees_what_was_grabbed(client: FlaskClient) -> None:
    found = asked(client, "", match={**DUEL, "seat": 1})
    after = asked(client, "/turn", match=found["match"])
    assert after["to_move"] == 1
    assert after["position"]["grabbed"] == f"1:{after['match']['moves'][0][0]}"  # by the other one
    assert after["position"]["line"] == found["position"]["line"]
    assert athanor.legal_moves(after["text"]) == after["legal_moves"]


def test_a_pick_and_those_of_the_others_are_not_seen_together(client: FlaskClient) -> None:
    found = asked(client, "", match={"game": "king", "players": 3, "seed": 3, "seconds": 0.05})
    after = asked(client, "", match=found["match"], moves=[found["legal_moves"][0]])
    assert (after["text"], after["position"], after["to_move"]) == (None, None, 1)


def test_a_review_is_streamed_if_that_is_wanted(client: FlaskClient) -> None:
    sent = {"match": ended(KIRIN), "limit": {"nodes": 50}, "seat": 2}
    found = client.post("/v1/match/review?stream=true", json=sent)
    assert found.mimetype == "application/x-ndjson"
    *steps, review = [json.loads(line) for line in found.text.splitlines()]
    assert len(steps) == len(review["moves"]) > 0
    assert all(step["progress"]["stage"].startswith("move ") for step in steps)
    assert review["complete"] is True
    assert {move["seat"] for move in review["moves"]} == {2}
    alone = client.post("/v1/match/review", json=sent)
    assert (alone.mimetype, alone.get_json()) == ("application/json", review)


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [({}, 0.3), ({"nodes": 400}, 1.0), ({"seconds": 0.2, "nodes": 400}, 0.2), ({"seconds": 20}, 1.0)],
)
def test_a_review_with_a_limit_of_nodes_has_all_the_time_that_the_service_gives(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, limit: dict[str, float], seconds: float
) -> None:
    """Else a busy machine would judge moves by fewer worlds."""
    wishes: list[Wish] = []

    def wish(*given: Any, **named: Any) -> Wish:
        wishes.append(Wish(*given, **named))
        return wishes[0]

    monkeypatch.setattr("api.routes_matches.Wish", wish)
    sent = {"match": {"game": "kirin", "seed": 1, "seconds": 0.05}, "limit": limit}
    client.post("/v1/match/review", json=sent)
    assert wishes[0].limit == Limit(seconds=seconds, nodes=limit.get("nodes"))


ROUND = "alchemy duel line=2,3,5,7,9,J hand=9 opponent_hand=K"


@pytest.mark.parametrize("key", ["dealt", "moves", "shown"])
@pytest.mark.parametrize("path", ["", "/log", "/turn", "/hint", "/review"])
def test_more_rounds_than_a_match_has_are_refused_before_any_is_played(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, path: str, key: str
) -> None:
    """A review of 6,000 rounds took 49 s of the process that answers everybody."""

    def played(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Session, "__init__", played)
    game = {"game": "alchemy", "variant": "duel", "seed": 1, "seconds": 0.1}
    match: dict[str, Any] = {**game, "dealt": [ROUND], "moves": [[]], key: {"dealt": [ROUND]}.get(key, [[]]) * 101}
    refused(client.post(f"/v1/match{path}", json={"match": match}), 422, "wrong_size", f"match.{key}")


def test_written_games_have_no_more_rounds(client: FlaskClient) -> None:
    text = "[game alchemy]\n[variant duel]\n" + f"round {ROUND}\n" * 101
    refused(client.post("/v1/match/read", json={"text": text}), 422, "wrong_size", "text.moves")


def test_a_game_is_replayed_for_a_review_as_a_search() -> None:
    """So it is one of the client's searches, runs in a process of its own, and ends when the client leaves."""
    searches = lanes(1)
    client = create_app(Config(client_searches=1), searches).test_client()
    with searching(searches, "127.0.0.1"):
        found = client.post("/v1/match/review", json={"match": ended(KIRIN), "limit": {"nodes": 1}})
        refused(found, 429, "too_many_searches")
    left = threading.Event()
    left.set()
    saved, control = Saved(**ended({**KIRIN, "seed": 99})), Control(Limit(), left)
    for search in (partial(plan_review, saved, Wish(Limit(nodes=1))), partial(replay_game, saved)):
        with pytest.raises(RequestError) as error:
            search(control)
        assert error.value.code == "limit_reached"


@pytest.mark.parametrize("variant", ["solo", "alternative"])
@pytest.mark.parametrize("turns", [0, 1])
def test_a_solitaire_at_a_table_is_reviewed_with_its_whole_deck_alone(
    client: FlaskClient, variant: str, turns: int
) -> None:
    """With fewer cards, the review ended with an internal error: the round had no record."""
    position = athanor.deal("alchemy", seed=3, variant=variant)
    for _ in range(turns):
        position = athanor.play(position, athanor.legal_moves(position)[0])
    data = position_data(position)

    def reviewed(dealt: Mapping[str, Any], moves: Sequence[str]) -> TestResponse:
        line = text_of(athanor.parse(dict(dealt)))
        match = {"game": "alchemy", "variant": variant, "dealt": [line], "moves": [list(moves)]}
        return client.post("/v1/match/review", json={"match": match, "limit": {"nodes": 1}})

    moves: list[str] = []
    while athanor.legal_moves(position):
        moves.append(athanor.legal_moves(position)[0])
        position = athanor.play(position, moves[-1])
    review = json.loads(reviewed(data, moves).text.splitlines()[-1])
    assert review["complete"] is True
    assert review["seats"][0]["result"] in (0.0, 1.0)
    for count in {0, 1, 5, len(data["stock"]) - 1}:
        found = reviewed({**data, "stock": data["stock"][:count]}, moves[:1])
        assert "has" in refused(found, 422, "wrong_size", "match.dealt[0]")


@pytest.mark.parametrize(
    ("path", "body", "code", "where"),
    [
        ("", {"match": {**KIRIN, "moves": [["X"]]}}, "illegal_move", "match.moves[0][0]"),
        ("", {"match": KIRIN, "moves": ["X"]}, "illegal_move", "moves[0]"),
        ("", {"match": KIRIN, "redo": ["X"]}, "illegal_move", "redo[0]"),
        ("", {"match": {**KIRIN, "game": "chess"}}, "unknown_game", "match.game"),
        ("", {"match": {**KIRIN, "seat": 4}}, "out_of_range", "match.seat"),
        ("/turn", {"match": {**KIRIN, "seconds": 0}}, "out_of_range", "match.seconds"),
        ("/turn", {}, "missing_key", "match"),
        ("/review", {"match": KIRIN}, "out_of_range", "round"),
        ("/review", {"match": KIRIN, "limit": {"seconds": -2.0}}, "out_of_range", "limit.seconds"),
    ],
)
def test_what_is_refused(client: FlaskClient, path: str, body: Any, code: str, where: str) -> None:
    refused(client.post(f"/v1/match{path}", json=body), 422, code, where)


def test_a_game_that_is_kept_at_hand_is_not_played_anew() -> None:
    sessions, saved = Sessions(most=1), Saved(**SOLO)
    with sessions.of(saved) as first:
        first.play(first.round.moves()[0])
        later = first.saved
    with sessions.of(later) as again, sessions.of(later) as other:
        assert again is first
        assert other is not first
    with sessions.of(saved) as anew:
        assert anew is not first


def test_every_answer_has_the_game_as_the_text_of_a_file(client: FlaskClient) -> None:
    first = asked(client, "", match=KIRIN)
    assert first["file_text"].startswith("[game kirin]\n[seed 3]\n")
    move = Session(Saved(**KIRIN), forced=False).round.moves()[0]
    found = asked(client, "", match=first["match"], moves=[move])
    (read,) = asked(client, "/read", text=found["file_text"])["games"]
    assert read["moves"] == [[move]]
    assert asked(client, "", match=read) == found


def test_a_game_of_a_real_table_is_read_as_it_is_usually_written(client: FlaskClient) -> None:
    text = (places.ROOT / "docs" / "examples" / "table.txt").read_text(encoding="utf-8")
    found = client.post("/v1/match/read", json={"text": text}).get_json()
    (game,) = found["games"]
    assert game["dealt"] == ["kirin seat=2 hand=D2,D4,D6,DT,S-,B+,G6,G+ declared=D3 leader=0"]
    assert game["moves"][0][:4] == ["S3", "D+", "D6", "GT"]
    assert len(game["moves"][0]) == 32


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("[game kirin]\nD6", "invalid_text", "text"),
        ("[game chess]\n[seed 1]\n[seconds 1]", "unknown_game", "text.game"),
        ("[game kirin]\nround kirin seat=2 hand=D2 leader=0\nS3", "wrong_size", "text.dealt[0]"),
        ("[game kirin]\n[seed 1]\n[seconds 1]\n" * 17, "too_large", "text"),
    ],
)
def test_what_is_no_game_says_where(client: FlaskClient, text: str, code: str, path: str) -> None:
    found = client.post("/v1/match/read", content_type="application/json", data=json.dumps({"text": text}))
    error = found.get_json()["error"]
    assert (found.status_code, error["code"], error["path"]) == (422, code, path)
