"""Tables are charged for as long as they are held, and refused, smaller, or let go where memory is scarce."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.errors import RequestError
from solver.search import memory
from solver.search.memory import MEGABYTE, Account, new_table

pytestmark = pytest.mark.small

ROOM = 1 << 40


def test_a_table_is_zeroed_writable_and_on_cache_lines() -> None:
    for dtype in (np.int64, np.uint16, np.float64):
        table = new_table([1 << 20], dtype, account=Account(ROOM))
        assert table.dtype == dtype
        assert len(table) == 1 << 20
        assert not table.any()
        assert table.ctypes.data % 64 == 0
        table[:] = 1


def test_it_is_charged_until_nobody_looks_at_it() -> None:
    found = Account(ROOM)
    table = new_table([1000], account=found)
    part = table[10:20]
    assert found.used == 8000
    del table
    assert found.used == 8000
    del part
    assert found.used == 0


def test_what_is_charged_is_never_more_than_the_limit() -> None:
    found = Account(10_000)
    held = [new_table([500, 100], account=found), new_table([500, 100], account=found)]
    assert found.used == 8000
    with pytest.raises(MemoryError, match="no memory is left"):
        new_table([1000, 500], account=found)
    assert [len(table) for table in held] == [500, 500]
    assert len(new_table([500, 100], account=found)) == 100


def test_the_least_of_a_table_may_be_more_than_a_part() -> None:
    found = Account(1000, searches=4)
    assert len(new_table([100, 50, 16], account=found)) == 16
    assert len(new_table([100], account=found)) == 100


def test_memory_that_the_system_refuses_makes_tables_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Account(ROOM)
    refusing(monkeypatch, most=1000)
    assert len(new_table([800, 400, 200, 100], account=found)) == 100
    with pytest.raises(MemoryError):
        new_table([800, 400], account=found)
    assert found.used == 0


def refusing(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Have the system refuse more than so many bytes at a time."""
    inner = mmap.mmap

    def refuse(number: int, size: int, **options: Any) -> mmap.mmap:
        if size > most:
            raise OSError(12, "Cannot allocate memory")
        return inner(number, size, **options)

    monkeypatch.setattr(mmap, "mmap", refuse)


def test_a_crowded_process_gets_the_least_only(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Account(ROOM)
    found.resident = 100 * MEGABYTE
    monkeypatch.setattr(memory, "resident", lambda: 99 * MEGABYTE)
    megabyte = MEGABYTE // 8
    assert len(new_table([2 * megabyte, megabyte, 10], account=found)) == megabyte
    monkeypatch.setattr(memory, "resident", lambda: 100 * MEGABYTE)
    assert len(new_table([2 * megabyte, megabyte, 10], account=found)) == 10


def test_what_the_process_has_in_memory_is_told() -> None:
    before = memory.resident()
    if before is None:
        pytest.skip("this system does not tell")
    size = 1 << 26
    with mmap.mmap(-1, size) as held:  # fresh pages, whatever the heap has left of others
        held.write(b"1" * size)
        after = memory.resident()
    assert after is not None
    assert after - before > 0.9 * size


def test_the_default_is_half_of_the_least_limit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    inner = tmp_path / "cgroup" / "outer" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "cgroup").write_text("0::/outer/inner\n")
    monkeypatch.setattr(memory, "_PROC", tmp_path / "self")
    monkeypatch.setattr(memory, "_GROUPS", tmp_path / "cgroup")
    (inner / "memory.max").write_text("max\n")
    whole = memory.available()
    assert whole is not None
    (inner.parent / "memory.max").write_text(f"{300 * MEGABYTE}\n")
    assert memory.available() == 300 * MEGABYTE
    memory.default_megabytes.cache_clear()
    assert memory.default_megabytes() == 150
    memory.default_megabytes.cache_clear()


def test_version_1_of_control_groups_is_read_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "memory" / "box").mkdir(parents=True)
    (tmp_path / "cgroup").write_text("5:cpu:/x\n4:memory:/box\n0::/\n")
    (tmp_path / "memory" / "box" / "memory.limit_in_bytes").write_text(f"{200 * MEGABYTE}\n")
    monkeypatch.setattr(memory, "_PROC", tmp_path)
    monkeypatch.setattr(memory, "_GROUPS", tmp_path)
    assert memory.available() == 200 * MEGABYTE


def test_the_limit_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATHANOR_MEMORY_MB", "700")
    assert Account().limit == 700 * MEGABYTE
    monkeypatch.delenv("ATHANOR_MEMORY_MB")
    assert memory.memory_megabytes() == memory.default_megabytes() <= 2048


@pytest.mark.parametrize("text", ["", "much", "15", "-1", "1.5", "²", "9" * 5000])
def test_a_limit_that_is_none(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("ATHANOR_MEMORY_MB", text)
    with pytest.raises(RequestError, match="ATHANOR_MEMORY_MB must be a number of MiB from 16"):
        memory.memory_megabytes()
