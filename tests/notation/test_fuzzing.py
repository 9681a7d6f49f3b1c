"""A sample of changed lines; `tests.notation.fuzzing` reads as many as one likes."""

from __future__ import annotations

import random

import pytest

import athanor
from solver.errors import AthanorError
from tests.notation.fuzzing import changed, check, lines


def test_changed_lines_are_read_as_they_are_written_or_refused() -> None:
    rng, known = random.Random(7), lines()
    read = [check(changed(rng.choice(known), known, rng)) for _ in range(400)]
    assert {"read", "refused"} == set(read)


@pytest.mark.parametrize(
    "line",
    [
        "aqua-regia players=2 seat=1 hand=Cu history=0:>",
        "aqua-regia players=2 seat=1 hand=Cu history=1:::",
        "aqua-regia players=2 seat=1 hand=Cu history=0:Zn,-,Zn",
        "aqua-regia deck=" + "%7B%22a%22%3A" * 15_000,
    ],
)
def test_lines_that_are_refused(line: str) -> None:
    with pytest.raises(AthanorError):
        athanor.parse(line)
