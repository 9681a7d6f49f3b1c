"""TOML text as data, in time and memory that grow no faster than the text does.

`tomllib` takes time and memory with the square of a key's length in parts: 80 KB of ``a.a.a.… = 1`` take 27 s and
5.9 GB. So the text is looked through first, in one pass that knows strings and comments but builds nothing.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from solver.inputs.errors import PositionError

MOST_PARTS = 32  # of a dotted key
MOST_LETTERS = 4000  # of a number or a bare key: it is read at one go, and thousands of digits take long
MOST_KEYS = 1000  # of one table or object

# What is between quotes; a text that does not end is not matched. No repetition is ever gone back into, so that
# matching takes one step a character. (Before 3.11.5, Python matches a possessive repetition wrongly where what is
# repeated may be gone back into, gh-106052; an atomic group means the same.)
TEXT = (
    r'"""(?>(?:[^"\\]++|\\.|"(?!""))*)"{3,5}|\'\'\'(?>(?:[^\']++|\'(?!\'\'))*)\'{3,5}'
    r'|"(?!"")(?>(?:[^"\\\n]++|\\[^\n])*)"|\'(?!\'\')[^\'\n]*+\''
)
# What is passed over to the next mark, and the mark, if there is one.
_MARK = re.compile(
    rf"([^#\n\[\]{{}}=,.\"']*+)(#[^\n]*+|\n(?>(?:\s++|#[^\n]*+)*)|{TEXT}|[\[\]{{}}=,.\"']|\Z)", re.DOTALL
)
_VALUES = frozenset("=,[{.")  # each stands before a value or a part of a key


def loads(text: str, most_values: int | None = None) -> dict[str, Any]:
    """The data of a TOML text, with at most so many values and keys.

    Raises tomllib.TOMLDecodeError, ValueError for a number or bare key of thousands of letters, RecursionError for
    what is nested too deeply, keys of very many parts too, and PositionError ("too_large").
    """
    _look_through(text, most_values)
    data = tomllib.loads(text)
    check_tables(data)
    return data


def too_many_values(most: int) -> PositionError:
    return PositionError("too_large", f"this has more than {most:,} values")


def too_many_keys() -> PositionError:
    return PositionError("too_large", f"an object has more than {MOST_KEYS:,} keys")


def check_tables(data: object) -> None:
    """Raise PositionError ("too_large") for a table of very many keys."""
    left = [data]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            if len(value) > MOST_KEYS:
                raise too_many_keys()
            left.extend(value.values())
        elif isinstance(value, list):
            left.extend(item for item in value if isinstance(item, dict | list))


def _look_through(text: str, most_values: int | None) -> None:
    dots = values = 0
    most = len(text) + 1 if most_values is None else most_values
    for found in _MARK.finditer(text):
        passed, mark = found.groups()
        if len(passed) > MOST_LETTERS and any(len(word) > MOST_LETTERS for word in passed.split()):
            raise ValueError(f"a number or key of more than {MOST_LETTERS:,} letters")
        if mark in _VALUES:
            values += 1
            if values > most:
                raise too_many_values(most)
        if mark == ".":
            dots += 1
            if dots >= MOST_PARTS:
                raise RecursionError
        elif mark in ('"', "'"):  # a string that does not end: the reader will say so, and read no further
            return
        elif mark[:1] not in ("#", '"', "'"):
            dots = 0
