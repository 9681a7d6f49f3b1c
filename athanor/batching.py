"""The same question about many positions, puzzles or deals, on all cores, into one file."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from typing import Any


def batch(
    kind: str,
    questions: Iterable[Any],
    out: str | os.PathLike[str],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> bool:
    """Ask many questions, and write the answers into a file, in the order of the questions.

    `kind` is ``analyze``, ``hint``, ``solve`` or ``deal``. A question is a position, as an object, a dict or a
    line of text, or a dict with the key ``position`` and options of its own; for ``solve`` a puzzle; for ``deal``
    a dict with ``game``, ``seed``, ``number`` and ``deals``. `options` are for all of them: ``nodes``,
    ``seconds``, ``model``, ``player``, ``worlds``, ``seed``, ``deals``. The name of `out` ends in ``.ndjson``,
    ``.csv`` or ``.parquet``. `jobs` are done at once, each in a process of its own; or a `cluster` of dask
    does them, at an address or at ``local:4``. `progress` is told how many
    units are done, and how many there are.

    True when all is done. False when `cancel` was set before: then what is done is kept beside `out`, and the same
    call goes on from there, also after this process was killed. The output does not depend on that, nor on `jobs`.

    Raises RequestError and PositionError for a question that cannot be asked, JobError where the file of what is
    done cannot be kept, OSError where `out` cannot be written.
    """
    from pydantic import BaseModel

    from athanor.jobs.batches import Batch
    from athanor.jobs.questions import payloads
    from solver.positions import text_of

    asked = [text_of(given) if isinstance(given, BaseModel) and kind != "solve" else given for given in questions]
    begun = Batch(kind, payloads(kind, asked, options), os.fspath(out))
    complete = begun.run(
        jobs,
        cluster=cluster,
        stop=(lambda: False) if cancel is None else cancel.is_set,
        report=(lambda done, total: None) if progress is None else progress,
    )
    if complete:
        begun.finish()
    return complete
