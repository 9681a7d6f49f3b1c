"""Kernels that ask short questions themselves, without a call for each.

`values` finds the scores after the moves of a round. `follow` plays a line of best play: at each move, questions
find one that keeps the score.
"""

from __future__ import annotations

from solver.games.king.bounds import stalled, widest
from solver.games.king.fast_rules import ALLIES, NODE_WORDS, STATE_WORDS, list_ways, maximises
from solver.kernels.jit import inlined
from solver.kernels.words import Words
from solver.search.fail_soft import NODES, WORTH, Room, begin_soft, run_soft

UNSURE, PAUSED = -1, -2  # in place of the index of a move, or of the number of moves
FIRST_NODES = 300  # nodes for each move when looking for one that keeps the score
# Words of a line: its length; the move being asked about, and the nodes at which that ends, 0 before it begins.
# Then the moves.
LENGTH, PLACE, UNTIL, LINE = range(4)


# Which scores are asked about. The first question is about one a step of the way from what is won to all that can
# be won: low, since a yes is cheaper and often proves more than was asked. Against all others, a no gives an upper
# bound, and the next question is whether that bound is reached (MTD(f): Plaat et al. 1996).
STEPS = 8
ALLY_STEPS = 32
STRIDE = 8  # from a score reached, up to the next one asked about
NO_GUESS = -1
# Words about questions: whether there were any; the node asked about; the score, or a guess at it; how far above a
# score reached the next guess is, 0 before the first question; and the nodes at which the question ends, 0 before
# it begins.
TRIED, NODE, GUESS, WIDTH, END = range(5)
ASKED_WORDS = 5


@inlined
def first_like(nodes: Words, index: int) -> int:
    """Return the index of the first move that leads to the same node as the move at `index`."""
    for other in range(index):
        word = 0
        while word < STATE_WORDS and nodes[other * STATE_WORDS + word] == nodes[index * STATE_WORDS + word]:
            word += 1
        if word == STATE_WORDS:
            return other
    return index


# Templates: `begin_soft` and `run_soft` are those of King's search.


def values(
    deal: Words, nodes: Words, count: int, ends: Words, asked: Words, room: Room, longest: int, budget: int
) -> int:
    """Write a lower and an upper bound on the score of each of the first `count` nodes to `ends`, exact if easy.

    The first question about a node is whether its score reaches the lower bound of the node before it. Returns how
    many nodes have exact scores, up to one with a question that takes `longest` nodes, or that the search stalls
    with. Returns PAUSED after `budget` nodes; then another call continues. `asked` is zero at the beginning.
    """
    stack, table, history, control, team = room
    last = control[NODES] + budget
    if asked[TRIED] == 0:
        asked[TRIED] = 1
        for index in range(count):
            widest(deal, nodes, index * STATE_WORDS, ends, 2 * index)
    while asked[NODE] < count:
        index = asked[NODE]
        at = 2 * index
        if asked[END] == 0:
            if asked[WIDTH] == 0:
                like = 2 * first_like(nodes, index)
                ends[at], ends[at + 1] = ends[like], ends[like + 1]
                asked[GUESS] = ends[at - 2] if index > 0 else NO_GUESS
                asked[WIDTH] = 1  # a guess is seldom far off
            least, most = ends[at], ends[at + 1]
            if least >= most:
                asked[NODE] += 1
                asked[WIDTH] = 0
                continue
            if asked[GUESS] == NO_GUESS:
                asked[GUESS] = least + 1 + (most - least) // (ALLY_STEPS if deal[ALLIES] != 0 else STEPS)
            need = min(max(asked[GUESS], least + 1), most)
            begin_soft(nodes[index * STATE_WORDS : (index + 1) * STATE_WORDS], stack, control, need)
            asked[GUESS] = need
            asked[END] = control[NODES] + longest
        if control[NODES] >= last:
            return PAUSED
        if run_soft(deal, stack, table, history, control, team, min(last, asked[END]) - control[NODES]):
            worth = control[WORTH]
            asked[END] = 0
            if worth >= asked[GUESS]:
                ends[at] = worth
                asked[GUESS] = worth + asked[WIDTH] if index > 0 else NO_GUESS
                asked[WIDTH] = STRIDE
            else:
                ends[at + 1] = worth
                asked[GUESS] = NO_GUESS if deal[ALLIES] != 0 else worth
        elif stalled(deal) or control[NODES] >= asked[END]:
            return int(index)
    return count


def keeper(
    deal: Words, nodes: Words, count: int, high: int, line: Words, room: Room, worth: int, last: int
) -> int:
    """Return the index of the first move that is proved to keep the score at `worth`.

    Returns UNSURE if no question of `FIRST_NODES` nodes proves one or the search is stalled, and PAUSED if
    `room.control` has counted `last` nodes.
    """
    stack, table, history, control, team = room
    several = 0
    for index in range(1, count):
        several |= first_like(nodes, index) == index
    if not several:
        return 0
    need = worth + 1 - high
    for index in range(line[PLACE], count):
        if first_like(nodes, index) < index:
            continue
        if line[UNTIL] == 0:
            begin_soft(nodes[index * STATE_WORDS : (index + 1) * STATE_WORDS], stack, control, need)
            line[UNTIL] = control[NODES] + FIRST_NODES
        line[PLACE] = index
        if control[NODES] >= last:
            return PAUSED
        if run_soft(deal, stack, table, history, control, team, min(last, line[UNTIL]) - control[NODES]):
            line[UNTIL] = 0
            if (control[WORTH] >= need) == (high == 1):
                return index
        elif stalled(deal):
            return UNSURE
        elif control[NODES] < line[UNTIL]:
            return PAUSED
        line[UNTIL] = 0
    return UNSURE


def follow(
    deal: Words, rounds: Words, codes: Words, nodes: Words, line: Words, room: Room, worth: int, budget: int
) -> int:
    """Make moves that keep the score at `worth`, from the round in the first row of `rounds` on.

    They are written to `line`, from `LINE` on. Returns how many moves `list_ways` has listed after the last of
    them if none of those is proved by a short question, or if the round is over. Returns PAUSED after `budget`
    nodes; then another call continues.
    """
    last = room.control[NODES] + budget
    while True:
        count = list_ways(deal, rounds, 0, codes, NODE_WORDS, nodes)
        if count == 0:
            return 0
        high = maximises(deal, rounds, 0)
        index = keeper(deal, nodes, count, high, line, room, worth, last)
        if index == UNSURE:
            return int(count)
        if index == PAUSED:
            return PAUSED
        line[PLACE] = 0
        line[LINE + line[LENGTH]] = codes[index]
        line[LENGTH] += 1
        for word in range(NODE_WORDS):
            rounds[word] = rounds[(index + 1) * NODE_WORDS + word]
