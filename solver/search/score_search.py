"""The score search for trick games: can the player win at least `need` more points? `ScoreProver` runs it.

Three kernels share the work. Proof-number search (`solver.search.proof_number`) decides which boundaries (nodes
between two tricks) to look at. Null-window alpha-beta solves those with few tricks left directly, and takes over
the whole question after `MOST_VISITS` visits, keeping what was proved. A third kernel asks a series of questions,
for the value of every move or for a line of best play, so that Python makes one call for many questions.

If nobody opposes the player, a YES is proved by a single line of play, and alpha-beta finds it immediately or,
after a wrong turn, very late. So for such questions it makes short attempts, each longer than the one before and
with the moves in another order (Gomes, Selman and Kautz 1998: restarts against heavy tails). The table keeps what
earlier attempts refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from solver.kernels.jit import inlined
from solver.kernels.words import Words, popcount
from solver.limits import Control
from solver.search import proof_number
from solver.search.memory import new_table
from solver.search.parallel import ASKED as ASKED_NOW
from solver.search.parallel import HELPER_NODES, HELPERS, Team, follow_table
from solver.search.proof_number import (
    CHILD,
    CONTROL_WORDS,
    DEPTH,
    NODES,
    PAUSED,
    QUESTION,
    RESULT,
    STATE,
    Room,
    advance,
    begin_numbers,
)
from solver.search.rules import ATTEMPTS, PROOF_NUMBERS, TABLE
from solver.search.trick_rules import (
    ATTEMPT,
    FINISHED,
    FIRST_WORDS,
    GENERATION,
    KEYS,
    MOST_MOVES,
    MOST_PROOF,
    MOVE_BITS,
    NARROWER,
    NEAR_WORDS,
    NEED,
    NEEDS,
    POINT_BITS,
    PROOF_BITS,
    SCORE_WORDS,
    SMALL,
    SPLIT,
    STATE_WORDS,
    STORED,
    SWITCHES,
    TABLE_WORDS,
    UNKNOWN,
    YES,
    ScoreRules,
    assured,
    boundary,
    bounded,
    bucket_of,
    estimate,
    find,
    finish,
    generations,
    in_play,
    key,
    legal,
    listed,
    maximises,
    moves,
    near_bucket,
    play,
    put,
    remember,
    score_table,
    settle,
    size,
    sizes,
    widen,
)

# Words of the control array besides those of the proof-number search. INNER_DEPTH, ANSWER: alpha-beta's frames in
# use, and its answer. PHASE: what is running.
INNER_DEPTH, ANSWER, PHASE, VISITS, MOST_VISITS = range(CONTROL_WORDS, CONTROL_WORDS + 5)
# Of attempts: nodes of the first, growth, nodes of the last, and when that ends.
FIRST_NODES, MORE_PERCENT, LAST_NODES, TRY_END = range(CONTROL_WORDS + 5, CONTROL_WORDS + 9)
# The nodes when the question began.
BEGUN_AT, SCORE_CONTROL_WORDS = range(CONTROL_WORDS + 9, CONTROL_WORDS + 11)
NUMBERS_PHASE, INNER_PHASE, WHOLE_PHASE = range(3)


# With one bit of answer per node, alpha-beta is a walk through an and-or tree: a node of the player's side is YES
# if one child is, any other node is NO if one child is. Boundaries of tricks are remembered in the table, as
# bounds that serve all later questions.

# Words of a frame before its moves; the state follows them.
MOVE_COUNT, NEXT, NODE_KEY, SIZE, SIDE, MOVE_LIST = range(6)
SMALLEST_REMEMBERED = 2  # tricks left at a boundary


def begin(root: Words, stack: Words, control: Words) -> None:
    """Begin alpha-beta: put the root on its empty stack."""
    stack[MOVE_COUNT] = -1
    for word in range(STATE_WORDS):
        stack[MOVE_LIST + MOST_MOVES + word] = root[word]
    control[INNER_DEPTH] = 1
    control[ANSWER] = -1


def run(deal: Words, stack: Words, table: Words, control: Words, budget: int) -> bool:
    """Continue alpha-beta for at most `budget` nodes. Returns True when `control[ANSWER]` holds the answer."""
    frame = MOVE_LIST + MOST_MOVES + STATE_WORDS
    state = MOVE_LIST + MOST_MOVES
    depth = control[INNER_DEPTH]
    nodes = 0
    answer = -1  # of the child just left, -1 while going down
    while depth > 0:
        at = (depth - 1) * frame
        if answer >= 0:
            if answer == stack[at + SIDE]:
                if stack[at + NODE_KEY] > 0:
                    node = stack[at + NODE_KEY]
                    best = stack[at + MOVE_LIST + stack[at + NEXT] - 1]
                    bucket = near_bucket(deal, node, stack[at + SIZE])
                    remember(deal, table, node, bucket, stack[at + state + NEED], answer, best)
                depth -= 1
                continue
            answer = -1
        elif stack[at + MOVE_COUNT] < 0:
            if nodes >= budget:
                break
            widen(deal, table)
            nodes += 1
            answer = settle(deal, stack, at + state)
            if answer >= 0:
                depth -= 1
                continue
            answer = finish(deal, stack, at + state, table)
            nodes += deal[FINISHED]
            if answer >= 0:
                depth -= 1
                continue
            first = -1
            stack[at + NODE_KEY] = 0
            left = size(deal, stack, at + state)
            if deal[SWITCHES] & TABLE and left >= SMALLEST_REMEMBERED and boundary(deal, stack, at + state):
                node = key(deal, stack, at + state)
                deal[KEYS] |= node
                deal[NEEDS] |= stack[at + state + NEED]
                stack[at + NODE_KEY] = node
                stack[at + SIZE] = left
                data = find(deal, table, node, near_bucket(deal, node, left))
                if data >= 0:
                    answer = bounded(data, stack[at + state + NEED])
                    if answer >= 0:
                        depth -= 1
                        continue
                    first = ((data >> (3 * POINT_BITS)) & ((1 << MOVE_BITS) - 1)) - 1
            answer = estimate(deal, stack, at + state)
            if answer >= 0:
                depth -= 1
                continue
            stack[at + MOVE_COUNT] = moves(deal, stack, at + state, stack, at + MOVE_LIST, first)
            stack[at + NEXT] = 0
            stack[at + SIDE] = maximises(deal, stack, at + state)
        index = stack[at + NEXT]
        if index == stack[at + MOVE_COUNT]:
            answer = 1 - stack[at + SIDE]
            if stack[at + NODE_KEY] > 0:
                node = stack[at + NODE_KEY]
                bucket = near_bucket(deal, node, stack[at + SIZE])
                remember(deal, table, node, bucket, stack[at + state + NEED], answer, -1)
            depth -= 1
            continue
        stack[at + NEXT] = index + 1
        play(deal, stack, at + state, stack, at + frame + state, stack[at + MOVE_LIST + index])
        stack[at + frame + MOVE_COUNT] = -1
        depth += 1
    if depth == 0:
        control[ANSWER] = answer
    control[INNER_DEPTH] = depth
    control[NODES] += nodes
    return bool(depth == 0)


# --------------------------------------------------------------- what the score search provides for proof numbers


def any_suffices(deal: Words, state: Words, at: int) -> bool:
    return maximises(deal, state, at) == 1


def candidates(deal: Words, state: Words, at: int, out: Words, to: int, step: int) -> int:
    """Write the game's moves to `out` from `to` on, `step` words apart, and return their number."""
    count = moves(deal, state, at, out, to, -1)
    for index in range(count - 1, 0, -1):
        out[to + index * step] = out[to + index]
    return count


def known(deal: Words, state: Words, at: int) -> int:
    answer = settle(deal, state, at)
    return estimate(deal, state, at) if answer < 0 else answer


def digest(deal: Words, state: Words, at: int, word: int) -> int:
    """Return word 0 (the node's key) or 1 (its question), and record the bits used by both in `deal`."""
    if word == 1:
        deal[NEEDS] |= max(state[at + NEED], 0)  # a root may need nothing
        return int(state[at + NEED])
    if deal[SWITCHES] & PROOF_NUMBERS == 0:
        return 0  # the root of a question for alpha-beta alone, which may be no boundary
    node = key(deal, state, at)
    deal[KEYS] |= node
    return node


def efforts(deal: Words, state: Words, at: int) -> int:
    """Return the initial numbers of a node, packed as proof number | disproof number << PROOF_BITS.

    At a boundary that alpha-beta solves directly, both are 1. Elsewhere, the number for the answer that the seat
    to move wants is 1, and the other is the number of moves, a first estimate of the work to refute them all.
    """
    if boundary(deal, state, at) and size(deal, state, at) <= deal[SMALL]:
        return 1 | (1 << PROOF_BITS)
    if maximises(deal, state, at) == 1:
        return 1 | (popcount(legal(deal, state, at)) << PROOF_BITS)
    return popcount(legal(deal, state, at)) | (1 << PROOF_BITS)


def recall(deal: Words, table: Words, first: int, second: int) -> int:
    """Return the proof and disproof numbers of a question, packed as by `efforts`, or -1 if they are unknown.

    They follow from the node's stored bounds, or were stored when the same question was searched before.
    """
    data = find(deal, table, first, bucket_of(deal, first))
    if data < 0:
        return -1
    answer = bounded(data, second)
    if answer >= 0:
        return MOST_PROOF << PROOF_BITS if answer == YES else MOST_PROOF
    if (data >> (2 * POINT_BITS)) & ((1 << POINT_BITS) - 1) != second:
        return -1
    return int((data >> (3 * POINT_BITS + MOVE_BITS)) & ((1 << (2 * PROOF_BITS)) - 1))


def store(deal: Words, table: Words, first: int, second: int, proof: int, disproof: int, work: int) -> None:
    """Tighten a node's stored bounds if its question is answered; otherwise store the question's numbers."""
    bucket = bucket_of(deal, first)
    if proof == 0 or disproof == 0:
        remember(deal, table, first, bucket, second, 1 if proof == 0 else 0, -1)
        return
    data = find(deal, table, first, bucket)
    if data < 0:
        data = ((1 << POINT_BITS) - 1) << POINT_BITS
    data &= (1 << (2 * POINT_BITS)) - 1
    data |= second << (2 * POINT_BITS)
    data |= proof << (3 * POINT_BITS + MOVE_BITS)
    data |= disproof << (3 * POINT_BITS + MOVE_BITS + PROOF_BITS)
    put(deal, table, first, bucket, data)


def visit(deal: Words, frames: Words, at: int, inner: Words, table: Words, control: Words, most: int) -> int:
    """Count a node, and try to answer its question without expanding it.

    Returns the answer, UNKNOWN if the node must be expanded, or PAUSED once `most` nodes have been counted. A
    boundary with few tricks left is solved by alpha-beta; for any other, the game itself may have a proof
    (`assured`). After `MOST_VISITS` visits, alpha-beta takes over the question about the root.
    """
    if control[PHASE] == NUMBERS_PHASE:
        control[NODES] += 1
        control[VISITS] += 1
        between = boundary(deal, frames, at)
        if between and size(deal, frames, at) <= deal[SMALL]:
            begin(frames[at : at + STATE_WORDS], inner, control)
            control[PHASE] = INNER_PHASE
        elif control[VISITS] > control[MOST_VISITS]:
            begin(frames[STATE : STATE + STATE_WORDS], inner, control)
            control[PHASE] = WHOLE_PHASE
            return PAUSED
        elif between:
            answer = assured(deal, frames, at, table)
            control[NODES] += deal[FINISHED]
            if answer != YES:
                return UNKNOWN
            node = key(deal, frames, at)
            remember(deal, table, node, bucket_of(deal, node), frames[at + NEED], YES, -1)
            return YES
        else:
            return UNKNOWN
    if not run(deal, inner, table, control, max(1, most - control[NODES])):
        return PAUSED
    control[PHASE] = NUMBERS_PHASE
    return int(control[ANSWER])


# ---------------------------------------------------------------------------------------------------- one question


def open_question(deal: Words, root: Words, frames: Words, control: Words, inner: Words) -> None:
    """Begin a question about the node `root`. `inner` is alpha-beta's stack."""
    control[BEGUN_AT] = control[NODES]
    control[VISITS] = 0
    deal[ATTEMPT] = 0
    control[TRY_END] = 1 << 62
    begin_numbers(deal, root, frames, control)
    control[PHASE] = NUMBERS_PHASE
    if deal[SWITCHES] & PROOF_NUMBERS == 0 or size(deal, root, 0) <= deal[SMALL]:
        control[PHASE] = WHOLE_PHASE
        begin(root, inner, control)
        if deal[SWITCHES] & ATTEMPTS:
            control[LAST_NODES] = control[FIRST_NODES]
            control[TRY_END] = control[NODES] + control[FIRST_NODES]


def answer(deal: Words, room: Room, budget: int) -> bool:
    """Search on for about `budget` nodes. Returns True when `room.control[RESULT]` holds the answer."""
    frames, control, inner, table = room.frames, room.control, room.inner, room.table
    if control[PHASE] != WHOLE_PHASE:
        return advance(deal, room, budget)
    most = control[NODES] + budget
    while not run(deal, inner, table, control, min(most, control[TRY_END]) - control[NODES]):
        if control[NODES] < control[TRY_END]:
            return False
        deal[ATTEMPT] += 1
        control[LAST_NODES] += max(1, control[LAST_NODES] * control[MORE_PERCENT] // 100)
        control[TRY_END] = control[NODES] + control[LAST_NODES]
        begin(frames[STATE : STATE + STATE_WORDS], inner, control)
    control[RESULT] = control[ANSWER]
    return True


# Points here are counted from the deal's start: the `NEED` of a node without a question is minus the points won so
# far.

# Words of a task. KIND: its kind. ASKING: whether a question is running. PLACE: the move it is about.
KIND, ASKING, PLACE, COUNT = range(4)
QUESTION_TASK, LINE, ALL_VALUES, VALUES_AND_LINE = range(4)  # kinds
# Of the values: where the next question begins, what is asked, and whether the seat to move wants many points. For
# each move itself, the bounds of its points, and its node.
GUESS, ASKED, WANTS_MANY, VALUES = range(4, 8)
# Of the line, from `line_place` on: the points to keep, the number of moves listed and of those not refuted, when
# to leave the current question for another and the nodes for each in this round, the length. Then the moves not
# refuted, the node, and the line itself.
KEPT, LISTED, LEFT, UNTIL, ROUND, LENGTH, OPEN = range(7)
FIRST_ROUND = 300  # nodes for each move when looking for one that keeps the points
ROUND_GROWTH = 8


def task_words(state_words: int, most_moves: int, cards: int) -> int:
    """Number of words in the array of a task, with room for a line of at most `cards` moves."""
    return line_place(state_words, most_moves) + OPEN + most_moves + state_words + cards


@inlined
def line_place(state_words: int, most_moves: int) -> int:
    """Return the index in a task of the first word of the line."""
    return VALUES + (3 + state_words) * most_moves


def begin_values(deal: Words, root: Words, task: Words) -> None:
    """Begin to compute the values of a node's moves: list the moves in `task`, with bounds that need no search."""
    count = listed(deal, root, 0, task, VALUES)
    task[KIND] = ALL_VALUES
    task[ASKING] = 0
    task[PLACE] = 0
    task[COUNT] = count
    task[GUESS] = 1 << 30
    task[WANTS_MANY] = maximises(deal, root, 0)
    task[line_place(STATE_WORDS, MOST_MOVES) + LENGTH] = 0
    bounds = VALUES + MOST_MOVES
    ways = bounds + 2 * MOST_MOVES
    for move in range(count):
        way = ways + move * STATE_WORDS
        play(deal, root, 0, task, way, task[VALUES + move])
        task[bounds + 2 * move] = -task[way + NEED]
        task[bounds + 2 * move + 1] = in_play(deal, task, way) - task[way + NEED]


def values(deal: Words, root: Words, task: Words, room: Room, budget: int) -> bool:
    """Search for about `budget` nodes to find the values of the moves. Returns True once they are all known.

    A value is known once its lower and upper bounds coincide. The first question about a move is whether it
    reaches the value of the move before it. Overwrites `root`.
    """
    control = room.control
    most = control[NODES] + budget
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
            open_question(deal, root, room.frames, control, room.inner)
            task[ASKING] = 1
        if control[NODES] >= most:
            return False
        if answer(deal, room, most - control[NODES]):
            task[ASKING] = 0
            if control[RESULT] == 1:
                task[lower] = task[ASKED]
                task[GUESS] = task[ASKED] + 1
            else:
                task[lower + 1] = task[ASKED] - 1
                task[GUESS] = task[ASKED] - 1
        if room.team[HELPERS] != 0:
            return False  # so that the helpers end: their question is answered or has to wait
    return True


def begin_line(root: Words, task: Words, points: int) -> None:
    """Begin a line of best play from a node that is worth `points`."""
    at = line_place(STATE_WORDS, MOST_MOVES)
    task[KIND] = LINE
    task[ASKING] = 0
    task[at + LISTED] = 0
    task[at + KEPT] = points
    task[at + LENGTH] = 0
    for word in range(STATE_WORDS):
        task[at + OPEN + MOST_MOVES + word] = root[word]


def begin_best_line(task: Words) -> None:
    """Begin the line that starts with the first of the best moves, once the values of all moves are known."""
    bounds = VALUES + MOST_MOVES
    best = 0
    for move in range(1, task[COUNT]):
        more = task[bounds + 2 * move] - task[bounds + 2 * best]
        if more != 0 and (more > 0) == (task[WANTS_MANY] == 1):
            best = move
    way = bounds + 2 * MOST_MOVES + best * STATE_WORDS
    begin_line(task[way : way + STATE_WORDS], task, task[bounds + 2 * best])
    at = line_place(STATE_WORDS, MOST_MOVES)
    task[at + LENGTH] = 1
    task[at + OPEN + MOST_MOVES + STATE_WORDS] = task[VALUES + best]


def follow(deal: Words, root: Words, task: Words, room: Room, budget: int) -> bool:
    """Search for about `budget` nodes to extend the line of best play. Returns True when the line is complete.

    The next move of the line is the one that takes the least work to prove best, or the first of these in
    canonical order. If all moves but one are refuted, that one is taken without a proof. Overwrites `root`.
    """
    control = room.control
    most = control[NODES] + budget
    at = line_place(STATE_WORDS, MOST_MOVES)
    now = at + OPEN + MOST_MOVES
    line = now + STATE_WORDS
    while True:
        if task[at + LISTED] == 0:
            task[at + LISTED] = listed(deal, task, now, task, at + OPEN)
            if task[at + LISTED] == 0:
                return True
            task[at + LEFT] = task[at + LISTED]
            task[PLACE] = 0
            task[at + ROUND] = FIRST_ROUND
        if task[at + LEFT] > 1:
            if task[ASKING] == 0:
                if task[PLACE] == task[at + LISTED]:
                    task[PLACE] = 0
                    task[at + ROUND] *= ROUND_GROWTH
                move = task[at + OPEN + task[PLACE]]
                if move < 0:
                    task[PLACE] += 1
                    continue
                play(deal, task, now, root, 0, move)
                root[NEED] += task[at + KEPT] + 1 - maximises(deal, task, now)
                open_question(deal, root, room.frames, control, room.inner)
                task[ASKING] = 1
                task[at + UNTIL] = control[NODES] + task[at + ROUND]
            if control[NODES] >= most:
                return False
            left = min(most, task[at + UNTIL]) - control[NODES]
            if not answer(deal, room, left):
                if control[NODES] >= task[at + UNTIL]:
                    task[ASKING] = 0
                    task[PLACE] += 1
                if room.team[HELPERS] != 0:
                    return False
                continue
            task[ASKING] = 0
            if control[RESULT] != maximises(deal, task, now):
                task[at + OPEN + task[PLACE]] = -1
                task[at + LEFT] -= 1
                task[PLACE] += 1
                continue
        else:
            task[PLACE] = 0
            while task[at + OPEN + task[PLACE]] < 0:
                task[PLACE] += 1
        move = task[at + OPEN + task[PLACE]]
        task[line + task[at + LENGTH]] = move
        task[at + LENGTH] += 1
        play(deal, task, now, root, 0, move)
        for word in range(STATE_WORDS):
            task[now + word] = root[word]
        task[at + LISTED] = 0


def pursue(deal: Words, root: Words, task: Words, room: Room, budget: int) -> bool:
    """Continue a task for about `budget` nodes. Returns True when it is done. Overwrites `root`.

    There is one kernel for all kinds of tasks, because each of several kernels would contain the whole search
    again, and take as long to compile.
    """
    most = room.control[NODES] + budget
    if task[KIND] >= ALL_VALUES:
        if not values(deal, root, task, room, budget):
            return False
        if task[KIND] == ALL_VALUES or task[COUNT] == 0:
            return True
        begin_best_line(task)
    if task[KIND] == LINE:
        return follow(deal, root, task, room, most - room.control[NODES])
    return answer(deal, room, budget)


# ------------------------------------------------------------------------------------------- the search for a game


@dataclass(frozen=True)
class ScoreSearch:
    """The kernels that `ScoreProver` calls, and the rules that they were instantiated with."""

    rules: ScoreRules
    open_question: Callable[[Words, Words, Words, Words, Words], None]
    begin_values: Callable[[Words, Words, Words], None]
    begin_line: Callable[[Words, Words, int], None]
    pursue: Callable[[Words, Words, Words, Room, int], bool]


def score_search(rules: ScoreRules, table: Mapping[str, Any] | None = None) -> ScoreSearch:
    """Instantiate the score search with a game's rules. Compiles nothing yet.

    `table` is for games whose own kernels also use the table. Raises ValueError if a search with other rules
    already has the game's name.
    """
    rules.enter()
    table = table or score_table(rules.game, rules.key_bits, rules.point_bits)
    numbers = {"NUMBER_BITS": PROOF_BITS, "MOST_NUMBER": MOST_PROOF, "BEYOND": 4, "PAUSE_GOING_UP": True}
    instances = rules.instances({**table, **numbers})
    template: Callable[..., object]
    brought = (any_suffices, candidates, known, digest, efforts, recall, store, visit)
    shared = (proof_number.ask, begin_numbers, proof_number.expand, proof_number.overtaken, advance)
    for template in (begin, run, *brought, *shared):
        instances.of(template)
    question = instances.of(open_question)
    for template in (answer, values, follow):
        instances.of(template)
    line = instances.of(begin_line)
    instances.of(begin_best_line)
    return ScoreSearch(rules, question, instances.of(begin_values), line, instances.of(pursue))


@dataclass(frozen=True)
class Parts:
    """Settings that divide the work between proof-number search and alpha-beta. They never affect the answer."""

    small: int = 5  # tricks left at which alpha-beta solves a boundary directly
    most_visits: int = 600_000  # of proof-number search, before alpha-beta takes the whole question
    first_nodes: int = 200  # of alpha-beta's first attempt, if a question may be restarted
    more_percent: int = 50  # how much longer each further attempt is


class _Thread:
    """The working memory of one thread that works on a question."""

    def __init__(self, rules: ScoreRules, parts: Parts) -> None:
        longest = rules.longest_line
        shape = (rules.state_words, rules.most_moves)
        self.frames: Words = np.zeros((longest + 2) * (STATE + rules.state_words), np.int64)
        self.children: Words = np.zeros(longest * rules.most_moves * CHILD, np.int64)
        self.control: Words = np.zeros(SCORE_CONTROL_WORDS, np.int64)
        self.inner: Words = np.zeros(longest * (MOVE_LIST + sum(shape)), np.int64)
        self.task: Words = np.zeros(task_words(*shape, longest), np.int64)
        self.deal: Words = np.zeros(SCORE_WORDS, np.int64)
        self.use(parts)

    def use(self, parts: Parts) -> None:
        self.control[MOST_VISITS] = parts.most_visits
        self.control[FIRST_NODES] = parts.first_nodes
        self.control[MORE_PERCENT] = parts.more_percent


class ScoreProver:
    """Proves how many points a player can win in a game's deals. Only one analysis at a time may use it.

    Every question names its deal. Questions about the same deal share the transposition table; entries of other
    deals are ignored, so the work for a question does not depend on questions about other deals. Further threads
    help with long questions, if the control allows them.
    """

    def __init__(self, search: ScoreSearch, megabytes: int, *, parts: Parts | None = None) -> None:
        """Allocate the table. Its number of entries is the largest power of two that fits in `megabytes` MiB.

        The table is smaller if memory is scarce. Raises MemoryError if not even the smallest table fits.
        """
        self.search = search
        rules = search.rules
        self.table: Words = new_table(sizes(megabytes))
        self._parts = parts or Parts()
        self._own = _Thread(rules, self._parts)
        self._line_place = line_place(rules.state_words, rules.most_moves)
        self._helpers: list[_Thread] = []
        self._team = Team(pace=10)
        self._generation = 0
        self._generations = generations(rules.point_bits, rules.key_bits)

    @property
    def deal(self) -> Words:
        """The deal of the last question, as an array of int64 words."""
        return self._own.deal

    def use(self, parts: Parts) -> None:
        """Use these settings from now on."""
        self._parts = parts
        self._own.use(parts)

    def take(self, deal: Words) -> None:
        """Make `deal` the current deal, if it is not already. `ask`, `values` and `line` call this."""
        deal[SMALL] = self._parts.small
        if deal is self._own.deal:
            return
        self._generation += 1
        if self._generation >= self._generations:
            self.table[:] = 0
            self._generation = 1
        self._own.deal = deal
        deal[GENERATION] = self._generation
        deal[TABLE_WORDS] = min(len(self.table) - NEAR_WORDS, FIRST_WORDS)
        deal[SPLIT] = 0
        deal[STORED] = 0
        deal[KEYS] = 0
        deal[NEEDS] = 0

    def ask(self, deal: Words, root: Words, need: int, control: Control, *, stage: str = "") -> bool | None:
        """Return whether the player can win `need` more points from the node `root`.

        Returns None if the limit was reached. Raises OverflowError if a key or a question is wider than the game's
        rules say.
        """
        self.take(deal)
        root[NEED] = need
        own = self._own
        self.search.open_question(deal, root, own.frames, own.control, own.inner)
        own.task[KIND] = QUESTION_TASK
        if not self._drive(root, control, stage):
            return None
        return bool(own.control[RESULT])

    def values(
        self, deal: Words, root: Words, control: Control, *, stage: str = "", line: bool = False
    ) -> dict[int, tuple[int, int]]:
        """Return each move of a node, in canonical order, with a lower and an upper bound on its points.

        The two bounds of a move coincide unless the limit was reached. Its points include those won before `root`,
        which the caller must give as a negative number in `root[NEED]`. With `line`, `found_line` then has the
        line of best play, if all bounds coincide. Raises OverflowError as `ask` does.
        """
        self.take(deal)
        self.search.begin_values(deal, root, self._own.task)
        if line:
            self._own.task[KIND] = VALUES_AND_LINE
        self._drive(root.copy(), control, stage)
        return self.proved_values()

    def proved_values(self) -> dict[int, tuple[int, int]]:
        """Return the bounds that `values` has proved so far, while it runs or right after."""
        task = self._own.task
        count = int(task[COUNT])
        bounds = VALUES + self.search.rules.most_moves
        moves = task[VALUES : VALUES + count].tolist()
        ends = task[bounds : bounds + 2 * count].tolist()
        return dict(zip(moves, zip(ends[::2], ends[1::2], strict=True), strict=True))

    def line(self, deal: Words, root: Words, points: int, control: Control, *, stage: str = "") -> list[int]:
        """Return a line of best play by both sides from a node worth `points`.

        If the limit is reached, returns only the beginning of the line. Raises OverflowError as `ask` does.
        """
        self.take(deal)
        task = self._own.task
        self.search.begin_line(root, task, points)
        self._drive(root.copy(), control, stage)
        return self.found_line()

    def found_line(self) -> list[int]:
        """Return the line that `line` or `values` has found; empty if there is none yet."""
        rules, task = self.search.rules, self._own.task
        at = self._line_place
        line = at + OPEN + rules.most_moves + rules.state_words
        moves: list[int] = task[line : line + int(task[at + LENGTH])].tolist()
        return moves

    def _drive(self, root: Words, control: Control, stage: str) -> bool:
        """Continue the task, with helpers for long questions. Returns False if a limit ends it early."""
        try:
            return control.drive(partial(self._step, root, control), stage=stage)
        finally:
            self._close(control)

    def _step(self, root: Words, control: Control, budget: int) -> tuple[bool, int]:
        own = self._own.control
        before = int(own[NODES])
        if self._asking:
            more = self._team.wanted(control, before - int(own[BEGUN_AT]))
            if more:
                self._call(more)
        asked = int(own[BEGUN_AT])
        finished = self._run(self._own, root, self._team.slice(control, budget))
        if not finished and self._team.words[ASKED_NOW] != own[QUESTION]:
            own[RESULT] = next(result for helper in self._helpers if (result := helper.control[RESULT]) >= 0)
            own[DEPTH] = 0
            own[PHASE] = NUMBERS_PHASE
            self._close(control)
            finished = self._run(self._own, root, self._team.slice(control, budget))
        elif finished or not self._asking or own[BEGUN_AT] != asked:
            self._close(control)
        self._check_widths()
        return finished, int(own[NODES]) - before

    @property
    def _asking(self) -> bool:
        """Whether a question is in progress that alpha-beta has not taken over completely (see `visit`)."""
        task = self._own.task
        return bool(task[KIND] == QUESTION_TASK or task[ASKING]) and self._own.control[PHASE] != WHOLE_PHASE

    def _run(self, thread: _Thread, root: Words, budget: int) -> bool:
        arrays = (thread.frames, thread.children, thread.control, thread.inner, self.table, self._team.words)
        return bool(self.search.pursue(thread.deal, root, thread.task, Room(*arrays), budget))

    def _call(self, count: int) -> None:
        """Start `count` threads that help with the question."""
        rules = self.search.rules
        root = self._own.frames[STATE : STATE + rules.state_words]
        while len(self._helpers) < count:
            self._helpers.append(_Thread(rules, self._parts))
        for helper in self._helpers[:count]:
            helper.use(self._parts)
            helper.deal = self._own.deal.copy()
            self.search.open_question(helper.deal, root, helper.frames, helper.control, helper.inner)
            helper.task[KIND] = QUESTION_TASK
            helper.control[QUESTION] = self._team.words[ASKED_NOW]
        self._team.call([partial(self._help, helper) for helper in self._helpers[:count]])

    def _help(self, helper: _Thread) -> None:
        """Work on the question until a thread has answered it."""
        while self._team.words[ASKED_NOW] == helper.control[QUESTION]:
            follow_table(self._own.deal, helper.deal, (TABLE_WORDS, SPLIT), STORED)
            if self._run(helper, helper.frames, HELPER_NODES):
                self._team.end()

    def _close(self, control: Control) -> None:
        """Stop the helpers, and add their nodes to the control's."""
        self._team.close(control, [helper.control for helper in self._helpers], NODES)
        self._own.control[QUESTION] = self._team.words[ASKED_NOW]

    def _check_widths(self) -> None:
        """Raise OverflowError if a key or question was wider than the rules say.

        The search records in `deal` every bit that a key or a question has used.
        """
        rules, deal = self.search.rules, self._own.deal
        for word, bits, what in (
            (KEYS, rules.key_bits, "key"),
            (NEEDS, rules.point_bits, "question"),
        ):
            seen = int(deal[word])
            if seen >> bits:
                deal[word] = 0
                width = "64 bits" if seen < 0 else f"{seen.bit_length()} bits"
                advice = f"; {NARROWER}" if word == KEYS else ""
                raise OverflowError(
                    f"{rules.game}: a {what} of the search takes {width}, its rules say {bits}{advice}"
                )
