"""What is searched for the service elsewhere: reviews and questions of commands, too, and without a web server."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import athanor
from api.apart.process import Process
from api.cli.asking.question import Question
from api.cli.asking.work import Answering
from api.http.searches import Searches
from athanor.questions import position_of
from solver.limits import Limit
from tests.api.apart.asking import EXAMPLES, client, timeless
from tests.api.matches import KIRIN, ended

QUESTIONS = [
    ("analyze", "king.json", {"nodes": 100, "model": "ally"}),
    ("hint", "kirin-view.json", {"nodes": 300, "seed": 5}),
    ("compound", "won.json", {"best": 2, "missing": True}),
]


@pytest.fixture
def sent(process: Process, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of the searches that are done there from now on."""
    kinds: list[str] = []
    run = process.run

    def watched(search: Any, *more: Any) -> Any:
        kinds.append(type(search).__name__)
        return run(search, *more)

    monkeypatch.setattr(process, "run", watched)
    return kinds


def test_a_review_is_that_of_this_process(process: Process, sent: list[str]) -> None:
    body = {"match": ended(KIRIN), "limit": {"nodes": 50}, "seat": 2}
    here, there = (client(one).post("/v1/match/review", json=body).text.splitlines() for one in (None, process))
    review = json.loads(there[-1])
    assert timeless(review) == timeless(json.loads(here[-1]))
    assert sent == ["Judging"] * len(review["moves"]) != []


@pytest.mark.parametrize(("kind", "name", "options"), QUESTIONS)
def test_a_question_of_a_command_is_answered_as_here(
    process: Process, sent: list[str], kind: str, name: str, options: dict[str, Any]
) -> None:
    content = (EXAMPLES / name).read_bytes()
    position = position_of(content)
    question = Question(kind=kind, options=options, name=name, content=content)
    found = Searches(1, 4, apart=process).run(Answering(question, position), Limit(), threading.Event())
    here = getattr(athanor, kind)(position, **options)
    assert type(found) is type(here)
    assert timeless(json.loads(found.to_json())) == timeless(json.loads(here.to_json()))
    assert sent == ["Answering"]


def test_no_web_server_is_loaded_to_search() -> None:
    """What is asked is of these modules. With Flask the first question would take a third of a second."""
    code = "import sys, api.apart.searching, api.apart.questions, api.apart.matches, api.cli.asking.work\n"
    code += "print({'flask', 'werkzeug', 'waitress'} & sys.modules.keys())"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[3]
    )
    assert (found.stdout, found.stderr) == ("set()\n", "")
