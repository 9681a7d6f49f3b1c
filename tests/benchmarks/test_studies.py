"""Studies of seats and choices: figures by hand, and by the analyses of the positions."""

from __future__ import annotations

import pytest

import athanor
from benchmarks.studies import STUDIES, Choice, choices, declarations, led, seats

# The values of two deals by leader and seat, of two seats.
DEALS = [
    {"paranoid": [[3, 1], [0, 2]], "maxn": [[3, 2], [1, 2]]},
    {"paranoid": [[1, 1], [1, 1]], "maxn": [[1, 1], [1, 2]]},
]


def test_seats_of_two_deals_by_hand() -> None:
    found = seats(DEALS)
    # Of the first deal seat 0 is worth 3 when it leads and 0 else, seat 1 is worth 2 and 1.
    assert found["paranoid, the lead"].mean == 1.0
    assert [found[f"maxn, place {place}"].mean for place in range(2)] == [2.0, 1.25]
    assert found["paranoid, maxn differ"].mean == (0.5 + 0.25) / 2
    assert found["paranoid, maxn differ"].half == pytest.approx(1.959964 * 0.125)


@pytest.mark.parametrize(("game", "variant"), [("kirin", "ending"), ("king", "5"), ("aqua-regia", "2")])
def test_the_positions_of_a_deal_differ_by_their_leader_alone(game: str, variant: str) -> None:
    positions = led(game, variant, 3, 1)
    assert [athanor.to_move(position) for position in positions] == list(range(len(positions)))
    key = "turn" if game == "aqua-regia" else "leader"
    assert len({str(position.model_copy(update={key: 0})) for position in positions}) == 1
    found = STUDIES[f"{game}/seats/{variant}"](numbers=range(1, 2), seed=3)
    worths = [
        athanor.analyze(position, model="ally", player=seat).value for seat, position in enumerate(positions)
    ]
    assert found["ally, place 0"].mean == pytest.approx(sum(worths) / len(worths))  # type: ignore[arg-type]


def test_the_best_choice_is_the_one_that_was_judged_best() -> None:
    first = [Choice("a", "low", 4, 1), Choice("b", "low", 2, 5), Choice("c", "high", 0, 0)]
    found = choices([first, [Choice("a", "low", 3, 3), Choice("b", "low", 1, 1)]])
    assert [found[what].mean for what in ("the best", "any", "the worst", "high", "low")] == [
        2.5,
        2.0,
        0.5,
        -2.0,
        0.5,
    ]


def test_each_card_may_be_set_aside() -> None:
    found = list(declarations("ally", 2, 0))
    assert len(found) == 9
    assert all(one.value == one.judged for one in found)
