"""The documented Python passes a strict type check outside the repository, as a caller's own code does."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

_TYPED = """
position.hands[0][1]
view.hand[0]
hint.moves[0].mean + 1.0
hint.moves[0].move.upper()
match.round.moves()[0].upper()
"""


@pytest.mark.slow
def test_documented_code_is_typed(tmp_path: Path) -> None:
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_examples(page)
    assert len(examples) > 30
    (tmp_path / "caller.py").write_text("".join(e.source for e in examples) + _TYPED, encoding="utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n", encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", tmp_path / "cache", "caller.py"],
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if k not in ("MYPYPATH", "PYTHONPATH")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
