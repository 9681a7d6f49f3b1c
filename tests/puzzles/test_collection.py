"""The collection's made puzzles: every one is graded as it was measured, and a sample is proved anew each time.

With ATHANOR_ALL_PUZZLES=1 all of them are proved.
"""

from __future__ import annotations

import os
from functools import cache

import numba

from puzzles import training
from puzzles.check import solve_puzzle
from puzzles.format import Measured, Puzzle
from puzzles.generate import grade_of, points_of
from solver.composing import BEST_MOVE, Candidate
from solver.limits import Limit
from solver.positions import position_data
from tests.reference import aqua, kirin

ALL = os.environ.get("ATHANOR_ALL_PUZZLES") == "1"
EVERY = 1 if ALL else 60  # of the puzzles; the small ones are also put to the reference
SMALL_CARDS = {"kirin": 9, "aqua-regia": 7}  # in the hands and the stock, that the reference can be asked about


@cache  # read when a test wants it: whoever collects tests would wait for it
def collection() -> list[Puzzle]:
    return training.collection()


def made() -> list[tuple[Puzzle, Measured]]:
    return [(puzzle, puzzle.measured) for puzzle in collection() if puzzle.measured is not None]


def is_small(puzzle: Puzzle) -> bool:
    if puzzle.hidden or puzzle.game.name not in SMALL_CARDS:
        return False
    told = position_data(puzzle.position)
    cards = sum(map(len, told["hands"])) + len(told.get("stock", ()))
    return cards <= SMALL_CARDS[puzzle.game.name]


def test_no_two_puzzles_of_the_collection_share_an_id_or_differ_by_a_symmetry_alone() -> None:
    assert len({puzzle.id for puzzle in collection()}) == len(collection())
    keys = [
        puzzle.game.composer.symmetry(puzzle.ask, Candidate(puzzle.position, puzzle.model, puzzle.player))
        for puzzle, _ in made()
    ]
    assert len(set(keys)) == len(keys)


def test_grades_follow_from_what_was_measured() -> None:
    for puzzle, measured in made():
        assert isinstance(measured, Measured)
        assert puzzle.solution is not None
        assert puzzle.grade == grade_of(points_of(measured, puzzle.solution)), puzzle.id
        assert set(puzzle.themes or ()) <= set(puzzle.game.composer.themes), puzzle.id
        if puzzle.ask == BEST_MOVE:
            assert len(puzzle.solution.best or ()) == 1, puzzle.id


def test_the_solver_confirms() -> None:
    for puzzle, _ in made()[:: 10 * EVERY if numba.config.DISABLE_JIT and not ALL else EVERY]:
        assert solve_puzzle(puzzle, Limit()).status == "confirmed", puzzle.id


def test_the_reference_confirms() -> None:
    small = [puzzle for puzzle, _ in made() if is_small(puzzle)]
    for puzzle in small[:: 1 if ALL else 25]:
        confirm(puzzle)


def confirm(puzzle: Puzzle) -> None:
    solution = puzzle.solution
    assert solution is not None
    assert puzzle.model is not None
    if puzzle.game.name == "aqua-regia":
        table, now = aqua.load(position_data(puzzle.position))
        assert aqua.value(table, now, puzzle.model, puzzle.player) == solution.value, puzzle.id
        if solution.best is not None:
            best = aqua.optimal(table, now, puzzle.model, puzzle.player)
            assert tuple(aqua.text(table, move) for move in best) == solution.best, puzzle.id
        return
    told = position_data(puzzle.position)
    state = kirin.state(
        [" ".join(hand) for hand in told["hands"]],
        told["leader"],
        told["direction"],
        " ".join(told["trick"]),
        [" ".join(pile) for pile in told["won"]],
    )
    declared = [card[0] for card in told["declared"]]
    assert kirin.value(state, declared, puzzle.model, puzzle.player) == solution.value, puzzle.id
    if solution.best is not None:
        cards = kirin.optimal(state, declared, puzzle.model, puzzle.player)
        assert tuple(kirin.DECK[card] for card in cards) == solution.best, puzzle.id
