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
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import Flask, Response, g, has_request_context, request

from api.config import Config
from api.errors import BusyError, ForbiddenError, LimitError, UnauthorizedError
from api.responses import vary
from api.tokens import Limits, Token, TokenFile
from solver.language import say

if TYPE_CHECKING:
    from api.search_pool import SearchPool

# Allowed without a token: health checks, and the program's own pages.
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
# Messengers fetch these without a token, to preview an address. That takes work, so the limits apply.
UNTOKENED = frozenset({"/p/<path:address>", "/picture/<path:address>"})

_JOBS = "/v1/jobs"
_SCHEME = "bearer"


MOST_CLIENTS = 4096  # remembered; beyond that, the one with the oldest last request is forgotten
_MINUTE = 60.0


@dataclass(slots=True)
class _Owed:
    """What a client owed at the time `since`, and the limits that applied to its last request."""

    limits: Limits
    since: float
    requests: float = 0.0
    cpu: float = 0.0

    def flow(self, now: float) -> None:
        share = max(0.0, now - self.since) / _MINUTE
        self.since = now
        self.requests = max(0.0, self.requests - share * (self.limits.requests or 0))
        self.cpu = max(0.0, self.cpu - share * (self.limits.cpu or 0))


class Budgets:
    """The requests and processor time that each client owes. Thread-safe.

    A budget is a leaky bucket: a client owes what it has used, and a minute's allowance drains each minute.
    Processor time is known only afterwards, so a client may owe more than its limit, and then has to wait until it
    owes less. (Libraries such as `limits` can only count whole requests, in advance, and bound their tables only
    by expiry.)
    """

    def __init__(self, most: int = MOST_CLIENTS, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._clients: OrderedDict[str, _Owed] = OrderedDict()

    def __len__(self) -> int:
        return len(self._clients)

    def request(self, client: str, limits: Limits, *, works: bool = True) -> int | None:
        """Count a request. Returns how many more the client may send now, or None for no limit.

        A request that does no real work (`works` is False) is admitted however much processor time the client
        owes. Raises LimitError if a limit is exceeded; then the request is not counted.
        """
        if not limits.requests and not limits.cpu:
            return None
        with self._lock:
            now = self._clock()
            owed = self._clients.setdefault(client, _Owed(limits, now))
            self._clients.move_to_end(client)
            if len(self._clients) > self._most:
                self._clients.popitem(last=False)
            owed.flow(now)
            owed.limits = limits
            if limits.requests and owed.requests + 1 > limits.requests:
                message = say("a client may send {requests} requests a minute", requests=limits.requests)
                raise _spent("too_many_requests", message, owed.requests + 1, limits.requests)
            if works and limits.cpu and owed.cpu >= limits.cpu:
                message = say("a client may use {cpu:g} s of processor time a minute", cpu=limits.cpu)
                raise _spent("too_much_work", message, owed.cpu, limits.cpu)
            owed.requests += 1
            return int(limits.requests - owed.requests) if limits.requests else None

    def owing(self) -> list[str]:
        """Return the clients who have used up their processor time."""
        with self._lock:
            now = self._clock()
            for owed in self._clients.values():
                owed.flow(now)
            return [
                name for name, owed in self._clients.items() if owed.limits.cpu and owed.cpu >= owed.limits.cpu
            ]

    def forgive(self, client: str) -> None:
        """Take back a request that was counted, because it was turned away without being read."""
        with self._lock:
            owed = self._clients.get(client)
            if owed is not None:
                owed.requests = max(0.0, owed.requests - 1)

    def charge(self, client: str, cpu: float) -> None:
        """Charge `cpu` seconds of processor time to a client; does nothing for a client without an entry."""
        with self._lock:
            owed = self._clients.get(client)
            if owed is not None:
                owed.flow(self._clock())
                owed.cpu += cpu


def _spent(code: str, message: str, owed: float, limit: float) -> LimitError:
    """Return the error for a client that owes more than its limit: it has to wait until that much has drained."""
    seconds = max(1, math.ceil((owed - limit) * _MINUTE / limit))
    return LimitError(code, f"{message}; try again in {seconds} s", seconds)


_TURN_SECONDS = 10.0  # that a request may wait for its turn: those before it take a few tenths of a second each


class RequestTurns:
    """Counts the requests in progress, and has those of one client read, checked and written one at a time.

    So no client takes the interpreter from others by sending much at once. A request that waits for a search lets
    the client's next one in. There may be `most` requests in progress, and a client may have at most as many of
    them as places are left: one client can take half of the places, and any number of them leave some to others.
    A request waits for its turn for at most `seconds`.
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
            if not left:
                raise BusyError("busy", say("too many requests are in progress already"))
            if inside >= left:
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


def admit(app: Flask, config: Config, searches: SearchPool) -> None:
    """Require tokens if there is a token file, and limit each client's requests, searches and processor time.

    Raises RequestError for a token file that cannot be read.
    """
    tokens = TokenFile(config.tokens_file) if config.tokens_file else None
    usual = Limits(config.client_requests, config.client_searches, config.client_cpu_seconds)
    budgets = Budgets()
    turns = RequestTurns(config.threads)
    searches.charge, searches.owing = budgets.charge, budgets.owing

    def enter() -> None:
        rule = request.url_rule
        asked = "" if rule is None else rule.rule
        if asked in OPEN:
            return
        try:
            token = None if tokens is None or asked in UNTOKENED else _presented(tokens)
        except UnauthorizedError:  # who guesses is limited by address
            budgets.request(client(), usual)
            raise
        sender = g.client = client() if token is None else f"token:{token.name}"
        limits = g.limits = usual if token is None else token.limits.over(usual)
        g.left = 0
        g.left = budgets.request(sender, limits, works=not _manages_jobs())
        try:
            turns.enter(sender)
        except BusyError:
            budgets.forgive(sender)
            g.left = None if g.left is None else g.left + 1
            raise
        g.turns, g.working, g.since, g.charge = turns, True, time.thread_time(), budgets.charge

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
        since: float | None = g.pop("since", None)
        if since is not None:
            stand_back()
            budgets.charge(g.client, time.thread_time() - since)
            turns.leave(g.client)

    app.before_request(enter)
    app.after_request(limited)
    app.teardown_request(leave)


def _manages_jobs() -> bool:
    """Whether the request only views, cancels or deletes jobs. Clients that owe processor time may do that too."""
    rule = "" if request.url_rule is None else request.url_rule.rule
    return rule.startswith(_JOBS) and (request.method != "POST" or rule.endswith("/cancel"))


def _presented(tokens: TokenFile) -> Token:
    """Return the request's token. Raises UnauthorizedError if it is missing or unknown."""
    scheme, _, presented = request.headers.get("Authorization", "").strip().partition(" ")
    if scheme.lower() != _SCHEME or not presented.strip():
        message = say("this service requires a token, in the header Authorization: Bearer TOKEN")
        raise UnauthorizedError("unauthorized", message)
    found = tokens.find(presented.strip())
    if found is None:
        raise UnauthorizedError("invalid_token", say("the service does not know this token"))
    return found


def client() -> str:
    """Return the client that sent the current request: the name of its token, or else its address."""
    known: str | None = g.get("client")
    return client_of(request.remote_addr or "") if known is None else known


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
            vary(answer, "Origin")
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
    found = _HOST.fullmatch(host)
    return "" if found is None else _plain(found[1])


def _own(origin: str, host: str | None, hosts: frozenset[str]) -> bool:
    """Whether `origin` is this service itself: the host that was requested.

    Behind a proxy, the service may see a different host than the browser, so names in `hosts` count too. Numeric
    addresses in `hosts` do not, since other services share them.
    """
    _, _, place = origin.partition("://")
    name = _name(place)
    return bool(place) and (place.lower() == (host or "").lower() or (name in hosts and _address(name) is None))
