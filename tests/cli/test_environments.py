"""Every command where other programs often fail: in a folder with any files, without a home, without input."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import NamedTuple

import pytest

from solver.common import user_folder
from tests.cli import every
from tests.cli.every import LINES

pytestmark = pytest.mark.slow

# A user who is not among the system's: in a namespace of its own, so that it may still read what we may read.
_NOBODY = ["unshare", "--user", "--map-user=54321", "--map-group=54321"]
_READY = "All games are ready."
_SERVE_SECONDS = 200.0  # from its start to its end, on however busy a machine


def test_every_command_has_a_line() -> None:
    assert sorted(LINES) == sorted(every.names())


class Filled(NamedTuple):
    """A folder with what the commands read, and the id of a job."""

    folder: Path
    job: str


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    folder = tmp_path_factory.mktemp("filled")
    return Filled(folder, every.fill(folder, os.environ | {"ATHANOR_JOBS": "jobs.sqlite"}))


@pytest.fixture
def folder(filled: Filled, tmp_path: Path) -> Path:
    """A copy of the files, which a command may change."""
    shutil.copytree(filled.folder, tmp_path, dirs_exist_ok=True)
    return tmp_path


def plain(name: str, job: str) -> list[str]:
    return [*name.split(), *(word.format(job=job) if "job" in word else word for word in LINES[name].words)]


def run(
    name: str, job: str, folder: Path, environ: Mapping[str, str], before: Sequence[str] = ()
) -> tuple[int, str, str]:
    """Run a command's line in a folder; return its exit code and what it writes. `serve` is ended once ready."""
    command = [*before, *every.ATHANOR, *plain(name, job)]
    if name != "serve":
        done = subprocess.run(
            command, cwd=folder, env=environ, input=LINES[name].stdin, capture_output=True, text=True, timeout=300
        )
        return done.returncode, done.stdout, done.stderr
    with subprocess.Popen(
        command, cwd=folder, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        late = threading.Timer(_SERVE_SECONDS, server.kill)
        late.start()
        said = ""
        while _READY not in said and (line := server.stderr.readline()):
            said += line
        server.send_signal(signal.SIGTERM)
        out, err = server.communicate()
        late.cancel()
    return server.returncode, out, said.replace(f"{_READY}\n", "") + err


@pytest.mark.parametrize("name", LINES)
def test_other_files_in_the_folder_are_not_run(name: str, filled: Filled, folder: Path) -> None:
    """Neither by a command nor by the processes that it starts, whatever modules the files are named after."""
    marker = folder / "run"
    for module in {*sys.stdlib_module_names, *packages_distributions(), "sitecustomize", "usercustomize"}:
        text = f"open({str(marker)!r}, 'a').write(__file__ + '\\n')\nraise SystemExit('another file was run')\n"
        (folder / f"{module}.py").write_text(text, encoding="utf-8")
    code, _, errors = run(name, filled.job, folder, os.environ | {"ATHANOR_JOBS": "jobs.sqlite"})
    assert (code, marker.exists()) == (0, False), (errors, marker.exists() and marker.read_text())


@pytest.mark.skipif(
    subprocess.run([*_NOBODY, "true"], capture_output=True, check=False).returncode != 0,
    reason="this system lets nobody make users",
)
@pytest.mark.parametrize("name", LINES)
def test_a_user_without_a_home(name: str, filled: Filled, folder: Path) -> None:
    """Only compiled kernels are given, so that nothing is compiled again."""
    environ = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(user_folder("cache").parent)}
    own = {"jobs": {"ATHANOR_JOBS": "jobs.sqlite"}, "decks": {"ATHANOR_DECKS": "decks"}}
    code, _, errors = run(name, filled.job, folder, environ | own.get(name.split()[0], {}), _NOBODY)
    assert code == 0, errors
    assert "Traceback" not in errors
