"""Words of messages."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, one: str, several: str = "") -> str:
    """A number of things: 1 card, 2 cards."""
    return f"{number} {one}" if number == 1 else f"{number} {several or one + 's'}"


def seats_named(seats: Sequence[int]) -> str:
    """Some seats, one at least: seat 1, seats 1, 2."""
    return f"seat {seats[0]}" if len(seats) == 1 else f"seats {', '.join(map(str, seats))}"
