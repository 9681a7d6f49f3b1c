"""The Aqua Regia puzzles: each solution is confirmed by the solver and, where small, by the reference."""

from __future__ import annotations

from collections import Counter

import numba
import pytest

from puzzles.format import Puzzle
from solver.games.aqua_regia.position import KnownPosition
from solver.positions import position_data
from tests.reference import aqua as ref
from tests.support.puzzle_checks import check_solution, check_variety, collection

PUZZLES = collection("aqua-regia")


def is_small(puzzle: Puzzle) -> bool:
    position = puzzle.position
    assert isinstance(position, KnownPosition)
    return sum(map(len, position.hands)) + len(position.stock) <= 8


SMALL = [puzzle for puzzle in PUZZLES if is_small(puzzle)]
SOLVED = SMALL[:6] if numba.config.DISABLE_JIT else PUZZLES  # as plain Python the search takes its time


def loaded(puzzle: Puzzle) -> tuple[ref.Table, ref.State]:
    return ref.load(position_data(puzzle.position))


def test_the_collection() -> None:
    check_variety(PUZZLES, SMALL)
    assert {len(loaded(puzzle)[1].hands) for puzzle in PUZZLES} >= {2, 3, 4}


def test_every_kind_of_decision_is_there() -> None:
    kinds: Counter[str] = Counter()
    for puzzle in PUZZLES:
        assert puzzle.solution is not None
        if puzzle.solution.best is None:
            continue
        table, now = loaded(puzzle)
        moves = ref.legal(table, now)
        best = next(move for move in moves if ref.text(table, move) == puzzle.solution.best[0])
        if isinstance(best, ref.Play):
            kinds["follow" if now.plays else "lead"] += 1
            kinds["reverse change"] += best.many == ref.MOST_AT_ONCE
        else:
            kinds["pass" if best.out is None else "precipitation"] += 1
            kinds["not a play"] += any(isinstance(move, ref.Play) for move in moves)
        fours = any(isinstance(move, ref.Play) and move.many == ref.MOST_AT_ONCE for move in moves)
        kinds["no reverse change"] += fours and not (isinstance(best, ref.Play) and best.many == ref.MOST_AT_ONCE)
    wanted = ("lead", "follow", "pass", "precipitation", "not a play", "reverse change", "no reverse change")
    assert min(kinds[kind] for kind in wanted) >= 3


@pytest.mark.parametrize("puzzle", SOLVED, ids=lambda puzzle: puzzle.id)
def test_the_solver_confirms(puzzle: Puzzle) -> None:
    check_solution(puzzle)


@pytest.mark.parametrize("puzzle", SMALL, ids=lambda puzzle: puzzle.id)
def test_the_reference_confirms(puzzle: Puzzle) -> None:
    table, now = loaded(puzzle)
    assert puzzle.model is not None
    assert puzzle.solution is not None
    assert ref.value(table, now, puzzle.model, puzzle.player) == puzzle.solution.value
    if puzzle.solution.best is not None:
        best = ref.optimal(table, now, puzzle.model, puzzle.player)
        assert tuple(ref.text(table, move) for move in best) == puzzle.solution.best
