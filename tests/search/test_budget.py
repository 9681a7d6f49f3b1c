"""Parts of a limit, and budgets that grow."""

from __future__ import annotations

from itertools import islice

import pytest

from solver.limits import Control, Growth, Limit, Part

pytestmark = pytest.mark.small


def test_a_share_of_the_nodes() -> None:
    control = Control(Limit(nodes=1000))
    control.nodes = 200
    part = Part(control, 0.5)
    assert (part.nodes(), part.nodes(30), part.over()) == (400, 30, False)
    control.nodes = 500
    assert (part.nodes(), part.nodes(300)) == (100, 100)
    control.nodes = 700
    assert (part.nodes(), part.over()) == (0, True)


def test_without_a_limit_it_never_ends() -> None:
    part = Part(Control())
    assert (part.until, part.nodes(), part.nodes(7), part.over()) == (None, None, 7, False)
    assert list(part.rounds(Growth(10, 4))) == [None]


def test_rounds_grow_until_the_part_is_over() -> None:
    assert list(islice(Growth(10, 4).rounds(), 4)) == [10, 40, 160, 640]
    control = Control(Limit(nodes=100))
    found = []
    for nodes in Part(control).rounds(Growth(10, 4)):
        found.append(nodes)
        control.nodes += nodes or 0
    assert found == [10, 40, 160]


def test_a_share_of_the_time() -> None:
    part = Part(Control(Limit(seconds=1e-9)), 0.5)
    assert part.until is not None
    assert part.over()
