"""Where jobs are kept. What asks for the place alone need not load what reads the file."""

from __future__ import annotations

import os


def default_path() -> str:
    """Where a user's jobs are: ATHANOR_JOBS, or ``jobs.sqlite`` where the system keeps programs' data."""
    import platformdirs

    found = os.environ.get("ATHANOR_JOBS")
    return found or os.path.join(platformdirs.user_data_dir("athanor", appauthor=False), "jobs.sqlite")
