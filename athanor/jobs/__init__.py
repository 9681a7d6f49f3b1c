"""Work longer than a request: jobs that are kept in a file and survive whatever ends a process.

A job is a list of *units*, each a question of its own. Units are done by worker processes, and their results are
kept with them. `athanor.jobs.Store` submits jobs, tells of them, cancels, retries and deletes them;
`athanor.jobs.Crew` runs the workers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from athanor.jobs.errors import JobError
    from athanor.jobs.storage.models import Job, Result
    from athanor.jobs.storage.places import default_path
    from athanor.jobs.storage.store import Store
    from athanor.jobs.workers.crew import Crew

# SQLAlchemy and pydantic are imported when one of these is first used.
_LATER = {
    "Crew": "athanor.jobs.workers.crew",
    "Job": "athanor.jobs.storage.models",
    "JobError": "athanor.jobs.errors",
    "Result": "athanor.jobs.storage.models",
    "Store": "athanor.jobs.storage.store",
    "default_path": "athanor.jobs.storage.places",
}

__all__ = ["Crew", "Job", "JobError", "Result", "Store", "default_path"]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
