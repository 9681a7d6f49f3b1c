"""New puzzles with proved solutions, as a job that can be stopped and goes on."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from solver.language import say

DEALS = 5_000  # that are tried at most, where nothing else is said


class Generated(NamedTuple):
    """How a run ended: how many puzzles it has, of how many deals, and what went wrong with some of them.

    Not `complete`: it was cancelled, and what is done is kept beside the output. `repeated` puzzles were left out.
    """

    complete: bool
    puzzles: int
    deals: int
    repeated: int
    faults: tuple[str, ...]


def generate(
    game: str,
    out: str | os.PathLike[str],
    *,
    count: int = 10,
    seed: int = 0,
    ask: str | None = None,
    grade: str | None = None,
    theme: str | None = None,
    model: str | None = None,
    best: int = 1,
    nodes: int | None = None,
    deals: int = DEALS,
    seconds: float | None = None,
    unlike: Iterable[str | os.PathLike[str]] = (),
    jobs: int = 1,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Generated:
    """Make `count` puzzles of a game and write them into a puzzle file `out`.

    `ask` is the question, by default the game's first: ``best-move``, ``value``, …, or ``hidden-hand``, a best
    move for who sees one hand alone. `grade`, `theme` and `model` leave other puzzles out. `best` is how many
    moves may be best at most, and `nodes` bounds each proof. No puzzle differs by a symmetry alone from another
    one, or from one in the files of `unlike`. Each deal of the seed has one puzzle at most, and `deals` is how
    many are tried at most.

    The same arguments make the same file, whatever `jobs` is, which says how many deals are worked on at once. Not
    so with `seconds`: then what was found by that time is written. When `cancel` is set, what is done is kept in
    ``OUT.unfinished``; the same call goes on from there, also after this process was killed, and also with another
    `count`. `progress` is told how many puzzles there are, and how many deals are done.

    Raises RequestError for a question that the game's puzzles have not, PuzzleError for a file of `unlike` that
    cannot be read and where no deal made a puzzle, JobError and OSError as `athanor.batch`.
    """
    from athanor.jobs.batches import Batch
    from athanor.jobs.questions import payloads
    from puzzles.format import check_replaceable, load, replacing
    from puzzles.generate import Collecting, Order
    from solver.errors import PuzzleError, RequestError
    from solver.findings import validated

    asked: dict[str, Any] = {
        "game": game,
        "task": ask,
        "seed": seed,
        "grade": grade,
        "theme": theme,
        "model": model,
    }
    asked |= {"best": best, "nodes": nodes}
    asked = {key: value for key, value in asked.items() if value is not None}
    order = validated(Order.model_validate, asked, RequestError)
    others = [puzzle for path in unlike for puzzle in load(path).puzzles]
    collecting = Collecting(order, count, others)
    out = os.fspath(out)
    units = payloads("generate", [asked | {"deals": deals}])
    begun = Batch("generate", units, out, overwrite=True, check=check_replaceable)
    end = None if seconds is None else time.monotonic() + seconds
    latest = 0

    def look() -> None:
        nonlocal latest
        while found := begun.store.results(begun.job.id, after=latest):
            for result in found:
                collecting.add(result.unit, result.result)
            latest = found[-1].id

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
        complete, len(collecting.puzzles), collecting.deals, collecting.repeated, tuple(collecting.faults)
    )
