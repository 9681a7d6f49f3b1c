"""`/v1/puzzles`: the collection as data, and puzzle files that are read."""

from __future__ import annotations

import gzip
import re
from datetime import date
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from puzzles import format as puzzle_format
from puzzles import training
from puzzles.training import COLLECTION
from solver.positions import parse_position
from tests.api.support import FILE, refused


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app().test_client()


def test_the_collection_is_told_whole(client: FlaskClient) -> None:
    found = client.get("/v1/puzzles").get_json()["puzzles"]
    files = [puzzle_format.load(path) for path in sorted(COLLECTION.glob("*.toml"))]
    assert [one["id"] for one in found] == [puzzle.id for file in files for puzzle in file.puzzles]
    assert all(parse_position(one["text"]) for one in found[::20])


def test_titles_are_in_the_language_of_who_asks(client: FlaskClient) -> None:
    address = "/v1/puzzles?game=aqua-regia&grade=hard"
    japanese, english = (
        [one["title"] for one in client.get(address, headers={"Accept-Language": name}).get_json()["puzzles"]]
        for name in ("ja", "en")
    )
    assert len(japanese) == len(english) > 10
    assert all(title.isascii() for title in (one.replace(" · ", "") for one in english))
    assert not any(title.isascii() for title in japanese)


def test_the_collection_is_sent_compressed_and_not_twice(client: FlaskClient) -> None:
    plain = client.get("/v1/puzzles?game=kirin")
    packed = client.get("/v1/puzzles?game=kirin", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 3
    again = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    assert client.get("/v1/puzzles?game=kirin", headers=again).status_code == 304
    assert client.get("/v1/puzzles?game=king", headers=again).status_code == 200


def test_by_game_and_grade(client: FlaskClient) -> None:
    found = client.get("/v1/puzzles?game=king&grade=hard").get_json()["puzzles"]
    assert found
    assert {(one["game"], one["grade"]) for one in found} == {("king", "hard")}
    refused(client.get("/v1/puzzles?game=chess"), 422, "unknown_game", "game")
    refused(client.get("/v1/puzzles?grade=lazy"), 422, "unknown_value", "grade")


def test_the_puzzle_of_a_day_alone(client: FlaskClient) -> None:
    [one] = client.get("/v1/puzzles?day=2026-02-03").get_json()["puzzles"]
    assert one["id"] == training.daily(training.chosen(), date(2026, 2, 3)).id
    [other] = client.get("/v1/puzzles?day=2026-02-04").get_json()["puzzles"]
    assert other["id"] != one["id"]
    for wrong in ("today", "2026-02-30", ""):
        refused(client.get(f"/v1/puzzles?day={wrong}"), 422, "wrong_type", "day")


def test_titles_and_themes_are_in_the_language_that_is_asked_for(client: FlaskClient) -> None:
    english = client.get("/v1/puzzles?game=alchemy").get_json()
    japanese = client.get("/v1/puzzles?game=alchemy", headers={"Accept-Language": "ja"}).get_json()
    assert english["themes"]["deny"] == "deny"
    assert japanese["themes"]["deny"] == "相手に取らせない"
    titles = {one["id"]: one["title"] for one in english["puzzles"]}
    assert not [title for title in titles.values() if re.search(r"\d+-\d+$", title)]
    assert not [one["title"] for one in japanese["puzzles"] if one["title"] == titles[one["id"]]]


def puzzle_of(client: FlaskClient, name: str) -> dict[str, Any]:
    [one] = client.get(f"/v1/puzzles?id={name}").get_json()["puzzles"]
    return {key: one[key] for key in ("id", "title", "ask", "model", "position", "solution") if key in one}


def test_a_move_is_answered(client: FlaskClient) -> None:
    puzzle = puzzle_of(client, "kirin-0001")
    found = client.post("/v1/puzzles/reply", json={"puzzle": puzzle, "move": "b2"}).get_json()
    assert (found["move"], found["right"]) == ("B2", False)
    assert found["words"] == "B2: 0 points. The best move: 4 points."
    assert found["line"]
    body = {"puzzle": puzzle, "move": "S5", "lang": "ja"}
    assert client.post("/v1/puzzles/reply", json=body).get_json()["words"].startswith("S5は4点。")
    hidden = puzzle_of(client, "hidden-0003")
    found = client.post("/v1/puzzles/reply", json={"puzzle": hidden, "move": "G3"}).get_json()
    assert found["deals"] == 100
    assert found["worse"] > found["better"]
    assert parse_position(found["deal"]["text"])


def test_what_is_no_answer_to_a_puzzle(client: FlaskClient) -> None:
    puzzle = puzzle_of(client, "kirin-0001")

    def asked(move: object, **changes: object) -> Any:
        return client.post("/v1/puzzles/reply", json={"puzzle": {**puzzle, **changes}, "move": move})

    refused(asked("D6"), 422, "illegal_move", "move")
    refused(asked(3), 422, "wrong_type", "move")
    refused(asked("S5", ask="value"), 422, "invalid_value", "move")
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
