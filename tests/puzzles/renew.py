"""Measure and grade the collection anew: `python -m tests.puzzles.renew [FILE…]`.

Run it when players or themes have changed. It lets the simulated solvers try the puzzles of the files, which takes
half an hour for all, then fits their ratings to the whole collection, and writes all ratings, grades and the order
of the series. `--fit` does only the latter. A puzzle that is made keeps what players made of it who saw more than
its file holds: the round before.
"""

from __future__ import annotations

import re
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from puzzles import grading
from puzzles.check import solve_puzzle
from puzzles.format import Measured, Puzzle, from_data, load, puzzle_text
from puzzles.generate import measure
from puzzles.quality import task_of, themes_of
from puzzles.training import COLLECTION, rating_of
from solver.answers import Answer
from solver.errors import AthanorError
from solver.limits import Limit
from solver.puzzle_maker import BEST_MOVE, Candidate, composer_of

_LONGEST = 12  # cards of a line
_HEAD = (
    "id",
    "title",
    "ask",
    "model",
    "player",
    "grade",
    "rating",
    "themes",
    "note",
    "measured",
    "position",
    "solution",
)


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
    composer, task, candidate = composer_of(puzzle.game), task_of(puzzle), seen(puzzle)
    assert puzzle.solution is not None
    found = measure(composer, task, candidate, answer, puzzle.solution)
    if candidate.view is None and puzzle.game.places["played_by"] is not None and puzzle.measured is not None:
        kept = {name: getattr(puzzle.measured, name) for name in ("equal", "club", "beginner", "plausible")}
        found = found.model_copy(update=kept)
    return found, list(themes_of(composer, task, candidate, answer))


def measured_data(data: dict[str, Any], puzzle: Puzzle) -> dict[str, Any]:
    """The data of a puzzle, measured anew."""
    answer = solve_puzzle(puzzle, Limit()).answer
    assert answer is not None
    measured, themes = measured_anew(puzzle, answer)
    assert puzzle.solution is not None
    solved = grading.tries(composer_of(puzzle.game), task_of(puzzle), seen(puzzle), puzzle.solution)
    measured = measured.model_copy(update={"solved": solved})
    data = {key: value for key, value in data.items() if key != "themes"}
    return data | {"measured": measured.model_dump(exclude_none=True)} | ({"themes": themes} if themes else {})


def _blocks(path: Path) -> Iterator[str]:
    """The text before the first puzzle, and each puzzle's, with the remarks behind it."""
    return iter(re.split(r"(?m)^(?=\[\[puzzle\]\])", path.read_text(encoding="utf-8")))


def rewrite(path: Path, change: Callable[[dict[str, Any], Puzzle], dict[str, Any]]) -> None:
    """Change the data of a file's puzzles; remarks stay."""
    head, *blocks = _blocks(path)
    texts = [head]
    for block in blocks:
        remarks = re.search(r"(?m)(^#.*\n)+\n*\Z", block)
        (data,) = tomllib.loads(block)["puzzle"]
        (puzzle,) = from_data({"puzzle": [data]}).puzzles
        data = change(data, puzzle)
        data = {key: data[key] for key in _HEAD if key in data}
        texts.append(puzzle_text(data) + ("\n" + remarks[0] if remarks else "\n"))
    path.write_text("".join(texts).rstrip("\n") + "\n", encoding="utf-8")


def measure_file(path: Path) -> None:
    rewrite(path, lambda data, puzzle: measured_data(data, puzzle) if can_be_measured(puzzle) else data)


def chances(puzzles: Iterable[Puzzle]) -> dict[str, dict[str, float]]:
    """What simulated solvers make of each puzzle that was measured, by ID."""
    return {
        puzzle.id: grading.chances_of(puzzle.measured, puzzle.solution)
        for puzzle in puzzles
        if puzzle.measured is not None and puzzle.solution is not None
    }


def regrade() -> None:
    """Fit the solvers' ratings to the collection, and write them and the puzzles' ratings, grades and series."""
    paths = sorted(COLLECTION.glob("*.toml"))
    solved = chances(puzzle for path in paths for puzzle in load(path).puzzles)
    solvers = grading.fitted(solved.values())
    grading.write(solvers)
    ratings = dict(zip(solved, grading.ratings_of([*solved.values()], solvers), strict=True))

    def graded(data: dict[str, Any], puzzle: Puzzle) -> dict[str, Any]:
        rating = ratings.get(puzzle.id)
        return data if rating is None else data | {"rating": rating, "grade": grading.grade_of(rating)}

    for path in paths:
        rewrite(path, graded)
    ranks = {puzzle.id: rating_of(puzzle).points for path in paths for puzzle in load(path).puzzles}
    series = COLLECTION.parent / "series.toml"

    def ordered(listed: re.Match[str]) -> str:
        names = sorted(re.findall(r'"(.*?)"', listed[0]), key=lambda name: ranks[name])
        words = textwrap.fill(", ".join(f'"{name}"' for name in names) + ",", 111, break_on_hyphens=False)
        return "puzzles = [\n" + textwrap.indent(words, "    ") + "\n]"

    text = series.read_text(encoding="utf-8")
    series.write_text(re.sub(r"puzzles = \[.*?\]", ordered, text, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    files = [] if sys.argv[1:] == ["--fit"] else sys.argv[1:] or sorted(map(str, COLLECTION.glob("*.toml")))
    for name in files:
        measure_file(Path(name))
        print(name, flush=True)
    regrade()
