"""Jobs: small ones submitted, and looked at, followed, cancelled, tried again and deleted.

A job's name is drawn by the service. So a request about one has `NAME` in its place, for which the client puts the
name of the job that it submitted last: of these requests alone the number does not tell all.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace
from typing import Any

from solver import registry
from tests.attack.case import Case, allowed, posted, request
from tests.attack.changes import JUNK, changed
from tests.attack.sources.positions import moment
from tests.support.mangling import mangle

NAME = b"0123456789abcdef"  # there is no such job where none was submitted
KIND = "jobs"
_KINDS = ("analyze", "hint", "solve", "deal", "survey")
_FOLLOWED_SECONDS = 60.0  # until the jobs before it have ended, too


@dataclass
class LastJob:
    """The name of the job that was submitted last by the clients of a process."""

    name: bytes = NAME

    def named(self, asked: Case) -> Case:
        """A request with the job's name in it, where it asks about one."""
        return replace(asked, sent=asked.sent.replace(NAME, self.name)) if asked.kind == KIND else asked

    def learn(self, asked: Case, status: int, body: bytes) -> None:
        """Take the name from the answer to a job that was submitted."""
        if asked.kind == KIND and asked.sent.startswith(b"POST /v1/jobs ") and status in (200, 201):
            self.name = json.loads(body)["id"].encode()


def submitted(rng: random.Random) -> Case:
    """A job of one to three units, each of hardly any work."""
    kind = rng.choice(_KINDS)
    questions: list[Any] = [_question(kind, rng) for _ in range(rng.randrange(1, 4))]
    body: dict[str, Any] = {"kind": kind, "questions": questions, "limit": {"nodes": 50, "seconds": 0.02}}
    if rng.random() < 0.3:
        body["key"] = rng.choice(("a", "b", "", "\x00", "x" * 200))
    if rng.random() < 0.2:
        body["title"] = rng.choice(("Attack", "\x1b[2J", "<b>", "x" * 201))
    if rng.random() < 0.3:
        body["kind"] = rng.choice(_KINDS)
        if body["kind"] in ("deal", "survey"):  # what is read from a line of text may be more than a few deals
            body["questions"] = [{"game": "chess"}]
    if rng.random() < 0.2:
        body = mangle(body, rng, JUNK, ("title", "key", "seed", "worlds", "extra"))
    return posted(KIND, "/v1/jobs", body)


def looked_at(rng: random.Random) -> Case:
    """A question about the job that was submitted last, or what is done with it."""
    job = f"/v1/jobs/{NAME.decode()}"
    method, place, seconds = rng.choice((
        ("GET", "/v1/jobs", 0.0),
        ("GET", f"/v1/jobs?most={rng.choice((0, 1, 1000, 1001, 'x'))}", 0.0),
        ("GET", job, 0.0),
        ("GET", f"{job}/results", 0.0),
        ("GET", f"{job}/results?after={rng.choice((0, 1, -1, 2**63, 'x'))}", 0.0),
        ("GET", f"{job}/results?stream=1", _FOLLOWED_SECONDS),
        ("GET", f"{job}/events", _FOLLOWED_SECONDS),
        ("POST", f"{job}/cancel", 0.0),
        ("POST", f"{job}/retry", 0.0),
        ("DELETE", job, 0.0),
        ("DELETE", job, 0.0),
        ("GET", f"/v1/jobs/{rng.choice(('x', '%00', '..', 'a' * 5000, '%ff', '1%20OR%201=1'))}", 0.0),
    ))  # fmt: skip
    more = ("Last-Event-ID: " + rng.choice(("0", "1", "x", "9" * 30)),) if place.endswith("/events") else ()
    return Case(KIND, request(method, place, more=more), allowed("/v1/jobs", None) + seconds)


def _question(kind: str, rng: random.Random) -> Any:
    if kind == "solve":
        return {"id": "a", "title": "Attack", "ask": "best-move", "position": changed(moment(rng), rng)}
    if kind not in ("deal", "survey"):
        return changed(moment(rng), rng)
    name = rng.choice(registry.names())
    found = {"game": name, "seed": rng.randrange(1 << 30), "deals": rng.randrange(1, 4)}
    if kind == "survey":
        found["survey"] = rng.choice((*(survey.name for survey in registry.game(name).surveys), "x"))
    return found
