"""Batches of questions, and generating puzzles: work that can be stopped and resumed."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, NamedTuple

from athanor.asking import Bounds, Count, Help, Seed, checked, question
from solver.common import EXACT
from solver.errors import PuzzleError
from solver.language import say

DEALS = 5_000  # at most, by default


@checked
def batch(
    kind: str,
    questions: Iterable[Any],
    out: str | os.PathLike[str],
    *,
    jobs: Count = 1,
    cluster: str | None = None,
    overwrite: bool = False,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> bool:
    """Answer many questions and write the answers to a file, in the order of the questions.

    `kind` is ``analyze``, ``hint``, ``solve``, ``deal`` or ``survey``. For ``analyze`` and ``hint``, a question
    is a position (an object, a dict or a line of text), or a dict with the key ``position`` and its own options,
    such as ``{"limit": {"nodes": 500}}``. For ``solve`` it is a puzzle, for ``deal`` a dict with the keys
    ``game``, ``seed``, ``number`` and ``deals``, and for ``survey`` a dict with these keys, ``variant``, and the
    survey's name as ``survey``. `options` apply to all questions: ``nodes``, ``seconds``, ``deals``, and the
    keywords of `analyze` and `hint`.

    The name of `out` ends in ``.ndjson``, ``.csv`` or ``.parquet``; an existing file is replaced only with
    `overwrite`. The questions are answered by `jobs` processes, or by a dask `cluster`, given by its address.
    `progress` is called with the number of units done and the total.

    Returns True once everything is done, or False if `cancel` was set first: then the work done is kept beside
    `out`, and the same call resumes from there, also after a crash. The output does not depend on interruptions or
    on `jobs`.

    Raises RequestError and PositionError for an invalid question, JobError if the unfinished work cannot be kept
    or `out` exists, OSError if `out` cannot be written.
    """
    from athanor.jobs.batches import Batch
    from athanor.jobs.units import limited, payloads

    begun = Batch(kind, payloads(kind, questions, limited(options)), os.fspath(out), overwrite=overwrite)
    complete = begun.run(
        jobs,
        cluster=cluster,
        stop=(lambda: False) if cancel is None else cancel.is_set,
        report=(lambda done, total: None) if progress is None else progress,
    )
    if complete:
        begun.finish()
    return complete


class Generated(NamedTuple):
    """The result of a run: the number of puzzles found, the number of deals tried, and the errors in failed deals.

    `complete` is False if the run was cancelled; the work done is then kept beside the output. `repeated` is the
    number of puzzles left out because they differ from another one only by a symmetry. `dropped` counts the
    candidates that made no puzzle, by the reason.
    """

    complete: bool
    puzzles: int
    deals: int
    repeated: int
    faults: tuple[str, ...]
    dropped: dict[str, int]


@question(here=True)
def generate(
    game: str,
    out: str | os.PathLike[str],
    *,
    count: Annotated[int, Bounds(ge=1, le=100_000), Help("How many puzzles.")] = 10,
    seed: Annotated[Seed, Help("The seed of the deals; each gives at most one puzzle.")] = 0,
    ask: Annotated[
        str | None,
        Help(
            "The question: best-move, value, hidden-hand, compound (King × Alchemy), winnable or all-matches "
            "(Alchemy); default: the game's first.",
            "QUESTION",
        ),
    ] = None,
    grade: Annotated[str | None, Help("Only easy, medium, hard or expert ones.", "GRADE")] = None,
    theme: Annotated[str | None, Help("Only those with this theme, such as sacrifice.", "THEME")] = None,
    model: Annotated[str | None, Help("Only with this model of the others' play.", "MODEL")] = None,
    deck: str | Mapping[str, Any] | None = None,
    best: Annotated[int, Bounds(ge=1, le=100), Help("How many moves may be best.")] = 1,
    unlike: Annotated[
        Iterable[str | os.PathLike[str]],
        Help("Make no puzzle that this file already has. May be repeated.", "FILE"),
    ] = (),
    deals: Annotated[int, Bounds(ge=1, le=1_000_000), Help("Try N deals at most.")] = DEALS,
    nodes: Annotated[
        int | None, Bounds(ge=1, lt=EXACT), Help("Drop a position whose proof takes more than N nodes.")
    ] = None,
    seconds: Annotated[
        float | None, Bounds(gt=0), Help("Write what is found after S seconds; then two runs may differ.")
    ] = None,
    jobs: Count = 1,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Generated:
    """Make `count` puzzles of a game and write them to the puzzle file `out`.

    `ask` is the question: ``best-move``, ``value``, …, or ``hidden-hand`` (the best move for a player who sees
    only one hand). By default, it is the first question that the game has. `grade`, `theme` and `model` filter
    the puzzles. `deck` is a deck's name, or a deck as users write it. `best` is the largest number of moves that
    may be optimal, and `nodes` limits each proof. Puzzles that differ only by a symmetry from another one, or from
    one in the files `unlike`, are left out. Each deal of the seed gives at most one puzzle, and at most `deals`
    are tried.

    `jobs` deals are tried at the same time, which does not change the output. With a limit of `seconds`, the
    puzzles found by then are written. If `cancel` is set, the work done is kept in ``OUT.unfinished``, and the
    same call resumes from there, also after a crash or with another `count`. `progress` is called with the numbers
    of puzzles found and of deals tried.

    Raises RequestError for a question that the game's puzzles do not have, PuzzleError if a file in `unlike`
    cannot be read or no deal made a puzzle, JobError and OSError as `athanor.batch` does.
    """
    from athanor.jobs.batches import Batch
    from athanor.jobs.units import payloads
    from puzzles.format import check_replaceable, load, replacing
    from puzzles.generate import DROPPED, Collecting, Order

    asked: dict[str, Any] = {
        "game": game,
        "task": ask,
        "seed": seed,
        "grade": grade,
        "theme": theme,
        "model": model,
        "deck": deck,
        "best": best,
        "nodes": nodes,
    }
    asked = {key: value for key, value in asked.items() if value is not None}
    others = [puzzle for path in unlike for puzzle in load(path).puzzles]
    collecting = Collecting(Order(**asked), count, others)
    out = os.fspath(out)
    units = payloads("generate", [asked | {"deals": deals}])
    begun = Batch("generate", units, out, overwrite=True, check=check_replaceable)
    end = None if seconds is None else time.monotonic() + seconds
    latest = 0

    def look() -> None:
        nonlocal latest
        while results := begun.store.results(begun.job.id, after=latest):
            for result in results:
                collecting.add(result.index, result.result)
            latest = results[-1].id

    def cancelled() -> bool:
        return cancel is not None and cancel.is_set()

    def stop() -> bool:
        look()
        if progress is not None:
            progress(len(collecting.kept), collecting.deals)
        return collecting.full or cancelled() or (end is not None and time.monotonic() > end)

    begun.run(jobs, stop=stop)
    look()
    complete = collecting.full or not cancelled()
    if complete:
        if not collecting.puzzles:
            begun.forget()
            raise PuzzleError(
                "not_found", say("none of {deals:,} deals made such a puzzle", deals=collecting.deals)
            )
        with replacing(out) as temporary:
            temporary.write_text(collecting.text(), encoding="utf-8")
        begun.forget()
    return Generated(
        complete,
        len(collecting.puzzles),
        collecting.deals,
        collecting.repeated,
        tuple(collecting.faults),
        {DROPPED[reason](): count for reason, count in collecting.dropped.most_common()},
    )
