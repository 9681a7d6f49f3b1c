"""Puzzles as data, with translated texts: lists of those in a file or in the collection."""

from __future__ import annotations

from collections.abc import Iterable

from api.models import PuzzleInfo, Puzzles
from puzzles import training, wording
from puzzles.format import Puzzle
from solver.language import called, language, speaking, titled, translated, voiced
from solver.positions import text_of


def listed(puzzles: Iterable[Puzzle], *, solutions: bool) -> Puzzles:
    """Convert puzzles to an answer."""
    return listing([puzzle_info(puzzle, solutions=solutions) for puzzle in puzzles])


def listing(puzzles: Iterable[PuzzleInfo], more: str | None = None) -> Puzzles:
    """Return puzzles with the names of their themes; `more` is the last one's ID if others follow."""
    puzzles_listed = tuple(puzzles)
    themes = sorted({theme for puzzle in puzzles_listed for theme in puzzle.themes or ()})
    return Puzzles(puzzles=puzzles_listed, themes={theme: translated(theme) for theme in themes}, next=more)


def puzzle_info(puzzle: Puzzle, *, solutions: bool) -> PuzzleInfo:
    """Convert a puzzle to data with translated texts, and with what may give its answer away if `solutions`."""
    left_out = {"position", "measured", "title", "note", *(() if solutions else ("solution", "themes"))}
    note, hint = _notes(puzzle) if solutions else ("", "")
    return PuzzleInfo.model_validate(
        {
            **puzzle.model_dump(mode="json", exclude=left_out, exclude_unset=True, exclude_none=True),
            "game": puzzle.game.name,
            "text": text_of(puzzle.position),
            "position": puzzle.position,
            **_given(
                title=titled(puzzle.title) if solutions else None,
                note=note or None,
                hint=hint if hint != note else None,
                to_move=_mover(puzzle),
                derived=getattr(puzzle.position, "derived", None),
            ),
            "rating": round(training.rating_of(puzzle).points),
        }
    )


def _given(**values: object) -> dict[str, object]:
    """Return the keyword arguments that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def _mover(puzzle: Puzzle) -> int | None:
    """Return the seat to move in a puzzle's position; None if nobody is to move, as in a set of cards."""
    return getattr(puzzle.position, "seat_to_move", None)


def _notes(puzzle: Puzzle) -> tuple[str, str]:
    """Return a puzzle's note, and what of it helps before the answer.

    In both "you" is the seat that the puzzle asks about, or else the seat to move.
    """
    seat = puzzle.player if puzzle.ask == "value" else None
    if seat is None:
        seat = _mover(puzzle)
    names = ["" if other == seat else called(other) for other in range(puzzle.game.players[1])]
    with speaking(voiced(language(), names)):
        return wording.notes(puzzle)
