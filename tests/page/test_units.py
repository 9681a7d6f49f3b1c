"""The unit tests of the page's modules, which Node runs; they need no package of npm."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.support import places

LEAST = 18  # the first version of Node with `--test`


def test_units() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node here, which only who changes the page needs")
    told = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=120, check=True).stdout
    version = re.match(r"v(\d+)", told)
    if version is None or int(version[1]) < LEAST:
        pytest.skip(f"Node is {told.strip()}, and its test runner came with version {LEAST}")
    tests = sorted(str(path) for path in (places.ROOT / "page" / "tests").glob("*.test.js"))
    assert tests
    found = subprocess.run([node, "--test", *tests], capture_output=True, text=True, timeout=600, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
