"""Null-window alpha-beta on an explicit stack: can the player reach `need` more points? A template.

One bit of answer a node makes alpha-beta a walk through an and-or tree: a node of the player's side is YES by
one child that is, another node NO by one child that is. Boundaries of tricks are remembered in the table, as
bounds that serve every later question.
"""

from __future__ import annotations

from solver.kernels.words import Words
from solver.search.switches import TABLE
from solver.search.tricks.score_table import MOVE_BITS, bounded, find, near_bucket, remember, widen
from solver.search.tricks.score_vocabulary import POINT_BITS, estimate, finish, key, moves, settle
from solver.search.tricks.vocabulary import MOST_MOVES, STATE_WORDS, boundary, maximises, play, size
from solver.search.tricks.words import FINISHED, NEED, SWITCHES

# Words of a frame before its moves; the state follows them.
MOVE_COUNT, NEXT, NODE_KEY, SIZE, SIDE, MOVE_LIST = range(6)
# Words of the control array. DEPTH: frames in use. ANSWER: of the finished search. KEYS, NEEDS: every bit that a
# key and a question has had, to find out that one was wider than the game said.
DEPTH, NODES, ANSWER, KEYS, NEEDS = range(5)
CONTROL_WORDS = 8
SMALLEST_REMEMBERED = 2  # tricks left at a boundary


def width(state_words: int, most_moves: int) -> int:
    """Words of a frame."""
    return MOVE_LIST + most_moves + state_words


# Templates from here on.


def begin(root: Words, stack: Words, control: Words) -> None:
    """Put a root node on an empty stack."""
    stack[MOVE_COUNT] = -1
    for word in range(STATE_WORDS):
        stack[MOVE_LIST + MOST_MOVES + word] = root[word]
    control[DEPTH] = 1
    control[ANSWER] = -1


def run(deal: Words, stack: Words, table: Words, control: Words, budget: int) -> bool:
    """Go on for at most `budget` nodes; True when `control[ANSWER]` holds the answer."""
    frame = MOVE_LIST + MOST_MOVES + STATE_WORDS
    state = MOVE_LIST + MOST_MOVES
    depth = control[DEPTH]
    nodes = 0
    keys = control[KEYS]
    needs = control[NEEDS]
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
                keys |= node
                needs |= stack[at + state + NEED]
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
    control[DEPTH] = depth
    control[NODES] += nodes
    control[KEYS] = keys
    control[NEEDS] = needs
    return bool(depth == 0)
