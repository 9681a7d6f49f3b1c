"""The command, run in this process."""

from __future__ import annotations

import json
from pathlib import Path

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
