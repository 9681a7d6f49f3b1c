"""Commands that ask a running service: the same output as by themselves, whatever becomes of the service."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from api.cli.asking import desk, places, work
from api.http.searches import Searches
from tests.cli.asking import run, told

QUESTIONS = [
    ["analyze", "duel.json"],
    ["analyze", "duel.json", "--json"],
    ["analyze", "duel.json", "--all", "--player", "1"],
    ["analyze", "free.json", "--nodes", "50"],
    ["analyze", "king.json"],
    ["analyze", "king.json", "--json", "--nodes", "100", "--model", "ally"],
    ["analyze", "aqua.json"],
    ["analyze", "aqua.json", "--json", "--nodes", "100"],
    ["hint", "ending.json", "--json"],
    ["hint", "kirin-view.json", "--nodes", "300", "--seed", "5"],
    ["hint", "kirin-view.json", "--worlds", "2", "--json"],
    ["hint", "king-view.json", "--nodes", "300"],
    ["hint", "aqua-view.json", "--nodes", "300"],
    ["compound", "won.json"],
    ["compound", "won.json", "--json", "--best", "2", "--must", "F10"],
    ["compound", "won.json", "--missing", "--without", "W7"],
    ["compound", "won.json", "--missing", "--all"],
    # What goes wrong.
    ["analyze", "wrong.json"],
    ["analyze", "kirin-view.json"],
    ["analyze", "my-deck.toml"],
    ["analyze", "duel.json", "--model", "ally"],
    ["analyze", "king.json", "--player", "9"],
    ["hint", "king.json"],
    ["compound", "duel.json"],
    ["compound", "won.json", "--must", "nothing"],
    ["analyze", "no-such-file.json"],
]


@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_the_same_output(question: list[str], service: None, only_ask: Callable[[], None]) -> None:
    by_itself = told(run(*question, "--local"))
    only_ask()
    assert told(run(*question)) == by_itself


@pytest.mark.parametrize(
    "env", [{"COLUMNS": "50"}, {"COLUMNS": "?"}, {"FORCE_COLOR": "1", "TERM": "xterm-256color"}]
)
def test_the_same_output_for_every_terminal(
    env: dict[str, str], service: None, only_ask: Callable[[], None]
) -> None:
    by_itself = told(run("analyze", "king.json", "--local", **env))
    only_ask()
    assert told(run("analyze", "king.json", **env)) == by_itself
    assert ("\x1b[" in by_itself[1]) == ("FORCE_COLOR" in env)


def test_from_standard_input(service: None, only_ask: Callable[[], None]) -> None:
    by_itself = told(run("analyze", "-", "--local", text="{"))
    only_ask()
    assert told(run("analyze", "-", text="{")) == by_itself
    assert "<stdin>" in by_itself[2]


def test_a_picture(service: None, only_ask: Callable[[], None], tmp_path: Path) -> None:
    paths = [tmp_path / "here.svg", tmp_path / "asked.svg"]
    run("compound", "won.json", "--local", "--svg", str(paths[0]))
    only_ask()
    run("compound", "won.json", "--svg", str(paths[1]))
    assert paths[0].read_text() == paths[1].read_text() != ""


def test_a_broken_question_fails_here(service: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(work, "picture", fail)
    monkeypatch.setattr(work, "answer", fail)
    found = run("analyze", "duel.json")
    assert (found.exit_code, "ZeroDivisionError" in found.stderr) == (2, True)


def test_local_asks_nobody(service: None, only_ask: Callable[[], None]) -> None:
    only_ask()
    assert isinstance(run("analyze", "duel.json", "--local").exception, SystemExit)
    assert "AloneError" in run("analyze", "duel.json", "--local").stderr
    assert run("analyze", "duel.json").exit_code == 0


def test_a_game_that_is_not_ready_is_answered_here(folder: Path, only_ask: Callable[[], None]) -> None:
    with desk.opened(places.service_name(), lambda game: game != "alchemy", Searches(1, 4).run):
        by_itself = run("analyze", "duel.json")
        only_ask()
        assert run("analyze", "king.json").exit_code == 0
        assert "AloneError" in run("analyze", "duel.json").stderr
    assert (by_itself.exit_code, by_itself.stderr) == (0, "")
