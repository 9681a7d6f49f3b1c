"""Printable books of puzzles, for the options `--html` and `--pdf` of `athanor solve`."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

import click

from api.cli.terminal import CommandFailure, check_writable, write_text, writing
from solver.language import say

if TYPE_CHECKING:
    from puzzles.check import PuzzleResult
    from puzzles.format import Puzzle


# ----------------------------------------------------------------------------------------------------
# Printing HTML as PDF with a browser: Chromium or a relative, which most people have.


_BROWSERS = (
    "chromium",
    "chromium-browser",
    "chromium-headless-shell",
    "chrome-headless-shell",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
_BROWSER_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
_SECONDS = 300  # a book of a thousand pages takes about ten
_WAKE_SECONDS = 0.1
_END_LOOKS, _END_SECONDS = 20, 0.05  # whether what a browser has started has ended


def find_browser() -> str:
    """Return the path of a browser that can print PDF: the one in ATHANOR_BROWSER, or an installed one.

    Raises CommandFailure if there is none.
    """
    named = os.environ.get("ATHANOR_BROWSER")
    browser = (
        shutil.which(named)
        if named
        else next(filter(None, map(shutil.which, (*_BROWSERS, *_BROWSER_PLACES))), None)
    )
    if browser is None:
        if named:
            raise CommandFailure(say("ATHANOR_BROWSER names {named}, which is not a program", named=named))
        raise CommandFailure(
            say(
                "--pdf needs Chromium, Chrome or Edge, and none was found. Install one (on Debian and Ubuntu: apt "
                "install chromium-headless-shell), name one in ATHANOR_BROWSER, or print what --html writes"
            )
        )
    return browser


def print_pdf(browser: str, page: Path, target: Path, cancel: threading.Event) -> bool:
    """Print an HTML file as PDF to `target`. Returns False if cancelled; raises CommandFailure if it fails."""
    with tempfile.TemporaryDirectory(prefix="athanor-browser-", ignore_cleanup_errors=True) as profile:
        printed = Path(profile, "book.pdf")  # some builds of Chromium may only write to such places
        command = [browser, "--headless", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.append("--no-sandbox")  # Chromium does not start for the superuser without it
        command += ["--no-pdf-header-footer", f"--print-to-pdf={printed}", page.resolve().as_uri()]
        messages = Path(profile, "told")
        with messages.open("wb") as stderr:
            # In its own session, it does not receive Ctrl-C; we do.
            running = subprocess.Popen(command, stdout=stderr, stderr=stderr, start_new_session=True)
        try:
            ended = _waited(running, cancel)
        finally:
            running.kill()
            running.wait()
            _end_others(running.pid)
        if ended and not printed.exists():
            last = messages.read_text(errors="replace").strip().splitlines()[-1:]
            reason = last[0] if last else say("it gave no reason")
            raise CommandFailure(say("{browser} printed nothing: {reason}", browser=browser, reason=reason))
        if ended:
            shutil.copyfile(printed, target)
        return ended


def _end_others(group: int) -> None:
    """End what a browser has started, which else writes to its profile while that is deleted."""
    with suppress(OSError):  # there is nothing left
        for _ in range(_END_LOOKS if hasattr(os, "killpg") else 0):
            os.killpg(group, signal.SIGKILL)
            time.sleep(_END_SECONDS)


def _waited(running: subprocess.Popen[bytes], cancel: threading.Event) -> bool:
    """Wait until the browser ends. Returns False if cancelled; raises CommandFailure if that takes too long."""
    for _ in range(round(_SECONDS / _WAKE_SECONDS)):
        if cancel.is_set():
            return False
        try:
            running.wait(timeout=_WAKE_SECONDS)
            return True
        except subprocess.TimeoutExpired:
            continue
    raise CommandFailure(say("the browser did not print within {seconds} seconds", seconds=_SECONDS))


# ----------------------------------------------------------------------------------------------------
# The book.


@dataclass(frozen=True)
class BookFiles:
    """The files a book is written to, how it looks, and the path of the browser that makes the PDF.

    `rules`, `large` and `apart` are those of `api.page.book.book`.
    """

    html: str | None
    pdf: str | None
    rules: bool
    large: bool
    apart: bool
    program: str = ""

    @classmethod
    def ready(cls, html: str | None, pdf: str | None, *, rules: bool, large: bool, apart: bool) -> Self | None:
        """Check before any work that the files can be written and that a browser for the PDF is installed.

        Returns None if neither file is requested. Raises CommandFailure if a check fails.
        """
        if html is None and pdf is None:
            if rules or large or apart:
                raise click.UsageError(say("--rules, --large and --apart are for books: add --html or --pdf"))
            return None
        press = cls(html, pdf, rules, large, apart)
        for path in (path for target in filter(None, (html, pdf)) for path in press.paths(target)):
            check_writable(path)
        return press if pdf is None else replace(press, program=find_browser())

    def paths(self, path: str) -> list[str]:
        """Return the path of the book and, if they are apart, that of its solutions: ``book-solutions.pdf``."""
        return [path, str(Path(path).with_stem(f"{Path(path).stem}-solutions"))] if self.apart else [path]

    def print(
        self,
        results: Iterable[tuple[int, PuzzleResult]],
        puzzles: Sequence[tuple[str, Puzzle]],
        cancel: threading.Event,
    ) -> None:
        """Write the book. If this fails or is cancelled, each file is either complete or unchanged."""
        from api.page.book import book, in_order

        texts = book(in_order(results, puzzles), rules=self.rules, large=self.large, apart=self.apart)
        if self.html is not None:
            for path, text in zip(self.paths(self.html), texts, strict=True):
                write_text(path, text)
        if self.pdf is not None:
            for path, text in zip(self.paths(self.pdf), texts, strict=True):
                self._print(path, text, cancel)

    def _print(self, path: str, text: str, cancel: threading.Event) -> None:
        from puzzles.format import replacing

        with tempfile.TemporaryDirectory(prefix="athanor-book-") as folder, writing(path):
            page = Path(folder, "book.html")
            page.write_text(text, encoding="utf-8")
            printed = Path(folder, "book.pdf")
            if print_pdf(self.program, page, printed, cancel):
                with replacing(path) as temporary:
                    temporary.write_bytes(printed.read_bytes())
