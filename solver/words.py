"""Words of messages."""

from __future__ import annotations


def counted(number: int, one: str, several: str = "") -> str:
    """A number of things: 1 card, 2 cards."""
    return f"{number} {one}" if number == 1 else f"{number} {several or one + 's'}"
