"""Access control for the HTTP service: host names, cross-origin requests, tokens, and limits.

A web page can make its visitor's browser send requests to any address on the visitor's machine or network. But it
cannot choose two of their headers: ``Host``, the name used for the address (checking it stops DNS rebinding), and
``Origin``, the site of the page. So the service checks both.

If the service has a token file, nearly every request needs a token. A client is identified by its token or else by
its address, and may have limits of its own.
"""

from __future__ import annotations

import ipaddress
import math
import re
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import lru_cache

from flask import Flask, Response, g, has_request_context, request

from api.config import Config
from api.errors import BusyError, ForbiddenError, LimitError, UnauthorizedError
from api.tokens import Limits, Token, TokenFile
from solver.language import say

# Allowed without a token: health checks, and the program's own pages.
OPEN = frozenset(
    {
        "/healthz",
        "/readyz",
        "/openapi.json",
        "/docs",
        "/docs/errors",
        "/docs/<name>",
        "/",
        "/page/<version_asked>/<path:name>",
        "/manifest.webmanifest",
        "/worker.js",
    }
)
# Messengers fetch these without a token, to preview an address. That takes work, so the limits apply.
UNTOKENED = frozenset({"/p/<path:address>", "/picture/<path:address>"})

_SCHEME = "bearer"


MOST_CLIENTS = 4096  # remembered; beyond that, the one with the oldest last request is forgotten
_MINUTE = 60.0


class Budgets:
    """The requests that each client owes. Thread-safe.

    A budget is a leaky bucket: a client owes what it has sent, and a minute's allowance drains each minute.
    """

    def __init__(self, most: int = MOST_CLIENTS, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()  # requests owed at which moment

    def __len__(self) -> int:
        return len(self._clients)

    def left(self, client: str, most: int | None) -> int | None:
        """How many requests a client that may send `most` a minute may send now; None for no limit."""
        return int(most - self._owed(client, most, self._clock())) if most else None

    def _owed(self, client: str, most: int, now: float) -> float:
        owed, since = self._clients.get(client, (0.0, now))
        return max(0.0, owed - max(0.0, now - since) * most / _MINUTE)

    def request(self, client: str, most: int | None) -> int | None:
        """Count a request of a client, which may send `most` a minute. Returns how many more it may send now, or
        None for no limit.

        Raises LimitError if the limit is exceeded; then the request is not counted.
        """
        if not most:
            return None
        with self._lock:
            now = self._clock()
            owed = self._owed(client, most, now)
            over = owed + 1 - most
            self._clients[client] = (owed if over > 0 else owed + 1, now)
            self._clients.move_to_end(client)
            if len(self._clients) > self._most:
                self._clients.popitem(last=False)
        if over > 0:
            seconds = max(1, math.ceil(over * _MINUTE / most))
            message = say(
                "a client may send {requests} requests a minute; try again in {seconds} s",
                requests=most,
                seconds=seconds,
            )
            raise LimitError("too_many_requests", message, seconds)
        return int(most - owed - 1)


_TURN_SECONDS = 10.0  # that a request may wait for its turn: those before it take a few tenths of a second each


class RequestTurns:
    """Counts the requests in progress, and has those of one client read, checked and written one at a time.

    So no client takes the interpreter from others by sending much at once. A request that waits for a search lets
    the client's next one in. There may be `most` requests in progress, and a client may have at most as many of
    them as places are left: one client can take half of the places, and any number of them leave some to others.
    Who has none in progress gets in even then, until there are twice as many. A request waits for its turn for at
    most `seconds`.
    """

    def __init__(self, most: int, seconds: float = _TURN_SECONDS) -> None:
        self._most = most
        self._seconds = seconds
        self._change = threading.Lock()
        self._inside: Counter[str] = Counter()
        self._working: dict[str, threading.Lock] = {}  # for each client with requests in progress

    @property
    def inside(self) -> int:
        """Number of requests in progress."""
        return self._inside.total()

    def enter(self, client: str) -> None:
        """Wait for a request's turn.

        Raises BusyError if too many requests are in progress, or if those of the client take too long.
        """
        with self._change:
            inside, left = self._inside[client], self._most - self.inside
            if self.inside >= 2 * self._most:
                raise BusyError("busy", say("too many requests are in progress already"))
            if inside and inside >= left:
                raise BusyError(
                    "busy", say("{inside} requests of this client are already in progress", inside=inside)
                )
            self._inside[client] += 1
            working = self._working.setdefault(client, threading.Lock())
        if not working.acquire(timeout=self._seconds):
            self.leave(client)
            raise BusyError("too_slow", say("other requests of this client took too long"))

    def stand_back(self, client: str) -> None:
        """Let the client's next request in; this one stays in progress."""
        self._working[client].release()

    def leave(self, client: str) -> None:
        """Record that one of the client's requests has been answered."""
        with self._change:
            self._inside[client] -= 1
            if not self._inside[client]:
                del self._inside[client], self._working[client]


def stand_back() -> None:
    """Let the next request of the same client in, because the current one will mostly wait from now on."""
    if has_request_context() and g.pop("working", False):
        g.turns.stand_back(g.client)


def admit(app: Flask, config: Config) -> None:
    """Require tokens if there is a token file, and limit each client's requests and searches.

    Raises RequestError for a token file that cannot be read.
    """
    tokens = TokenFile(config.tokens_file) if config.tokens_file else None
    usual = Limits(config.client_requests, config.client_searches)
    budgets = Budgets()
    turns = RequestTurns(config.threads)

    def enter() -> None:
        rule = request.url_rule
        asked = "" if rule is None else rule.rule
        if asked in OPEN:
            return
        try:
            token = None if tokens is None or asked in UNTOKENED else _presented(tokens)
        except UnauthorizedError:  # who guesses is limited by address
            budgets.request(client(), usual.requests)
            raise
        if token is not None:
            g.token = token.name
        sender = g.client = client() if token is None else f"token:{token.name}"
        limits = g.limits = usual if token is None else token.limits.over(usual)
        g.left = budgets.left(sender, limits.requests)
        turns.enter(sender)  # before it is counted: what is turned away there does not count
        g.turns, g.working = turns, True
        g.left = budgets.request(sender, limits.requests)

    def limited(answer: Response) -> Response:
        """Add the `RateLimit-*` headers: requests allowed per minute, requests left, and seconds until all are
        available again.
        """
        if (left := g.get("left")) is not None and (most := g.limits.requests):
            answer.headers["RateLimit-Limit"] = str(most)
            answer.headers["RateLimit-Remaining"] = str(left)
            answer.headers["RateLimit-Reset"] = str(math.ceil((most - left) * 60 / most))
        return answer

    def leave(_: BaseException | None) -> None:
        if g.get("turns") is not None:
            stand_back()
            g.pop("turns").leave(g.client)

    app.before_request(enter)
    app.after_request(limited)
    app.teardown_request(leave)


def _presented(tokens: TokenFile) -> Token:
    """Return the request's token. Raises UnauthorizedError if it is missing or unknown."""
    scheme, _, presented = request.headers.get("Authorization", "").strip().partition(" ")
    if scheme.lower() != _SCHEME or not presented.strip():
        message = say("this service requires a token, in the header Authorization: Bearer TOKEN")
        raise UnauthorizedError("unauthorized", message)
    token = tokens.find(presented.strip())
    if token is None:
        raise UnauthorizedError("invalid_token", say("the service does not know this token"))
    return token


def client() -> str:
    """Return the client that sent the current request: the name of its token, or else its address."""
    known: str | None = g.get("client")
    return client_of(request.remote_addr or "") if known is None else known


@lru_cache(maxsize=MOST_CLIENTS)
def client_of(address: str) -> str:
    """The part of an address that identifies a client: an IPv4 address, or the 64-bit network of an IPv6
    address.
    """
    if ":" not in address:
        return address
    bits = ipaddress.IPv6Address(address.partition("%")[0])
    return str(bits.ipv4_mapped or ipaddress.IPv6Address(int(bits) >> 64 << 64))


ANY = "*"  # among the hosts: any name is accepted
_EVERYWHERE = frozenset({"0.0.0.0", "::"})  # these addresses listen on every network interface
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
POLICY = "Content-Security-Policy"
# Answers are data: a browser that shows one must load nothing for it, and nobody may frame it.
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PLAIN = {"X-Content-Type-Options": "nosniff", POLICY: NOTHING}  # sent with every answer
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
    """Reject requests with a wrong `Host` or `Origin`, answer CORS preflights, and add security headers to every
    response.
    """
    listed = frozenset(map(_plain, config.hosts))
    known = _name_check(listed)
    welcomed = frozenset(origin.rstrip("/").lower() for origin in config.cors_origins)

    def check_names() -> Response | None:
        """Return the response to a CORS preflight, or None for other requests. Raises ForbiddenError for a wrong
        `Host` or `Origin`.
        """
        host = request.environ.get("HTTP_HOST")  # missing in HTTP/1.0, which no browser uses
        if host is not None and not (_name(host) and known(_name(host))):
            message = say("this service is not called {host}; ATHANOR_HOSTS can add names", host=host)
            raise ForbiddenError("unknown_host", message)
        origin = request.headers.get("Origin")
        if origin is None:
            return None
        if welcome(origin):
            return Response(status=204, headers=_PREFLIGHT) if request.method == "OPTIONS" else None
        if request.method not in _READING and not _own(origin, host, listed):
            raise ForbiddenError(
                "foreign_origin", say("pages of {origin} may not use this service", origin=origin)
            )
        return None

    def welcome(origin: str) -> bool:
        return ANY in config.cors_origins or origin.rstrip("/").lower() in welcomed

    def guarded(answer: Response) -> Response:
        origin = request.headers.get("Origin")
        headers = answer.headers
        if config.cors_origins:
            answer.vary.add("Origin")
        if origin is not None and welcome(origin):
            headers["Access-Control-Allow-Origin"] = origin
            headers["Access-Control-Expose-Headers"] = _EXPOSED
        for name, value in PLAIN.items():
            headers.setdefault(name, value)
        return answer

    app.before_request(check_names)
    app.after_request(guarded)


def _name_check(hosts: frozenset[str]) -> Callable[[str], bool]:
    """Return a function that checks whether a host name belongs to this service: `localhost`, or a name in
    `hosts`.

    Numeric addresses are safe from DNS rebinding: loopback addresses are accepted, and all others if the service
    listens at every address. With ``*`` in `hosts`, every name is accepted.
    """
    names = (hosts | {"localhost"}) - {""}
    everywhere = not _EVERYWHERE.isdisjoint(hosts)

    @lru_cache(maxsize=16)  # a client may send any names, long ones too
    def known(name: str) -> bool:
        if name in names or ANY in names:
            return True
        address = _address(name)
        return address is not None and (everywhere or address.is_loopback)

    return known


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _plain(name: str) -> str:
    return name.strip("[]").removesuffix(".").lower()


# A name or a numeric address, and perhaps a port: nothing else that a URL may have, such as a user or a path.
_HOST = re.compile(r"([\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?", re.ASCII | re.IGNORECASE)


def _name(host: str) -> str:
    """The name in ``name:port``, in lower case; empty if that is not what `host` is."""
    matched = _HOST.fullmatch(host)
    return "" if matched is None else _plain(matched[1])


def _own(origin: str, host: str | None, hosts: frozenset[str]) -> bool:
    """Whether `origin` is this service itself: the host that was requested.

    Behind a proxy, the service may see a different host than the browser, so names in `hosts` count too. Numeric
    addresses in `hosts` do not, since other services share them.
    """
    _, _, site = origin.partition("://")
    name = _name(site)
    return bool(site) and (site.lower() == (host or "").lower() or (name in hosts and _address(name) is None))
