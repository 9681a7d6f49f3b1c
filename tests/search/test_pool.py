"""Provers are lent to one analysis at a time, reused, and made anew when their size is another."""

from __future__ import annotations

import threading

import pytest

from solver.search.pool import DEFAULT_MEGABYTES, Pool, table_megabytes

pytestmark = pytest.mark.small


def numbered() -> tuple[Pool[list[int]], list[int]]:
    made: list[int] = []

    def make(megabytes: int) -> list[int]:
        made.append(megabytes)
        return [len(made)]

    return Pool(make), made


def test_one_after_the_other_is_the_same() -> None:
    pool, made = numbered()
    for _ in range(3):
        with pool.lend() as prover:
            assert prover == [1]
    assert len(made) == 1


def test_nobody_gets_what_another_has() -> None:
    pool, made = numbered()
    with pool.lend() as one, pool.lend() as two:
        assert one != two
    with pool.lend() as again:
        assert again in (one, two)
    assert len(made) == 2


def test_it_comes_back_after_an_error() -> None:
    pool, made = numbered()
    with pytest.raises(KeyError), pool.lend():
        raise KeyError
    with pool.lend():
        pass
    assert len(made) == 1


def test_another_size_makes_others(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, made = numbered()
    monkeypatch.setenv("ATHANOR_TABLE_MB", "3")
    with pool.lend() as old:
        monkeypatch.setenv("ATHANOR_TABLE_MB", "4")
        with pool.lend() as new:
            assert new != old
    with pool.lend() as kept:
        assert kept == new
    assert made == [3, 4]
    pool.clear()
    with pool.lend() as fresh:
        assert fresh == [3]


@pytest.mark.parametrize(("text", "size"), [("", DEFAULT_MEGABYTES), ("0", 1), ("1000000", 65536), ("x", 256)])
def test_the_size_that_is_set(monkeypatch: pytest.MonkeyPatch, text: str, size: int) -> None:
    monkeypatch.setenv("ATHANOR_TABLE_MB", text)
    assert table_megabytes() == size


def test_there_are_never_more_than_threads() -> None:
    pool, made = numbered()
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
    assert 1 <= len(made) <= 4
