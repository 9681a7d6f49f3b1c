"""Who may ask: the service is called by a name of its own, and from pages of its own.

A page of any site can have its visitor's browser send requests to an address of the visitor's machine or network.
It cannot choose the header ``Host``, which tells by which name it calls that address (so "DNS rebinding" shows),
nor ``Origin``, which tells the site of the page.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from urllib.parse import urlsplit

from flask import Flask, Response, request

from api.config import Config
from api.http.errors import ForbiddenError

ANY = "*"  # among the hosts: every name is taken
_EVERYWHERE = frozenset({"0.0.0.0", "::"})  # what one listens on to be reached at every address of the machine
_READING = frozenset({"GET", "HEAD", "OPTIONS"})

POLICY = "Content-Security-Policy"
# Answers are data: a browser that shows one must load nothing for it, and nobody may frame it.
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PLAIN = {"X-Content-Type-Options": "nosniff", POLICY: NOTHING}  # with every answer

_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Accept, If-None-Match, Last-Event-ID, X-Request-Id"
    ),
    "Access-Control-Max-Age": "600",
}


def register(app: Flask, config: Config) -> None:
    """Check every request of the app, and tell browsers with every answer to keep to its type and its page."""
    listed = frozenset(map(_plain, config.hosts))
    known = _knower(listed)
    welcomed = frozenset(origin.rstrip("/").lower() for origin in config.cors_origins)

    def check() -> None:
        host = request.environ.get("HTTP_HOST")  # none in HTTP/1.0, which no browser speaks
        if host is not None and not known(_name(host)):
            message = f"the service is not called {host}; ATHANOR_HOSTS lists more names"
            raise ForbiddenError("unknown_host", message)
        origin = request.headers.get("Origin")
        if origin is None or request.method in _READING or welcome(origin):
            return
        if not _own(origin, host, listed):
            raise ForbiddenError("foreign_origin", f"pages of {origin} may not ask this service")

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
            answer.headers["Access-Control-Expose-Headers"] = "ETag, Retry-After, X-Request-Id"
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
