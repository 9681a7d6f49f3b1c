"""Fail-soft null-window alpha-beta: is a node worth at least `need`, and which bound on its worth is proved?

The functions are templates, which are compiled with the rules of a trick game. The search is the counterpart of
`score_search` for games with many scores, whose nodes need keys of two words. A question has one threshold; the
answer is a bound, often beyond the threshold, which saves questions. Bounds that the game proves without a search
cut off before any move is tried. Nodes between tricks are stored in a transposition table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from solver.kernels.jit import apart, inlined
from solver.kernels.words import Words, prefetch, wrapping_product
from solver.limits import Control
from solver.search.memory import new_table, powers_of_two
from solver.search.parallel import ASKED, HELPERS, Team, place_of
from solver.search.rules import HISTORY, PROBING, RELATED, RELAXING, TABLE
from solver.search.trick_rules import (
    FAIL_SOFT_WORDS,
    GENERATION,
    MOST_MOVES,
    STATE_WORDS,
    SWITCHES,
    OfNode,
    SearchRules,
    boundary,
    maximises,
    play,
    size,
)

# ----------------------------------------------------------------------------------------------------
# What a trick game provides for the fail-soft search besides `SearchRules`.
#
# This search is for games with many scores, whose nodes need two words. The worth of a node is the score that the
# player reaches from it, including what was won before.


MOVE_CODES = 88  # moves are numbers below this; rows of history a power of two apart would share cache lines
MOST_CONTEXTS = 128
MOST_WORTH = (1 << 27) - 1  # a bound on a worth is at most this


def settle(deal: Words, state: Words, at: int, out: Words, to: int, need: int) -> None:
    """Write cheap bounds on the node's worth to `out[to]` (lower) and `out[to + 1]` (upper).

    At the end of the round, both bounds must equal the node's worth.
    """
    raise NotImplementedError


def first_key(deal: Words, state: Words, at: int) -> int:
    """Return the first word of the key of a boundary, a node between tricks: where the table has the node."""
    raise NotImplementedError


def second_key(deal: Words, state: Words, at: int, out: Words, to: int) -> None:
    """Write the second word of a boundary's key to `out[to]`, and its offset to `out[to + 1]`.

    Let A and B be boundaries with the same first word, where A's second word has all bits of B's. Then A's worth
    minus its offset must be at least B's worth minus its offset. A boundary's offset must not exceed any bound
    proved on its worth.
    """
    raise NotImplementedError


def moves(deal: Words, state: Words, at: int, out: Words, to: int, first: int, history: Words, past: int) -> int:
    """Write the moves to `out`, from `to` on, the most promising first, and return their number.

    If `first` is not -1, that move must come first. `history[past + move]` is a move's history score in this
    context, which grows whenever the move causes a cutoff, and falls whenever it was tried before the move that
    did.
    """
    raise NotImplementedError


# Optional rules.


def estimate(deal: Words, state: Words, at: int, out: Words, to: int, need: int) -> None:
    """Tighten the bounds in `out` by further static bounds. Called only for nodes that are not in the table.

    The default leaves the bounds as they are.
    """


def context(deal: Words, state: Words, at: int) -> int:
    """Return a number below `MOST_CONTEXTS`. Nodes with the same number share the history scores of moves.

    Nodes where different sides have the same moves must have different numbers. The default returns the side to
    move.
    """
    return maximises(deal, state, at)


def relaxed(deal: Words, state: Words, at: int, child: Words, to: int, need: int) -> bool:
    """Write to `child` at `to` a boundary that cannot be worth more than the one at `at`; False if it writes none.

    The search tries that boundary first: if it is worth `need`, so is the one at `at`. This helps if one such
    boundary serves in place of many, and is likely to be worth `need`. The default returns False.
    """
    return False


def stalled(deal: Words) -> bool:
    """Whether the last call of `settle` or `estimate` lacked a number that must be computed outside the kernel.

    If so, the search pauses, and its caller computes the number (`Relief`). Then the search continues with the
    same node, and calls `settle` again. The default returns False.
    """
    return False


def toll(deal: Words) -> int:
    """Return the time that the rules' own computations took since the last call of `toll`, measured in nodes.

    The default returns 0.
    """
    return 0


def probing(deal: Words, tricks: int) -> int:
    """Return the node limit for each move in the first round, or 0 to search without rounds.

    Where the minimizing side is to move, the moves can be searched in rounds: each move up to a node limit, which
    grows from round to round. That helps if a good move is cheap to prove and a bad one expensive to refute. The
    default returns 0.
    """
    return 0


# ----------------------------------------------------------------------------------------------------
# A transposition table for nodes that need two words: bounds on a node's worth, and its best move.
#
# The second word is a set; of two nodes that differ only in it, the one with the larger set is worth at least as
# much. So nodes with the same first word share a bucket, and their bounds help one another.
#
# An entry is four words: two of the key, the bounds with the move, and a seal of these three and the generation.
# So an entry is never believed in another question, and nothing needs clearing. Nor is an entry believed whose
# words several threads wrote at the same time, without locks (Hyatt and Mann 2002). The worth of a node is counted
# from an *offset* that the game gives, so that nodes which differ only by their offset share an entry.


ENTRY = 4  # words
BUCKET = 4 * ENTRY
WORTH_BITS = MOST_WORTH.bit_length()
MOVE_BITS = 8
EXACT = 1 << MOVE_BITS  # above any move
NEAR_WORDS = 1 << 18


@inlined
def packed(lower: int, upper: int, move: int) -> int:
    """Pack bounds and a move, or -1 for no move, into the data word of a table entry."""
    return int(lower | (upper << WORTH_BITS) | ((move + 1) << (2 * WORTH_BITS)))


@inlined
def lower_of(data: int) -> int:
    return data & MOST_WORTH


@inlined
def upper_of(data: int) -> int:
    return (data >> WORTH_BITS) & MOST_WORTH


@inlined
def move_of(data: int) -> int:
    return (data >> (2 * WORTH_BITS)) - 1


@inlined
def seal(first: int, second: int, data: int, generation: int) -> int:
    """Compute the fourth word of a table entry: a hash of the other three and the deal's generation."""
    mixed = wrapping_product(first ^ wrapping_product(data, 0x1B03738712FAD5C9), 0x1E3779B97F4A7C15)
    mixed = wrapping_product(mixed ^ (mixed >> 29) ^ second, 0x1B03738712FAD5C9)
    return int(mixed ^ (mixed >> 32) ^ generation)


@inlined
def wide_bucket(key: int, table: Words, left: int) -> int:
    """Return the table index of the first word of the bucket for `key`.

    Nodes with at most three tricks `left`, of which there are many, share a small part of the table, so that it
    stays in the processor's cache.
    """
    mixed = wrapping_product(key, 0x1E3779B97F4A7C15) & 0x7FFFFFFFFFFFFFFF
    mixed = wrapping_product(mixed ^ (mixed >> 29), 0x1B03738712FAD5C9) & 0x7FFFFFFFFFFFFFFF
    part = len(table)
    if left <= 3:
        part = min(part, NEAR_WORDS if left <= 2 else 8 * NEAR_WORDS)
    return int(((mixed >> 20) * BUCKET) & (part - 1))


@inlined
def recall(
    deal: Words, table: Words, bucket: int, key: Words, at: int, out: Words, to: int, offset: int, related: bool
) -> int:
    """Tighten the bounds in `out[to]` and `out[to + 1]` with those stored for the node whose key is at `key[at]`.

    The table's bounds are relative to `offset`. If the node is stored, returns `EXACT` + m, where m is its best
    move or, if it has none, -1. Otherwise returns -1.

    With `related`, stored nodes whose keys have the same first word are used, too. One that cannot be worth more
    than this node raises the lower bound, and one that cannot be worth less reduces the upper bound. If this node
    itself is not stored, returns the best move of the first of them that has one.
    """
    first = key[at]
    second = key[at + 1]
    move = -1
    for entry in range(bucket, bucket + BUCKET, ENTRY):
        if table[entry] == first:
            other = table[entry + 1]
            data = table[entry + 2]
            if table[entry + 3] != seal(first, other, data, deal[GENERATION]):
                continue
            if other == second:
                out[to] = max(out[to], lower_of(data) + offset)
                out[to + 1] = min(out[to + 1], upper_of(data) + offset)
                return int(EXACT + move_of(data))
            if related:
                if move < 0:
                    move = move_of(data)
                if other & ~second == 0:
                    out[to] = max(out[to], lower_of(data) + offset)
                if second & ~other == 0:
                    out[to + 1] = min(out[to + 1], upper_of(data) + offset)
    return int(move)


@inlined
def put_wide(deal: Words, table: Words, bucket: int, first: int, second: int, data: int) -> None:
    """Store a node's data as the first entry of its bucket.

    The other entries move back by one, over the node's old entry or else the oldest. Entries of other generations
    count as empty.
    """
    entry = bucket
    while entry < bucket + BUCKET - ENTRY:
        same = table[entry] == first and table[entry + 1] == second
        if same and table[entry + 3] == seal(first, second, table[entry + 2], deal[GENERATION]):
            break
        entry += ENTRY
    for word in range(entry + ENTRY - 1, bucket + ENTRY - 1, -1):
        table[word] = table[word - ENTRY]
    table[bucket] = first
    table[bucket + 1] = second
    table[bucket + 2] = data
    table[bucket + 3] = seal(first, second, data, deal[GENERATION])


# Words of a frame before its moves; the state follows them. LOW and HIGH: the proved bounds of the node's worth.
# RELAXED: 1 while a node worth no more is searched in place of this one. LIMIT: the number of nodes at which this
# node is given up, unless a node below it has an earlier limit. ALLOWED: the nodes that each move may use in this
# round, 0 for any number; finished moves are -1 in the list. PATH: a hash of the node. LATE: how many moves at the
# end of the list were put off. MARK: the mark of the move being searched, 0 for none.
MOVE_COUNT, NEXT, SIDE, LOW, HIGH, BEST, BEST_MOVE, KEY, SECOND_KEY, OFFSET, BUCKET_AT, LEFT, PAST = range(13)
RELAXED, LIMIT, ALLOWED, PATH, LATE, MARK, MOVE_LIST = range(13, 20)
# Words of the control array. DEPTH: frames in use. WORTH: the bound that answers the question. QUESTION: its
# number.
DEPTH, NODES, NEEDED, WORTH, QUESTION = range(5)
CONTROL_WORDS = 5
SMALLEST_REMEMBERED = 2  # tricks left at a boundary
LARGEST = 1 << 40
UNLIMITED = 1 << 60
ROUND_GROWTH = 8


HISTORY_WORDS = MOST_CONTEXTS * MOVE_CODES
SHARED_TRICKS = 3  # with at least this many tricks left, a move that another thread is searching is put off
_LOOK = 256  # nodes between two checks of what other threads have proved about the nodes on the stack


def width(state_words: int, most_moves: int) -> int:
    """Number of words in a stack frame."""
    return MOVE_LIST + most_moves + state_words


# Templates from here on.


def begin_soft(root: Words, stack: Words, control: Words, need: int) -> None:
    """Begin a search: put the root on an empty stack, and write the threshold `need` to `control`."""
    stack[MOVE_COUNT] = -1
    for word in range(STATE_WORDS):
        stack[MOVE_LIST + MOST_MOVES + word] = root[word]
    control[DEPTH] = 1
    control[NEEDED] = need
    stack[LIMIT] = UNLIMITED
    stack[PATH] = 0


# Several threads that ask the same question share the table. Each marks the later moves that it is searching;
# another thread that reaches the same node tries marked moves last. But all begin with the first move: until that
# has been searched, nobody knows whether the others matter (Weill 1996: ABDADA; Feldmann 1993: young brothers
# wait). No move is ever left out.


@inlined
def mark_of(path: int, move: int) -> int:
    """Return the mark, never 0, by which a thread shows the others that it is searching this move.

    `path` is a hash of the node.
    """
    return int(wrapping_product(path ^ (move + 1), 0x1E3779B97F4A7C15) | 1)


@inlined
def unmark(stack: Words, team: Words, at: int) -> None:
    """Remove the shared mark of the move that the stack frame at `at` was searching, if there is one."""
    mark = stack[at + MARK]
    if mark != 0:
        stack[at + MARK] = 0
        if team[place_of(mark)] == mark:
            team[place_of(mark)] = 0


def overtaken(deal: Words, stack: Words, table: Words, team: Words, depth: int, need: int) -> int:
    """Return how many stack frames to keep: up to and including the first that other threads have answered.

    Removes the marks of the moves that this frame and those after it were searching. Returns `depth` if no frame
    has been answered.
    """
    frame = MOVE_LIST + MOST_MOVES + STATE_WORDS
    for level in range(depth - 1):
        at = level * frame
        if stack[at + BUCKET_AT] >= 0:
            bucket = stack[at + BUCKET_AT]
            recall(deal, table, bucket, stack, at + KEY, stack, at + LOW, stack[at + OFFSET], False)
            if stack[at + LOW] >= need or stack[at + HIGH] < need:
                for dropped in range(level, depth - 1):
                    unmark(stack, team, dropped * frame)
                return int(level + 1)
    return int(depth)


def demote(stack: Words, history: Words, at: int, worth: int) -> None:
    """Lower the history scores of the moves that were tried before the last one."""
    for entry in range(at + MOVE_LIST, at + MOVE_LIST + stack[at + NEXT] - 1):
        if stack[entry] >= 0:
            history[stack[at + PAST] + stack[entry]] -= worth


def keep(deal: Words, stack: Words, table: Words, at: int, worth: int, need: int) -> None:
    """Store the bounds proved for the node in the stack frame at `at`.

    `worth` is one of them: if it is at least `need`, a lower bound, otherwise an upper one.
    """
    low = stack[at + LOW]
    high = stack[at + HIGH]
    if worth >= need:
        low = max(low, worth)
    else:
        high = min(high, worth)
    offset = stack[at + OFFSET]
    put_wide(
        deal,
        table,
        stack[at + BUCKET_AT],
        stack[at + KEY],
        stack[at + SECOND_KEY],
        packed(low - offset, high - offset, stack[at + BEST_MOVE]),
    )


def run_soft(
    deal: Words, stack: Words, table: Words, history: Words, control: Words, team: Words, budget: int
) -> bool:
    """Continue the search for at most `budget` nodes. Returns True when `control[WORTH]` holds the answer.

    An answer of at least `need` is a lower bound on the root's worth, any other an upper bound. The search pauses
    if the rules are `stalled`, and later continues with the same node. `team` is shared by the threads
    that work on this question (`solver.search.parallel`); the search also ends early if another thread has found
    the answer.
    """
    frame = MOVE_LIST + MOST_MOVES + STATE_WORDS
    state = MOVE_LIST + MOST_MOVES
    need = control[NEEDED]
    depth = control[DEPTH]
    nodes = 0
    worth = 0  # the worth of the child just left
    left_child = False
    while depth > 0:
        at = (depth - 1) * frame
        if left_child:
            unmark(stack, team, at)
        if left_child and stack[at + RELAXED] != 0:
            stack[at + RELAXED] = 0
            if worth >= need:
                keep(deal, stack, table, at, worth, need)
                depth -= 1
                continue
            left_child = False  # nothing is known about the node itself: continue with its moves
        elif left_child:
            side = stack[at + SIDE]
            better = worth > stack[at + BEST] if side == 1 else worth < stack[at + BEST]
            if better:
                stack[at + BEST] = worth
                stack[at + BEST_MOVE] = stack[at + MOVE_LIST + stack[at + NEXT] - 1]
            if (worth >= need) == (side == 1):
                if deal[SWITCHES] & HISTORY:
                    move = stack[at + MOVE_LIST + stack[at + NEXT] - 1]
                    merit = 1 + stack[at + LEFT] * stack[at + LEFT]
                    history[stack[at + PAST] + move] += merit
                    # In rounds, a move before it may only have used up its nodes.
                    if stack[at + NEXT] > 1 and stack[at + ALLOWED] == 0:
                        demote(stack, history, at, merit)
                if stack[at + BUCKET_AT] >= 0:
                    keep(deal, stack, table, at, worth, need)
                depth -= 1
                continue
            left_child = False
            if stack[at + ALLOWED] != 0:
                stack[at + MOVE_LIST + stack[at + NEXT] - 1] = -1
        elif stack[at + MOVE_COUNT] < 0:
            if nodes >= budget or team[ASKED] != control[QUESTION]:
                break
            if control[NODES] + nodes >= stack[at + LIMIT]:
                while control[NODES] + nodes >= stack[at + LIMIT]:
                    depth -= 1
                    at = (depth - 1) * frame
                    unmark(stack, team, at)
                continue  # with the next move of the node that set the limit
            if team[HELPERS] != 0 and (control[NODES] + nodes) % _LOOK == 0:
                up = overtaken(deal, stack, table, team, depth, need)
                if up < depth:
                    at = (up - 1) * frame
                    worth = stack[at + LOW] if stack[at + LOW] >= need else stack[at + HIGH]
                    left_child = True
                    depth = up - 1
                    nodes += 1  # so that it is not tried again immediately
                    continue
            nodes += 1 + toll(deal)
            stack[at + RELAXED] = 0
            stack[at + MARK] = 0
            bucket = -1
            tricks = size(deal, stack, at + state)
            if deal[SWITCHES] & TABLE and tricks >= SMALLEST_REMEMBERED and boundary(deal, stack, at + state):
                stack[at + KEY] = first_key(deal, stack, at + state)
                bucket = wide_bucket(stack[at + KEY], table, tricks)
                prefetch(table, bucket)
                prefetch(table, bucket + BUCKET // 2)
            settle(deal, stack, at + state, stack, at + LOW, need)
            if stalled(deal):
                nodes -= 1
                break
            if stack[at + LOW] >= need or stack[at + HIGH] < need:
                worth = stack[at + LOW] if stack[at + LOW] >= need else stack[at + HIGH]
                left_child = True
                depth -= 1
                continue
            first = -1
            stack[at + LEFT] = tricks
            stack[at + BUCKET_AT] = bucket
            if bucket >= 0:
                second_key(deal, stack, at + state, stack, at + SECOND_KEY)
                related = deal[SWITCHES] & RELATED != 0
                first = recall(deal, table, bucket, stack, at + KEY, stack, at + LOW, stack[at + OFFSET], related)
            if first >= EXACT - 1:
                first -= EXACT
            elif stack[at + LOW] < need and stack[at + HIGH] >= need:
                estimate(deal, stack, at + state, stack, at + LOW, need)
                if stalled(deal):
                    nodes -= 1
                    break
            if stack[at + LOW] >= need or stack[at + HIGH] < need:
                worth = stack[at + LOW] if stack[at + LOW] >= need else stack[at + HIGH]
                left_child = True
                depth -= 1
                continue
            stack[at + SIDE] = maximises(deal, stack, at + state)
            past = context(deal, stack, at + state) * MOVE_CODES
            stack[at + PAST] = past
            stack[at + MOVE_COUNT] = moves(deal, stack, at + state, stack, at + MOVE_LIST, first, history, past)
            stack[at + NEXT] = 0
            stack[at + LATE] = 0
            if tricks >= SHARED_TRICKS and stack[at + BUCKET_AT] >= 0:
                stack[at + PATH] = wrapping_product(
                    stack[at + KEY] ^ wrapping_product(stack[at + SECOND_KEY], 0x1B03738712FAD5C9),
                    0x1E3779B97F4A7C15,
                )
            stack[at + ALLOWED] = 0
            if (
                deal[SWITCHES] & PROBING
                and stack[at + SIDE] == 0
                and stack[at + MOVE_COUNT] > 1
                and stack[at + LIMIT] == UNLIMITED  # rounds within rounds cost more than they save
            ):
                stack[at + ALLOWED] = probing(deal, tricks)
            stack[at + BEST] = -1 if stack[at + SIDE] == 1 else LARGEST
            stack[at + BEST_MOVE] = first
            if (
                deal[SWITCHES] & RELAXING
                and stack[at + BUCKET_AT] >= 0
                and relaxed(deal, stack, at + state, stack, at + frame + state, need)
            ):
                stack[at + RELAXED] = 1
                stack[at + frame + MOVE_COUNT] = -1
                stack[at + frame + LIMIT] = stack[at + LIMIT]
                depth += 1
                continue
        index = stack[at + NEXT]
        if index == stack[at + MOVE_COUNT] and stack[at + ALLOWED] != 0:
            left = 0
            for entry in range(at + MOVE_LIST, at + MOVE_LIST + index):
                if stack[entry] >= 0:
                    left += 1
            if left > 0:
                stack[at + ALLOWED] = 0 if left == 1 else stack[at + ALLOWED] * ROUND_GROWTH
                stack[at + LATE] = 0
                index = 0
        if index < stack[at + MOVE_COUNT] and stack[at + MOVE_LIST + index] < 0:
            stack[at + NEXT] = index + 1
            continue
        if index == stack[at + MOVE_COUNT]:
            # Nothing cut: the best child bounds the node from the other side.
            if stack[at + SIDE] == 1:
                worth = min(stack[at + BEST], stack[at + HIGH])
            else:
                worth = max(stack[at + BEST], stack[at + LOW])
            if stack[at + BUCKET_AT] >= 0:
                keep(deal, stack, table, at, worth, need)
            left_child = True
            depth -= 1
            continue
        if stack[at + LEFT] >= SHARED_TRICKS:
            mark = mark_of(stack[at + PATH], stack[at + MOVE_LIST + index])
            if team[HELPERS] != 0:
                last = stack[at + MOVE_COUNT] - stack[at + LATE] - 1
                if 0 < index < last and team[place_of(mark)] == mark:
                    late = stack[at + MOVE_LIST + index]
                    for entry in range(at + MOVE_LIST + index, at + MOVE_LIST + stack[at + MOVE_COUNT] - 1):
                        stack[entry] = stack[entry + 1]
                    stack[at + MOVE_LIST + stack[at + MOVE_COUNT] - 1] = late
                    stack[at + LATE] += 1
                    continue
                if index > 0:  # nobody puts a first move off, and marks cost time: they move between processors
                    stack[at + MARK] = mark
                    team[place_of(mark)] = mark
            stack[at + frame + PATH] = mark
        stack[at + NEXT] = index + 1
        play(deal, stack, at + state, stack, at + frame + state, stack[at + MOVE_LIST + index])
        stack[at + frame + MOVE_COUNT] = -1
        stack[at + frame + LIMIT] = stack[at + LIMIT]
        if stack[at + ALLOWED] != 0:
            stack[at + frame + LIMIT] = control[NODES] + nodes + stack[at + ALLOWED]
        depth += 1
    if depth == 0:
        control[WORTH] = worth
    control[DEPTH] = depth
    control[NODES] += nodes
    return bool(depth == 0)


# ----------------------------------------------------------------------------------------------------
# The record of a trick game's rules for the fail-soft search.


Bounds = Callable[[Words, Words, int, Words, int, int], None]


@dataclass(frozen=True, kw_only=True)
class FailSoftRules(SearchRules):
    """The rules that the fail-soft search needs: the functions above, and the fields of `SearchRules`."""

    settle: Bounds
    first_key: OfNode
    second_key: Callable[[Words, Words, int, Words, int], None]
    moves: Callable[[Words, Words, int, Words, int, int, Words, int], int]
    estimate: Bounds = estimate
    context: OfNode = context
    relaxed: Callable[[Words, Words, int, Words, int, int], bool] = relaxed
    probing: Callable[[Words, int], int] = probing
    stalled: Callable[[Words], bool] = stalled
    toll: Callable[[Words], int] = toll


# ----------------------------------------------------------------------------------------------------
# `FailSoftProver`: the fail-soft search instantiated for a game, its arrays, and asking questions.


GENERATIONS = 1 << 22  # before the table must be cleared

# Computes, under a control, the number that stalled rules lack (`stalled`); False if the control's limit was
# reached.
Relief = Callable[[Control], bool]


@dataclass(frozen=True)
class FailSoftSearch:
    """The kernels that `FailSoftProver` calls, and the rules that they were instantiated with.

    Made by `fail_soft_search`; the templates above document the kernels.
    """

    rules: FailSoftRules
    begin: Callable[[Words, Words, Words, int], None]
    run: Callable[[Words, Words, Words, Words, Words, Words, int], bool]
    stalled: Callable[[Words], bool]


def fail_soft_search(rules: FailSoftRules) -> FailSoftSearch:
    """Instantiate the fail-soft search with a game's rules. Compiles nothing yet.

    Raises ValueError if a search with other rules already has the game's name.
    """
    rules.enter()
    instances = rules.instances()
    begin = instances.of(begin_soft)
    instances.of(demote)
    instances.of(keep)
    instances.of(overtaken)
    return FailSoftSearch(rules, begin, instances.of(run_soft, apart), instances.names["stalled"])


class Room(NamedTuple):
    """The arrays with which a thread searches. All threads share the `table` and the words of the `team`."""

    stack: Words
    table: Words
    history: Words
    control: Words
    team: Words


class _Thread:
    """The working memory of one thread that works on a question."""

    def __init__(self, rules: FailSoftRules) -> None:
        self.stack: Words = np.zeros(rules.longest_line * width(rules.state_words, rules.most_moves), np.int64)
        self.control: Words = np.zeros(CONTROL_WORDS, np.int64)
        self.history: Words = np.zeros(HISTORY_WORDS, np.int64)
        self.deal: Words = np.zeros(FAIL_SOFT_WORDS, np.int64)


class FailSoftProver:
    """Proves bounds on the score that a player reaches in a game's deals. Only one analysis at a time may use it.

    Every question names its deal. Questions about the same deal share the transposition table; entries of other
    deals are ignored, so the work for a question does not depend on questions about other deals. Further threads
    help with long questions, if the control allows them.
    """

    def __init__(self, search: FailSoftSearch, megabytes: int) -> None:
        """Allocate the table. Its size in words is the largest power of two that fits in `megabytes` MiB.

        The table is smaller if memory is scarce. Raises MemoryError if not even the smallest table fits.
        """
        self.search = search
        self.table: Words = new_table(powers_of_two(megabytes))
        self._own = _Thread(search.rules)
        self._helpers: list[_Thread] = []
        self._team = Team(pace=3)
        self._generation = 0

    @property
    def deal(self) -> Words:
        """The deal of the last question, as an array of int64 words."""
        return self._own.deal

    def take(self, deal: Words) -> None:
        """Make `deal` the current deal, if it is not already. `ask` calls this itself."""
        if deal is self.deal:
            return
        self._generation += 1
        if self._generation >= GENERATIONS:
            self.table[:] = 0
            self._generation = 1
        self._own.deal = deal
        self.deal[GENERATION] = self._generation
        self._own.history[:] = 0

    def ask(
        self,
        deal: Words,
        root: Words,
        need: int,
        control: Control,
        *,
        nodes: int | None = None,
        until: float | None = None,
        relief: Relief | None = None,
    ) -> int | None:
        """Return a bound on the worth of the node `root`.

        A bound of `need` or more is a lower bound, any other an upper bound. Returns None if a limit was reached:
        the control's, `nodes`, or `until` (a `time.monotonic` moment). Rules in which a search can stall require
        `relief`. Raises OverflowError if `need` is below 0 or above the largest possible worth.
        """
        if not 0 <= need <= MOST_WORTH:
            raise OverflowError(f"a worth is asked about from 0 to {MOST_WORTH}, not {need}")
        self.take(deal)
        self._begin(self._own, root, need)
        begun = int(self._own.control[NODES])

        def step(budget: int) -> tuple[bool, int]:
            more = self._team.wanted(control, int(self._own.control[NODES]) - begun)
            if more:
                self._call(more, root, need)
            return self._step(budget)

        last = None if nodes is None else control.nodes + nodes
        try:
            while control.drive(step, until=until, node_share=_left(control, last), stage="prove"):
                if self._own.control[DEPTH] == 0:
                    return int(self._own.control[WORTH])
                assert relief is not None, "rules that may be stalled need relief"
                with control.part(until=until, nodes=_left(control, last)) as part:
                    if not relief(part):
                        return None
            return None
        finally:
            self._team.close(control, [helper.control for helper in self._helpers], NODES)

    @property
    def nodes(self) -> int:
        """The nodes counted so far, without those of helping threads."""
        return int(self._own.control[NODES])

    def room(self, deal: Words) -> Room:
        """Make `deal` the current deal, and return the arrays for a kernel that asks short questions itself.

        No thread helps it.
        """
        self.take(deal)
        own = self._own
        own.control[QUESTION] = self._team.words[ASKED]
        return Room(own.stack, self.table, own.history, own.control, self._team.words)

    def _begin(self, thread: _Thread, root: Words, need: int) -> None:
        self.search.begin(root, thread.stack, thread.control, need)
        thread.control[QUESTION] = self._team.words[ASKED]

    def _run(self, thread: _Thread, budget: int) -> bool:
        return bool(
            self.search.run(
                thread.deal, thread.stack, self.table, thread.history, thread.control, self._team.words, budget
            )
        )

    def _step(self, budget: int) -> tuple[bool, int]:
        own = self._own.control
        before = int(own[NODES])
        ended = self._run(self._own, budget)
        if not ended and self._team.words[ASKED] != own[QUESTION]:
            answered = next(helper for helper in self._helpers if helper.control[DEPTH] == 0)
            own[WORTH], own[DEPTH] = answered.control[WORTH], 0
            ended = True
        return ended or bool(self.search.stalled(self.deal)), int(own[NODES]) - before

    def _call(self, count: int, root: Words, need: int) -> None:
        """Start `count` threads that help with the question."""
        while len(self._helpers) < count:
            self._helpers.append(_Thread(self.search.rules))
        for helper in self._helpers[:count]:
            helper.deal = self.deal.copy()
            helper.history[:] = self._own.history
            self._begin(helper, root, need)
        self._team.call([partial(self._help, helper) for helper in self._helpers[:count]])

    def _help(self, helper: _Thread) -> None:
        """Work on the question until it is answered, or needs relief, which only the asking thread can give."""
        if self._run(helper, UNLIMITED):
            self._team.end()


def _left(control: Control, last: int | None) -> int | None:
    """Number of nodes left until the control has counted `last` nodes; None if `last` is None."""
    return None if last is None else max(0, last - control.nodes)
