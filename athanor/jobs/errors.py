"""What can go wrong with jobs."""

from __future__ import annotations

from solver.errors import AthanorError


class JobError(AthanorError):
    """A job that cannot be submitted, found or kept.

    Codes: ``no_job``, ``conflict``, ``too_large``; and of the store: ``store_full``, ``store_damaged``,
    ``store_busy``, ``store_unreadable``, ``clock_jumped``.
    """
