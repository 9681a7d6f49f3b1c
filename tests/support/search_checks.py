"""What every game's search is held to: slices, what was asked before, threads and limits change no value."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from solver.answers import Analysis, Hint
from solver.limits import Control, Limit, Step


class Slow(Control):
    """A control whose kernels stop after a handful of nodes, again and again."""

    def drive(
        self,
        step: Step,
        *,
        until: float | None = None,
        node_share: int | None = None,
        stage: str = "",
        done: Callable[[], float] | None = None,
        best: Callable[[], str | None] = lambda: None,
        bounds: Callable[[], tuple[Any, Any] | None] = lambda: None,
    ) -> bool:
        spent = 0
        while node_share is None or spent < node_share:
            finished, nodes = step(7 if node_share is None else min(7, node_share - spent))
            self.nodes += nodes
            spent += nodes
            if finished:
                return True
        return False


def cancelled(limit: Limit | None = None) -> Control:
    """A control that was cancelled before it began."""
    flag = threading.Event()
    flag.set()
    return Control(limit, flag)


def text_of(answer: Analysis | Hint) -> str:
    """Everything that an answer says but its time."""
    return repr(answer.model_copy(update={"seconds": 0.0}))


def check_memory(questions: Sequence[Any], ask: Callable[[Any], str], forget: Callable[[], None]) -> None:
    """What was asked before, in this thread or another, changes no answer, not even its nodes."""
    cold = []
    for question in questions:
        forget()
        cold.append(ask(question))
    assert [ask(question) for question in questions] == cold
    assert [ask(question) for question in reversed(questions)] == cold[::-1]
    found: dict[int, str] = {}
    threads = [
        threading.Thread(target=lambda index=index: found.update({index: ask(questions[index])}))
        for index in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[index] for index in range(4)] == cold[:4]


def within(low: Any, value: Any, high: Any) -> bool:
    """Whether a value, or each seat's, lies between two others."""
    if isinstance(value, tuple):
        return all(a <= b <= c for a, b, c in zip(low, value, high, strict=True))
    return bool(low <= value <= high)


def check_bounds(
    ask: Callable[[Control], Analysis], limits: Sequence[int], *, tighten: bool = True, over: int = 0
) -> None:
    """Under node limits, lowest first, bounds hold; they `tighten`, and no search goes more than `over` beyond."""
    exact = ask(Control())
    before = None
    for limit in limits:
        answer = ask(Control(Limit(nodes=limit)))
        assert answer.best in {entry.move for entry in answer.moves}
        bounds = {entry.move: entry.bounds for entry in answer.moves}
        for entry in exact.moves:
            low, high = bounds[entry.move]
            assert within(low, entry.value, high)
            if before is not None and tighten:
                assert within(before[entry.move][0], low, high)
                assert within(low, high, before[entry.move][1])
        assert answer.bounds is not None
        assert within(answer.bounds[0], exact.value, answer.bounds[1])
        assert answer.nodes <= limit + over
        before = bounds
