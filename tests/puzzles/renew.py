"""Measure the collection anew: `python -m tests.puzzles.renew [FILE…]` rewrites grades and themes.

Run it when players, themes or grades have changed. A puzzle that is made keeps what players made of it who saw
more than its file holds: the round before.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from puzzles.check import solve_puzzle
from puzzles.format import Measured, Puzzle, from_data, puzzle_text
from puzzles.generate import grade_of, measure
from puzzles.quality import task_of, themes_of
from puzzles.training import COLLECTION
from solver.answers import Answer
from solver.errors import AthanorError
from solver.limits import Limit
from solver.puzzle_maker import BEST_MOVE, Candidate

_LONGEST = 12  # cards of a line
_HEAD = ("id", "title", "ask", "model", "player", "grade", "themes", "note", "measured", "position", "solution")


def seen(puzzle: Puzzle) -> Candidate:
    """A puzzle as it was before it was proved, with what its players see of it, where the file tells."""
    position, view = puzzle.position, None
    if puzzle.hidden:
        view = position
    elif puzzle.ask == BEST_MOVE and puzzle.game.places["played_by"] is not None:
        try:
            view = puzzle.game.view(position, position.seat_to_move)  # type: ignore[attr-defined]
        except AthanorError:  # the tricks before are not in the file
            view = None
    return Candidate(position, puzzle.model, puzzle.player, view)


def can_be_measured(puzzle: Puzzle) -> bool:
    """Whether it is of a kind that is made: no card is to be set aside, and no line is too long to search."""
    position = puzzle.position
    if getattr(position, "choosing", False) or getattr(position, "objective", None) is not None:
        return False
    return len(getattr(position, "line", ())) <= _LONGEST


def measured_anew(puzzle: Puzzle, answer: Answer) -> tuple[Measured, list[str]]:
    """What is measured of a puzzle with this answer, and its themes."""
    composer, task, candidate = puzzle.game.composer, task_of(puzzle), seen(puzzle)
    assert puzzle.solution is not None
    found = measure(composer, task, candidate, answer, puzzle.solution)
    if candidate.view is None and puzzle.game.places["played_by"] is not None and puzzle.measured is not None:
        kept = {name: getattr(puzzle.measured, name) for name in ("equal", "club", "beginner", "looks")}
        found = found.model_copy(update=kept)
    return found, list(themes_of(composer, task, candidate, answer))


def renewed(data: dict[str, Any], puzzle: Puzzle) -> dict[str, Any]:
    """The data of a puzzle, measured anew."""
    assert puzzle.solution is not None
    answer = solve_puzzle(puzzle, Limit()).answer
    assert answer is not None
    measured, themes = measured_anew(puzzle, answer)
    data |= {"measured": measured.model_dump(exclude_none=True), "grade": grade_of(measured, puzzle.solution)}
    data.pop("themes", None)
    if themes:
        data["themes"] = themes
    return {key: data[key] for key in _HEAD if key in data}


def _blocks(path: Path) -> Iterator[str]:
    """The text before the first puzzle, and each puzzle's, with the remarks behind it."""
    return iter(re.split(r"(?m)^(?=\[\[puzzle\]\])", path.read_text(encoding="utf-8")))


def renew(path: Path) -> None:
    head, *blocks = _blocks(path)
    texts = [head]
    for block in blocks:
        remarks = re.search(r"(?m)(^#.*\n)+\n*\Z", block)
        (data,) = tomllib.loads(block)["puzzle"]
        (puzzle,) = from_data({"puzzle": [data]}).puzzles
        if can_be_measured(puzzle):
            data = renewed(data, puzzle)
        texts.append(puzzle_text(data) + ("\n" + remarks[0] if remarks else "\n"))
    path.write_text("".join(texts).rstrip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(map(str, COLLECTION.glob("*.toml"))):
        renew(Path(name))
        print(name, flush=True)
