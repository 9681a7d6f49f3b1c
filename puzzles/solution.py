"""A puzzle's solution: stated by its author, or found by solving it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, NamedTuple, Protocol, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from solver.answers import Answer
from solver.findings import fault
from solver.language import say


class Model(BaseModel):
    """Base of the models in puzzle files: immutable, without undeclared keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _value(value: object) -> object:
    """A single message for a value of the wrong type; a union would report only its first member."""
    listed = value if isinstance(value, list | tuple) else ()
    for number in listed or [value]:
        kind = type(number)
        if kind is str and not listed:
            continue
        if kind not in (int, float) or not math.isfinite(number):  # a bool is not a number here
            raise fault("wrong_type", say("a value is a finite number, a word, or a list of numbers"))
    return value


def listed(keys: Iterable[str]) -> str:
    """The keys in words: ``a, b or c``."""
    *others, last = keys
    return f"{', '.join(others)} or {last}"


Texts = Annotated[tuple[str, ...], Field(fail_fast=True)]
Points = Annotated[int, Field(strict=True)]
StatedValue = Annotated[int | float | str | tuple[int | float, ...], BeforeValidator(_value)]


class StatedRecipe(Model):
    """A recipe that is made: its carrier and the cards used; `item` and `bonus` are optional."""

    card: str
    item: str | None = None
    uses: Texts
    bonus: Annotated[int, Field(strict=True)] | None = None


class Solution(Model):
    """A solution, stated by the author or found by solving; it has only the keys for its question.

    `best` lists every optimal move. For all-matches, `moves` lists every match (and `best` may), and `value` is
    their number. `winnable` is equivalent to a `value` of "won" or "lost". For compound: `total` and `bonus` of
    the best compounding, and `recipes`, one way to make it.
    """

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    best: Texts | None = None
    value: StatedValue | None = None
    winnable: Annotated[bool, Field(strict=True)] | None = None
    moves: Texts | None = None
    total: Points | None = None
    bonus: Points | None = None
    recipes: Annotated[tuple[StatedRecipe, ...], Field(fail_fast=True)] | None = None

    def stated(self) -> Iterator[str]:
        """The keys that are stated."""
        return (key for key in type(self).model_fields if getattr(self, key) is not None)

    def move_lists(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The stated lists of moves, by key."""
        for key, texts in (("best", self.best), ("moves", self.moves)):
            if texts is not None:
                yield key, texts

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not any(self.stated()):
            raise fault("missing_key", say("a solution states {listed}", listed=listed(type(self).model_fields)))
        if self.winnable is not None and self.value not in (None, "won" if self.winnable else "lost"):
            raise fault("conflict", say("the value {value!r} contradicts winnable", value=self.value), "value")
        return self


# ----------------------------------------------------------------------------------------------------
# The verdict on a stated solution.


class Objection(NamedTuple):
    """Why a stated solution is not confirmed: it is `refuted`, or merely unproved."""

    refuted: bool
    reason: str


class Verdict(NamedTuple):
    """What is proved, as a solution (None if nothing is), and the objections to the stated one."""

    found: Solution | None
    objections: Iterator[Objection]


class Subject(Protocol):
    """The subject of questions: moves, or compounding."""

    def check(self, game: Any, position: BaseModel, ask: str, stated: Solution) -> None:
        """Reject a solution that is impossible in this position, whether right or wrong.

        Raises PuzzleError with a path relative to the solution.
        """

    def judge(self, game: Any, position: BaseModel, ask: str, answer: Answer, stated: Solution | None) -> Verdict:
        """Compare the answer to the question with the stated solution, which has passed `check`."""
