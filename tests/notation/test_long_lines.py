"""Long lines of nothing: each once held the interpreter for a minute and more, and the whole service with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import pytest

from athanor import sessions
from solver.errors import PositionError
from solver.positions import parse_position, parse_record

SECONDS = 1.0  # of processor time; each takes less than a tenth of it


@pytest.fixture(autouse=True, scope="module")
def _types() -> None:
    """What the first position of each game takes is not counted."""
    for game in ("alchemy", "aqua-regia", "kirin", "king"):
        with pytest.raises(PositionError):
            parse_position({"game": game})


def refused(sent: object, read: Callable[[object], object] = parse_position) -> PositionError:
    """The error of what is sent, which takes no long time."""
    begun = time.thread_time()
    with pytest.raises(PositionError) as found:
        read(sent)
    assert time.thread_time() - begun < SECONDS
    return found.value


@pytest.mark.parametrize(
    "line",
    [
        "king seat=1 hand=W1" + "\u2003" * 150_000 + "W4",
        "king hand=" + " a" * 99_000,
        "aqua-regia hand=" + "×9" * 50_000,
        *(f"{game} seat=1 hand=Zn history=" + "p/" * 99_000 for game in ("aqua-regia", "kirin", "king")),
        "kirin hands=" + "/" * 199_000,
        ("aqua-regia deck=" + "%7B%22a%22%3A" * 70_000)[:199_000],
    ],
    ids=("blanks", "words", "times", "aqua-regia", "kirin", "king", "slashes", "nested"),
)
def test_a_position(line: str) -> None:
    refused(line)


_RUNS = " ".join("F1W3" * 200 + f"x{number}" for number in range(1000))


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"game": "aqua-regia", "players": 4, "seat": 1, "hand": ["Zn"], "history": "p/" * 450_000}, "history"),
        ({"game": "king", "seat": 1, "hand": ["F1"], "history": "p/" * 450_000}, "history"),
        ({"game": "kirin", "seat": 1, "hand": ["D1"], "history": "p/" * 450_000}, "history"),
        ({"game": "kirin", "seat": 1, "hand": "D1," * 300_000}, "hand"),
        ({"game": "kirin", "hands": ["D1," * 300_000]}, "hands"),
        ({"game": "kirin", "hands": "/" * 900_000}, "hands"),
        ({"game": "aqua-regia", "hands": ["Zn"], "stock": "Zn×9" * 100_000}, "stock"),
        ({"game": "kirin", "rules": ",".join(map(str, range(100_000)))}, "rules"),
        ({"game": "king", "seat": 1, "hand": _RUNS}, "hand"),
    ],
    ids=("moves", "king", "kirin", "cards", "inner", "slashes", "times", "rules", "runs"),
)
def test_a_text_in_json(data: Mapping[str, object], path: str) -> None:
    """Texts are counted before they are taken apart."""
    assert refused(data).path == path


def test_a_text_in_a_record() -> None:
    error = refused({"game": "kirin", "rounds": [{"history": "p/" * 400_000}]}, parse_record)
    assert (error.code, error.path) == ("wrong_size", "rounds[0].history")


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
