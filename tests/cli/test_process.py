"""The command as a process of its own: Ctrl-C, closed streams, its start-up time, homes that cannot be written."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from api.cli.main import COMMANDS
from tests.support import places
from tests.support.timing import PATIENCE

ROOT = places.ROOT
ATHANOR = [sys.executable, "-m", "api.cli"]
SHOW_CURSOR, HIDE_CURSOR = b"\x1b[?25h", b"\x1b[?25l"
HELP_SECONDS = 0.15  # of CPU
HEAVY = {"numpy", "numba", "pydantic", "rich", "flask", "ortools", "matplotlib"}  # what takes long to import
DUEL = json.dumps({
    "game": "alchemy", "variant": "duel",
    "line": ["J", "2", "5", "K", "3", "Q"], "hand": "A", "opponent_hand": "8",
})  # fmt: skip
PUZZLE = """
[[puzzle]]
id = "{}"
title = "T"
ask = "value"
solution = {{ value = 7 }}
[puzzle.position]
game = "alchemy"
variant = "duel"
line = ["J", "2", "5", "K", "3", "Q"]
hand = "A"
opponent_hand = "8"
"""
# The command with a search that goes on until it is cancelled.
SLOW = """
import os, time
from api.cli.main import main
from solver.games.alchemy import duel, solving
from solver.limits import Control

def slow(position, control, **options):
    if control.node_limit is None:  # not when the kernels are loaded
        os.write(2, b"begun\\n")
        while not control.stopped():
            time.sleep(0.005)
    return duel.analyze(position, Control())

solving.analyze = slow
main()
"""
DEAF = SLOW.replace("not control.stopped()", "True")  # … or that does not listen
# The command with a clock by which a kernel, and a library, takes a thousand seconds to load.
LOADING = """
import os, sys, time
from api.cli.main import main
from solver.kernels.cache import Files

load, now, late = Files.load, time.monotonic, 0

def count():
    global late
    late += 1000
    os.write(2, b"loaded\\n")

def slow(files, key):
    count()
    return load(files, key)

class Libraries:
    def find_spec(name, *_):
        if name == "ortools":
            count()

Files.load, time.monotonic = slow, lambda: now() + late
sys.meta_path.insert(0, Libraries)
main()
"""
READING = """
import os
from api.cli import terminal
from api.cli.main import main

read = terminal.read_input
terminal.read_input = lambda path: (os.write(2, b"begun\\n"), read(path))[1]
main()
"""


def run(*args: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*ATHANOR, *args],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | env,
        timeout=PATIENCE,
    )


@contextmanager
def begun(script: str, *args: str) -> Iterator[subprocess.Popen[str]]:
    """A script of the command with what it reads, once it says that it has begun."""
    command = [sys.executable, "-c", script, *args]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdin is not None
            assert process.stderr is not None
            if script != READING:
                process.stdin.write(DUEL if args[0] == "analyze" else "".join(map(PUZZLE.format, range(9))))
                process.stdin.close()
                process.stdin = None  # communicate would flush it
            assert process.stderr.readline() == "begun\n"
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("command", "position"),
    [
        (
            "analyze",
            {"game": "king", "deck": "house", "leader": 0, "trick": [], "hands": [["F1"], ["F2"], ["F3"]]},
        ),
        ("compound", {"game": "king", "cards": [f"{suit}{rank}" for suit in "FWAE" for rank in range(1, 11)]}),
    ],
)
def test_loading_is_no_part_of_the_search(command: str, position: dict[str, object]) -> None:
    result = subprocess.run(
        [sys.executable, "-c", LOADING, command, "-", "--json"],
        input=json.dumps(position), capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE,
    )  # fmt: skip
    assert (result.returncode, set(result.stderr.splitlines())) == (0, {"loaded"})
    assert json.loads(result.stdout)["seconds"] < 3000  # a search of one node needs neither all nor the line


@pytest.mark.parametrize("args", [["analyze", "-", "--json"], ["analyze", "-"]])
def test_the_first_interrupt_prints_the_best_so_far(args: list[str]) -> None:
    with begun(SLOW, *args) as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "A+2+3+Q=5+K" in out
    assert err == ""
    if "--json" in args:
        assert json.loads(out)["value"] == 7


def test_an_interrupt_shows_the_puzzles_solved_so_far() -> None:
    with begun(SLOW, "solve", "-", "--jobs", "2") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "begun\n"  # the other puzzle, too
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "puzzles: " in out
    assert set(err.splitlines()) <= {"begun"}


def test_the_second_interrupt_ends_a_search_that_does_not_listen() -> None:
    with begun(DEAF, "analyze", "-") as process:
        process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        interrupt(process)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (130, "", "")


def interrupt(process: subprocess.Popen[Any]) -> None:
    """Interrupt a process until it ends: of two signals that come together it notices one."""
    end = time.monotonic() + PATIENCE
    while process.poll() is None:
        assert time.monotonic() < end
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)


def test_an_interrupt_while_reading() -> None:
    with begun(READING, "score", "-") as process:
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err.strip()) == (130, "", "interrupted")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals here")
@pytest.mark.parametrize("script", [SLOW, DEAF])
def test_the_bar_is_drawn_on_a_terminal_only_and_taken_away(script: str) -> None:
    terminal, end = os.openpty()
    seen = b""
    with subprocess.Popen(
        [sys.executable, "-c", script, "solve", "-", "--json"], stdin=PIPE, stdout=PIPE, stderr=end, cwd=ROOT
    ) as process:
        os.close(end)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(map(PUZZLE.format, range(3))).encode())
        process.stdin.close()
        while b"begun" not in seen or b"solving" not in seen:
            seen += os.read(terminal, 4096)
        process.send_signal(signal.SIGINT)
        if script == DEAF:
            interrupt(process)
        lines = process.stdout.read().decode().splitlines()
        while True:
            try:
                seen += os.read(terminal, 4096)
            except OSError:  # so Linux tells that the other end is closed
                break
    os.close(terminal)
    assert process.returncode == 130
    assert bool(lines) == (script == SLOW)
    assert all(json.loads(line)["confirmed"] for line in lines)
    assert seen.rindex(SHOW_CURSOR) > seen.rindex(HIDE_CURSOR)


@pytest.mark.parametrize("args", [["deal", "alchemy", "--seed", "1"], ["analyze", "-", "--json"], ["--version"]])
def test_a_closed_pipe_is_quiet(args: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run([*ATHANOR, *args], input=DUEL.encode(), stdout=writer, stderr=PIPE, cwd=ROOT)
    os.close(writer)
    assert result.stderr == b""
    assert result.returncode == (141 if "--version" not in args else 1)


def test_a_reader_who_has_seen_enough(tmp_path: Path) -> None:
    path = tmp_path / "many.toml"
    path.write_text("".join(map(PUZZLE.format, range(300))))
    command = [*ATHANOR, "solve", "--json", str(path)]
    with subprocess.Popen(command, stdout=PIPE, stderr=PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        json.loads(process.stdout.readline())
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE) == 141


def test_no_standard_input() -> None:
    command = f"{sys.executable} -m api.cli analyze - <&-"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 2
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1


def test_a_terminal_without_unicode() -> None:
    result = run("analyze", "-", "--nodes", "1", stdin=DUEL, PYTHONIOENCODING="ascii")
    assert (result.returncode, result.stderr) == (0, "")
    assert "A+2+3+Q=5+K" in result.stdout


@pytest.mark.parametrize("home", ["/nonexistent", "/dev/null"])
def test_a_home_that_cannot_be_written(home: str) -> None:
    env = {"HOME": home, "XDG_CACHE_HOME": f"{home}/cache", "XDG_CONFIG_HOME": f"{home}/config"}
    result = run("analyze", "-", "--json", stdin=DUEL, **env)
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(result.stdout)["value"] == 7


@pytest.mark.parametrize("args", [["--help"], ["analyze", "--help"]])
def test_help_is_quick(args: list[str]) -> None:
    # The least of several: a busy machine makes single ones slower, never quicker.
    seconds = 1.0
    for _ in range(10):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = run(*args)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert (result.returncode, result.stdout[:14]) == (0, "Usage: athanor")
        seconds = min(seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        if seconds < HELP_SECONDS:
            break
    assert seconds < HELP_SECONDS


def test_no_help_loads_anything_heavy() -> None:
    """Neither that of the whole nor that of any command, all asked in one process."""
    asking = f"""
import sys
from api.cli.main import main
for command in {["", *COMMANDS]}:
    sys.argv = ["athanor", *filter(None, [command]), "--help"]
    try:
        main()
    except SystemExit as found:
        heavy = {HEAVY} & set(sys.modules)
        if found.code or heavy:
            sys.exit(f"{{command}}: {{found.code}}, {{heavy}}")
"""
    result = subprocess.run([sys.executable, "-c", asking], capture_output=True, text=True, cwd=ROOT)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("Usage: athanor") == len(COMMANDS) + 1


# Streams that are closed, or that take nothing.


FULL = Path("/dev/full")
WRITING = ["rules kirin", "--help"]


def redirect(command: str, redirected: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f'"$0" -m api.cli {command} {redirected}', sys.executable],
        cwd=places.ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.mark.parametrize("redirected", [">&-", ">&- 2>&-"])
def test_nobody_reads(redirected: str) -> None:
    for command in WRITING:
        found = redirect(command, redirected)
        assert (found.returncode, found.stderr) == (0, ""), command


@pytest.mark.skipif(not FULL.exists(), reason="this system has no full device")
def test_a_full_disk() -> None:
    for command in WRITING:
        found = redirect(command, f"> {FULL}")
        assert (found.returncode, found.stderr) == (
            2,
            "Error: cannot write the output: No space left on device\n",
        ), command


# `athanor play`.


PLAY = [sys.executable, "-m", "api.cli", "play"]
# The command with a hint that thinks until it is cancelled, and says so.
THINKING = """
import os, time
from api.cli.main import main
from solver.games.kirin import hint

def slow(view, control, **options):
    os.write(2, b"begun\\n")
    while not control.stopped() or control.node_limit:
        time.sleep(0.005)
        if control.cancelled():
            break
    raise AssertionError

hint.hint = slow
main()
"""


def environment(tmp_path: Path) -> dict[str, str]:
    return os.environ | {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state"), "COLUMNS": "300"}


def kept(tmp_path: Path) -> tuple[Path, Any]:
    [path] = (tmp_path / "state" / "athanor" / "play").iterdir()
    return path, json.loads(path.read_text(encoding="utf-8"))


def test_an_interrupt_while_another_thinks(tmp_path: Path) -> None:
    command = [sys.executable, "-c", THINKING, "play", "kirin", "--seed", "5", "--seconds", "60"]
    with subprocess.Popen(
        command, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True, cwd=ROOT, env=environment(tmp_path)
    ) as process:
        try:
            assert process.stdin is not None
            assert process.stderr is not None
            process.stdin.write("D2\n")
            process.stdin.flush()
            assert process.stderr.readline() == "begun\n"
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=50)  # less than it thinks for
        finally:
            process.kill()
    path, game = kept(tmp_path)
    assert (process.returncode, err) == (130, "")
    assert f"Continue with: athanor play --resume {path}" in out
    assert game["moves"] == [["D2"]]


def test_an_interrupt_at_the_prompt_and_on_it_goes(tmp_path: Path) -> None:
    command = [*PLAY, "alchemy", "--seed", "5"]
    with subprocess.Popen(
        command, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True, cwd=ROOT, env=environment(tmp_path)
    ) as process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("1\n")
            process.stdin.flush()
            while "Hand    Q" not in process.stdout.readline():
                pass
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert (process.returncode, err) == (130, "")
    path, game = kept(tmp_path)
    assert "Continue with" in out
    assert game["moves"] == [["4+4+10=2+5+J"]]
    result = run("play", "alchemy", "--resume", stdin="1\n" * 60, **environment(tmp_path))
    assert (result.returncode, result.stderr) == (0, "")
    assert "Round 1 is over." in result.stdout
    assert not path.exists()


def test_a_game_in_a_home_that_cannot_be_written() -> None:
    home = {"HOME": "/dev/null", "XDG_STATE_HOME": "/dev/null/state", "XDG_CACHE_HOME": "/dev/null/cache"}
    result = run("play", "alchemy", "--seed", "5", stdin="1\n", **home)
    assert result.returncode == 0
    assert len(result.stderr.splitlines()) == 1
    assert "goes on without being kept" in result.stderr
    assert "You: 4+4+10=2+5+J" in result.stdout
    assert "The game is not saved." in result.stdout
