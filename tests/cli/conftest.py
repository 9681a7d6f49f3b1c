"""The command, run in this process."""

from __future__ import annotations

import json
from pathlib import Path

import platformdirs
import pytest
from click.testing import CliRunner, Result

from api.cli.main import cli
from tests.cli.support import Run


@pytest.fixture
def athanor(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "200")

    def run(*args: str | Path, stdin: object = None) -> Result:
        text = stdin if stdin is None or isinstance(stdin, str | bytes) else json.dumps(stdin)
        return CliRunner().invoke(cli, [str(arg) for arg in args], input=text)

    return run


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
