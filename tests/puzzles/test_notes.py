"""What the notes of the collection's puzzles say of wrong moves, checked by slow and obvious replaying.

With ATHANOR_ALL_PUZZLES=1 the notes of all puzzles, else of some.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from puzzles import training, wording
from puzzles.format import Puzzle
from puzzles.quality import candidate_of
from solver.positions import position_data
from tests.reference import notes

EVERY = 1 if os.environ.get("ATHANOR_ALL_PUZZLES") == "1" else 8
GAMES: dict[str, Callable[..., None]] = {
    "kirin": notes.of_kirin,
    "king": notes.of_king,
    "aqua-regia": notes.of_aqua,
}


def check(puzzle: Puzzle) -> None:
    """Check the clause after what the wrong move loses."""
    measured = puzzle.measured
    assert measured is not None
    wrong, best = measured.wrong_line or (), measured.best_line or ()
    before = next((time for time, moves in enumerate(zip(wrong, best, strict=False)) if len(set(moves)) > 1), 0)
    position = puzzle.position
    for text in wrong[:before]:
        position = puzzle.game.play(position, puzzle.game.parse_move(position, text))
    clause = wording.note(puzzle).split(", which looks right, ")[1].partition(": ")[2].removesuffix(".")
    assert clause, puzzle.id
    how = (position_data(position), clause, wrong[before:], best[before:])
    if puzzle.game.name == "alchemy":
        notes.of_alchemy(*how)
    else:
        candidate = candidate_of(puzzle)
        GAMES[puzzle.game.name](*how, candidate.asked, candidate.held_down)


@pytest.mark.parametrize("game", ["alchemy", "king", "kirin", "aqua-regia"])
def test_a_note_says_truly_what_is_wrong_with_a_move_that_looks_right(game: str) -> None:
    told = [
        puzzle
        for puzzle in training.collection()
        if puzzle.game.name == game and not puzzle.note and not puzzle.hidden
        if puzzle.measured is not None and puzzle.measured.wrong_line
    ]
    assert len(told) > 60
    for puzzle in told[::EVERY]:
        try:
            check(puzzle)
        except AssertionError as error:
            raise AssertionError(f"{puzzle.id}: {wording.note(puzzle)}") from error
