"""Solutions of puzzles, stated by the author or found by solving, and how they are compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, NamedTuple, Protocol, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from solver.answers import Answer
from solver.common import EXACT
from solver.language import say
from solver.validation import fault


class Model(BaseModel):
    """Base class of the models in puzzle files: immutable, and with no undeclared keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


WORDS = ("won", "lost")  # the values of a solitaire


def _value(value: object) -> object:
    """Reject a value of the wrong type with a single message; a union would report only its first member."""
    if value in WORDS:
        return value
    listed = value if isinstance(value, list | tuple) else ()
    for number in listed or [value]:
        kind = type(number)
        if kind not in (int, float) or not math.isfinite(number):  # a bool is not a number here
            message = say('a value is a number without quotes, "won" or "lost", or a list of numbers')
            raise fault("wrong_type", message)
        if kind is int and abs(number) >= EXACT:
            raise fault("out_of_range", say("a value is a number below {most}", most=EXACT))
    return value


def listed(keys: Iterable[str]) -> str:
    """Return the keys as a phrase: ``a, b or c``."""
    *others, last = keys
    return f"{', '.join(others)} or {last}"


Texts = Annotated[tuple[str, ...], Field(fail_fast=True)]
Points = Annotated[int, Field(gt=-EXACT, lt=EXACT, strict=True)]
NEAR = 0.005  # a chance in whole percent is near enough
StatedValue = Annotated[int | float | str | tuple[int | float, ...], BeforeValidator(_value)]


class StatedRecipe(Model):
    """A recipe that is made, given by its card and the cards it uses; `item` and `bonus` are optional."""

    card: str
    item: str | None = None
    uses: Texts
    bonus: Points | None = None


class Solution(Model):
    """A solution, stated by the author or found by solving; only the keys for its question are set.

    `best` lists every optimal move. For all-matches, `moves` lists every match (`best` may list them, too), and
    `value` is their number. `winnable` is equivalent to a `value` of "won" or "lost". For compound, `total` and
    `bonus` are the points of the best compounding, and `recipes` is one way to make it.
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
        """Yield the keys that are set."""
        return (key for key in type(self).model_fields if getattr(self, key) is not None)

    def move_lists(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield (key, moves) for the lists of moves that are set."""
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
    """The reason why a stated solution is not confirmed: it is refuted, or (if not `refuted`) merely unproved."""

    refuted: bool
    reason: str


class Verdict(NamedTuple):
    """What was proved, as a solution (None if nothing was), and the objections to the stated solution."""

    found: Solution | None
    objections: Iterator[Objection]


class Subject(Protocol):
    """A kind of question, about moves or about compounding, that can check and judge stated solutions."""

    def checked(self, game: Any, position: BaseModel, ask: str, stated: Solution) -> Solution:
        """Return a solution as the game writes it. It need not be right.

        Raises PuzzleError if it is impossible in this position. The path of the error is relative to the solution.
        """

    def judge(self, game: Any, position: BaseModel, ask: str, answer: Answer, stated: Solution | None) -> Verdict:
        """Compare the answer to a question with the stated solution, which has passed `checked`."""
