"""Jobs of many questions, kept in a file so that they survive the end of any process.

A job is a list of *units*, each a separate question. `Store` submits, lists, cancels, retries and deletes jobs;
`athanor.jobs.workers` has the processes that work on them. A *batch* (`athanor.batch`) is a job in its own file,
beside its output.
"""

from athanor.jobs.file import JobError
from athanor.jobs.settings import default_path
from athanor.jobs.store import Job, Store

__all__ = ["Job", "JobError", "Store", "default_path"]
