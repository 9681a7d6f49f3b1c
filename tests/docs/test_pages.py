"""Every console block and every Python block of the documentation does what the page says.

With ATHANOR_RENEW_DOCS=1 the console blocks are written anew instead, with what their commands print now. Output
of which a page leaves something out (with an ellipsis) stays as it is."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sybil import Document
from sybil.example import SybilFailure

from tests.docs.console import Console
from tests.docs.pages import PAGES, ROOT, read

_RENEW = bool(os.environ.pop("ATHANOR_RENEW_DOCS", ""))  # the service refuses variables that it does not know


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_page(page: str, checkout: Path, service: Callable[[], str]) -> None:
    document = read(page)
    console = document.namespace["console"] = Console(service)
    if _RENEW:
        (ROOT / page).write_text(_renewed(document, console), encoding="utf-8")
        return
    failures = []
    for example in document.examples():
        try:
            example.evaluate()
        except SybilFailure as found:
            failures.append(f"{page}:{example.line}\n{found.result}")
        except Exception as found:
            found.add_note(f"in the block at {page}:{example.line}")
            raise
    assert not failures, "\n\n".join(failures)


def _renewed(document: Document, console: Console) -> str:
    """The page's text with its console blocks as they are now."""
    text, end = "", 0
    for example in document.examples():
        source = example.region.lexemes.get("source")
        if source is not None and example.region.lexemes.get("arguments") == "console":
            block = document.text[example.start : example.end]
            text += document.text[end : example.start] + block.replace(source, console.renewed(source))
            end = example.end
        else:
            example.evaluate()
    return text + document.text[end:]


# ----------------------------------------------------------------------------------------------------
# The documented Python passes a strict type check outside the repository, as a caller's own code does.


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
