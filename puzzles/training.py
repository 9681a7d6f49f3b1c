"""Training: the puzzles that ask for a best move, what an answer is worth, and the record of what was tried."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from puzzles.check import solve_puzzle
from puzzles.format import Puzzle, load, replacing
from puzzles.solution import Model
from solver.findings import validated
from solver.inputs import loads_json
from solver.limits import Limit

COLLECTION = Path(__file__).parent / "collection"
_CHECK = Limit(seconds=20)  # for an answer that the solution does not list


class Tried(Model):
    """How a puzzle went so far: answers given, hints taken, and whether it was solved."""

    tries: Annotated[int, Field(ge=0, strict=True)] = 0
    hints: Annotated[int, Field(ge=0, strict=True)] = 0
    solved: Annotated[bool, Field(strict=True)] = False


class Progress(Model):
    """The record of one player: each puzzle that was tried, by its id."""

    record: Literal["athanor train"] = "athanor train"
    puzzles: dict[str, Tried] = Field(default_factory=dict)

    def of(self, puzzle: Puzzle) -> Tried:
        return self.puzzles.get(puzzle.id, Tried())

    def after(self, puzzle: Puzzle, *, tries: int = 0, hints: int = 0, solved: bool = False) -> Progress:
        """The record with so many more tries and hints; a puzzle that was solved once stays so."""
        was = self.of(puzzle)
        now = Tried(tries=was.tries + tries, hints=was.hints + hints, solved=was.solved or solved)
        return self.model_copy(update={"puzzles": {**self.puzzles, puzzle.id: now}})


def read(path: Path) -> Progress:
    """The record in a file; an empty one where there is no file. Raises PositionError and OSError."""
    if not path.exists():
        return Progress()
    return validated(Progress.model_validate, loads_json(path.read_bytes(), "record"))


def write(path: Path, progress: Progress) -> None:
    """Write the record whole, or leave what was there. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(progress.model_dump(mode="json")) + "\n", encoding="utf-8")


def collection() -> list[Puzzle]:
    """Every puzzle of the collection, in the order of its files."""
    return [puzzle for path in sorted(COLLECTION.glob("*.toml")) for puzzle in load(path).puzzles]


def chosen(*, game: str | None = None, grade: str | None = None) -> list[Puzzle]:
    """The collection's puzzles that ask for a best move and state it; only those of a game, of a grade.

    Those whose hands are hidden come last.
    """
    found = [
        puzzle
        for puzzle in collection()
        if puzzle.ask == "best-move"
        and puzzle.solution is not None
        and puzzle.solution.best
        and game in (None, puzzle.game.name)
        and grade in (None, puzzle.grade)
    ]
    return sorted(found, key=lambda puzzle: puzzle.judged)


def is_best(puzzle: Puzzle, move: str) -> bool | None:
    """Whether a legal move is as good as any: one that the solution lists, or one that is proved to be as good.

    Where hands are hidden, those that the solution lists are right, and no others. None, unknown, where the time
    did not suffice for a proof.
    """
    assert puzzle.solution is not None
    if move in (puzzle.solution.best or ()):
        return True
    if puzzle.judged:
        return False  # long hints have judged it to be behind
    asked = puzzle.model_copy(update={"solution": puzzle.solution.model_copy(update={"best": (move,)})})
    solve_puzzle(asked, Limit(nodes=1))  # loads the kernels: the time is for the search
    answer = solve_puzzle(asked, _CHECK).answer
    if answer is None:
        return None
    game = puzzle.game
    proof = game.proved(puzzle.position, answer, [game.parse_move(puzzle.position, move)])
    return None if proof.best is None else move in proof.best


def fewer(puzzle: Puzzle, moves: Sequence[str]) -> list[str]:
    """About half of the legal moves, in their order, with every stated best one and a wrong one: a hint."""
    assert puzzle.solution is not None
    best = puzzle.solution.best or ()
    others = [move for move in moves if move not in best]
    kept = {*best, *others[: max(1, len(moves) // 2 - len(best))]}
    return [move for move in moves if move in kept]
