"""Bodies of many values are refused before much work is done for them. Bounds are generous: machines are busy."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from solver.positions import position_type
from tests.api.support import KNOWN, refused

CPU_SECONDS = 1.5
MEGABYTES = 100
MANY = 45_000  # values, and still read


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    position_type()  # what is made once is not to be measured
    made = create_app(Config(default_seconds=5, max_seconds=10)).test_client()
    assert made.post("/v1/analyze", json={"position": {}}).status_code == 422
    return made


@contextmanager
def cheap() -> Iterator[None]:
    """That what is done inside takes little processor time and memory."""
    tracemalloc.start()
    begun = time.process_time()
    try:
        yield
        spent = time.process_time() - begun
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert spent < CPU_SECONDS
    assert peak < MEGABYTES << 20


def listed(item: str, count: int) -> str:
    return f"[{','.join([item] * count)}]"


def keys(count: int) -> str:
    return ",".join(f'"a{number}":1' for number in range(count))


SOLITAIRE = '{"position":{"game":"alchemy","variant":"solo",%s}}'
KING = '{"position":{"game":"king","deck":{"card":%s}}}'


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/v1/analyze", KING % listed("{}", 340_000)),
        ("/v1/analyze", SOLITAIRE % f'"line":{listed("1", 500_000)}'),
        ("/v1/analyze", SOLITAIRE % keys(90_000)),
        ("/v1/analyze", f'{{"position":{listed("[]", 340_000)}}}'),
        ("/v1/solve", f'{{"puzzle":{listed("{}", 340_000)}}}'),
        ("/v1/score", "[" * 1_000_000),
    ],
    ids=["cards", "line", "keys", "lists", "puzzles", "nested"],
)
def test_a_megabyte_of_values(client: FlaskClient, address: str, body: str) -> None:
    with cheap():
        found = client.post(address, data=body, content_type="application/json")
    assert "50,000 values" in refused(found, 413, "too_large")


@pytest.mark.parametrize(
    "body",
    [
        "\n".join(f"[a{number}.b.c.d]" for number in range(40_000)),
        "[[puzzle]]\n" * 95_000,
        "a = [" + "1," * 450_000 + "]",
    ],
    ids=["tables", "puzzles", "list"],
)
def test_a_megabyte_of_toml(client: FlaskClient, body: str) -> None:
    with cheap():
        found = client.post("/v1/solve", data=body, content_type="application/toml")
    assert "20,000 values" in refused(found, 413, "too_large")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("a = " + "9" * 900_000, "more than 4,000 letters"),
        ("a = 1" + "_1" * 400_000, "more than 4,000 letters"),
        ("a" * 900_000 + " = 1", "more than 4,000 letters"),
        ("a = 1 # " + "9" * 900_000, "unknown key 'a'"),
        (f"a = '{'9' * 900_000}'", "unknown key 'a'"),
    ],
    ids=["digits", "underscores", "key", "comment", "text"],
)
def test_a_very_long_number(client: FlaskClient, body: str, words: str) -> None:
    """To read a megabyte of digits, only to say that they are too many, held the interpreter for 0.2 s."""
    with cheap():
        found = client.post("/v1/solve", data=body, content_type="application/toml")
    assert words in found.get_json()["error"]["message"]


def test_numbers_and_lines_of_json_that_are_too_long(client: FlaskClient) -> None:
    long = {
        "[" + "9" * 4000 + "]": (400, "invalid_json", "more than 1,000 digits"),
        json.dumps({"position": "kirin " + "x=1 " * 200_000}): (422, "too_large", "at most 200,000 letters"),
    }
    for body, (status, code, words) in long.items():
        found = client.post("/v1/analyze", data=body, content_type="application/json")
        assert found.status_code == status
        assert found.get_json()["error"]["code"] == code
        assert words in found.get_json()["error"]["message"]


def test_a_long_score_sheet_is_read(client: FlaskClient) -> None:
    """Its lists have more entries than those of cards may have."""
    sheet = {"game": "king", "points": [[0, 1, 2]] * 500}
    assert "the match was over" in client.post("/v1/score", json=sheet).get_json()["error"]["message"]


@pytest.mark.parametrize("body", [".".join("a" * 40_000) + " = 1", f"a = {{ {'.'.join('a' * 40_000)} = 1 }}"])
def test_a_key_of_very_many_parts(client: FlaskClient, body: str) -> None:
    with cheap():
        found = client.post("/v1/solve", data=body, content_type="application/toml")
    refused(found, 400, "invalid_toml")


@pytest.mark.parametrize(
    ("address", "body", "path"),
    [
        ("/v1/analyze", KING % listed("{}", MANY // 2), "deck.name"),
        ("/v1/analyze", SOLITAIRE % f'"cap":6,"line":{listed("1", MANY)}', "line"),
        ("/v1/analyze", SOLITAIRE % f'"cap":6,"line":{listed("1", 1000)}', "line[0]"),
        ("/v1/analyze", f'{{"position":{{"game":"kirin","hands":{listed("[1,1]", MANY // 3)}}}}}', "hands"),
        ("/v1/solve", f'{{"puzzle":{listed("{}", MANY // 2)}}}', "puzzle[0].id"),
        (
            "/v1/score",
            f'{{"game":"aqua-regia","rounds":{listed(json.dumps({"hands": [[1] * 9, [1] * 9]}), MANY // 25)}}}',
            "rounds[0].hands[0][0]",
        ),
    ],
    ids=["cards", "line", "short line", "hands", "puzzles", "rounds"],
)
def test_very_many_faults(client: FlaskClient, address: str, body: str, path: str) -> None:
    """The first faulty entry is told; to collect them all took up to 14 seconds."""
    begun = time.process_time()
    found = client.post(address, data=body, content_type="application/json")
    assert time.process_time() - begun < 5
    assert found.status_code == 422
    assert found.get_json()["error"]["path"] == path


def test_an_object_of_very_many_keys(client: FlaskClient) -> None:
    found = client.post("/v1/analyze", data=SOLITAIRE % keys(2000), content_type="application/json")
    assert "1,000 keys" in refused(found, 413, "too_large")
    table = "\n".join(f"a{number} = 1" for number in range(2000))
    found = client.post("/v1/solve", data=table, content_type="application/toml")
    assert "1,000 keys" in refused(found, 413, "too_large")


def test_a_text_with_very_many_commas(client: FlaskClient) -> None:
    note = json.dumps({"position": {**KNOWN, "note": ',[{\\"' * 20_000}})
    refused(client.post("/v1/analyze", data=note, content_type="application/json"), 422, "unknown_key", "note")


@pytest.mark.parametrize(
    "position",
    [
        {"game": "aqua-regia", "players": 4, "seat": 1, "hand": ["Zn"], "history": "p/" * 450_000},
        "aqua-regia players=4 seat=1 hand=Zn history=" + "p/" * 75_000,
        {"game": "king", "seat": 1, "hand": ["F2"], "history": "0:F2/" * 180_000},
        {"game": "kirin", "hands": "/" * 900_000},
        {"game": "kirin", "seat": 1, "hand": "S1," * 300_000},
        {"game": "alchemy", "variant": "free", "line": "4 " * 450_000, "hand": "9"},
        "aqua-regia deck=" + "%7B%22a%22%3A" * 14_000,
        "aqua-regia players=2 seat=1 hand=Cu history=0:>",
        "aqua-regia players=2 seat=1 hand=Cu history=1:::",
    ],
    ids=lambda position: str(position)[:40],
)
def test_lists_in_text_are_counted_before_they_are_read(client: FlaskClient, position: Any) -> None:
    client.post("/v1/moves", json={"position": "aqua-regia"})  # loads what reads it
    began = time.thread_time()
    assert client.post("/v1/moves", json={"position": position}).status_code == 422
    assert time.thread_time() - began < 0.2  # 0.1 s, and what a busy machine adds
