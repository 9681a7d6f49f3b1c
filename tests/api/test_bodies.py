"""Bodies that are no JSON, too large, of another type, or made to be hard to read: refused soon."""

from __future__ import annotations

import gzip
import http.client
import itertools
import json
import multiprocessing
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.access import RequestTurns
from api.app import create_app
from api.config import Config
from api.errors import BusyError
from api.search_pool import SearchPool
from api.tokens import made
from puzzles import training
from tests.api.support import HIDDEN, KNOWN, refused, warmed
from tests.attack.server import Address, started, until_ready
from tests.cli.conftest import FREE, a_puzzle
from tests.support.games import check_rows
from tests.support.timing import PATIENCE, slowness, wait_until
from tests.support.tracing import traced


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """A service that has made what is made once, which is not to be measured."""
    warmed()
    found = create_app(Config(default_seconds=5, max_seconds=10)).test_client()
    for address, _, body in [("/v1/analyze", "", {"position": {}}), *_bodies()[::40]]:
        found.post(address, json=body)
    return found


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "invalid_json"),
        (b"  ", "invalid_json"),
        (b"{", "invalid_json"),
        (b'{"position": NaN}', "invalid_json"),
        (b'{"position": -Infinity}', "invalid_json"),
        (b'{"position": 1, "position": 2}', "invalid_json"),
        (b'{"position": "\\ud800"}', "invalid_json"),
        (b'{"position": ' + b"1" * 5000 + b"}", "invalid_json"),
        (b"[" * 40_000, "invalid_json"),
        (b'{"a":' * 40_000, "invalid_json"),
        (b'{"position": "\xff"}', "invalid_text"),
        (b'{"position": "\xed\xa0\x80"}', "invalid_text"),
        ('{"position": 1'.encode("utf-16"), "invalid_json"),
        ('{"position": 1}'.encode("utf-16-le"), "invalid_text"),
    ],
    ids=lambda value: str(value[:30]),
)
@pytest.mark.parametrize("address", ["/v1/analyze", "/v1/hint", "/v1/deal", "/v1/score"])
def test_what_is_not_json(client: FlaskClient, address: str, body: bytes, code: str) -> None:
    refused(client.post(address, data=body, content_type="application/json"), 400, code)


@pytest.mark.parametrize("body", [b"null", b"5", b"[]", b'"{}"', b"true"])
@pytest.mark.parametrize("address", ["/v1/analyze", "/v1/hint", "/v1/deal", "/v1/score"])
def test_what_is_no_object(client: FlaskClient, address: str, body: bytes) -> None:
    refused(client.post(address, data=body, content_type="application/json"), 422, "wrong_type")


def test_nesting_that_can_still_be_read_is_refused_for_its_key(client: FlaskClient) -> None:
    body = b'{"position":' + b'{"a":' * 800 + b"1" + b"}" * 801
    assert client.post("/v1/analyze", data=body, content_type="application/json").status_code in (400, 422)


def test_an_infinite_number_is_out_of_range(client: FlaskClient) -> None:
    body = json.dumps({"position": KNOWN, "limit": {"seconds": 0}}).replace('"seconds": 0', '"seconds": 1e999')
    refused(
        client.post("/v1/analyze", data=body, content_type="application/json"),
        422,
        "out_of_range",
        "limit.seconds",
    )


def test_an_error_does_not_repeat_a_megabyte(client: FlaskClient) -> None:
    found = client.post("/v1/analyze", json={"position": KNOWN, "x" * 500_000: 1})
    assert found.status_code == 422
    assert len(found.data) < 3000


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8"])
def test_a_body_that_says_that_it_is_json(client: FlaskClient, kind: str) -> None:
    body = json.dumps({"position": KNOWN})
    assert client.post("/v1/analyze", data=body, content_type=kind).status_code == 200


@pytest.mark.parametrize(
    "address", ["/v1/analyze", "/v1/hint", "/v1/compound", "/v1/deal", "/v1/score", "/v1/solve"]
)
@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "a/b"]
)
def test_a_foreign_type(client: FlaskClient, address: str, kind: str | None) -> None:
    """Any web page can have its visitor's browser send plain text and forms anywhere, without being asked."""
    sent = json.dumps({"game": "alchemy", "seed": 1})
    message = refused(client.post(address, data=sent, content_type=kind), 415, "unsupported_media_type")
    assert "application/json" in message


def test_toml_where_json_is_read(client: FlaskClient) -> None:
    refused(client.post("/v1/analyze", data="{}", content_type="application/toml"), 415, "unsupported_media_type")


def test_a_compressed_body(client: FlaskClient) -> None:
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    found = client.post("/v1/analyze", data=b"\x1f\x8b", headers=headers)
    refused(found, 415, "unsupported_media_type")


@pytest.mark.parametrize("address", ["/v1/analyze", "/v1/solve"])
def test_too_large_a_body(client: FlaskClient, address: str) -> None:
    refused(client.post(address, data=b" " * ((1 << 20) + 1), content_type="application/json"), 413, "too_large")


def test_a_long_answer_is_compressed_for_who_takes_gzip() -> None:
    client = create_app(Config()).test_client()
    plain = client.get("/v1/rules/kirin")
    found = client.get("/v1/rules/kirin", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain.headers
    assert found.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(found.data) == plain.data
    assert len(found.data) < len(plain.data) / 2
    assert found.headers["ETag"] != plain.headers["ETag"]
    again = client.get(
        "/v1/rules/kirin", headers={"Accept-Encoding": "gzip", "If-None-Match": found.headers["ETag"]}
    )
    assert again.status_code == 304
    assert "Content-Encoding" not in client.get("/readyz", headers={"Accept-Encoding": "gzip"}).headers


def test_a_limit_above_the_maximum_is_cut_and_said() -> None:
    client = create_app(Config(max_seconds=2.0, default_seconds=1.0)).test_client()
    for address, limit, said in (
        ("/v1/analyze", 5.0, "2"), ("/v1/hint", 90.0, "2"), ("/v1/hint", 1.5, None), ("/v1/hint", None, None),
    ):  # fmt: skip
        position = KNOWN if address == "/v1/analyze" else HIDDEN
        found = client.post(address, json={"position": position, "limit": {"seconds": limit}})
        assert found.status_code == 200, found.text
        assert found.headers.get("X-Limit-Seconds") == said


def test_a_limit_of_one_question_among_many_is_cut_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATHANOR_JOBS", str(tmp_path / "jobs.sqlite"))
    client = create_app(Config(max_seconds=2.0, default_seconds=1.0)).test_client()
    for seconds, said in ((5, "2"), (1, None)):
        asked = {"ask": "analyze", "position": KNOWN, "limit": {"seconds": seconds}}
        found = client.post("/v1/batch", json={"questions": [{"ask": "hint"}, asked]})
        assert (found.status_code, found.headers.get("X-Limit-Seconds")) == (200, said)
        for body in (
            {"questions": [KNOWN, {"position": KNOWN, "limit": {"seconds": seconds}}]},
            {"questions": [KNOWN], "limit": {"seconds": seconds}},
        ):
            found = client.post("/v1/jobs", json={"kind": "analyze", **body})
            assert (found.status_code, found.headers.get("X-Limit-Seconds")) == (201, said)


# Bodies of many values. Bounds are generous: machines are busy.


CHEAP_SECONDS = 1.5
MEGABYTES = 100
MANY = 45_000  # values, and still read


@contextmanager
def cheap() -> Iterator[None]:
    """That what is done inside takes little processor time and memory."""
    with traced() as peak:
        begun = time.process_time()
        yield
        spent = time.process_time() - begun
        assert peak() < MEGABYTES << 20
    assert spent < CHEAP_SECONDS


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


def test_a_long_text_of_accents_as_language(client: FlaskClient) -> None:
    with cheap():
        found = client.post("/v1/moves", json={"position": KNOWN, "lang": "\u0301\u0316" * 80_000})
    refused(found, 422, "unknown_value", "lang")


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
    assert "the match was over" in client.post("/v1/score", json={"record": sheet}).get_json()["error"]["message"]


@pytest.mark.parametrize("body", [".".join("a" * 40_000) + " = 1", f"a = {{ {'.'.join('a' * 40_000)} = 1 }}"])
def test_a_key_of_very_many_parts(client: FlaskClient, body: str) -> None:
    with cheap():
        found = client.post("/v1/solve", data=body, content_type="application/toml")
    refused(found, 400, "invalid_toml")


ROUND = json.dumps({"hands": [[1] * 9, [1] * 9]})


@pytest.mark.parametrize(
    ("address", "body", "path"),
    [
        ("/v1/analyze", KING % listed("{}", MANY // 2), "position.deck"),
        ("/v1/analyze", SOLITAIRE % f'"cap":6,"line":{listed("1", MANY)}', "position.line"),
        ("/v1/analyze", SOLITAIRE % f'"cap":6,"line":{listed("1", 1000)}', "position.line[0]"),
        (
            "/v1/analyze",
            f'{{"position":{{"game":"kirin","hands":{listed("[1,1]", MANY // 3)}}}}}',
            "position.hands",
        ),
        ("/v1/solve", f'{{"puzzle":{listed("{}", MANY // 2)}}}', "puzzle[0].id"),
        (
            "/v1/score",
            f'{{"record":{{"game":"aqua-regia","rounds":{listed(ROUND, MANY // 25)}}}}}',
            "record.rounds[0].hands[0][0]",
        ),
        ("/v1/deck", f'{{"game":"king","rows":{listed("1", MANY)}}}', "rows"),
        ("/v1/play", f'{{"position":{json.dumps(KNOWN)},"moves":{listed("1", MANY)}}}', "moves"),
        (
            "/v1/match",
            f'{{"match":{{"game":"kirin","seed":1,"seconds":1,"rounds":1}},"redo":{listed("1", MANY)}}}',
            "redo",
        ),
    ],
    ids=["cards", "line", "short line", "hands", "puzzles", "rounds", "rows", "moves", "redo"],
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
    refused(
        client.post("/v1/analyze", data=note, content_type="application/json"), 422, "unknown_key", "position.note"
    )


MOST_BYTES = 8 << 20  # a megabyte of text takes a few of them


@pytest.mark.parametrize(
    "position",
    [
        {"game": "aqua-regia", "players": 4, "seat": 1, "hand": ["Zn"], "history": "p/" * 450_000},
        "aqua-regia players=4 seat=1 hand=Zn history=" + "p/" * 75_000,
        {"game": "king", "seat": 1, "hand": ["F2"], "history": "0:F2/" * 180_000},
        {"game": "kirin", "hands": "/" * 900_000},
        {"game": "kirin", "seat": 2, "hand": ["D1"], "history": [{"leader": 0, "cards": "A," * 450_000}]},
        {"game": "king", "seat": 1, "hand": ["F2"], "history": [{"leader": 0, "cards": "A,A," * 500}] * 400},
        {"game": "kirin", "seat": 1, "hand": "S1," * 300_000},
        {"game": "alchemy", "variant": "free", "line": "4 " * 450_000, "hand": "9"},
        "aqua-regia deck=" + "%7B%22a%22%3A" * 14_000,
        "aqua-regia players=2 seat=1 hand=Cu history=0:>",
        "aqua-regia players=2 seat=1 hand=Cu history=1:::",
    ],
    ids=lambda position: str(position)[:40],
)
def test_lists_in_text_are_counted_before_they_are_read(client: FlaskClient, position: Any) -> None:
    text = json.dumps({"position": position})
    began = time.thread_time()
    found = client.post("/v1/moves", data=text, content_type="application/json")
    assert time.thread_time() - began < CPU_SECONDS * slowness()
    assert found.status_code == 422
    with traced() as most:
        client.post("/v1/moves", data=text, content_type="application/json")
    assert most() < MOST_BYTES


# A megabyte of anything.


CPU_SECONDS = 0.3  # each takes 0.1
HOSTILE = 30  # connections at once
MEGABYTE = 900_000
LINE = 198_000  # just below what a line may have
GAMES = {
    "kirin": "seat=1 hand=D1,D2",
    "king": "seat=1 hand=F3,F4",
    "aqua-regia": "players=4 seat=1 hand=Zn",
    "alchemy": "hand=6",
}
check_rows(GAMES)
KEYS = ("history", "hands", "counts", "totals", "voids", "known", "deck", "rules", "won", "unseen")
PIECES = ("p/", "///", "1:S1,S2/", "D1,", "0,", "%7B%22a%22%3A")
WRITTEN = (
    "[game kirin]\n[seed 1]\n[seconds 1.0]\nround 1\n", "D1 D2 D3 D4\n", "1. D1\n", "[round 1]\n", "; c\n", "(",
)  # fmt: skip
TOML = (
    ('a="', "\\n", '"'),
    ('a="', "\\u0041", '"'),
    ('"', "\\n", '"=1'),
    ('a="""', '""x', '"""'),
    ('a="""', "\\\n", '"""'),
    ("a='''", "'x", "'''"),
    ("", "#\n", ""),
    ("", "\n", ""),
    ("a=", "1_", ""),
    ("a=1\n", "]", ""),
    ("a=", '"a" ', ""),
    ("", "a,b\n", ""),
    ("card,suit,rank,points,target\n", "1;2\n", ""),
    ("metal,points\n", "1;2\n", ""),
)


def _bodies() -> list[tuple[str, str, dict[str, Any]]]:
    found: list[tuple[str, str, dict[str, Any]]] = []
    for game, rest in GAMES.items():
        keys = dict(pair.split("=") for pair in rest.split())
        for key in KEYS:
            for piece in PIECES:
                line = f"{game} {rest} {key}={piece * (LINE // len(piece))}"
                found.append(("/v1/moves", f"{game} {key}={piece}", {"position": line}))
                for size in (LINE, MEGABYTE) if piece in PIECES[:2] else (LINE,):
                    position = {"game": game, **keys, key: piece * (size // len(piece))}
                    found.append(("/v1/moves", f"{game} {key}: {piece} {size}", {"position": position}))
            lists = {"game": game, "seat": 0, key: [["D1"]] * 24_000}
            found.append(("/v1/moves", f"{game} {key}: lists", {"position": lists}))
        match = {"game": game, "seed": 1, "seconds": 1.0, "moves": [["x"] * 45_000]}
        found.append(("/v1/match", f"{game} moves", {"match": match}))
        head = f"[game {game}]\n[seed 1]\n[seconds 1.0]\nround 1\n"
        for piece in WRITTEN:
            text = head + piece * (MEGABYTE // len(piece))
            found.append(("/v1/match/read", f"{game} {piece!r}", {"text": text}))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_move_is_stated_once(client: FlaskClient, game: str) -> None:
    """To read tens of thousands of legal moves took seconds."""
    puzzles = (one for one in training.collection() if one.game.name == game and one.ask == "best-move")
    puzzle = next(puzzles).model_dump(mode="json", exclude_none=True, exclude={"measured"})
    best = puzzle["solution"]["best"]
    text = json.dumps({"puzzle": {**puzzle, "solution": {"best": best + best[:1] * MANY}}, "answer": "x"})
    with cheap():
        found = client.post("/v1/puzzles/answer", data=text, content_type="application/json")
    assert "in best[0] already" in refused(found, 422, "duplicate", f"puzzle.solution.best[{len(best)}]")


def test_a_megabyte_is_refused_soon(client: FlaskClient) -> None:
    late = {}
    for address, name, body in _bodies()[::11]:  # games, keys and pieces by turns
        text = json.dumps(body)
        begun = time.thread_time()
        found = client.post(address, data=text, content_type="application/json")
        spent = time.thread_time() - begun
        assert found.status_code in (413, 422), (name, found.text[:200])
        if spent > CPU_SECONDS and spent > CPU_SECONDS * slowness():
            late[name] = spent
    assert not late


@pytest.mark.parametrize("address", ["/v1/decks", "/v1/puzzles"])
def test_a_megabyte_of_toml_is_refused_soon(client: FlaskClient, address: str) -> None:
    late = {}
    for begin, piece, end in TOML:
        text = begin + piece * (MEGABYTE // len(piece)) + end
        begun = time.thread_time()
        found = client.post(address, data=text, content_type="application/toml")
        spent = time.thread_time() - begun
        assert found.status_code in (400, 413, 422), (begin + piece, found.text[:200])
        if spent > CPU_SECONDS * slowness():
            late[begin + piece] = spent
    assert not late


@pytest.mark.parametrize(
    "piece",
    [*(text.encode("cp932") for text in ("牌", "牌 ", "ｱ ")), b"\xe9a", "㍿".encode(), "\u0344".encode()],
)
def test_a_megabyte_of_foreign_letters_is_read_soon(client: FlaskClient, piece: bytes) -> None:
    """To guess its encoding took 0.6 s, and words of it were a header that proxies and clients refuse."""
    begun = time.thread_time()
    found = client.post("/v1/text", data=piece * (MEGABYTE // len(piece)), content_type="application/octet-stream")
    assert time.thread_time() - begun < CPU_SECONDS * slowness()
    assert len(str(found.headers)) < 3000


@pytest.mark.parametrize("text", ["1" * 3000 + "+", "%7B%22a%22%3A" * 70_000, "[" * 100_000])
def test_nested_data_in_text(client: FlaskClient, text: str) -> None:
    for game in GAMES:
        body = {"position": f"{game} deck={text}"[:LINE]}
        assert client.post("/v1/moves", json=body).status_code == 422


def test_a_client_is_kept_waiting_by_its_own_requests_alone() -> None:
    turns = RequestTurns(8)
    entered: SimpleQueue[str] = SimpleQueue()

    def ask(client: str) -> threading.Thread:
        def enter() -> None:
            turns.enter(client)
            entered.put(client)

        thread = threading.Thread(target=enter)
        thread.start()
        return thread

    turns.enter("many")
    asking = [ask("many") for _ in range(3)]
    while turns.inside < 4:
        time.sleep(0.01)
    turns.enter("one")
    assert entered.empty()
    with pytest.raises(BusyError, match="4 requests of this client"):
        turns.enter("many")
    for _ in range(3):
        turns.stand_back("many")  # waiting for a search, it lets the next one in
        assert entered.get(timeout=10) == "many"
    for thread in asking:
        thread.join()
    for number in range(2, 5):
        turns.enter(f"client {number}")
    with pytest.raises(BusyError, match="1 requests of this client"):
        turns.enter("one")
    for number in range(5, 13):  # all eight places are taken, but these have none
        turns.enter(f"client {number}")
    with pytest.raises(BusyError, match="too many requests are in progress"):
        turns.enter("five")
    turns.stand_back("one")
    turns.leave("one")
    turns.enter("five")


def test_many_greedy_clients_leave_places_to_others() -> None:
    """Four clients with as much as they get took all places."""
    turns = RequestTurns(64)
    for number in range(4):
        with suppress(BusyError):
            while True:
                turns.enter(str(number))
                turns.stand_back(str(number))
    for number in range(4, 8):
        turns.enter(str(number))


def test_a_turn_is_waited_for_only_so_long() -> None:
    turns = RequestTurns(8, seconds=0.05)
    turns.enter("one")
    for _ in range(20):  # none that has given up keeps its place
        with pytest.raises(BusyError) as found:
            turns.enter("one")
        assert (found.value.code, found.value.status) == ("too_slow", 503)
    turns.stand_back("one")
    turns.enter("one")


def test_a_turn_that_is_refused_is_not_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: RequestTurns, client: str) -> None:
        raise BusyError("busy", "no turn")

    client = create_app(Config(client_requests=3)).test_client()
    assert client.get("/v1/games").headers["RateLimit-Remaining"] == "2"
    with monkeypatch.context() as patch:
        patch.setattr(RequestTurns, "enter", refuse)
        for _ in range(5):
            found = client.get("/v1/games")
            refused(found, 503, "busy")
            assert found.headers["RateLimit-Remaining"] == "2"
    assert client.get("/v1/games").headers["RateLimit-Remaining"] == "1"


@pytest.mark.slow
def test_nobody_waits_for_hostile_requests(tmp_path: Path) -> None:
    """As behind a proxy all come from one address: others' answers come amid those of a few hostile requests."""
    file = tmp_path / "tokens"
    secrets, lines = zip(*(made(name) for name in ("hostile", "other")), strict=True)
    file.write_text("".join(f"{line.line}\n" for line in lines))
    with started(None, {"ATHANOR_TOKENS_FILE": str(file)}) as address:
        until_ready(address)
        context = multiprocessing.get_context("spawn")
        answered = context.Value("L", 0)
        attacking = context.Process(target=_attack, args=(address, secrets[0], answered))
        attacking.start()

        def meanwhile(*request: str) -> int:
            """How many hostile requests are answered before this one is."""
            before: int = answered.value
            _ask(address, *request)
            return int(answered.value - before)

        try:
            wait_until(lambda: answered.value > HOSTILE)
            health = [meanwhile("GET", "/healthz", "", "") for _ in range(5)]
            other = [meanwhile("POST", "/v1/deal", '{"game":"kirin"}', secrets[1]) for _ in range(5)]
        finally:
            attacking.kill()
            attacking.join()
    print(health, other)
    # In a queue behind the others, it would be as many as there are connections.
    assert statistics.median(health) < HOSTILE / 4
    assert statistics.median(other) < HOSTILE / 2


def _attack(address: Address, token: str, answered: Synchronized[int]) -> None:
    """Send hostile lines on many connections at once, for ever; count the answers."""
    texts = [json.dumps(body) for _, name, body in _bodies() if "p/" in name or "///" in name]

    def ask(number: int) -> None:
        for text in itertools.cycle(texts[number::HOSTILE]):
            with suppress(OSError, http.client.HTTPException):
                _ask(address, "POST", "/v1/moves", text, token)
                with answered.get_lock():
                    answered.value += 1

    for number in range(HOSTILE):
        threading.Thread(target=ask, args=(number,)).start()


def _ask(address: Address, method: str, path: str, body: str, token: str) -> None:
    connection = http.client.HTTPConnection(address.host, address.port, timeout=PATIENCE)
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    connection.request(method, path, body.encode() or None, headers)
    connection.getresponse().read()
    connection.close()


@pytest.mark.parametrize("count", [1, 400])
def test_long_files_and_jobs_are_read_in_search_processes(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others would wait while the service itself reads them; what is found is the same."""
    searched: list[object] = []
    run = SearchPool.run

    def counted(pool: SearchPool, *asked: Any, **options: Any) -> Any:
        searched.append(asked)
        return run(pool, *asked, **options)

    monkeypatch.setattr(SearchPool, "run", counted)
    puzzle = {"title": "One", "ask": "value", "grade": "easy", "position": FREE}
    puzzles = [puzzle | {"id": f"p{number}"} for number in range(count)]
    with create_app(Config()).test_client() as client:
        found = client.post("/v1/puzzles", json={"puzzle": puzzles})
        assert found.status_code == 200, found.text
        assert len(found.get_json()["puzzles"]) == count
        faulty = [*puzzles[1:], puzzle | {"id": "x", "position": FREE | {"hand": "Z"}}]
        path = f"puzzle[{count - 1}].position.hand"
        refused(client.post("/v1/puzzles", json={"puzzle": faulty}), 422, "illegal_card", path)
        toml = "".join(map(a_puzzle, map(str, range(count)))) + "x = 1\n"
        found = client.post("/v1/puzzles", data=toml, content_type="application/toml")
        message = refused(found, 422, "unknown_key", f"puzzle[{count - 1}].x")
        assert message.startswith(f"line {toml.count(chr(10))}: ")
        cut = json.dumps({"puzzle": puzzles})[:-1]
        refused(client.post("/v1/puzzles", data=cut, content_type="application/json"), 400, "invalid_json")
        assert client.post("/v1/jobs", json={"kind": "solve", "questions": puzzles}).status_code == 201
    assert bool(searched) == (count > 1)
