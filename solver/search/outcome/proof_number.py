"""Depth-first proof-number search over yes-no questions. A template.

Nagai's df-pn (2002): a node's proof number says how much is left to show for YES, its disproof number for NO;
the search goes where least is left, as long as a node stays under the limits that its parent set. Positions
reached by several ways would be counted several times by a sum of numbers, so the largest number plus the
other open children stands for the sum. A child's limit is a quarter beyond the second best, against going to
and fro. A child's NO may count as YES (`ask`): then its two numbers change places.

A node's children stay in one long list, each node's behind its parent's, while the node is on the stack.
"""

from __future__ import annotations

from solver.kernels.words import Words, prefetch
from solver.search.outcome.table import bucket_of, find, keep
from solver.search.outcome.vocabulary import (
    MOST_NUMBER,
    NUMBER_BITS,
    STATE_WORDS,
    any_suffices,
    ask,
    digest,
    efforts,
    moves,
    play,
    settle,
)

# Words of a frame: limits, where its children begin, how many (-1: not looked at yet), which one was searched
# last, the node's key, whether one child suffices, the count of nodes when it was entered; then the state.
PROOF_LIMIT, DISPROOF_LIMIT, FIRST, CHILDREN, CURRENT, KEY, ANY, BEGUN, STATE = 0, 1, 2, 3, 4, 5, 7, 8, 9
# Words of a child: its move, its key, the number that its parent makes least and the one it makes most of, and
# whether its numbers change places.
MOVE, CHILD_KEY, GOOD, BAD, FLIPPED, CHILD = 0, 1, 3, 4, 5, 6
# Words of the control array.
DEPTH, NODES, PROOF, DISPROOF, RESULT, CONTROL_WORDS = range(6)


# Templates from here on.


def open_question(deal: Words, root: Words, frames: Words, control: Words) -> None:
    """Put a root node on an empty stack."""
    for word in range(STATE_WORDS):
        frames[STATE + word] = root[word]
    control[RESULT] = settle(deal, frames, STATE)
    control[DEPTH] = 1 if control[RESULT] < 0 else 0
    frames[PROOF_LIMIT] = MOST_NUMBER
    frames[DISPROOF_LIMIT] = MOST_NUMBER
    frames[FIRST] = 0
    frames[CHILDREN] = -1
    frames[KEY] = digest(deal, frames, STATE, 0)
    frames[KEY + 1] = digest(deal, frames, STATE, 1)


def expand(deal: Words, frames: Words, children: Words, table: Words, control: Words, at: int) -> None:
    """Look at a node's children: what settles them, then all their table slots in one go, then first numbers."""
    scratch = at + STATE + STATE_WORDS + STATE  # where the child's own frame would have its state
    one = any_suffices(deal, frames, at + STATE)
    frames[at + ANY] = 1 if one else 0
    begin = frames[at + FIRST]
    count = moves(deal, frames, at + STATE, children, begin + MOVE, CHILD)
    frames[at + CHILDREN] = count
    for index in range(count):
        child = begin + index * CHILD
        play(deal, frames, at + STATE, frames, scratch, children[child + MOVE])
        flipped = ask(deal, frames, at + STATE, frames, scratch, index)
        children[child + FLIPPED] = flipped
        answer = settle(deal, frames, scratch)
        if answer >= 0:
            decides = (answer != flipped) == one
            children[child + GOOD] = 0 if decides else MOST_NUMBER
            children[child + BAD] = MOST_NUMBER if decides else 0
            if decides:
                children[begin + GOOD] = 0
                children[begin + BAD] = MOST_NUMBER
                frames[at + CHILDREN] = 1
                return
            continue
        first = digest(deal, frames, scratch, 0)
        children[child + CHILD_KEY] = first
        children[child + CHILD_KEY + 1] = digest(deal, frames, scratch, 1)
        prefetch(table, bucket_of(deal, first))
        numbers = efforts(deal, frames, scratch)
        proof = numbers & MOST_NUMBER
        disproof = numbers >> NUMBER_BITS
        swapped = (flipped != 0) == one
        children[child + GOOD] = disproof if swapped else proof
        children[child + BAD] = proof if swapped else disproof
    for index in range(count):
        child = begin + index * CHILD
        if children[child + BAD] == 0:
            continue
        data = find(deal, table, children[child + CHILD_KEY], children[child + CHILD_KEY + 1])
        if data < 0:
            continue
        proof = data & MOST_NUMBER
        disproof = (data >> NUMBER_BITS) & MOST_NUMBER
        swapped = (children[child + FLIPPED] != 0) == one
        children[child + GOOD] = disproof if swapped else proof
        children[child + BAD] = proof if swapped else disproof
        if children[child + GOOD] == 0:
            children[begin + GOOD] = 0
            children[begin + BAD] = MOST_NUMBER
            frames[at + CHILDREN] = 1
            return


def advance(deal: Words, frames: Words, children: Words, control: Words, table: Words, budget: int) -> bool:
    """Go on for about `budget` nodes; True when `control[RESULT]` holds the answer."""
    frame = STATE + STATE_WORDS
    depth = control[DEPTH]
    nodes = control[NODES]
    most = nodes + budget
    proof = control[PROOF]
    disproof = control[DISPROOF]
    while depth > 0:
        at = (depth - 1) * frame
        begin = frames[at + FIRST]
        if frames[at + CHILDREN] < 0:
            if nodes >= most:
                break
            frames[at + BEGUN] = nodes
            nodes += 1
            expand(deal, frames, children, table, control, at)
        else:
            child = begin + frames[at + CURRENT] * CHILD
            swapped = (children[child + FLIPPED] != 0) == (frames[at + ANY] != 0)
            children[child + GOOD] = disproof if swapped else proof
            children[child + BAD] = proof if swapped else disproof
        # The numbers of this node from its children's.
        least = MOST_NUMBER
        second = MOST_NUMBER
        largest = 0
        still = 0
        choice = -1
        for index in range(frames[at + CHILDREN]):
            child = begin + index * CHILD
            number = children[child + GOOD]
            if number < least:
                second = least
                least = number
                choice = index
            elif number < second:
                second = number
            if number < MOST_NUMBER:
                still += 1
                largest = max(largest, children[child + BAD])
        if least == 0:
            largest = MOST_NUMBER
        elif least == MOST_NUMBER:
            largest = 0
        else:
            largest = min(largest + still - 1, MOST_NUMBER - 1)
        one = frames[at + ANY] != 0
        good_limit = frames[at + PROOF_LIMIT] if one else frames[at + DISPROOF_LIMIT]
        bad_limit = frames[at + DISPROOF_LIMIT] if one else frames[at + PROOF_LIMIT]
        if least >= good_limit or largest >= bad_limit or least == 0 or largest == 0:
            proof = least if one else largest
            disproof = largest if one else least
            work = nodes - frames[at + BEGUN]
            keep(deal, table, frames[at + KEY], frames[at + KEY + 1], proof, disproof, work)
            depth -= 1
            continue
        good_limit = min(good_limit, second + (second >> 2) + 1)
        bad_limit = bad_limit - (still - 1)
        frames[at + CURRENT] = choice
        child = begin + choice * CHILD
        play(deal, frames, at + STATE, frames, at + frame + STATE, children[child + MOVE])
        ask(deal, frames, at + STATE, frames, at + frame + STATE, choice)
        swapped = (children[child + FLIPPED] != 0) == one
        below = at + frame
        frames[below + PROOF_LIMIT] = bad_limit if swapped else good_limit
        frames[below + DISPROOF_LIMIT] = good_limit if swapped else bad_limit
        frames[below + FIRST] = begin + frames[at + CHILDREN] * CHILD
        frames[below + CHILDREN] = -1
        frames[below + KEY] = children[child + CHILD_KEY]
        frames[below + KEY + 1] = children[child + CHILD_KEY + 1]
        depth += 1
    control[DEPTH] = depth
    control[NODES] = nodes
    control[PROOF] = proof
    control[DISPROOF] = disproof
    if depth == 0 and control[RESULT] < 0:
        control[RESULT] = 1 if proof == 0 else 0
    return bool(depth == 0)
