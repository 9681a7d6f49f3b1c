"""A small typed client: plays a whole match, follows a hint and a job. Copy what you need.

$ python client.py http://127.0.0.1:8000
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypedDict
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class Fault(TypedDict):
    code: str  # programs can rely on it; the service's /docs/errors lists them
    path: str
    message: str


class Ended(TypedDict):
    summary: list[str]
    totals: list[int] | None


class Match(TypedDict):
    match: dict[str, Any]  # the game so far: it is sent back as it is
    to_move: int | None
    has_choice: bool
    legal_moves: list[str]
    ended: Ended | None


class Move(TypedDict):
    move: str


class Hint(TypedDict):
    best: str | None
    moves: list[Move]
    reason: str


class Progress(TypedDict):
    stage: str
    done: float | None
    best: str | None


class RefusedError(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(f"{fault['path']}: {fault['message']}" if fault["path"] else fault["message"])
        self.fault = fault


@dataclass
class Athanor:
    address: str

    def ask(self, path: str, body: object = None) -> Any:
        """Send a request, and return its answer. Raises RefusedError."""
        return json.loads(b"".join(self._lines(path, body, "application/json")))

    def stream(self, path: str, body: object = None) -> Iterator[dict[str, Any]]:
        """Send a request, and yield the lines of its answer as they arrive. Raises RefusedError."""
        for line in self._lines(path, body, "application/x-ndjson"):
            found = json.loads(line)
            if "error" in found:
                raise RefusedError(found["error"])
            yield found

    def _lines(self, path: str, body: object, accept: str) -> Iterator[bytes]:
        headers = {"Accept": accept, "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(f"{self.address}/v1/{path}", data, headers), timeout=120) as answer:
                yield from answer
        except HTTPError as error:
            raise RefusedError(json.load(error)["error"]) from None

    def play(self, start: dict[str, Any]) -> Match:
        """Play a match in which the player always makes the first legal move, and return its end."""
        state: Match = self.ask("match", {"match": start})
        while state["to_move"] is not None:
            if state["has_choice"]:
                state = self.ask("match", {"match": state["match"], "moves": state["legal_moves"][:1]})
            else:
                state = self.ask("match/turn", {"match": state["match"]})
        return state

    def hint(self, position: object, seconds: float) -> Iterator[Progress | Hint]:
        """Yield the progress of a hint, and finally the hint."""
        for line in self.stream("hint", {"position": position, "limit": {"seconds": seconds}}):
            yield line.get("progress", line)

    def job(self, kind: str, questions: list[object], **options: object) -> Iterator[dict[str, Any]]:
        """Submit a job, and yield its results as they are found: answers, or objects with the key `error`."""
        job = self.ask("jobs", {"kind": kind, "questions": questions, **options})["id"]
        for line in self.stream(f"jobs/{job}/results?stream=true"):
            if "result" in line:
                yield line["result"]


if __name__ == "__main__":
    athanor = Athanor(sys.argv[1])
    print(athanor.play({"game": "kirin", "seed": 1, "seconds": 0.05})["ended"])
    dealt = athanor.ask("deal", {"game": "kirin", "seed": 1, "seat": 0})
    for part in athanor.hint(dealt["position"], seconds=0.5):
        print(part.get("reason") or f"{part.get('stage')}: {part.get('best')}")
    for result in athanor.job("deal", [{"game": "kirin", "seed": 1, "deals": 3}]):
        print(result["text"])
