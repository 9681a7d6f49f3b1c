"""What a person sees while games compile: bars on a terminal, lines in a pipe, little when all is kept."""

from __future__ import annotations

import io
import time

import pytest

from api.readiness import Readiness, Stage
from api.starting import shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(params=[io.StringIO, Terminal])
def stderr(request: pytest.FixtureRequest) -> io.StringIO:
    found: io.StringIO = request.param()
    return found


def until_it_says(stderr: io.StringIO, words: str) -> None:
    end = time.monotonic() + 20
    while words not in stderr.getvalue():
        assert time.monotonic() < end, stderr.getvalue()
        time.sleep(0.02)


def test_games_that_compile(stderr: io.StringIO) -> None:
    readiness = Readiness(["one", "two"])
    with shown(readiness, stderr):
        readiness.enter("one", Stage.COMPILING)
        readiness.compiled("one", 0.5)
        until_it_says(stderr, "Compiling the games' kernels, this once.")
        until_it_says(stderr, "compiling")
        readiness.enter("one", Stage.READY)
        readiness.enter("two", Stage.FAILED, "no good")
        until_it_says(stderr, "Ready, but for two.")
    assert "no good" in stderr.getvalue()


def test_games_that_are_kept(stderr: io.StringIO) -> None:
    readiness = Readiness(["one"])
    with shown(readiness, stderr):
        readiness.enter("one", Stage.LOADING)
        readiness.enter("one", Stage.READY)
        until_it_says(stderr, "ready")
    assert stderr.getvalue() == "All games are ready.\n"


def test_a_server_that_is_stopped_says_nothing_more(stderr: io.StringIO) -> None:
    readiness = Readiness(["one"])
    with shown(readiness, stderr):
        readiness.enter("one", Stage.COMPILING)
        until_it_says(stderr, "this once.")
    assert "All games" not in stderr.getvalue()
