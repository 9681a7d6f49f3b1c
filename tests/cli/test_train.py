"""`athanor train`: puzzles asked with the answers hidden, and the record that is kept."""

from __future__ import annotations

import json
from pathlib import Path

import platformdirs
import pytest
from click.testing import CliRunner, Result

from api.cli.main import cli
from puzzles import training

KIRIN = ["--game", "kirin", "--grade", "easy"]


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(platformdirs, "user_state_path", lambda *_, **__: tmp_path / "state")
    return tmp_path / "state" / "train.json"


def train(*args: str, lines: str = "", code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ["train", *args], input=lines)
    assert result.exit_code == code, result.output
    return result


def test_a_puzzle_until_it_is_solved_and_the_record_of_it(record: Path) -> None:
    first, *others = training.chosen(game="kirin", grade="easy")
    assert first.solution is not None
    moves = [first.game.format_move(first.position, move) for move in first.game.legal_moves(first.position)]
    [wrong, *_] = [move for move in moves if move not in (first.solution.best or ())]
    [best] = first.solution.best or ()
    text = train(*KIRIN, lines=f"{wrong.lower()}\n{best.lower()}\n").stdout
    asked = text.split("> ")[0]
    assert first.title in asked
    assert str(first.solution.value) + " points" not in asked
    assert f"{wrong} is not the best move." in text
    assert f"Right: {best}." in text
    assert f"1 of {1 + len(others)} puzzles solved" in text
    kept = json.loads(record.read_text())["puzzles"]
    assert kept == {first.id: {"tries": 2, "hints": 0, "solved": True}}
    assert first.title not in train(*KIRIN).stdout  # it is not asked again
    assert first.title in train(*KIRIN, "--again").stdout


def test_hints_the_solution_and_what_is_no_move(record: Path) -> None:
    first = training.chosen(game="kirin", grade="easy")[0]
    assert first.solution is not None
    text = train(*KIRIN, lines="hint\nhint\nfoo\n99\nshow\nquit\n").stdout
    _, worth, fewer, foo, number, solution, *_ = text.split("\n> ")
    assert f"The position is worth {first.solution.value}." in worth
    assert (first.solution.best or ("",))[0] in fewer
    assert fewer.count(":") < len(first.game.legal_moves(first.position))
    assert "'foo' is no card" in foo
    assert "'99' is no card" in number
    assert f"Best: {(first.solution.best or ('',))[0]}" in solution
    assert json.loads(record.read_text())["puzzles"][first.id] == {"tries": 0, "hints": 3, "solved": False}


def test_a_move_as_good_as_the_stated_one_is_right() -> None:
    puzzle = training.chosen(game="kirin")[0]
    assert puzzle.solution is not None
    [best] = puzzle.solution.best or ()
    moves = [puzzle.game.format_move(puzzle.position, m) for m in puzzle.game.legal_moves(puzzle.position)]
    one, other = (move for move in moves if move != best)
    listed = puzzle.model_copy(update={"solution": puzzle.solution.model_copy(update={"best": (one,)})})
    assert training.is_best(listed, best)  # it is not listed, but proved
    assert training.is_best(listed, other) is False


def test_a_hint_leaves_every_best_move_and_a_wrong_one() -> None:
    for puzzle in training.chosen(grade="easy"):
        moves = [puzzle.game.format_move(puzzle.position, m) for m in puzzle.game.legal_moves(puzzle.position)]
        assert puzzle.solution is not None
        best = set(puzzle.solution.best or ())
        left = training.fewer(puzzle, moves)
        assert best <= set(left)
        assert len(moves) == len(best) or len(left) > len(best)


@pytest.mark.parametrize("text", ["", "[]", '{"record": "x"}', '{"puzzles": {"a": {"tries": -1}}}'])
def test_a_spoiled_record(record: Path, text: str) -> None:
    record.parent.mkdir(parents=True)
    record.write_text(text)
    result = train(*KIRIN, code=2)
    assert str(record) in result.stderr
    assert record.read_text() == text


def test_a_record_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_state_path", lambda *_, **__: Path("/dev/null/state"))
    assert "cannot write /dev/null/state/train.json" in train(*KIRIN, lines="1\n").stderr


def test_progress_alone(record: Path) -> None:
    assert train("--progress").stdout == f"0 of {len(training.chosen())} puzzles solved\n"
    assert not record.exists()


def test_a_puzzle_says_what_is_asked_and_question_marks_are_answered(record: Path) -> None:
    text = train(*KIRIN, lines="?\nquit\n").stdout
    seat = training.chosen(game="kirin", grade="easy")[0].position.seat_to_move  # type: ignore[attr-defined]
    assert f"Which move is best for seat {seat}, if the others all play against it?" in text
    assert text.count("Type a move or its number;") == 2
    assert "no card" not in text
    assert "Which move is best?" in train("--game", "alchemy", "--grade", "easy", lines="quit\n").stdout
