"""Puzzles of hidden hands: a hint judges what is stated, and nothing is called proved."""

from __future__ import annotations

from typing import Any

import pytest

from puzzles import replies, training
from puzzles.check import solve_puzzle
from puzzles.format import Puzzle, from_data
from solver.errors import PuzzleError
from solver.limits import Limit
from tests.support.puzzle_checks import collection

PUZZLES = collection("hidden-hands")
LIMIT = Limit(nodes=10_000)
# Of three cards B6 is the best beyond doubt.
CLEAR = PUZZLES[2]


def stating(best: list[str], position: Any = None) -> Puzzle:
    data = {"id": "p", "title": "t", "ask": "best-move", "solution": {"best": best}}
    return from_data({"puzzle": [data | {"position": position or CLEAR.position.model_dump()}]}).puzzles[0]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.id)
def test_hints_confirm_the_collection(puzzle: Puzzle) -> None:
    found = solve_puzzle(puzzle, LIMIT)
    assert (found.status, found.reason) == ("confirmed", "as a hint judges it")
    assert found.answer is not None
    assert not found.answer.exact
    assert found.found is not None
    assert found.found.value is None


def test_a_move_that_is_behind_is_refuted() -> None:
    found = solve_puzzle(stating(["B6", "G3"]), LIMIT)
    assert (found.status, found.confirmed) == ("refuted", False)
    assert found.reason == "a hint judges G3 to be worse than B6"


def test_a_move_that_may_be_as_good_leaves_it_open() -> None:
    few = Limit(nodes=60)  # too short to tell the cards apart
    found = solve_puzzle(stating(["B6"]), few)
    assert (found.status, found.confirmed) == ("unproved", None)
    assert found.reason is not None
    assert found.reason.startswith("a hint of this length does not tell ")


def test_without_a_solution_the_hint_tells_it() -> None:
    found = solve_puzzle(CLEAR.model_copy(update={"solution": None}), LIMIT)
    assert found.status == "solved"
    assert found.found is not None
    assert found.found.best == ("B6",)


def test_no_value_can_be_stated() -> None:
    data = CLEAR.model_dump(exclude_none=True)
    data["solution"] = {"best": ["B6"], "value": 3}
    with pytest.raises(PuzzleError) as found:
        from_data({"puzzle": [data]})
    assert (found.value.code, found.value.path) == ("conflict", "puzzle[0].solution.value")


def test_in_training_the_stated_moves_are_right() -> None:
    assert CLEAR.id in {puzzle.id for puzzle in training.chosen(game="kirin")}
    assert replies.is_best(CLEAR, "B6") is True
    assert replies.is_best(CLEAR, "G3") is False


AQUA = collection("made-aqua-regia-hidden-hand")


@pytest.mark.parametrize("puzzle", AQUA[::6], ids=lambda puzzle: puzzle.id)
def test_what_is_sure_in_aqua_regia_is_proved(puzzle: Puzzle) -> None:
    found = solve_puzzle(puzzle, Limit())
    assert (found.status, found.reason) == ("confirmed", None)
    assert puzzle.solution is not None
    assert found.found == puzzle.solution
    assert puzzle.solution.value == 1
    moves = [puzzle.game.format_move(puzzle.position, move) for move in puzzle.game.legal_moves(puzzle.position)]
    assert [move for move in moves if replies.is_best(puzzle, move)] == list(puzzle.solution.best or ())
    assert puzzle.id in {one.id for one in training.chosen(game="aqua-regia")}
