"""One question, every move's value, or a line of best play, by one kernel that asks its own questions. A template.

Points here are counted from the deal's start: the `NEED` of a node that nobody asks about is minus the points
won until there.
"""

from __future__ import annotations

from solver.kernels.words import Words
from solver.search.tricks.alpha_beta import NODES
from solver.search.tricks.proof_number import RESULT, advance, open_question
from solver.search.tricks.score_vocabulary import in_play, listed
from solver.search.tricks.vocabulary import MOST_MOVES, STATE_WORDS, maximises, play
from solver.search.tricks.words import NEED

# Words of a task. KIND: what it is for. ASKING: whether a question is under way. PLACE: which move it is about.
KIND, ASKING, PLACE, COUNT = range(4)
QUESTION, ALL_VALUES, LINE = range(3)  # kinds
# Of the values: where the next question begins, and what is asked. For each move itself, the bounds of its
# points, and its node.
GUESS, ASKED, VALUES = 4, 5, 6
# Of the line: the points to keep, the moves not refuted, when the question under way is left for another and
# how many nodes each has in this round, the length. Then the moves not refuted, the node, and the line itself.
KEPT, LEFT, UNTIL, ROUND, LENGTH, OPEN = range(4, 10)
FIRST_ROUND = 300  # nodes for each move, when looking for one that keeps the points
ROUND_GROWTH = 8


def task_words(state_words: int, most_moves: int, cards: int) -> int:
    """Words of a task, of any kind, for a line of at most `cards` moves."""
    return VALUES + (3 + state_words) * most_moves + state_words + cards


# Templates from here on.


def begin_values(deal: Words, root: Words, task: Words) -> None:
    """List the moves of a node, each with its node and with the bounds that need no search."""
    count = listed(deal, root, 0, task, VALUES)
    task[KIND] = ALL_VALUES
    task[ASKING] = 0
    task[PLACE] = 0
    task[COUNT] = count
    task[GUESS] = 1 << 30
    bounds = VALUES + MOST_MOVES
    ways = bounds + 2 * MOST_MOVES
    for move in range(count):
        way = ways + move * STATE_WORDS
        play(deal, root, 0, task, way, task[VALUES + move])
        task[bounds + 2 * move] = -task[way + NEED]
        task[bounds + 2 * move + 1] = in_play(deal, task, way) - task[way + NEED]


def values(
    deal: Words,
    root: Words,
    task: Words,
    stack: Words,
    control: Words,
    inner: Words,
    below: Words,
    table: Words,
    budget: int,
) -> bool:
    """Go on for about `budget` nodes; True when both bounds of every move are the same. Overwrites `root`.

    Each move's questions begin where the ones about the move before it ended.
    """
    most = below[NODES] + budget
    bounds = VALUES + MOST_MOVES
    ways = bounds + 2 * MOST_MOVES
    while task[PLACE] < task[COUNT]:
        lower = bounds + 2 * task[PLACE]
        if task[ASKING] == 0:
            if task[lower] == task[lower + 1]:
                task[GUESS] = task[lower]
                task[PLACE] += 1
                continue
            task[ASKED] = min(max(task[GUESS], task[lower] + 1), task[lower + 1])
            way = ways + task[PLACE] * STATE_WORDS
            for word in range(STATE_WORDS):
                root[word] = task[way + word]
            root[NEED] += task[ASKED]
            open_question(deal, root, stack, control, inner, below)
            task[ASKING] = 1
        if below[NODES] >= most:
            return False
        if advance(deal, stack, control, inner, below, table, most - below[NODES]):
            task[ASKING] = 0
            if control[RESULT] == 1:
                task[lower] = task[ASKED]
                task[GUESS] = task[ASKED] + 1
            else:
                task[lower + 1] = task[ASKED] - 1
                task[GUESS] = task[ASKED] - 1
    return True


def begin_line(root: Words, task: Words, points: int) -> None:
    """Set out on a line from a node that is worth `points`."""
    task[KIND] = LINE
    task[ASKING] = 0
    task[COUNT] = 0
    task[KEPT] = points
    task[LENGTH] = 0
    for word in range(STATE_WORDS):
        task[OPEN + MOST_MOVES + word] = root[word]


def follow(
    deal: Words,
    root: Words,
    task: Words,
    stack: Words,
    control: Words,
    inner: Words,
    below: Words,
    table: Words,
    budget: int,
) -> bool:
    """Go on for about `budget` nodes; True when the line is at its end. Overwrites `root`.

    Of the moves that keep the points it plays the one that the least work shows to, of several the first in
    canonical order. Where all others are refuted, the one left needs no proof.
    """
    most = below[NODES] + budget
    now = OPEN + MOST_MOVES
    line = now + STATE_WORDS
    while True:
        if task[COUNT] == 0:
            task[COUNT] = listed(deal, task, now, task, OPEN)
            if task[COUNT] == 0:
                return True
            task[LEFT] = task[COUNT]
            task[PLACE] = 0
            task[ROUND] = FIRST_ROUND
        if task[LEFT] > 1:
            if task[ASKING] == 0:
                if task[PLACE] == task[COUNT]:
                    task[PLACE] = 0
                    task[ROUND] *= ROUND_GROWTH
                move = task[OPEN + task[PLACE]]
                if move < 0:
                    task[PLACE] += 1
                    continue
                play(deal, task, now, root, 0, move)
                root[NEED] += task[KEPT] + 1 - maximises(deal, task, now)
                open_question(deal, root, stack, control, inner, below)
                task[ASKING] = 1
                task[UNTIL] = below[NODES] + task[ROUND]
            if below[NODES] >= most:
                return False
            if not advance(deal, stack, control, inner, below, table, min(most, task[UNTIL]) - below[NODES]):
                if below[NODES] >= task[UNTIL]:
                    task[ASKING] = 0
                    task[PLACE] += 1
                continue
            task[ASKING] = 0
            if control[RESULT] != maximises(deal, task, now):
                task[OPEN + task[PLACE]] = -1
                task[LEFT] -= 1
                task[PLACE] += 1
                continue
        else:
            task[PLACE] = 0
            while task[OPEN + task[PLACE]] < 0:
                task[PLACE] += 1
        move = task[OPEN + task[PLACE]]
        task[line + task[LENGTH]] = move
        task[LENGTH] += 1
        play(deal, task, now, root, 0, move)
        for word in range(STATE_WORDS):
            task[now + word] = root[word]
        task[COUNT] = 0


def pursue(
    deal: Words,
    root: Words,
    task: Words,
    stack: Words,
    control: Words,
    inner: Words,
    below: Words,
    table: Words,
    budget: int,
) -> bool:
    """Go on with a task for about `budget` nodes; True when it is done. Overwrites `root`.

    There is one kernel for all kinds because each would hold the whole search once more, and take as long to
    compile.
    """
    if task[KIND] == ALL_VALUES:
        return values(deal, root, task, stack, control, inner, below, table, budget)
    if task[KIND] == LINE:
        return follow(deal, root, task, stack, control, inner, below, table, budget)
    return advance(deal, stack, control, inner, below, table, budget)
