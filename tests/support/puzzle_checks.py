"""What every game's puzzle collection is held to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from puzzles import wording
from puzzles.format import GRADES, Puzzle, load
from solver.answers import Analysis, Hint
from solver.limits import Control
from solver.registry import game_of
from tests.support import places


def collection(game: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game that are shipped."""
    return load(places.COLLECTION / f"{game}.toml").puzzles


def check_variety(puzzles: Sequence[Puzzle], small: Sequence[Puzzle]) -> None:
    """Every model and most grades are there; each puzzle has a title of its own, a solution, a note."""
    assert len(puzzles) >= 30
    assert Counter(puzzle.ask for puzzle in puzzles)["value"] >= 4
    assert {puzzle.grade for puzzle in puzzles} >= set(GRADES[:3])
    assert {puzzle.model for puzzle in puzzles} == set(game_of(puzzles[0].position).models)
    assert all(puzzle.solution is not None and wording.note(puzzle) for puzzle in puzzles)
    assert len({puzzle.title for puzzle in puzzles}) == len(puzzles)
    assert len(small) >= 12


def check_solution(puzzle: Puzzle) -> None:
    """The solver proves what the puzzle states, and that one move alone is best."""
    game = game_of(puzzle.position)
    answer = game.answer(puzzle.position, puzzle.ask, Control(), model=puzzle.model, player=puzzle.player)
    assert isinstance(answer, Analysis | Hint)
    proved = game.proved(puzzle.position, answer)
    assert puzzle.solution is not None
    assert proved.value == puzzle.solution.value
    if puzzle.ask == "best-move":
        assert proved.best == puzzle.solution.best
        assert proved.best is not None
        assert len(proved.best) == 1
