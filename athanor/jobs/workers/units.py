"""One unit: from its line of JSON to lines of JSON, the same each time and on every machine.

What differs from run to run, the seconds that a search took, is left out. Tables that earlier searches have filled
are let go before the next: no answer depends on what was asked before. (A unit with a limit of seconds is an
exception by its nature.)
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from athanor import questions as ask_about
from athanor import surveys
from athanor.jobs.questions import DealQuestion, SurveyQuestion, deals
from athanor.jobs.storage.claims import Outcome
from puzzles import format as puzzle_format
from puzzles.check import solve_puzzle
from puzzles.generate import Order, make
from solver.errors import AthanorError
from solver.limits import Control, Limit
from solver.search.pool import SHELF

_TIMES = "seconds"


def run(payload: str, cancel: threading.Event | None = None) -> Outcome:
    """Do a unit. What goes wrong is in the outcome. `cancel` ends it early: then the outcome is no result."""
    SHELF.drop()
    asked = json.loads(payload)
    try:
        return _ASKS[asked.pop("ask")](asked, cancel)
    except AthanorError as found:
        return _failed(found.to_dict())
    except MemoryError as found:
        return _failed(_error("out_of_memory", str(found) or "out of memory"))
    except Exception as found:  # one unit must not lose the others
        return _failed(_error("internal_error", f"{type(found).__name__}: {found}"))


def _analyze(asked: dict[str, Any], cancel: threading.Event | None) -> Outcome:
    return _answered(ask_about.analyze(**asked, cancel=cancel).to_dict())


def _hint(asked: dict[str, Any], cancel: threading.Event | None) -> Outcome:
    position = asked.pop("position")
    return _answered(ask_about.hint(position, **asked, cancel=cancel).to_dict())


def _solve(asked: dict[str, Any], cancel: threading.Event | None) -> Outcome:
    (puzzle,) = puzzle_format.loads(asked.pop("puzzle")).puzzles
    found = solve_puzzle(puzzle, Limit(**asked), cancel)
    return _answered(found.to_dict(), failed=found.status == "error")


def _deal(asked: dict[str, Any], cancel: threading.Event | None) -> Outcome:
    question = DealQuestion.model_validate(asked)
    return Outcome([_json(found) for found in deals(question, question.number, question.deals)], False)


def _survey(asked: dict[str, Any], cancel: threading.Event | None) -> Outcome:
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
    return Outcome([_json(row) for row in labelled], False)


def _generate(asked: dict[str, Any], cancel: threading.Event | None) -> Outcome:
    number = asked.pop("number")
    made = make(Order.model_validate(asked), number, cancel)
    told = {"number": number, "puzzle": made and made.puzzle, "symmetry": made and made.symmetry}
    return Outcome([_json(told)], False)


_ASKS: Mapping[str, Callable[[dict[str, Any], threading.Event | None], Outcome]] = MappingProxyType(
    {
        "analyze": _analyze,
        "hint": _hint,
        "solve": _solve,
        "deal": _deal,
        "survey": _survey,
        "generate": _generate,
    }
)


def _answered(answer: dict[str, Any], *, failed: bool = False) -> Outcome:
    return Outcome([_json(_timeless(answer))], failed)


def _timeless(value: Any) -> Any:
    """An answer without the seconds that searches took."""
    if isinstance(value, dict):
        return {key: _timeless(entry) for key, entry in value.items() if key != _TIMES}
    return [_timeless(entry) for entry in value] if isinstance(value, list) else value


def error_line(code: str, message: str) -> str:
    """The line of a unit that failed."""
    return _json(_error(code, message))


def _failed(error: dict[str, Any]) -> Outcome:
    return Outcome([_json(error)], True)


def _error(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "path": "", "message": message}}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
