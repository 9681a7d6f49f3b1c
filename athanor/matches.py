"""Whole matches, and puzzles to try, for programs that let somebody play or train."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from athanor.sessions import Session
    from puzzles.models import Puzzle


def match(game: str, **options: Any) -> Session:
    """A match of a game, its first round dealt; round after round follows until it is over.

    The options are those of a saved game (`athanor.sessions.Saved`): `seed`, 0 unless given, `players`, `variant`,
    `deck`, `rules`, how many `rounds` at most, `for_match`, and `moves`, to go on with a match from where it was.
    `play` makes a move of the seat that `round.to_move` tells, `undo` takes moves back, `round.hint` is the best
    move by what that seat sees, and `saved` is the match as data.

    Raises RequestError, or PositionError with the path of the option that is wrong.
    """
    from athanor.sessions import SECONDS, Saved, Session
    from solver.inputs.findings import validated

    given = {"game": game, "seed": 0, "seconds": SECONDS, **options}
    return Session(validated(Saved.model_validate, given))


def exercises(*, game: str | None = None, grade: str | None = None) -> list[Puzzle]:
    """The collection's puzzles that ask for a best move; only those of a game, of a grade."""
    from puzzles.training import chosen

    return chosen(game=game, grade=grade)


def is_best(puzzle: Puzzle, move: str) -> bool | None:
    """Whether a legal move is as good as any in a puzzle of `exercises`; None where that was not proved in time.

    Raises MoveError for a move that is not legal.
    """
    from puzzles import training

    game = puzzle.game
    return training.is_best(puzzle, game.format_move(puzzle.position, game.parse_move(puzzle.position, move)))
