"""The kernel that plays a line of best play: at each move, short questions find one that keeps the score."""

from __future__ import annotations

from solver.games.king.bounds import stalled
from solver.games.king.fast_rules import NODE_WORDS, STATE_WORDS, list_ways, maximises
from solver.kernels.jit import inlined
from solver.kernels.words import Words
from solver.search.fail_soft import NODES, WORTH, begin_soft, run_soft

UNSURE, PAUSED = -1, -2  # in place of the index of a move, or of the number of moves
FIRST_NODES = 300  # nodes for each move when looking for one that keeps the score
# Words of a line: its length; the move being asked about, and the nodes at which that ends, 0 before it begins.
# Then the moves.
LENGTH, PLACE, UNTIL, LINE = range(4)


@inlined
def is_new(nodes: Words, place: int) -> bool:
    """Whether the node of the move at index `place` is none of those before it."""
    for other in range(place):
        word = 0
        while word < STATE_WORDS and nodes[other * STATE_WORDS + word] == nodes[place * STATE_WORDS + word]:
            word += 1
        if word == STATE_WORDS:
            return False
    return True


# Templates: `begin_soft` and `run_soft` are those of King's search.


def keeper(
    deal: Words,
    nodes: Words,
    count: int,
    high: int,
    line: Words,
    stack: Words,
    table: Words,
    history: Words,
    control: Words,
    team: Words,
    worth: int,
    last: int,
) -> int:
    """Return the index of the first move that is proved to keep the score at `worth`.

    Returns UNSURE if no question of `FIRST_NODES` nodes proves one or the search is stalled, and PAUSED if
    `control` has counted `last` nodes.
    """
    several = 0
    for place in range(1, count):
        several |= is_new(nodes, place)
    if not several:
        return 0
    need = worth + 1 - high
    for place in range(line[PLACE], count):
        if not is_new(nodes, place):
            continue
        if line[UNTIL] == 0:
            begin_soft(nodes[place * STATE_WORDS : (place + 1) * STATE_WORDS], stack, control, need)
            line[UNTIL] = control[NODES] + FIRST_NODES
        line[PLACE] = place
        if control[NODES] >= last:
            return PAUSED
        if run_soft(deal, stack, table, history, control, team, min(last, line[UNTIL]) - control[NODES]):
            line[UNTIL] = 0
            if (control[WORTH] >= need) == (high == 1):
                return place
        elif stalled(deal):
            return UNSURE
        elif control[NODES] < line[UNTIL]:
            return PAUSED
        line[UNTIL] = 0
    return UNSURE


def follow(
    deal: Words,
    rounds: Words,
    codes: Words,
    nodes: Words,
    line: Words,
    stack: Words,
    table: Words,
    history: Words,
    control: Words,
    team: Words,
    worth: int,
    budget: int,
) -> int:
    """Make moves that keep the score at `worth`, from the round in the first row of `rounds` on.

    They are written to `line`, from `LINE` on. Returns how many moves `list_ways` has listed after the last of
    them if none of those is proved by a short question, or if the round is over. Returns PAUSED after `budget`
    nodes; then another call continues.
    """
    last = control[NODES] + budget
    while True:
        count = list_ways(deal, rounds, 0, codes, NODE_WORDS, nodes)
        if count == 0:
            return 0
        high = maximises(deal, rounds, 0)
        place = keeper(deal, nodes, count, high, line, stack, table, history, control, team, worth, last)
        if place == UNSURE:
            return int(count)
        if place == PAUSED:
            return PAUSED
        line[PLACE] = 0
        line[LINE + line[LENGTH]] = codes[place]
        line[LENGTH] += 1
        for word in range(NODE_WORDS):
            rounds[word] = rounds[(place + 1) * NODE_WORDS + word]
