"""Every address of the service with what its own description gives as examples, changed; and odd addresses."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any
from urllib.parse import quote

from api.config import Config
from api.openapi import document
from solver import registry
from solver.errors import AthanorError
from solver.positions import parse_position, text_of
from tests.attack.case import JSON, Case, allowed, posted, request
from tests.attack.changes import JUNK, changed, scratched
from tests.attack.sources.positions import moment
from tests.support.mangling import mangle
from tests.support.places import ROOT

_METHODS = ("GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "POST", "TRACE", "CONNECT", "BREW", "get")
_KINDS = (
    JSON,
    "application/toml",
    "text/plain",
    "application/json; charset=utf-16",
    "",
    "a/b;;",
    "multipart/form-data",
)
_HEADERS = (
    "Origin: http://evil.example",
    "Origin: null",
    "Accept: text/markdown",
    "Accept: */*;q=x,,",
    "Content-Encoding: gzip",
    "Cookie: a=b; c",
    "Range: bytes=0-",
    "If-None-Match: *",
    "X-Forwarded-For: ::1",
    "Expect: 100-continue",
    "Authorization: Basic !!",
    "Accept-Encoding: gzip, br",
)
_PLACES = (
    "/",
    "/docs",
    "/openapi.json",
    "//",
    "/../etc/passwd",
    "/v1/rules/..%2f..",
    "/static/x",
    "/v1",
    "/%00",
    "/?a=%ff",
)
_PICTURE_SECONDS = 0.2
_WORDS = ("game", "grade", "most", "stream", "seconds", "x", "%00")
_VALUES = (*registry.names(), "easy", "medium", "hard", "1", "0", "-1", "", "%ff", "1e9", "9" * 30)


def asked(rng: random.Random) -> Case:
    """An example of the description, changed."""
    address, body = rng.choice(_examples())
    body = changed(body, rng)
    if address in ("/v1/analyze", "/v1/hint", "/v1/compound") and isinstance(body, dict):
        body = {**body, "limit": {"seconds": 0.05}}
    questions = body.get("questions") if isinstance(body, dict) else None
    if isinstance(questions, list):
        limited = [one | {"limit": {"seconds": 0.05}} if isinstance(one, dict) else one for one in questions]
        body = {**body, "questions": limited}
    if address == "/v1/solve":
        address += "?seconds=0.02"
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
    found = [("/v1/score", json.loads(path.read_text())) for path in (ROOT / "docs/examples").glob("*score.json")]
    for address, operations in document(Config())["paths"].items():
        contents = operations.get("post", {}).get("requestBody", {}).get("content", {})
        if address == "/v1/jobs":  # one of these takes minutes
            continue
        found += [(address, one["value"]) for one in contents.get(JSON, {}).get("examples", {}).values()]
    return sorted(found, key=lambda one: (one[0], json.dumps(one[1])))
