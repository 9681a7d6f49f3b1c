"""Hints for the player who grabs second: the most points or, in a race, what wins it."""

from __future__ import annotations

from typing import Any

import pytest

import athanor

LEFT = "line=2,3,4,7,9,K hand=9 opponent_hand=5"


def test_without_a_race_the_most_points_are_best() -> None:
    found: Any = athanor.hint(f"alchemy duel {LEFT} grabbed=1:5+2=7")
    assert (found.best, found.exact, found.to_move) == ("9+4=K", True, 0)
    assert [(row.move, row.points, row.win_probability) for row in found.moves] == [
        ("9+4=K", 4, None), ("9=9", 2, None), ("none", 0, None),
    ]  # fmt: skip
    assert "9+4=K scores 4; " in found.reason


def test_in_the_last_exchange_of_a_race_the_chances_are_those_of_the_totals() -> None:
    """With no deck left the race is decided, or it goes on from totals that are known."""
    found: Any = athanor.hint(f"alchemy duel totals=96,95 {LEFT} grabbed=1:5+2=7 unseen=-", worlds=2)
    chances = {row.move: row.win_probability for row in found.moves}
    assert chances["9+4=K"] == 1  # 100 to 98
    assert 0.2 < chances["none"] < chances["9=9"] < 0.8  # 96 to 98, 98 to 98
    assert chances["9=9"] == pytest.approx(0.5, abs=1e-9)
    lost: Any = athanor.hint(f"alchemy duel totals=95,98 {LEFT} grabbed=1:5+2=7 unseen=-", worlds=2)
    assert {row.win_probability for row in lost.moves} == {0}  # 99 to 101 at the best


def test_the_opponents_grab_is_made_before_the_rest_is_played_out() -> None:
    """What the opponent has taken counts for the opponent, and can be taken by nobody else."""
    rest = "unseen=- totals=90,95 line=2,3,4,7,9,K hand=5 opponent_hand=9"
    low: Any = athanor.hint(f"alchemy duel {rest} grabbed=1:none", worlds=2)
    high: Any = athanor.hint(f"alchemy duel {rest} grabbed=1:9+4=K", worlds=2)
    assert {row.move for row in high.moves} < {row.move for row in low.moves}
    shared = {row.move: row.win_probability for row in high.moves}
    assert all(shared.get(row.move, 0) < row.win_probability for row in low.moves)
