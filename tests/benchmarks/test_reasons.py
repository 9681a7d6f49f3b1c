"""How many leads get a cause: the hints that are asked, and the figures of them."""

from __future__ import annotations

import pytest

from benchmarks.reasons import decisions, described
from solver.answers import Cause, SampledHint, Sure
from solver.kernels.machine import OFF


def hint(sure: Sure, *codes: str) -> SampledHint:
    causes = tuple(Cause(code=code) for code in codes)
    return SampledHint(
        game="toy", to_move=1, exact=False, best="A", moves=(), sure=sure, causes=causes, reason="", method="toy",
        worlds=9, seed=0, nodes=1, seconds=0.0,
    )  # fmt: skip


@pytest.mark.small
@pytest.mark.plain
def test_the_figures() -> None:
    found = [
        hint("clear", "a", "b"),
        hint("clear"),
        hint("slight", "a"),
        hint("close", "close"),
        hint("clear", "a"),
    ]
    assert [line.split() for line in described(found)] == [
        ["clear", "3,", "slight", "1,", "close", "1"],
        ["clear", "leads:", "3,", "with", "a", "cause", "67%,", "with", "two", "33%"],
        ["slight", "leads:", "1,", "with", "a", "cause", "100%,", "with", "two", "0%"],
        ["a", "75%"],
        ["b", "25%"],
    ]


@pytest.mark.skipif(OFF, reason="without the JIT hints take minutes")
def test_most_clear_leads_of_kirin_get_a_cause() -> None:
    found = list(decisions("kirin", 40, 1, 4000))
    causes = [hint.causes for hint in found if hint.sure == "clear"]
    assert len(causes) > 8
    assert sum(bool(named) for named in causes) >= 0.7 * len(causes)
