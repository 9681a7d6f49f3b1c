"""Room to follow all deals of an ending at once: what `expectation` keeps between two calls. See there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.kernels.arrays import Floats, Words

# Words of the clock. DEPTH: how many choices further the line is than the question. TOP: where the pile of
# particles ends. STEPS: how many were taken, of at most MOST. Then the sizes of things: words of a public state
# (WIDTH) and of a particle (GRAIN), numbers of an outcome (NUMBERS), choices (CHILDREN) that a node may have,
# nodes (DEPTHS) that a line may have, particles (ROOM).
DEPTH, TOP, STEPS, MOST, WIDTH, GRAIN, NUMBERS, CHILDREN, DEPTHS, ROOM = range(10)
CLOCK_WORDS = 10

# Words of a node on the line. WHOSE turn it is. FIRST and LAST: its particles. READ: how many of them have been
# asked what they do, which gave PENDING particles more; -1 once that is done. NEXT: the choice to be followed
# next, of COUNT. BELOW: where the pile ended before.
WHOSE, FIRST, LAST, READ, PENDING, NEXT, COUNT, BELOW = range(8)
NODE_WORDS = 8

ANSWERS = 256  # that one particle may give


class Lines(NamedTuple):
    """The line that is followed, and the particles that agree with it: deals, each with what else is hidden.

    By depth: the words of the `nodes`, the `public` states, the `codes` of the choices, where the particles of
    each begin (`begins`), and the `values` so far. By place in the pile: the words of the `particles`, and their
    `weights`. `pending`, `pending_weights` and `pending_child` are those that a node's particles become, before
    they are put in order; `answers`, `chances` and `after` is what one particle may do. `outcome` has room for
    what the end of a line brings, `results` a row a move of the question.
    """

    clock: Words
    nodes: Words
    public: Words
    codes: Words
    begins: Words
    values: Floats
    particles: Words
    weights: Floats
    pending: Words
    pending_weights: Floats
    pending_child: Words
    answers: Words
    chances: Floats
    after: Words
    outcome: Floats
    results: Floats


@dataclass(frozen=True, kw_only=True)
class Start:
    """Where all lines begin: the seat that asks is to choose.

    `public` are the words of the state that everybody sees, `codes` those of the moves. The `particles` (a row
    each) are the deals that are left, with their `weights`. An outcome has so many `numbers`, a node at most so
    many `children`, a line at most so many nodes (`depths`), and all of a line at most so many particles (`room`).
    """

    public: Words
    codes: Sequence[int]
    particles: Words
    weights: Floats
    numbers: int
    children: int
    depths: int
    room: int


def new_lines(start: Start, most: int) -> Lines:
    """Lines that begin there and may take so many steps."""
    count, grain = start.particles.shape
    width, depths, children = len(start.public), start.depths, start.children
    room = max(start.room, count)
    lines = Lines(
        clock=np.zeros(CLOCK_WORDS, np.int64),
        nodes=np.zeros(depths * NODE_WORDS, np.int64),
        public=np.zeros(depths * width, np.int64),
        codes=np.zeros(depths * children, np.int64),
        begins=np.zeros(depths * (children + 1), np.int64),
        values=np.zeros(depths * start.numbers),
        particles=np.zeros(room * grain, np.int64),
        weights=np.zeros(room),
        pending=np.zeros(room * grain, np.int64),
        pending_weights=np.zeros(room),
        pending_child=np.zeros(room, np.int64),
        answers=np.zeros(ANSWERS, np.int64),
        chances=np.zeros(ANSWERS),
        after=np.zeros(ANSWERS * grain, np.int64),
        outcome=np.zeros(start.numbers),
        results=np.full((len(start.codes), start.numbers), np.nan),
    )
    sizes = {WIDTH: width, GRAIN: grain, NUMBERS: start.numbers, CHILDREN: children, DEPTHS: depths, ROOM: room}
    for word, size in ({TOP: count, MOST: most} | sizes).items():
        lines.clock[word] = size
    lines.public[:width] = start.public
    lines.codes[: len(start.codes)] = start.codes
    lines.particles[: count * grain] = start.particles.ravel()
    lines.weights[:count] = start.weights / start.weights.sum()
    lines.nodes[LAST], lines.nodes[READ], lines.nodes[COUNT] = count, -1, len(start.codes)
    return lines
