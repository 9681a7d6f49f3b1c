"""Books as they are printed: the pages of a PDF as pictures, and what is drawn on them."""

from __future__ import annotations

import re
import shutil
import subprocess
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
    subprocess.run(["pdftoppm", "-r", "96", "-png", pdf, pdf.with_suffix("")], check=True)
    found = sorted(pdf.parent.glob(f"{pdf.stem}-*.png"), key=lambda path: (len(path.name), path.name))
    return [np.asarray(Image.open(path).convert("RGB")).astype(int) for path in found]


def drawn_cards(page: np.ndarray) -> int:
    """Count the cards on a page: connected pieces, not white, as large as a card, of its paper, with a drawing."""
    paper = np.all(abs(page - PAPER) <= 2, axis=2)
    unseen = set(zip(*np.nonzero((page < 255).any(axis=2)), strict=True))
    found = 0
    while unseen:
        piece = [unseen.pop()]
        for y, x in piece:
            for neighbour in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if neighbour in unseen:
                    unseen.remove(neighbour)
                    piece.append(neighbour)
        top, left, bottom, right = *map(min, zip(*piece, strict=True)), *map(max, zip(*piece, strict=True))
        if right - left >= LEAST[0] and bottom - top >= LEAST[1]:
            within = paper[top + FRAME : bottom - FRAME, left + FRAME : right - FRAME]
            found += bool(0.25 < within.mean() < 0.95)
    return found


def cards_in(html: str) -> tuple[int, int]:
    """How many cards a book shows: as drawings, and as King's boxes with a name."""
    body = html.partition("<body")[2]
    return len(re.findall(r'<use href="#card-\d+"', body)), body.count("▸")


def cards_on_paper(pdf: Path) -> tuple[int, int]:
    """How many of them are there once the book is printed."""
    return sum(map(drawn_cards, pages(pdf))), text_of("pdftotext", pdf, "-").count("▸")
