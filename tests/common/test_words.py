"""Words of messages: one thing is not several."""

from __future__ import annotations

from solver.common import counted


def test_counted() -> None:
    assert [counted(number, "card") for number in range(3)] == ["0 cards", "1 card", "2 cards"]
