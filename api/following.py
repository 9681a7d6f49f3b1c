"""Followers of jobs: requests that receive a job's results as they arrive. Hundreds need no threads of their own.

A follower receives pieces of text, and an empty piece while nothing is new. `api.listener` asks every follower for
its next pieces a few times a second, in one thread. The store is read once for all followers of a job. A client
that is turned away, or cut off after ten minutes, can ask again for the results after the last one it received.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from api.errors import BusyError, error_text, line_of_failure
from api.models import ResultLine
from api.search_pool import Asker
from api.streams import LONGEST_SECONDS
from solver.errors import AthanorError
from solver.language import language, say, speaking

if TYPE_CHECKING:
    from athanor.jobs import Job, Store

FOLLOW = "athanor.follow"  # key in a request's environment, if the server can take over followers
LOOK_SECONDS = 0.25  # between two checks for news
_SURE_SECONDS = 2.0  # between two readings of a file that seems unchanged
_BEAT_SECONDS = 10.0  # between two signs of life while nothing happens
_MOST_FOLLOWERS = 500
_RETRY_SECONDS = 5
_AT_ONCE = 500  # results that are read together


class Told(NamedTuple):
    """A message to a follower of a job.

    `what` is its kind, `text` its content in JSON, and `number` the number of a result (0 for other kinds). A
    "beat" keeps the connection alive when nothing has happened for a long time, and "nothing" means that there is
    no news; both have an empty text.
    """

    what: Literal["result", "progress", "end", "error", "beat", "nothing"]
    text: str = ""
    number: int = 0


def as_line(told: Told) -> str:
    """Format a result, the end or an error as a line of newline-delimited JSON; other messages become an empty
    string.
    """
    return f"{told.text}\n" if told.what in ("result", "end", "error") else ""


def as_event(told: Told) -> str:
    """Format a message as a server-sent event: `result` (its id is the result's number), `progress`, `end` or
    `error`.
    """
    if not told.text:
        return ": waiting\n\n" if told.what == "beat" else ""
    number = f"id: {told.number}\n" if told.number else ""
    return f"event: {told.what}\n{number}data: {told.text}\n\n"


class _News(NamedTuple):
    """The progress of a job, and its next results as messages to followers."""

    job: Job
    results: list[Told]


class _Reader:
    """A cache of jobs and results read from a store, shared by all followers; cleared when the store's file
    changes.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state: tuple[int, ...] = ()
        self._looked = self._read = float("-inf")
        self._known: dict[tuple[str, int], _News] = {}

    def news(self, store: Store, job: str, after: int) -> _News:
        """Return a job and its first results after result number `after`.

        Raises JobError if the job cannot be read from the store.
        """
        with self._lock:
            self._forget_old(store)
            key = job, after
            if key not in self._known:
                found = store.job(job)  # before its results: a job that is over has all of them
                results = store.results(job, after=after, most=_AT_ONCE)
                told = [Told("result", result.to_json(), result.id) for result in results]
                self._known[key] = _News(found, told)
            return self._known[key]

    def _forget_old(self, store: Store) -> None:
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS / 2:
            return
        self._looked = now
        state = store.file.state()
        if state != self._state or now - self._read > _SURE_SECONDS:
            self._state, self._read = state, now
            self._known.clear()


class Followers:
    """The followers of all jobs of a store: at most `most` at a time, and at most half of them from one client.

    Setting `stopping` ends them.
    """

    def __init__(self, stopping: threading.Event, most: int = _MOST_FOLLOWERS) -> None:
        self._most = most
        self._stopping = stopping
        self._lock = threading.Lock()
        self._clients: Counter[str] = Counter()
        self._reader = _Reader()

    def follow(
        self, store: Store, job: str, after: int, asker: Asker, form: Callable[[Told], str], *, to_the_end: bool
    ) -> Following:
        """Follow a job's results after result number `after`: the existing ones or, with `to_the_end`, also later
        ones.

        `form` formats the messages. Raises JobError if there is no such job, and BusyError if there are too many
        followers.
        """
        store.job(job)
        with self._lock:
            if self._clients.total() >= self._most or self._clients[asker.client] >= max(1, self._most // 2):
                message = say(
                    "too many clients follow jobs already; try again in {retry_seconds} s",
                    retry_seconds=_RETRY_SECONDS,
                )
                raise BusyError("busy", message, _RETRY_SECONDS)
            self._clients[asker.client] += 1

        def news(after: int) -> _News:
            return self._reader.news(store, job, after)

        return Following(news, after, form, to_the_end, self._stopping, lambda: self._left(asker.client))

    def _left(self, client: str) -> None:
        with self._lock:
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]


class Following:
    """One follower: an iterator over its formatted messages that never blocks. The caller must call `close`."""

    def __init__(
        self,
        news: Callable[[int], _News],
        after: int,
        form: Callable[[Told], str],
        to_the_end: bool,
        stopping: threading.Event,
        left: Callable[[], None],
    ) -> None:
        self._news = news
        self._after = after
        self._form = form
        self._to_the_end = to_the_end
        self._stopping = stopping
        self._left: Callable[[], None] | None = left
        self._spoken = language()
        self._pieces = map(form, self._told())

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        with speaking(self._spoken):
            return next(self._pieces)

    def waiting(self) -> Iterator[str]:
        """Yield the non-empty messages, blocking the calling thread while nothing is new."""
        for piece in self:
            if piece:
                yield piece
            else:
                self._stopping.wait(LOOK_SECONDS)

    def close(self) -> None:
        """Stop following, which makes room for another follower."""
        if self._left is not None:
            self._left()
            self._left = None

    def _told(self) -> Iterator[Told]:
        try:
            yield from self._until_the_end()
        except AthanorError as found:
            yield Told("error", error_text(found.code, found.message, found.path))
        except Exception as found:
            yield Told("error", line_of_failure(found, "following a job"))

    def _until_the_end(self) -> Iterator[Told]:
        latest = time.monotonic() + LONGEST_SECONDS
        spoken = time.monotonic()
        known: Job | None = None
        while True:
            job, results = self._news(self._after)
            for told in results:
                self._after = told.number
                yield told
            if results:
                continue
            now = time.monotonic()
            if job.over or not self._to_the_end or now > latest or self._stopping.is_set():
                yield Told("end", _state(job))
                return
            if job != known:
                known, spoken = job, now
                yield Told("progress", _state(job))
            elif now - spoken > _BEAT_SECONDS:
                spoken = now
                yield Told("beat")
            else:
                yield Told("nothing")


def _state(job: Job) -> str:
    return ResultLine.model_validate({"job": job}).to_json()
