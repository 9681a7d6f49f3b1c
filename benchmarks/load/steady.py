"""Quick questions at a steady rate beside the load, each at its own time, however long the last one takes."""

from __future__ import annotations

import json
import queue
import threading
import time

from benchmarks.load.clients import Client, Mix, Tally
from benchmarks.load.questions import Asked, Questions
from benchmarks.load.server import Address
from solver.common import Random

_ENDING = {
    "game": "alchemy",
    "variant": "alternative",
    "cap": 4,
    "line": ["2", "5", "7", "9"],
    "hand": "4",
    "unseen": ["A", "3", "6", "8"],
}
_KNOWN = {
    "game": "alchemy",
    "variant": "solo",
    "cap": 6,
    "line": ["4", "7", "K", "2", "9", "A"],
    "hand": "6",
    "stock": ["5", "Q"],
}
_THREADS = 32  # as many requests may be on their way at once


def _quick() -> list[Asked]:
    """Questions that are answered in a millisecond or two: one tells so by its limit, the other does not."""
    hint = {"position": _ENDING, "limit": {"seconds": 0.05}}
    return [
        Asked("steady hint", "/v1/hint", json.dumps(hint).encode()),
        Asked("steady analysis", "/v1/analyze", json.dumps({"position": _KNOWN}).encode()),
    ]


class Steady:
    """Asks `rate` quick questions a second, from an address of its own, until `end`."""

    def __init__(self, address: Address, rate: float, source: str, tally: Tally) -> None:
        self._rate = rate
        self._due: queue.SimpleQueue[tuple[Asked, float] | None] = queue.SimpleQueue()
        self._clients = [
            Client(address, Questions([], []), Mix(0, 0, False), Random(0, number), tally, source)
            for number in range(_THREADS)
        ]

    def run(self, end: threading.Event) -> None:
        threads = [threading.Thread(target=self._ask, args=(client,)) for client in self._clients]
        for thread in threads:
            thread.start()
        quick = _quick()
        begun = time.monotonic()
        number = 0
        while not end.wait(max(0.0, begun + number / self._rate - time.monotonic())):
            self._due.put((quick[number % len(quick)], begun + number / self._rate))
            number += 1
        for _ in threads:
            self._due.put(None)
        for thread in threads:
            thread.join()

    def _ask(self, client: Client) -> None:
        while (due := self._due.get()) is not None:
            client.ask(*due)
        client.close()
