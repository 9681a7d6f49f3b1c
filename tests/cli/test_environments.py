"""Every command where programs often fail: beside files of any names, without a home, a disk or an input."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import pytest

import athanor
from athanor.jobs import JobError
from solver import processes
from solver.common import user_folder
from tests.api.support import warmed
from tests.cli import every
from tests.cli.every import ATHANOR, LINES

pytestmark = pytest.mark.slow

# A user who is not among the system's: in a namespace of its own, so that it may still read what we may read.
_NOBODY = ["unshare", "--user", "--map-user=54321", "--map-group=54321"]
_MAKES_USERS = subprocess.run([*_NOBODY, "true"], capture_output=True, check=False).returncode == 0
# Everything is read-only, the temporary folder and shared memory too; a superuser's other limits stay. Not /proc,
# where users are made.
_READ_ONLY = [
    "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
    "cut -d ' ' -f 2 /proc/self/mounts | grep -vx /proc |"
    "while read -r each; do mount -o remount,bind,ro $each; done 2> /dev/null; exec \"$@\"", "sh",
]  # fmt: skip
_LOCKS = "Read-only" in subprocess.run(
    [*_READ_ONLY, *(_NOBODY if _MAKES_USERS else ()), "mktemp"], capture_output=True, text=True, check=False
).stderr  # fmt: skip
read_only = pytest.mark.skipif(not _LOCKS, reason="this system lets nobody mount")
_CLOSED = ["sh", "-c", 'exec "$@" <&-', "sh"]  # no standard input
_READY = "All games are ready."
_SECONDS = 900.0  # that any of this may take, on however busy a machine


def test_every_command_has_a_line() -> None:
    assert sorted(LINES) == sorted(every.names())


class Filled(NamedTuple):
    """A folder with what the commands read, and the id of a job."""

    folder: Path
    job: str


@pytest.fixture(autouse=True)
def _decks_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own decks").mkdir()
    monkeypatch.setenv("ATHANOR_DECKS", str(tmp_path / "own decks"))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    warmed()  # where nothing can be written, nothing that was compiled is kept
    folder = tmp_path_factory.mktemp("filled")
    return Filled(folder, every.fill(folder, os.environ | {"ATHANOR_JOBS": "jobs.sqlite"}))


@pytest.fixture
def folder(filled: Filled, tmp_path: Path) -> Path:
    """A copy of the files, which a command may change."""
    shutil.copytree(filled.folder, tmp_path, dirs_exist_ok=True)
    return tmp_path


def plain(name: str, job: str) -> list[str]:
    return [*name.split(), *(word.format(job=job) if "job" in word else word for word in LINES[name].words)]


# As the command's own script, for one line after another.
_LINE_BY_LINE = """
import json, sys
from api.cli.__main__ import main

for words in json.loads(sys.argv[1]):
    sys.argv = ["athanor", *words]
    try:
        main()
    except SystemExit as ended:
        print(f"ended: {ended.code or 0}", file=sys.stderr)
"""


def together(names: Iterable[str]) -> list[list[str]]:
    """Commands in groups that a process can run line by line: they read nothing and start no other process.

    Each group needs the same of its surroundings.
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        alone = LINES[name].stdin or name in _STARTS
        groups.setdefault(name if alone else f"{name.rpartition(' ')[0]} …", []).append(name)
    return [*groups.values()]


def run_together(
    names: Sequence[str], job: str, folder: Path, environ: Mapping[str, str], before: Sequence[str]
) -> dict[str, tuple[int, str]]:
    """Run a group of commands; return the exit code and the messages of each."""
    if len(names) == 1:
        return {names[0]: run(names[0], job, folder, environ, before)}
    lines = json.dumps([plain(name, job) for name in names])
    command = [*before, sys.executable, "-P", "-c", _LINE_BY_LINE, lines]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=_SECONDS)
    *told, rest = re.split(r"^ended: (\d+)\n", done.stderr, flags=re.MULTILINE)
    assert (done.returncode, rest, len(told)) == (0, "", 2 * len(names)), done.stderr
    return {name: (int(code), errors) for name, errors, code in zip(names, told[::2], told[1::2], strict=True)}


def run(
    name: str,
    job: str,
    folder: Path,
    environ: Mapping[str, str],
    before: Sequence[str] = (),
    command: Sequence[str] = every.ATHANOR,
) -> tuple[int, str]:
    """Run a command's line in a folder; return its exit code and its messages. `serve` is ended once ready."""
    command = [*before, *command, *plain(name, job)]
    if name == "serve":
        with serving(command, folder, environ) as server:
            pass
        return server.code, server.messages
    done = subprocess.run(
        command, cwd=folder, env=environ, input=LINES[name].stdin, capture_output=True, text=True, timeout=_SECONDS
    )
    return done.returncode, done.stderr


@dataclass
class Service:
    """A service: its address and, once it has ended, its exit code and its messages."""

    address: str
    code: int = -1
    messages: str = ""

    def ask(self, path: str, body: bytes | None = None) -> Any:
        """Send a request, with a body as JSON; return the answer's data."""
        request = Request(self.address + path, body, {"Content-Type": "application/json"})
        with urlopen(request, timeout=_SECONDS) as answer:
            return json.loads(answer.read())


@contextmanager
def serving(command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> Iterator[Service]:
    """Run a service, which is ready in the with block, and end it by SIGTERM."""
    with subprocess.Popen(
        command, cwd=folder, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        late = threading.Timer(_SECONDS, process.kill)
        late.start()
        try:
            server = Service(process.stdout.readline().partition("http")[2].partition("/ ")[0])
            assert server.address, process.stderr.read()
            server.address = f"http{server.address}"
            while _READY not in server.messages and (line := process.stderr.readline()):
                server.messages += line
            yield server
        finally:
            process.terminate()
            server.messages = server.messages.replace(f"{_READY}\n", "") + process.communicate()[1]
            server.code = process.returncode
            late.cancel()


# What writes, or keeps what a person enters: it is run twice, where it can and where it can't.
_WRITES = [name for name in LINES if name in ("batch", "generate", "decks import") or name.startswith("jobs ")]
_KEEPS = [name for name, line in LINES.items() if line.stdin]
_STARTS = ("batch", "generate", "jobs work", "serve", "solve", "winrate")  # other processes


@pytest.mark.parametrize("names", together(sorted(LINES, key="jobs delete".__eq__)), ids=lambda names: names[0])
def test_other_files_in_the_folder_are_not_run_and_nobody_needs_a_home(
    names: list[str], filled: Filled, folder: Path
) -> None:
    """Neither a command nor a process that it starts runs other files, whatever modules these are named after.

    Of commands that start no process, one process runs many: what each imports, it looks for in the same places.

    Where the system lets us make users, it is one whom the system does not know and who has no home: only compiled
    kernels and what they are compiled for are given, so that nothing is compiled again. A command that reads
    nothing has no standard input either, and of one that writes nothing everything is read-only.
    """
    text = "open(2, 'w', closefd=False).write(f'another file was run: {__file__}\\n')\nraise SystemExit(1)\n"
    for module in _shadowing():
        (folder / f"{module}.py").write_text(text, encoding="utf-8")
    kernels = {key: value for key, value in os.environ.items() if key.startswith(("NUMBA_", "ATHANOR_KERNELS"))}
    environ = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(user_folder("cache").parent)} | kernels
    own = {"jobs": {"ATHANOR_JOBS": "jobs.sqlite"}, "decks": {"ATHANOR_DECKS": "decks"}}
    locked = _LOCKS and not {*names} & {*_WRITES, *_KEEPS, "serve"}
    before = [
        *(_READ_ONLY if locked else ()),
        *(_NOBODY if _MAKES_USERS else ()),
        *(() if LINES[names[0]].stdin else _CLOSED),
    ]
    environ |= own.get(names[0].split()[0], {})
    for code, errors in run_together(names, filled.job, folder, environ, before).values():
        assert (code, "another file" in errors) == (0, False), errors
        assert "Error" not in errors, errors
        assert "Traceback" not in errors
        assert len(errors.splitlines()) <= 1 or not locked, errors


@cache
def _shadowing() -> set[str]:
    """The names of all modules of Python and of what is installed."""
    return {*sys.stdlib_module_names, *packages_distributions(), "sitecustomize", "usercustomize"}


@pytest.mark.parametrize("name", ["batch", "deal"])
def test_other_files_are_not_run_by_a_module_that_is_run(name: str, filled: Filled, folder: Path) -> None:
    """Python itself looks for `api` in the current folder, and for what it needs to find it."""
    for module in ("click", "json", "numpy", "queue", "random", "select", "signal", "solver"):
        (folder / f"{module}.py").write_text("raise SystemExit('another file was run')\n", encoding="utf-8")
    environ = os.environ | {"ATHANOR_JOBS": "jobs.sqlite"}
    code, errors = run(name, filled.job, folder, environ, command=[sys.executable, "-m", "api.cli"])
    assert (code, "another file" in errors) == (0, False), errors


@read_only
@pytest.mark.parametrize("names", together([*_WRITES, *_KEEPS]), ids=lambda names: names[0])
def test_where_everything_is_read_only(names: list[str], filled: Filled, folder: Path) -> None:
    """What must write says that it can't; everything else works."""
    environ = os.environ | {"ATHANOR_JOBS": "jobs.sqlite"}
    for name, (code, errors) in run_together(names, filled.job, folder, environ, _READ_ONLY).items():
        assert (code, "Traceback" in errors) == (2 * (name in _WRITES), False), errors
        assert "internal error" not in errors
        assert len(errors.splitlines()) <= 1


@read_only
def test_a_service_where_everything_is_read_only(tmp_path: Path) -> None:
    """It searches in its own threads, and keeps large requests in memory."""
    environ = os.environ | {"ATHANOR_JOBS": "jobs.sqlite"}
    with serving([*_READ_ONLY, *every.ATHANOR, "serve", "--port", "0"], tmp_path, environ) as server:
        assert server.ask("/readyz")["status"] == "ok"
        assert server.ask("/healthz")["reason"] is None
        body = json.dumps({"position": every.DUEL, "limit": {"nodes": 10}}).encode()
        assert server.ask("/v1/hint", body)["moves"]
        assert server.ask("/v1/hint", b" " * 700_000 + body)["moves"]
        assert server.ask("/openapi.json")["paths"]
    assert "searches run in the threads of their requests" in server.messages
    assert (server.code, "Traceback" in server.messages) == (0, False)


def test_where_the_temporary_folder_has_a_name_too_long_for_sockets(filled: Filled, folder: Path) -> None:
    """Processes are started by a socket, which is elsewhere."""
    long = folder / ("long" * 25)
    long.mkdir()
    code, errors = run(
        "serve", filled.job, folder, os.environ | {"ATHANOR_JOBS": "jobs.sqlite", "TMPDIR": str(long)}
    )
    assert (code, "too long" in errors, "threads" in errors) == (0, False, False), errors
    assert not list(long.iterdir())


def test_a_name_too_long_for_sockets_is_said_where_no_other_folder_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / ("long" * 25)))
    monkeypatch.setattr(processes, "_SHORT_FOLDERS", [str(tmp_path / "absent")])
    monkeypatch.setattr(multiprocessing.current_process(), "_config", {})
    with pytest.raises(JobError, match="set TMPDIR to a shorter one"):
        athanor.batch("deal", ["kirin"], tmp_path / "deals.ndjson", jobs=2)


@pytest.mark.parametrize("name", [name for name, line in LINES.items() if line.stdin])
def test_standard_input_that_is_closed(name: str, filled: Filled, folder: Path) -> None:
    """It is as if there were nothing to read."""
    environ = os.environ | {"ATHANOR_JOBS": "jobs.sqlite", "HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    environ["XDG_CACHE_HOME"] = str(user_folder("cache").parent)
    code, errors = run(name, filled.job, folder, environ, _CLOSED)
    assert (code, "Error" in errors, "Traceback" in errors) == (0, False, False), errors


# In each process of a group, count what is imported; at one moment of some of them, end the group.
_AT_A_MOMENT = """
import os, signal, sys

group = os.getpgrp()  # the terminal's, also where a child makes one of its own later

class Counter:
    left = int(os.environ["MOMENT"])
    began = False

    def find_spec(self, name, *_):
        self.began = self.began or name == "api.cli.main" or os.environ["WHO"] == "child"
        self.left -= self.began
        if self.left == 0:
            os.killpg(group, getattr(signal, os.environ["SIGNAL"]))

who = "child" if "-c" in sys.orig_argv else "command"
if who == os.environ["WHO"]:
    sys.meta_path.insert(0, Counter())
"""
_ENDED = {"SIGINT": (130, -signal.SIGINT), "SIGTERM": (128 + signal.SIGTERM, -signal.SIGTERM)}


def by_turns(names: Sequence[str], moments: Sequence[int]) -> list[tuple[str, int, str]]:
    """Each command at every second moment, the next one at those between. Every command is ended by either signal,
    and with many commands some are so at every moment.
    """
    endings = [*_ENDED]
    return [
        (name, moment, endings[(place // 2 + number // 2) % 2])
        for place, name in enumerate(names)
        for number, moment in enumerate(moments)
        if (place + number) % 2 == 0
    ]


@pytest.mark.parametrize(
    ("name", "moment", "ending"),
    by_turns(["rules", "hint", "play", "solve", "batch", "serve"], [1, 15, 60, 200]),
)
def test_a_command_that_is_ended_while_it_begins(
    name: str, moment: int, ending: str, filled: Filled, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Ctrl-C and SIGTERM reach all processes of a terminal's job. Nothing is said but that it is interrupted."""
    code, errors = ended_at(name, "command", moment, ending, filled, folder, tmp_path_factory.mktemp("site"))
    over = name != "serve" or ending == "SIGTERM"  # it imports less, or it is a service that ends in order
    assert code in _ENDED[ending] or (code == 0 and over), (code, errors)
    assert errors.strip() in ("", "interrupted"), errors


@pytest.mark.parametrize(("name", "moment", "ending"), by_turns(["batch", "serve"], [1, 5, 20, 100]))
def test_a_command_that_is_ended_while_its_processes_begin(
    name: str, moment: int, ending: str, filled: Filled, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    code, errors = ended_at(name, "child", moment, ending, filled, folder, tmp_path_factory.mktemp("site"))
    assert code in (*_ENDED[ending], 0), (code, errors)  # 0: the service is ready to stop already
    assert "Traceback" not in errors, errors


_SWALLOWED = """
import signal
import click
signal.signal(signal.SIGINT, signal.SIG_DFL)
from api.cli.main import cli

def build(*given):
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise ValueError("half built")

click.Group.invoke = build
cli(["games"])
"""


def test_an_interrupt_of_which_another_error_was_made_is_one() -> None:
    done = subprocess.run([sys.executable, "-c", _SWALLOWED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (130, "interrupted")


def ended_at(
    name: str, who: str, moment: int, ending: str, filled: Filled, folder: Path, site: Path
) -> tuple[int, str]:
    """Run a command whose group is sent a signal at a moment; return its exit code and its messages."""
    (site / "sitecustomize.py").write_text(_AT_A_MOMENT, encoding="utf-8")
    environ = os.environ | {"ATHANOR_JOBS": "jobs.sqlite", "PYTHONPATH": str(site)}
    environ |= {"MOMENT": str(moment), "WHO": who, "SIGNAL": ending}
    done = subprocess.run(
        [sys.executable, "-m", "api.cli", *plain(name, filled.job)],
        cwd=folder,
        env=environ,
        input=LINES[name].stdin,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        start_new_session=True,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=str)
@pytest.mark.parametrize(("args", "begun"), [
    ("batch deal alchemy --deals 1000000 --jobs 1", "athanor-"),
    ("generate alchemy --count 1000 --jobs 2 --out {}", "pymp-"),
])  # fmt: skip
def test_a_command_that_is_ended_leaves_no_folder(args: str, begun: str, number: int, tmp_path: Path) -> None:
    """SIGHUP comes from a terminal that is closed."""
    command = [*ATHANOR, *args.format(tmp_path / "puzzles.toml").split()]
    with tempfile.TemporaryDirectory() as folder:  # whose name is short enough for a socket's
        environ = os.environ | {"TMPDIR": folder}
        with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            while not any(path.name.startswith(begun) for path in Path(folder).iterdir()):
                assert process.poll() is None
                time.sleep(0.05)
            process.send_signal(number)
            process.communicate()
        assert process.returncode == 128 + number
        assert not os.listdir(folder)
