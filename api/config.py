"""The operator's settings, such as limits and threads, set in code or by environment variables (``ATHANOR_…``)."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import partial
from importlib import metadata
from typing import Any, TypeVar

from solver.errors import RequestError
from solver.language import say
from solver.search.memory import memory_megabytes

T = TypeVar("T")

try:
    VERSION = metadata.version("athanor-cards")
except metadata.PackageNotFoundError:  # run from a checkout that was not installed
    VERSION = "0+unknown"

_PREFIX = "ATHANOR_"
_OTHERS = ("BROWSER", "DECKS", "JOBS", "JOBS_DAYS", "JOBS_MB", "KERNELS", "LOG", "TABLE_MB", "TRACEBACK")
_CORES = os.cpu_count() or 1
# No limit; work is done by others.
_MAY_BE_0 = ("client_requests", "client_searches", "job_workers")
_LEAST_FOR_PROCESSES = 1024  # MiB: the service and its processes need some 200 each, besides working memory
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")  # Python also reads 1_0 and １０


def _number(text: str, kind: Callable[[str], T]) -> T:
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return kind(text)


# How the values of each type of field are read; a list is separated by commas.
_READ: Mapping[str, Callable[[str], Any]] = {
    "int": partial(_number, kind=int),
    "float": partial(_number, kind=float),
    "str": str,
    "tuple[str, ...]": lambda text: tuple(re.findall(r"[^\s,]+", text)),
}
# How the entries of some lists are written, with an example.
_FORMS: Mapping[str, tuple[re.Pattern[str], str]] = {
    "hosts": (re.compile(r"[\w.-]+|[\da-fA-F:.]*:[\da-fA-F:.]*|\[[\da-fA-F:.]+\]"), "cards.example"),
    "cors_origins": (re.compile(r"[a-zA-Z][\w+.-]*://[^/\s@?#]+/?"), "https://cards.example"),
}


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of the service. Environment variables set its fields: ``ATHANOR_MAX_SECONDS`` sets `max_seconds`.

    A request is limited to `default_seconds` if it sets no limit, a hint to `hint_seconds`; longer limits are cut
    to `max_seconds`. There are `threads` threads for requests, of which `searches` may search simultaneously in
    each lane (`api.search_pool`). At the first start, `compilers` processes compile the games. After SIGTERM,
    running requests may go on for `grace_seconds`; then their searches must return the best so far. The service
    and all its processes may use `memory_mb` MiB of memory, by default ATHANOR_MEMORY_MB or else half the
    machine's. `hosts` are names of the service besides those of the machine itself; ``*`` accepts any.
    `cors_origins` are other sites whose pages may send requests (``https://cards.example``); ``*`` accepts any.
    `proxies` are the addresses or networks of trusted proxies in front of the service (`api.proxies`).

    There may be up to `connections` connections; idle ones are closed after `idle_seconds`.

    With a `tokens_file`, as described in `api.tokens`, nearly every request needs a token. A `votes_file`,
    as `athanor train --votes` writes it, changes the order of the collection of puzzles.

    A client, identified by its token or else by its address, may send `client_requests` requests per minute, and
    have `client_searches` of them search simultaneously.

    Jobs are done by `job_workers` separate processes at low priority; with 0, `athanor jobs work` has to do them.
    Searches run in processes if `memory_mb` is enough, else in the threads that answer requests.
    """

    default_seconds: float = 5.0
    hint_seconds: float = 1.0
    max_seconds: float = 60.0
    max_body_bytes: int = 1 << 20
    threads: int = max(64, 8 * _CORES)
    searches: int = _CORES
    compilers: int = _CORES
    grace_seconds: float = 30.0
    memory_mb: int = field(default_factory=memory_megabytes)
    hosts: tuple[str, ...] = ()
    cors_origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    tokens_file: str = ""
    votes_file: str = ""
    idle_seconds: float = 75.0
    connections: int = 1000
    client_requests: int | None = None
    client_searches: int | None = None
    job_workers: int = max(1, _CORES // 2)

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if not isinstance(value, int | float) or (value == 0 and entry.name in _MAY_BE_0):
                continue
            if not 0 < value < float("inf"):
                raise _unfit(
                    say("{variable} must be more than 0, not {value}", variable=_variable(entry.name), value=value)
                )
        for proxy in self.proxies:
            try:
                ipaddress.ip_network(proxy, strict=False)
            except ValueError:
                raise _unlike("proxies", proxy, "127.0.0.1") from None
        if self.default_seconds > self.max_seconds:
            raise _unfit(
                say(
                    "{variable} is more than max_seconds, {most:g}",
                    variable=_variable("default_seconds"),
                    most=self.max_seconds,
                )
            )

    @property
    def searches_in_processes(self) -> bool:
        """Whether searches run in separate processes."""
        return self.memory_mb >= _LEAST_FOR_PROCESSES

    def for_strangers(self) -> Config:
        """Return these settings for a service that others can reach, with default limits per client unless they
        are set.
        """

        def said(value: T | None, usual: T) -> T:
            return usual if value is None else value

        return replace(
            self,
            client_requests=said(self.client_requests, 600),
            client_searches=said(self.client_searches, max(1, _CORES // 2)),
        )

    @classmethod
    def from_environ(cls, environ: Mapping[str, str] | None = None) -> Config:
        """Return the defaults, overridden by the variables ``ATHANOR_<FIELD>``.

        Raises RequestError for an invalid value, and for an unknown variable of that form.
        """
        environ = os.environ if environ is None else environ
        for name in environ:
            if name.startswith(_PREFIX) and name not in NAMES:
                near = get_close_matches(name, NAMES, n=1)
                message = say("there is no setting {name}", name=name)
                if near:
                    message = say("there is no setting {name}; did you mean {near}?", name=name, near=near[0])
                raise RequestError("unknown_setting", message)
        chosen: dict[str, Any] = {}
        for setting in fields(cls):
            text = environ.get(_PREFIX + setting.name.upper())
            if text is None:
                continue
            try:
                chosen[setting.name] = _READ[str(setting.type).removesuffix(" | None")](text)
            except ValueError:
                raise _unfit(
                    say("{variable} must be a number, not {text!r}", variable=_variable(setting.name), text=text)
                ) from None
        for name, (form, example) in _FORMS.items():
            for part in chosen.get(name, ()):
                if part != "*" and not form.fullmatch(part):
                    raise _unlike(name, part, example)
        return cls(**chosen)


NAMES = tuple(_PREFIX + name for name in (*_OTHERS, *(setting.name.upper() for setting in fields(Config))))


def _variable(name: str) -> str:
    return _PREFIX + name.upper()


def _unfit(message: str) -> RequestError:
    return RequestError("out_of_range", message)


def _unlike(name: str, part: str, example: str) -> RequestError:
    """Return the error for an entry of a list that is not written as its setting wants, like `example`."""
    return _unfit(
        say(
            "{variable}: {part!r} is not written like {example}",
            variable=_variable(name),
            part=part,
            example=example,
        )
    )
