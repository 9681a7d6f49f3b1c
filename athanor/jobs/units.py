"""The questions of a job, and the outcomes of its units.

Questions are validated and split into units (`payloads`). A unit is a smaller question, as a line of JSON such as
``{"ask": "analyze", "position": "kirin …", "limit": {"nodes": 100000}}``, so any process on any machine gives the
same lines of JSON as its answer (`answer`).
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, create_model

from athanor import asking, surveys
from athanor.asking import QUESTIONS
from athanor.jobs.store import MOST_UNITS, Outcome, as_line
from athanor.table import numbered_deal
from puzzles.check import solve_puzzle
from puzzles.format import Puzzle
from puzzles.generate import Order, make
from solver.answers import Answer
from solver.common import SEEDS
from solver.errors import AthanorError, RequestError
from solver.language import language, say, speaking
from solver.limits import Control, Limit
from solver.positions import SentPosition, text_of
from solver.registry import game_of
from solver.search.memory import IDLE_PROVERS, table_megabytes
from solver.validation import validated

DEALS_A_UNIT = 100
_SURVEY_UNITS = 64  # the number of units of a survey, so that all processors have work,
_SURVEYED_A_UNIT = 10_000  # unless each would have fewer deals than this
MOST_DEALS = 10_000_000  # of one question
MOST_SURVEYED = 10**12
_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = ("athanor", "puzzles", "solver")
_SUFFIXES = (".py", ".toml")

_OF_DEALS = ("seed", "number", "text")  # what a deal says besides its position
HINT_NODES = 10_000  # of a hint without a limit: node limits make hints reproducible

_Seed = Annotated[int, Field(ge=0, lt=SEEDS, strict=True)]
_Text = Annotated[str, Field(strict=True)]


Rows = Sequence[Mapping[str, Any]]


def limited(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of a batch as options of questions: `seconds` and `nodes` are in their `limit`."""
    limit = {key: value for key, value in options.items() if key in Limit.model_fields and value is not None}
    others = {key: value for key, value in options.items() if key not in Limit.model_fields}
    return {**others, "limit": limit} if limit else others


def payloads(
    kind: str,
    questions: Iterable[Any],
    options: Mapping[str, Any] | None = None,
    *,
    most_seconds: float | None = None,
    keep_faulty: bool = False,
) -> Iterator[str]:
    """Yield the units of a job, each as one line of JSON.

    Raises RequestError for an unknown kind or option, AthanorError with a path such as
    ``questions[3].position.hand`` for an invalid question. With `keep_faulty`, the outcome of an invalid question
    is its error. The other arguments are as for `units_of`.
    """
    if kind not in _QUESTIONS:
        raise RequestError(
            "unknown_value",
            say("a job is one of {names}, not {kind!r}", names=", ".join(KINDS), kind=str(kind)[:40]),
            "kind",
        )
    options = {key: value for key, value in (options or {}).items() if value is not None}
    _QUESTIONS[kind].check(options)
    for index, question in enumerate(questions):
        path = f"questions[{index}]"
        try:
            yield from units_of(kind, question, options, most_seconds, place={"path": path})
        except AthanorError as error:
            if not keep_faulty:
                raise error.under(path) from None
            yield faulty(kind, error.under(path), {})


def faulty(kind: str, error: AthanorError, place: Mapping[str, str]) -> str:
    """Return the unit of a question that cannot be asked, whose outcome is its error, with its `place`."""
    return as_line({"ask": kind, **place, **error.to_dict()})


def units_of(
    kind: str,
    question: Any,
    options: Mapping[str, Any],
    most_seconds: float | None = None,
    *,
    place: Mapping[str, str],
) -> Iterator[str]:
    """Yield the units of a question, each as one line of JSON. If one fails, its outcome has its `place`: the name
    of the `question`, or the `path` that its error gets.

    For `analyze` and `hint`, the question is a position (an object or a line of text), a deal as `deal` returns
    it, or an object with the key `position` and its own options. For `solve`, it is a puzzle, as in a puzzle file.
    For `deal`, it is an object with the keys `game`, `seed`, `number` and `deals`; for `survey`, an object with
    these keys, `variant`, and the survey's name as `survey`; for `generate`, an object with the keys of
    `puzzles.generate.Order`, `number` and `deals`. `options` apply unless the question overrides them. No search
    may take more than `most_seconds`.

    Raises AthanorError for an invalid question.
    """
    reader = _QUESTIONS[kind]
    bare = reader.bare(question)
    try:
        asked = reader.read({bare: question} if bare else question, options).checked()
    except AthanorError as error:
        raise error.within(bare) from None
    if most_seconds is not None and isinstance(asked, Limited):
        wanted = asked.limit or Limit()
        cut = wanted.model_copy(update={"seconds": min(wanted.seconds or most_seconds, most_seconds)})
        asked = asked.model_copy(update={"limit": cut})
    spoken = {} if language() == "en" else {"lang": language()}
    for unit in asked.units():
        yield as_line({"ask": kind, **place, **({"bare": bare} if bare else {}), **unit, **spoken})


def answer(payload: str, cancel: threading.Event | None = None) -> Outcome:
    """Answer a unit and return its outcome. Errors become part of the outcome.

    The outcome is the same every time and on every machine, unless the unit has a limit in seconds. To ensure
    this, search times are removed from the answer, and tables filled by earlier searches are released first. If
    `cancel` ends the search early, the caller must ignore the outcome.
    """
    IDLE_PROVERS.drop()
    unit = json.loads(payload)
    if "error" in unit:  # it was faulty from the beginning
        return Outcome.of([{key: value for key, value in unit.items() if key != "ask"}])
    for key in ("question", "path", "bare"):
        unit.pop(key, None)
    error: AthanorError
    try:
        with speaking(unit.pop("lang", "en")):
            question = validated(_QUESTIONS[unit.pop("ask")].model_validate, unit, RequestError)
            return Outcome.of(question.answer(cancel))
    except AthanorError as exception:
        error = exception
    except MemoryError as exception:
        error = RequestError("out_of_memory", str(exception) or "out of memory")
    except Exception as exception:  # one unit must not lose the others
        error = RequestError("internal_error", f"{type(exception).__name__}: {exception}")
    return Outcome.failure(payload, error)


class Question(BaseModel):
    """A question of a job. Its units are such questions, too, as JSON-like data."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    subject: ClassVar[str] = "game"

    @classmethod
    def bare(cls, question: Any) -> str:
        """Return the key of which a question is the value, or "" if it is an object with all keys."""
        return cls.subject if isinstance(question, str) else ""

    @classmethod
    def check(cls, options: Iterable[str]) -> None:
        """Raise RequestError for an option that this kind of question does not take."""
        for key in options:
            if key not in cls.model_fields:
                raise RequestError("not_applicable", say("this kind of question takes no {key}", key=key), key)

    @classmethod
    def read(cls, question: Any, options: Mapping[str, Any]) -> Self:
        """Read a question; `options` apply unless it overrides them. Raises RequestError."""
        if not isinstance(question, dict):
            raise RequestError("wrong_type", say("a question is an object or a text"))
        return validated(cls.model_validate, {**options, **question}, RequestError)

    def checked(self) -> Self:
        """Return the question with its default values. Raises AthanorError if it cannot be answered."""
        return self

    def units(self) -> Iterator[dict[str, Any]]:
        """Yield the parts into which the question is split."""
        yield self.unit()

    def unit(self, **instead: Any) -> dict[str, Any]:
        """Return the question as JSON-like data; `instead` overrides some of its values."""
        return {**self.model_dump(mode="json", exclude_none=True, exclude=set(instead)), **instead}

    def answer(self, cancel: threading.Event | None) -> Rows:
        """Answer a unit with rows of JSON-like data; one that failed has an ``error``. Raises AthanorError."""
        raise NotImplementedError


class Limited(Question):
    """A question with a limit on the search; its subject may stand alone for the question."""

    limit: Limit | None = None

    @classmethod
    def bare(cls, question: Any) -> str:
        return "" if isinstance(question, dict) and cls.subject in question else cls.subject


class AboutPosition(Limited):
    """A question about a position: the one in `QUESTIONS` that has this type's name."""

    subject = "position"
    position: SentPosition

    @classmethod
    def read(cls, question: Any, options: Mapping[str, Any]) -> Self:
        """Override `Question.read`: a deal, as `Deals` returns it, stands for its position."""
        if not {"text", "position"} <= question.keys():
            return super().read(question, options)
        asked = super().read({key: question[key] for key in question if key not in _OF_DEALS}, options)
        if question["text"] != text_of(asked.position):
            message = say("this is not the text of the position; leave out one of them")
            raise RequestError("conflict", message, "text")
        return asked

    def checked(self) -> Self:
        name = self.asked.name
        if name not in game_of(self.position).asks(self.position):
            message = say("not every card is known in this position; ask for a hint instead")
            if name == "hint":
                message = say("there is no hint for this position; perhaps every card is known")
            raise RequestError("not_playable", message)
        is_limited = self.limit not in (None, Limit()) or any(
            getattr(self, key) is not None for key in self.asked.limits
        )
        if name == "hint" and not is_limited:
            return self.model_copy(update={"limit": Limit(nodes=HINT_NODES)})
        return self

    def units(self) -> Iterator[dict[str, Any]]:
        yield self.unit(position=text_of(self.position))

    def answer(self, cancel: threading.Event | None) -> Rows:
        values = {key: getattr(self, key) for key in self.asked.sent}
        return _searched(self.asked.run(values, Control(self.limit or Limit(), cancel)))

    @property
    def asked(self) -> asking.Question:
        return QUESTIONS[type(self).__name__]


class SolveQuestion(Limited):
    """Solve a puzzle."""

    subject = "puzzle"
    puzzle: Puzzle

    def units(self) -> Iterator[dict[str, Any]]:
        yield self.unit(puzzle=self.puzzle.model_dump(mode="json", exclude_unset=True, exclude_none=True))

    def answer(self, cancel: threading.Event | None) -> Rows:
        return _searched(solve_puzzle(self.puzzle, self.limit or Limit(), cancel))


class Deals(Question):
    """Deal `deals` deals of a seed, starting with deal `number`; the other keys are those of a single deal."""

    number: _Seed
    deals: Annotated[int, Field(ge=1, le=MOST_DEALS, strict=True)] = 1

    def checked(self) -> Self:
        self._deal(self.number)  # raise its errors now
        return self

    def units(self) -> Iterator[dict[str, Any]]:
        for first, count in _parts(self.number, self.deals, DEALS_A_UNIT):
            yield self.unit(number=first, deals=count)

    def answer(self, cancel: threading.Event | None) -> Rows:
        return [self._deal(number) for number in range(self.number, self.number + self.deals)]

    def _deal(self, number: int) -> dict[str, Any]:
        return numbered_deal({key: value for key, value in self if key != "deals"} | {"number": number})


class SurveyQuestion(Question):
    """Survey `deals` deals of a seed, starting with deal `number`."""

    game: _Text
    survey: _Text
    variant: _Text | None = None
    seed: _Seed = 0
    number: _Seed = 0
    deals: Annotated[int | None, Field(ge=1, le=MOST_SURVEYED, strict=True)] = None

    def checked(self) -> Self:
        survey, _, variant = surveys.find(self.game, self.survey, self.variant)
        return self.model_copy(update={"variant": variant, "deals": self.deals or survey.deals})

    def units(self) -> Iterator[dict[str, Any]]:
        assert self.deals is not None
        most = surveys.find(self.game, self.survey, self.variant)[1].deals
        each = min(most, max(_SURVEYED_A_UNIT, -(-self.deals // _SURVEY_UNITS)))
        for first, count in _parts(self.number, self.deals, each):
            yield self.unit(number=first, deals=count)

    def answer(self, cancel: threading.Event | None) -> Rows:
        assert self.deals is not None
        survey, parts, variant = surveys.find(self.game, self.survey, self.variant)
        control = Control(cancel=cancel)
        rows = parts.part(variant, seed=self.seed, number=self.number, deals=self.deals, control=control)
        return [surveys.labelled(self.game, survey.name, variant, self.seed, row) for row in rows]


_ASKED = QUESTIONS["generate"].fields
_ORDERED = {field.name: _ASKED["ask" if field.name == "task" else field.name] for field in fields(Order)}


class GenerateQuestion(Question):
    """Make puzzles from `deals` deals of a seed, starting with deal `number`; each deal is a unit."""

    number: _Seed = 0
    deals: Annotated[int, Field(ge=1, le=MOST_UNITS, strict=True)] = 1

    @property
    def order(self) -> Order:
        return Order(**{key: value for key, value in self if key in _ORDERED and value is not None})

    def checked(self) -> Self:
        assert self.order  # raises its errors
        return self

    def units(self) -> Iterator[dict[str, Any]]:
        for number in range(self.number, self.number + self.deals):
            yield self.unit(number=number, deals=1)

    def answer(self, cancel: threading.Event | None) -> Rows:
        generated = make(self.order, self.number, cancel)
        return [{"number": self.number, **generated._asdict()}]


_QUESTIONS: Mapping[str, type[Question]] = MappingProxyType(
    {name: create_model(name, __base__=AboutPosition, **QUESTIONS[name].fields) for name in ("analyze", "hint")}
    | {
        "solve": SolveQuestion,
        "deal": create_model("deal", __base__=Deals, **QUESTIONS["deal"].fields | {"seed": (_Seed, 0)}),
        "survey": SurveyQuestion,
        "generate": create_model("generate", __base__=GenerateQuestion, **_ORDERED),
    }
)
KINDS = tuple(_QUESTIONS)


def _parts(first: int, count: int, each: int) -> Iterator[tuple[int, int]]:
    """Split `count` deals from deal `first` on into parts of at most `each`, as (first deal, count)."""
    for start in range(first, first + count, each):
        yield start, min(each, first + count - start)


def _searched(answer: Answer) -> Rows:
    return [_timeless(answer.to_dict())]


def _timeless(value: Any) -> Any:
    """Remove the keys ``seconds`` from an answer, at every level."""
    if isinstance(value, dict):
        return {key: _timeless(entry) for key, entry in value.items() if key != "seconds"}
    return [_timeless(entry) for entry in value] if isinstance(value, list) else value


@cache
def stamp() -> str:
    """Return a hash that identifies this version of Athanor: its sources, its decks and the size of its tables.

    Answers with different stamps are never mixed.
    """
    digest = hashlib.blake2b(f"{table_megabytes()}\n".encode(), digest_size=8)
    for package in _PACKAGES:
        for path in sorted((_ROOT / package).rglob("*")):
            if path.suffix in _SUFFIXES:
                digest.update(f"{path.relative_to(_ROOT)}\n".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()
