"""Followers of jobs: requests that receive a job's results as they arrive.

Each follower has a thread of the server, which sleeps while nothing is new; `api.listener` starts as many more
threads as there may be followers. The store is read once for all followers of a job. A client that is turned away,
or cut off after ten minutes, can ask again for the results after the last one it received.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Literal, NamedTuple

from flask import Response

from api.models import ResultLine
from api.search_pool import Asker, Places
from api.streams import LONGEST_SECONDS, response_of_lines
from athanor.jobs import Job, Store

MOST_FOLLOWERS = 500
_LOOK_SECONDS = 0.25  # between two checks for news
_BEAT_SECONDS = 10.0  # between two signs of life while nothing happens
_AT_ONCE = 500  # results that are read together


class Event(NamedTuple):
    """A message to a follower of a job.

    `what` is its kind, `text` its content in JSON, and `number` the number of a result (0 for other kinds). A
    "beat" keeps the connection alive when nothing has happened for a long time; its text is empty.
    """

    what: Literal["result", "progress", "end", "error", "beat"]
    text: str = ""
    number: int = 0


def as_line(event: Event) -> str:
    """Format a result, the end or an error as a line of newline-delimited JSON; other messages become an empty
    string.
    """
    return f"{event.text}\n" if event.what in ("result", "end", "error") else ""


def as_event(event: Event) -> str:
    """Format a message as a server-sent event: `result` (its id is the result's number), `progress`, `end` or
    `error`; a beat becomes a comment.
    """
    if event.what == "beat":
        return ": waiting\n\n"
    number = f"id: {event.number}\n" if event.number else ""
    return f"event: {event.what}\n{number}data: {event.text}\n\n"


class _News(NamedTuple):
    """The progress of a job, and its next results as messages to followers."""

    job: Job
    results: list[Event]


class _Reader:
    """A cache of jobs and results read from a store, shared by all followers; cleared at each check for news."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cleared = float("-inf")
        self._known: dict[tuple[str, int], _News] = {}

    def news(self, store: Store, job: str, after: int) -> _News:
        """Return a job and its first results after result number `after`.

        Raises JobError if the job cannot be read from the store.
        """
        with self._lock:
            now = time.monotonic()
            if now - self._cleared > _LOOK_SECONDS / 2:
                self._cleared = now
                self._known.clear()
            key = job, after
            if key not in self._known:
                state = store.job(job)  # before its results: a job that is over has all of them
                results = store.results(job, after=after, most=_AT_ONCE)
                lines = [Event("result", result.to_json(), result.id) for result in results]
                self._known[key] = _News(state, lines)
            return self._known[key]


class Followers:
    """The followers of all jobs: at most `MOST_FOLLOWERS` at a time, and at most half of them from one client.

    Setting `stopping` ends them.
    """

    def __init__(self, stopping: threading.Event) -> None:
        self._stopping = stopping
        self._places = Places(MOST_FOLLOWERS)
        self._reader = _Reader()

    def response(
        self,
        store: Store,
        job: str,
        after: int,
        asker: Asker,
        form: Callable[[Event], str],
        kind: str,
        *,
        to_the_end: bool,
    ) -> Response:
        """Return a response of media type `kind` that streams a job's results after result number `after`: the
        existing ones or, with `to_the_end`, also later ones.

        `form` formats the messages. Raises JobError if there is no such job, and BusyError if there are too many
        followers.
        """
        store.job(job)
        with ExitStack() as stack:
            stack.enter_context(self._places.taken(asker.client))
            events = self._told(partial(self._reader.news, store, job), after, asker, to_the_end=to_the_end)
            lines = map(form, events)
            close = stack.pop_all().close
            return response_of_lines(
                lines, "following a job", kind, close, lambda text: form(Event("error", text))
            )

    def _told(
        self, news: Callable[[int], _News], after: int, asker: Asker, *, to_the_end: bool
    ) -> Iterator[Event]:
        latest = time.monotonic() + LONGEST_SECONDS
        spoken = time.monotonic()
        known: Job | None = None
        while asker.disconnected is None or not asker.disconnected():
            job, results = news(after)
            yield from results
            if results:
                after = results[-1].number
                continue
            now = time.monotonic()
            if job.over or not to_the_end or now > latest or self._stopping.is_set():
                yield Event("end", _state(job))
                return
            if job != known:
                known, spoken = job, now
                yield Event("progress", _state(job))
            elif now - spoken > _BEAT_SECONDS:
                spoken = now
                yield Event("beat")
            time.sleep(_LOOK_SECONDS)


def _state(job: Job) -> str:
    return ResultLine.model_validate({"job": job}).to_json()
