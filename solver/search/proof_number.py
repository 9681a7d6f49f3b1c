"""Depth-first proof-number search for yes-no questions: what a game must provide, and the templates of the search.

In Nagai's df-pn (2002), a node's proof number estimates the work left to show YES, its disproof number the work
left to show NO. The search goes where the least work is left, as long as a node's numbers stay within limits set
by its parent. The sum of the children's numbers would count a position once for each path to it, so the largest
number plus the count of the other open children is used instead. A child's limit is a fraction (`BEYOND`) above
the second best number, so that the search does not keep switching between two children.

The score search (`solver.search.score_search`) asks whether a player reaches a number of points, the winner search
(`solver.search.winner_search`) who wins. Each has its own table and initial numbers, and may answer a node by
other means than expanding it (`visit`).

The children of all nodes on the stack are in one long list, each node's after its parent's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from solver.kernels.jit import inlined
from solver.kernels.words import Words, prefetch, wrapping_product
from solver.search.parallel import ASKED, HELPERS, place_of
from solver.search.rules import Rules

STATE_WORDS = 1  # words of a node, its question included
NUMBER_BITS = 28
MOST_NUMBER = (1 << NUMBER_BITS) - 1
VIRTUAL = 1  # a child that another thread is searching counts 1/2**VIRTUAL more
BEYOND = 2  # a child's limit is 1 + 1/2**BEYOND times the second best number
PAUSE_GOING_UP = False  # whether a search that has spent its nodes also ends on the way up, not only at a new node
UNKNOWN, PAUSED = -1, -2  # answers besides NO (0) and YES (1); PAUSED: nodes are spent, ask `visit` again

# Words of a frame: limits, where its children begin, how many (-1: not expanded yet), which one was searched
# last, the node's key, whether one child suffices, the count of nodes when it was entered, the mark of the child
# being searched (0 for none); then the state.
PROOF_LIMIT, DISPROOF_LIMIT, FIRST, CHILDREN, CURRENT, KEY, ANY, BEGUN, MARK, STATE = 0, 1, 2, 3, 4, 5, 7, 8, 9, 10
# Words of a child: its move, its key, the number that its parent minimizes over the children, the one that it
# maximizes, and whether the two are swapped.
MOVE, CHILD_KEY, GOOD, BAD, FLIPPED, CHILD = 0, 1, 3, 4, 5, 6
# Words of the control array; a search may add its own.
# QUESTION: the number of the question (`solver.search.parallel`).
DEPTH, NODES, PROOF, DISPROOF, RESULT, QUESTION, CONTROL_WORDS = range(7)
_LOOK = 64  # nodes between two checks of what other threads have proved about the nodes on the stack


class Room(NamedTuple):
    """The arrays with which a thread searches: the stack of `frames`, the list of their `children`, and `control`.

    `inner` is working memory of `visit`. The `table` and the words of the `team` are shared by all threads.
    """

    frames: Words
    children: Words
    control: Words
    inner: Words
    table: Words
    team: Words


# -------------------------------------------------------------------------------------------------- the vocabulary


def any_suffices(deal: Words, state: Words, at: int) -> bool:
    """Whether the node's answer is YES if one child's is; otherwise all children's answers must be YES."""
    raise NotImplementedError


def candidates(deal: Words, state: Words, at: int, out: Words, to: int, step: int) -> int:
    """Write the candidate moves to `out` from `to` on, `step` words apart, and return their number."""
    raise NotImplementedError


def play(deal: Words, state: Words, at: int, child: Words, to: int, move: int) -> None:
    """Write the node after `move` to `child` at `to`, with the same question."""
    raise NotImplementedError


def known(deal: Words, state: Words, at: int) -> int:
    """Answer the node's question without a search: YES, NO or UNKNOWN.

    The function may overwrite words of `state` after the node's own.
    """
    raise NotImplementedError


def digest(deal: Words, state: Words, at: int, word: int) -> int:
    """Return word 0 or 1 of the node's key, which includes its question."""
    raise NotImplementedError


def efforts(deal: Words, state: Words, at: int) -> int:
    """Return the initial numbers of a node, used while the table has none for it.

    They are packed as proof number | disproof number << NUMBER_BITS.
    """
    raise NotImplementedError


def bucket_of(deal: Words, first: int) -> int:
    """Return the table index of the bucket for a node whose key begins with `first`."""
    raise NotImplementedError


def recall(deal: Words, table: Words, first: int, second: int) -> int:
    """Return a node's stored numbers, packed as proof number | disproof number << NUMBER_BITS.

    Returns -1 if the node is not in the table.
    """
    raise NotImplementedError


def store(deal: Words, table: Words, first: int, second: int, proof: int, disproof: int, work: int) -> None:
    """Write a node's numbers to the table. `work` is the number of nodes that were searched to find them."""
    raise NotImplementedError


def widen(deal: Words, table: Words) -> None:
    """Enlarge the part of the table in use if it is nearly full."""
    raise NotImplementedError


# Optional rules.


def ask(deal: Words, state: Words, at: int, child: Words, to: int, index: int) -> int:
    """Set the question of the child that move number `index` leads to.

    Returns 1 if the child's question is the opposite, so that its NO counts as a YES for the node, else 0. The
    default leaves the question as `play` has set it, and returns 0.
    """
    return 0


def visit(deal: Words, frames: Words, at: int, inner: Words, table: Words, control: Words, most: int) -> int:
    """Count the node at `frames[at]`, and try to answer it without expanding it.

    Returns YES, NO or UNKNOWN, or PAUSED if the function must be called again to continue. It must pause when
    `control[NODES]` reaches `most`. `inner` is its working memory. The default counts the node and returns
    UNKNOWN.
    """
    control[NODES] += 1
    return UNKNOWN


@dataclass(frozen=True, kw_only=True)
class OutcomeRules(Rules):
    """The rules that a game provides for the winner search. The search itself provides the table's functions.

    `known` may overwrite `scratch_words` words after a node's own.
    """

    state_words: int
    scratch_words: int
    any_suffices: Callable[[Words, Words, int], bool]
    candidates: Callable[[Words, Words, int, Words, int, int], int]
    play: Callable[[Words, Words, int, Words, int, int], None]
    ask: Callable[[Words, Words, int, Words, int, int], int]
    known: Callable[[Words, Words, int], int]
    digest: Callable[[Words, Words, int, int], int]
    efforts: Callable[[Words, Words, int], int]


# --------------------------------------------------------------------------------------------------- the templates


def begin_numbers(deal: Words, root: Words, frames: Words, control: Words) -> None:
    """Begin a search: put the root on an empty stack."""
    for word in range(STATE_WORDS):
        frames[STATE + word] = root[word]
    control[RESULT] = UNKNOWN
    control[DEPTH] = 1
    frames[PROOF_LIMIT] = MOST_NUMBER
    frames[DISPROOF_LIMIT] = MOST_NUMBER
    frames[FIRST] = 0
    frames[CHILDREN] = -1
    frames[KEY] = digest(deal, frames, STATE, 0)
    frames[KEY + 1] = digest(deal, frames, STATE, 1)


def expand(deal: Words, frames: Words, children: Words, table: Words, at: int) -> None:
    """List a node's children, each with its proof and disproof numbers.

    A child's numbers follow from its answer if that is known. Otherwise they are read from the table or, if the
    child is not in it, are the initial ones (`efforts`). If a child decides the node, the list has only one child,
    with the numbers that decide it.
    """
    scratch = at + STATE + STATE_WORDS + STATE  # where the child's own frame would have its state
    is_or = any_suffices(deal, frames, at + STATE)
    frames[at + ANY] = 1 if is_or else 0
    begin = frames[at + FIRST]
    count = candidates(deal, frames, at + STATE, children, begin + MOVE, CHILD)
    frames[at + CHILDREN] = count
    for index in range(count):
        child = begin + index * CHILD
        play(deal, frames, at + STATE, frames, scratch, children[child + MOVE])
        flipped = ask(deal, frames, at + STATE, frames, scratch, index)
        children[child + FLIPPED] = flipped
        answer = known(deal, frames, scratch)
        if answer >= 0:
            decides = (answer != flipped) == is_or
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
        swapped = (flipped != 0) == is_or
        children[child + GOOD] = disproof if swapped else proof
        children[child + BAD] = proof if swapped else disproof
    for index in range(count):
        child = begin + index * CHILD
        if children[child + BAD] == 0:
            continue
        numbers = recall(deal, table, children[child + CHILD_KEY], children[child + CHILD_KEY + 1])
        if numbers < 0:
            continue
        proof = numbers & MOST_NUMBER
        disproof = (numbers >> NUMBER_BITS) & MOST_NUMBER
        swapped = (children[child + FLIPPED] != 0) == is_or
        children[child + GOOD] = disproof if swapped else proof
        children[child + BAD] = proof if swapped else disproof
        if children[child + GOOD] == 0:
            children[begin + GOOD] = 0
            children[begin + BAD] = MOST_NUMBER
            frames[at + CHILDREN] = 1
            return


# Several threads that ask the same question share the table. Each marks the children that it is searching; to
# others these look harder than they are, so they go elsewhere unless that is much worse (Kaneko 2010: virtual
# proof numbers). Numbers that are passed on or stored are never virtual.


@inlined
def mark_of(first: int) -> int:
    """Return the mark, never 0, by which a thread shows the others that it is searching this child.

    `first` is the first word of the child's key.
    """
    return int(wrapping_product(first ^ (first >> 32), 0x1E3779B97F4A7C15) | 1)


@inlined
def unmark(frames: Words, team: Words, at: int) -> None:
    """Remove the shared mark of the child that the stack frame at `at` was searching, if there is one."""
    mark = frames[at + MARK]
    if mark != 0:
        frames[at + MARK] = 0
        if team[place_of(mark)] == mark:
            team[place_of(mark)] = 0


def overtaken(deal: Words, frames: Words, table: Words, control: Words, team: Words, depth: int) -> int:
    """Return how many stack frames to keep: up to and including the first whose search other threads have ended.

    They have if its numbers in the table, which may be an answer, have reached its limits. Writes these numbers to
    `control`, and removes the marks of the children that this frame and those after it were searching. Returns
    `depth` if there is no such frame.
    """
    frame = STATE + STATE_WORDS
    for level in range(depth - 1):
        at = level * frame
        numbers = recall(deal, table, frames[at + KEY], frames[at + KEY + 1])
        if numbers < 0:
            continue
        proof = numbers & MOST_NUMBER
        disproof = (numbers >> NUMBER_BITS) & MOST_NUMBER
        if proof >= frames[at + PROOF_LIMIT] or disproof >= frames[at + DISPROOF_LIMIT]:
            for dropped in range(level, depth - 1):
                unmark(frames, team, dropped * frame)
            control[PROOF] = proof
            control[DISPROOF] = disproof
            return int(level + 1)
    return int(depth)


def advance(deal: Words, room: Room, budget: int) -> bool:
    """Continue the search for about `budget` nodes. Returns True when `room.control[RESULT]` holds the answer.

    Returns False early if another thread has found the answer.
    """
    frames, children, control, inner, table, team = room
    frame = STATE + STATE_WORDS
    depth = control[DEPTH]
    most = control[NODES] + budget
    proof = control[PROOF]
    disproof = control[DISPROOF]
    look = control[NODES] + 1  # a paused visit goes on first: it must not be left for another node
    while depth > 0:
        at = (depth - 1) * frame
        begin = frames[at + FIRST]
        if control[NODES] >= most and (PAUSE_GOING_UP or frames[at + CHILDREN] < 0):
            break
        if team[ASKED] != control[QUESTION]:
            break
        if team[HELPERS] != 0 and frames[at + CHILDREN] < 0 and control[NODES] >= look:
            look = control[NODES] + _LOOK
            up = overtaken(deal, frames, table, control, team, depth)
            if up < depth:
                proof = control[PROOF]
                disproof = control[DISPROOF]
                depth = up - 1
                continue
        widen(deal, table)
        if frames[at + CHILDREN] < 0:
            frames[at + MARK] = 0
            frames[at + BEGUN] = control[NODES]
            answer = visit(deal, frames, at + STATE, inner, table, control, most)
            if answer == PAUSED:
                break
            if answer >= 0:
                proof = 0 if answer == 1 else MOST_NUMBER
                disproof = MOST_NUMBER - proof
                depth -= 1
                continue
            expand(deal, frames, children, table, at)
        else:
            unmark(frames, team, at)
            child = begin + frames[at + CURRENT] * CHILD
            swapped = (children[child + FLIPPED] != 0) == (frames[at + ANY] != 0)
            children[child + GOOD] = disproof if swapped else proof
            children[child + BAD] = proof if swapped else disproof
        # This node's numbers from its children's.
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
        is_or = frames[at + ANY] != 0
        good_limit = frames[at + PROOF_LIMIT] if is_or else frames[at + DISPROOF_LIMIT]
        bad_limit = frames[at + DISPROOF_LIMIT] if is_or else frames[at + PROOF_LIMIT]
        if least >= good_limit or largest >= bad_limit or least == 0 or largest == 0:
            proof = least if is_or else largest
            disproof = largest if is_or else least
            work = control[NODES] - frames[at + BEGUN]
            store(deal, table, frames[at + KEY], frames[at + KEY + 1], proof, disproof, work)
            depth -= 1
            continue
        good_limit = min(good_limit, second + (second >> BEYOND) + 1)
        bad_limit = bad_limit - (still - 1)
        if team[HELPERS] != 0:
            limit = frames[at + PROOF_LIMIT] if is_or else frames[at + DISPROOF_LIMIT]
            least = MOST_NUMBER
            second = MOST_NUMBER
            for index in range(frames[at + CHILDREN]):
                child = begin + index * CHILD
                number = children[child + GOOD]
                if number >= limit:
                    second = min(second, number)
                    continue
                mark = mark_of(children[child + CHILD_KEY])
                if team[place_of(mark)] == mark:
                    number = min(number + (number >> VIRTUAL) + 1, MOST_NUMBER - 1)
                if number < least:
                    second = least
                    least = number
                    choice = index
                elif number < second:
                    second = number
            good_limit = min(limit, second + (second >> BEYOND) + 1)
            child = begin + choice * CHILD
            numbers = recall(deal, table, children[child + CHILD_KEY], children[child + CHILD_KEY + 1])
            if numbers >= 0:
                proof = numbers & MOST_NUMBER
                disproof = (numbers >> NUMBER_BITS) & MOST_NUMBER
                swapped = (children[child + FLIPPED] != 0) == is_or
                good = disproof if swapped else proof
                bad = proof if swapped else disproof
                if good != children[child + GOOD] or bad != children[child + BAD]:
                    frames[at + CURRENT] = choice
                    continue  # another thread has been there: choose again
            mark = mark_of(children[child + CHILD_KEY])
            frames[at + MARK] = mark
            team[place_of(mark)] = mark
        frames[at + CURRENT] = choice
        child = begin + choice * CHILD
        play(deal, frames, at + STATE, frames, at + frame + STATE, children[child + MOVE])
        ask(deal, frames, at + STATE, frames, at + frame + STATE, choice)
        swapped = (children[child + FLIPPED] != 0) == is_or
        below = at + frame
        frames[below + PROOF_LIMIT] = bad_limit if swapped else good_limit
        frames[below + DISPROOF_LIMIT] = good_limit if swapped else bad_limit
        frames[below + FIRST] = begin + frames[at + CHILDREN] * CHILD
        frames[below + CHILDREN] = -1
        frames[below + KEY] = children[child + CHILD_KEY]
        frames[below + KEY + 1] = children[child + CHILD_KEY + 1]
        depth += 1
    control[DEPTH] = depth
    control[PROOF] = proof
    control[DISPROOF] = disproof
    if depth == 0 and control[RESULT] < 0:
        control[RESULT] = 1 if proof == 0 else 0
    return bool(depth == 0)
