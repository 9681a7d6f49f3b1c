"""What batches take, and the lines of streams."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from api.bodies.models import AnalyzeRequest, CompoundRequest, ErrorDetail, HintRequest, Request
from solver.answers import Answer, Value

MOST_QUESTIONS = 1_000  # of a batch


class HintQuestion(HintRequest):
    """A question of a batch: the body of `/v1/hint`, and `ask`."""

    ask: Literal["hint"]


class AnalyzeQuestion(AnalyzeRequest):
    """A question of a batch: the body of `/v1/analyze`, and `ask`."""

    ask: Literal["analyze"]


class CompoundQuestion(CompoundRequest):
    """A question of a batch: the body of `/v1/compound`, and `ask`."""

    ask: Literal["compound"]


BatchQuestion = Annotated[HintQuestion | AnalyzeQuestion | CompoundQuestion, Field(discriminator="ask")]


class BatchAsk(BaseModel):
    """What a question of a batch asks; its other keys are those of that question's body."""

    ask: Literal["hint", "analyze", "compound"]


class BatchRequest(Request):
    """Questions that do not depend on one another. Each is read for itself: the faults of one are its answer."""

    questions: Annotated[
        tuple[Any, ...],
        Field(min_length=1, max_length=MOST_QUESTIONS, description="In any order."),
    ]


class BatchLine(Answer):
    """What became of a question of a batch: its answer or its error."""

    index: Annotated[int, Field(description="Which question, counted from 0.")]
    answer: Annotated[dict[str, Any] | None, Field(description="The whole answer to the question.")] = None
    error: ErrorDetail | None = None


class StreamQuery(Request):
    """Whether to stream, in the address."""

    stream: Annotated[
        Literal["0", "1"],
        Field(description="1 to be told line by line, as for `Accept: application/x-ndjson`; 0 not to."),
    ] = "0"


class ProvedMove(Answer):
    """What is proved of a move so far."""

    move: str
    bounds: Annotated[tuple[Value, Value], Field(description="The least and the most that its value can be.")]


class ProgressData(Answer):
    """How far a search is."""

    nodes: Annotated[int, Field(description="How large the search is so far.")]
    seconds: Annotated[float, Field(description="How long it has searched.")]
    done: Annotated[float | None, Field(description="The share that is done, from 0 to 1; null if not known.")]
    stage: Annotated[str, Field(description="What it is at, in a word or two.")]
    best: Annotated[str | None, Field(description="The move that seems best so far; null if not known.")]
    moves: Annotated[
        tuple[ProvedMove, ...] | None,
        Field(description="What is proved of each move so far, where an analysis tells it; in no order."),
    ] = None
    bounds: Annotated[
        tuple[Value, Value] | None,
        Field(description="The least and the most that the position's value can be, where an analysis tells it."),
    ] = None


class ProgressLine(Answer):
    """A line of a streamed hint or analysis, before the answer."""

    progress: ProgressData
