"""What the addresses of jobs take and give back."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from api.bodies.line_models import MOST_QUESTIONS
from api.bodies.models import ErrorDetail, Number, Request, Text, Whole
from athanor.jobs.store import Job
from solver.answers import Answer
from solver.limits import MOST_WORLDS, Limit

MOST_LISTED = 1_000


class JobRequest(Request):
    """Questions of one kind, and what holds for all of them that do not say otherwise."""

    kind: Annotated[
        Literal["analyze", "hint", "solve", "deal", "survey"], Field(description="What is asked of each.")
    ]
    questions: Annotated[
        tuple[Any, ...],
        Field(
            min_length=1,
            max_length=MOST_QUESTIONS,
            description="Positions, as objects or as text, or objects with the key `position` and `nodes`, "
            "`seconds`, `model`, `player`, `worlds` or `seed` of their own. To solve: puzzles, as in a file. "
            "To deal: objects with `game`, `seed`, `number` (the first) and `deals` (how many); for a survey the "
            "same with `survey`, its name.",
        ),
    ]
    limit: Annotated[
        Limit, Field(description="How long each may take; a limit of nodes gives the same each time.")
    ] = Limit()
    model: Text | None = None
    player: Whole | None = None
    worlds: Annotated[
        int | None, Field(ge=0, le=MOST_WORLDS, strict=True, description="How many layouts a hint tries.")
    ] = None
    seed: Annotated[Number | None, Field(description="Of hints, deals and surveys.")] = None
    title: Annotated[Text, Field(max_length=200, description="What the list calls the job.")] = ""
    key: Annotated[
        Text | None,
        Field(max_length=200, description="Sent again with the same key and questions, it is the same job."),
    ] = None


class JobsQuery(Request):
    """How many jobs to list."""

    most: Annotated[int, Field(ge=1, le=MOST_LISTED, description="The newest ones, so many at most.")] = 100


class ResultsQuery(Request):
    """Which results, in the address."""

    after: Annotated[int, Field(ge=0, lt=2**63, description="Only those with a higher `id`.")] = 0
    stream: Annotated[
        Literal["0", "1"],
        Field(description="1 to be told further results as they come, until the job has ended."),
    ] = "0"


class Jobs(Answer):
    """The newest jobs, the newest first."""

    jobs: Annotated[tuple[Job, ...], Field(description="Your own or, asked from this machine, all.")]


class ResultLine(Answer):
    """A line of a job's results; the last one tells how far the job is, and has no other key."""

    id: Annotated[int | None, Field(description="Grows from line to line; `after` begins behind one.")] = None
    unit: Annotated[int | None, Field(description="Which unit of the job, counted from 0.")] = None
    result: Annotated[
        dict[str, Any] | None,
        Field(description="The answer, without the seconds that it took, or an object with the key `error`."),
    ] = None
    job: Annotated[Job | None, Field(description="How far the job is, in the last line.")] = None
    error: ErrorDetail | None = None
