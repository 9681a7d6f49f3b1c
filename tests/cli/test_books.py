"""`athanor solve --html` and `--pdf`: a printable book, whole or not at all."""

from __future__ import annotations

import base64
import hashlib
import html
import re
import threading
from pathlib import Path

import pytest

from api.cli import printing
from api.cli.terminal import CommandFailure
from tests.cli.support import Run, puzzle

HOSTILE = '</script><script>alert(1)</script>&amp;"'


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """Two puzzles, the first with a title that would be HTML, the second refuted."""
    path = tmp_path / "two.toml"
    path.write_text(
        (puzzle("right", "{ value = 7 }") + puzzle("wrong", "{ value = 8 }")).replace(
            "[T]itle", HOSTILE.replace('"', '\\"'), 1
        )
    )
    return path


def program(path: Path, text: str) -> str:
    """A program that stands for a browser."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_a_book_has_the_puzzles_in_order_and_the_solutions_behind_them(
    athanor: Run, two: Path, tmp_path: Path
) -> None:
    out = tmp_path / "book.html"
    assert athanor("solve", two, "--html", out).exit_code == 1  # one is refuted; the book is there all the same
    text = out.read_text(encoding="utf-8")
    first, second = (text.index(f'<article id="puzzle-{number}"') for number in (1, 2))
    solutions = text.index('<section class="solutions">')
    assert first < second < solutions
    assert html.escape(HOSTILE, quote=False).replace('"', "&#34;") in text[first:second]
    assert "7</strong>" in text[solutions:]
    assert "The file states another solution: the value is 7, not 8." in text[solutions:]
    assert text.count("</script>") == text.count("<script ") == 2
    assert "alert(1)</script>" not in text
    assert not re.findall(r'(?:src|href)="(?!#)', text[: text.index('<script type="module">')])
    scripts = re.findall(r'<script type="module">(.*?)</script>', text, re.S)
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in text


def test_what_cannot_be_written_or_printed_is_told_before_any_work(
    athanor: Run, two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for option in ("--html", "--pdf"):
        result = athanor("solve", two, option, tmp_path / "none" / "book")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "cannot write" in result.stderr
    monkeypatch.setenv("ATHANOR_BROWSER", str(tmp_path / "nothing"))
    result = athanor("solve", two, "--pdf", tmp_path / "book.pdf")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "ATHANOR_BROWSER names" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["two.toml"]


def test_a_pdf_is_what_the_browser_makes_of_the_book(
    athanor: Run, two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = (
        "for word; do case $word in --print-to-pdf=*) out=${word#*=};; file://*) page=${word#file://};; esac; "
        'done; cp "$page" "$out"'
    )
    monkeypatch.setenv("ATHANOR_BROWSER", program(tmp_path / "copies", copy))
    out, book = tmp_path / "book.pdf", tmp_path / "book.html"
    athanor("solve", two, "--pdf", out, "--html", book)
    assert out.read_bytes() == book.read_bytes()
    monkeypatch.setenv("ATHANOR_BROWSER", program(tmp_path / "fails", "echo no display >&2; exit 3"))
    result = athanor("solve", two, "--pdf", out)
    assert (result.exit_code, "no display" in result.stderr) == (2, True)
    assert out.read_bytes() == book.read_bytes()  # what was there is left


def test_ctrl_c_ends_the_browser_and_writes_nothing(tmp_path: Path) -> None:
    cancel = threading.Event()
    cancel.set()
    target = tmp_path / "book.pdf"
    assert not printing.print_pdf(program(tmp_path / "waits", "exec sleep 60"), tmp_path / "x", target, cancel)
    assert not target.exists()


def test_no_browser_is_an_error_that_tells_what_else_can_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ATHANOR_BROWSER", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(CommandFailure, match="apt install chromium-headless-shell"):
        printing.find_browser()


def test_chromium_without_a_window_prints_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ATHANOR_BROWSER", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: name if name == "chromium-headless-shell" else None)
    assert printing.find_browser() == "chromium-headless-shell"
