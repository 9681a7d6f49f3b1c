"""The process that searches, within this one: its messages, and where it can do nothing."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from api.apart.searching import Searching
from api.apart.wire import Ask, Done, Failure, Line, Written
from api.config import Config
from solver.limits import Limit
from tests.api.apart.turning import Turning


@pytest.fixture
def lines() -> Iterator[tuple[Line, Line]]:
    """Both ends of a line: what is received at the one was sent at the other."""
    there, here = os.pipe()
    with os.fdopen(there, "rb") as heard, os.fdopen(here, "wb") as told:
        yield Line(heard), Line(told)


def test_a_search_is_answered(lines: tuple[Line, Line]) -> None:
    heard, told = lines
    Searching(heard, told, Config()).begin(Ask(7, Turning(), Limit(), 0.0))
    done = heard.receive()
    assert isinstance(done, Done)
    assert (done.number, done.found) == (7, Written(str(os.getpid()), exact=True))


def test_where_no_thread_can_be_started_it_is_told(
    lines: tuple[Line, Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    heard, told = lines
    monkeypatch.setattr(threading.Thread, "start", refuse)
    Searching(heard, told, Config()).begin(Ask(8, Turning(), Limit(), None))
    done = heard.receive()
    assert isinstance(done.found, Failure)
    with pytest.raises(MemoryError, match="can't start new thread"):
        raise done.found.raised()


def test_a_message_that_breaks_off_is_the_end(lines: tuple[Line, Line]) -> None:
    heard, told = lines
    told.send("whole")
    assert heard.receive() == "whole"
    told._stream.write(b"\x10\0\0\0\0\0\0\0broken")
    told._stream.close()
    with pytest.raises(EOFError):
        heard.receive()
