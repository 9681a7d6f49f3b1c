"""What an operator can set: limits, threads, grace. From code, or from the environment (``ATHANOR_…``)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from importlib import metadata
from typing import TypeVar

from solver.errors import RequestError
from solver.language import say
from solver.search.memory import LEAST_MEGABYTES, memory_megabytes

T = TypeVar("T")

try:
    VERSION = metadata.version("athanor-cards")
except metadata.PackageNotFoundError:  # run from a checkout that was not installed
    VERSION = "0+unknown"

_PREFIX = "ATHANOR_"
_OTHERS = ("BROWSER", "DECKS", "JOBS", "JOBS_DAYS", "JOBS_MB", "KERNELS", "LOG", "TABLE_MB", "TRACEBACK")
_CORES = os.cpu_count() or 1
_TEXTS = ("tokens_file",)
_CLIENT = ("client_requests", "client_searches", "client_cpu_seconds")  # 0: no limit; None: not said
_LEAST_APART = 1024  # MiB: the service and its processes, some 200 each, and what they work with
_LISTS = ("hosts", "cors_origins")  # the fields that list names, with commas between them


@dataclass(frozen=True, slots=True)
class Config:
    """Limits of the service. A field `max_seconds` is set by the environment variable ``ATHANOR_MAX_SECONDS``.

    `default_seconds` is the limit of a request that names none, `hint_seconds` that of a hint; a longer one than
    `max_seconds` is cut down to it. `threads` answer requests, of which `searches` may search at once in each lane
    (`api.search_pool`). Enough threads stay free for the requests that need no search. At the first start
    `compilers` processes compile. After SIGTERM, requests that run have `grace_seconds` until their searches are
    told to return the best so far. The service may take `memory_mb` MiB of memory, all its processes together, by
    default what ATHANOR_MEMORY_MB says, or half the machine's. `hosts` are names of the service beside those of
    the machine itself; ``*`` stands for any. `cors_origins` are other sites whose pages may ask
    (``https://cards.example``); ``*`` stands for any here too.

    There may be so many `connections`, and one on which nothing happens ends after `idle_seconds`.

    With a `tokens_file`, as `api.tokens` describes it, hardly anything is answered without a token.

    A client, which is a token or else an address, may send `client_requests` and use `client_cpu_seconds` of
    processor time a minute, and have `client_searches` requests search at once.

    Jobs are done by `job_workers` processes of their own, which stand back from everything else. Long searches and
    hints are done in `search_processes`, beside one for what is quick, where `memory_mb` is enough; with 0 they
    are done by the threads that answer.
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
    tokens_file: str = ""
    idle_seconds: float = 75.0
    connections: int = 1000
    client_requests: int | None = None
    client_searches: int | None = None
    client_cpu_seconds: float | None = None
    job_workers: int = max(1, _CORES // 2)
    search_processes: int = max(1, _CORES // 8)

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name in _LISTS or one.name in _TEXTS or (one.name in _CLIENT and not value):
                continue
            if one.name == "search_processes" and value == 0:
                continue
            if not 0 < value < float("inf"):
                raise _unfit(
                    say("{variable} must be more than 0, not {value}", variable=_variable(one.name), value=value)
                )
        if self.memory_mb < LEAST_MEGABYTES:
            raise _unfit(
                say(
                    "{variable} must be at least {least}, not {value}",
                    variable=_variable("memory_mb"),
                    least=LEAST_MEGABYTES,
                    value=self.memory_mb,
                )
            )
        if self.default_seconds > self.max_seconds:
            raise _unfit(
                say(
                    "{variable} is more than max_seconds, {most:g}",
                    variable=_variable("default_seconds"),
                    most=self.max_seconds,
                )
            )
        if self.threads < self.searches + 2:
            raise _unfit(
                say(
                    "{variable} must be at least searches + 2, {least}",
                    variable=_variable("threads"),
                    least=self.searches + 2,
                )
            )

    @property
    def waiting(self) -> int:
        """How many requests may wait for a search to end; two threads are kept for what needs no search."""
        return self.threads - self.searches - 2

    @property
    def searches_apart(self) -> bool:
        """Whether searches are done in processes of their own."""
        return self.search_processes > 0 and self.memory_mb >= _LEAST_APART

    def for_strangers(self) -> Config:
        """These limits, with some for each client where none are said."""

        def said(value: T | None, usual: T) -> T:
            return usual if value is None else value

        return replace(
            self,
            client_requests=said(self.client_requests, 600),
            client_searches=said(self.client_searches, max(1, _CORES // 2)),
            client_cpu_seconds=said(self.client_cpu_seconds, 30.0 * _CORES),
        )

    @classmethod
    def from_environ(cls, environ: Mapping[str, str] | None = None) -> Config:
        """The defaults, changed by the variables ``ATHANOR_<FIELD>``.

        Raises RequestError for an unfit value, and for a variable of that form that nothing reads.
        """
        environ = os.environ if environ is None else environ
        known = {_PREFIX + name for name in (*_OTHERS, *(one.name.upper() for one in fields(cls)))}
        for name in environ:
            if name.startswith(_PREFIX) and name not in known:
                near = get_close_matches(name, known, n=1)
                message = say("there is no setting {name}", name=name)
                if near:
                    message = say("there is no setting {name}; did you mean {near}?", name=name, near=near[0])
                raise RequestError("unknown_setting", message)
        chosen: dict[str, float | int | str | tuple[str, ...]] = {}
        for one in fields(cls):
            text = environ.get(_PREFIX + one.name.upper())
            if text is None:
                continue
            if one.name in _LISTS:
                chosen[one.name] = tuple(re.findall(r"[^\s,]+", text))
                continue
            if one.name in _TEXTS:
                chosen[one.name] = text
                continue
            kind = float if one.name.endswith("seconds") else int
            try:
                chosen[one.name] = kind(text)
            except ValueError:
                raise _unfit(
                    say("{variable} must be a number, not {text!r}", variable=_variable(one.name), text=text)
                ) from None
        return cls(**chosen)  # type: ignore[arg-type]


def _variable(name: str) -> str:
    return _PREFIX + name.upper()


def _unfit(message: str) -> RequestError:
    return RequestError("out_of_range", message)
