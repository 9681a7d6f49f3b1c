"""The King × Alchemy puzzles: each solution is confirmed by the solver and, where small, by the reference."""

from __future__ import annotations

from collections import Counter

import numba
import pytest

from puzzles.format import Puzzle
from solver.games.king.position import KnownPosition
from solver.positions import position_data
from tests.reference import king as ref
from tests.reference.king_deck import DANCER, TRUMP, Deck
from tests.support.puzzle_checks import check_solution, check_variety, collection

PUZZLES = [puzzle for puzzle in collection("king") if puzzle.ask in ("best-move", "value")]


def cards(puzzle: Puzzle) -> int:
    """How many cards are still to be played or taken."""
    assert isinstance(puzzle.position, KnownPosition)
    return sum(map(len, puzzle.position.hands)) + len(puzzle.position.trick)


SMALL = [puzzle for puzzle in PUZZLES if cards(puzzle) <= 12]
SOLVED = SMALL[:6] if numba.config.DISABLE_JIT else PUZZLES  # as plain Python the search takes its time


def loaded(puzzle: Puzzle) -> tuple[Deck, ref.State]:
    return ref.load(position_data(puzzle.position))


def test_the_collection() -> None:
    check_variety(PUZZLES, SMALL)
    assert {len(loaded(puzzle)[1].hands) for puzzle in PUZZLES} == {3, 4, 5}


def test_every_kind_of_decision_is_there() -> None:
    kinds: Counter[str] = Counter()
    for puzzle in PUZZLES:
        assert puzzle.solution is not None
        if puzzle.solution.best is None:
            continue
        deck, now = loaded(puzzle)
        move = next(move for move in ref.legal(deck, now) if ref.text(deck, move) == puzzle.solution.best[0])
        if isinstance(move, ref.Take):
            takings = {other.taken for other in ref.takings(deck, now.trick)}
            kinds["take" if len(takings) > 1 else "give"] += 1
        else:
            kinds[deck[move.card].suit if deck[move.card].suit in (TRUMP, DANCER) else "suit card"] += 1
            dancer = any(deck[card].suit == DANCER for card in now.hands[ref.to_move(deck, now)])
            kinds["dancer kept"] += dancer and deck[move.card].suit != DANCER
        kinds["held down"] += puzzle.model == "paranoid" and puzzle.player is not None
    assert (
        min(kinds[kind] for kind in ("take", "give", TRUMP, DANCER, "suit card", "dancer kept", "held down")) >= 2
    )


@pytest.mark.parametrize("puzzle", SOLVED, ids=lambda puzzle: puzzle.id)
def test_the_solver_confirms(puzzle: Puzzle) -> None:
    check_solution(puzzle)


@pytest.mark.parametrize("puzzle", SMALL, ids=lambda puzzle: puzzle.id)
def test_the_reference_confirms(puzzle: Puzzle) -> None:
    deck, now = loaded(puzzle)
    assert puzzle.model is not None
    assert puzzle.solution is not None
    assert ref.value(deck, now, puzzle.model, puzzle.player) == puzzle.solution.value
    if puzzle.solution.best is not None:
        best = ref.optimal(deck, now, puzzle.model, puzzle.player)
        assert tuple(ref.text(deck, move) for move in best) == puzzle.solution.best
