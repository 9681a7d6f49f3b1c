"""`athanor solve`: puzzle files and folders, what is printed, and with which exit code."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from puzzles.check import PuzzleResult
from puzzles.check_proof import check
from tests.cli.support import LONG, STOCK, Run, puzzle


def test_solve_confirms(athanor: Run, tmp_path: Path) -> None:
    path = tmp_path / "puzzles.toml"
    path.write_text(puzzle("right", "{ value = 7 }") + puzzle("unstated", ask="best-move"))
    result = athanor("solve", path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "confirmed" in result.stdout
    assert "[T]itle" in result.stdout  # no markup
    assert "7: A+2+3+Q=5+K" in result.stdout
    assert "2 puzzles: 1 confirmed, 1 solved" in result.stdout


def test_solve_refutes(athanor: Run, tmp_path: Path) -> None:
    path = tmp_path / "puzzles.toml"
    path.write_text(puzzle("wrong", "{ value = 8 }") + puzzle("right", "{ value = 7 }"))
    result = athanor("solve", path)
    assert result.exit_code == 1
    assert "refuted: the value is 7, not 8" in result.stdout


def test_an_unproved_solution_is_not_confirmed(athanor: Run) -> None:
    line, stock = json.dumps(LONG["line"]), json.dumps(STOCK)
    position = f'{{ game = "alchemy", variant = "solo", cap = 6, line = {line}, hand = "6", stock = {stock} }}'
    text = f'[[puzzle]]\nid = "a"\ntitle = "T"\nask = "winnable"\nposition = {position}\n'
    stated = athanor("solve", "-", "--nodes", "1", stdin=text + "solution = { winnable = true }\n")
    assert stated.exit_code == 1
    assert "unproved" in stated.stdout
    assert athanor("solve", "-", "--nodes", "1", stdin=text).exit_code == 0


def test_solve_lines_of_json(athanor: Run, tmp_path: Path) -> None:
    path = tmp_path / "puzzles.toml"
    path.write_text("".join(puzzle(str(n), "{ value = 7 }") for n in range(20)))
    result = athanor("solve", path, "--json", "--jobs", "3")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert sorted(int(line["id"]) for line in lines) == list(range(20))
    assert {line["status"] for line in lines} == {"confirmed"}
    assert not any("file" in line for line in lines)
    assert result.exit_code == 0


def test_solve_stdin(athanor: Run) -> None:
    result = athanor("solve", "-", "--json", stdin=puzzle("a", "{ value = 7 }"))
    assert (result.exit_code, json.loads(result.stdout)["confirmed"]) == (0, True)
    result = athanor("solve", "-", stdin=puzzle("a", "{ valu = 7 }"))
    assert (result.exit_code, result.stderr) == (
        2,
        "Error: <stdin>:6: puzzle[0].solution.valu: unknown key 'valu'; did you mean value?\n",
    )


def test_folders_are_searched_and_bad_files_told(athanor: Run, tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.toml").write_text(puzzle("same", "{ value = 7 }"))
    (tmp_path / "deep" / "er" / "b.toml").write_text(puzzle("same", "{ value = 8 }"))
    (tmp_path / "deep" / "c.toml").write_text(puzzle("c") + '\n[[puzzle]]\nid = "d"\n')
    (tmp_path / "deep" / "broken.toml").write_text("\n\nx =")
    (tmp_path / "deep" / "none.txt").write_text("not searched")
    (tmp_path / ".hidden" / "d.toml").write_text("not searched")
    paths = [tmp_path, tmp_path / "a.toml", tmp_path / "missing.toml", tmp_path / "empty"]
    result = athanor("solve", "--json", *paths)
    assert result.exit_code == 2
    found = {line["file"]: line["status"] for line in map(json.loads, result.stdout.splitlines())}
    assert found == {
        str(tmp_path / "a.toml"): "confirmed",
        str(tmp_path / "deep" / "er" / "b.toml"): "refuted",
    }
    assert result.stderr.splitlines() == [
        f"Error: {tmp_path}/deep/broken.toml:3: this is not TOML: Invalid value",
        f"Error: {tmp_path}/deep/c.toml:7: puzzle[1].title: title is missing",
        f"Error: cannot read {tmp_path}/missing.toml: No such file or directory",
        f"Error: {tmp_path}/empty: no *.toml in this folder",
    ]
    table = athanor("solve", *paths).stdout
    assert "a.toml" in table
    assert "b.toml" in table


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_in_a_folder_is_passed_over(athanor: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "right.toml").write_text(puzzle("right", "{ value = 7 }"))
    assert "1 confirmed" in athanor("solve", tmp_path).stdout


def test_a_puzzle_that_fails_is_exit_code_2(athanor: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzles import check
    from puzzles.check import failed

    def fail(puzzle: Any, *args: object) -> PuzzleResult:
        return failed(puzzle, "internal_error", "a bug")

    monkeypatch.setattr(check, "run", partial(check.run, solve=fail))
    path = tmp_path / "puzzles.toml"
    path.write_text(puzzle("a"))
    result = athanor("solve", path)
    assert result.exit_code == 2
    assert "error: a bug" in result.stdout


def test_certificates_are_kept_in_a_folder(athanor: Run, tmp_path: Path) -> None:
    path, folder = tmp_path / "puzzles.toml", tmp_path / "new" / "proofs"
    position = "kirin direction=ascending hands=D1,S2/D2,S3/D3,S4/D4,S5 declared=B1,B2,B3,B4 leader=0"
    stated = f'[[puzzle]]\nid = "a/b"\ntitle = "T"\nask = "value"\nposition = "{position}"\n'
    path.write_text(stated + 'model = "paranoid"\n' + puzzle("duel", "{ value = 7 }"))
    result = athanor("solve", path, "--proofs", folder)
    assert result.exit_code == 0
    assert "1 certificate in" in result.stderr
    assert "none for 1 puzzle: " in result.stderr
    assert [found.name for found in folder.iterdir()] == ["a_b.json"]
    assert check(json.loads((folder / "a_b.json").read_text()))
