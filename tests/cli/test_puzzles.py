"""`athanor solve` with its books, and `athanor train`."""

from __future__ import annotations

import html
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from click.testing import CliRunner, Result

import athanor
from api.cli import printing
from api.cli import train as module
from api.cli.main import cli
from api.cli.terminal import CommandFailure
from puzzles import judging, training, wording
from puzzles.check import PuzzleResult
from puzzles.check_proof import check
from puzzles.format import ASKS, Puzzle, from_data, load, save
from puzzles.solution import Solution
from solver.errors import MoveError
from solver.language import speaking, titled
from tests.cli.conftest import LONG, STOCK, Run, a_puzzle


def test_solve_confirms(athanor: Run, tmp_path: Path) -> None:
    path = tmp_path / "puzzles.toml"
    path.write_text(a_puzzle("right", "{ value = 7 }") + a_puzzle("unstated", ask="best-move"))
    result = athanor("solve", path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "confirmed" in result.stdout
    assert "[T]itle" in result.stdout  # no markup
    assert "7: A+2+3+Q=5+K" in result.stdout
    assert "2 puzzles: 1 confirmed, 1 solved" in result.stdout


def test_solve_refutes(athanor: Run, tmp_path: Path) -> None:
    path = tmp_path / "puzzles.toml"
    path.write_text(a_puzzle("wrong", "{ value = 8 }") + a_puzzle("right", "{ value = 7 }"))
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
    path.write_text("".join(a_puzzle(str(n), "{ value = 7 }") for n in range(20)))
    result = athanor("solve", path, "--json", "--jobs", "3")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert sorted(int(line["id"]) for line in lines) == list(range(20))
    assert {line["status"] for line in lines} == {"confirmed"}
    assert not any("file" in line for line in lines)
    assert result.exit_code == 0


def test_solve_stdin(athanor: Run) -> None:
    result = athanor("solve", "-", "--json", stdin=a_puzzle("a", "{ value = 7 }"))
    assert (result.exit_code, json.loads(result.stdout)["confirmed"]) == (0, True)
    result = athanor("solve", "-", stdin=a_puzzle("a", "{ valu = 7 }"))
    assert (result.exit_code, result.stderr) == (
        2,
        "Error: <stdin>:6: puzzle[0].solution.valu: unknown key 'valu'; did you mean value?\n",
    )


def test_folders_are_searched_and_bad_files_told(athanor: Run, tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.toml").write_text(a_puzzle("same", "{ value = 7 }"))
    (tmp_path / "deep" / "er" / "b.toml").write_text(a_puzzle("same", "{ value = 8 }"))
    (tmp_path / "deep" / "c.toml").write_text(a_puzzle("c") + '\n[[puzzle]]\nid = "d"\n')
    (tmp_path / "deep" / "broken.toml").write_text("\n\nx =")
    (tmp_path / "deep" / "none.txt").write_text("not searched")
    (tmp_path / ".hidden" / "d.toml").write_text("not searched")
    paths = [tmp_path, tmp_path / "a.toml", tmp_path / "missing.toml", tmp_path / "empty"]
    result = athanor("solve", "--json", *paths)
    assert result.exit_code == 2
    found = {line["file"]: line["status"] for line in map(json.loads, result.stdout.splitlines())}
    assert found == {str(tmp_path / "a.toml"): "confirmed", str(tmp_path / "deep" / "er" / "b.toml"): "refuted"}
    assert result.stderr.splitlines() == [
        f"Error: {tmp_path}/deep/broken.toml:3: this is not TOML: Invalid value",
        *(
            f"Error: {tmp_path}/deep/c.toml:7: puzzle[1].{key}: {key} is missing"
            for key in ("title", "ask", "position")
        ),
        f"Error: cannot read {tmp_path}/missing.toml: No such file or directory",
        f"Error: {tmp_path}/empty: no *.toml in this folder",
    ]
    table = athanor("solve", *paths).stdout
    assert "a.toml" in table
    assert "b.toml" in table


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_in_a_folder_is_passed_over(athanor: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "right.toml").write_text(a_puzzle("right", "{ value = 7 }"))
    assert "1 confirmed" in athanor("solve", tmp_path).stdout


def test_a_puzzle_that_fails_is_exit_code_2(athanor: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzles import check
    from puzzles.check import failed

    def fail(puzzle: Any, *args: object) -> PuzzleResult:
        return failed(puzzle, "internal_error", "a bug")

    monkeypatch.setattr(check, "run", partial(check.run, solve=fail))
    path = tmp_path / "puzzles.toml"
    path.write_text(a_puzzle("a"))
    result = athanor("solve", path)
    assert result.exit_code == 2
    assert "error: a bug" in result.stdout


def test_certificates_are_kept_in_a_folder(athanor: Run, tmp_path: Path) -> None:
    path, folder = tmp_path / "puzzles.toml", tmp_path / "new" / "proofs"
    position = "kirin direction=ascending hands=D1,S2/D2,S3/D3,S4/D4,S5 declared=B1,B2,B3,B4 leader=0"
    stated = f'[[puzzle]]\nid = "a/b"\ntitle = "T"\nask = "value"\nposition = "{position}"\n'
    path.write_text(stated + 'model = "paranoid"\n' + a_puzzle("duel", "{ value = 7 }"))
    result = athanor("solve", path, "--proofs", folder)
    assert result.exit_code == 0
    assert "1 certificate in" in result.stderr
    assert "none for 1 puzzle: " in result.stderr
    assert [found.name for found in folder.iterdir()] == ["a_b.json"]
    assert check(json.loads((folder / "a_b.json").read_text()))


# Books: whole or not at all.


HOSTILE = '</script><script>alert(1)</script>&amp;"'


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """Two puzzles, the first with a title that would be HTML, the second refuted."""
    path = tmp_path / "two.toml"
    path.write_text(
        (a_puzzle("right", "{ value = 7 }") + a_puzzle("wrong", "{ value = 8 }")).replace(
            "[T]itle", HOSTILE.replace('"', '\\"'), 1
        )
    )
    return path


def program(path: Path, text: str) -> str:
    """A program that stands for a browser."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_a_book_has_the_puzzles_in_order_and_the_solutions_behind_them(
    athanor: Run, two: Path, tmp_path: Path
) -> None:
    out = tmp_path / "book.html"
    assert athanor("solve", two, "--html", out).exit_code == 1  # one is refuted; the book is there all the same
    text = out.read_text(encoding="utf-8")
    first, second = (text.index(f'<article id="puzzle-{number}"') for number in (1, 2))
    solutions = text.index('<section class="solutions"')
    assert first < second < solutions
    assert html.escape(HOSTILE, quote=False).replace('"', "&#34;") in text[solutions:]
    assert "7</strong>" in text[solutions:]
    assert "The file states another solution: the value is 7, not 8." in text[solutions:]
    assert "<script" not in text
    assert not re.findall(r'(?:src|href)="(?!#)', text)


def test_a_book_of_series_has_a_chapter_for_each_with_its_lesson(athanor: Run, tmp_path: Path) -> None:
    out = tmp_path / "book.html"
    result = athanor("solve", "--series", "hold-back", "--series", "flip-the-order", "--nodes", "1", "--html", out)
    text = out.read_text(encoding="utf-8")
    places = [
        text.index(found)
        for name in ("hold-back", "flip-the-order")
        for series in (training.all_series()[name],)
        for found in (f">{series.title}</h2>", f'<p class="lesson">{series.lesson}</p>')
    ]
    assert places == sorted(places)
    assert text.count("<article") == sum(
        len(training.all_series()[name].puzzles) for name in ("hold-back", "flip-the-order")
    )
    assert "hold-back\n" in result.stdout
    wrong = athanor("solve", "--series", "hold")
    assert (wrong.exit_code, "did you mean hold-back?" in wrong.stderr) == (2, True)
    assert "a series with --series" in athanor("solve").stderr


def test_options_of_a_book_need_a_book(athanor: Run, two: Path) -> None:
    for option in ("--rules", "--large", "--apart"):
        result = athanor("solve", two, option)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "add --html or --pdf" in result.stderr


def test_what_cannot_be_written_or_printed_is_told_before_any_work(
    athanor: Run, two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for option in ("--html", "--pdf"):
        result = athanor("solve", two, option, tmp_path / "none" / "book")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "cannot write" in result.stderr
    monkeypatch.setenv("ATHANOR_BROWSER", str(tmp_path / "nothing"))
    result = athanor("solve", two, "--pdf", tmp_path / "book.pdf")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "ATHANOR_BROWSER names" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["two.toml"]


def test_a_browser_that_fails_leaves_what_was_there(
    athanor: Run, two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATHANOR_BROWSER", program(tmp_path / "fails", "echo no display >&2; exit 3"))
    out = tmp_path / "book.pdf"
    out.write_text("before")
    result = athanor("solve", two, "--pdf", out)
    assert (result.exit_code, "no display" in result.stderr) == (2, True)
    assert out.read_text() == "before"


def test_ctrl_c_ends_the_browser_and_writes_nothing(tmp_path: Path) -> None:
    cancel = threading.Event()
    cancel.set()
    target = tmp_path / "book.pdf"
    assert not printing.print_pdf(program(tmp_path / "waits", "exec sleep 60"), tmp_path / "x", target, cancel)
    assert not target.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=str)
def test_a_command_that_is_ended_while_it_prints_leaves_nothing(tmp_path: Path, two: Path, number: int) -> None:
    """Neither a browser, nor what that has started, nor folders: SIGHUP comes from a terminal that is closed."""
    started, left = tmp_path / "started", tmp_path / "left"
    os.mkfifo(started)
    left.mkdir()
    browser = program(tmp_path / "waits", f"sleep 600 &\necho $$ $! > {started}\nexec sleep 600")
    named = os.environ | {"ATHANOR_BROWSER": browser, "TMPDIR": str(left)}
    command = [sys.executable, "-m", "api.cli", "solve", str(two), "--pdf", str(tmp_path / "book.pdf")]
    with subprocess.Popen(command, env=named, stdout=subprocess.DEVNULL) as process:
        browsers = started.read_text().split()
        process.send_signal(number)
    assert process.returncode == 128 + number
    assert not list(left.iterdir())
    for pid in browsers:
        with suppress(FileNotFoundError):  # it is gone, or whoever inherits it has not looked yet
            assert Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def test_no_browser_is_an_error_that_tells_what_else_can_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ATHANOR_BROWSER", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(CommandFailure, match="apt install chromium-headless-shell"):
        printing.find_browser()


def test_chromium_without_a_window_prints_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ATHANOR_BROWSER", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: name if name == "chromium-headless-shell" else None)
    assert printing.find_browser() == "chromium-headless-shell"


# Training.


KIRIN = ["--game", "kirin", "--grade", "easy", "--ask", "best-move"]


@pytest.fixture(autouse=True)
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> training.Store:
    """The record of the test alone."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(platformdirs, "user_state_path", lambda *_, **__: tmp_path / "state")
    return training.Store(tmp_path / "state" / "train.sqlite")


def train(*args: str | Path, lines: str = "", code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ["train", *map(str, args)], input=lines)
    assert result.exit_code == code, result.output
    return result


def first_of(*, game: str = "kirin", grade: str = "easy") -> tuple[Puzzle, list[str], list[str]]:
    """The puzzle that is asked first, its best moves, and its wrong ones."""
    puzzles = {puzzle.id: puzzle for puzzle in training.chosen(game=game, grade=grade)}
    puzzle = puzzles[training.next_puzzle(training.listed(puzzles), training.Standing(), datetime.now(UTC)) or ""]
    assert puzzle.solution is not None
    best = list(puzzle.solution.best or ())
    moves = [puzzle.game.format_move(puzzle.position, move) for move in puzzle.game.legal_moves(puzzle.position)]
    return puzzle, best, [move for move in moves if move not in best]


def kept(record: training.Store) -> list[tuple[str, bool]]:
    return [(one.puzzle, one.right) for one in record.record().attempts]


def test_a_wrong_move_is_refuted_and_a_right_one_explained(record: training.Store) -> None:
    puzzle, [best], [wrong, *_] = first_of()
    text = train(*KIRIN, lines=f"{wrong.lower()}\n{best.lower()}\nquit\n").stdout
    asked, refuted, explained, *_ = text.split("\n> ")
    assert asked.rpartition("\n\n")[2].startswith(f"{puzzle.id} (easy)\n")
    assert titled(puzzle.title) not in asked + refuted
    assert f"Title: {titled(puzzle.title)}\nTheme: " in explained
    assert f"{wrong} is not the best move." in refuted
    assert f"{wrong}: " in refuted
    assert "The best move: " in refuted
    assert f"Line  {puzzle.position.seat_to_move}:{wrong}  " in refuted  # type: ignore[attr-defined]
    assert f"Right: {best}." in explained
    assert f"{best}: " in explained
    assert "the next best: " in explained
    assert kept(record) == [(puzzle.id, False)]  # the first answer counts
    assert f"0 of {len(training.chosen(game='kirin', grade='easy'))} puzzles solved" in text
    assert re.search(r"^Kirin: rating 1,?\d+ → \d", text, re.MULTILINE)
    assert re.search(r"^Kirin: rating \d+ ±\d", text, re.MULTILINE)


def test_what_is_solved_is_not_asked_again_until_wished(record: training.Store) -> None:
    puzzle, [best], _ = first_of()
    assert "1 of " in train(*KIRIN, lines=f"{best}\nquit\n").stdout
    assert kept(record) == [(puzzle.id, True)]
    assert f"\n{puzzle.id} (easy)" not in train(*KIRIN, lines="skip\n" * 200).stdout
    assert f"\n{puzzle.id} (easy)" in train(*KIRIN, "--again", lines="skip\n" * 200).stdout


def test_what_was_failed_comes_back_the_next_day(record: training.Store) -> None:
    puzzle = training.chosen(game="kirin", grade="easy")[3]
    yesterday = training.moment(datetime.now(UTC) - timedelta(days=1))
    record.add([training.Attempt(at=yesterday, puzzle=puzzle.id, grade="easy", right=False)])
    text = train(*KIRIN, lines="quit\n").stdout
    assert "1 puzzle is due now." in text
    assert puzzle.id in text.split("> ")[0]


def test_a_hint_halves_what_solving_counts(record: training.Store) -> None:
    puzzle, [best], _ = first_of()
    text = train(*KIRIN, lines=f"hint\nhint\nfoo\n99\n{best}\nquit\n").stdout
    _, worth, fewer, foo, number, right, *_ = text.split("\n> ")
    assert puzzle.solution is not None
    assert f"The position is worth {puzzle.solution.value}." in " ".join(worth.split())
    assert best in fewer
    assert fewer.count(":") < len(puzzle.game.legal_moves(puzzle.position))
    assert "'foo' is not a card" in foo
    assert "'99' is not a card" in number
    assert f"Right: {best}." in right
    [one] = record.record().attempts
    assert (one.puzzle, one.game, one.right, one.helped) == (puzzle.id, "kirin", True, True)


def test_who_leaves_after_a_hint_has_not_solved(record: training.Store) -> None:
    puzzle, _, _ = first_of()
    assert "With a hint, solving it counts half" in train(*KIRIN, lines="hint\nskip\nquit\n").stdout
    assert kept(record) == [(puzzle.id, False)]


def test_the_solution_is_shown_with_its_reason(record: training.Store) -> None:
    puzzle, [best], _ = first_of()
    text = train(*KIRIN, lines="show\nquit\n").stdout
    assert f"Solution: {best}" in text
    assert "the next best: " in text
    assert kept(record) == [(puzzle.id, False)]


def test_skipping_and_leaving_count_nothing(record: training.Store) -> None:
    train(*KIRIN, lines="skip\nquit\n")
    train(*KIRIN)
    assert kept(record) == []


def test_of_hidden_hands_deals_are_counted_and_one_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "_DEALS_SECONDS", 600.0)  # enough for all of them on any machine
    file = tmp_path / "one.toml"
    source = (training.COLLECTION / "hidden-hands.toml").read_text()
    file.write_text("[[puzzle]]" + source.split("[[puzzle]]")[1])  # B+ is best
    text = train(file, lines="BT\nB+\n").stdout
    assert "is worse than the best move in " in text
    assert "of 100 deals" in text
    assert "(played out, each seeing their own cards)." in text
    deal = text.split("One of these deals:")[1]
    assert "Seat 0" in deal
    assert "Right: B+." in deal


def test_ones_own_puzzles_have_names_of_their_own(record: training.Store, tmp_path: Path) -> None:
    puzzle = training.by_id()["kirin-0001"]
    file = tmp_path / "own.toml"
    source = (training.COLLECTION / "kirin.toml").read_text()
    file.write_text("[[puzzle]]" + source.split("[[puzzle]]")[1])
    assert puzzle.solution is not None
    [best] = puzzle.solution.best or ()
    with speaking("ja"):
        assert "。手かその番号" in train(file, lines="zz\n").stdout
    assert "1 of 1 puzzle solved" in train(file, lines=f"{best}\n").stdout
    assert kept(record) == [(f"own:{puzzle.id}", True)]
    assert "0 of " in train("--progress").stdout


def test_files_that_cannot_be_trained_with(tmp_path: Path) -> None:
    file = tmp_path / "open.toml"
    source = (training.COLLECTION / "made-kirin-value.toml").read_text()
    [one] = [line for line in source.split("[[puzzle]]")[1].splitlines() if line.startswith("solution")]
    file.write_text("[[puzzle]]" + source.split("[[puzzle]]")[1].replace(one, ""))
    assert "no puzzle there states its solution" in train(file, code=2).stderr
    assert "missing.toml" in train(tmp_path / "missing.toml", code=2).stderr
    assert "choose puzzles of the collection" in train(file, "--daily", code=2).stderr


def test_sets_by_theme() -> None:
    text = train("--theme", "Deny", "--progress").stdout
    assert text == f"0 of {len(training.chosen(theme='deny', ask=None))} puzzles solved\n"
    for command in ("train", "generate"):
        told = " ".join(CliRunner().invoke(cli, [command, "--help"]).stdout.split())
        (example,) = re.findall(r"with this theme, such as (\w+)\.", told)
        assert training.chosen(theme=example, ask=None)
    wrong = train("--theme", "deni", code=2).stderr
    assert "no such puzzle has the theme 'deni'" in wrong
    assert "deny" in wrong


def test_a_series_is_asked_in_its_order_after_its_lesson(record: training.Store) -> None:
    series = training.all_series()["take-it-later"]
    first, second, third, *_ = series.puzzles
    at = training.moment(datetime.now(UTC))
    record.add([training.Attempt(at=at, puzzle=second, grade="easy", right=True)])
    text = train("--series", series.name, lines="skip\nquit\n").stdout
    lesson, asked, then = text.partition("Take it later: ")[2].split(" (easy)\n")
    assert " ".join(lesson.split()) == f"{series.lesson} {first}"
    assert asked.rpartition("\n")[2] == third
    assert then
    wrong = train("--series", "take-it", code=2).stderr
    assert "there is no series 'take-it'; did you mean take-it-later?" in wrong


def test_the_puzzle_of_the_day(monkeypatch: pytest.MonkeyPatch, record: training.Store) -> None:
    class Today(date):
        @classmethod
        def today(cls) -> Today:
            return cls(2026, 2, 3)

    monkeypatch.setattr(module, "date", Today)
    puzzle = training.daily(training.chosen(), date(2026, 2, 3))
    moments = [f"2026-02-01T00:00:{second}.000Z" for second in range(10, 30)]
    record.add([], [training.Vote(at=moment, puzzle=puzzle.id, good=False) for moment in moments])
    assert training.chosen(standing=record.standing()) != training.chosen()  # yet it is the same for everybody
    assert puzzle.solution is not None
    best = (puzzle.solution.best or ("",))[0]
    text = train("--daily", lines=f"{best}\n").stdout
    assert "The puzzle of 2026-02-03" in text
    assert titled(puzzle.title) in text
    assert f"Right: {best}." in text
    assert kept(record) == [(puzzle.id, True)]


def test_cards_are_explained_where_codes_do_not_say_all() -> None:
    king = train("--game", "king", *KIRIN[2:], lines="cards\nquit\n").stdout
    assert "points" in king.split("\n> ")[1]
    assert "The cards' codes say everything" in train(*KIRIN, lines="cards\nquit\n").stdout


def test_a_record_goes_to_a_file_and_back(record: training.Store, tmp_path: Path) -> None:
    puzzle, [best], _ = first_of()
    train(*KIRIN, lines=f"{best}\nquit\n")
    file = tmp_path / "record.json"
    train("--export", file)
    found = json.loads(file.read_text())
    assert found["saved"] == "athanor train"
    assert [one["puzzle"] for one in found["attempts"]] == [puzzle.id]
    assert train("--export", "-").stdout == file.read_text()
    assert train("--import", file).stdout == "0 of 1 answer is new.\n"
    record.path.unlink()
    assert train("--import", file).stdout == "1 of 1 answer is new.\n"
    assert kept(record) == [(puzzle.id, True)]
    file.write_text('{"attempts": 3}')
    assert "attempts" in train("--import", file, code=2).stderr
    assert kept(record) == [(puzzle.id, True)]


def test_a_vote_is_asked_for_once_and_goes_to_others(record: training.Store, tmp_path: Path) -> None:
    puzzle, [best], _ = first_of()
    question = "Was this a good puzzle?"
    text = train(*KIRIN, lines=f"{best}\nBAD\nskip\nquit\n").stdout
    assert text.count(question) == 1
    assert [(one.puzzle, one.good) for one in record.record().votes] == [(puzzle.id, False)]
    listed = training.chosen(game="kirin", grade="easy", standing=record.standing())
    lines = "skip\n" * listed.index(puzzle) + f"{best}\nquit\n"  # a bad vote moves it back
    assert question not in train(*KIRIN, "--again", lines=lines).stdout
    train("--votes", tmp_path / "votes.json")
    record.path.unlink()
    assert train("--import", tmp_path / "votes.json").stdout == "1 of 1 vote is new.\n"
    assert train("--import", tmp_path / "votes.json").stdout == "0 of 1 vote is new.\n"
    assert kept(record) == []
    text = train(*KIRIN, lines="quit\n").stdout
    assert f"\n{puzzle.id} (easy)" not in text  # others come first now
    [second] = re.findall(r"(?m)^(\S+) \(easy\)$", text)
    lines = "show\nskip\nquit\n"  # no vote: the next puzzle is skipped
    text = train(*KIRIN, lines=lines).stdout
    assert text.count("(easy)") == 3
    assert kept(record) == [(second, False)]


@pytest.mark.parametrize(
    "text", ["", "[]", "a file of something else, which is long enough to be no database" * 20]
)
def test_a_spoiled_record(record: training.Store, text: str) -> None:
    record.path.parent.mkdir(parents=True)
    record.path.write_text(text)
    if text:
        result = train(*KIRIN, code=2)
        assert str(record.path) in result.stderr
    else:
        train(*KIRIN)  # it was begun, and nothing is in it
    assert record.path.read_text(errors="replace") == text or not text


def test_a_record_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_state_path", lambda *_, **__: Path("/dev/null/state"))
    unwritten = train(*KIRIN, lines="1\n")
    assert "cannot write /dev/null/state/train.sqlite" in unwritten.stderr
    assert "→" not in unwritten.stdout  # no rating of what is not kept


def test_progress_alone(record: training.Store) -> None:
    assert train("--progress").stdout == f"0 of {len(training.collection())} puzzles solved\n"
    assert not record.path.exists()


def test_a_hint_leaves_every_best_move_and_a_wrong_one() -> None:
    for puzzle in training.chosen(grade="easy"):
        moves = [puzzle.game.format_move(puzzle.position, m) for m in puzzle.game.legal_moves(puzzle.position)]
        assert puzzle.solution is not None
        best = set(puzzle.solution.best or ())
        left = training.fewer(puzzle, moves)
        assert best <= set(left)
        assert len(moves) == len(best) or len(left) > len(best)


def test_a_puzzle_says_what_is_asked_and_question_marks_are_answered() -> None:
    text = train(*KIRIN, lines="?\nquit\n").stdout
    assert wording.question(first_of()[0]) in " ".join(text.split())
    assert text.count("Type a move or its number;") == 2
    assert "no card" not in text
    alchemy = wording.question(first_of(game="alchemy")[0])
    assert alchemy in train("--game", "alchemy", *KIRIN[2:], lines="quit\n").stdout
    assert "All others play against seat " in train("--game", "king", *KIRIN[4:], lines="skip\n" * 200).stdout


def one_of(tmp_path: Path, name: str, place: int = 1) -> tuple[Path, Puzzle]:
    """A file with one puzzle of a file of the collection, and the puzzle."""
    file = tmp_path / "one.toml"
    source = (training.COLLECTION / f"{name}.toml").read_text()
    file.write_text("[[puzzle]]" + source.split("[[puzzle]]")[place])
    return file, load(file).puzzles[0]


def test_a_value_is_typed_and_a_right_one_shown_by_a_line(record: training.Store, tmp_path: Path) -> None:
    file, puzzle = one_of(tmp_path, "made-kirin-value")
    assert puzzle.solution is not None
    value = puzzle.solution.value
    assert isinstance(value, int)
    text = train(file, lines=f"many\n{value + 1}\n{value}\n").stdout
    asked, strange, wrong, right = text.split("\n> ")
    assert wording.question(puzzle) in asked
    assert "Type a number." in strange
    assert f"{value + 1} is not right." in wrong
    assert "Best play brings less.\nLine  " in wrong
    assert f"Right: {value}." in right
    assert "Line  " in right
    assert kept(record) == [(f"own:{puzzle.id}", False)]
    assert "None is to be asked now; --again asks all of them again." in train(file).stdout


def wrong(right: str) -> str:
    """A typed answer that is not the right one."""
    if right.lower() in ("yes", "no"):
        return "no" if right.lower() == "yes" else "yes"
    return " ".join(["102"] * len(right.split()))


FOUR_SCORES = Puzzle.model_validate({
    "id": "four-scores",
    "title": "Four scores at once",
    "ask": "value",
    "model": "maxn",
    "position": "kirin direction=ascending leader=2 hands=S3,S5,B-/D1,B1,G5/D3,G6,GT/S1,B2,G4 "
    "declared=G3,B3,G-,G2",
    "solution": {"value": [0, 1, 4, 0]},
})  # fmt: skip


def valued(name: str, value: Any) -> Puzzle:
    """A puzzle of the collection that asks what its position is worth instead."""
    return training.by_id()[name].model_copy(update={"ask": "value", "solution": Solution(value=value)})


@pytest.mark.parametrize(("game", "how", "spelled", "kind"), [
    ("kirin", "Type the points of each seat", lambda value: " ".join(map(str, value)), tuple),
    ("aqua-regia", "Type the number of the seat.", lambda value: str(value.index(1)), tuple),
    ("aqua-regia", "Type yes or no.", lambda value: "yes" if value else "no", int),
    ("alchemy", "Type the chance in percent", lambda value: f"{100 * value:.0f}%", float),
    ("alchemy", "Type yes or no.", lambda value: "yes" if value == "won" else "NO", str),
])  # fmt: skip
def test_every_kind_of_value_can_be_typed(game: str, how: str, spelled: Callable[[Any], str], kind: type) -> None:
    others = [
        FOUR_SCORES,
        valued("aqua-regia-best-move-133-31", (1, 0)),
        valued("aqua-regia-best-move-133-49", 1),
        valued("alchemy-winnable-115-52", "won"),
    ]
    found = [
        puzzle
        for puzzle in [*training.chosen(game=game, ask="value"), *others]
        if puzzle.game.name == game and puzzle.solution is not None and type(puzzle.solution.value) is kind
    ]
    assert found
    for puzzle in found:
        assert how in judging.how_typed(puzzle)
        assert puzzle.solution is not None
        assert judging.is_right(puzzle, spelled(puzzle.solution.value))
        assert not judging.is_right(puzzle, wrong(spelled(puzzle.solution.value)))
        for text in ("", "1 2 3 4 5 6 7", "x"):
            with pytest.raises(MoveError, match="Type"):
                judging.is_right(puzzle, text)


def test_matches_are_found_one_after_another(record: training.Store, tmp_path: Path) -> None:
    puzzle = training.chosen(ask="all-matches")[1]
    assert puzzle.solution is not None
    first, *others = puzzle.solution.moves or ()
    file = tmp_path / "one.toml"
    save(from_data({"puzzle": [puzzle.model_dump(mode="json", exclude_none=True)]}), file)
    text = train(file, lines="\n".join([first, "A=K", first, "hint", "hint", *others]) + "\n").stdout
    assert text.count(f"1 of {1 + len(others)} found.") == 2
    assert f"{first} was already found." in text
    assert f"One of them: {others[0]}" in text
    assert "1 of 1 puzzle solved" in text
    assert [(one.puzzle, one.right, one.helped) for one in record.record().attempts] == [
        (f"own:{puzzle.id}", True, True)
    ]


def test_what_cards_are_worth_is_asked_with_what_is_printed_on_them(record: training.Store) -> None:
    puzzle = training.chosen(ask="compound")[0]
    assert puzzle.solution is not None
    text = train("--ask", "compound", lines=f"hint\n{puzzle.solution.total}\nquit\n").stdout
    asked = text.split("\n> ")[0]
    assert "points" in asked
    assert "makes" in asked
    assert str(puzzle.solution.total) not in asked.replace(puzzle.title, "").split("What is the most")[1]
    assert all(recipe.item in text for recipe in puzzle.solution.recipes or () if recipe.item)


def test_whether_a_deal_can_be_won_is_shown_by_its_line() -> None:
    puzzle = next(one for one in training.chosen(ask="winnable") if one.solution and one.solution.winnable)
    line = judging.best_line(puzzle)
    position = puzzle.position
    for move in line:
        position = puzzle.game.play(position, puzzle.game.parse_move(position, move))
    assert athanor.analyze(position).value == "won"
    assert judging.is_right(puzzle, "yes")
    assert not judging.is_right(puzzle, "lost")


def test_in_japanese(in_japanese: Run) -> None:
    puzzle, [best], [wrong, *_] = first_of()
    text = in_japanese("train", *KIRIN, stdin=f"{wrong}\n{best}\nquit\n").stdout
    title, question = titled(puzzle.title), wording.question(puzzle)
    assert "問中" in text
    assert "(やさしい)" in text
    assert f"正解：{best}" in text or f"正解: {best}" in text or f"正解:{best}" in text
    assert "最善手なら" in text
    assert "手順" in text
    assert "レーティング" in text
    assert title != puzzle.title
    assert title in text
    assert question in text


def test_all_faults_of_all_files_are_listed_with_their_lines(athanor: Run, tmp_path: Path) -> None:
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    one.write_text(
        '[[puzzle]]\nid = "a"\ntitle = "A"\nask = "value"\nposition = "alchemy free min_line=1 line=2,3 hand=Z"\n'
        'colour = 3\n\n[[puzzle]]\nid = "b"\nask = "value"\nposition = "alchemy free min_line=1 line=2,0 hand=9"\n'
    )
    other.write_text('[[puzzle]]\nid = "c"\ntitle = "C"\nask = "dance"\n')
    found = athanor("solve", one, other)
    assert found.exit_code == 2
    places = [line.removeprefix("Error: ").split(": ")[:2] for line in found.stderr.splitlines()]
    assert sorted(places) == sorted(
        [
            [f"{one}:5", "puzzle[0].position.hand"],
            [f"{one}:6", "puzzle[0].colour"],
            [f"{one}:8", "puzzle[1].title"],
            [f"{one}:11", "puzzle[1].position.line[1]"],
            [f"{other}:4", "puzzle[0].ask"],
            [f"{other}:1", "puzzle[0].position"],
        ]
    )


def test_the_guides_puzzles_of_each_kind_are_right(athanor: Run) -> None:
    found = athanor("solve", "docs/examples/kinds.toml", "--json")
    results = [json.loads(line) for line in found.stdout.splitlines()]
    asked: dict[str, set[str]] = {}
    for result in results:
        asked.setdefault(result["game"], set()).add(result["ask"])
    assert asked == {
        "alchemy": set(ASKS) - {"compound"},
        "king": {"best-move", "value", "compound"},
        "kirin": {"best-move", "value"},
        "aqua-regia": {"best-move", "value"},
    }
    assert {result["status"] for result in results} == {"confirmed"}
