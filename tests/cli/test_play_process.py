"""`athanor play` as a process: Ctrl-C at any time leaves a game that goes on, and homes that cannot be written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from subprocess import PIPE
from typing import Any

from tests.support import places

ROOT = places.ROOT
ATHANOR = [sys.executable, "-m", "api.cli", "play"]

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
            begin = time.monotonic()
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    path, game = kept(tmp_path)
    assert (process.returncode, err) == (130, "")
    assert time.monotonic() - begin < 20
    assert f"Continue with: athanor play --resume {path}" in out
    assert game["moves"] == [["D2"]]


def test_an_interrupt_at_the_prompt_and_on_it_goes(tmp_path: Path) -> None:
    command = [*ATHANOR, "alchemy", "--seed", "5"]
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
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, err) == (130, "")
    path, game = kept(tmp_path)
    assert "Continue with" in out
    assert game["moves"] == [["4+4+10=2+5+J"]]
    result = subprocess.run(
        [*ATHANOR, "alchemy", "--resume"], input="1\n" * 60, capture_output=True, text=True, cwd=ROOT,
        env=environment(tmp_path), timeout=60,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")
    assert "Round 1 is over." in result.stdout
    assert not path.exists()


def test_a_home_that_cannot_be_written() -> None:
    home = "/dev/null"
    env = os.environ | {"HOME": home, "XDG_STATE_HOME": f"{home}/state", "XDG_CACHE_HOME": f"{home}/cache"}
    result = subprocess.run(
        [*ATHANOR, "alchemy", "--seed", "5"],
        input="1\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=env,
        timeout=60,
    )
    assert result.returncode == 0
    assert len(result.stderr.splitlines()) == 1
    assert "goes on without being kept" in result.stderr
    assert "You: 4+4+10=2+5+J" in result.stdout
    assert "The game is not saved." in result.stdout


def test_no_standard_input(tmp_path: Path) -> None:
    command = " ".join([*ATHANOR, "alchemy", "--seed", "5", "<&-"])
    result = subprocess.run(
        command, shell=True, capture_output=True, text=True, cwd=ROOT, env=environment(tmp_path), timeout=60
    )
    assert result.returncode == 2
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1
