"""Matches in Python, and puzzles to try."""

from __future__ import annotations

import pytest

import athanor


def test_a_duel_is_played_taken_back_and_gone_on_with() -> None:
    match = athanor.match("alchemy", variant="duel", seed=3)
    assert match.round.to_move == 0
    match.play(match.round.moves()[0])
    went = match.saved
    again = athanor.match("alchemy", variant="duel", seed=3, moves=went.moves)
    assert again.saved == went
    assert match.undo()
    assert match.saved.moves == ((),)


@pytest.mark.parametrize(
    ("options", "path"), [({"seat": 9}, "seat"), ({"seeed": 1}, "seeed"), ({"variant": "x"}, "variant")]
)
def test_what_is_wrong_with_a_match_is_told_with_its_path(options: dict[str, object], path: str) -> None:
    with pytest.raises(athanor.AthanorError) as found:
        athanor.match("kirin", **options)
    assert found.value.path == path


def test_a_move_of_an_exercise_is_judged() -> None:
    puzzle = next(one for one in athanor.exercises(game="kirin") if len(athanor.legal_moves(one.position)) > 1)
    assert puzzle.solution is not None
    best = (puzzle.solution.best or ())[0]
    assert athanor.is_best(puzzle, best)
    with pytest.raises(athanor.MoveError):
        athanor.is_best(puzzle, "no card")
