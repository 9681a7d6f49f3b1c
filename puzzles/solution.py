"""What a puzzle's author states, or what solving it found."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, NamedTuple, Protocol, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from solver.answers import Answer
from solver.findings import fault
from solver.language import say


class Model(BaseModel):
    """Base of what puzzle files hold: immutable, and closed to keys that are not declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _value(value: object) -> object:
    """One message, where a union's would speak of its first member alone."""
    listed = value if isinstance(value, list | tuple) else ()
    for number in listed or [value]:
        kind = type(number)
        if kind is str and not listed:
            continue
        if kind not in (int, float) or not math.isfinite(number):  # a bool is none
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
    """A recipe that is made: its carrier and the cards that serve; `item` and `bonus` may be told too."""

    card: str
    item: str | None = None
    uses: Texts
    bonus: Annotated[int, Field(strict=True)] | None = None


class Solution(Model):
    """What a puzzle's author states, or what solving it found; only the keys that the question asks for.

    `best` lists every optimal move. `moves`, of all-matches, lists every match (`best` may do so as well),
    and `value` is then their number. `winnable` says what a `value` of "won" or "lost" says. Of compound:
    `total` and `bonus` of the best compounding, and `recipes`, one way to make it.
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
# What becomes of a stated solution when the puzzle is solved.


class Objection(NamedTuple):
    """Why a stated solution is not confirmed: it is `refuted`, or else it is not proved."""

    refuted: bool
    reason: str


class Verdict(NamedTuple):
    """What is proved, in the form of a solution (None: nothing), and what speaks against the stated one."""

    found: Solution | None
    objections: Iterator[Objection]


class Subject(Protocol):
    """What questions are about: moves, or how cards are compounded."""

    def check(self, game: Any, position: BaseModel, ask: str, stated: Solution) -> None:
        """Refuse a solution that cannot be one of this position, whether right or wrong.

        Raises PuzzleError, whose path is seen from the solution.
        """

    def judge(self, game: Any, position: BaseModel, ask: str, answer: Answer, stated: Solution | None) -> Verdict:
        """Compare the answer to the question with the stated solution, which `check` has let pass."""
