"""An estimate from one sampled game has no error that was measured, and says so."""

from __future__ import annotations

from typing import Any

import pytest

import athanor

SOLO = "alchemy solo line=4,7,K,2,9,A hand=6"
RACE = "alchemy duel totals=60,70 line=A,2,3,4,6,9 hand=7 opponent_hand=5 pile=A,A,A opponent_pile=K"


@pytest.mark.parametrize(("position", "options"), [(SOLO, {"nodes": 1}), (RACE, {"worlds": 1})])
def test_the_error_of_one_game_is_unknown(position: str, options: dict[str, Any]) -> None:
    found: Any = athanor.hint(position, **options)
    assert found.worlds == 1
    assert {move.stderr for move in found.moves} == {None}


@pytest.mark.parametrize(("position", "options"), [(SOLO, {"nodes": 1000}), (RACE, {"worlds": 2})])
def test_that_of_two_games_is_measured(position: str, options: dict[str, Any]) -> None:
    found: Any = athanor.hint(position, **options)
    assert found.worlds == 2
    assert all(0 < move.stderr < 0.5 for move in found.moves)


def test_nor_is_that_of_what_another_move_loses() -> None:
    found: Any = athanor.hint(SOLO, nodes=1)
    assert found.behind(found.best) == (0, 0)
    assert found.behind(found.moves[-1].move)[1] is None
