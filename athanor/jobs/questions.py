"""The questions of a job, and the outcomes of its units.

Questions are validated and turned into units (`payloads`). A unit is a self-contained line of JSON, such as
``{"ask": "analyze", "position": "kirin …", "nodes": 100000}``, so any process on any machine gives the same lines
of JSON as its answer (`answer`).
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from athanor import questions as ask_about
from athanor import surveys, table
from athanor.jobs.store import JobError, Outcome, error_line
from puzzles import format as puzzle_format
from puzzles.check import solve_puzzle
from puzzles.format import Puzzle, puzzle_text
from puzzles.generate import Order, make
from solver.common import SEEDS, Others
from solver.decks import NamedDeck
from solver.errors import AthanorError, RequestError
from solver.findings import validated
from solver.language import language, say, speaking
from solver.limits import MOST_WORLDS, Control, Limit
from solver.positions import SentPosition, position_data, text_of
from solver.readings import SentRules
from solver.registry import game_of
from solver.search.memory import SHELF, table_megabytes

KINDS = ("analyze", "hint", "solve", "deal", "survey", "generate")
MOST_UNITS = 1_000_000  # of a job
DEALS_A_UNIT = 100
_SURVEY_UNITS = 64  # the number of units of a survey, so that all processors have work,
_SURVEYED_A_UNIT = 10_000  # unless each would have fewer deals than this
MOST_DEALS = 10_000_000  # of one question
MOST_SURVEYED = 10**12
_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = ("athanor", "puzzles", "solver")
_SUFFIXES = (".py", ".toml")

HINT_NODES = 10_000  # of a hint without a limit: node limits make hints reproducible

_Seconds = Annotated[float | None, Field(gt=0, allow_inf_nan=False)]
_Nodes = Annotated[int | None, Field(gt=0, lt=2**62, strict=True)]
_Whole = Annotated[int, Field(ge=0, strict=True)]
_Seed = Annotated[int, Field(ge=0, lt=SEEDS, strict=True)]
_Text = Annotated[str, Field(strict=True)]


class _Question(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Limited(_Question):
    """A question with a limit on the search."""

    seconds: _Seconds = None
    nodes: _Nodes = None


class AnalyzeQuestion(Limited):
    """Analyze a position with every card known."""

    position: SentPosition
    model: _Text | None = None
    player: _Whole | None = None


class HintQuestion(Limited):
    """Recommend a move to a player, who sees only some of the cards."""

    position: SentPosition
    worlds: Annotated[int | None, Field(ge=0, le=MOST_WORLDS, strict=True)] = None
    seed: _Seed = 0
    others: Others | None = None


class SolveQuestion(Limited):
    """Solve a puzzle."""

    puzzle: Puzzle


class DealQuestion(_Question):
    """Deal `deals` deals of a seed, starting with deal `number`."""

    game: _Text
    seed: _Seed = 0
    number: _Seed = 0
    deals: Annotated[int, Field(ge=1, le=MOST_DEALS, strict=True)] = 1
    players: _Whole | None = None
    variant: _Text | None = None
    deck: NamedDeck | None = None
    rules: SentRules | None = None
    seat: _Whole | None = None


class SurveyQuestion(_Question):
    """Survey `deals` deals of a seed, starting with deal `number`."""

    game: _Text
    survey: _Text
    variant: _Text | None = None
    seed: _Seed = 0
    number: _Seed = 0
    deals: Annotated[int | None, Field(ge=1, le=MOST_SURVEYED, strict=True)] = None


class GenerateQuestion(Order):
    """Make puzzles from `deals` deals of a seed, starting with deal `number`; each deal is a unit."""

    number: _Seed = 0
    deals: Annotated[int, Field(ge=1, le=MOST_UNITS, strict=True)] = 1


Q = TypeVar("Q", bound=BaseModel)


def payloads(
    kind: str,
    questions: Iterable[Any],
    options: Mapping[str, Any] | None = None,
    *,
    most_seconds: float | None = None,
    most_units: int = MOST_UNITS,
) -> Iterator[str]:
    """Yield the units of a job, each as one line of JSON.

    For `analyze` and `hint`, each question is a position (an object or a line of text), or an object with the key
    `position` and its own options. For `solve`, it is a puzzle, as in a puzzle file. For `deal`, it is an object
    with the keys `game`, `seed`, `number` and `deals`; for `survey`, an object with these keys, `variant`, and the
    survey's name as `survey`; for `generate`, an object with the keys of `puzzles.generate.Order`, `number` and
    `deals`. `options` apply to every question that does not override them. No search may take more than
    `most_seconds`.

    Raises JobError for too many units, RequestError for an unknown kind, AthanorError with a path such as
    ``questions[3].position.hand`` for an invalid question.
    """
    if kind not in _ASKED:
        raise RequestError(
            "unknown_value",
            say("a job is one of {names}, not {kind!r}", names=", ".join(KINDS), kind=str(kind)[:40]),
            "kind",
        )
    common = {key: value for key, value in (options or {}).items() if value is not None}
    found = 0
    for index, question in enumerate(questions):
        try:
            asked = _ASKED[kind](question, common)
        except AthanorError as error:
            raise error.within("position").under(f"questions[{index}]") from None
        if most_seconds is not None and isinstance(asked, Limited):
            asked = asked.model_copy(update={"seconds": min(asked.seconds or most_seconds, most_seconds)})
        found += _count(asked)
        if found > most_units:
            raise JobError(
                "too_large", say("a job has at most {most_units:,} units", most_units=most_units), "questions"
            )
        yield from _units(kind, asked)


def deals(asked: DealQuestion, first: int, count: int) -> Iterator[dict[str, Any]]:
    """Yield `count` deals of a seed, from deal `first` on, each as an object with its number and position."""
    for number in range(first, first + count):
        position = table.deal(
            asked.game,
            seed=asked.seed,
            number=number,
            players=asked.players,
            variant=asked.variant,
            deck=asked.deck,
            rules=asked.rules,
        )
        if asked.seat is not None:
            position = table.view(position, asked.seat)
        yield {
            "seed": asked.seed,
            "number": number,
            "text": text_of(position),
            "position": position_data(position),
        }


def _analyze(question: Any, options: Mapping[str, Any]) -> AnalyzeQuestion:
    asked = _read(AnalyzeQuestion, _about_position(question), options)
    rules = game_of(asked.position)
    if "analyze" not in rules.asks(asked.position):
        raise RequestError("not_playable", say("not every card is known in this position; ask for a hint instead"))
    return asked


def _hint(question: Any, options: Mapping[str, Any]) -> HintQuestion:
    asked = _read(HintQuestion, _about_position(question), options)
    if "hint" not in game_of(asked.position).asks(asked.position):
        raise RequestError("not_playable", say("there is no hint for this position; perhaps every card is known"))
    if asked.nodes is None and asked.seconds is None and asked.worlds is None:
        return asked.model_copy(update={"nodes": HINT_NODES})
    return asked


def _solve(question: Any, options: Mapping[str, Any]) -> SolveQuestion:
    whole = isinstance(question, dict) and "puzzle" in question
    data = question if whole else {"puzzle": question}
    return _read(SolveQuestion, data, options)


def _deal(question: Any, options: Mapping[str, Any]) -> DealQuestion:
    asked = _read(DealQuestion, {"game": question} if isinstance(question, str) else question, options)
    next(deals(asked, asked.number, 1))  # raise its errors now
    return asked


def _survey(question: Any, options: Mapping[str, Any]) -> SurveyQuestion:
    asked = _read(SurveyQuestion, question, options)
    survey, _, variant = surveys.find(asked.game, asked.survey, asked.variant)
    return asked.model_copy(update={"variant": variant, "deals": asked.deals or survey.deals})


def _generate(question: Any, options: Mapping[str, Any]) -> GenerateQuestion:
    return _read(GenerateQuestion, {"game": question} if isinstance(question, str) else question, options)


def _about_position(question: Any) -> Any:
    whole = isinstance(question, dict) and "position" in question
    return question if whole else {"position": question}


def _read(kind: type[Q], question: Any, options: Mapping[str, Any]) -> Q:
    if not isinstance(question, dict):
        raise RequestError("wrong_type", say("a question is an object or a text"))
    known = {key: value for key, value in options.items() if key in kind.model_fields}
    for key in options.keys() - known.keys():
        raise RequestError("not_applicable", say("this kind of question takes no {key}", key=key), key)
    return validated(kind.model_validate, {**known, **question}, RequestError)


def _count(asked: BaseModel) -> int:
    if isinstance(asked, GenerateQuestion):
        return asked.deals
    if isinstance(asked, DealQuestion | SurveyQuestion):
        assert asked.deals is not None
        return -(-asked.deals // _deals_a_unit(asked))
    return 1


def _deals_a_unit(asked: DealQuestion | SurveyQuestion) -> int:
    if isinstance(asked, DealQuestion):
        return DEALS_A_UNIT
    assert asked.deals is not None
    most = surveys.find(asked.game, asked.survey, asked.variant)[1].deals
    return min(most, max(_SURVEYED_A_UNIT, -(-asked.deals // _SURVEY_UNITS)))


def _units(kind: str, asked: BaseModel) -> Iterable[str]:
    if isinstance(asked, SolveQuestion):
        puzzle = asked.puzzle.model_dump(exclude_unset=True, exclude_none=True)
        return [_unit(kind, asked, puzzle=puzzle_text(puzzle))]
    if isinstance(asked, DealQuestion | SurveyQuestion):
        assert asked.deals is not None
        end, each = asked.number + asked.deals, _deals_a_unit(asked)
        return (
            _unit(kind, asked, number=first, deals=min(each, end - first))
            for first in range(asked.number, end, each)
        )
    if isinstance(asked, GenerateQuestion):
        numbers = range(asked.number, asked.number + asked.deals)
        order = asked.model_dump(mode="json", exclude_none=True, exclude={"number", "deals"})
        return (_line(_spoken({"ask": kind, "number": number, **order})) for number in numbers)
    assert isinstance(asked, AnalyzeQuestion | HintQuestion)
    return [_unit(kind, asked, position=text_of(asked.position))]


def _unit(ask: str, asked: BaseModel, **instead: Any) -> str:
    """Return a question as a unit's line of JSON; `instead` overrides some of its values."""
    told = asked.model_dump(mode="json", exclude_none=True, exclude=set(instead))
    return _line(_spoken({"ask": ask, **instead, **told}))


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _spoken(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the key `lang` to a unit if its answer should not be in English."""
    return data if language() == "en" else {**data, "lang": language()}


_ASKED: Mapping[str, Callable[[Any, Mapping[str, Any]], BaseModel]] = MappingProxyType(
    {
        "analyze": _analyze,
        "hint": _hint,
        "solve": _solve,
        "deal": _deal,
        "survey": _survey,
        "generate": _generate,
    }
)


def answer(payload: str, cancel: threading.Event | None = None) -> Outcome:
    """Answer a unit and return its outcome. Errors become part of the outcome.

    The outcome is the same every time and on every machine, unless the unit has a limit in seconds. To ensure
    this, search times are removed from the answer, and tables filled by earlier searches are released first. If
    `cancel` ends the search early, the caller must ignore the outcome.
    """
    SHELF.drop()
    asked = json.loads(payload)
    try:
        with speaking(asked.pop("lang", "en")):
            return _ANSWERS[asked.pop("ask")](asked, cancel)
    except AthanorError as found:
        return Outcome([_line(found.to_dict())], True)
    except MemoryError as found:
        return Outcome([error_line("out_of_memory", str(found) or "out of memory")], True)
    except Exception as found:  # one unit must not lose the others
        return Outcome([error_line("internal_error", f"{type(found).__name__}: {found}")], True)


def _answer_analyze(asked: dict[str, Any], cancel: threading.Event | None) -> Outcome:
    return _answered(ask_about.analyze(**asked, cancel=cancel, threads=1).to_dict())


def _answer_hint(asked: dict[str, Any], cancel: threading.Event | None) -> Outcome:
    position = asked.pop("position")
    return _answered(ask_about.hint(position, **asked, cancel=cancel).to_dict())


def _answer_solve(asked: dict[str, Any], cancel: threading.Event | None) -> Outcome:
    (puzzle,) = puzzle_format.loads(asked.pop("puzzle")).puzzles
    found = solve_puzzle(puzzle, Limit(**asked), cancel)
    return _answered(found.to_dict(), failed=found.status == "error")


def _answer_deal(asked: dict[str, Any], cancel: threading.Event | None) -> Outcome:
    question = DealQuestion.model_validate(asked)
    return Outcome([_line(found) for found in deals(question, question.number, question.deals)], False)


def _answer_survey(asked: dict[str, Any], cancel: threading.Event | None) -> Outcome:
    question = SurveyQuestion.model_validate(asked)
    assert question.deals is not None
    survey, parts, variant = surveys.find(question.game, question.survey, question.variant)
    rows = parts.part(
        variant,
        seed=question.seed,
        number=question.number,
        deals=question.deals,
        control=Control(cancel=cancel),
    )
    labelled = (surveys.labelled(question.game, survey.name, variant, question.seed, row) for row in rows)
    return Outcome([_line(row) for row in labelled], False)


def _answer_generate(asked: dict[str, Any], cancel: threading.Event | None) -> Outcome:
    number = asked.pop("number")
    made = make(Order.model_validate(asked), number, cancel)
    told = {"number": number, "puzzle": made and made.puzzle, "symmetry": made and made.symmetry}
    return Outcome([_line(told)], False)


_ANSWERS: Mapping[str, Callable[[dict[str, Any], threading.Event | None], Outcome]] = MappingProxyType(
    {
        "analyze": _answer_analyze,
        "hint": _answer_hint,
        "solve": _answer_solve,
        "deal": _answer_deal,
        "survey": _answer_survey,
        "generate": _answer_generate,
    }
)


def _answered(answer: dict[str, Any], *, failed: bool = False) -> Outcome:
    return Outcome([_line(_timeless(answer))], failed)


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
    found = hashlib.blake2b(f"{table_megabytes()}\n".encode(), digest_size=8)
    for package in _PACKAGES:
        for path in sorted((_ROOT / package).rglob("*")):
            if path.suffix in _SUFFIXES:
                found.update(f"{path.relative_to(_ROOT)}\n".encode())
                found.update(path.read_bytes())
    return found.hexdigest()
