"""The kirin puzzles: each solution is confirmed by the solver and, where it is small, by the reference alone."""

from __future__ import annotations

import numba
import pytest

from puzzles.format import Puzzle
from solver.games.kirin.position import DeclarePosition, KnownPosition
from tests.reference import kirin as ref
from tests.support.puzzle_checks import check_solution, check_variety, collection

PUZZLES = collection("kirin")
SMALL = [
    puzzle
    for puzzle in PUZZLES
    if isinstance(puzzle.position, KnownPosition) and sum(map(len, puzzle.position.hands)) <= 13
]
SOLVED = SMALL[:6] if numba.config.DISABLE_JIT else PUZZLES  # as plain Python the search takes its time


def test_the_collection() -> None:
    check_variety(PUZZLES, SMALL)
    assert sum(isinstance(puzzle.position, DeclarePosition) for puzzle in PUZZLES) >= 4


@pytest.mark.parametrize("puzzle", SOLVED, ids=lambda puzzle: puzzle.id)
def test_the_solver_confirms(puzzle: Puzzle) -> None:
    check_solution(puzzle)


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
