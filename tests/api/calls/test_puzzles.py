"""`/v1/puzzles`: the collection as data, and puzzle files that are read."""

from __future__ import annotations

import gzip

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from puzzles import format as puzzle_format
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


def test_a_file_is_read(client: FlaskClient) -> None:
    found = client.post("/v1/puzzles", data=FILE, content_type="application/toml").get_json()["puzzles"]
    assert [one["title"] for one in found] == ["First", "Second"]
    assert found[0]["text"] == "alchemy solo line=4,7,K hand=6 stock=5"
    assert found[0]["solution"] == {"value": "lost"}
    assert "solution" not in found[1]
    broken = client.post("/v1/puzzles", data=FILE.replace("solo", "sola"), content_type="application/toml")
    assert "line 6" in refused(broken, 422, "unknown_value", "puzzle[0].position.variant")
