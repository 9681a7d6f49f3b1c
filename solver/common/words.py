"""Words of messages."""

from __future__ import annotations

import re
from collections.abc import Sequence


def counted(number: int, one: str, several: str = "") -> str:
    """A number of things: 1 card, 2 cards."""
    return f"{number} {one}" if number == 1 else f"{number} {several or one + 's'}"


def seats_named(seats: Sequence[int]) -> str:
    """Some seats, one at least: seat 1, seats 1, 2."""
    return f"seat {seats[0]}" if len(seats) == 1 else f"seats {', '.join(map(str, seats))}"


_NAMED = 3  # things in a row; of more of them the rest is counted


def in_a_row(texts: Sequence[str]) -> str:
    """Some things, at least one: D6, S1 and B+; of many the first ones: D6, S1 and 4 others."""
    rest = len(texts) - _NAMED + 1
    *before, last = texts if rest < 2 else [*texts[: _NAMED - 1], counted(rest, "other")]
    return f"{', '.join(before)} and {last}" if before else last


# What a terminal obeys or hides instead of showing it: controls but for tabs and ends of lines, and the marks that
# break lines or turn the direction of writing.
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """A text of others as it can be printed: what would steer a terminal is escaped, as ``\\u001b``.

    So are such characters in the texts of JSON, which stays the same data.
    """
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
