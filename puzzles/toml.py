"""Writing puzzles as TOML that a person likes to read: short tables in a line, long ones as sections."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeGuard

_WIDTH = 100
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f]')


def puzzle_text(data: Mapping[str, object]) -> str:
    """One ``[[puzzle]]`` from plain data."""
    lines = ["[[puzzle]]"]
    sections: list[str] = []
    for key, value in data.items():
        line = f"{_key(key)} = {_inline(value)}"
        if isinstance(value, Mapping) and len(line) > _WIDTH:
            sections += ["", f"[puzzle.{_key(key)}]", *(_entry(inner, held) for inner, held in value.items())]
        else:
            lines.append(_entry(key, value))
    return "\n".join([*lines, *sections, ""])


def _entry(key: str, value: object) -> str:
    line = f"{_key(key)} = {_inline(value)}"
    if len(line) <= _WIDTH or not _is_list(value):
        return line
    rows = [""]
    for item in value:
        word = f"{_inline(item)},"
        if rows[-1] and len(rows[-1]) + len(word) > _WIDTH - 5:
            rows.append("")
        rows[-1] += f" {word}" if rows[-1] else word
    return "\n".join([f"{_key(key)} = [", *(f"    {row}" for row in rows), "]"])


def _inline(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_inline(held)}" for key, held in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if _is_list(value):
        return f"[{', '.join(_inline(item) for item in value)}]"
    raise TypeError(f"no TOML for {value!r}")


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _escape(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04X}"


def _string(text: str) -> str:
    return '"' + _ESCAPED.sub(_escape, text) + '"'
