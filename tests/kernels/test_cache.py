"""The cache folder of compiled kernels: named by the sources, kept small, and never a reason to fail."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numba
import platformdirs
import pytest

import solver
from solver.kernels import jit

SOURCES = Path(solver.__file__).parent

PROGRAM = """
from solver.kernels import jit
from solver.kernels.bits import popcount

@jit.kernel
def ones(word):
    return popcount(word)

print(jit.CACHE_FOLDER)
print(ones(7))
"""
BEYOND = """
import numpy as np
from solver.kernels import jit

@jit.kernel
def fourth(array):
    return array[3]

try:
    fourth(np.zeros(2, np.int64))
except IndexError:
    print("refused")
else:
    print("unseen")
"""


def run(program: str, home: Path, **environment: str) -> list[str]:
    """The program's lines of output in a fresh process whose caches live under `home`."""
    script = home.parent / "program.py"
    script.write_text(program, encoding="utf-8")
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    folders = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "caches"), "TMPDIR": str(home.parent)}
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**inherited, **folders, "PYTHONPATH": str(SOURCES.parent), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def test_the_cache_is_in_the_users_folder_and_is_used_again(home: Path) -> None:
    folder, answer = run(PROGRAM, home)
    assert answer == "3"
    assert Path(folder).is_relative_to(home / "caches")
    compiled = {path: path.stat().st_mtime_ns for path in Path(folder).rglob("*.nbc")}
    assert compiled
    assert run(PROGRAM, home) == [folder, "3"]
    assert {path: path.stat().st_mtime_ns for path in Path(folder).rglob("*.nbc")} == compiled


def test_a_changed_source_gets_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "solver"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    here = jit._fingerprint()
    monkeypatch.setattr(jit, "_SOURCES", copy)
    assert jit._fingerprint() == here  # the same sources elsewhere
    changed = copy / "games" / "alchemy" / "lines.py"
    text = changed.read_text(encoding="utf-8")
    changed.write_text(text + "\n", encoding="utf-8")
    seen = {here, jit._fingerprint()}
    changed.write_text(text, encoding="utf-8")
    assert jit._fingerprint() == here
    (copy / "added.py").write_text("", encoding="utf-8")
    seen.add(jit._fingerprint())
    (copy / "added.py").rename(copy / "moved.py")
    seen.add(jit._fingerprint())
    assert len(seen) == 4


def test_bounds_checking_is_not_answered_from_the_unchecked_cache(home: Path) -> None:
    # Numba's own cache does not tell the two apart: a warm cache would make the switch do nothing.
    assert run(BEYOND, home) == ["unseen"]
    assert run(BEYOND, home, NUMBA_BOUNDSCHECK="1") == ["refused"]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which temporary folders are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_folder_that_cannot_be_made_is_replaced_by_a_temporary_one(
    home: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A file where the folder should be: not even the superuser can write below it.
    (home / "caches").write_text("in the way", encoding="utf-8")
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: str(home / "caches" / "athanor"))
    found = jit._cache_folder()
    assert found.is_relative_to(temporary)
    assert found.name == f"kernels-{jit._fingerprint()}"
    assert jit._cache_folder() == found  # found again, so that kernels are compiled once
    # And if somebody else's file lies there too, a folder that nobody can know of.
    shutil.rmtree(found.parent)
    found.parent.write_text("in the way", encoding="utf-8")
    last = jit._cache_folder()
    assert last.is_dir()
    assert last.is_relative_to(temporary)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="the superuser may write anywhere")
def test_a_read_only_home_is_replaced_by_a_temporary_folder(
    home: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.chmod(stat.S_IRUSR | stat.S_IXUSR)
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: str(home / "athanor"))
    assert jit._cache_folder().is_relative_to(temporary)


def test_folders_of_old_sources_are_dropped(tmp_path: Path) -> None:
    month = 31 * 24 * 3600
    for name, age in (
        ("kernels-now", 0),
        ("kernels-recent", month // 2),
        ("kernels-old", month),
        ("other", month),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "file").write_text("", encoding="utf-8")
        os.utime(folder, (time.time() - age,) * 2)
    os.utime(tmp_path / "kernels-now", (0, 0))  # used after a long time: touched, not dropped
    jit._drop_stale(tmp_path, tmp_path / "kernels-now")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kernels-now", "kernels-recent", "other"]
    assert time.time() - (tmp_path / "kernels-now").stat().st_mtime < 60


def test_kernels_are_cached_and_release_the_gil() -> None:
    if numba.config.DISABLE_JIT:
        pytest.skip("nothing is compiled")

    def twice(number: int) -> int:
        return 2 * number

    compiled = jit.kernel(twice)
    assert compiled.targetoptions["nogil"]  # type: ignore[attr-defined]
    assert compiled(21) == 42
