"""Clients who ask for something long and leave: 0.3 s later the service has nothing to do any more."""

from __future__ import annotations

import json
import random
import socket
import time
from typing import Any

from solver.common import Random
from tests.attack.case import MAX_SECONDS, request
from tests.attack.server import Address
from tests.attack.sources.positions import moment
from tests.attack.watching import Held, processor_seconds
from tests.support.hard_decks import hard_deck

_STAY_SECONDS = 0.15
_QUIET_SECONDS = 0.3  # after which the processor has to be quiet,
_HELD_SECONDS = 5.0  # and at most so much later where other programs hold the service up,
_WATCHED_SECONDS = 0.4  # for so long
_BUSY_SECONDS = 0.06  # of processor time in it is too much: the system counts in hundredths


def question(seed: int, number: int) -> bytes:
    """A request that may take as long as the service allows."""
    rng = random.Random(f"leaving/{seed}/{number}")
    limit = {"seconds": MAX_SECONDS}
    choice = rng.random()
    if choice < 0.2:
        deck = hard_deck(Random(rng.randrange(1 << 40)))
        position: dict[str, Any] = {"game": "king", "deck": deck, "cards": [card["code"] for card in deck["card"]]}
        return _posted("/v1/compound", {"position": position, "limit": limit, "missing": rng.random() < 0.5})
    if choice < 0.3:
        line = [rng.choice(("A", "2", "3", "5", "8", "Q", "K")) for _ in range(24)]
        free = {"game": "alchemy", "variant": "free", "min_line": 1, "line": line, "hand": "K"}
        return _posted("/v1/analyze", {"position": free, "limit": limit})
    position = moment(rng)
    if choice < 0.45:
        puzzle = {"id": "a", "title": "Leaving", "ask": "best-move", "position": position}
        return _posted(
            f"/v1/solve?seconds={MAX_SECONDS}", {"puzzle": [{**puzzle, "id": str(n)} for n in range(9)]}
        )
    address = "/v1/hint" if "hand" in position and "stock" not in position else "/v1/analyze"
    body: dict[str, Any] = {"position": position, "limit": limit}
    if address == "/v1/analyze" and rng.random() < 0.5:
        body["model"] = rng.choice(("paranoid", "maxn"))
    return _posted(address, body)


def left(address: Address, sent: bytes, *, reset: bool) -> float:
    """The processor time that the service takes in 0.4 s, from 0.3 s after a client who asked this has left.

    Where other programs keep the service from ending what it is at, it has so much longer for that.
    """
    client = socket.create_connection((address.host, address.port))
    client.sendall(sent)
    time.sleep(_STAY_SECONDS)
    if reset:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    with Held(address) as held:
        client.close()
        time.sleep(_QUIET_SECONDS)
        time.sleep(min(held.seconds, _HELD_SECONDS))
    before = processor_seconds(address)
    time.sleep(_WATCHED_SECONDS)
    return processor_seconds(address) - before


def fault(address: Address, seed: int, number: int) -> str:
    """What is wrong when the client of this number leaves; empty if nothing is."""
    taken = left(address, question(seed, number), reset=bool(number % 2))
    return f"{taken:.2f} s of processor time after its client left" if taken > _BUSY_SECONDS else ""


def _posted(address: str, body: object) -> bytes:
    return request("POST", address, json.dumps(body).encode())
