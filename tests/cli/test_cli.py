"""The command: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pydantic import TypeAdapter

from api.cli.main import cli
from puzzles.results import PuzzleResult
from solver import registry

Run = Callable[..., Result]

DUEL = {
    "game": "alchemy", "variant": "duel",
    "line": ["J", "2", "5", "K", "3", "Q"], "hand": "A", "opponent_hand": "8",
}  # fmt: skip
FREE = {"game": "alchemy", "variant": "free", "min_line": 1, "line": ["A", "2", "3"], "hand": "4"}
WON = {
    "game": "alchemy", "variant": "alternative", "cap": 4, "line": ["4", "7", "2", "9"], "hand": "6",
    "stock": ["5", "A", "10", "3", "3", "8"],
}  # fmt: skip
STOCK = ["5", "Q", "3", "J", "8", "8", "2", "10", "K", "4", "6", "3", "J", "5", "A", "9", "Q", "7", "10", "2"]
LONG = {
    "game": "alchemy", "variant": "solo", "cap": 6,
    "line": ["4", "7", "K", "2", "9", "A"], "hand": "6", "stock": STOCK,
}  # fmt: skip


@pytest.fixture
def athanor(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "200")

    def run(*args: str | Path, stdin: object = None) -> Result:
        text = stdin if stdin is None or isinstance(stdin, str | bytes) else json.dumps(stdin)
        return CliRunner().invoke(cli, [str(arg) for arg in args], input=text)

    return run


def puzzle(name: str, solution: str = "", ask: str = "value") -> str:
    position = '{ game = "alchemy", variant = "duel", line = ["J", "2", "5", "K", "3", "Q"], hand = "A", '
    position += 'opponent_hand = "8" }'
    text = f'[[puzzle]]\nid = "{name}"\ntitle = "[T]itle"\nask = "{ask}"\nposition = {position}\n'
    return text + (f"solution = {solution}\n" if solution else "")


def test_analyze_from_a_file_and_from_stdin(athanor: Run, tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(json.dumps(DUEL))
    for result in (athanor("analyze", "--json", path), athanor("analyze", "--json", "-", stdin=DUEL)):
        assert (result.exit_code, result.stderr) == (0, "")
        answer = json.loads(result.stdout)
        assert (answer["value"], answer["best"], answer["exact"]) == (7, "A+2+3+Q=5+K", True)


def test_analyze_for_a_person(athanor: Run) -> None:
    result = athanor("analyze", "-", stdin=DUEL)
    assert result.exit_code == 0
    for text in (
        "Alchemy, duel",
        "J 2 5 K 3 Q",
        "Value   7",
        "player 0, to move",
        "A+2+3+Q=5+K  none",
        "exact",
        "swing",
        "If opponent first  value 8, best 8+2+5+Q=3+J+K",
    ):
        assert text in result.stdout
    rows = [line for line in result.stdout.splitlines() if " A+K=2+Q " in line]
    assert [row.split() for row in rows] == [["9", "A+K=2+Q", "2", "2", "Q", "K", "5", "3", "2", "no"]]


def test_analyze_tells_of_a_limit(athanor: Run) -> None:
    result = athanor("analyze", "-", "--nodes", "1", stdin=LONG)
    assert result.exit_code == 0
    assert "lost … won, not proved further" in result.stdout
    assert "the limit ended the search" in result.stdout
    answer = json.loads(athanor("analyze", "-", "--nodes", "1", "--json", stdin=LONG).stdout)
    assert (answer["exact"], answer["value"], answer["bounds"]) == (False, None, ["lost", "won"])


def test_a_hint_for_a_person(athanor: Run) -> None:
    view = {key: value for key, value in WON.items() if key != "stock"} | {"unseen": WON["stock"]}
    result = athanor("hint", "-", "--seconds", "2", stdin=view)
    assert (result.exit_code, result.stderr) == (0, "")
    for text in ("Unseen", "Why", "win probability", "6=2+4", "exact ("):
        assert text in result.stdout
    answer = json.loads(athanor("hint", "-", "--json", "--seed", "3", stdin=view).stdout)
    assert answer["moves"][0]["exact"]
    assert answer["reason"]


def test_an_optimum_and_the_lack_of_one(athanor: Run) -> None:
    found = athanor("analyze", "-", stdin=FREE | {"objective": "most-cards"})
    assert "4+A=2+3" in found.stdout
    found = athanor("analyze", "-", stdin=FREE | {"objective": "most-cards", "hand": "K"})
    assert (found.exit_code, "no move" in found.stdout) == (0, True)


def test_the_first_forty_of_many_moves(athanor: Run) -> None:
    line = ["A", "2", "3", "4", "5", "6", "7", "8", "9"]
    position = FREE | {"line": line}
    count = json.loads(athanor("analyze", "-", "--json", stdin=position).stdout)["value"]
    assert count > 40
    some = athanor("analyze", "-", stdin=position).stdout
    every = athanor("analyze", "-", "--all", stdin=position).stdout
    assert f"… and {count - 40} more of {count}" in some
    assert len(every.splitlines()) - len(some.splitlines()) == count - 40 - 1


@pytest.mark.parametrize(
    ("args", "stdin", "message"),
    [
        (["analyze", "-"], "not json", "<stdin>: the position is not JSON"),
        (["analyze", "-"], b"\xff\xfe\xff", "<stdin>: the position is not UTF-8"),
        (["analyze", "-"], "", "<stdin>: the position is empty"),
        (["analyze", "-"], "[" * 100_000, "<stdin>: the position is nested too deeply"),
        (["analyze", "-"], "[]", "<stdin>: "),
        (["analyze", "-"], FREE | {"line": ["A", "Z"]}, "<stdin>: line[1]: 'Z' is no card"),
        (["analyze", "-"], FREE | {"game": "chess"}, "<stdin>: game: unknown game 'chess'"),
        (["analyze", "-"], FREE | {"x": 1}, "<stdin>: x: unknown key 'x'"),
        (["analyze", "-"], {k: v for k, v in WON.items() if k != "stock"}, "<stdin>: stock: "),
        (["analyze", "-", "--model", "paranoid"], DUEL, "<stdin>: model: "),
        (["analyze", "-", "--player", "1"], DUEL, "<stdin>: player: "),
        (["analyze", "/does/not/exist.json"], None, "cannot read /does/not/exist.json: No such file"),
        (["analyze", "/"], None, "cannot read /: Is a directory"),
        (["analyze", "-", "--seconds", "nan"], DUEL, "--seconds"),
        (["analyze", "-", "--seconds", "inf"], DUEL, "--seconds"),
        (["analyze", "-", "--seconds", "0"], DUEL, "--seconds"),
        (["analyze", "-", "--nodes", "0"], DUEL, "--nodes"),
        (["analyze", "-", "--nodes", "9" * 30], DUEL, "--nodes"),
        (["analyze"], None, "FILE"),
        (["hint", "-", "--worlds", "0"], DUEL, "--worlds"),
        (["hint", "-"], FREE, "<stdin>: "),
        (["score", "-"], DUEL, "<stdin>: "),
        (["deal", "chess"], None, "chess"),
        (["deal", "alchemy", "--variant", "free"], None, "variant: 'free' is not dealt"),
        (["deal", "alchemy", "--players", "7"], None, "players: "),
        (["deal", "alchemy", "--seat", "4"], None, "seat: "),
        (["deal", "alchemy", "--seed", "-1"], None, "--seed"),
        (["rules", "chess"], None, "chess"),
        (["brew", "alchemy"], None, "No such command"),
        (["solve"], None, "PATH"),
        (["solve", "x", "--jobs", "0"], None, "--jobs"),
        (["winrate", "duel"], None, "duel"),
        (["winrate", "solo", "--plot", "plot.pdf"], None, ".png or .svg"),
        (["winrate", "solo", "--deals", "0"], None, "--deals"),
        (["serve", "--port", "70000"], None, "--port"),
    ],
)
def test_a_failure_is_one_message_and_exit_code_2(
    athanor: Run, args: list[str], stdin: object, message: str
) -> None:
    result = athanor(*args, stdin=stdin)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert sum(line.startswith("Error: ") for line in result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_a_bug_of_ours_is_a_message_too(athanor: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*args: object, **options: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("solver.games.alchemy.analyze.analyze", faulty)
    result = athanor("analyze", "-", stdin=DUEL)
    assert result.exit_code == 2
    assert "internal error, ZeroDivisionError: oops" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_deal_is_the_same_for_ever(athanor: Run) -> None:
    first = athanor("deal", "alchemy", "--seed", "7")
    assert (first.exit_code, first.stderr) == (0, "")
    position = json.loads(first.stdout)
    assert len(position["stock"]) == 52 - 7
    assert athanor("deal", "alchemy", "--seed", "7").stdout == first.stdout
    assert athanor("deal", "alchemy", "--seed", "7", "--number", "1").stdout != first.stdout
    assert "opponent_hand" in json.loads(athanor("deal", "alchemy", "--seed", "7", "--variant", "duel").stdout)
    view = json.loads(athanor("deal", "alchemy", "--seed", "7", "--seat", "0").stdout)
    assert "stock" not in view
    assert sorted(view["unseen"]) == sorted(position["stock"])


def test_a_deal_without_a_seed_tells_it(athanor: Run) -> None:
    result = athanor("deal", "alchemy")
    seed = result.stderr.split()[1]
    assert result.stderr == f"seed {seed}\n"
    assert athanor("deal", "alchemy", "--seed", seed).stdout == result.stdout


def test_a_deal_can_be_analyzed(athanor: Run) -> None:
    result = athanor("analyze", "-", "--json", stdin=athanor("deal", "alchemy", "--seed", "1").stdout)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["value"] in ("won", "lost")


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
        "Error: <stdin>:6: puzzle[0].solution.valu: unknown key 'valu'\n",
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


def test_a_puzzle_that_fails_is_exit_code_2(athanor: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzles import runner
    from puzzles.results import failed

    def fail(puzzle: Any, *args: object) -> PuzzleResult:
        return failed(puzzle, "internal_error", "a bug")

    monkeypatch.setattr(runner, "solve_puzzle", fail)
    path = tmp_path / "puzzles.toml"
    path.write_text(puzzle("a"))
    result = athanor("solve", path)
    assert result.exit_code == 2
    assert "error: a bug" in result.stdout


def test_rules(athanor: Run) -> None:
    result = athanor("rules", "alchemy")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("#")
    assert "Ruling" in result.stdout


def test_score(athanor: Run) -> None:
    aces = ["A", "A", "A", "A", "K"]
    record = {"game": "alchemy", "variant": "duel", "rounds": [{"piles": [aces, ["2", "X"]]}]}
    result = athanor("score", "-", "--json", stdin=record)
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout)["rounds"] == [[12, 11]]
    assert "12 11" in athanor("score", "-", stdin=record).stdout


def test_the_help_of_score_tells_of_every_key(athanor: Run) -> None:
    shown = athanor("score", "--help").stdout
    for name in registry.names():
        schema = TypeAdapter(registry.game(name).record_type).json_schema()
        rounds = [part for key, part in schema["$defs"].items() if key.endswith(("Record", "Round"))]
        keys = {key for part in (schema, *rounds) for key in part.get("properties", {})}
        assert len(keys) >= 3
        assert f'"game": "{name}"' in shown
        assert not [key for key in keys if f'"{key}"' not in shown]


def test_a_deal_that_is_refused_has_no_seed(athanor: Run) -> None:
    result = athanor("deal", "king", "--players", "9")
    assert result.exit_code == 2
    assert result.stderr == "Error: players: king is for 3 to 5 players, not for 9\n"
    assert athanor("deal", "king").stderr.startswith("seed ")


def test_version(athanor: Run) -> None:
    assert athanor("--version").stdout.startswith("athanor ")


def test_serve_passes_its_options(athanor: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[tuple[object, ...]] = []
    monkeypatch.setattr("api.server.serve", lambda *args: called.append(args))
    assert athanor("serve", "--host", "::1", "--port", "0").exit_code == 0
    assert athanor("serve").exit_code == 0
    assert called == [("::1", 0), ("127.0.0.1", 8000)]


@pytest.mark.parametrize("name", ["missing/plot.png", "taken.png/plot.svg", "folder.png"])
def test_a_plot_that_cannot_be_written(athanor: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "taken.png").write_text("a file")
    (tmp_path / "folder.png").mkdir()
    before = sorted(os.listdir(tmp_path))
    result = athanor("winrate", "solo", "--deals", "10", "--seed", "1", "--plot", tmp_path / name)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: cannot write {tmp_path / name}: ")
    assert sorted(os.listdir(tmp_path)) == before


def test_winrate(athanor: Run, tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    args = ("winrate", "alternative", "--deals", "2000", "--seed", "5")
    result = athanor(*args, "--jobs", "1", "--json", "--plot", plot)
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert (found["deals"], found["seed"]) == (2000, 5)
    assert 0.85 < found["low"] < found["share"] < found["high"] < 0.95
    assert "<svg" in plot.read_text()
    again = json.loads(athanor(*args, "--jobs", "2", "--json").stdout)
    assert {k: v for k, v in again.items() if "second" not in k} == {
        k: v for k, v in found.items() if "second" not in k
    }
    text = athanor(*args).stdout
    assert "2,000, seed 5" in text
    assert "95%" in text
    assert sorted(os.listdir(tmp_path)) == ["plot.svg"]
