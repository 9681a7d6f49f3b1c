"""Long lines of nothing: each once held the interpreter for a minute and more, and the whole service with it."""

from __future__ import annotations

import time

import pytest

from athanor import sessions
from solver.errors import PositionError
from solver.positions import parse_position

SECONDS = 5.0  # of processor time; each takes less than a twentieth of it


@pytest.mark.parametrize(
    "line",
    [
        "king seat=1 hand=W1" + "\u2003" * 150_000 + "W4",
        "king hand=" + " a" * 99_000,
        "aqua-regia hand=" + "×9" * 50_000,
    ],
    ids=("blanks", "words", "times"),
)
def test_a_position(line: str) -> None:
    begun = time.thread_time()
    with pytest.raises(PositionError):
        parse_position(line)
    assert time.thread_time() - begun < SECONDS


@pytest.mark.parametrize(
    "line", ["[game" + " " * 100_000 + "x", "[game " + " x" * 50_000], ids=("blanks", "words")
)
def test_a_tag(line: str) -> None:
    begun = time.thread_time()
    with pytest.raises(PositionError):
        sessions.loads(line.encode())
    assert time.thread_time() - begun < SECONDS


def test_blanks_in_a_tag_mean_nothing() -> None:
    (game,) = sessions.loads(b"[  game   king  ]\n[seed 7 ]\n[seconds\t1]\n")
    assert (game.game, game.seed, game.seconds) == ("king", 7, 1)
