"""Commands that games bring: what a game declares of a survey is what its command takes and tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli.main import cli
from api.cli.surveys import command_of, surveys
from solver import registry
from solver.answers import Answer
from solver.game import Section, Survey
from solver.limits import Control


class Counted(Answer):
    variant: str
    deals: int
    seed: int
    jobs: int


def count(variant: str, *, deals: int, seed: int = 0, jobs: int = 1, control: Control | None = None) -> Counted:
    return Counted(variant=variant, deals=deals, seed=seed, jobs=jobs)


def sections(result: Counted) -> list[Section]:
    return [Section(None, [("Deals", str(result.deals))]), Section("By variant:", [(result.variant, "all")])]


def draw(result: Counted, path: Path) -> None:
    path.write_text(f"<svg>{result.deals}</svg>", encoding="utf-8")


PLAIN = Survey(
    name="count", help="Count deals.", variants=("small", "large"), deals=12, run=count, sections=sections
)
DRAWN = Survey(
    name="count",
    help="Count.",
    variants=("small",),
    deals=5,
    run=count,
    sections=sections,
    draw=draw,
    drawn="deals",
)


def test_a_survey_is_a_command(tmp_path: Path) -> None:
    command = command_of(PLAIN)
    shown = CliRunner().invoke(command, ["large", "--seed", "3"])
    assert shown.exit_code == 0, shown.output
    lines = [line.rstrip() for line in shown.stdout.splitlines()]
    assert lines == ["Deals  12", "", "By variant:", "large  all"]
    told = json.loads(CliRunner().invoke(command, ["small", "--deals", "7", "--jobs", "2", "--json"]).stdout)
    assert told["seed"] >= 0
    assert told | {"seed": 0} == {"variant": "small", "deals": 7, "seed": 0, "jobs": 2}
    assert CliRunner().invoke(command, ["medium"]).exit_code == 2
    assert "--plot" not in CliRunner().invoke(command, ["--help"]).stdout


def test_a_survey_that_draws_takes_a_file(tmp_path: Path) -> None:
    command = command_of(DRAWN)
    assert "Also draw deals (.png or .svg)." in CliRunner().invoke(command, ["--help"]).stdout
    picture = tmp_path / "picture.svg"
    found = CliRunner().invoke(command, ["small", "--plot", str(picture), "--json"])
    assert found.exit_code == 0, found.output
    assert picture.read_text(encoding="utf-8") == "<svg>5</svg>"
    assert CliRunner().invoke(command, ["small", "--plot", "picture.pdf"]).exit_code == 2


def test_every_survey_is_listed() -> None:
    every = [survey for name in registry.names() for survey in registry.game(name).surveys]
    assert all(survey.run or survey.parts for survey in every)
    declared = {survey.name for survey in every if survey.run}
    assert declared == set(surveys())
    shown = CliRunner().invoke(cli, ["--help"]).stdout
    assert all(f"  {name} " in shown for name in declared)


@pytest.mark.parametrize("name", registry.names())
def test_questions_of_a_games_own_come_with_examples(name: str) -> None:
    for ask, question in registry.game(name).questions.items():
        assert ask not in ("analyze", "hint")
        assert question.examples
        assert issubclass(question.answer_type, Answer)
