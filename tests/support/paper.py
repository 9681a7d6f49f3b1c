"""Books as they are printed: the pages of a PDF as pictures, and what is drawn on them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from PIL import Image

from tests.page.support import browser_path

PAPER = (255, 254, 249)
LEAST = (30, 40)  # pixels that a card is wide and high, at least
FRAME = 4  # pixels, at most
REASON = "books are printed with a browser and looked at with pdftoppm"


def can_print() -> bool:
    return bool(browser_path() and shutil.which("pdftoppm"))


def text_of(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def pages(pdf: Path) -> list[np.ndarray]:
    """The pages as pictures of 96 dots per inch: one for each pixel of a style sheet."""
    subprocess.run(["pdftoppm", "-r", "96", pdf, pdf.with_suffix("")], check=True)
    found = sorted(pdf.parent.glob(f"{pdf.stem}-*.ppm"), key=lambda path: (len(path.name), path.name))
    return [np.asarray(Image.open(path)).astype(np.int16) for path in found]


def drawn_cards(page: np.ndarray) -> int:
    """Count the cards on a page: connected pieces, not white, as large as a card, of its paper, with a drawing."""
    paper = np.all(abs(page - PAPER) <= 2, axis=2)
    found = 0
    for top, left, bottom, right in _pieces(np.any(page < 255, axis=2)):
        if right - left >= LEAST[0] and bottom - top >= LEAST[1]:
            within = paper[top + FRAME : bottom - FRAME, left + FRAME : right - FRAME]
            found += bool(0.25 < within.mean() < 0.95)
    return found


def _pieces(marked: np.ndarray) -> Iterable[tuple[int, int, int, int]]:
    """The first row and column, and the last ones, of each connected piece of a picture's marked dots.

    A row of a picture has runs of marked dots; runs that lie one below another belong to the same piece.
    """
    changes = np.diff(np.pad(marked, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, begins = np.nonzero(changes == 1)
    ends = np.nonzero(changes == -1)[1]  # exclusive
    width = changes.shape[1] + 1
    above = np.searchsorted(rows * width + ends, (rows - 1) * width + begins, side="right")
    until = np.searchsorted(rows * width + begins, (rows - 1) * width + ends, side="left")
    piece = list(range(len(rows)))  # of each run, one that comes before it in the same piece, or itself

    def first(run: int) -> int:
        while piece[run] != run:
            piece[run] = run = piece[piece[run]]
        return run

    for run, (low, high) in enumerate(zip(above.tolist(), until.tolist(), strict=True)):
        for other in range(low, high):
            one, another = sorted((first(run), first(other)))
            piece[another] = one
    boxes: dict[int, tuple[int, int, int, int]] = {}
    for run, (row, begin, end) in enumerate(zip(rows.tolist(), begins.tolist(), ends.tolist(), strict=True)):
        top, left, _, right = boxes.get(first(run), (row, begin, row, end - 1))
        boxes[first(run)] = (top, min(left, begin), row, max(right, end - 1))
    return boxes.values()


def cards_in(html: str) -> tuple[int, int]:
    """How many cards a book shows: as drawings, and as King's boxes with a name."""
    body = html.partition("<body")[2]
    return len(re.findall(r'<use href="#card-\d+"', body)), body.count("▸")


def cards_on_paper(pdf: Path) -> tuple[int, int]:
    """How many of them are there once the book is printed."""
    return sum(map(drawn_cards, pages(pdf))), text_of("pdftotext", pdf, "-").count("▸")
