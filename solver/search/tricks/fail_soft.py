"""Fail-soft null-window alpha-beta: is a node worth at least `need`, and what else is proved of it? A template.

The counterpart of `alpha_beta` for games whose scores are many and whose nodes need two words. A question asks of
one threshold; the answer is a bound, often beyond the threshold, which saves questions. Bounds that the game
proves without a search cut before any move is looked at. Boundaries of tricks are remembered.
"""

from __future__ import annotations

from solver.kernels.words import Words
from solver.search.switches import HISTORY, PROBING, RELATED, RELAXING, TABLE
from solver.search.tricks.fail_soft_vocabulary import (
    MOST_CONTEXTS,
    MOVE_CODES,
    context,
    estimate,
    key,
    moves,
    probing,
    relaxed,
    settle,
    stalled,
    toll,
)
from solver.search.tricks.vocabulary import MOST_MOVES, STATE_WORDS, boundary, maximises, play, size
from solver.search.tricks.words import SWITCHES
from solver.search.tricks.worth_table import EXACT, packed, put_wide, recall, wide_bucket

# Words of a frame before its moves; the state follows them. LOW and HIGH: the proved bounds of the node's worth.
# RELAXED: 1 while a node worth no more is asked in place of this one. LIMIT: the number of nodes at which this
# node is given up, unless a node below it is earlier. ALLOWED: the nodes that each move has in this round, 0 for
# any number; moves that are done with are -1 in the list.
MOVE_COUNT, NEXT, SIDE, LOW, HIGH, BEST, BEST_MOVE, KEY, SECOND_KEY, OFFSET, BUCKET_AT, LEFT, PAST = range(13)
RELAXED, LIMIT, ALLOWED, MOVE_LIST = range(13, 17)
# Words of the control array. DEPTH: frames in use. WORTH: the bound that answers the question.
DEPTH, NODES, NEEDED, WORTH = range(4)
CONTROL_WORDS = 4
SMALLEST_REMEMBERED = 2  # tricks left at a boundary
LARGEST = 1 << 40
UNLIMITED = 1 << 60
ROUND_GROWTH = 8


HISTORY_WORDS = MOST_CONTEXTS * MOVE_CODES


def width(state_words: int, most_moves: int) -> int:
    """Words of a frame."""
    return MOVE_LIST + most_moves + state_words


# Templates from here on.


def begin_soft(root: Words, stack: Words, control: Words, need: int) -> None:
    """Put a root node on an empty stack."""
    stack[MOVE_COUNT] = -1
    for word in range(STATE_WORDS):
        stack[MOVE_LIST + MOST_MOVES + word] = root[word]
    control[DEPTH] = 1
    control[NEEDED] = need
    stack[LIMIT] = UNLIMITED


def keep(deal: Words, stack: Words, table: Words, at: int, worth: int, need: int) -> None:
    """Remember what was proved of the node in the frame at `at`."""
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


def run_soft(deal: Words, stack: Words, table: Words, history: Words, control: Words, budget: int) -> bool:
    """Go on for at most `budget` nodes; True when `control[WORTH]` holds the answer.

    A worth of at least `need` is a lower bound of the root's, any other an upper bound. It ends early where the
    rules are `stalled`; that node is looked at again when it goes on.
    """
    frame = MOVE_LIST + MOST_MOVES + STATE_WORDS
    state = MOVE_LIST + MOST_MOVES
    need = control[NEEDED]
    depth = control[DEPTH]
    nodes = 0
    worth = 0  # of the child just left
    left_child = False
    while depth > 0:
        at = (depth - 1) * frame
        if left_child and stack[at + RELAXED] != 0:
            stack[at + RELAXED] = 0
            if worth >= need:
                keep(deal, stack, table, at, worth, need)
                depth -= 1
                continue
            left_child = False  # this says nothing of the node itself: on with its moves
        elif left_child:
            side = stack[at + SIDE]
            better = worth > stack[at + BEST] if side == 1 else worth < stack[at + BEST]
            if better:
                stack[at + BEST] = worth
                stack[at + BEST_MOVE] = stack[at + MOVE_LIST + stack[at + NEXT] - 1]
            if (worth >= need) == (side == 1):
                if deal[SWITCHES] & HISTORY:
                    history[stack[at + PAST] + stack[at + MOVE_LIST + stack[at + NEXT] - 1]] += (
                        1 + stack[at + LEFT] * stack[at + LEFT]
                    )
                if stack[at + BUCKET_AT] >= 0:
                    keep(deal, stack, table, at, worth, need)
                depth -= 1
                continue
            left_child = False
            if stack[at + ALLOWED] != 0:
                stack[at + MOVE_LIST + stack[at + NEXT] - 1] = -1
        elif stack[at + MOVE_COUNT] < 0:
            if nodes >= budget:
                break
            if control[NODES] + nodes >= stack[at + LIMIT]:
                while control[NODES] + nodes >= stack[at + LIMIT]:
                    depth -= 1
                    at = (depth - 1) * frame
                continue  # with the next move of the node that set the limit
            nodes += 1 + toll(deal)
            stack[at + RELAXED] = 0
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
            stack[at + BUCKET_AT] = -1
            tricks = size(deal, stack, at + state)
            stack[at + LEFT] = tricks
            if deal[SWITCHES] & TABLE and tricks >= SMALLEST_REMEMBERED and boundary(deal, stack, at + state):
                key(deal, stack, at + state, stack, at + KEY)
                bucket = wide_bucket(stack[at + KEY], table, tricks)
                stack[at + BUCKET_AT] = bucket
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
            for place in range(at + MOVE_LIST, at + MOVE_LIST + index):
                if stack[place] >= 0:
                    left += 1
            if left > 0:
                stack[at + ALLOWED] = 0 if left == 1 else stack[at + ALLOWED] * ROUND_GROWTH
                index = 0
        if index < stack[at + MOVE_COUNT] and stack[at + MOVE_LIST + index] < 0:
            stack[at + NEXT] = index + 1
            continue
        if index == stack[at + MOVE_COUNT]:
            # Nothing cut: the best of the children bounds the node from the other side.
            if stack[at + SIDE] == 1:
                worth = min(stack[at + BEST], stack[at + HIGH])
            else:
                worth = max(stack[at + BEST], stack[at + LOW])
            if stack[at + BUCKET_AT] >= 0:
                keep(deal, stack, table, at, worth, need)
            left_child = True
            depth -= 1
            continue
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
