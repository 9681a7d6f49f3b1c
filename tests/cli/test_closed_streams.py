"""Streams that are closed, or that take nothing: a message or silence, never an internal error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import places

FULL = Path("/dev/full")
COMMANDS = ["rules kirin", "--help"]


def run(command: str, redirected: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f'"$0" -m api.cli {command} {redirected}', sys.executable],
        cwd=places.ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.mark.parametrize("redirected", [">&-", ">&- 2>&-"])
def test_nobody_reads(redirected: str) -> None:
    for command in COMMANDS:
        found = run(command, redirected)
        assert (found.returncode, found.stderr) == (0, ""), command


@pytest.mark.skipif(not FULL.exists(), reason="this system has no full device")
def test_a_full_disk() -> None:
    for command in COMMANDS:
        found = run(command, f"> {FULL}")
        assert (found.returncode, found.stderr) == (
            2,
            "Error: cannot write the output: No space left on device\n",
        ), command
