"""Making puzzles: what is made is proved, graded by what was measured, the same each time, and never twice."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from puzzles.check import solve_puzzle
from puzzles.format import GRADES, Measured, loads
from puzzles.generate import Collecting, Made, Order, grade_of, make, points_of, short_of
from puzzles.solution import Solution
from solver.errors import PuzzleError
from solver.limits import Control, Limit
from solver.positions import parse_position
from solver.registry import game_of

ORDER = Order(game="kirin", seed=5, model="paranoid")
DUEL = parse_position("alchemy duel line=2,3,4,6,10,K hand=5 opponent_hand=3")


@pytest.fixture(scope="module")
def made() -> list[tuple[int, Made]]:
    """The first two puzzles with their deals."""
    found = ((number, make(ORDER, number)) for number in range(20))
    return list(islice(((number, one) for number, one in found if one is not None), 2))


def results(made: list[tuple[int, Made]]) -> list[dict[str, Any]]:
    return [{"number": number, "puzzle": one.puzzle, "symmetry": one.symmetry} for number, one in made]


def test_what_is_made_is_confirmed(made: list[tuple[int, Made]]) -> None:
    collecting = Collecting(ORDER, 2)
    for deal, result in enumerate(results(made)):
        collecting.add(deal, result)
    assert collecting.full
    puzzles = loads(collecting.text()).puzzles
    assert [puzzle.id for puzzle in puzzles] == [f"kirin-best-move-5-{number}" for number, _ in made]
    for puzzle in puzzles:
        found = solve_puzzle(puzzle, Limit())
        assert found.status == "confirmed"
        assert found.found is not None
        assert found.found == puzzle.solution
        assert len(found.found.best or ()) == 1
        assert puzzle.measured is not None
        assert puzzle.grade == grade_of(points_of(puzzle.measured, found.found))


def test_only_what_is_asked_for_and_the_same_each_time(made: list[tuple[int, Made]]) -> None:
    number, first = made[0]
    grade = first.puzzle["grade"]
    assert make(ORDER.model_copy(update={"grade": grade}), number) == first
    other = make(ORDER.model_copy(update={"grade": next(name for name in GRADES if name != grade)}), number)
    assert other is None or other.puzzle["grade"] != grade


def test_puzzles_are_kept_in_the_order_of_their_deals_and_once(made: list[tuple[int, Made]]) -> None:
    first, second = results(made)
    nothing = {"number": 3, "puzzle": None, "symmetry": None}
    collecting = Collecting(ORDER, 2)
    collecting.add(3, second)
    collecting.add(2, {**first, "number": 99})
    collecting.add(0, first)
    assert (collecting.deals, len(collecting.puzzles)) == (1, 1)  # deal 1 is not done yet
    collecting.add(1, nothing)
    assert (collecting.deals, len(collecting.puzzles), collecting.repeated) == (4, 2, 1)
    known = loads(collecting.text()).puzzles
    other = Collecting(ORDER, 1, known)
    other.add(0, first)
    assert (other.puzzles, other.repeated) == ([], 1)


def test_without_a_puzzle_there_is_no_file() -> None:
    collecting = Collecting(ORDER, 1)
    collecting.add(0, {"error": {"code": "internal_error", "path": "", "message": "broken"}})
    assert collecting.faults == ["broken"]
    with pytest.raises(PuzzleError):
        collecting.text()


@pytest.mark.parametrize(
    ("measured", "grade"),
    [
        ({"obvious": "S1", "shallow": "S1", "hint": "S1", "steps": 2}, "easy"),
        ({"obvious": "S2", "shallow": "S1", "steps": 2, "short": 2.0}, "medium"),
        ({"obvious": "S2", "shallow": "S2", "steps": 2, "short": 1.0}, "hard"),
        ({"obvious": "S2", "shallow": "S2", "hint": "S2", "steps": 5, "short": 1.0}, "expert"),
    ],
)
def test_grades(measured: dict[str, Any], grade: str) -> None:
    assert grade_of(points_of(Measured(**measured), Solution(best=("S1",), value=3))) == grade


def test_how_far_a_move_falls_short() -> None:
    answer = game_of(DUEL).analyze(DUEL, Control())
    found = Solution(best=("5+4+6=2+3+10",), value=6)
    assert short_of("5+4+6=2+3+10", answer, found) is None
    assert short_of("none", answer, found) is not None
    assert short_of(4, answer, Solution(value=6)) == 2.0


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"task": "compound"}, "task"),
        ({"theme": "squeeze"}, "theme"),
        ({"game": "chess"}, "game"),
        ({"task": "hidden-hand", "model": "ally"}, "model"),
    ],
)
def test_what_there_is_not(wrong: dict[str, Any], path: str) -> None:
    from solver.errors import RequestError
    from solver.findings import validated

    with pytest.raises(RequestError) as found:
        validated(Order.model_validate, {"game": "kirin"} | wrong, RequestError)
    assert found.value.path == path
