"""Every address with the examples of its description, changed; odd addresses; jobs; and HTTP itself."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from urllib.parse import quote

from api.config import Config
from api.openapi import document
from solver import registry
from solver.errors import AthanorError
from solver.positions import parse_position, text_of
from tests.attack.case import JSON, JUNK, MAX_SECONDS, Case, allowed, changed, posted, request, scratched
from tests.attack.positions import moment
from tests.support.mangling import mangle
from tests.support.places import ROOT

_METHODS = ("GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "POST", "TRACE", "CONNECT", "BREW", "get")
_KINDS = (
    JSON, "application/toml", "text/plain", "application/json; charset=utf-16", "", "a/b;;",
    "multipart/form-data",
)  # fmt: skip
_HEADERS = (
    "Origin: http://evil.example", "Origin: null", "Accept: text/markdown", "Accept: */*;q=x,,",
    "Content-Encoding: gzip", "Cookie: a=b; c", "Range: bytes=0-", "If-None-Match: *", "X-Forwarded-For: ::1",
    "Expect: 100-continue", "Authorization: Basic !!", "Accept-Encoding: gzip, br",
)  # fmt: skip
_PLACES = (
    "/", "/docs", "/openapi.json", "//", "/../etc/passwd", "/v1/rules/..%2f..", "/static/x", "/v1", "/%00",
    "/?a=%ff",
)  # fmt: skip
_PICTURE_SECONDS = 0.2
_SECONDS = 0.02
_WORDS = ("game", "grade", "most", "stream", "seconds", "x", "%00")
_VALUES = (*registry.names(), "easy", "medium", "hard", "1", "0", "-1", "", "%ff", "1e9", "9" * 30)


def exampled(rng: random.Random) -> Case:
    """An example of the description, changed."""
    address, body = rng.choice(_examples())
    body = changed(body, rng)
    if address in ("/v1/analyze", "/v1/hint", "/v1/compound", "/v1/solve") and isinstance(body, dict):
        body = {**body, "limit": {"seconds": _SECONDS}}
    questions = body.get("questions") if isinstance(body, dict) else None
    if isinstance(questions, list):
        limited = [one | {"limit": {"seconds": _SECONDS}} if isinstance(one, dict) else one for one in questions]
        body = {**body, "questions": limited}
    return posted("examples", address, body)


def dealt(rng: random.Random) -> Case:
    """A deal: what most apps ask first."""
    name = rng.choice(registry.names())
    body: dict[str, Any] = {"game": name, "seed": rng.randrange(1 << 53), "number": rng.randrange(9)}
    if rng.random() < 0.5:
        body["players"] = rng.randrange(8)
    if rng.random() < 0.5:
        body["variant"] = rng.choice((*registry.game(name).variants, "solo", "picked", ""))
    if rng.random() < 0.5:
        body["seat"] = rng.randrange(8)
    if rng.random() < 0.3:
        body["rules"] = {rng.choice((*registry.game(name).options, "x")): rng.random() < 0.7 for _ in range(2)}
    if rng.random() < 0.3:
        body = mangle(body, rng, JUNK, ("game", "seed", "extra"))
    return posted("deals", "/v1/deal", body)


def odd(rng: random.Random) -> Case:
    """Addresses, methods, types and headers that nobody should send, and some that one may."""
    method = rng.choice(_METHODS) if rng.random() < 0.6 else "GET"
    place = rng.choice(_PLACES) if rng.random() < 0.4 else rng.choice(_examples())[0]
    if rng.random() < 0.3:
        place = f"/v1/rules/{quote(str(rng.choice((*registry.names(), *JUNK))), safe='', errors='replace')}"
    headers = tuple(rng.sample(_HEADERS, rng.randrange(4)))
    body = b"{}" if method in ("POST", "PUT", "PATCH") else b""
    sent = request(method, place, body, rng.choice(_KINDS), headers)
    return Case("addresses", sent, allowed(place, None))


def told(rng: random.Random) -> Case:
    """Whatever is asked for without a body, with words in the address that may fit."""
    place = rng.choice(_read()).replace("{game}", rng.choice(registry.names()))
    words = [f"{rng.choice(_WORDS)}={rng.choice(_VALUES)}" for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3)))]
    headers = tuple(rng.sample(_HEADERS, rng.choice((0, 0, 0, 1))))
    address = place + ("?" + "&".join(words) if words else "")
    return Case("addresses", request("GET", address, more=headers), allowed(place, None))


def linked(rng: random.Random) -> Case:
    """The page or the picture of a position that stands in the address, as it is or garbled."""
    data = moment(rng)
    try:
        line = text_of(parse_position(data))
    except AthanorError:  # the last position of a round may be none to ask about
        line = data["game"]
    text = line.replace(" ", rng.choice("&&&/ +"))
    if rng.random() < 0.4:
        text = scratched(text.encode(), rng).decode("utf-8", "replace")
    if rng.random() < 0.05:
        text += rng.choice((",A", "/", "%", "4x")) * rng.choice((100, 10_000))
    place = rng.choice(("/p/", "/p/", "/picture/")) + quote(text, safe="&/=,:+%", errors="replace")
    return Case("links", request("GET", place), allowed(place, None) + _PICTURE_SECONDS)


def filled(rng: random.Random) -> Case:
    """Up to a megabyte of one thing, repeated in some place of a body."""
    address, body = rng.choice(_examples())
    item = rng.choice(
        ("{}", "[]", "1", '"1"', "[[1]]", '{"a":1}', "null", '"' + "x" * 500 + '"', "1e5", '"\\u0000"')
    )
    count = rng.choice((100, 3000, 40_000, 1_000_000 // (len(item) + 1)))
    many = json.loads(f"[{','.join([item] * min(count, 1_000_000 // (len(item) + 1)))}]")
    if rng.random() < 0.2:
        many = {f"k{number}": value for number, value in enumerate(many[:60_000])}
    data = mangle(body, rng, [many])
    sent = json.dumps(data, separators=(",", ":")).encode()
    return Case("large", request("POST", address, sent), 1.0 + allowed(address, data, len(sent)))


@cache
def _read() -> list[str]:
    """The addresses that are read; those of jobs have a module of their own."""
    paths = document(Config())["paths"].items()
    return sorted(address for address, operations in paths if "get" in operations and "{job}" not in address)


@cache
def _examples() -> list[tuple[str, Any]]:
    found = [
        ("/v1/score", {"record": json.loads(path.read_text())})
        for path in (ROOT / "docs/examples").glob("*score.json")
    ]
    for address, operations in document(Config())["paths"].items():
        contents = operations.get("post", {}).get("requestBody", {}).get("content", {})
        if address == "/v1/jobs":  # one of these takes minutes
            continue
        found += [(address, one["value"]) for one in contents.get(JSON, {}).get("examples", {}).values()]
    return sorted(found, key=lambda one: (one[0], json.dumps(one[1])))


# Jobs. A job's name is drawn by the service. So a request about one has `NAME` in its place, for which the client
# puts the name of the job that it submitted last: of these requests alone the number does not tell all.


NAME = b"0123456789abcdef"  # there is no such job where none was submitted
KIND = "jobs"
_JOB_KINDS = ("analyze", "hint", "solve", "deal", "survey")
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
    kind = rng.choice(_JOB_KINDS)
    questions: list[Any] = [_question(kind, rng) for _ in range(rng.randrange(1, 4))]
    body: dict[str, Any] = {"kind": kind, "questions": questions, "limit": {"nodes": 50, "seconds": 0.02}}
    if rng.random() < 0.3:
        body["key"] = rng.choice(("a", "b", "", "\x00", "x" * 200))
    if rng.random() < 0.2:
        body["title"] = rng.choice(("Attack", "\x1b[2J", "<b>", "x" * 201))
    if rng.random() < 0.3:
        body["kind"] = rng.choice(_JOB_KINDS)
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
        ("GET", f"{job}/results?stream=true", _FOLLOWED_SECONDS),
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


# HTTP itself: requests that are cut, doubled, framed wrongly, or no HTTP at all.


_SHORT = {
    "game": "alchemy", "variant": "solo", "cap": 3, "line": ["4", "7", "K"], "hand": "6", "stock": ["5"],
}  # fmt: skip
_STARTS = (
    b"GET / HTTP/9.9\r\n\r\n", b"GET /healthz\r\n\r\n",
    b"GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"GET /healthz HTTP/1.0\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET /healthz HTTP/1.1\r\n folded: x\r\n\r\n",
    b"GET /healthz HTTP/1.1\nHost: localhost\n\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"\r\n\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
)  # fmt: skip
_FRAMES = (
    "Content-Length: -1", "Content-Length: 1e3", "Content-Length: 99999999999999999999", "Content-Length: +5",
    "Content-Length: 5, 5", "Content-Length: 0x10", "Content-Length: 5\r\nContent-Length: 6",
    "Transfer-Encoding: gzip", "Transfer-Encoding: chunked, chunked", "Transfer-Encoding : chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 3", "Upgrade: websocket\r\nConnection: Upgrade",
    "Expect: 100-continue\r\nContent-Length: 2",
)  # fmt: skip
_CHUNKS = (
    b"5\r\n{}   \r\n0\r\n\r\n",
    b"zz\r\n{}\r\n0\r\n\r\n",
    b"-1\r\n",
    b"2\r\n{}0\r\n\r\n",
    b"ffffffffffffffff\r\n{}",
    b"2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n",
    b"0" * 70_000,
    b"2\n{}\n0\n\n",
    b"1\r\n{\r\n" * 5000,
)
_WIRE_SECONDS = 3 * MAX_SECONDS  # of whatever may be in it


def wired(rng: random.Random) -> Case:
    """Bytes that may hold some requests, or none."""
    return Case(
        "http", rng.choice((_cut, _scratched, _framed, _chunked, _long, _many))(rng), _WIRE_SECONDS, whole=False
    )


def _good(rng: random.Random) -> bytes:
    if rng.random() < 0.4:
        return request("GET", rng.choice(("/healthz", "/v1/games", "/v1/rules/kirin")))
    body = {"position": _SHORT, "limit": {"nodes": 50, "seconds": 0.05}}
    return request(
        "POST", rng.choice(("/v1/analyze", "/v1/hint", "/v1/moves", "/v1/nothing")), json.dumps(body).encode()
    )


def _cut(rng: random.Random) -> bytes:
    sent = _good(rng)
    return sent[: rng.randrange(1, len(sent))]


def _scratched(rng: random.Random) -> bytes:
    return scratched(_good(rng) if rng.random() < 0.7 else rng.choice(_STARTS), rng)


def _framed(rng: random.Random) -> bytes:
    return (
        request("GET", "/v1/games", more=(rng.choice(_FRAMES),)).replace(b"GET", rng.choice((b"GET", b"POST")))
        + b"{}"
    )


def _chunked(rng: random.Random) -> bytes:
    head = b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return head + b"Transfer-Encoding: chunked\r\n\r\n" + rng.choice(_CHUNKS)


def _long(rng: random.Random) -> bytes:
    size = rng.choice((100, 9_000, 70_000, 300_000))
    name = rng.choice(("X-Long", "Cookie", "Host", "Accept", "Content-Type", "Origin", "Connection"))
    return rng.choice((
        request("GET", "/healthz", more=(f"{name}: {'a' * size}",)),
        request("GET", "/" + "a" * size),
        request("GET", "/v1/rules/" + "%41" * (size // 3)),
        request("GET", "/healthz", more=tuple(f"X{number}: y" for number in range(size // 9))),
        request("POST", "/v1/solve?" + "&".join("a=1" for _ in range(size // 4)), b"{}"),
    ))  # fmt: skip


def _many(rng: random.Random) -> bytes:
    """Several requests in one go, of which the last may be a bad one."""
    sent = b"".join(_good(rng) for _ in range(rng.randrange(2, 12)))
    return sent + (rng.choice(_STARTS) if rng.random() < 0.5 else b"")
