"""What is told of a job, and its results."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from solver.answers import Answer

Status = Literal["waiting", "running", "done", "failed", "cancelled"]
ENDED: tuple[Status, ...] = ("done", "failed", "cancelled")


class Counts(Answer):
    """How many units of a job are in each state."""

    waiting: Annotated[int, Field(description="Not begun, or to be begun anew.")]
    running: Annotated[int, Field(description="Being worked on.")]
    done: Annotated[int, Field(description="Answered.")]
    failed: Annotated[int, Field(description="Could not be answered; their results say why.")]
    cancelled: Annotated[int, Field(description="Not to be done any more.")]


class Job(Answer):
    """A job, and how far it is. `failed` is the status of a job that has ended with units that failed."""

    id: Annotated[str, Field(description="The name of the job, which nobody else can guess.")]
    kind: Annotated[str, Field(description="What is asked: analyze, hint, solve or deal.")]
    title: Annotated[str, Field(description="What its sender calls it; may be empty.")]
    key: Annotated[str | None, Field(description="What the sender gave to make a repeated submit the same job.")]
    status: Annotated[Status, Field(description="How far it is, in a word.")]
    total: Annotated[int, Field(description="How many units there are.")]
    units: Annotated[Counts, Field(description="How many of them are in which state.")]
    created: Annotated[str, Field(description="When it was submitted (ISO 8601, UTC).")]
    ended: Annotated[str | None, Field(description="When its last unit was done; null before.")]

    @property
    def over(self) -> bool:
        """Whether nothing of it waits or runs."""
        return self.status in ENDED


class Result(Answer):
    """A line of a job's results. `id` grows in the order in which they came; `unit` counts from 0."""

    id: int
    unit: int
    result: Annotated[
        dict[str, Any],
        Field(description="The answer, without the seconds that it took; or an object with the key `error`."),
    ]
