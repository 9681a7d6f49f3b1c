"""The pages, as sybil reads them."""

from __future__ import annotations

from doctest import ELLIPSIS, NORMALIZE_WHITESPACE
from pathlib import Path

from sybil import Document, Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser
from sybil.typing import Parser

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md"))]


def read(page: str) -> Document:
    """A page with its console blocks, which find the page's `Console` in its namespace, and its Python blocks."""
    parsers: list[Parser] = [
        CodeBlockParser("console", _console),
        PythonCodeBlockParser(doctest_optionflags=ELLIPSIS | NORMALIZE_WHITESPACE),
    ]
    return Sybil(parsers, path=str(ROOT)).parse(ROOT / page)


def _console(example: Example) -> str | None:
    return example.namespace["console"].differences(example.parsed) or None
