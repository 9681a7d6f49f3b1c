"""What is made to be hard to read: a megabyte of anything is refused soon, and nobody else waits for it."""

from __future__ import annotations

import http.client
import itertools
import json
import multiprocessing
import threading
import time
from contextlib import suppress
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.access import Turns
from api.app import create_app
from api.config import Config
from api.tokens import made
from tests.attack.server import Address, started, until_ready

CPU_SECONDS = 0.3  # 0.1 on a machine that has nothing else to do
HEALTH_SECONDS = 0.3  # likewise
MEGABYTE = 900_000
LINE = 198_000  # just below what a line may have

GAMES = {
    "kirin": "seat=1 hand=D1,D2",
    "king": "seat=1 hand=F3,F4",
    "aqua-regia": "players=4 seat=1 hand=Zn",
    "alchemy": "hand=6",
}
KEYS = ("history", "hands", "counts", "totals", "voids", "known", "deck", "rules", "won", "unseen")
PIECES = ("p/", "///", "1:S1,S2/", "D1,", "0,", "%7B%22a%22%3A")
WRITTEN = (
    "[game kirin]\n[seed 1]\n[seconds 1.0]\nround 1\n",
    "D1 D2 D3 D4\n",
    "1. D1\n",
    "[round 1]\n",
    "; c\n",
    "(",
)
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
            found.append(("/v1/match/written", f"{game} {piece!r}", {"text": text}))
    return found


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    found = create_app(Config()).test_client()
    for address, _, body in _bodies()[::40]:  # what is made once is not to be measured
        found.post(address, json=body)
    return found


def test_a_megabyte_is_refused_soon(client: FlaskClient) -> None:
    late = {}
    for address, name, body in _bodies():
        text = json.dumps(body)
        begun = time.thread_time()
        found = client.post(address, data=text, content_type="application/json")
        spent = time.thread_time() - begun
        assert found.status_code in (413, 422), (name, found.text[:200])
        if spent > CPU_SECONDS:
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
        if spent > CPU_SECONDS:
            late[begin + piece] = spent
    assert not late


@pytest.mark.parametrize("text", ["1" * 3000 + "+", "%7B%22a%22%3A" * 70_000, "[" * 100_000])
def test_nested_data_in_text(client: FlaskClient, text: str) -> None:
    for game in GAMES:
        body = {"position": f"{game} deck={text}"[:LINE]}
        assert client.post("/v1/moves", json=body).status_code == 422


def test_clients_take_turns() -> None:
    """A client with one request is among the next, however many another has sent."""
    turns, order, lock = Turns(2, 100), [], threading.Lock()
    turns.enter("many")  # of two places one is always free for another client

    def ask(client: str) -> None:
        turns.enter(client)
        with lock:
            order.append(client)
        time.sleep(0.01)
        turns.stand_back(client)
        turns.leave(client)

    threads = [threading.Thread(target=ask, args=(client,)) for client in ("many",) * 20 + ("one", "two")]
    for thread in threads:
        thread.start()
        time.sleep(0.001)
    turns.stand_back("many")
    for thread in threads:
        thread.join()
    assert set(order[:6]) == {"many", "one", "two"}


@pytest.mark.slow
def test_nobody_waits_for_hostile_requests(tmp_path: Path) -> None:
    """As behind a proxy all come from one address: `/healthz` is quick, and so is the answer to another token."""
    file = tmp_path / "tokens"
    secrets, lines = zip(*(made(name) for name in ("hostile", "other")), strict=True)
    file.write_text("".join(f"{line.line}\n" for line in lines))
    with started(None, {"ATHANOR_TOKENS_FILE": str(file)}) as address:
        until_ready(address)
        context = multiprocessing.get_context("spawn")
        begun = context.Event()
        attacking = context.Process(target=_attack, args=(address, secrets[0], begun))
        attacking.start()
        try:
            assert begun.wait(60)
            health = [_seconds(address, "GET", "/healthz", "", "") for _ in range(60)]
            other = [_seconds(address, "POST", "/v1/deal", '{"game":"kirin"}', secrets[1]) for _ in range(20)]
        finally:
            attacking.kill()
            attacking.join()
    print(f"healthz {max(health):.3f} s, another {max(other):.3f} s")
    assert max(health) < HEALTH_SECONDS
    assert max(other) < 1.0


def _attack(address: Address, token: str, begun: Event) -> None:
    """Send hostile lines on thirty connections at once, for ever."""
    texts = [json.dumps(body) for _, name, body in _bodies() if "p/" in name or "///" in name]

    def ask(number: int) -> None:
        for text in itertools.cycle(texts[number::30]):
            with suppress(OSError, http.client.HTTPException):
                _seconds(address, "POST", "/v1/moves", text, token)
                begun.set()

    for number in range(30):
        threading.Thread(target=ask, args=(number,)).start()


def _seconds(address: Address, method: str, path: str, body: str, token: str) -> float:
    begun = time.monotonic()
    connection = http.client.HTTPConnection(address.host, address.port, timeout=60)
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    connection.request(method, path, body.encode() or None, headers)
    connection.getresponse().read()
    connection.close()
    return time.monotonic() - begun
