"""Tables are charged for as long as they are held, and refused, smaller, or let go where memory is scarce."""

from __future__ import annotations

import mmap
import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.errors import RequestError
from solver.kernels.words import Words
from solver.search import memory
from solver.search.memory import (
    MEGABYTE,
    TABLE_MEGABYTES,
    IdleProvers,
    Pool,
    TableBudget,
    new_table,
    table_megabytes,
)

pytestmark = pytest.mark.small

ROOM = 1 << 40


def test_a_table_is_zeroed_writable_and_on_cache_lines() -> None:
    for dtype in (np.int64, np.uint16, np.float64):
        table = new_table([1 << 20], dtype, budget=TableBudget(ROOM))
        assert table.dtype == dtype
        assert len(table) == 1 << 20
        assert not table.any()
        assert table.ctypes.data % 64 == 0
        table[:] = 1


def test_it_is_charged_until_nobody_looks_at_it() -> None:
    found = TableBudget(ROOM)
    table = new_table([1000], budget=found)
    part = table[10:20]
    assert found.used == 8000
    del table
    assert found.used == 8000
    del part
    assert found.used == 0


def test_what_is_charged_is_never_more_than_the_limit() -> None:
    found = TableBudget(10_000)
    held = [new_table([500, 100], budget=found), new_table([500, 100], budget=found)]
    assert found.used == 8000
    with pytest.raises(MemoryError, match="no memory is left"):
        new_table([1000, 500], budget=found)
    assert [len(table) for table in held] == [500, 500]
    assert len(new_table([500, 100], budget=found)) == 100


def test_the_least_of_a_table_may_be_more_than_a_part() -> None:
    found = TableBudget(1000, searches=4)
    assert len(new_table([100, 50, 16], budget=found)) == 16
    assert len(new_table([100], budget=found)) == 100


def test_memory_that_the_system_refuses_makes_tables_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    found = TableBudget(ROOM)
    refusing(monkeypatch, most=1000)
    assert len(new_table([800, 400, 200, 100], budget=found)) == 100
    with pytest.raises(MemoryError):
        new_table([800, 400], budget=found)
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
    found = TableBudget(ROOM)
    found.resident = 100 * MEGABYTE
    monkeypatch.setattr(memory, "resident", lambda: 99 * MEGABYTE)
    megabyte = MEGABYTE // 8
    assert len(new_table([2 * megabyte, megabyte, 10], budget=found)) == megabyte
    monkeypatch.setattr(memory, "resident", lambda: 100 * MEGABYTE)
    assert len(new_table([2 * megabyte, megabyte, 10], budget=found)) == 10


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
    (inner.parent / "memory.max").write_text("max\n")
    monkeypatch.setattr(memory, "available", lambda: 1 << 40)
    for cores, megabytes in ((1, 2048), (5, 2048), (16, 17 * 320), (64, 65 * 320)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        memory.default_megabytes.cache_clear()
        assert memory.default_megabytes() == megabytes
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
    assert TableBudget().limit == 700 * MEGABYTE
    monkeypatch.delenv("ATHANOR_MEMORY_MB")
    assert memory.memory_megabytes() == memory.default_megabytes()


@pytest.mark.parametrize("text", ["", "much", "15", "-1", "1.5", "²", "9" * 5000])
def test_a_limit_that_is_none(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("ATHANOR_MEMORY_MB", text)
    with pytest.raises(RequestError, match="ATHANOR_MEMORY_MB must be a number of MiB from 16"):
        memory.memory_megabytes()


# ----------------------------------------------------------------------------------------------------
# Provers are lent to one analysis at a time, kept for the next one, and let go when idle.


class Numbered:
    """A prover with a number, whose table is as large as is wanted, or a half, … of it, but one MiB at least."""

    def __init__(self, number: int, megabytes: int, budget: TableBudget) -> None:
        self.number = number
        sizes = [megabytes * MEGABYTE >> part for part in range(megabytes.bit_length())]
        self.table: Words = new_table([size // 8 for size in sizes], budget=budget)


class Bench:
    """Pools with their idle provers together, and the sizes of the provers that were made."""

    def __init__(self, limit: int = ROOM, searches: int = 1) -> None:
        self.budget = TableBudget(limit, searches)
        self.idle = IdleProvers(self.budget)
        self.made: list[int] = []

    def pool(self, most: int | None = None) -> Pool[Numbered]:
        def make(megabytes: int) -> Numbered:
            prover = Numbered(len(self.made) + 1, megabytes, self.budget)
            self.made.append(prover.table.nbytes // MEGABYTE)
            return prover

        return Pool(make, most=most, idle=self.idle)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATHANOR_TABLE_MB", "4")


@pytest.mark.usefixtures("small")
def test_one_after_the_other_is_the_same() -> None:
    bench = Bench()
    pool = bench.pool()
    for _ in range(3):
        with pool.lend() as prover:
            assert prover.number == 1
    assert bench.made == [4]


@pytest.mark.usefixtures("small")
def test_nobody_gets_what_another_has() -> None:
    bench = Bench()
    pool = bench.pool()
    with pool.lend() as one, pool.lend() as two:
        assert one is not two
    with pool.lend() as again:
        assert again in (one, two)
    with bench.pool().lend() as stranger:
        assert stranger.number == 3


@pytest.mark.usefixtures("small")
def test_it_comes_back_after_an_error() -> None:
    bench = Bench()
    pool = bench.pool()
    with pytest.raises(KeyError), pool.lend():
        raise KeyError
    with pool.lend():
        pass
    assert len(bench.made) == 1


def test_another_size_makes_others(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    pool = bench.pool()
    monkeypatch.setenv("ATHANOR_TABLE_MB", "3")
    with pool.lend() as old:
        monkeypatch.setenv("ATHANOR_TABLE_MB", "4")
        with pool.lend() as new:
            assert new is not old
    with pool.lend() as kept:
        assert kept is new
    assert bench.made == [3, 4]
    pool.clear()
    with pool.lend() as fresh:
        assert fresh.number == 3


def test_a_pool_may_want_small_tables_only() -> None:
    bench = Bench()
    with bench.pool(most=2).lend():
        pass
    assert bench.made == [2]


def test_a_short_search_gets_a_small_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATHANOR_TABLE_MB", "256")
    bench = Bench()
    pool = bench.pool()
    for seconds in (-1, 0.001, 0.02, 0.05, 0.06, 1, 1.9, 2, 60, 1e300, None):
        with pool.lend(seconds):
            pass
    assert bench.made == [1, 2, 4, 128, 256]  # the others were there already


@pytest.mark.parametrize(("text", "size"), [(None, TABLE_MEGABYTES), ("1", 1), ("65536", 65536)])
def test_the_size_that_is_set(monkeypatch: pytest.MonkeyPatch, text: str | None, size: int) -> None:
    monkeypatch.delenv("ATHANOR_TABLE_MB", raising=False)
    if text is not None:
        monkeypatch.setenv("ATHANOR_TABLE_MB", text)
    assert table_megabytes() == size


@pytest.mark.parametrize("text", ["", "x", "0", "65537", "-1", "1.5", "²", "9" * 5000])
def test_a_size_that_is_none(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("ATHANOR_TABLE_MB", text)
    with pytest.raises(RequestError, match="ATHANOR_TABLE_MB must be a number of MiB from 1 to 65536"):
        table_megabytes()


@pytest.mark.usefixtures("small")
def test_there_are_never_more_than_threads() -> None:
    bench = Bench()
    pool = bench.pool()
    begin = threading.Barrier(4)

    def work() -> None:
        begin.wait()
        for _ in range(200):
            with pool.lend():
                pass

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 <= len(bench.made) <= 4
    assert bench.budget.used == 4 * MEGABYTE * len(bench.made)


@pytest.mark.usefixtures("small")
def test_what_another_needs_is_taken_from_those_who_are_idle_longest() -> None:
    bench = Bench(12 * MEGABYTE)
    pools = [bench.pool() for _ in range(4)]
    for pool in pools:
        with pool.lend():
            assert bench.budget.used <= 12 * MEGABYTE
    for pool, number in zip(pools[1:], (2, 3, 4), strict=True):
        with pool.lend() as prover:
            assert prover.number == number
    with pools[0].lend() as prover:
        assert prover.number == 5
    assert bench.made == [4] * 5


@pytest.mark.usefixtures("small")
def test_a_table_is_smaller_while_others_hold_the_memory_and_whole_again_afterwards() -> None:
    bench = Bench(9 * MEGABYTE)
    pool = bench.pool()
    with pool.lend(), pool.lend(), pool.lend():
        assert bench.made == [4, 4, 1]
        with pytest.raises(MemoryError, match="no memory is left for a table of 1 MiB"), pool.lend():
            pass
    for _ in range(2):
        with pool.lend() as one, pool.lend() as two:
            assert one.table.nbytes == two.table.nbytes == 4 * MEGABYTE
    assert bench.made == [4, 4, 1]


@pytest.mark.usefixtures("small")
def test_as_many_as_are_expected_at_once_share_evenly() -> None:
    bench = Bench(16 * MEGABYTE, searches=4)
    pool = bench.pool()
    with pool.lend(), pool.lend(), pool.lend(), pool.lend():
        assert bench.made == [2] * 4
    with pool.lend() as prover:
        assert prover.number in range(1, 5)


@pytest.mark.usefixtures("small")
def test_the_idle_are_let_go_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    pool = bench.pool()
    with pool.lend():
        pass
    bench.idle.drop(idle_for=3600)
    assert bench.budget.used == 4 * MEGABYTE
    monkeypatch.setattr("solver.search.memory.IDLE_SECONDS", 0.0)
    with bench.pool().lend(), pool.lend() as fresh:
        assert fresh.number > 1
    del fresh
    bench.idle.drop()
    assert bench.budget.used == 0
