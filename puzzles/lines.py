"""On which line of a TOML text a key is, for error messages: one pass over the text, once something is wrong."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from solver.inputs.tomltext import TEXT

Step = str | int
Path = tuple[Step, ...]
Place = tuple[int, Path, bool]  # where something begins, its path, and whether it is a header
Tokens = Sequence[tuple[int, str]]  # where each begins, and what it is

# The end of a line with all blank ones after it; texts; marks; and words: bare keys, numbers, dates.
_TOKEN = re.compile(
    rf"(?P<end>\n(?>(?:\s++|#[^\n]*+)*))|#[^\n]*+|[^\S\n]++"
    rf"|(?P<rest>{TEXT}|[\[\]{{}}=,.]|[^\[\]{{}}=,.\s#\"']++)",
    re.DOTALL,
)


def line_of(text: str, data: Mapping[str, Any], path: str) -> int:
    """The line, from 1, of `path` (``puzzle[3].position.line[2]``) in the `text` that `data` was read from.

    For a key that is missing, the line of the table that lacks it. 0 when it cannot be told.
    """
    steps = tuple(steps_of(data, path))
    outermost = steps[:1]
    places = list(_places(text)) if steps else []
    while steps:
        first = None
        for place, found, header in places:
            if found == steps:
                return _line(text, place)
            # A table need not have a header of its own; one of a table within it tells where it begins.
            if header and first is None and found[: len(steps)] == steps:
                first = place
        if first is not None:
            return _line(text, first)
        steps = steps[:-1]
    return next((_line(text, place) for place, found, _ in places if found[:1] == outermost), 0)


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


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _places(text: str) -> Iterator[Place]:
    """Each header, key and entry of a list, in the order of the text.

    The text is one that `tomllib` has read.
    """
    tokens = [
        (found.start(), found["rest"] or "\n") for found in _TOKEN.finditer(text) if found["rest"] or found["end"]
    ]
    tokens.append((len(text), "\n"))
    entries: dict[Path, int] = {}  # how many tables an array of tables has so far
    table: Path = ()
    at = 0
    while at < len(tokens):
        place, token = tokens[at]
        if token == "\n":
            at += 1
        elif token == "[":
            many = tokens[at + 1] == (place + 1, "[")
            keys, at = _key(tokens, at + 1 + many)
            table = _resolved(keys, entries)
            if many:
                number = entries[table] = entries.get(table, -1) + 1
                table += (number,)
            else:
                table = _last(table, entries)
            yield place, table, True
            at += 1 + many
        else:
            keys, at = _key(tokens, at)
            yield place, table + keys, False
            at = yield from _value(tokens, at + 1, table + keys)


def _resolved(keys: Path, entries: Mapping[Path, int]) -> Path:
    """The path of a header's keys, all but the last seen from the newest entries of arrays of tables."""
    path: Path = ()
    for key in keys[:-1]:
        path = _last((*path, key), entries)
    return path + keys[-1:]


def _last(path: Path, entries: Mapping[Path, int]) -> Path:
    return (*path, entries[path]) if path in entries else path


def _key(tokens: Tokens, at: int) -> tuple[Path, int]:
    """The parts of the key that begins at a token, and the token after it."""
    parts: list[Step] = []
    while (token := tokens[at][1]) not in ("=", "]", "\n"):
        if token != ".":
            quoted = token[0] in "\"'"
            parts.append(tomllib.loads(f"key = {token}")["key"] if quoted else token)
        at += 1
    return tuple(parts), at


def _value(tokens: Tokens, at: int, path: Path) -> Generator[Place, None, int]:
    """The places within the value that begins at a token; what is returned is the number of the token after it."""
    opening = tokens[at][1]
    if opening not in ("[", "{"):
        while tokens[at][1] not in (",", "]", "}", "\n"):
            at += 1
        return at
    at += 1
    number = 0
    while (token := tokens[at])[1] not in ("]", "}"):
        if token[1] in (",", "\n"):
            number += token[1] == ","
            at += 1
        elif opening == "[":
            yield token[0], (*path, number), False
            at = yield from _value(tokens, at, (*path, number))
        else:
            keys, at = _key(tokens, at)
            yield token[0], path + keys, False
            at = yield from _value(tokens, at + 1, path + keys)
    return at + 1
