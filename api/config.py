"""What an operator can set: limits, threads, grace. From code, or from the environment (``ATHANOR_…``)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TypeVar

from solver.errors import RequestError
from solver.search.memory.settings import LEAST_MEGABYTES, memory_megabytes

T = TypeVar("T")

_PREFIX = "ATHANOR_"
_CORES = os.cpu_count() or 1
_TEXTS = ("tokens_file",)
_CLIENT = ("client_requests", "client_searches", "client_cpu_seconds")  # 0: no limit; None: not said
HINTS_A_SEARCH = 4  # so many hints may run at once for each long search
_LEAST_OF_TWO = 1024  # MiB: the service and the process that searches, 200 each, and what they work with
_LISTS = ("hosts", "cors_origins")  # the fields that list names, with commas between them


@dataclass(frozen=True, slots=True)
class Config:
    """Limits of the service. A field `max_seconds` is set by the environment variable ``ATHANOR_MAX_SECONDS``.

    `default_seconds` is the limit of a request that names none, `hint_seconds` that of a hint; a longer one
    than `max_seconds` is cut down to it. `threads` answer requests, of which `searches` may search at once;
    hints, which must be in time, share the processors with them instead of waiting. Enough threads stay free
    for the requests that need no search. At the first start `compilers` processes compile. After SIGTERM,
    requests that run have `grace_seconds` until their searches are told to return the best so far. The service
    may take `memory_mb` MiB of memory, by default what ATHANOR_MEMORY_MB says, or half the machine's. `hosts`
    are names of the service beside those of the machine itself; ``*`` stands for any. `cors_origins` are other
    sites whose pages may ask (``https://cards.example``); ``*`` stands for any here too.

    A client may take `header_seconds` for the header of a request, `body_seconds` for its body, `idle_seconds`
    until the next request, and `writing_seconds` for some more of its answer. There may be so many `connections`,
    of one client `client_connections`.

    With a `tokens_file`, as `api.access.tokens` describes it, hardly anything is answered without a token.

    A client, which is a token or else an address, may send `client_requests` and use `client_cpu_seconds` of
    processor time a minute, and have `client_searches` requests search at once.

    Jobs are done by `job_workers` processes of their own, which stand back from everything else. With
    `search_process` 1, long searches are done in one as well, where `memory_mb` is enough for two; with 0 never.
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
    header_seconds: float = 10.0
    body_seconds: float = 30.0
    idle_seconds: float = 75.0
    writing_seconds: float = 10.0
    connections: int = 2048
    client_connections: int = 512
    client_requests: int | None = None
    client_searches: int | None = None
    client_cpu_seconds: float | None = None
    job_workers: int = max(1, _CORES // 2)
    search_process: int = 1

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name in _LISTS or one.name in _TEXTS or (one.name in _CLIENT and not value):
                continue
            if one.name == "search_process":
                if value not in (0, 1):
                    raise _unfit(one.name, f"must be 0 or 1, not {value}")
            elif not 0 < value < float("inf"):
                raise _unfit(one.name, f"must be more than 0, not {value}")
        if self.memory_mb < LEAST_MEGABYTES:
            raise _unfit("memory_mb", f"must be at least {LEAST_MEGABYTES}, not {self.memory_mb}")
        if self.default_seconds > self.max_seconds:
            raise _unfit("default_seconds", f"is more than max_seconds, {self.max_seconds:g}")
        if self.threads < self.searches + 2:
            raise _unfit("threads", f"must be at least searches + 2, {self.searches + 2}")

    @property
    def waiting(self) -> int:
        """How many requests may wait for a search to end; two threads are kept for what needs no search."""
        return self.threads - self.searches - 2

    @property
    def all_searches(self) -> int:
        """How many searches run at once at most: long ones, and hints, which share the processors."""
        return self.searches + min(HINTS_A_SEARCH * self.searches, max(1, self.waiting))

    @property
    def searches_apart(self) -> bool:
        """Whether long searches are done in a process of their own."""
        return bool(self.search_process) and self.memory_mb >= _LEAST_OF_TWO

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

    def with_threads(self, threads: int) -> Config:
        """These limits with no more threads than this, and as many searches as those allow."""
        return replace(self, threads=max(3, threads), searches=max(1, min(self.searches, threads - 2)))

    @classmethod
    def from_environ(cls, environ: Mapping[str, str] | None = None) -> Config:
        """The defaults, changed by the variables ``ATHANOR_<FIELD>``. Raises RequestError for an unfit value."""
        environ = os.environ if environ is None else environ
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
                raise _unfit(one.name, f"must be a number, not {text!r}") from None
        return cls(**chosen)  # type: ignore[arg-type]


def _unfit(name: str, problem: str) -> RequestError:
    return RequestError("out_of_range", f"{_PREFIX}{name.upper()} {problem}")
