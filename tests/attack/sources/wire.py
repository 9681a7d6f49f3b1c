"""HTTP itself: requests that are cut, doubled, framed wrongly, or no HTTP at all."""

from __future__ import annotations

import json
import random

from tests.attack.case import MAX_SECONDS, Case, request
from tests.attack.changes import scratched

_SHORT = {
    "game": "alchemy", "variant": "solo", "cap": 3, "line": ["4", "7", "K"], "hand": "6", "stock": ["5"],
}  # fmt: skip
_STARTS = (
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET /healthz\r\n\r\n",
    b"GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET /healthz HTTP/1.0\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\n folded: x\r\n\r\n",
    b"GET /healthz HTTP/1.1\nHost: localhost\n\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"\r\n\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
)
_FRAMES = (
    "Content-Length: -1",
    "Content-Length: 1e3",
    "Content-Length: 99999999999999999999",
    "Content-Length: +5",
    "Content-Length: 5, 5",
    "Content-Length: 0x10",
    "Content-Length: 5\r\nContent-Length: 6",
    "Transfer-Encoding: gzip",
    "Transfer-Encoding: chunked, chunked",
    "Transfer-Encoding : chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 3",
    "Upgrade: websocket\r\nConnection: Upgrade",
    "Expect: 100-continue\r\nContent-Length: 2",
)
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
_SECONDS = 3 * MAX_SECONDS  # of whatever may be in it


def asked(rng: random.Random) -> Case:
    """Bytes that may hold some requests, or none."""
    return Case(
        "http", rng.choice((_cut, _scratched, _framed, _chunked, _long, _many))(rng), _SECONDS, whole=False
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
