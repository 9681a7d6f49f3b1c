"""Finding a running service, and what becomes of a command whose service is gone, hangs or ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import pytest

from api.cli.asking import client, desk, places, work
from api.cli.asking.question import Question
from api.cli.terminal.console import Terminal
from api.http.searches import Searches
from solver.limits import Progress
from tests.cli.asking import SECONDS, run, timeless
from tests.cli.support import DUEL
from tests.support.places import ROOT

READY_SECONDS = 240.0  # where the kernels are not compiled yet


def test_other_settings_and_other_sources_are_another_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "_ROOT", str(tmp_path))
    for package in ("api", "athanor", "puzzles", "solver"):
        (tmp_path / package).mkdir()
    source = tmp_path / "solver" / "rules.py"
    source.write_text("A = 1\n")
    names = [places.service_name()]
    assert names == [places.service_name()]
    source.write_text("A = 12\n")
    names.append(places.service_name())
    os.utime(source, (1, 1))
    names.append(places.service_name())
    for variable in ("ATHANOR_TABLE_MB", "ATHANOR_THREADS", "ATHANOR_DECKS", "NUMBA_BOUNDSCHECK"):
        monkeypatch.setenv(variable, "1")
        names.append(places.service_name())
    assert len({*names, None}) == len(names) + 1


def test_sources_edited_since_the_start_open_no_desk(folder: Path) -> None:
    with desk.opened("0123456789abcdef", lambda game: True, Searches(1, 4).run):
        assert not list(folder.iterdir())


def test_where_packages_add_games_commands_work_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.registry.guests", lambda: ("whist",))
    assert places.service_name() is None


def test_a_folder_that_others_can_enter_is_not_used(service: None, monkeypatch: pytest.MonkeyPatch) -> None:
    place = places.folder()
    assert place is not None
    assert len(places.sockets()) == 1
    assert os.stat(place).st_mode & 0o777 == 0o700
    os.chmod(place, 0o711)
    assert places.sockets() == []
    with desk.opened(places.service_name(), lambda game: True, Searches(1, 4).run):
        assert len(os.listdir(place)) == 1
    os.chmod(place, 0o700)
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    assert not places.private(place)


def test_a_link_to_a_folder_is_not_used(folder: Path, tmp_path: Path) -> None:
    place = places.folder()
    assert place is not None
    tmp_path.chmod(0o700)
    os.symlink(tmp_path, place)
    assert not places.private(place)
    with desk.opened(places.service_name(), lambda game: True, Searches(1, 4).run):
        assert not list(tmp_path.iterdir())


def test_the_socket_goes_with_the_service(folder: Path) -> None:
    with desk.opened(places.service_name(), lambda game: True, Searches(1, 4).run):
        assert len(places.sockets()) == 1
    assert places.sockets() == []


def stale(name: str | None = None) -> str:
    """The socket that a service has left behind that was killed."""
    place = places.folder()
    assert place is not None
    path = os.path.join(place, f"{name or places.service_name()}-1.sock")
    os.makedirs(place, 0o700, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(path)
    return path


def test_what_a_killed_service_leaves_behind(folder: Path, only_ask: Callable[[], None]) -> None:
    path = stale()
    found = run("analyze", "duel.json")
    assert (found.exit_code, found.stderr) == (0, "")
    with desk.opened(places.service_name(), lambda game: True, Searches(1, 4).run):
        assert not os.path.exists(path)
        stale("0" * 16)
        stale()  # asked first, by its name
        only_ask()
        assert run("analyze", "duel.json").exit_code == 0


@pytest.mark.parametrize(
    "answers",
    [b"", b'{"begun": true}\n', b'{"begun": true}\n{"progress"', b"nonsense\n", b'{"elsewhere": true}\n', None],
)
def test_a_service_that_breaks_off(answers: bytes | None, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that sends this and goes, or (None) that hangs."""
    monkeypatch.setattr(client, "_ANSWERS_SECONDS", 0.2)
    place = places.folder()
    assert place is not None
    os.mkdir(place, 0o700)
    asked = threading.Event()

    def serve() -> None:
        connection, _ = listening.accept()
        with connection, connection.makefile("rb") as stream:
            stream.readline()
            asked.set()
            if answers is None:
                stream.read()
            else:
                connection.sendall(answers)

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.join(place, f"{places.service_name()}-1.sock"))
        listening.listen()
        thread = threading.Thread(target=serve)
        thread.start()
        found = run("analyze", "duel.json")
        thread.join(SECONDS)
    assert asked.is_set()
    assert (found.exit_code, found.stderr) == (0, "")
    assert "Value" in found.stdout


def slow(cancelled: threading.Event) -> Callable[..., Any]:
    """In place of the work: it goes on until it is cancelled, and tells so."""
    answer = work.answer

    def work_on(question: Question, position: Any, cancel: threading.Event, progress: Any) -> Any:
        progress(Progress(7, 0.5, 0.25, "stage"))
        assert cancel.wait(SECONDS)
        cancelled.set()
        return answer(question, position, threading.Event(), None)

    return work_on


def test_ctrl_c_gets_the_best_so_far(
    service: None, only_ask: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    only_ask()
    cancelled = threading.Event()
    monkeypatch.setattr(work, "answer", slow(cancelled))
    interrupt = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    interrupt.start()
    found = run("analyze", "duel.json")
    interrupt.join()
    assert cancelled.is_set()
    assert (found.exit_code, found.stderr, "Value" in found.stdout) == (130, "", True)


def test_the_work_ends_when_the_command_has_gone(service: None, monkeypatch: pytest.MonkeyPatch) -> None:
    cancelled = threading.Event()
    monkeypatch.setattr(work, "answer", slow(cancelled))
    terminal = Terminal.here()
    assert terminal is not None
    question = Question(kind="analyze", options={}, name="x", content=json.dumps(DUEL).encode())
    heard: list[list[Any] | None] = []

    class GoneError(Exception):
        pass

    def hear(moved: list[Any] | None) -> None:
        heard.append(moved)
        if moved is not None:
            raise GoneError

    with pytest.raises(GoneError):
        client.ask(question, terminal, threading.Event(), hear)
    assert heard[-1] == [7, 0.5, 0.25, "stage"]
    assert cancelled.wait(SECONDS)


def test_a_service_that_ends_hands_its_work_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cancelled = threading.Event()
    answer = work.answer
    begun = threading.Event()

    def work_once(question: Question, position: Any, cancel: threading.Event, progress: Any) -> Any:
        if threading.current_thread().name == "command":
            begun.set()
            assert cancel.wait(SECONDS)
            cancelled.set()
        return answer(question, position, threading.Event(), None)

    monkeypatch.setattr(work, "answer", work_once)
    opened = desk.opened(places.service_name(), lambda game: True, Searches(1, 4).run)
    opened.__enter__()

    def end() -> None:
        begun.wait(SECONDS)
        opened.__exit__(None, None, None)

    ending = threading.Thread(target=end)
    ending.start()
    found = run("analyze", "duel.json")
    ending.join()
    assert cancelled.wait(SECONDS)
    assert (found.exit_code, found.stderr, "Value" in found.stdout) == (0, "", True)


LIGHT = """
import sys
from api.cli.main import main

try:
    main()
finally:
    heavy = {"numpy", "numba", "pydantic", "rich", "solver.positions"} & set(sys.modules)
    print(*heavy, file=sys.stderr)
"""


def test_a_command_asks_a_service_in_a_process_of_its_own(folder: Path) -> None:
    """It imports nothing heavy; and when the service is killed, it works by itself."""
    terminal = Terminal.here()
    assert terminal is not None
    question = Question(kind="analyze", options={}, name="x", content=json.dumps(DUEL).encode())
    command = [sys.executable, "-c", LIGHT, "analyze", "-"]
    server = subprocess.Popen(
        [sys.executable, "-m", "api.cli", "serve", "--port", "0"], stdout=DEVNULL, stderr=DEVNULL, cwd=ROOT
    )
    try:
        end = time.monotonic() + READY_SECONDS
        while client.ask(question, terminal, threading.Event(), lambda _: None) is None:
            assert time.monotonic() < end
            time.sleep(0.1)
        # Without this copy it would get COLUMNS too, which readline sets where Python does not see it.
        environ = dict(os.environ)
        asked = subprocess.run(
            command, input=json.dumps(DUEL), capture_output=True, text=True, cwd=ROOT, env=environ
        )
    finally:
        server.kill()
        server.wait()
    assert len(places.sockets()) == 1
    alone = run("analyze", "-", text=json.dumps(DUEL))
    assert (asked.returncode, asked.stderr) == (0, "\n")
    assert timeless(asked.stdout) == timeless(alone.stdout)


def test_too_many_commands_at_once(
    service: None, monkeypatch: pytest.MonkeyPatch, only_ask: Callable[[], None]
) -> None:
    monkeypatch.setattr(desk, "_MOST_AT_ONCE", 0)
    only_ask()
    assert "AloneError" in run("analyze", "duel.json").stderr


def test_very_many_worlds_are_no_work_for_a_service(service: None, only_ask: Callable[[], None]) -> None:
    only_ask()
    assert "AloneError" in run("hint", "kirin-view.json", "--worlds", "100001").stderr
