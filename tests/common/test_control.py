"""The loop that drives every search: slices, deadline, node limit, cancel, progress."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, pairwise

import numpy as np
import pytest
from pydantic import ValidationError

from solver import limits
from solver.kernels.jit import kernel
from solver.kernels.words import popcount, trailing_zeros, wrapping_product, wrapping_sum
from solver.limits import SLICE_SECONDS, Bounded, Control, Growth, Limit, Part, Progress, once
from tests.support.timing import LATE


class Work:
    """A search of so many nodes that does each slice exactly, at a speed of so many nodes a second."""

    def __init__(self, nodes: int, speed: float = 1e6) -> None:
        self.left = nodes
        self.speed = speed
        self.budgets: list[int] = []

    def step(self, budget: int) -> tuple[bool, int]:
        self.budgets.append(budget)
        done = min(budget, self.left)
        self.left -= done
        if self.speed < 1e9:
            time.sleep(done / self.speed)
        return self.left == 0, done


@pytest.mark.parametrize("limit", [1, 499, 500, 501, 12_345, 99_999])
def test_the_node_limit_is_kept_exactly(limit: int) -> None:
    work = Work(100_000, speed=1e10)
    control = Control(Limit(nodes=limit))
    assert not control.drive(work.step)
    assert control.nodes == limit == sum(work.budgets)
    assert control.nodes_left() == 0
    assert control.stopped()
    # Nothing more is begun.
    assert not control.drive(work.step)
    assert control.nodes == limit


def test_a_search_that_ends_at_its_limit_is_finished() -> None:
    work = Work(100_000, speed=1e10)
    control = Control(Limit(nodes=100_000))
    assert control.drive(work.step)
    assert control.nodes == 100_000


def test_parts_of_the_work_share_the_limit() -> None:
    control = Control(Limit(nodes=1000))
    assert not control.drive(Work(5000, 1e10).step, node_share=300)
    assert control.nodes == 300
    assert control.drive(Work(200, 1e10).step, node_share=200)
    assert not control.drive(Work(5000, 1e10).step)
    assert control.nodes == 1000
    assert not control.drive(Work(1, 1e10).step, node_share=0)


def test_a_deadline_is_kept() -> None:
    for seconds in (0.001, 0.03):
        begin = time.monotonic()
        control = Control(Limit(seconds=seconds))
        assert not control.drive(Work(10**9, speed=1e6).step)
        assert seconds <= time.monotonic() - begin < seconds + LATE
        left = control.seconds_left()
        assert left is not None
        assert left <= 0
        assert control.stopped()
    begin = time.monotonic()
    control = Control()
    assert not control.drive(Work(10**9, speed=1e6).step, until=begin + 0.01)
    assert time.monotonic() - begin < LATE
    assert not control.stopped()  # only that part of the work was ended


def test_slices_fit_the_speed() -> None:
    work = Work(300_000, speed=1e6)
    assert Control().drive(work.step)
    assert work.budgets[0] == 500  # small, so that a deadline of a millisecond is kept
    assert all(second <= 2 * first for first, second in pairwise(work.budgets))
    assert max(work.budgets) <= 1.5 * 1e6 * SLICE_SECONDS
    slow = Work(200, speed=5e3)
    assert Control().drive(slow.step)
    assert min(slow.budgets) >= 1
    # One node takes longer than a slice: still one at a time.
    crawling = Work(3, speed=30.0)
    control = Control(Limit(nodes=2))
    assert not control.drive(crawling.step)
    assert crawling.budgets == [2]


def seconds_to_cancel() -> float:
    """From another thread's cancel to the end of a search that runs in slices."""
    cancel = threading.Event()
    control = Control(cancel=cancel)
    moments: list[float] = []

    def soon() -> None:
        time.sleep(0.05)
        moments.append(time.monotonic())
        cancel.set()

    thread = threading.Thread(target=soon)
    thread.start()
    assert not control.drive(Work(10**9, speed=1e6).step)
    taken = time.monotonic() - moments[0]
    thread.join()
    assert control.cancelled()
    assert control.stopped()
    return taken


def test_a_cancel_from_another_thread_takes_effect_at_once() -> None:
    # The best of three: a loaded machine may stop either thread for a while.
    assert min(seconds_to_cancel() for _ in range(3)) < 0.5


def test_a_flag_is_not_looked_at_when_the_time_is_up() -> None:
    looked: list[bool] = []

    class Slow(threading.Event):
        def is_set(self) -> bool:
            looked.append(True)
            return super().is_set()

    control = Control(Limit(seconds=1e-9), Slow())
    assert not control.drive(Work(5).step)
    assert control.late()
    assert not looked


def test_nothing_is_begun_after_a_cancel() -> None:
    cancel = threading.Event()
    cancel.set()
    work = Work(10, 1e10)
    assert not Control(cancel=cancel).drive(work.step)
    assert work.budgets == []


def test_progress_is_reported_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Progress] = []
    control = Control(progress=seen.append)
    work = Work(350_000, speed=1e6)
    assert control.drive(work.step, stage="digging", done=lambda: 1 - work.left / 350_000)
    assert 1 <= len(seen) <= 1 + control.seconds / 0.1
    assert all(second.seconds - first.seconds >= 0.09 for first, second in pairwise(seen))
    assert all(0 < (step.done or 0) <= 1 and step.stage == "digging" for step in seen)
    assert [step.nodes for step in seen] == sorted(step.nodes for step in seen)
    before = len(seen)
    at_once(monkeypatch)
    control.report(0.5, "extra")
    assert len(seen) == before + 1
    Control().report(0.5, "nobody listens")


def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every report come through."""
    for name in ("_PROGRESS_SECONDS", "_FIRST_PROGRESS_SECONDS"):
        monkeypatch.setattr(limits, name, 0.0)


def test_the_first_report_comes_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    seen: list[Progress] = []
    control = Control(progress=seen.append)
    moves = iter(["D1", "D2", "D3"])

    def step(_: int) -> tuple[bool, int]:
        clock[0] += 1 / 32
        return clock[0] > 100.3, 1

    assert control.drive(step, best=lambda: next(moves))
    assert [(one.seconds, one.best) for one in seen] == [(1 / 32, "D1"), (5 / 32, "D2"), (9 / 32, "D3")]


def test_without_a_limit_nothing_stops() -> None:
    control = Control()
    assert control.seconds_left() is None
    assert control.nodes_left() is None
    assert not control.stopped()
    assert control.drive(Work(5_000_000, 1e10).step)
    assert control.seconds > 0


@pytest.mark.parametrize(
    "wrong",
    [{"seconds": 0}, {"seconds": -1.0}, {"seconds": float("inf")}, {"nodes": 0}, {"nodes": 1.5}, {"nodes": 2**53}],
)
def test_limits_out_of_range(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        Limit(**wrong)


@kernel
def _counted(word: int) -> tuple[int, int]:
    return popcount(word), trailing_zeros(word)


@kernel
def _wrapped(first: int, second: int) -> tuple[np.int64, np.int64]:
    return wrapping_sum(first, second), wrapping_product(first, second)


@pytest.mark.small
def test_bits() -> None:
    for word in (0, 1, 2, 3, 0b1011000, 2**62, 2**63 - 1, 2**52 - 1):
        ones, zeros = _counted(word)
        assert ones == word.bit_count()
        assert zeros == (64 if word == 0 else (word & -word).bit_length() - 1)


@pytest.mark.small
def test_wrapping() -> None:
    top = 2**63 - 1
    for first, second in ((top, 1), (-top - 1, -1), (top, top), (-top - 1, -top - 1), (3, -4), (2**40, 2**40 + 1)):
        total, product = _wrapped(first, second)
        assert int(total) == (first + second + 2**63) % 2**64 - 2**63
        assert int(product) == (first * second + 2**63) % 2**64 - 2**63


def test_reports_say_what_is_proved_while_that_is_told_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once(monkeypatch)
    found: list[Progress] = []
    control = Control(progress=found.append)
    proved = [Bounded("D6", (1, 4))]
    with control.telling(lambda: proved):
        control.report()
        proved = [Bounded("D6", (2, 2))]
        with control.part(nodes=5) as part:
            part.report()
    control.report()
    assert [one.moves for one in found] == [(Bounded("D6", (1, 4)),), (Bounded("D6", (2, 2)),), None]


# ----------------------------------------------------------------------------------------------------
# Parts of a limit, and budgets that grow.


@pytest.mark.small
def test_a_share_of_the_nodes() -> None:
    control = Control(Limit(nodes=1000))
    control.nodes = 200
    part = Part(control, 0.5)
    assert (part.nodes(), part.nodes(30), part.over()) == (400, 30, False)
    control.nodes = 500
    assert (part.nodes(), part.nodes(300)) == (100, 100)
    control.nodes = 700
    assert (part.nodes(), part.over()) == (0, True)


@pytest.mark.small
def test_without_a_limit_it_never_ends() -> None:
    part = Part(Control())
    assert (part.until, part.nodes(), part.nodes(7), part.over()) == (None, None, 7, False)
    assert list(part.rounds(Growth(10, 4))) == [None]


@pytest.mark.small
def test_rounds_grow_until_the_part_is_over() -> None:
    assert list(islice(Growth(10, 4).rounds(), 4)) == [10, 40, 160, 640]
    control = Control(Limit(nodes=100))
    found = []
    for nodes in Part(control).rounds(Growth(10, 4)):
        found.append(nodes)
        control.nodes += nodes or 0
    assert found == [10, 40, 160]


@pytest.mark.small
def test_a_share_of_the_time() -> None:
    part = Part(Control(Limit(seconds=1e-9)), 0.5)
    assert part.until is not None
    assert part.over()


# ----------------------------------------------------------------------------------------------------
# What threads make once for all of them.


def test_threads_that_ask_at_once_get_the_same_thing() -> None:
    together = threading.Barrier(4, timeout=60)

    @once
    def made() -> object:
        time.sleep(0.02)  # long enough for the others to ask meanwhile
        return object()

    def ask(_number: int) -> object:
        together.wait()
        return made()

    with ThreadPoolExecutor(4) as executor:
        assert len(set(executor.map(ask, range(4)))) == 1
