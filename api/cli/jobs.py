"""The commands for long work: `athanor jobs`, which queues work and keeps the results, and `athanor batch`, which
does the work immediately and writes the results to one file.
"""

from __future__ import annotations

import csv
import itertools
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from api.cli.terminal import (
    FAILED,
    INTERRUPTED,
    SEED,
    STDIN,
    CommandFailure,
    Commands,
    Whole,
    about,
    cancel_on_interrupt,
    cluster_option,
    counting,
    echo,
    in_file,
    in_thread,
    input_name,
    jobs_option,
    json_option,
    nodes_option,
    opened_input,
    option,
    read_input,
    seconds_option,
    show_guess,
    writing,
)
from athanor.asking import QUESTIONS, OnlyHere
from solver import registry
from solver.common import in_one_line
from solver.errors import AthanorError, PositionError, PuzzleError
from solver.language import say, say_many, translated
from solver.texts import decoded, game_typed, is_utf16

if TYPE_CHECKING:
    from athanor.jobs import Job, Store


# ----------------------------------------------------------------------------------------------------
# The questions of `athanor batch` and `athanor jobs submit`: files with one question per line, turned into units.


F = TypeVar("F", bound=Callable[..., Any])

_ABOUT_POSITIONS = {  # the options of questions about positions
    name: {key: keyword for key, keyword in QUESTIONS[name].options.items() if not keyword.note(OnlyHere)}
    for name in ("analyze", "hint")
}
_OPTIONS_OF = {name: tuple(options) for name, options in _ABOUT_POSITIONS.items()} | {
    "solve": tuple(QUESTIONS["solve"].options),
    "deal": ("seed", "deals"),
    "survey": ("seed", "deals"),
}
KINDS = tuple(_OPTIONS_OF)


def question_options() -> Callable[[F], F]:
    """Return a decorator that adds the arguments KIND and FILE… and the options for questions to a command."""
    more = {
        "seed": click.option("--seed", type=SEED, help="The seed of hints, deals and surveys; default: 0."),
        "deals": click.option(
            "--deals", type=Whole(1), metavar="N", help="How many deals of each game or survey."
        ),
        "seconds": seconds_option("Give the best so far of a question after S seconds; then two runs may differ."),
        "nodes": nodes_option("Give the best so far of a question after N nodes; the same in every run."),
    }
    asked = {key: keyword for keywords in _ABOUT_POSITIONS.values() for key, keyword in keywords.items()}
    options = (
        click.argument("kind", type=click.Choice(KINDS, case_sensitive=False)),
        click.argument("file", nargs=-1),
        *(option(keyword) for key, keyword in asked.items() if key not in more),
        *more.values(),
        click.option("--limit", type=Whole(1), metavar="N", help="Ask the first N questions only."),
    )

    def add(command: F) -> F:
        for decorate in reversed(options):
            command = decorate(command)
        return command

    return add


_SHOWN = 5  # faulty questions
_JSON = ("{", "[", '"')  # how an object, a list or a text begins


def units_in(kind: str, files: Sequence[str], limit: int | None, options: dict[str, Any]) -> Iterator[str]:
    """Yield a job's units of work, each as one line of JSON, for the first `limit` questions in the files.

    A faulty question is a unit that fails; the first ones are shown on stderr, with their file and line. Without
    files, reads the standard input, unless that is a terminal. Raises CommandFailure that names a file that cannot
    be read, and UsageError for an option that `kind` does not have.
    """
    from athanor.jobs.units import faulty, limited, units_of

    if not files and sys.stdin.isatty():
        raise click.MissingParameter(param_hint="FILE", param_type="argument")
    files = files or (STDIN,)
    # An option that may be repeated is empty if it is not given, and a flag is False.
    options = {name: value for name, value in options.items() if value not in (None, ()) and value is not False}
    for name in options:
        if name not in _OPTIONS_OF[kind]:
            raise click.UsageError(say("--{name} does not apply to {kind}", name=name, kind=kind))
    asked = (
        _puzzles_in(files) if kind == "solve" else (pair for file in files for pair in _questions_in(kind, file))
    )
    where, faults = None, 0
    for where, question in itertools.islice(asked, limit):
        place = {"question": where}
        try:
            if isinstance(question, AthanorError):
                raise question
            yield from units_of(kind, question, limited(options), place=place)
        except AthanorError as error:
            faults += 1
            if faults <= _SHOWN:
                echo(say("Error: {message}", message=f"{where}: {error}"), err=True)
            yield faulty(kind, error, place)
    if where is None:
        raise CommandFailure(say("there is no question in these files"))
    if faults > _SHOWN:
        echo(say_many("… and {count} more is faulty", "… and {count} more are faulty", faults - _SHOWN), err=True)


def _questions_in(kind: str, file: str) -> Iterator[tuple[str, Any]]:
    """Yield (place, question) for each question in a file; a place is a text such as `name: line 3`. In place of a
    question that cannot be read, there is its error.

    The file has one question per line, or is a question or a list of them as JSON, or a table of deals. `file` may
    also name a game to deal, or a survey.
    """
    from athanor.jobs import outputs
    from solver.codec import bare
    from solver.strict_json import loads_json

    if kind == "deal" and game_typed(file) in registry.names():
        yield file, {"game": game_typed(file)}
        return
    named = file.split("/")
    if kind == "survey" and named[0] in registry.names() and 2 <= len(named) <= 3:
        yield file, dict(zip(("game", "survey", "variant"), named, strict=False))
        return
    name = input_name(file)
    if kind in _ABOUT_POSITIONS and file.lower().endswith(".parquet"):
        with about(name):
            yield from ((f"{name}: row {row}", text) for row, text in enumerate(outputs.texts_in(file), start=1))
        return
    lines = enumerate(_lines(file), start=1)
    first = next(((number, line) for number, line in lines if bare(line)), None)
    if first is None:
        return
    if kind in _ABOUT_POSITIONS and outputs.TEXT in first[1].strip().split(","):
        table = csv.DictReader(itertools.chain([first[1]], (line for _, line in lines)))
        for row in table:
            yield f"{name}: line {first[0] - 1 + table.line_num}", row[outputs.TEXT] or ""
        return
    is_first = True
    for number, line in _joined(first, lines):
        question: Any = line.strip()
        if not bare(question):
            continue
        if question[0] in _JSON:
            try:
                question = loads_json(line)
            except PositionError as error:
                question = error
        if is_first and isinstance(question, list):
            yield from ((f"{name}: question {index}", entry) for index, entry in enumerate(question, start=1))
        else:
            yield f"{name}: line {number}" if number else name, question
        is_first = False


def _joined(first: tuple[int, str], lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield numbered lines, or all of them as one with the number 0, if they are a single JSON text.

    They are one, too, if it is faulty and no later line stands alone, as an entry that is indented or followed by
    a comma does not.
    """
    if not first[1].lstrip().startswith(_JSON) or _is_json(first[1]):
        yield first
        yield from lines
        return
    rest = list(lines)
    whole = first[1] + "".join(line for _, line in rest)
    alone = (line[0].isalpha() or (line[0] == "{" and _is_json(line)) for _, line in rest)
    yield from [(0, whole)] if _is_json(whole) or not any(alone) else [first, *rest]


def _lines(file: str) -> Iterator[str]:
    """Yield the lines of a file, decoded one at a time, so that even a million of them need little memory."""
    with opened_input(file) as stream:
        shown = False
        for number, line in enumerate(stream, start=1):
            if number == 1 and is_utf16(line):  # its lines do not end where its bytes seem to
                yield from decoded(line + stream.read()).splitlines(keepends=True)
                return
            with about(f"{input_name(file)}: line {number}"):
                text = decoded(line)
            if text.names and not shown:
                show_guess(file, text)
                shown = True
            yield text


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _puzzles_in(files: Sequence[str]) -> Iterator[tuple[str, Any]]:
    from puzzles.format import entries_of, files_in

    def refuse(error: PuzzleError) -> NoReturn:
        raise CommandFailure(error.message)

    for path in files_in(files, refuse):
        name, content = input_name(path), read_input(path)
        try:
            entries = entries_of(content)
        except PuzzleError as error:
            yield name, error
            continue
        for number, entry in enumerate(entries, start=1):
            known = entry.get("id") if isinstance(entry, dict) else None
            yield f"{name}: {known if isinstance(known, str) else number}", entry


# ----------------------------------------------------------------------------------------------------
# `athanor jobs`: work submitted to a running service or to `athanor jobs work`.


@click.group(cls=Commands)
def jobs() -> None:
    """Submit jobs for a running `athanor serve` to work on, and manage them and their results.

    Jobs are kept in the file ATHANOR_JOBS, by default one of yours that all commands share.
    """


@jobs.command()
@question_options()
@click.option("--title", default="", help="The job's title in lists.")
@click.option("--key", help="Submitted again with the same key and questions, it is the same job.")
@json_option()
def submit(
    kind: str, file: tuple[str, ...], limit: int | None, title: str, key: str | None, as_json: bool, **options: Any
) -> None:
    """Submit a job. KIND and FILE are as for `athanor batch`."""
    units = units_in(kind, file, limit, options)
    with _store() as store:
        job, _ = store.submit(kind, units, title=title, key=key)
    _tell(job, as_json)


@jobs.command(name="list")
@json_option("Print one line of JSON per job.")
def listed(as_json: bool) -> None:
    """The newest jobs."""
    with _store() as store:
        stored = store.jobs()
    for job in stored:
        echo(
            job.to_json()
            if as_json
            else f"{job.id}  {job.created}  {job.kind:<8} {_state(job)}  {in_one_line(job.title)}".rstrip()
        )


@jobs.command()
@click.argument("job")
@json_option()
def show(job: str, as_json: bool) -> None:
    """The progress of a job."""
    with _store() as store:
        _tell(store.job(job), as_json)


@jobs.command()
@click.argument("job")
@click.option("--after", type=Whole(0), default=0, metavar="ID", help="Only the results after this one.")
def follow(job: str, after: int) -> None:
    """Print the results as they arrive, one line of JSON each, until the job has ended."""
    with _store() as store:
        for result in store.follow(job, after=after):
            echo(result.to_json())
        if store.job(job).status != "done":
            click.get_current_context().exit(FAILED)


@jobs.command()
@click.argument("job")
def cancel(job: str) -> None:
    """Cancel a job; finished work is kept."""
    with _store() as store:
        _tell(store.cancel(job), False)


@jobs.command()
@click.argument("job")
def retry(job: str) -> None:
    """Repeat what failed or was cancelled."""
    with _store() as store:
        _tell(store.retry(job), False)


@jobs.command()
@click.argument("job")
def delete(job: str) -> None:
    """Delete a job and its results."""
    with _store() as store:
        store.delete(job)


@jobs.command()
@jobs_option("Work on N units at a time, each in its own process; default: one per core.")
@cluster_option
def work(jobs: int, cluster: str | None) -> None:
    """Work on waiting jobs until none is left. You don't need this if `athanor serve` is running.

    While another process works on them, wait, and take over if it ends.
    Ctrl-C stops it; finished work is kept.
    """
    from athanor.jobs import JobError
    from athanor.jobs.batches import team_of
    from athanor.jobs.workers import work as do

    with _store() as store, cancel_on_interrupt() as interrupted:

        def run() -> None:
            with team_of(jobs, cluster) as team:
                do(store, team, stop=interrupted.is_set)

        announced = False
        while store.open() and not interrupted.is_set():
            try:
                in_thread(run)
            except JobError as error:
                if error.code != "store_busy":
                    raise
                if not announced:
                    click.echo(say("Waiting: {problem}.", problem=error.message), err=True)
                    announced = True
                interrupted.wait(1)
        if interrupted.is_set():
            click.get_current_context().exit(INTERRUPTED)


@contextmanager
def _store() -> Iterator[Store]:
    from athanor.jobs import Store

    store = Store()
    try:
        with in_file(store.path):
            yield store
    finally:
        store.close()


def _tell(job: Job, as_json: bool) -> None:
    echo(job.to_json() if as_json else f"{job.id}: {_state(job)}")


def _state(job: Job) -> str:
    done = job.units.done + job.units.failed
    values = {"status": translated(job.status), "done": done, "total": job.total, "failed": job.units.failed}
    if job.units.failed:
        return say("{status}, {done} of {total}, {failed} failed", **values)
    return say("{status}, {done} of {total}", **values)


# ----------------------------------------------------------------------------------------------------
# `athanor batch`: many questions on all cores, into one file; it can be interrupted and resumed.


@click.command()
@question_options()
@click.option(
    "--out",
    metavar="PATH",
    help="Where the results go: a name that ends in .ndjson, .csv or .parquet; default: to stdout, as .ndjson.",
)
@click.option("--overwrite", is_flag=True, help="Replace PATH if it exists.")
@jobs_option("Answer N questions at a time, each in its own process; default: one per core.")
@cluster_option
def batch(
    kind: str,
    file: tuple[str, ...],
    limit: int | None,
    out: str | None,
    overwrite: bool,
    jobs: int,
    cluster: str | None,
    **options: Any,
) -> None:
    """Ask the same question about many positions, puzzles or deals.

    KIND is analyze, hint, solve, deal or survey. A FILE holds positions, one on each line as JSON or as text, or
    what batch deal wrote; for solve it is a puzzle file or a folder of them; for deal a game's name, or JSON with
    game, seed, number and deals; for survey GAME/SURVEY or GAME/SURVEY/VARIANT. Without a FILE, they come from
    stdin: one batch can be piped into the next.

    A faulty question leaves the others to be answered: its line in the output says what is wrong with it, and the
    exit code is 2. After Ctrl-C, the same command continues from --out; the output is the same as without a stop.
    """
    from athanor.jobs.batches import SUFFIX, Batch

    with _destination(out) as path:
        with writing(path), in_file(path + SUFFIX):
            started = Batch(kind, units_in(kind, file, limit, options), path, overwrite=overwrite)
        total = started.job.total
        begun = time.monotonic()
        with cancel_on_interrupt() as cancel, in_file(started.path):
            with counting(kind, total) as report:
                complete = in_thread(
                    lambda: started.run(
                        jobs, cluster=cluster, stop=cancel.is_set, report=lambda done, _: report(done)
                    )
                )
            if not complete:
                message = (
                    say("interrupted; a batch continues only from a file that --out names")
                    if out is None
                    else say("interrupted; finished work is in {path}, and the same command continues from there",
                             path=started.path)
                )  # fmt: skip
                started.store.close()
                echo(message, err=True)
                click.get_current_context().exit(INTERRUPTED)
        with writing(path):
            failed = started.finish()
    said = say_many("{count} unit in {seconds:.1f} s: {out}", "{count} units in {seconds:.1f} s: {out}", total,
                    seconds=time.monotonic() - begun, out=out or "stdout")  # fmt: skip
    echo(say("{said}; {count} failed", said=said, count=failed) if failed else said, err=True)
    if failed:
        click.get_current_context().exit(FAILED)


@contextmanager
def _destination(out: str | None) -> Iterator[str]:
    """Provide the file for the results: `out` or, without a name, one that is printed when it is complete."""
    if out is not None:
        yield out
        return
    with tempfile.TemporaryDirectory(prefix="athanor-") as folder:
        path = Path(folder, "results.ndjson")
        yield str(path)
        with path.open("rb") as results:
            shutil.copyfileobj(results, sys.stdout.buffer)
