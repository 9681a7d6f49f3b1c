"""What ``kill -9`` ends at random is done all the same, and counted once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell of its processes")
def test_killed_workers_lose_nothing() -> None:
    command = [sys.executable, "-m", "tests.jobs.kills", "--forked", "--kills", "8"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "0 faults" in found.stdout
