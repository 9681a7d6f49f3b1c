"""The picture that messaging apps show for the address of a position: the cards on the table and in hand."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.limits import Control

SIZE = (1200, 630)  # pixels: messengers show this without cropping
_FELT, _PAPER, _EDGE, _GOLD = "#2b1d3a", "#fdf8ec", "#d6c9a8", "#f6e7c1"
_MARGIN, _GAP, _ROUND = 60, 14, 14
_CARD = (132, 184)  # the largest size; many cards are drawn smaller
_TOP, _LEADING = 130, _CARD[1] + 40  # where cards begin, and the distance from row to row
# Colours by the first letter of the codes of a suit, the same as on the page; other cards are black.
_INKS = {
    "D": "#1c5fa8",
    "S": "#b3301d",
    "B": "#a86a00",
    "G": "#2b2b2b",
    "F": "#b3301d",
    "W": "#1c5fa8",
    "E": "#a86a00",
    "A": "#1f7a45",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of cards, each with its code and whether the first letter of the code stands for a suit."""

    cards: tuple[tuple[str, bool], ...]


def png(title: str, rows: tuple[Row, ...], control: Control) -> bytes:
    """Return a PNG of the size `SIZE` that shows rows of cards below a title.

    It takes some 40 ms, and so is a search like others.
    """
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", SIZE, _FELT)
    draw = ImageDraw.Draw(picture)
    draw.text((_MARGIN, 40), title.replace("×", "x"), fill=_GOLD, font=_font(56))  # the font has no such sign
    draw.text((SIZE[0] - _MARGIN, 62), "Athanor", fill=_GOLD, font=_font(30), anchor="ra")
    for number, row in enumerate(rows):
        _lay(draw, row.cards, (_TOP + SIZE[1]) // 2 + number * _LEADING - len(rows) * _LEADING // 2)
    out = io.BytesIO()
    picture.quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()


def _font(size: int):  # type: ignore[no-untyped-def]  # Pillow's type names it differently from version to version
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _lay(draw, cards: Sequence[tuple[str, bool]], top: int) -> None:  # type: ignore[no-untyped-def]
    """Paint a row of cards, made small enough to fit the width of the picture."""
    if not cards:
        return
    room = SIZE[0] - 2 * _MARGIN
    width = min(_CARD[0], (room + _GAP) // len(cards) - _GAP)
    height = width * _CARD[1] // _CARD[0]
    for place, (code, suited) in enumerate(cards):
        left = _MARGIN + place * (width + _GAP)
        draw.rounded_rectangle(
            (left, top, left + width, top + height), _ROUND, fill=_PAPER, outline=_EDGE, width=3
        )
        size = min(width // 2, int(1.5 * width / max(2, len(code))))
        ink = _INKS.get(code[0], "black") if suited else "black"
        middle = (left + width // 2, top + height // 2)
        draw.text(middle, code, fill=ink, font=_font(size), anchor="mm", stroke_width=1, stroke_fill=ink)
