"""The command, run in this process, and what it is asked about."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from click.testing import CliRunner, Result

from api.cli.main import cli
from solver.answers import Hint
from solver.limits import Control, Limit
from solver.rounds_in_play import Round
from tests.support.languages import as_before

Run = Callable[..., Result]
DUEL = {
    "game": "alchemy", "variant": "duel",
    "line": ["J", "2", "5", "K", "3", "Q"], "hand": "A", "opponent_hand": "8",
}  # fmt: skip
FREE = {"game": "alchemy", "variant": "free", "min_line": 1, "line": ["A", "2", "3"], "hand": "4"}
WON = {
    "game": "alchemy", "variant": "alternative", "cap": 4, "line": ["4", "7", "2", "9"], "hand": "6",
    "stock": ["5", "A", "10", "3", "3", "8"],
}  # fmt: skip
STOCK = ["5", "Q", "3", "J", "8", "8", "2", "10", "K", "4", "6", "3", "J", "5", "A", "9", "Q", "7", "10", "2"]
LONG = {
    "game": "alchemy", "variant": "solo", "cap": 6,
    "line": ["4", "7", "K", "2", "9", "A"], "hand": "6", "stock": STOCK,
}  # fmt: skip


def a_puzzle(name: str, solution: str = "", ask: str = "value") -> str:
    position = '{ game = "alchemy", variant = "duel", line = ["J", "2", "5", "K", "3", "Q"], hand = "A", '
    position += 'opponent_hand = "8" }'
    text = f'[[puzzle]]\nid = "{name}"\ntitle = "[T]itle"\nask = "{ask}"\nposition = {position}\n'
    return text + (f"solution = {solution}\n" if solution else "")


SOLO_DEAL = ["alchemy", "--seed", "5"]  # line 4 10 J 2 5 J, hand 4


def kept(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def the_file(state: Path) -> Path:
    [path] = state.iterdir()
    return path


@pytest.fixture
def athanor(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "200")

    def run(*args: str | Path, stdin: object = None) -> Result:
        text = stdin if stdin is None or isinstance(stdin, str | bytes) else json.dumps(stdin)
        return CliRunner().invoke(cli, [str(arg) for arg in args], input=text)

    return run


@pytest.fixture
def in_japanese(athanor: Run, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """The command in Japanese; the next test speaks English again."""
    monkeypatch.setenv("LANGUAGE", "ja")
    with as_before():
        yield lambda *args, **more: athanor("--lang", "ja", *args, **more)


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's state folder."""
    monkeypatch.setattr(platformdirs, "user_state_path", lambda *_, **__: tmp_path / "state")
    return tmp_path / "state" / "play"


@pytest.fixture
def play(state: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command `play`, in which others choose by a few nodes, not by the clock: nobody needs strong ones."""
    monkeypatch.setenv("COLUMNS", "200")
    choose = Round.hint

    def soon(table: Round, control: Control, *, seed: int = 0) -> Hint:
        return choose(table, Control(Limit(nodes=100), control.cancel), seed=seed)

    monkeypatch.setattr(Round, "hint", soon)

    def run(*args: str | Path, lines: str = "", code: int = 0) -> Result:
        result = CliRunner().invoke(cli, ["play", *map(str, args)], input=lines)
        assert result.exit_code == code, (result.output, result.exception)
        return result

    return run
