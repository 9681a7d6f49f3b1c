"""The commands for puzzles: `athanor solve` and `athanor generate`."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import athanor
from api.cli.terminal import (
    FAILED,
    INTERRUPTED,
    STDIN,
    UNCONFIRMED,
    cancel_on_interrupt,
    command,
    counting,
    deck_option,
    echo,
    game_argument,
    in_file,
    in_thread,
    input_name,
    jobs_option,
    json_option,
    laid_out,
    output,
    read_deck,
    read_input,
    write_text,
    writing,
)
from solver.common import in_one_line, one_after_another, points_counted
from solver.errors import PuzzleError
from solver.language import say, say_many, titled, translated

if TYPE_CHECKING:
    from api.cli.terminal import Cell
    from puzzles.check import PuzzleResult
    from puzzles.format import Puzzle
    from solver.limits import Limit

_STYLES = {"confirmed": "green", "solved": "green", "refuted": "red", "unproved": "yellow", "error": "red"}
_LISTED = 3  # moves in the table's column
_COLUMNS = ("id", "title", "asks", "answer", "status", "seconds")


@command(
    "solve",
    jobs_option("Solve N puzzles at a time; default: one per core."),
    json_option("Print one line of JSON per puzzle as it is solved."),
    click.option(
        "--html", metavar="FILE", help="Write a printable book too: positions drawn, solutions at the end."
    ),
    click.option("--pdf", metavar="FILE", help="The same as PDF, made by Chromium, Chrome or Edge."),
    click.option("--rules", is_flag=True, help="With the rules of the games in the book."),
    click.option("--large", is_flag=True, help="Make the book's type and cards larger."),
    click.option(
        "--apart", is_flag=True, help="Write the book's solutions to a file of their own: FILE-solutions."
    ),
    click.option("--proofs", metavar="DIR", help="Write certificates of the values, for puzzles/check_proof.py."),
    click.option(
        "--series",
        multiple=True,
        metavar="SERIES",
        help="A series of the collection, such as fourth-ace: in a book, a chapter with its lesson.",
    ),
    subject=click.argument("path", nargs=-1),
)
def solve(
    path: tuple[str, ...],
    series: tuple[str, ...],
    jobs: int,
    seconds: float | None,
    nodes: int | None,
    as_json: bool,
    proofs: str | None,
    **book: Any,
) -> None:
    """Solve puzzle files (TOML) and folders of them, or series of the collection, and check their solutions.

    Exit code 1 when a stated solution is not confirmed, 2 when a file or a puzzle is faulty.
    """
    from api.cli.printing import BookFiles
    from solver.limits import Limit

    if not path and not series:
        raise click.UsageError(say("name puzzle files, or a series with --series"))
    limit = Limit(seconds=seconds, nodes=nodes)
    press = BookFiles.ready(**book)
    loaded = load_all(path, series)
    for failure in loaded.failures:
        echo(say("Error: {message}", message=failure), err=True)
    solved: dict[int, PuzzleResult] = {}
    folder = None if proofs is None else _Proofs.ready(proofs)
    with cancel_on_interrupt() as cancel:
        for number, result in _solved(loaded, limit, jobs, cancel, as_json):
            solved[number] = result
            if as_json:
                echo(result.to_json())
            if folder is not None and not cancel.is_set():
                folder.add(loaded.puzzles[number][1], result, limit, cancel)
        if solved and not as_json:
            _show([solved[number] for number in sorted(solved)])
        if folder is not None:
            folder.tell()
        if press is not None and solved and not cancel.is_set():
            in_thread(lambda: press.print(solved.items(), loaded.puzzles, cancel))
        interrupted = cancel.is_set()
    click.get_current_context().exit(INTERRUPTED if interrupted else _exit_code(loaded, solved))


@dataclass
class _Proofs:
    """A folder of certificates, one per puzzle. `without` counts the puzzles that have none, by reason."""

    path: Path
    names: set[str] = field(default_factory=set)
    without: Counter[str] = field(default_factory=Counter)

    @staticmethod
    def ready(path: str) -> _Proofs:
        with writing(path):
            Path(path).mkdir(parents=True, exist_ok=True)
        return _Proofs(Path(path))

    def add(self, puzzle: Puzzle, result: PuzzleResult, limit: Limit, cancel: threading.Event) -> None:
        """Write the certificate of a puzzle's value to a file named after the puzzle's id."""
        from puzzles.proofs import NoCertificateError, certificate, text_of
        from solver.limits import Control

        answer = result.answer
        if answer is None:
            self.without[say("the puzzle was not solved")] += 1
            return
        if puzzle.wishes is not None:
            self.without[say("there are none for must and without")] += 1
            return
        try:
            proof = in_thread(lambda: certificate(puzzle.position, answer, Control(limit, cancel)))
        except NoCertificateError as reason:
            self.without[reason.message] += 1
            return
        name = re.sub(r"[^\w.-]|^\.", "_", puzzle.id)
        while name in self.names:
            name += "_"
        self.names.add(name)
        write_text(str(self.path / f"{name}.json"), text_of(proof))

    def tell(self) -> None:
        """Print the number of certificates, and why other puzzles have none."""
        count = len(self.names)
        echo(
            say_many("{count} certificate in {path}", "{count} certificates in {path}", count, path=self.path),
            err=True,
        )
        for reason, puzzles in self.without.most_common():
            echo(
                say_many(
                    "none for {count} puzzle: {reason}",
                    "none for {count} puzzles: {reason}",
                    puzzles,
                    reason=reason,
                ),
                err=True,
            )


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
    """Yield each result as it is found, with the index of its puzzle. If there are several files, each result
    names the file of its puzzle.
    """
    from puzzles.check import run

    puzzles = [puzzle for _, puzzle in loaded.puzzles]
    if limit.seconds is not None:
        for name in {puzzle.game.name for puzzle in puzzles}:
            in_thread(athanor.game(name).warm)  # the limit is for the search, not for loading its kernels
    lines_on_terminal = as_json and sys.stdout.isatty()  # a bar would be drawn over them
    with counting(say("solving"), len(puzzles), hidden=lines_on_terminal) as report:
        results = run(puzzles, limit=limit, jobs=jobs, cancel=cancel)
        for done, (number, result) in enumerate(results, start=1):
            report(done)
            if loaded.files > 1:
                result = result.model_copy(update={"file": loaded.puzzles[number][0]})
            yield number, result


def _show(results: list[PuzzleResult]) -> None:

    console = output()
    for file in dict.fromkeys(result.file for result in results):
        if file:
            console.print(f"\n{file}", soft_wrap=True)
        lines = [_line(result) for result in results if result.file == file]
        console.print(laid_out(list(map(translated, _COLUMNS)), lines, console.width, numbers=[len(_COLUMNS) - 1]))
    counts = Counter(result.status for result in results)
    tally = one_after_another(
        say("{number} {status}", number=number, status=translated(status))
        for status, number in counts.most_common()
    )
    console.print(say_many("{count} puzzle: {found}", "{count} puzzles: {found}", len(results), found=tally))


def _line(result: PuzzleResult) -> list[Cell]:
    from rich.text import Text

    status = Text(translated(result.status), style=_STYLES[result.status])
    reason = result.reason or (result.error.message if result.error else "")
    return [
        result.id,
        titled(result.title),
        result.ask,
        _answer(result),
        status.append(f": {in_one_line(reason)}" if reason else "", style="default"),
        f"{result.seconds:.3f}",
    ]


def _answer(result: PuzzleResult) -> str:
    from solver.answer_tables import text_of

    proved = result.found
    if proved is None:
        best = getattr(result.answer, "best", None)
        return say("{best} so far", best=best) if best and result.ask == "best-move" else ""
    if proved.total is not None:
        return say_many(
            "{points}, {bonus} of them for {count} recipe",
            "{points}, {bonus} of them for {count} recipes",
            len(proved.recipes or ()),
            points=points_counted(proved.total),
            bonus=proved.bonus,
        )
    parts = [] if proved.value is None else [text_of(proved.value)]
    if proved.best is not None:
        some = one_after_another(proved.best[:_LISTED]) or say("no move")
        if len(proved.best) > _LISTED:
            some = say("{some} … {count} in all", some=some, count=len(proved.best))
        parts.append(some)
    return ": ".join(parts)


# ----------------------------------------------------------------------------------------------------
# Finding puzzle files and their puzzles; a bad file is reported and does not stop the others.


@dataclass
class Loaded:
    """The puzzles of all files in order, each with its file's name, and the errors of unreadable files."""

    puzzles: list[tuple[str, Puzzle]] = field(default_factory=list)
    files: int = 0
    failures: list[str] = field(default_factory=list)


def load_all(paths: Sequence[str], series: Sequence[str] = ()) -> Loaded:
    """Load every puzzle in these files and folders, and in series of the collection, each like a file of its name.

    Errors of files are collected in `failures`, not raised. Raises RequestError if there is no such series.
    """
    from puzzles.format import files_in, load, loads
    from puzzles.training import matching

    loaded = Loaded()
    for name in dict.fromkeys(series):
        loaded.files += 1
        loaded.puzzles += [(name, puzzle) for puzzle in matching(series=name)]
    for path in files_in(paths, lambda error: loaded.failures.append(error.message)):
        try:
            file = loads(read_input(path)) if path == STDIN else load(path)
        except PuzzleError as error:
            loaded.failures += _fault_lines(input_name(path), error)
        except click.ClickException as error:
            loaded.failures.append(error.message)
        else:
            loaded.files += 1
            loaded.puzzles += [(input_name(path), puzzle) for puzzle in file.puzzles]
    return loaded


def _fault_lines(name: str, error: PuzzleError) -> Iterator[str]:
    """Yield each fault as ``file:line: path: message``, which editors understand."""
    for line, fault in error.placed():
        where = f"{name}:{line}" if line else name
        words = f"{fault.path}: {fault.message}" if fault.path else fault.message
        yield words if fault.code == "unreadable" else f"{where}: {words}"


# ----------------------------------------------------------------------------------------------------
# `athanor generate`: new puzzles with proved solutions.


@command(
    "generate",
    click.option("--out", required=True, metavar="FILE", help="The puzzle file (TOML) to write."),
    jobs_option("Work on N deals at a time, each in its own process; default: one per core."),
    click.option("--why", is_flag=True, help="Tell why candidates were dropped, and how many."),
    deck_option,
    subject=game_argument(),
    own=("deck",),
)
def generate(game: str, out: str, count: int, why: bool, deck: str | None, **options: Any) -> None:
    """Make new puzzles of GAME, each with one best move and a proof of it.

    In each, the obvious move is wrong, at least three moves look right, the next best loses something, and
    the cards fit on a phone. The themes vary. The grade depends on how well a short search and players of
    several strengths do. No two puzzles differ only by a symmetry.

    The same options make the same file. After Ctrl-C, the same command continues from there.
    """
    from athanor.batching import generate as make
    from athanor.jobs.batches import SUFFIX

    begun = time.monotonic()
    written = read_deck(game, deck)
    with (
        cancel_on_interrupt() as cancel,
        writing(out),
        in_file(out + SUFFIX),
        counting(say("generating"), count) as report,
    ):
        run = in_thread(
            lambda: make(
                game,
                out,
                count=count,
                cancel=cancel,
                progress=lambda puzzles, _: report(puzzles),
                deck=written,
                **options,
            )
        )
    for message in sorted(set(run.faults)):
        failed = say("{count} of the deals failed: {message}", count=run.faults.count(message), message=message)
        echo(say("Error: {message}", message=failed), err=True)
    took = say(
        "{puzzles} from {deals} in {seconds:.1f} s",
        puzzles=say_many("{count} puzzle", "{count} puzzles", run.puzzles),
        deals=say_many("{count} deal", "{count} deals", run.deals),
        seconds=time.monotonic() - begun,
    )
    if not run.complete:
        echo(say("interrupted: {took}; the same command continues from there", took=took), err=True)
        click.get_current_context().exit(INTERRUPTED)
    if run.repeated:
        took = say("{took} ({count} left out as repeated)", took=took, count=run.repeated)
    echo(f"{took}: {out}", err=True)
    for reason, candidates in run.dropped.items() if why else ():
        echo(f"{candidates:>6}  {reason}", err=True)
    if run.faults:
        click.get_current_context().exit(FAILED)
