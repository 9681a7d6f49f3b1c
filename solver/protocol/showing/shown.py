"""Labelled lines and tables as plain text, and as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from solver.protocol.showing.rows import SHOWN, Part, Rows, Table, more_than_shown, table_of


def rows_text(rows: Rows) -> str:
    """Labelled lines as text, the labels aligned; further lines of a value lie under its first."""
    width = max((len(label) for label, _ in rows), default=0)
    lines = []
    for label, value in rows:
        first, *others = value.split("\n")
        lines.append(f"{label:<{width}}  {first}".rstrip())
        lines += [f"{'':<{width}}  {other}".rstrip() for other in others]
    return "\n".join(lines)


def rows_html(rows: Rows) -> str:
    """Labelled lines as an HTML table. Everything is escaped: titles and cards may come from strangers."""
    cells = (f"<tr><th>{_html(label)}</th><td>{_html(value)}</td></tr>" for label, value in rows)
    return f"<table>{''.join(cells)}</table>"


def parts_text(parts: Sequence[Part]) -> str:
    """Labelled lines as text, and below them their tables."""
    found = []
    for part in parts:
        found.append(rows_text(part.rows))
        if part.entries:
            found.append(_table_text(table_of(part.entries, SHOWN)))
            found.append(more_than_shown(part.entries))
    return "\n\n".join(filter(None, found))


def parts_html(parts: Sequence[Part]) -> str:
    """Labelled lines and their tables as HTML tables, without scripts or styles."""
    found = []
    for part in parts:
        found.append(rows_html(part.rows))
        if part.entries:
            found.append(_table_html(table_of(part.entries, SHOWN)))
            found.append(_html(more_than_shown(part.entries)))
    return "".join(found)


def _table_text(table: Table) -> str:
    # A cell of several lines is told in one.
    lines = [[cell.replace("\n", "; ") for cell in line] for line in (table.labels, *table.lines)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in table.numbers else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _table_html(table: Table) -> str:
    head = "".join(f"<th>{_html(label)}</th>" for label in table.labels)
    lines = ("".join(f"<td>{_html(cell)}</td>" for cell in line) for line in table.lines)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html(text: str) -> str:
    return escape(text).replace("\n", "<br>")
