"""The best reply over all deals that are left (`expectation`), where the limit of a question allows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from solver.common.control import Control
from solver.hints.endings.expectation import DONE, RUNNING
from solver.hints.endings.lines import COUNT, NEXT, STEPS, Lines, Start, new_lines
from solver.hints.paired import Whole
from solver.hints.simulate import DEFAULT_SECONDS

SHARE = 0.5  # of the time that is left: if that does not do, worlds are sampled in the rest


def steps_allowed(control: Control, a_second: int) -> int:
    """How many steps may be taken at most, where so many take a second: those of half the time that is left.

    They are never more than in half of the time that a hint takes without a limit.
    """
    nodes, seconds = control.nodes_left(), control.seconds_left()
    within = DEFAULT_SECONDS if seconds is None else min(DEFAULT_SECONDS, max(0.0, seconds))
    steps = int(SHARE * within * a_second)
    return steps if nodes is None else min(steps, nodes)


def best_replies(
    follow: Callable[[Any, Lines, int], int], game: Any, start: Start, control: Control, most: int
) -> Whole | None:
    """What each move brings over all deals, in the numbers of the game's outcomes; a step is a node.

    `follow` is the game's `expectation.follow_lines`. None where `most` steps, half the time that is left or the
    room do not suffice, and where the question is cancelled.
    """
    if not start.weights.sum() > 0:
        return None
    lines = new_lines(start, most)
    status = RUNNING

    def step(budget: int) -> tuple[bool, int]:
        nonlocal status
        before = int(lines.clock[STEPS])
        status = follow(game, lines, budget)
        return status != RUNNING, int(lines.clock[STEPS]) - before

    seconds = control.seconds_left()
    until = None if seconds is None else time.monotonic() + SHARE * seconds
    with control.part(until=until) as part:
        part.node_limit = None  # the steps are counted to `most`, that a limit of nodes may be kept exactly
        part.drive(step, stage="all deals", done=lambda: float((lines.nodes[NEXT] - 1) / lines.nodes[COUNT]))
    return Whole(len(start.weights), np.array(lines.results)) if status == DONE else None
