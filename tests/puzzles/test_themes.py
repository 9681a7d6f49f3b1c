"""The themes of the collection's puzzles, found again by slow and obvious checks.

With ATHANOR_ALL_PUZZLES=1 those of all puzzles, else of some that are solved soon.
"""

from __future__ import annotations

import os

import pytest

from puzzles import training
from puzzles.check import solve_puzzle
from puzzles.format import Puzzle
from puzzles.quality import candidate_of, task_of
from solver.answers import Analysis
from solver.limits import Limit
from solver.positions import position_data
from solver.puzzle_maker import VALUE
from tests.reference import themes

EVERY = 1 if os.environ.get("ATHANOR_ALL_PUZZLES") == "1" else 12
GAMES = {"kirin": themes.of_kirin, "king": themes.of_king, "aqua-regia": themes.of_aqua}


def found(puzzle: Puzzle) -> set[str] | None:
    """The themes that all best moves have; None where the slow checks can't be made."""
    position, solution = position_data(puzzle.position), puzzle.solution
    assert solution is not None
    if puzzle.ask == "compound":
        assert solution.recipes is not None
        return themes.of_recipes(position, [(recipe.card, recipe.uses) for recipe in solution.recipes])
    if puzzle.ask in ("winnable", "all-matches"):
        return themes.of_alchemy(position, None)
    if getattr(puzzle.position, "choosing", False) or (puzzle.hidden and puzzle.game.name != "aqua-regia"):
        return None
    answer = solve_puzzle(puzzle, Limit()).answer
    best = str(getattr(answer, "best", ""))
    moves, line = list(solution.best or (best,)), tuple[str, ...]()
    if isinstance(answer, Analysis):
        line = answer.line
        if task_of(puzzle) == VALUE:
            moves = [entry.move for entry in answer.moves if getattr(entry, "value", None) == answer.value]
    elif task_of(puzzle) == VALUE:
        chances = {entry.move: float(entry.win_probability) for entry in getattr(answer, "moves", ())}
        moves = [move for move, chance in chances.items() if chance == max(chances.values())]
    of_each = [
        themes.of_alchemy(position, move)
        if puzzle.game.name == "alchemy"
        else GAMES[puzzle.game.name](
            position,
            move,
            line if move == best and line else (move,),
            puzzle.player,
            candidate_of(puzzle).held_down,
        )
        for move in moves
    ]
    return set.intersection(*of_each)


@pytest.mark.parametrize("game", ["alchemy", "king", "kirin", "aqua-regia"])
def test_themes_are_true(game: str) -> None:
    puzzles = [puzzle for puzzle in training.collection() if puzzle.game.name == game]
    checked = 0
    for puzzle in puzzles[::EVERY]:
        true = found(puzzle)
        if true is not None:
            checked += 1
            assert set(puzzle.themes or ()) <= true, puzzle.id
    assert checked > len(puzzles) // EVERY // 2
