"""Compounding puzzles: the collection's are confirmed and are no easy ones; what a wrong solution is told."""

from __future__ import annotations

from typing import Any

import pytest

from puzzles import wording
from puzzles.check import solve_puzzle
from puzzles.format import Puzzle, dumps, from_data, load, loads
from solver.errors import PuzzleError
from solver.games.king.compounding import compound
from solver.games.king.deck import house
from solver.games.king.position import CardSet
from solver.games.king.puzzles import by_rule, dear
from solver.limits import Control, Limit
from tests.support import places

pytestmark = [pytest.mark.small, pytest.mark.plain]

FILE = load(places.COLLECTION / "king.toml")
PUZZLES = [puzzle for puzzle in FILE.puzzles if puzzle.ask == "compound"]

POSITION = {"game": "king", "deck": "house", "cards": ["F3", "F6", "F8", "W3", "W5", "E3", "E8", "A1"]}
RECIPES = [{"card": "W3", "uses": ["A1", "W5"]}, {"card": "E3", "uses": ["F8", "E8"]}]


@pytest.mark.covered
def test_the_collection() -> None:
    assert len(PUZZLES) >= 10
    assert len({puzzle.grade for puzzle in PUZZLES}) > 1
    assert all(puzzle.solution is not None and wording.note(puzzle) for puzzle in PUZZLES)
    assert loads(dumps(FILE)) == FILE


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.id)
def test_the_solver_confirms_and_greed_is_wrong(puzzle: Puzzle) -> None:
    assert solve_puzzle(puzzle, Limit()).status == "confirmed"
    position = puzzle.position
    assert isinstance(position, CardSet)
    assert puzzle.solution is not None
    ways = compound(position.full_deck, position.numbers, Control(), count=2).ways
    assert ways is not None
    assert all(way.bonus < ways[0].bonus for way in ways[1:])
    assert by_rule(house(), position.numbers, dear) < ways[0].bonus


def puzzle(**solution: Any) -> Puzzle:
    data = {"id": "p", "title": "T", "ask": "compound", "position": POSITION, "solution": solution}
    (read,) = from_data({"puzzle": [data]}).puzzles
    return read


@pytest.mark.parametrize(
    ("solution", "reason"),
    [
        ({"total": 20}, "the total is 21, not 20"),
        ({"bonus": 11}, "the bonus is 10, not 11"),
        ({"recipes": RECIPES[:1]}, "the recipes have a bonus of 5, but 10 can be made"),
        ({"bonus": 10, "recipes": []}, "the recipes have a bonus of 0, but 10 can be made"),
    ],
)
def test_a_wrong_solution_is_refuted(solution: dict[str, Any], reason: str) -> None:
    result = solve_puzzle(puzzle(**solution), Limit())
    assert (result.status, result.reason) == ("refuted", reason)
    assert result.found is not None
    assert (result.found.total, result.found.bonus) == (21, 10)


def test_any_best_way_is_confirmed() -> None:
    other = [{"card": "E3", "uses": ["E8", "F8"], "item": "Bronze", "bonus": 5}, RECIPES[0]]
    assert solve_puzzle(puzzle(recipes=other), Limit()).status == "confirmed"


def test_a_limit_leaves_it_unproved() -> None:
    result = solve_puzzle(puzzle(total=21), Limit(seconds=1e-9))
    assert (result.status, result.found) == ("unproved", None)
    assert result.reason is not None
    assert "before the total was proved" in result.reason


@pytest.mark.parametrize(
    ("solution", "path", "message"),
    [
        ({"recipes": [{"card": "T1", "uses": []}]}, "recipes[0].card", "T1 is not among the cards"),
        ({"recipes": [{"card": "X", "uses": []}]}, "recipes[0].card", "not a card of the deck"),
        ({"recipes": [{"card": "F8", "uses": []}]}, "recipes[0].card", "carries no recipe"),
        ({"recipes": [{"card": "W3", "uses": ["A1", "F8"]}]}, "recipes[0].uses[1]", "is not needed"),
        ({"recipes": [{"card": "W3", "uses": ["A1"]}]}, "recipes[0].uses", "also needs Vitriol"),
        ({"recipes": [*RECIPES, {"card": "F3", "uses": ["W5"]}]}, "recipes[2].uses[0]", "W5 is used twice"),
        ({"recipes": [RECIPES[0] | {"bonus": 6}]}, "recipes[0].bonus", "has the bonus 5"),
        ({"recipes": [RECIPES[0] | {"item": "Gold"}]}, "recipes[0].item", "makes Aqua Fortis"),
        ({"value": 3}, "value", "not 'compound'"),
        ({"best": ["F3"]}, "best", "not 'compound'"),
    ],
)
def test_what_cannot_be_made_is_no_solution(solution: dict[str, Any], path: str, message: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzle(**solution)
    assert caught.value.path == f"puzzle[0].solution.{path}"
    assert message in caught.value.message
