"""Jobs of many questions, kept in a file so that they survive the end of any process.

A job is a list of *units*, each a separate question. `Store` submits, lists, cancels, retries and deletes jobs;
`Crew` runs the processes that work on them. A *batch* (`batch`) is a job in its own file, beside its output.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from athanor.jobs.settings import default_path
    from athanor.jobs.store import Figures, Job, JobError, Result, Store
    from athanor.jobs.workers import Crew

# The modules that read the file are imported on first use.
_LATER = {
    "Crew": "athanor.jobs.workers",
    "Figures": "athanor.jobs.store",
    "Job": "athanor.jobs.store",
    "JobError": "athanor.jobs.store",
    "Result": "athanor.jobs.store",
    "Store": "athanor.jobs.store",
    "default_path": "athanor.jobs.settings",
}

__all__ = [
    "Crew",
    "Figures",
    "Job",
    "JobError",
    "Result",
    "Store",
    "batch",
    "default_path",
    "figures",
]


def batch(
    kind: str,
    questions: Iterable[Any],
    out: str | os.PathLike[str],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    overwrite: bool = False,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> bool:
    """Answer many questions and write the answers to a file, in the order of the questions.

    `kind` is ``analyze``, ``hint``, ``solve``, ``deal`` or ``survey``. For ``analyze`` and ``hint``, a question is
    a position (an object, a dict or a line of text), or a dict with the key ``position`` and its own options. For
    ``solve`` it is a puzzle, for ``deal`` a dict with the keys ``game``, ``seed``, ``number`` and ``deals``, and
    for ``survey`` a dict with these keys, ``variant``, and the survey's name as ``survey``. `options` apply to all
    questions: ``nodes``, ``seconds``, ``model``, ``player``, ``worlds``, ``seed``, ``deals``.

    The name of `out` ends in ``.ndjson``, ``.csv`` or ``.parquet``; an existing file is replaced only with
    `overwrite`. The questions are answered by `jobs` processes, or by a dask `cluster`, given by its address or as
    ``local:4``. `progress` is called with the number of units done and the total.

    Returns True once everything is done, or False if `cancel` was set first: then the work done is kept beside
    `out`, and the same call resumes from there, also after a crash. The output does not depend on interruptions or
    on `jobs`.

    Raises RequestError and PositionError for an invalid question, JobError if the unfinished work cannot be kept
    or `out` exists, OSError if `out` cannot be written.
    """
    from athanor.jobs.batches import Batch
    from athanor.jobs.units import payloads

    begun = Batch(kind, payloads(kind, questions, options), os.fspath(out), overwrite=overwrite)
    complete = begun.run(
        jobs,
        cluster=cluster,
        stop=(lambda: False) if cancel is None else cancel.is_set,
        report=(lambda done, total: None) if progress is None else progress,
    )
    if complete:
        begun.finish()
    return complete


def figures() -> Figures:
    """Return statistics of the user's job file; zeros if there is none. Raises JobError if it is unusable."""
    from athanor.jobs.settings import default_path
    from athanor.jobs.store import Figures, Store

    if not os.path.exists(default_path()):
        return Figures()
    store = Store()
    try:
        return store.figures()
    finally:
        store.close()


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
