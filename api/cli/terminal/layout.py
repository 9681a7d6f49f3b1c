"""Tables that keep words whole where the terminal is wide enough for them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from solver.common import visible

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    Cell = str | Text

_EDGES = 2  # characters of a table's left and right edge
_BETWEEN = 3  # characters between two columns
_TIGHT = 1  # between them where they would not fit otherwise


def laid_out(
    labels: Sequence[str], lines: Sequence[Sequence[Cell]], room: int, *, numbers: Container[int] = ()
) -> Table:
    """A table of cells below labels in `room` characters. `numbers` are the columns to be aligned to the right.

    Where all words fit, none is parted, if need be with less between the columns; else rich parts what it must.
    """
    from rich import box
    from rich.table import Table

    widths, between = _widths(labels, lines, room), _BETWEEN
    if widths is None:
        widths = _widths(labels, lines, room, _TIGHT)
        between = _BETWEEN if widths is None else _TIGHT
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, between // 2))
    for column, label in enumerate(labels):
        table.add_column(
            label,
            justify="right" if column in numbers else "left",
            overflow="fold",
            width=None if widths is None else widths[column],
        )
    for line in lines:
        table.add_row(*line)
    return table


def words_fit(labels: Sequence[str], lines: Sequence[Sequence[Cell]], room: int) -> bool:
    """Whether a table of these cells parts no word in `room` characters."""
    return _widths(labels, lines, room) is not None


def _widths(
    labels: Sequence[str], lines: Sequence[Sequence[Cell]], room: int, between: int = _BETWEEN
) -> list[int] | None:
    """A width for each column so that no word is parted; None where the words do not fit.

    The widest columns give way first, as long as their longest words allow.
    """
    columns = [[visible(str(cell)) for cell in column] for column in zip(labels, *lines, strict=True)]
    least = [max(_width(word) for cell in column for word in (cell.split() or [""])) for column in columns]
    widths = [max(_width(part) for cell in column for part in (cell.split("\n"))) for column in columns]
    left = room - _EDGES - between * (len(columns) - 1)
    if sum(least) > left:
        return None
    while sum(widths) > left:
        widest = max((width, column) for column, width in enumerate(widths) if width > least[column])[1]
        widths[widest] -= 1
    return widths


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)
