"""What hints tell of the error of their model."""

from __future__ import annotations

from typing import Any

import pytest

from solver import registry
from solver.hints.ranking import error_of
from solver.limits import Control
from solver.positions import parse_position, position_data


def test_the_nearest_number_of_cards_that_was_measured_counts() -> None:
    assert [error_of({2: 0.1, 5: 0.4}, cards) for cards in (1, 2, 3, 4, 9)] == [0.1, 0.1, 0.1, 0.4, 0.4]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("kirin", {}),
        ("kirin", {"variant": "undeclared"}),
        ("king", {"players": 4}),
        ("king", {"players": 5}),
        ("aqua-regia", {"players": 2}),
    ],
)
def test_the_error_told_of_a_mean_has_both_parts(game: str, options: dict[str, Any]) -> None:
    rules = registry.game(game)
    position: Any = rules.deal(3, **options)
    answer: Any = rules.hint(rules.view(position, position.seat_to_move), Control(), worlds=300)
    assert answer.model_error > 0
    for move in answer.moves:
        assert move.total_error**2 == pytest.approx(move.stderr**2 + answer.model_error**2)


def test_where_nothing_was_measured_nothing_is_told() -> None:
    rules = registry.game("kirin")
    data = position_data(rules.view(rules.deal(3), 0))
    decided = parse_position({**data, "totals": [5, 4, 5, 6], "round": 2, "for_match": True})
    answer: Any = rules.hint(decided, Control(), worlds=50)
    assert answer.model_error is None
    assert "total_error" not in answer.to_dict()["moves"][0]
