"""The calls that need no search: games, rules, cards, deals, moves, decks and scores; and those about puzzles."""

from __future__ import annotations

import gzip
import json
import re
import threading
import tomllib
from collections.abc import Callable, Iterator
from datetime import date
from importlib import resources
from pathlib import Path
from typing import Any

import brotli
import pytest
from flask.testing import FlaskClient

from api import streams
from api.app import create_app
from api.config import Config
from puzzles import check, judging, training
from puzzles.training import COLLECTION
from solver import decks, registry
from solver.common import Random
from solver.decks import AnyDeck, DeckKind
from solver.errors import RequestError
from solver.positions import parse_position
from tests.api.support import DUEL, FILE, FREE, KNOWN, lanes, lines_of, refused, warmed
from tests.support import rounds
from tests.support.games import offering
from tests.support.timing import PATIENCE


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    warmed()
    return create_app(Config(default_seconds=5, max_seconds=10)).test_client()


def test_games(client: FlaskClient) -> None:
    games = client.get("/v1/games").get_json()["games"]
    assert [game["name"] for game in games] == list(registry.names())
    keys = {"name", "title", "description", "players", "variants", "models", "levels", "rules", "disputed"}
    assert set(games[0]) == keys | {"rounds", "won_or_lost", "has_card_faces", "fields", "sides"}
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
        ({"game": "alchemy", "seed": 2**53}, "out_of_range", "seed"),
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
    answer = client.post("/v1/score", json={"record": record}).get_json()
    assert answer["variant"] == "duel"
    assert len(answer["rounds"]) == 1


def test_a_record_that_is_wrong(client: FlaskClient) -> None:
    record = {"game": "alchemy", "variant": "duel", "rounds": [{"piles": [["A", "Z"], ["2"]]}]}
    refused(client.post("/v1/score", json={"record": record}), 422, "illegal_card", "record.rounds[0].piles[0][1]")


def test_health_and_home(client: FlaskClient) -> None:
    found = client.get("/healthz")
    assert found.get_json()["status"] == "ok"
    assert client.get("/", follow_redirects=True).mimetype == "text/html"


@pytest.mark.parametrize("name", offering("cards"))
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


TOML = "application/toml"


@pytest.mark.parametrize("kind", decks.kinds(), ids=lambda kind: kind.game)
def test_the_deck_of_a_file_can_be_dealt_from(client: FlaskClient, kind: DeckKind[AnyDeck]) -> None:
    text = resources.files(kind.package).joinpath("decks", kind.house_file).read_text(encoding="utf-8")
    found = client.post("/v1/decks", data=text, content_type=TOML).get_json()
    assert (found["game"], found["name"], found["title"]) == (kind.game, kind.house.name, kind.house.title)
    deal = client.post("/v1/deal", json={"game": kind.game, "seed": 1, "deck": found["deck"]})
    assert deal.status_code == 200


def test_a_file_that_is_no_deck_is_refused(client: FlaskClient) -> None:
    refused(client.post("/v1/decks", data="a = 1", content_type=TOML), 422, "missing_key")
    refused(client.post("/v1/decks", data="a = ", content_type=TOML), 400, "invalid_toml")
    refused(client.post("/v1/decks", data="a = 1"), 415, "unsupported_media_type")
    card = client.post("/v1/decks", data='name = "x"\n[[card]]\ncode = 1\n', content_type=TOML)
    assert card.status_code == 422
    assert card.get_json()["error"]["path"]


# Whole games without a guess.


Post = Callable[..., Any]


def post(client: FlaskClient, path: str, **body: Any) -> Any:
    found = client.post(path, json=body)
    assert found.status_code == 200, found.get_json()
    return found.get_json()


# Not a duel, in which both choose at once.
KINDS = [(case.name, case.variant) for case in rounds.FEWEST if case.variant != "duel"]


@pytest.mark.parametrize(("game", "variant"), KINDS)
def test_a_whole_game_is_played_by_what_is_told(client: FlaskClient, game: str, variant: str | None) -> None:
    random = Random(1)
    wanted = {"variant": variant} if variant else {}
    position = post(client, "/v1/deal", game=game, seed=5, **wanted)["position"]
    made = 0
    while True:
        asked = post(client, "/v1/moves", position=position)
        assert asked["game"] == game
        assert asked["possible_moves"] == []
        assert (asked["to_move"] is None) == (not asked["legal_moves"])
        if asked["to_move"] is None:
            break
        move = asked["legal_moves"][random.below(len(asked["legal_moves"]))]
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
    assert asked["legal_moves"] == []
    card = known["hands"][0][0]
    assert card in asked["possible_moves"]
    assert not set(asked["possible_moves"]) & {*known["hands"][2], known["declared"][2]}
    after = post(client, "/v1/play", position=seen["position"], moves=[card])
    assert after["position"]["trick"] == [card]
    assert after["to_move"] == 1
    own = post(client, "/v1/view", position=known, seat=0)
    assert post(client, "/v1/moves", position=own["position"])["legal_moves"]


def test_a_move_of_which_more_is_to_be_told_has_a_code_of_its_own(client: FlaskClient) -> None:
    hidden = "alchemy alternative line=2,4,5,9 hand=7"
    body: dict[str, Any] = {"position": hidden, "moves": ["7+2=9", "3"]}
    assert "Which is card 4 of 4 in the line?" in refused(
        client.post("/v1/play", json=body), 422, "incomplete_move", "moves[0]"
    )
    assert post(client, "/v1/play", position=hidden, moves=["7+2=9", "3", "3", "6"])["to_move"] == 0
    picks = post(client, "/v1/deal", game="king", seed=3, variant="unpicked", seat=0)["position"]
    body = {"position": picks, "moves": [picks["hand"][0]]}
    refused(client.post("/v1/play", json=body), 422, "incomplete_move", "moves[0]")


def test_the_move_that_is_wrong_is_named_by_its_place(client: FlaskClient) -> None:
    found = client.post("/v1/play", json={"position": KNOWN, "moves": ["6+7=4+9", "Q+Q=2"]})
    refused(found, 422, "illegal_move", "moves[1]")
    found = client.post("/v1/play", json={"position": DUEL, "moves": ["none", "none"]})
    refused(found, 422, "incomplete_move", "moves[1]")
    legal = client.post("/v1/moves", json={"position": FREE}).get_json()["legal_moves"]
    found = client.post("/v1/play", json={"position": FREE, "moves": legal[:1]})
    refused(found, 422, "not_playable", "position.variant")
    found = client.post("/v1/play", json={"position": KNOWN, "moves": ["6+7=4+9"] * 1001})
    refused(found, 422, "wrong_size", "moves")
    found = client.post("/v1/view", json={"position": KNOWN, "seat": 7})
    refused(found, 422, "out_of_range", "seat")


def test_moves_that_are_too_many_may_be_left_out(client: FlaskClient) -> None:
    line = "alchemy free min_line=1 line=2,3,4,5,6,7,8,9,10,J,Q,K,A,A,2,3,4,5 hand=9"
    refused(client.post("/v1/moves", json={"position": line}), 422, "too_large", "position.line")
    found = post(client, "/v1/moves", position=line, empty_if_too_many=True)
    assert (found["to_move"], found["legal_moves"], found["possible_moves"]) == (0, [], [])
    few = {"position": "alchemy free min_line=1 line=4,5 hand=9"}
    assert post(client, "/v1/moves", **few, empty_if_too_many=True) == post(client, "/v1/moves", **few)
    faulty = {"position": "alchemy line=Z", "empty_if_too_many": True}
    assert client.post("/v1/moves", json=faulty).status_code == 422


@pytest.mark.parametrize("game", offering("worlds"))
def test_deals_that_agree_with_a_view_are_drawn(client: FlaskClient, game: str) -> None:
    view = post(client, "/v1/deal", game=game, seed=5, seat=0)["text"]
    found = post(client, "/v1/worlds", position=view, limit=3, seed=5)["worlds"]
    assert len({one["text"] for one in found}) == 3
    for one in found:
        assert post(client, "/v1/view", position=one["position"], seat=0)["text"] == view
    assert post(client, "/v1/worlds", position=view, limit=3, seed=5)["worlds"] == found
    refused(client.post("/v1/worlds", json={"position": view, "limit": 101}), 422, "out_of_range", "limit")
    refused(client.post("/v1/worlds", json={"position": KNOWN}), 422, "all_known", "position.stock")


def test_what_is_wrong_is_an_answer(client: FlaskClient) -> None:
    """Of what is typed, most is wrong until it is whole: the same faults as elsewhere, and no failed request."""
    hand = {"game": "kirin", "seat": 0, "leader": 0, "hand": ["D1", "D1"]}
    refusal = client.post("/v1/play", json={"position": hand, "moves": []}).get_json()["error"]
    faults = post(client, "/v1/check", position=hand)["faults"]
    assert faults[0] == {key: refusal[key] for key in ("code", "path", "message")}
    assert faults == refusal.get("faults", faults)
    assert post(client, "/v1/check", position=KNOWN, moves=["6+7=4+9"]) == {"faults": []}
    whole = post(client, "/v1/check", position=KNOWN, moves=["6+7=4+9"], after=True)
    assert whole["after"] == post(client, "/v1/play", position=KNOWN, moves=["6+7=4+9"])
    assert whole["next_moves"] == post(client, "/v1/moves", position=whole["after"]["position"])
    assert whole["can_view"]
    seen = post(client, "/v1/view", position=KNOWN, seat=0)["position"]
    for without in (seen, "kirin hands=D2/S3/B4/G1 declared=D4,D+,G6,ST direction=ascending leader=0"):
        assert not post(client, "/v1/check", position=without, after=True)["can_view"]
    [fault] = post(client, "/v1/check", position=KNOWN, moves=["6+7=4+9", "Q+Q=2"])["faults"]
    assert (fault["code"], fault["path"]) == ("illegal_move", "moves[1]")
    nowhere: tuple[Any, ...] = (None, 7, [], "", {"game": "chess"})
    for nothing in nowhere:
        assert post(client, "/v1/check", position=nothing)["faults"]
    refused(client.post("/v1/check", json={"positions": KNOWN}), 422, "unknown_key", "positions")


# Puzzles.


def pages(client: FlaskClient, query: str) -> Iterator[dict[str, Any]]:
    after = ""
    while True:
        page = client.get(f"/v1/puzzles?{query}{after}").get_json()
        yield from page["puzzles"]
        if page["next"] is None:
            return
        after = f"&after={page['next']}"


def test_the_collection_is_told_whole(client: FlaskClient) -> None:
    found = list(pages(client, "solutions=true&limit=400"))
    files = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(COLLECTION.glob("*.toml"))]
    assert sorted(one["id"] for one in found) == sorted(one["id"] for file in files for one in file["puzzle"])
    assert all(parse_position(one["text"]) for one in found[::20])
    notes = {one["id"]: one.get("note", "") for one in found}  # for who solves it
    assert notes["kirin-0001"].startswith("You lead, collecting the Azure Dragon")


def test_solutions_and_what_gives_them_away_are_sent_on_request(client: FlaskClient) -> None:
    answers = ("title", "themes", "note", "hint", "solution")
    for query in ("", "id=kirin-0001", "day=2026-02-03", "game=king&grade=easy"):
        found = client.get(f"/v1/puzzles?{query}").get_json()
        assert found["puzzles"]
        assert found["themes"] == {}
        assert not [one["id"] for one in found["puzzles"] for key in answers if key in one]
        asked = client.get(f"/v1/puzzles?{query}&solutions=true").get_json()
        assert all(one["title"] and one["solution"] for one in asked["puzzles"])
    refused(client.get("/v1/puzzles?solutions=yes"), 422, "wrong_type", "solutions")


def test_one_puzzle_by_its_id_is_one_that_the_other_filters_let_through(client: FlaskClient) -> None:
    counts = {"id=kirin-0001": 1, "id=kirin-0001&game=kirin": 1, "id=kirin-0001&game=king": 0, "id=x": 0}
    for query, count in counts.items():
        assert len(client.get(f"/v1/puzzles?{query}").get_json()["puzzles"]) == count, query


def test_names_of_one_client_reach_no_other(client: FlaskClient) -> None:
    address = "/v1/puzzles?game=king&grade=easy&solutions=true&limit=1000"
    lists = [client.get(address, headers=headers).get_json() for headers in ({"X-Names": ",Ann,Bob,Cid,Dan"}, {})]
    assert lists[0] == lists[1]
    assert "seat 2" in lists[1]["puzzles"][[one["id"] for one in lists[1]["puzzles"]].index("king-0018")]["note"]
    alone = client.get(
        "/v1/puzzles?id=king-0018&solutions=true", headers={"X-Names": ",Ann,Bob,Cid,Dan"}
    ).get_json()
    assert "play against Bob" in alone["puzzles"][0]["note"]


def test_the_note_calls_you_whose_points_are_asked_for(client: FlaskClient) -> None:
    """Not who is to move: the question asks what you are sure of."""
    (one,) = client.get("/v1/puzzles?id=king-value-143-62&solutions=true").get_json()["puzzles"]
    assert (one["ask"], one["player"], one["position"]["leader"]) == ("value", 4, 1)
    assert one["note"].startswith("Seat 1 leads; all others play against you; W5, which looks right, leaves you")
    assert "you then take E2 and A5" in one["note"]


def test_titles_are_in_the_language_of_who_asks(client: FlaskClient) -> None:
    address = "/v1/puzzles?game=aqua-regia&grade=hard&solutions=true"
    japanese, english = (
        [one["title"] for one in client.get(address, headers={"Accept-Language": name}).get_json()["puzzles"]]
        for name in ("ja", "en")
    )
    assert len(japanese) == len(english) > 10
    assert all(title.isascii() for title in (one.replace(" · ", "") for one in english))
    assert not any(title.isascii() for title in japanese)


@pytest.mark.parametrize(
    ("accepted", "coding", "unpack"),
    [("gzip", "gzip", gzip.decompress), ("gzip, deflate, br, zstd", "br", brotli.decompress)],
)
def test_the_collection_is_sent_compressed_and_not_twice(
    client: FlaskClient, accepted: str, coding: str, unpack: Callable[[bytes], bytes]
) -> None:
    plain = client.get("/v1/puzzles?game=kirin")
    packed = client.get("/v1/puzzles?game=kirin", headers={"Accept-Encoding": accepted})
    assert packed.headers["Content-Encoding"] == coding
    assert unpack(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 3
    again = {"Accept-Encoding": accepted, "If-None-Match": packed.headers["ETag"]}
    assert client.get("/v1/puzzles?game=kirin", headers=again).status_code == 304
    assert client.get("/v1/puzzles?game=king", headers=again).status_code == 200


def test_by_game_and_grade(client: FlaskClient) -> None:
    found = client.get("/v1/puzzles?game=king&grade=hard").get_json()["puzzles"]
    assert found
    assert {(one["game"], one["grade"]) for one in found} == {("king", "hard")}
    refused(client.get("/v1/puzzles?game=chess"), 422, "unknown_game", "game")
    refused(client.get("/v1/puzzles?grade=lazy"), 422, "unknown_value", "grade")


def test_a_file_of_votes_changes_the_order_of_every_list(tmp_path: Path) -> None:
    usual = create_app(Config()).test_client()
    before = [one["id"] for one in pages(usual, "game=king")]
    votes = [
        training.Vote(at=f"2026-01-0{day}T00:00:00.000Z", puzzle=before[0], good=False) for day in range(1, 9)
    ]
    file = tmp_path / "votes.json"
    file.write_text(training.exported(training.Record(attempts=(), votes=tuple(votes))))
    client = create_app(Config(votes_file=str(file))).test_client()
    after = list(pages(client, "game=king&limit=50"))
    assert [one["id"] for one in after if one["id"] != before[0]] == before[1:]
    assert after[0]["id"] != before[0]
    ranks = [one["rating"] - one.get("vote_bonus", 0) for one in after]
    assert ranks == sorted(ranks)
    first, *_ = usual.get("/v1/puzzles/next?game=king&rating=0").get_json()["puzzles"]
    second, *_ = client.get("/v1/puzzles/next?game=king&rating=0").get_json()["puzzles"]
    assert (first["id"], second["id"]) == (before[0], before[1])
    (tmp_path / "no-votes.json").write_text("[]")
    with pytest.raises(RequestError, match="no-votes"):
        create_app(Config(votes_file=str(tmp_path / "no-votes.json")))


def test_a_move_is_answered_without_sending_the_solution(client: FlaskClient) -> None:
    puzzle = puzzle_of(client, "kirin-0001")
    for move in ("b2", *puzzle["solution"]["best"]):
        by_name = client.post("/v1/puzzles/answer", json={"puzzle": "kirin-0001", "answer": move}).get_json()
        assert by_name == client.post("/v1/puzzles/answer", json={"puzzle": puzzle, "answer": move}).get_json()
        assert by_name["correct"] == (move != "b2")
    refused(
        client.post("/v1/puzzles/answer", json={"puzzle": "none", "answer": "b2"}), 422, "unknown_value", "puzzle"
    )


def test_pages_follow_one_another(client: FlaskClient) -> None:
    whole = [one["id"] for one in pages(client, "game=kirin&limit=1000")]
    for limit in (1, 7, len(whole) - 1, len(whole), len(whole) + 1):
        found = [one["id"] for one in pages(client, f"game=kirin&limit={limit}")][: 3 * limit]
        assert found == whole[: len(found)]
    assert len(client.get("/v1/puzzles").get_json()["puzzles"]) == 100
    for wrong in ("0", "1001", "many"):
        assert client.get(f"/v1/puzzles?limit={wrong}").status_code == 422
    refused(client.get("/v1/puzzles?after=nothing"), 422, "unknown_value", "after")
    refused(client.get(f"/v1/puzzles?game=king&after={whole[0]}"), 422, "unknown_value", "after")


def test_by_question_theme_and_rating(client: FlaskClient) -> None:
    every = {one["id"]: one for one in pages(client, "solutions=true&limit=1000")}
    for key in ("ask", "theme", "rating"):
        values = {
            value for one in every.values() for value in (one.get("themes", ()) if key == "theme" else (one[key],))
        }
        assert len(values) > 3
        for value in sorted(values)[:20]:
            wanted = [
                name
                for name, one in every.items()
                if value in (one.get("themes", ()) if key == "theme" else (one[key],))
            ]
            assert [one["id"] for one in pages(client, f"{key}={value}&limit=1000")] == wanted
    between = {one["rating"] for one in pages(client, "rating=1200-1500&limit=1000")}
    assert between == {one["rating"] for one in every.values() if 1200 <= one["rating"] <= 1500}
    series, *_ = client.get("/v1/puzzles?series=fourth-ace&solutions=true").get_json()["series"]
    assert [one["id"] for one in pages(client, "series=fourth-ace")] == series["puzzles"]
    assert "series" not in client.get("/v1/puzzles?series=fourth-ace").get_json()  # it would tell the ideas
    [one] = client.get("/v1/puzzles/next?series=flip-the-order").get_json()["puzzles"]
    assert one["game"] == "kirin"
    refused(client.get("/v1/puzzles?series=lull"), 422, "unknown_value", "series")
    refused(client.get("/v1/puzzles?theme=lull"), 422, "unknown_value", "theme")
    refused(client.get("/v1/puzzles?ask=lull"), 422, "unknown_value", "ask")
    for wrong, code in (("strong", "wrong_type"), ("1500-1200", "out_of_range"), ("-1", "wrong_type")):
        refused(client.get(f"/v1/puzzles?rating={wrong}"), 422, code, "rating")


def test_the_next_puzzle_suits_the_player_and_is_a_new_one(client: FlaskClient) -> None:
    for rating, grade in ((900, "easy"), (1490, "medium"), (2500, "expert")):
        seen: list[str] = []
        for _ in range(3):
            address = f"/v1/puzzles/next?game=king&rating={rating}&skip={','.join(seen)}"
            [one] = client.get(address).get_json()["puzzles"]
            assert (one["game"], one["grade"]) == ("king", grade)
            assert one["id"] not in seen
            assert "solution" not in one
            seen.append(one["id"])
    [one] = client.get("/v1/puzzles/next?theme=deny&solutions=true").get_json()["puzzles"]
    assert "deny" in one["themes"]
    every = ",".join(one["id"] for one in pages(client, "theme=deny&limit=1000"))
    assert client.get(f"/v1/puzzles/next?theme=deny&skip={every}").get_json()["puzzles"] == []
    for wrong in ("high", "-1", "nan"):
        assert client.get(f"/v1/puzzles/next?rating={wrong}").status_code == 422


def test_the_puzzle_of_a_day_alone(client: FlaskClient) -> None:
    [one] = client.get("/v1/puzzles?day=2026-02-03").get_json()["puzzles"]
    assert one["id"] == training.daily(training.chosen(), date(2026, 2, 3)).id
    [other] = client.get("/v1/puzzles?day=2026-02-04").get_json()["puzzles"]
    assert other["id"] != one["id"]
    for wrong in ("today", "2026-02-30", ""):
        refused(client.get(f"/v1/puzzles?day={wrong}"), 422, "wrong_type", "day")


def test_titles_and_themes_are_in_the_language_that_is_asked_for(client: FlaskClient) -> None:
    english = client.get("/v1/puzzles?game=alchemy&solutions=true&limit=1000").get_json()
    japanese = client.get(
        "/v1/puzzles?game=alchemy&solutions=true&limit=1000", headers={"Accept-Language": "ja"}
    ).get_json()
    assert english["themes"]["deny"] == "deny"
    assert japanese["themes"]["deny"] == "相手に取らせない"
    titles = {one["id"]: one["title"] for one in english["puzzles"]}
    assert not [title for title in titles.values() if re.search(r"\d+-\d+$", title)]
    assert not [one["title"] for one in japanese["puzzles"] if one["title"] == titles[one["id"]]]


def puzzle_of(client: FlaskClient, name: str) -> dict[str, Any]:
    [one] = client.get(f"/v1/puzzles?id={name}&solutions=true").get_json()["puzzles"]
    return {key: one[key] for key in ("id", "title", "ask", "model", "position", "solution") if key in one}


def test_a_move_is_answered(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "_DEALS_SECONDS", PATIENCE)  # all deals are checked, however busy the machine is
    puzzle = puzzle_of(client, "kirin-0001")
    found = client.post("/v1/puzzles/answer", json={"puzzle": puzzle, "answer": "b2"}).get_json()
    assert (found["answer"], found["correct"]) == ("B2", False)
    assert found["explanation"] == "B2: 0 points. The best move: 4 points."
    assert found["line"]
    body = {"puzzle": puzzle, "answer": "S5", "lang": "ja"}
    assert client.post("/v1/puzzles/answer", json=body).get_json()["explanation"].startswith("S5なら4点。")
    hidden = puzzle_of(client, "hidden-0001")
    found = client.post("/v1/puzzles/answer", json={"puzzle": hidden, "answer": "BT"}).get_json()
    assert 0 < found["deals"] <= 100
    assert found["worse_deals"] > found["better_deals"]
    assert parse_position(found["example"]["text"])


def test_what_is_no_answer_to_a_puzzle(client: FlaskClient) -> None:
    puzzle = puzzle_of(client, "kirin-0001")

    def asked(move: object, **changes: object) -> Any:
        return client.post("/v1/puzzles/answer", json={"puzzle": {**puzzle, **changes}, "answer": move})

    refused(asked("D6"), 422, "illegal_move", "answer")
    refused(asked(3), 422, "wrong_type", "answer")
    refused(asked("S5", ask="value"), 422, "invalid_value", "answer")
    refused(asked("S5", solution={"value": 4}), 422, "not_offered", "puzzle.solution")
    refused(asked("S5", solution={"best": ["D6"]}), 422, "illegal_move", "puzzle.solution.best[0]")


def test_a_file_is_read(client: FlaskClient) -> None:
    found = client.post("/v1/puzzles", data=FILE, content_type="application/toml").get_json()["puzzles"]
    assert [one["title"] for one in found] == ["First", "Second"]
    assert found[0]["text"] == "alchemy solo line=4,7,K hand=6 stock=5"
    assert found[0]["solution"] == {"value": "lost"}
    assert "solution" not in found[1]
    broken = client.post("/v1/puzzles", data=FILE.replace("solo", "sola"), content_type="application/toml")
    assert "line 6" in refused(broken, 422, "unknown_value", "puzzle[0].position.variant")


# Puzzle files in, lines out as they are solved.

LIMITED = f"{FILE}[limit]\nseconds = 5\nnodes = 1000000\n"


def test_solve_toml(client: FlaskClient) -> None:
    lines = lines_of(client.post("/v1/solve", data=LIMITED, content_type="application/toml"))
    by_id = {line["id"]: line for line in lines}
    assert set(by_id) == {"one", "two"}
    assert by_id["one"]["status"] == "confirmed"
    assert by_id["two"]["status"] == "solved"


def test_solve_json(client: FlaskClient) -> None:
    puzzle = {"id": "one", "title": "One", "ask": "winnable", "position": KNOWN, "solution": {"value": "lost"}}
    (line,) = lines_of(client.post("/v1/solve", json={"puzzle": [puzzle]}))
    assert line["status"] == "refuted"


@pytest.mark.parametrize(
    ("body", "kind", "status", "code", "path"),
    [
        ("[[puzzle]\n", "application/toml", 400, "invalid_toml", ""),
        ("{", "application/json", 400, "invalid_json", ""),
        ("", "application/toml", 422, "empty_file", ""),
        ("{}", "application/json", 422, "missing_key", "puzzle"),
        ("[]", "application/json", 422, "wrong_type", ""),
        (FILE.replace('"6"', '"P"'), "application/toml", 422, "illegal_card", "puzzle[0].position.hand"),
        (FILE.replace("title", "tilte", 1), "application/toml", 422, "unknown_key", "puzzle[0].tilte"),
        (FILE.replace("two", "one"), "application/toml", 422, "duplicate_id", "puzzle[1].id"),
        (FILE, "application/xml", 415, "unsupported_media_type", ""),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_puzzle_file_that_is_wrong(
    client: FlaskClient, body: str, kind: str, status: int, code: str, path: str
) -> None:
    message = refused(client.post("/v1/solve", data=body, content_type=kind), status, code, path)
    if kind == "application/toml":
        assert message.startswith("line ")


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("seconds", "0", "out_of_range"),
        ("seconds", '"soon"', "wrong_type"),
        ("nodes", "1.5", "wrong_type"),
        ("minutes", "1", "unknown_key"),
    ],
)
def test_a_limit_that_is_wrong(client: FlaskClient, key: str, value: str, code: str) -> None:
    """Limits are in the body everywhere, and their faults are found alike."""
    limit, path = {key: json.loads(value)}, f"limit.{key}"
    toml = client.post("/v1/solve", data=f"{FILE}[limit]\n{key} = {value}\n", content_type="application/toml")
    assert refused(toml, 422, code, path).startswith("line 15: ")
    record = {"game": "kirin", "points": [[1, 2, 3, 4]]}
    for address, body in (
        ("solve", {"puzzle": [{"id": "one", "title": "One", "ask": "winnable", "position": KNOWN}]}),
        ("score", {"record": record}),
        ("puzzles/answer", {"puzzle": "kirin-0001", "answer": "b2"}),
        ("analyze", {"position": KNOWN}),
    ):
        refused(client.post(f"/v1/{address}", json={**body, "limit": limit}), 422, code, path)


def test_the_query_of_a_file_has_no_limit(client: FlaskClient) -> None:
    refused(
        client.post("/v1/solve?nodes=5", data=FILE, content_type="application/toml"), 422, "unknown_key", "nodes"
    )
    again = client.post("/v1/solve?lang=en&lang=ja", data=FILE, content_type="application/toml")
    refused(again, 422, "wrong_size", "lang")


def test_lines_are_sent_as_puzzles_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    more = threading.Event()
    cancels: list[threading.Event] = []
    inner = check.run

    def slow(puzzles: Any, *, cancel: threading.Event, **options: Any) -> Iterator[Any]:
        cancels.append(cancel)
        yield from inner(puzzles[:1], cancel=cancel, **options)
        assert more.wait(10)
        yield from inner(puzzles[1:], cancel=cancel, **options)

    monkeypatch.setattr(check, "run", slow)
    searches = lanes(1)
    client = create_app(Config(), searches).test_client()
    found = client.post("/v1/solve", data=FILE, content_type="application/toml", buffered=False)
    stream = found.iter_encoded()
    assert json.loads(next(stream))["id"] == "one"
    more.set()
    assert json.loads(next(stream))["id"] == "two"
    assert not cancels[0].is_set()
    found.close()
    assert cancels[0].is_set()


def test_a_stream_that_is_never_read_gives_its_place_back() -> None:
    searches = lanes(1)
    client = create_app(Config(), searches).test_client()
    for _ in range(3):
        found = client.post("/v1/solve", data=FILE, content_type="application/toml", buffered=False)
        assert found.status_code == 200
        found.close()


def test_a_stream_that_is_cut_short_says_so() -> None:
    searches = lanes(1)
    client = create_app(Config(), searches).test_client()
    searches.cancel_all()
    lines = lines_of(client.post("/v1/solve", data=FILE, content_type="application/toml"))
    assert lines[-1]["error"]["code"] == "cancelled"


def test_a_stream_does_not_hold_its_slot_for_ever(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_puzzles: Any, *, cancel: threading.Event, **_options: Any) -> Iterator[Any]:
        assert cancel.wait(10)
        yield from ()

    monkeypatch.setattr(check, "run", endless)
    monkeypatch.setattr(streams, "LONGEST_SECONDS", 0.05)
    (line,) = lines_of(client.post("/v1/solve", data=FILE, content_type="application/toml"))
    assert line["error"]["code"] == "cancelled"


def test_a_failure_in_the_middle_of_a_stream(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> Iterator[Any]:
        raise RuntimeError("a secret of the kitchen")
        yield

    monkeypatch.setattr(check, "run", broken)
    (line,) = lines_of(client.post("/v1/solve", data=FILE, content_type="application/toml"))
    assert line["error"]["code"] == "internal_error"
    assert "secret" not in str(line)
    assert "secret" in caplog.text
