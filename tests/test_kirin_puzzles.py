"""The kirin puzzles: each solution is confirmed by the solver and, where it is small, by the reference alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numba
import pytest

from puzzles.format import Puzzle, load
from puzzles.models import GRADES
from solver.games.kirin import GAME
from solver.games.kirin.positions import DeclarePosition, KnownPosition
from solver.search.drive import Control
from tests.reference import kirin as ref

PUZZLES = load(Path(__file__).parents[1] / "puzzles" / "collection" / "kirin.toml").puzzles
SMALL = [
    puzzle
    for puzzle in PUZZLES
    if isinstance(puzzle.position, KnownPosition) and sum(map(len, puzzle.position.hands)) <= 13
]
SOLVED = SMALL[:6] if numba.config.DISABLE_JIT else PUZZLES  # as plain Python the search takes its time


def test_the_collection() -> None:
    assert len(PUZZLES) >= 30
    assert Counter(puzzle.ask for puzzle in PUZZLES)["value"] >= 4
    assert {puzzle.grade for puzzle in PUZZLES} == set(GRADES)
    assert {puzzle.model for puzzle in PUZZLES} == set(GAME.models)
    assert sum(isinstance(puzzle.position, DeclarePosition) for puzzle in PUZZLES) >= 4
    assert all(puzzle.solution is not None and puzzle.note for puzzle in PUZZLES)
    assert len({puzzle.title for puzzle in PUZZLES}) == len(PUZZLES)
    assert len(SMALL) >= 12


@pytest.mark.parametrize("puzzle", SOLVED, ids=lambda puzzle: puzzle.id)
def test_the_solver_confirms(puzzle: Puzzle) -> None:
    answer = GAME.answer(puzzle.position, puzzle.ask, Control(), model=puzzle.model, player=puzzle.player)
    proved = GAME.proved(puzzle.position, answer)
    assert puzzle.solution is not None
    assert proved.value == puzzle.solution.value
    if puzzle.ask == "best-move":
        assert proved.best == puzzle.solution.best
        assert proved.best is not None
        assert len(proved.best) == 1


@pytest.mark.parametrize("puzzle", SMALL, ids=lambda puzzle: puzzle.id)
def test_the_reference_confirms(puzzle: Puzzle) -> None:
    position = puzzle.position
    assert isinstance(position, KnownPosition)
    assert puzzle.model is not None
    assert puzzle.solution is not None
    now = ref.state(
        [" ".join(hand) for hand in position.hands],
        position.leader,
        position.direction,
        " ".join(position.trick),
        [" ".join(pile) for pile in position.won],
    )
    declared = [card[0] for card in position.declared]
    assert ref.value(now, declared, puzzle.model, puzzle.player) == puzzle.solution.value
    if puzzle.solution.best is not None:
        best = ref.optimal(now, declared, puzzle.model, puzzle.player)
        assert tuple(ref.DECK[card] for card in best) == puzzle.solution.best
        # the point of these puzzles: the highest card is not the one to play
        ranked = [card for card in ref.legal(now) if not ref.is_kirin(card)]
        beaten = {card for card in ranked if any(ref.beats(other, card, now.direction) for other in ranked)}
        assert not set(best) & (set(ranked) - beaten)
