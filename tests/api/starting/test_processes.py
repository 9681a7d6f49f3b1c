"""The processes that compile: what they tell, how they fail, and that none is left behind."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from api.compiling import AbsentError, loading_only, telling
from api.starting import Processes, StoppedError
from solver.kernels import cache
from solver.kernels.jit import kernel
from tests.conftest import JIT
from tests.support import guests, places

SECONDS = 60.0  # that any of this may take on a loaded machine

GAME = """
import os, signal, time
from solver.codec import Notation
from types import SimpleNamespace
from typing import Literal
from pydantic import BaseModel
from solver.kernels import cache
from solver.kernels.jit import kernel
from solver.answers import Analysis, Answer, Hint

class Position(BaseModel):
    game: Literal["slow-game"]

@kernel
def twice(number):
    return 2 * number if number != {unique} else 0  # so the cache holds none of its kernels

def warm(*, hints=False, last_first=False):
    {warm}

GAME = SimpleNamespace(
    name="slow-game", title="Slow", players=(1, 1), variants={{}}, models=(), guarantees=(), deck_kind=None,
    questions={{}}, surveys=(), options={{}}, record_help="",
    position_type=Position, record_type=Position, analysis_type=Analysis,
    hint_type=Hint, score_type=Answer, asks=lambda position: frozenset(), warm=warm,
    notation=Notation(),
    **dict.fromkeys(["playing", "legal_moves", "observe", "possible", "parse_move", "format_move", "play", "hint",
                     "answer", "proved", "score", "describe", "rules", "deal", "view", "analyze", "cards",
                     "composer", "package", "dealt_by_rules", "finding", "warming", "places", "find",
                     "watched", "drawn", "strength", "claim", "proving",
                     "missing", "race", "worlds"], print),
)
"""
SLOW = "open({path!r}, 'w').write(str(os.getpid())); time.sleep(120)"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a game whose `warm` does this into a folder that processes find packages in."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(places.ROOT)]))
    return lambda warm: guests.install(tmp_path, "slow-game", GAME.format(warm=warm, unique=uuid.uuid4().time))


def number_in(path: Path) -> int:
    """The number of a process that writes it into this file."""
    end = time.monotonic() + SECONDS
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return int(path.read_text())


def gone(number: int) -> bool:
    """Whether a process comes to be over."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            os.kill(number, 0)
            if Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(not JIT, reason="without the JIT nothing is compiled")
def test_a_process_tells_how_far_it_is(install: Callable[[str], None]) -> None:
    install("print('a line that tells nothing'); assert twice(2) == 4")
    shares: list[float] = []
    assert Processes().compile("slow-game", shares.append, lambda: shares.append(2.0)) == ""
    assert shares == [1.0, 2.0]


@pytest.mark.skipif(not JIT, reason="without the JIT nothing is compiled")
def test_a_pair_begins_at_both_ends(install: Callable[[str], None], tmp_path: Path) -> None:
    order = "'hints ' if hints else 'end ' if last_first else 'beginning '"
    wait = "time.sleep(0 if hints or last_first else 2)"
    install(f"open({str(tmp_path)!r} + '/order', 'a').write({order}); {wait}")
    hints: list[str] = []
    assert Processes().compile("slow-game", lambda share: None, lambda: hints.append("ready"), pair=True) == ""
    assert sorted((tmp_path / "order").read_text().split()) == ["beginning", "end", "hints"]
    assert hints == ["ready"]


@pytest.mark.parametrize(
    ("warm", "fault"),
    [
        ("raise RuntimeError('no good')", "its process failed: RuntimeError: no good"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "its process was ended by SIGSEGV"),
        ("os._exit(3)", "its process failed: status 3"),
    ],
)
def test_a_process_that_fails_says_why(install: Callable[[str], None], warm: str, fault: str) -> None:
    install(warm)
    assert Processes().compile("slow-game", lambda share: None) == fault


def test_a_process_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    fault = Processes().compile("slow-game", lambda share: None)
    assert fault == "no process can be started: No such file or directory"


def test_the_end_kills_what_runs(install: Callable[[str], None], tmp_path: Path) -> None:
    install(SLOW.format(path=str(tmp_path / "number")))
    processes = Processes()
    ends: list[BaseException] = []

    def compiled() -> None:
        try:
            processes.compile("slow-game", lambda share: None)
        except StoppedError as found:
            ends.append(found)

    thread = threading.Thread(target=compiled)
    thread.start()
    number = number_in(tmp_path / "number")
    processes.end()
    thread.join(20)
    assert ends
    assert gone(number)
    with pytest.raises(StoppedError):
        processes.compile("slow-game", lambda share: None)


PARENT = "from api.starting import Processes; Processes().compile('slow-game', print)"


def test_no_process_outlives_a_parent_that_is_killed(install: Callable[[str], None], tmp_path: Path) -> None:
    install(SLOW.format(path=str(tmp_path / "number")))
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=places.ROOT) as parent:
        number = number_in(tmp_path / "number")
        parent.kill()
    assert gone(number)


@contextmanager
def killed(server: subprocess.Popen[str]) -> Iterator[None]:
    """Kills a process at the end, or a test that fails would wait for it for ever."""
    try:
        yield
    finally:
        server.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_compiles_answers_and_stops_at_once(
    install: Callable[[str], None], tmp_path: Path, number: signal.Signals
) -> None:
    install(f"twice(2); {SLOW.format(path=str(tmp_path / 'number'))}")  # no cache holds it, so it is compiled
    command = [sys.executable, "-m", "api.cli", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=places.ROOT, stdout=subprocess.PIPE, text=True) as server, killed(server):
        assert server.stdout is not None
        found = re.search(r":(\d+)/", server.stdout.readline())
        assert found
        worker = number_in(tmp_path / "number")
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=SECONDS)
        connection.request("GET", "/healthz")
        health = json.loads(connection.getresponse().read())
        assert health["games"]["slow-game"]["state"] == "compiling"
        connection.close()
        begun = time.monotonic()
        server.send_signal(number)
        assert server.wait(20) == 0
        assert time.monotonic() - begun < 10
    assert gone(worker)


@pytest.mark.skipif(not JIT, reason="without the JIT nothing is compiled")
def test_loading_only_refuses_to_compile_and_telling_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "roots", lambda: ())  # nothing is kept, so that there is something to compile

    @kernel
    def fresh(number: int) -> int:
        return number + 1

    with pytest.raises(AbsentError), loading_only():
        fresh(1)
    shares: list[float] = []
    with telling(shares.append):
        assert fresh(1) == 2
    assert len(shares) == 1
    assert 0 < shares[0] <= 1
