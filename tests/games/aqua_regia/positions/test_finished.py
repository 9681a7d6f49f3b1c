"""Finished games can be sent back in: the seat that played the last cards has none left."""

from __future__ import annotations

import pytest

import athanor
from solver.errors import PositionError, RequestError

ENDING = {
    "game": "aqua-regia", "field": "vapor", "turn": 0, "table": ["Al"], "owner": 2,
    "hands": [["Fe"], ["Cu", "Pt"], ["Zn"]], "stock": [],
}  # fmt: skip


def test_a_finished_game_is_read_again_as_it_is_told() -> None:
    position = athanor.parse(ENDING)
    for seat in range(3):
        view = athanor.play(athanor.view(position, seat), "Fe")
        again = athanor.parse(str(view))
        assert str(again) == str(view)
        assert not athanor.legal_moves(again)
        with pytest.raises(RequestError) as found:
            athanor.hint(again, nodes=100)
        assert (found.value.code, found.value.path) == ("game_over", "counts[0]")
    over = athanor.play(position, "Fe")
    assert str(athanor.parse(str(over))) == str(over)
    assert not athanor.legal_moves(str(over))


def test_nobody_else_is_without_cards() -> None:
    for hands, path in (([["Fe"], [], ["Zn"]], "hands[1]"), ([[], ["Cu"], []], "hands[0]")):
        with pytest.raises(PositionError) as found:
            athanor.parse(ENDING | {"hands": hands})
        assert (found.value.code, found.value.path) == ("wrong_size", path)
    with pytest.raises(PositionError) as found:
        athanor.parse(
            {key: value for key, value in ENDING.items() if key not in ("table", "owner")}
            | {"hands": [[], ["Fe"], ["Zn"]]}
        )
    assert found.value.path == "hands[0]"
