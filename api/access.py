"""Who is answered: the name the service is called by, pages of its own, tokens, limits, and turns.

A page of any site can have its visitor's browser send requests to an address of the visitor's machine or network.
It cannot choose the header ``Host``, which says by which name it calls that address (so "DNS rebinding" shows),
nor ``Origin``, which names the site of the page.

Where the service has a file of tokens, hardly anything is answered without one. A client, which is a token or else
an address, may have limits of its own. Few requests are read and checked at once, and clients take turns at that.
"""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Flask, Response, g, has_request_context, request

from api.config import Config
from api.errors import BusyError, ForbiddenError, LimitError, UnauthorizedError
from api.tokens import Budgets, Limits, SpentError, Token, TokenFile
from solver.language import say

if TYPE_CHECKING:
    from api.search_pool import Searches

# What whoever looks whether the service is up needs, and what holds nothing but the program's own pages.
OPEN = frozenset(
    {
        "/healthz",
        "/readyz",
        "/openapi.json",
        "/docs",
        "/docs/<name>",
        "/",
        "/page/<made>/<path:name>",
        "/manifest.webmanifest",
        "/worker.js",
    }
)
# What messengers fetch to show an address, which have no token. It is work, so that the limits hold.
UNTOKENED = frozenset({"/p/<path:address>", "/picture/<path:address>"})

_JOBS = "/v1/jobs"
_SCHEME = "bearer"
_WORKING = 2  # requests that are read, checked and written at once


class Turns:
    """Few requests work at once, so that whoever asks next does not share the interpreter with many.

    The next turn is for the oldest request of the client whose last turn is longest ago; no client has all places.
    A request that waits for a search gives its place back. `inside` requests of one client at most may be here.
    """

    def __init__(self, most: int, inside: int) -> None:
        self._most = most
        self._inside = inside
        self._change = threading.Condition()
        self._working: Counter[str] = Counter()
        self._here: Counter[str] = Counter()
        self._number = 0
        self._waiting: dict[int, str] = {}  # the clients of those who wait, by a number that grows
        self._last: dict[str, int] = {}  # the number of each client's last turn

    def enter(self, client: str) -> None:
        """Wait for a place. Raises BusyError for a client with too many requests."""
        with self._change:
            if self._here[client] >= self._inside:
                raise BusyError(
                    "busy", say("{inside} requests of this client are worked on already", inside=self._inside)
                )
            self._here[client] += 1
            self._number += 1
            number = self._number
            self._waiting[number] = client
            self._change.wait_for(lambda: self._next() == number)
            del self._waiting[number]
            self._last[client] = self._number
            self._working[client] += 1
            self._change.notify_all()  # there may be a place for another, too

    def _next(self) -> int | None:
        """Whose turn it is; None while there is no place."""
        if self._working.total() >= self._most:
            return None
        each = max(1, self._most - 1)
        may = [
            (self._last.get(one, 0), number) for number, one in self._waiting.items() if self._working[one] < each
        ]
        return min(may, default=(0, None))[1]

    def stand_back(self, client: str) -> None:
        """Give the place back; the request goes on."""
        with self._change:
            self._less(self._working, client)

    def leave(self, client: str) -> None:
        """The request has been answered."""
        with self._change:
            self._less(self._here, client)
            if client not in self._here:
                self._last.pop(client, None)

    def _less(self, counts: Counter[str], client: str) -> None:
        counts[client] -= 1
        if counts[client] <= 0:
            del counts[client]
        self._change.notify_all()


def stand_back() -> None:
    """Let another request be read while this one mostly waits from now on."""
    if has_request_context() and (turns := g.pop("turns", None)) is not None:
        turns.stand_back(client())


def admit(app: Flask, config: Config, searches: Searches) -> None:
    """Ask every request for its token, and hold clients to their limits; what their searches take counts, too.

    Raises RequestError for a file of tokens that cannot be read.
    """
    tokens = TokenFile(config.tokens_file) if config.tokens_file else None
    usual = Limits(config.client_requests, config.client_searches, config.client_cpu_seconds)
    budgets = Budgets()
    turns = Turns(_WORKING, max(2, config.threads // 4))
    searches.charge, searches.owing = budgets.charge, budgets.owing

    def check() -> None:
        rule = request.url_rule
        asked = "" if rule is None else rule.rule
        if asked in OPEN:
            return
        g.token = None if tokens is None or asked in UNTOKENED else _presented(tokens)
        g.limits = usual if g.token is None else g.token.limits.over(usual)
        try:
            g.left = budgets.request(client(), g.limits, works=not _sees_to_jobs())
        except SpentError as found:
            g.left = 0
            raise LimitError(found.code, str(found), found.seconds) from None
        turns.enter(client())
        g.turns = turns
        g.since = time.thread_time()

    def limited(answer: Response) -> Response:
        """Say how many requests a client may send a minute, how many now, and when all again, in seconds."""
        if (left := g.get("left")) is not None and (most := g.limits.requests):
            answer.headers["RateLimit-Limit"] = str(most)
            answer.headers["RateLimit-Remaining"] = str(left)
            answer.headers["RateLimit-Reset"] = str(math.ceil((most - left) * 60 / most))
        return answer

    def answered(_: BaseException | None) -> None:
        stand_back()
        since: float | None = g.pop("since", None)
        if since is not None:
            budgets.charge(client(), time.thread_time() - since)
            turns.leave(client())

    app.before_request(check)
    app.after_request(limited)
    app.teardown_request(answered)


def _sees_to_jobs() -> bool:
    """Whether a request looks at jobs or ends them: who owes processor time may see to the jobs that took it."""
    rule = "" if request.url_rule is None else request.url_rule.rule
    return rule.startswith(_JOBS) and (request.method != "POST" or rule.endswith("/cancel"))


def _presented(tokens: TokenFile) -> Token:
    """The token of the request. Raises UnauthorizedError."""
    scheme, _, presented = request.headers.get("Authorization", "").strip().partition(" ")
    if scheme.lower() != _SCHEME or not presented.strip():
        message = say("the service wants a token, in the header Authorization: Bearer TOKEN")
        raise UnauthorizedError("unauthorized", message)
    found = tokens.find(presented.strip())
    if found is None:
        raise UnauthorizedError("invalid_token", say("the service does not know this token"))
    return found


def client() -> str:
    """Who sends the request that is being answered: the name of its token, or else its address."""
    token = g.get("token")
    return f"token:{token.name}" if token is not None else client_of(request.remote_addr or "")


def most_searches() -> int | None:
    """How many of its requests may search at once; None where there is no limit."""
    limits: Limits | None = g.get("limits")
    return (limits.searches or None) if limits is not None else None


def client_of(address: str) -> str:
    """Who counts as one client: an IPv4 address, or the 64 bits of an IPv6 address that name a network."""
    if ":" not in address:
        return address
    bits = ipaddress.IPv6Address(address.partition("%")[0])
    return str(bits.ipv4_mapped or ipaddress.IPv6Address(int(bits) >> 64 << 64))


ANY = "*"  # among the hosts: every name is taken
_EVERYWHERE = frozenset({"0.0.0.0", "::"})  # what one listens on to be reached at every address of the machine
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
POLICY = "Content-Security-Policy"
# Answers are data: a browser that shows one must load nothing for it, and nobody may frame it.
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PLAIN = {"X-Content-Type-Options": "nosniff", POLICY: NOTHING}  # with every answer
_EXPOSED = (
    "Content-Language, ETag, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, "
    "X-Limit-Seconds, X-Request-Id"
)
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Accept, Accept-Language, Idempotency-Key, If-None-Match, Last-Event-ID, "
        "X-Request-Id"
    ),
    "Access-Control-Max-Age": "600",
}


def guard(app: Flask, config: Config) -> None:
    """Check every request of the app, and tell browsers with every answer to keep to its type and its page."""
    listed = frozenset(map(_plain, config.hosts))
    known = _knower(listed)
    welcomed = frozenset(origin.rstrip("/").lower() for origin in config.cors_origins)

    def check() -> None:
        host = request.environ.get("HTTP_HOST")  # none in HTTP/1.0, which no browser speaks
        if host is not None and not known(_name(host)):
            message = say("the service is not called {host}; ATHANOR_HOSTS lists more names", host=host)
            raise ForbiddenError("unknown_host", message)
        origin = request.headers.get("Origin")
        if origin is None or request.method in _READING or welcome(origin):
            return
        if not _own(origin, host, listed):
            raise ForbiddenError(
                "foreign_origin", say("pages of {origin} may not ask this service", origin=origin)
            )

    def welcome(origin: str) -> bool:
        return ANY in config.cors_origins or origin.rstrip("/").lower() in welcomed

    def preflight() -> Response | None:
        """The answer to a browser that asks first what a page of another site may send."""
        origin = request.headers.get("Origin")
        if origin is None or request.method != "OPTIONS" or not welcome(origin):
            return None
        return Response(status=204, headers=_PREFLIGHT)

    def guarded(answer: Response) -> Response:
        origin = request.headers.get("Origin")
        if config.cors_origins:
            answer.headers.add("Vary", "Origin")
        if origin is not None and welcome(origin):
            answer.headers["Access-Control-Allow-Origin"] = origin
            answer.headers["Access-Control-Expose-Headers"] = _EXPOSED
        for name, value in PLAIN.items():
            answer.headers.setdefault(name, value)
        return answer

    app.before_request(check)
    app.before_request(preflight)
    app.after_request(guarded)


def _knower(hosts: frozenset[str]) -> Callable[[str], bool]:
    """What tells whether a name is one of this service's: `hosts`, or the machine's own.

    An address in figures cannot be rebound. It is taken where the service listens at every address.
    """
    names = (hosts | {"localhost"}) - {""}
    everywhere = not _EVERYWHERE.isdisjoint(hosts)

    def known(name: str) -> bool:
        address = _address(name)
        return name in names or ANY in names or (address is not None and (everywhere or address.is_loopback))

    return known


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _plain(name: str) -> str:
    return name.strip("[]").rstrip(".").lower()


def _name(host: str) -> str:
    """The name in ``name:port``, in small letters; empty where there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _own(origin: str, host: str | None, hosts: frozenset[str]) -> bool:
    """Whether a page is of this service: of the name and port that it is asked under.

    A proxy may ask under another name than browsers do, so names among the hosts count too. Addresses do not:
    other services have them as well.
    """
    _, _, place = origin.partition("://")
    name = _name(place)
    return bool(place) and (place.lower() == (host or "").lower() or (name in hosts and _address(name) is None))
