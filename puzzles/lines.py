"""On which line of a TOML text a key is, for error messages. Slow: used only once something is wrong.

The text is parsed again with tomlkit, which keeps every line; a marker is put in front of the key, and
the lines before the marker are counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tomlkit
from tomlkit.items import AbstractTable, AoT, Array, Item

Step = str | int


def line_of(text: str, data: Mapping[str, Any], path: str) -> int:
    """The line, from 1, of `path` (``puzzle[3].position.line[2]``) in the `text` that `data` was read from.

    For a key that is missing, the line of the table that lacks it. 0 when it cannot be told.
    """
    steps = steps_of(data, path)
    while steps:
        try:
            line = _marked_line(text, steps)
        except Exception:  # a line number is a courtesy; the lack of one must not hide the error itself
            line = 0
        if line:
            return line
        steps.pop()
    return 0


def steps_of(data: object, path: str) -> list[Step]:
    """The keys and indices of a path, as far as `data` has them."""
    steps: list[Step] = []
    while path:
        step, path = _next_step(data, path)
        if step is None:
            break
        steps.append(step)
        data = data[step]  # type: ignore[index]  # _next_step found it there
    return steps


def _next_step(data: object, path: str) -> tuple[Step | None, str]:
    if isinstance(data, Mapping):
        path = path.removeprefix(".")
        # A quoted key may itself hold dots and brackets: the longest that fits is meant.
        for key in sorted(data, key=len, reverse=True):
            rest = path[len(key) :]
            if path.startswith(key) and rest[:1] in ("", ".", "["):
                return key, rest
    elif isinstance(data, Sequence) and path.startswith("["):
        digits, _, rest = path[1:].partition("]")
        if digits.isdigit() and int(digits) < len(data):
            return int(digits), rest
    return None, ""


def _marked_line(text: str, steps: Sequence[Step]) -> int:
    marker = "@here@"
    while marker in text:
        marker += "@"
    document = tomlkit.parse(text)
    if document.as_string().count("\n") != text.count("\n"):  # it may lose a blank, never a line
        return 0
    holder: Any = document
    for step in steps[:-1]:
        holder = _child(holder, step)
    last = steps[-1]
    if isinstance(holder, Array):
        holder[int(last)] = marker
        return _line_of_marker(document, marker)
    return _mark(document, _child(holder, last), marker)


def _mark(document: tomlkit.TOMLDocument, item: Any, marker: str) -> int:
    """Mark an item where it starts; a table without a header of its own, at its first key."""
    if isinstance(item, AoT):
        item = item[0]
    if not isinstance(item, Item):
        return 0
    indent = item.trivia.indent
    item.trivia.indent = indent + marker
    line = _line_of_marker(document, marker)
    item.trivia.indent = indent
    if not line and isinstance(item, AbstractTable):
        lines = (_mark(document, _child(item, key), marker) for key in item)
        return min((found for found in lines if found), default=0)
    return line


def _line_of_marker(document: tomlkit.TOMLDocument, marker: str) -> int:
    text = document.as_string()
    place = text.find(marker)
    return text.count("\n", 0, place) + 1 if place >= 0 else 0


def _child(holder: Any, step: Step) -> Any:
    if isinstance(holder, AbstractTable):
        return holder.value.item(str(step))
    if isinstance(holder, tomlkit.TOMLDocument):
        return holder.item(str(step))
    return holder[step]
