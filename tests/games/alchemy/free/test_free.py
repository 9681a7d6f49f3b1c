"""Puzzles with an objective: the optimum against the reference, the enumeration, and limits."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.common import Random
from solver.games.alchemy import matches as alchemy_matches
from solver.games.alchemy.deck import card, cards, points
from solver.games.alchemy.position import FreePosition, OptimumAnalysis
from solver.limits import Control, Limit
from tests.reference import alchemy as ref

OBJECTIVES = ("most-cards", "fewest-cards", "most-points")


def puzzle(line: list[int], hand: int, fewest: int, **more: Any) -> FreePosition:
    return FreePosition(
        game="alchemy", variant="free", min_line=fewest, line=tuple(cards(line)), hand=card(hand), **more
    )


def worth(objective: str, hand: int, used: tuple[str, ...]) -> int:
    ranks = [
        hand,
        *(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"].index(c) + 1 for c in used),
    ]
    return ref.points(ranks) if objective == "most-points" else len(used)


def check(position: FreePosition, answer: OptimumAnalysis, expected: int | None) -> None:
    """The value, and that the move found is a match that has it."""
    assert answer.exact
    assert answer.value == expected
    if expected is None:
        assert (answer.moves, answer.best, answer.bounds, answer.line) == ((), None, None, ())
        return
    assert answer.bounds == (expected, expected)
    (found,) = answer.moves
    assert found.move == answer.best == answer.line[0]
    assert found.value == expected == worth(position.objective or "", position.hand_rank, found.used)
    left = list(position.line)
    for text in found.used:
        left.remove(text)
    first, second = ([card_sum(c) for c in side.split("+")] for side in found.move.split("="))
    assert sum(first) == sum(second)
    assert sorted([*first, *second]) == sorted([position.hand_rank, *map(card_sum, found.used)])


def card_sum(text: str) -> int:
    return {"A": 1, "J": 11, "Q": 12, "K": 13}.get(text) or int(text)


@settings(max_examples=250)
@given(
    st.lists(st.integers(1, 13), max_size=7), st.integers(1, 13), st.integers(1, 4), st.sampled_from(OBJECTIVES),
    st.none() | st.integers(1, 8),
)  # fmt: skip
def test_small_lines_against_the_reference(
    line: list[int], hand: int, fewest: int, objective: str, wanted: int | None
) -> None:
    position = puzzle(line, hand, fewest, objective=objective, cards=wanted)
    check(
        position, alchemy_matches.optimum(position, Control()), ref.optimum(line, hand, fewest, objective, wanted)
    )


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_many_aces(objective: str) -> None:
    # Four aces together are 10, the hand's counted too; each further one is 1.
    for hand, line in ((1, [1, 1, 1, 5, 9]), (1, [1] * 7), (3, [1, 1, 1, 1, 1, 2, 13]), (4, [1, 1, 1, 1, 13])):
        position = puzzle(line, hand, 1, objective=objective)
        check(position, alchemy_matches.optimum(position, Control()), ref.optimum(line, hand, 1, objective))


@pytest.mark.parametrize("size", [9, 13, 17, 20])
def test_longer_lines_against_the_enumeration(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alchemy_matches, "MOST_LISTED", 1 << 30)
    random = Random(1, size)
    for case in range(3):
        line = [1 + random.below(13) for _ in range(size)]
        hand = 1 + random.below(13)
        for wanted in (None, 3 + random.below(size - 3)):
            matches = alchemy_matches.all_matches(puzzle(line, hand, 2, cards=wanted), Control()).moves
            for objective in OBJECTIVES[case:] if size > 13 else OBJECTIVES:
                position = puzzle(line, hand, 2, cards=wanted, objective=objective)
                values = [worth(objective, hand, match.used) for match in matches]
                best = min if objective == "fewest-cards" else max
                check(position, alchemy_matches.optimum(position, Control()), best(values, default=None))


@pytest.mark.parametrize("objective", ["most-cards", "fewest-cards"])
@pytest.mark.parametrize("wanted", [None, 31])
def test_sixty_cards_are_proved(objective: str, wanted: int | None) -> None:
    random = Random(2)
    line = [1 + random.below(13) for _ in range(60)]
    position = puzzle(line, 9, 1, objective=objective, cards=wanted)
    answer = alchemy_matches.optimum(position, Control())
    assert answer.exact
    assert answer.value is not None
    check(position, answer, answer.value)
    if wanted is not None:
        assert answer.value == wanted
    elif objective == "most-cards":
        # All cards or, when the sum is odd, all but one.
        assert answer.value == 60 - (sum(line) + 9) % 2
    else:
        assert answer.value == 1 if 9 in line else 2


def test_sixty_cards_by_points() -> None:
    line = [13] * 20 + [1] * 4 + [2] * 36
    position = puzzle(line, 2, 1, objective="most-points")
    check(position, alchemy_matches.optimum(position, Control()), points([2, *line]))
    odd = puzzle([13] * 20 + [1] * 3 + [2] * 37, 2, 1, objective="most-points")
    check(odd, alchemy_matches.optimum(odd, Control()), points([2, *[13] * 20, *[1] * 2, *[2] * 37]))


def test_no_match_satisfies_it() -> None:
    for line, hand, more in (
        ([2, 4, 6], 9, {}),
        ([9, 9], 9, {"cards": 2}),
        ([9], 9, {"cards": 5}),
        ([], 9, {}),
        ([13] * 60, 12, {}),
    ):
        for objective in OBJECTIVES:
            position = puzzle(line, hand, 1, objective=objective, **more)
            check(position, alchemy_matches.optimum(position, Control()), None)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("limit", [Limit(seconds=1e-9), Limit(seconds=0.001), Limit(nodes=1)])
def test_limits_end_the_search_with_bounds_that_hold(objective: str, limit: Limit) -> None:
    random = Random(3)
    for wanted in (None, 31):
        line = [1 + random.below(13) for _ in range(60)]
        position = puzzle(line, 9, 1, objective=objective, cards=wanted)
        truth = alchemy_matches.optimum(position, Control(Limit(seconds=20.0)))
        answer = alchemy_matches.optimum(position, Control(limit))
        assert truth.bounds is not None
        assert answer.bounds is not None
        assert answer.bounds[0] <= truth.bounds[1]
        assert truth.bounds[0] <= answer.bounds[1]
        if truth.value is not None:
            assert answer.bounds[0] <= truth.value <= answer.bounds[1]
        if answer.exact:
            assert answer.value == truth.value
        else:
            assert answer.bounds[0] < answer.bounds[1] or answer.value is None
