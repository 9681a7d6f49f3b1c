"""`athanor solve`: puzzle files and folders, solved and checked."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from api.cli.terminal.console import echo
from api.cli.terminal.failures import FAILED, INTERRUPTED, UNCONFIRMED
from api.cli.terminal.options import jobs_option, json_option, limit_of, nodes_option, seconds_option
from solver.common import counted

if TYPE_CHECKING:
    from api.cli.puzzle_files import Loaded
    from api.cli.terminal.layout import Cell
    from puzzles.check import PuzzleResult
    from solver.limits import Limit


_STYLES = {"confirmed": "green", "solved": "green", "refuted": "red", "unproved": "yellow", "error": "red"}
_LISTED = 3  # moves in the table's column
_COLUMNS = ("id", "title", "asks", "answer", "status", "seconds")


@click.command()
@click.argument("path", nargs=-1, required=True)
@jobs_option("Solve N puzzles at once.")
@seconds_option("Give up a puzzle after S seconds.")
@nodes_option("Give up a puzzle after N nodes.")
@json_option("Print a line of JSON a puzzle, as it is solved.")
@click.option("--html", metavar="FILE", help="Write a printable book too: positions drawn, solutions at the end.")
@click.option("--pdf", metavar="FILE", help="The same as PDF, made by Chromium, Chrome or Edge.")
def solve(
    path: tuple[str, ...],
    jobs: int,
    seconds: float | None,
    nodes: int | None,
    as_json: bool,
    html: str | None,
    pdf: str | None,
) -> None:
    """Solve puzzle files (TOML) and folders of them, and check their solutions.

    Exit code 1 when a stated solution is not confirmed, 2 when a file or a puzzle is faulty.
    """
    from api.cli.puzzle_files import load_all
    from api.cli.terminal.interrupts import apart, cancel_on_interrupt

    press = None
    if html is not None or pdf is not None:
        from api.cli.printing import Press

        press = Press.ready(html, pdf)
    loaded = load_all(path)
    for failure in loaded.failures:
        echo(f"Error: {failure}", err=True)
    solved: dict[int, PuzzleResult] = {}
    with cancel_on_interrupt() as cancel:
        for number, result in _solved(loaded, limit_of(seconds, nodes), jobs, cancel, as_json):
            solved[number] = result
            if as_json:
                echo(result.to_json())
        if solved and not as_json:
            _show([solved[number] for number in sorted(solved)])
        if press is not None and solved and not cancel.is_set():
            apart(lambda: press.print(solved.items(), loaded.puzzles, cancel))
        interrupted = cancel.is_set()
    click.get_current_context().exit(INTERRUPTED if interrupted else _exit_code(loaded, solved))


def _exit_code(loaded: Loaded, solved: dict[int, PuzzleResult]) -> int:
    if loaded.failures or any(result.status == "error" for result in solved.values()):
        return FAILED
    unconfirmed = (
        loaded.puzzles[number][1].solution is not None and not result.confirmed
        for number, result in solved.items()
    )
    return UNCONFIRMED if any(unconfirmed) else 0


def _solved(
    loaded: Loaded, limit: Limit, jobs: int, cancel: threading.Event, as_json: bool
) -> Iterator[tuple[int, PuzzleResult]]:
    """Each result with the place of its puzzle; its file is named when there are several."""
    import athanor
    from api.cli.terminal.console import counting
    from api.cli.terminal.interrupts import apart
    from puzzles.check import run_numbered

    puzzles = [puzzle for _, puzzle in loaded.puzzles]
    if limit.seconds is not None:
        for name in {puzzle.game.name for puzzle in puzzles}:
            apart(athanor.game(name).warm)  # the limit is for the search, not for loading its kernels
    lines_on_terminal = as_json and sys.stdout.isatty()  # a bar would be drawn over them
    with counting("solving", len(puzzles), hidden=lines_on_terminal) as report:
        results = run_numbered(puzzles, limit=limit, jobs=jobs, cancel=cancel)
        for done, (number, result) in enumerate(results, start=1):
            report(done)
            if loaded.files > 1:
                result = result.model_copy(update={"file": loaded.puzzles[number][0]})
            yield number, result


def _show(results: list[PuzzleResult]) -> None:
    from api.cli.terminal.console import output
    from api.cli.terminal.layout import laid_out

    console = output()
    for file in dict.fromkeys(result.file for result in results):
        if file:
            console.print(f"\n{file}", soft_wrap=True)
        lines = [_line(result) for result in results if result.file == file]
        console.print(laid_out(_COLUMNS, lines, console.width, numbers=[len(_COLUMNS) - 1]))
    counts = Counter(result.status for result in results)
    found = ", ".join(f"{number} {status}" for status, number in counts.most_common())
    console.print(f"{counted(len(results), 'puzzle')}: {found}")


def _line(result: PuzzleResult) -> list[Cell]:
    from rich.text import Text

    status = Text(result.status, style=_STYLES[result.status])
    reason = result.reason or (result.error.message if result.error else "")
    return [
        result.id,
        result.title,
        result.ask,
        _answer(result),
        status.append(f": {reason}" if reason else "", style="default"),
        f"{result.seconds:.3f}",
    ]


def _answer(result: PuzzleResult) -> str:
    """What was found, in a few words."""
    from solver.answers import text_of

    found = result.found
    if found is None:
        best = getattr(result.answer, "best", None)
        return f"{best} so far" if best and result.ask == "best-move" else ""
    if found.total is not None:
        made = counted(len(found.recipes or ()), "recipe")
        return f"{counted(found.total, 'point')}, {found.bonus} of them for {made}"
    parts = [] if found.value is None else [text_of(found.value)]
    if found.best is not None:
        more = f" … {len(found.best)} in all" if len(found.best) > _LISTED else ""
        parts.append((", ".join(found.best[:_LISTED]) or "no move") + more)
    return ": ".join(parts)
