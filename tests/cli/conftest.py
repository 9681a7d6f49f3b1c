"""The command, run in this process."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs
import pytest
from click.testing import CliRunner, Result

from api.cli.asking import ask, desk, places
from api.cli.main import cli
from api.http.searches import Searches
from tests.cli.asking import AloneError
from tests.cli.support import Run


@pytest.fixture
def athanor(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "200")

    def run(*args: str | Path, stdin: object = None) -> Result:
        text = stdin if stdin is None or isinstance(stdin, str | bytes) else json.dumps(stdin)
        return CliRunner().invoke(cli, [str(arg) for arg in args], input=text)

    return run


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A runtime folder of the test's own; its path is short, as paths of sockets must be."""
    with tempfile.TemporaryDirectory(prefix="athanor-") as name:
        monkeypatch.setenv("XDG_RUNTIME_DIR", name)
        yield Path(name)


@pytest.fixture
def service(folder: Path) -> Iterator[None]:
    with desk.opened(places.service_name(), lambda game: True, Searches(1, 4).run):
        yield


@pytest.fixture
def only_ask(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From the call on, a command that works by itself fails."""

    def fail(*_: object) -> None:
        raise AloneError

    return lambda: monkeypatch.setattr(ask, "_answer_here", fail)


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's state folder."""
    monkeypatch.setattr(platformdirs, "user_state_path", lambda *_, **__: tmp_path / "state")
    return tmp_path / "state" / "play"


@pytest.fixture
def play(state: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "200")

    def run(*args: str | Path, lines: str = "", code: int = 0) -> Result:
        result = CliRunner().invoke(cli, ["play", *map(str, args)], input=lines)
        assert result.exit_code == code, (result.output, result.exception)
        return result

    return run
