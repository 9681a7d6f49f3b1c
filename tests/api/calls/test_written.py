"""Files of games as text over HTTP: read, and refused."""

from __future__ import annotations

import json

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from tests.support import places


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app().test_client()


def test_a_game_of_a_real_table_is_read_as_it_is_usually_written(client: FlaskClient) -> None:
    text = (places.ROOT / "docs" / "examples" / "table.txt").read_text(encoding="utf-8")
    found = client.post("/v1/match/written", json={"text": text}).get_json()
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
    found = client.post("/v1/match/written", content_type="application/json", data=json.dumps({"text": text}))
    error = found.get_json()["error"]
    assert (found.status_code, error["code"], error["path"]) == (422, code, path)
