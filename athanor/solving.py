"""Puzzle files, solved and checked against the solutions that they state."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NoReturn

from athanor.asking import warm
from athanor.reading import limit_of
from solver.inputs.errors import PuzzleError

if TYPE_CHECKING:
    from puzzles.models import Puzzle, PuzzleFile
    from puzzles.results import PuzzleResult
    from solver.common.control import Limit


def solve(
    puzzles: str | os.PathLike[str] | PuzzleFile | Iterable[str | os.PathLike[str]],
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    limit: Limit | None = None,
    jobs: int = 1,
    cancel: threading.Event | None = None,
) -> Iterator[PuzzleResult]:
    """Solve puzzle files, and give each puzzle's result as it is done.

    `puzzles` is the path of a TOML file, of a folder (searched with its sub-folders for ``*.toml``), or several
    paths; or the text of a puzzle file, told from a path by its line ends. The limit is for each puzzle; `jobs`
    puzzles are solved at once. When there are several files, each result names its `file`.

    What is wrong with a puzzle's solution is in its result. Raises PuzzleError, with the line, for a file that
    cannot be read, before any puzzle is solved.
    """
    from puzzles.models import PuzzleFile

    bounded = limit_of(limit, seconds, nodes)
    if isinstance(puzzles, PuzzleFile):
        named = [("", puzzle) for puzzle in puzzles.puzzles]
    else:
        named = list(_loaded(puzzles))
    several = len({name for name, _ in named}) > 1
    return _results(named, several, bounded, jobs, cancel)


def _loaded(puzzles: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Iterator[tuple[str, Puzzle]]:
    """Every puzzle with the name of its file, which is empty for a text."""
    from puzzles import format as puzzle_format

    if isinstance(puzzles, str) and "\n" in puzzles:
        for puzzle in puzzle_format.loads(puzzles).puzzles:
            yield "", puzzle
        return
    seen: set[str] = set()
    for path in [puzzles] if isinstance(puzzles, str | os.PathLike) else puzzles:
        for name in _files(path):
            real = os.path.realpath(name)
            if real not in seen:
                seen.add(real)
                for puzzle in puzzle_format.load(name).puzzles:
                    yield name, puzzle


def _files(path: str | os.PathLike[str]) -> list[str]:
    from puzzles.folders import files_in

    if not os.path.isdir(path):
        return [os.fspath(path)]

    def fail(found: OSError) -> NoReturn:
        raise PuzzleError("unreadable", f"cannot read {found.filename}: {found.strerror}")

    found = list(files_in(path, fail))
    if not found:
        raise PuzzleError("unreadable", f"no *.toml in the folder {os.fspath(path)}")
    return found


def _results(
    named: list[tuple[str, Puzzle]], several: bool, limit: Limit, jobs: int, cancel: threading.Event | None
) -> Iterator[PuzzleResult]:
    from puzzles.runner import run_numbered

    puzzles = [puzzle for _, puzzle in named]
    if limit.seconds is not None:
        for name in dict.fromkeys(puzzle.game.name for puzzle in puzzles):
            warm(name)
    for number, result in run_numbered(puzzles, limit=limit, jobs=jobs, cancel=cancel):
        yield result.model_copy(update={"file": named[number][0]}) if several else result
