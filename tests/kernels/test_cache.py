"""The files of compiled kernels: mended when damaged, private, never a reason to fail; and those of a wheel."""

from __future__ import annotations

import errno
import json
import os
import pickle
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import platformdirs
import pytest

from solver.kernels import cache, machine
from solver.kernels.jit import kernel
from solver.kernels.machine import Target

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

HIT, MISS = (1, 0), (0, 1)


def twice(word: Any) -> Any:
    return word + word


def ask(word: Any = 5) -> tuple[Any, tuple[int, int]]:
    """The kernel's answer and its hits and misses, as in a new process: nothing is compiled yet."""
    cache._used.cache_clear()
    compiled: Any = kernel(twice)
    answer = compiled(word)
    return answer, (compiled.loads, compiled.compiles)


class Places:
    """A user's cache and a temporary folder, in a folder of the test."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.user = home / "caches" / "kernels"
        self.temporary = home / "temporary"
        self.roots = (self.user, self.temporary)

    def files(self) -> list[Path]:
        return sorted(path for path in self.home.rglob("*") if path.is_file())


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """Caches of the test's own."""
    made = Places(tmp_path)
    monkeypatch.setattr(cache, "roots", lambda: made.roots)
    return made


MONTH = 31 * 24 * 3600


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, int], None]:
    """Let writing below a folder fail with an error number; a superuser has no read-only folders."""

    def refuse(folder: Path, number: int) -> None:
        opened = Path.open

        def checked(path: Path, mode: str = "r", *more: Any) -> Any:
            if "w" in mode and path.is_relative_to(folder):
                raise OSError(number, os.strerror(number))
            return opened(path, mode, *more)

        monkeypatch.setattr(Path, "open", checked)

    return refuse


def test_what_was_compiled_is_found_again(places: Places) -> None:
    assert ask() == (10, MISS)
    kept = {path: path.stat().st_mtime_ns for path in places.files()}
    assert kept
    assert all(path.is_relative_to(places.user) for path in kept)
    assert ask() == (10, HIT)
    assert {path: path.stat().st_mtime_ns for path in places.files()} == kept


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content[: len(content) // 2],
        lambda content: b"",
        lambda content: bytes(len(content)),
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        lambda content: pickle.dumps((None, 3)),
    ],
    ids=["truncated", "empty", "garbage", "one bit", "foreign"],
)
def test_a_damaged_file_is_mended(places: Places, change: Callable[[bytes], bytes]) -> None:
    ask()
    [path] = places.files()
    path.write_bytes(change(path.read_bytes()))
    assert ask() == (10, MISS)
    assert ask() == (10, HIT)


def test_a_file_that_cannot_be_read_counts_as_absent(places: Places) -> None:
    ask()
    [path] = places.files()
    path.unlink()
    path.mkdir()
    assert ask() == (10, MISS)


def test_a_file_under_anothers_name_counts_as_absent(places: Places) -> None:
    ask()
    [whole] = places.files()
    ask(5.5)
    [other] = set(places.files()) - {whole}
    shutil.copy(other, whole)
    assert ask() == (10, MISS)
    assert ask() == (10, HIT)
    assert ask(5.5) == (11.0, HIT)


def test_compiling_anew_forgets_what_was_kept(places: Places) -> None:
    ask()
    compiled: Any = kernel(twice)
    compiled.forget()
    assert not places.files()


@pytest.mark.parametrize("name", ["caches", "caches/kernels"])
def test_where_the_users_folder_cannot_be_made_kernels_are_kept_in_a_temporary_one(
    places: Places, name: str
) -> None:
    # A file where the folder should be: not even the superuser can write below it.
    (places.home / name).parent.mkdir(exist_ok=True)
    (places.home / name).write_text("in the way", encoding="utf-8")
    assert ask() == (10, MISS)
    assert ask() == (10, HIT)
    assert [path for path in places.files() if path.is_relative_to(places.temporary)]
    assert places.temporary.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EDQUOT])
def test_a_read_only_cache_is_read_and_added_to_elsewhere(
    places: Places, refuse: Callable[[Path, int], None], number: int
) -> None:
    ask()
    refuse(places.user, number)
    assert ask() == (10, HIT)
    assert ask(5.5) == (11.0, MISS)
    assert ask(5.5) == (11.0, HIT)
    assert len([path for path in places.files() if path.is_relative_to(places.temporary)]) == 1


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="the superuser may write anywhere")
def test_folders_without_the_right_to_write_are_read(places: Places) -> None:
    ask()
    folders = [places.user, *(path for path in places.user.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o500)
    try:
        assert ask() == (10, HIT)
        assert ask(5.5) == (11.0, MISS)
        assert ask(5.5) == (11.0, HIT)
    finally:
        for folder in folders:
            folder.chmod(0o700)


def test_a_full_disk_costs_time_alone(places: Places, refuse: Callable[[Path, int], None]) -> None:
    refuse(places.home, errno.ENOSPC)
    assert ask() == (10, MISS)
    assert ask() == (10, MISS)
    assert not places.files()


def test_a_disk_that_fills_up_leaves_no_draft(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_path: Path, _target: Path) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        assert ask() == (10, MISS)
    assert not places.files()
    assert ask() == (10, MISS)
    assert ask() == (10, HIT)


def test_without_any_folder_kernels_are_compiled(places: Places) -> None:
    (places.home / "caches").write_text("in the way", encoding="utf-8")
    places.temporary.mkdir()
    places.temporary.chmod(0o777)
    assert ask() == (10, MISS)
    assert ask() == (10, MISS)
    places.roots = ()  # type: ignore[assignment]
    assert ask() == (10, MISS)


def test_a_shared_temporary_folder_is_not_read(places: Places) -> None:
    (places.home / "caches").write_text("in the way", encoding="utf-8")
    ask()
    assert ask() == (10, HIT)
    places.temporary.chmod(0o777)
    assert ask() == (10, MISS)


def test_a_folder_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    root = tmp_path / "athanor"
    assert not cache.readable(root)
    assert cache.writable(root)
    assert cache.readable(root)
    assert root.stat().st_mode & 0o777 == 0o700
    for mode in (0o720, 0o702, 0o777):
        root.chmod(mode)
        assert not cache.readable(root)
        assert not cache.writable(root)


def test_a_link_is_not_a_folder_of_kernels(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    link = tmp_path / "athanor"
    link.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert not cache.readable(link)
    assert not cache.writable(link)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only the superuser gives files away")
@pytest.mark.parametrize("taken", ["the user's folder", "a file"])
def test_what_another_user_planted_is_not_loaded(places: Places, taken: str) -> None:
    """A pickle under the right name, with the right hash, that would write a file when it is loaded."""
    ask()
    [path] = places.files()
    mark = places.home / "ran"
    cache._write(path, pickle.dumps(Planted(mark)))
    os.chown(path, 65534, 65534)
    if taken == "the user's folder":
        os.chown(path, 0, 0)
        os.chown(places.user, 65534, 65534)
    assert ask() == (10, MISS)
    assert not mark.exists()
    os.chown(path, 0, 0)
    os.chown(places.user, 0, 0)
    cache._write(path, pickle.dumps(Planted(mark)))
    ask()
    assert mark.exists()  # it was a real one


class Planted:
    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


def test_a_file_that_others_can_write_is_not_loaded(places: Places) -> None:
    ask()
    [path] = places.files()
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o622)
    assert ask() == (10, MISS)
    assert ask() == (10, HIT)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owner")
def test_somebody_elses_folder_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache.writable(tmp_path)
    about = os.stat_result((0o40700, 0, 0, 0, 12345, 0, 0, 0, 0, 0))
    monkeypatch.setattr(Path, "lstat", lambda _path: about)
    assert not cache.readable(tmp_path)
    assert not cache.writable(tmp_path)


def test_the_users_cache_comes_before_the_temporary_folder() -> None:
    user, temporary = cache.roots()
    assert user.is_relative_to(platformdirs.user_cache_dir("athanor", appauthor=False))
    assert temporary.is_relative_to(tempfile.gettempdir())


def test_there_may_be_no_temporary_folder_and_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> str:
        raise FileNotFoundError("no usable temporary folder")

    monkeypatch.setattr(tempfile, "gettempdir", nowhere)

    def homeless(*_: object, **__: object) -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(platformdirs, "user_cache_path", homeless)
    assert cache.roots.__wrapped__() == (Path("/.cache/athanor/kernels"),)


def test_folders_that_nobody_uses_are_dropped_after_a_month(tmp_path: Path) -> None:
    for name, age in (("now", 0), ("recent", MONTH // 2), ("old", MONTH)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "file").write_text("", encoding="utf-8")
        os.utime(folder, (time.time() - age,) * 2)
    cache.drop_stale(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["now", "recent"]


def test_a_folder_that_another_process_drops_is_no_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "old").mkdir()
    os.utime(tmp_path / "old", (0, 0))

    def dropped(_path: Path) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(shutil, "rmtree", dropped)
    cache.drop_stale(tmp_path)


def test_keeping_a_kernel_drops_the_stale_ones_and_use_keeps_one(places: Places) -> None:
    stale = places.user / "some.module.kernel-0123.nbc"
    stale.parent.mkdir(mode=0o700, parents=True)
    stale.touch()
    os.utime(stale, (0, 0))
    ask()
    [used] = places.files()
    assert used != stale
    os.utime(used, (0, 0))
    assert ask() == (10, HIT)
    assert time.time() - used.stat().st_mtime < 60


# ----------------------------------------------------------------------------------------------------
# Compiled kernels that came with a wheel: found where the processor can run them, else passed over.


LEVEL = "x86-64-v3"


class Wheel:
    """A folder of shipped kernels, and the one kernel in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def note(self, target: Target) -> None:
        """Say what the kernels are compiled for."""
        (self.folder / machine.NOTE).write_text(json.dumps(target._asdict()), encoding="utf-8")
        machine.shipped_target.cache_clear()

    @property
    def kernel(self) -> Path:
        [path] = self.folder.rglob("*.nbc")
        return path

    def relabel(self, target: Target) -> None:
        """Have the kernel compiled for another target, in name."""
        content = self.kernel.read_bytes()[cache._DIGEST :]
        (stamp, kinds, _), data = pickle.loads(content)
        files = kernel(twice)._files  # type: ignore[attr-defined]
        self.kernel.rename(self.kernel.with_name(files._name((kinds, tuple(target)))))
        cache._write(self.kernel, pickle.dumps(((stamp, kinds, tuple(target)), data)))
        self.note(target)


@pytest.fixture
def wheel(places: Places, monkeypatch: pytest.MonkeyPatch) -> Wheel:
    """What is compiled is shipped, and the caches are empty again."""
    made = Wheel(places.home / "shipped")
    here = Target(llvm.get_process_triple(), "this-one", "")  # a level is not what this process compiles for
    monkeypatch.setattr(machine, "own_target", lambda: here)
    monkeypatch.setattr(machine, "SHIPPED", made.folder)
    monkeypatch.setattr(machine, "CPU_NAME", None)  # as for a user; what is already compiled for is settled
    ask()
    shutil.move(places.user, made.folder)
    made.note(machine.own_target())
    return made


def test_what_is_shipped_is_not_compiled(wheel: Wheel, places: Places) -> None:
    assert ask() == (10, HIT)
    assert not places.user.exists()  # nor copied
    assert ask(5.5) == (11.0, MISS)
    assert ask(5.5) == (11.0, HIT)


def test_what_is_for_a_level_runs_on_every_processor_that_reaches_it(
    wheel: Wheel, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel.relabel(Target(machine.own_target().triple, LEVEL, ""))
    needed = machine._LEVELS[LEVEL]
    monkeypatch.setattr(machine, "_host_features", lambda: needed | {"avx512f"})
    assert ask() == (10, HIT)
    monkeypatch.setattr(machine, "_host_features", lambda: needed - {"bmi2"})
    assert ask() == (10, MISS)


@pytest.mark.parametrize(
    "change",
    [{"triple": "riscv64-unknown-linux-gnu"}, {"cpu": "x86-64-v9"}, {"features": "+avx512f"}],
    ids=["system", "level", "features"],
)
def test_what_is_for_others_is_compiled(
    wheel: Wheel, change: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_host_features", lambda: machine._LEVELS[LEVEL])
    wheel.relabel(Target(machine.own_target().triple, LEVEL, "")._replace(**change))
    assert ask() == (10, MISS)


def test_who_names_a_processor_gets_code_for_that_one(wheel: Wheel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_host_features", lambda: machine._LEVELS[LEVEL])
    wheel.relabel(Target(machine.own_target().triple, LEVEL, ""))
    monkeypatch.setattr(machine, "CPU_NAME", "x86-64-v2")
    assert ask() == (10, MISS)


def test_what_is_for_other_sources_or_another_compiler_is_passed_over(wheel: Wheel) -> None:
    wheel.kernel.rename(wheel.kernel.with_name("tests.kernels.test_cache.twice-0123456789.nbc"))
    assert ask() == (10, MISS)


def test_a_damaged_kernel_is_passed_over(wheel: Wheel, places: Places) -> None:
    content = wheel.kernel.read_bytes()
    wheel.kernel.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert ask() == (10, MISS)
    assert [path.is_relative_to(places.user) for path in places.files() if path.suffix == ".nbc"].count(True) == 1
    assert ask() == (10, HIT)


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"cpu": "x86-64-v3"}'])
def test_a_damaged_note_is_passed_over(wheel: Wheel, text: str | None) -> None:
    note = wheel.folder / machine.NOTE
    if text is None:
        note.unlink()
    else:
        note.write_text(text, encoding="utf-8")
    machine.shipped_target.cache_clear()
    assert ask() == (10, MISS)


def test_a_machine_of_which_nothing_is_known_reaches_no_level(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> Any:
        raise RuntimeError("cannot tell")

    monkeypatch.setattr(llvm, "get_host_cpu_features", unknown)
    assert machine._host_features.__wrapped__() == frozenset()
