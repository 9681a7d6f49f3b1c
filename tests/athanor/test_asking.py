"""A question is declared once, by a function's signature: what follows from it is the same for all callers."""

from __future__ import annotations

import inspect
import json
import pickle
from typing import get_args

import click
import pytest

import athanor
from api.cli.jobs import units_in
from api.cli.main import cli
from api.endpoints import ENDPOINTS
from api.models import BATCHED, BODIES, JobRequest, ReviewRequest
from api.routes_questions import _Ask
from athanor.asking import QUESTIONS, OnlyHere, Question
from athanor.jobs.units import payloads
from solver.errors import RequestError
from solver.limits import Control, Limit
from solver.registry import game
from tests.support.places import ROOT

VIEW = "kirin seat=0 leader=0 hand=S1,S2,S3,S4,S5,S6,ST,D1,D2"
KNOWN = "kirin direction=ascending leader=0 hands=S1,S2/S3,S4/S5,S6/ST,G1 declared=B+,B-,G+,G-"
COMMANDS = ("analyze", "hint", "compound", "deal", "review", "generate")
CALLED = [question for question in QUESTIONS.values() if not question.here]
JOBS = {"analyze": KNOWN, "hint": VIEW}


def options(*path: str) -> set[str]:
    """The options of a command."""
    command: click.Command | None = cli
    for name in path:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name)
    assert command is not None
    return {name for parameter in command.params for name in parameter.opts}


@pytest.mark.parametrize("question", CALLED, ids=lambda question: question.name)
def test_a_body_has_the_keywords_of_the_function(question: Question) -> None:
    added = {"lang", "limit"} if question.searches else {"lang"}
    keys = BODIES[question.name].model_fields.keys() - added
    refused = {"model", "player"} if question.name == "hint" else set()
    assert keys == question.sent.keys() | refused
    assert set(get_args(_Ask.model_fields["ask"].annotation)) == BATCHED.keys()
    if question.name in BATCHED:
        assert BATCHED[question.name].model_fields.keys() - {"lang", "limit", "ask"} == keys
    schema = BODIES[question.name].model_json_schema()["properties"]
    for name, keyword in question.sent.items():
        if keyword.help:
            assert schema[name]["description"] == keyword.help


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_an_option_for_each_keyword(name: str) -> None:
    own = {"--rules"} if name == "deal" else set()  # --rule, once for each
    assert {f"--{key}" for key in QUESTIONS[name].options} - own <= options(name)


@pytest.mark.parametrize("name", JOBS)
def test_so_have_batches_and_jobs(name: str) -> None:
    (question, *keywords) = QUESTIONS[name].sent.values()
    flags = {f"--{keyword.name}" for keyword in keywords}
    assert flags <= options("batch")
    assert flags <= options("jobs", "submit")
    assert {keyword.name for keyword in keywords} <= JobRequest.model_fields.keys()
    for keyword in keywords:
        with pytest.raises(RequestError) as wrong:
            list(payloads(name, [{question.name: JOBS[name], keyword.name: [3]}]))
        assert wrong.value.path == f"questions[0].{keyword.name}"


def test_a_command_leaves_out_what_was_not_given() -> None:
    """An option that may be repeated, and is not, and a flag that is not set, apply to no kind of question."""
    (unit,) = units_in("analyze", [KNOWN], None, {"nodes": 9, "seed": None, "among": (), "quick": False})
    about = {"ask": "analyze", "question": "the text: line 1", "bare": "position"}
    assert json.loads(unit) == {**about, "position": str(athanor.parse(KNOWN)), "limit": {"nodes": 9}}
    with pytest.raises(click.UsageError, match="--seed does not apply to analyze"):
        list(units_in("analyze", [KNOWN], None, {"seed": 0}))


@pytest.mark.parametrize(("keyword", "value"), [("seconds", "2"), ("seconds", 0), ("nodes", "9"), ("nodes", 1.5)])
def test_a_unit_has_the_bounds_of_a_limit(keyword: str, value: object) -> None:
    with pytest.raises(RequestError) as wrong:
        list(payloads("analyze", [{"position": KNOWN, keyword: value}]))
    assert wrong.value.path == f"questions[0].{keyword}"


def test_a_unit_keeps_the_move_to_compare() -> None:
    (unit,) = payloads("hint", [VIEW], {"compare": "S1", "worlds": 4})
    assert json.loads(unit)["compare"] == "S1"


def test_every_question_is_a_call() -> None:
    assert {question.name for question in CALLED} <= ENDPOINTS.keys()
    keys = ReviewRequest.model_fields.keys() - {"lang", "limit", "match"}
    assert keys == QUESTIONS["review"].sent.keys() - {"game"}


@pytest.mark.parametrize("name", ["analyze", "hint", "compound"])
@pytest.mark.parametrize("page", ["docs/python.md", "docs/http.md"])
def test_the_pages_name_every_keyword(page: str, name: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for key, keyword in QUESTIONS[name].keywords.items():
        here = keyword.note(OnlyHere) and page == "docs/http.md"
        assert here or key == "position" or f"`{key}`" in text, key


def test_a_wrong_keyword_is_found_by_the_type_checker_too() -> None:
    """An ignore that is not needed is an error of mypy's: so it finds these."""
    with pytest.raises(TypeError, match="unexpected keyword argument 'second'"):
        athanor.hint(VIEW, second=2)  # type: ignore[call-arg]
    with pytest.raises(RequestError, match="worlds: a whole number is expected, not 'many'"):
        athanor.hint(VIEW, worlds="many")  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="nodes: a whole number is expected, not 'x'"):
        athanor.analyze(KNOWN, nodes="x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'seed'"):
        athanor.game("kirin").analyze(KNOWN, seed=3)  # type: ignore[call-arg]


def test_everything_wrong_is_told_at_once() -> None:
    with pytest.raises(RequestError) as wrong:
        athanor.hint(VIEW, worlds=-1, seed=-1, others="clubs")  # type: ignore[arg-type]
    assert [fault.path for fault in wrong.value.faults] == ["worlds", "seed", "others"]


def test_a_question_is_a_function_to_its_reader() -> None:
    assert inspect.isfunction(athanor.hint)
    assert list(inspect.signature(athanor.hint).parameters)[-6:] == [
        "seconds", "nodes", "limit", "progress", "cancel", "control",
    ]  # fmt: skip
    assert pickle.loads(pickle.dumps(QUESTIONS["hint"])) is QUESTIONS["hint"]


def test_an_option_that_a_games_hints_do_not_have_is_refused() -> None:
    rules = game("alchemy")
    view = rules.view(rules.deal(1, variant="solo"), 0)
    with pytest.raises(RequestError, match="hints for alchemy take no threads") as wrong:
        rules.hint(view, Control(Limit(nodes=1)), threads=2)
    assert wrong.value.path == "threads"
    assert rules.hint(view, Control(Limit(nodes=1)), threads=None).best
