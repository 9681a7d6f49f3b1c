"""Printed books of puzzles: what `athanor solve` writes for `--html` and `--pdf`."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from api.cli.terminal import browser, outputs

if TYPE_CHECKING:
    from puzzles.check import PuzzleResult
    from puzzles.format import Puzzle


@dataclass(frozen=True)
class Press:
    """Where a book is to go; `program` is the browser that makes its PDF."""

    html: str | None
    pdf: str | None
    program: str = ""

    @classmethod
    def ready(cls, html: str | None, pdf: str | None) -> Press | None:
        """A press, once all that it needs is there, so that no work is done in vain; None where none is asked for.

        Raises CommandFailure for a file that cannot be written, and where no browser is found.
        """
        for path in filter(None, (html, pdf)):
            outputs.check(path)
        if html is None and pdf is None:
            return None
        return cls(html, pdf, browser.find() if pdf is not None else "")

    def print(
        self,
        results: Iterable[tuple[int, PuzzleResult]],
        puzzles: Sequence[tuple[str, Puzzle]],
        cancel: threading.Event,
    ) -> None:
        """Write the book whole, or leave what was there, also when it is cancelled."""
        from api.page.book import book, in_order
        from puzzles.format import replacing

        text = book(in_order(results, puzzles))
        if self.html is not None:
            outputs.write(self.html, text)
        if self.pdf is not None:
            with tempfile.TemporaryDirectory(prefix="athanor-book-") as folder, outputs.writing(self.pdf):
                page = Path(folder, "book.html")
                page.write_text(text, encoding="utf-8")
                printed = Path(folder, "book.pdf")
                if browser.print_pdf(self.program, page, printed, cancel):
                    with replacing(self.pdf) as temporary:
                        temporary.write_bytes(printed.read_bytes())
