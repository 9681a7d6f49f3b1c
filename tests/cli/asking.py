"""Commands that may ask a running service, in this process."""

from __future__ import annotations

import re

from click.testing import CliRunner, Result

from api.cli.main import cli
from tests.support.places import ROOT

EXAMPLES = ROOT / "docs" / "examples"
SECONDS = 20.0  # that a test may wait on a loaded machine


class AloneError(Exception):
    """The command works by itself."""


def run(*args: str, text: str | None = None, **env: str) -> Result:
    return CliRunner().invoke(cli, [str(EXAMPLES / arg) if "." in arg else arg for arg in args], text, env=env)


def told(result: Result) -> tuple[int, str, str]:
    """What a command tells, but for times."""
    return result.exit_code, timeless(result.stdout), timeless(result.stderr)


def timeless(text: str) -> str:
    """A command's output without the times in it."""
    return re.sub(r'(?<= in )\d+\.\d{3} s *|(?<="seconds":)[\d.e-]+', "T", text)
