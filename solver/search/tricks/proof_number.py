"""Depth-first proof-number search over tricks, alpha-beta below and as a fallback. A template.

Nagai's df-pn (2002): a node's proof number says how much is left to show for YES, its disproof number for NO;
the search goes where least is left, as long as a node stays under the limits that its parent set. Positions
reached by several ways would be counted several times by a sum of numbers, so the largest number plus the
other open children stands for the sum. A child's limit is a sixteenth beyond the second best, against
going to and fro. Small boundaries are solved by alpha-beta at once; a question with more than `MOST_VISITS`
visits goes to alpha-beta as a whole, which keeps what was proved.

Where nobody works against the player, a YES is one line of cards, and alpha-beta finds it at once or, after a
wrong turn, very late. So there it makes short attempts, each longer than the one before it and in another order
(Gomes, Selman and Kautz 1998: restarts against heavy tails); the table keeps what the earlier ones refuted.
"""

from __future__ import annotations

from solver.kernels.words import Words, prefetch
from solver.search.switches import ATTEMPTS, PROOF_NUMBERS
from solver.search.tricks.alpha_beta import ANSWER, KEYS, NEEDS, NODES, begin, run
from solver.search.tricks.score_table import (
    MOST_PROOF,
    MOVE_BITS,
    PROOF_BITS,
    bounded,
    bucket_of,
    find,
    put,
    remember,
    widen,
)
from solver.search.tricks.score_vocabulary import (
    KEY_BITS,
    POINT_BITS,
    assured,
    choices,
    estimate,
    key,
    moves,
    settle,
)
from solver.search.tricks.vocabulary import MOST_MOVES, STATE_WORDS, boundary, maximises, play, size
from solver.search.tricks.words import ATTEMPT, FINISHED, NEED, SWITCHES, YES

# Words of a frame: limits, number of children (-1: not looked at yet), which child was searched last; then for
# each child its move, key, and the numbers that its parent makes least (GOOD) and most (BAD) of.
PROOF_LIMIT, DISPROOF_LIMIT, CHILDREN, CURRENT, NODE_KEY, SIDE, CHILD_LIST = range(7)
# Words of the control array. PHASE: what runs now. SIZE: tricks left from which on alpha-beta takes over.
DEPTH, PHASE, VISITS, PROOF, DISPROOF, RESULT, SIZE, MOST_VISITS = range(8)
# Of attempts: nodes of the first, growth, nodes of the last, and when that ends.
FIRST_NODES, MORE_PERCENT, LAST_NODES, TRY_END = range(8, 12)
CONTROL_WORDS = 12
BEYOND = 4  # how far a child's limit is beyond the second best: a shift
NUMBERS_PHASE, INNER_PHASE, WHOLE_PHASE = range(3)


def width(state_words: int, most_moves: int) -> int:
    """Words of a frame."""
    return CHILD_LIST + 4 * most_moves + state_words


# Templates from here on.


def open_question(deal: Words, root: Words, stack: Words, control: Words, inner: Words, below: Words) -> None:
    """Put a root node on an empty stack; `inner` and `below` are alpha-beta's stack and control."""
    state = CHILD_LIST + 4 * MOST_MOVES
    for word in range(STATE_WORDS):
        stack[state + word] = root[word]
    control[VISITS] = 0
    control[RESULT] = -1
    deal[ATTEMPT] = 0
    control[TRY_END] = 1 << 62
    if deal[SWITCHES] & PROOF_NUMBERS == 0 or size(deal, root, 0) <= control[SIZE]:
        control[PHASE] = WHOLE_PHASE
        begin(root, inner, below)
        if deal[SWITCHES] & ATTEMPTS:
            control[LAST_NODES] = control[FIRST_NODES]
            control[TRY_END] = below[NODES] + control[FIRST_NODES]
        return
    control[PHASE] = NUMBERS_PHASE
    control[DEPTH] = 1
    stack[PROOF_LIMIT] = MOST_PROOF
    stack[DISPROOF_LIMIT] = MOST_PROOF
    stack[CHILDREN] = -1


def expand(deal: Words, stack: Words, table: Words, control: Words, below: Words, at: int) -> None:
    """Look at a node's children: static tests, then all their table slots in one go, then leaf numbers."""
    state = CHILD_LIST + 4 * MOST_MOVES
    scratch = at + state + STATE_WORDS + state  # where the child's own frame would have its state
    side = maximises(deal, stack, at + state)
    stack[at + SIDE] = side
    count = moves(deal, stack, at + state, stack, at + CHILD_LIST, -1)
    stack[at + CHILDREN] = count
    keys = at + CHILD_LIST + MOST_MOVES
    good = keys + MOST_MOVES
    bad = good + MOST_MOVES
    for child in range(count):
        play(deal, stack, at + state, stack, scratch, stack[at + CHILD_LIST + child])
        answer = settle(deal, stack, scratch)
        if answer < 0:
            answer = estimate(deal, stack, scratch)
        if answer >= 0:
            stack[keys + child] = 0
            stack[good + child] = 0 if answer == side else MOST_PROOF
            stack[bad + child] = MOST_PROOF - stack[good + child]
            if answer == side:
                stack[at + CHILDREN] = child + 1
                return
            continue
        node = key(deal, stack, scratch)
        stack[keys + child] = node
        prefetch(table, bucket_of(deal, node))
        # Leaf numbers: one for who moves there, the number of moves for the other.
        if boundary(deal, stack, scratch) and size(deal, stack, scratch) <= control[SIZE]:
            stack[good + child] = 1
            stack[bad + child] = 1
        elif maximises(deal, stack, scratch) == side:
            stack[good + child] = 1
            stack[bad + child] = choices(deal, stack, scratch)
        else:
            stack[good + child] = choices(deal, stack, scratch)
            stack[bad + child] = 1
        # The question may differ from the parent's by the points of a trick that this card ended.
        below[KEYS] |= node
        below[NEEDS] |= stack[scratch + NEED]
        stack[keys + child] |= stack[scratch + NEED] << KEY_BITS
    for child in range(count):
        packed = stack[keys + child]
        if packed == 0:
            continue
        node = packed & ((1 << KEY_BITS) - 1)
        need = packed >> KEY_BITS
        data = find(deal, table, node, bucket_of(deal, node))
        if data < 0:
            continue
        answer = bounded(data, need)
        if answer >= 0:
            stack[keys + child] = 0
            stack[good + child] = 0 if answer == side else MOST_PROOF
            stack[bad + child] = MOST_PROOF - stack[good + child]
            if answer == side:
                stack[at + CHILDREN] = child + 1
                return
        elif (data >> (2 * POINT_BITS)) & ((1 << POINT_BITS) - 1) == need:
            proof = (data >> (3 * POINT_BITS + MOVE_BITS)) & MOST_PROOF
            disproof = (data >> (3 * POINT_BITS + MOVE_BITS + PROOF_BITS)) & MOST_PROOF
            stack[good + child] = proof if side == 1 else disproof
            stack[bad + child] = disproof if side == 1 else proof


def keep_numbers(deal: Words, table: Words, node: int, need: int, proof: int, disproof: int) -> None:
    """Remember how far a question about a node has come."""
    bucket = bucket_of(deal, node)
    data = find(deal, table, node, bucket)
    if data < 0:
        data = ((1 << POINT_BITS) - 1) << POINT_BITS
    data &= (1 << (2 * POINT_BITS)) - 1
    data |= need << (2 * POINT_BITS)
    data |= proof << (3 * POINT_BITS + MOVE_BITS)
    data |= disproof << (3 * POINT_BITS + MOVE_BITS + PROOF_BITS)
    put(deal, table, node, bucket, data)


def advance(
    deal: Words, stack: Words, control: Words, inner: Words, below: Words, table: Words, budget: int
) -> bool:
    """Go on for about `budget` nodes; True when `control[RESULT]` holds the answer."""
    state = CHILD_LIST + 4 * MOST_MOVES
    frame = state + STATE_WORDS
    most = below[NODES] + budget  # every node, of both searches, is counted in below[NODES]
    if control[PHASE] == WHOLE_PHASE:
        while not run(deal, inner, table, below, min(most, control[TRY_END]) - below[NODES]):
            if below[NODES] < control[TRY_END]:
                return False
            deal[ATTEMPT] += 1
            control[LAST_NODES] += max(1, control[LAST_NODES] * control[MORE_PERCENT] // 100)
            control[TRY_END] = below[NODES] + control[LAST_NODES]
            begin(stack[state:frame], inner, below)
        control[RESULT] = below[ANSWER]
        return True
    depth = control[DEPTH]
    proof = control[PROOF]
    disproof = control[DISPROOF]
    while depth > 0:
        at = (depth - 1) * frame
        if control[PHASE] == INNER_PHASE:
            if not run(deal, inner, table, below, max(1, most - below[NODES])):
                break
            control[PHASE] = NUMBERS_PHASE
            proof = 0 if below[ANSWER] == 1 else MOST_PROOF
            disproof = MOST_PROOF - proof
            depth -= 1
            continue
        if below[NODES] >= most:
            break
        widen(deal, table)
        side = stack[at + SIDE]
        keys = at + CHILD_LIST + MOST_MOVES
        good = keys + MOST_MOVES
        bad = good + MOST_MOVES
        if stack[at + CHILDREN] < 0:
            below[NODES] += 1
            control[VISITS] += 1
            if boundary(deal, stack, at + state) and size(deal, stack, at + state) <= control[SIZE]:
                control[PHASE] = INNER_PHASE
                begin(stack[at + state : at + frame], inner, below)
                continue
            if control[VISITS] > control[MOST_VISITS]:
                control[PHASE] = WHOLE_PHASE
                begin(stack[state:frame], inner, below)
                control[DEPTH] = 0
                return False
            if boundary(deal, stack, at + state):
                answer = assured(deal, stack, at + state, table)
                below[NODES] += deal[FINISHED]
                if answer == YES:
                    node = key(deal, stack, at + state)
                    remember(deal, table, node, bucket_of(deal, node), stack[at + state + NEED], YES, -1)
                    proof = 0
                    disproof = MOST_PROOF
                    depth -= 1
                    continue
            expand(deal, stack, table, control, below, at)
            side = stack[at + SIDE]
        else:
            child = stack[at + CURRENT]
            stack[good + child] = proof if side == 1 else disproof
            stack[bad + child] = disproof if side == 1 else proof
        # The numbers of this node from its children's.
        least = MOST_PROOF
        second = MOST_PROOF
        largest = 0
        still = 0
        choice = -1
        for child in range(stack[at + CHILDREN]):
            number = stack[good + child]
            if number < least:
                second = least
                least = number
                choice = child
            elif number < second:
                second = number
            if number < MOST_PROOF:
                still += 1
                largest = max(largest, stack[bad + child])
        if least == 0:
            largest = MOST_PROOF
        elif least == MOST_PROOF:
            largest = 0
        else:
            largest = min(largest + still - 1, MOST_PROOF - 1)
        good_limit = stack[at + PROOF_LIMIT] if side == 1 else stack[at + DISPROOF_LIMIT]
        bad_limit = stack[at + DISPROOF_LIMIT] if side == 1 else stack[at + PROOF_LIMIT]
        if least >= good_limit or largest >= bad_limit or least == 0 or largest == 0:
            proof = least if side == 1 else largest
            disproof = largest if side == 1 else least
            node = key(deal, stack, at + state)
            need = stack[at + state + NEED]
            below[KEYS] |= node
            below[NEEDS] |= max(need, 0)  # a root may need nothing
            if least == 0 or largest == 0:
                remember(deal, table, node, bucket_of(deal, node), need, 1 if proof == 0 else 0, -1)
            else:
                keep_numbers(deal, table, node, need, proof, disproof)
            depth -= 1
            continue
        good_limit = min(good_limit, second + (second >> BEYOND) + 1)
        bad_limit = bad_limit - (still - 1)
        stack[at + CURRENT] = choice
        play(deal, stack, at + state, stack, at + frame + state, stack[at + CHILD_LIST + choice])
        stack[at + frame + PROOF_LIMIT] = good_limit if side == 1 else bad_limit
        stack[at + frame + DISPROOF_LIMIT] = bad_limit if side == 1 else good_limit
        stack[at + frame + CHILDREN] = -1
        depth += 1
    control[DEPTH] = depth
    control[PROOF] = proof
    control[DISPROOF] = disproof
    if depth == 0:
        control[RESULT] = 1 if proof == 0 else 0
    return bool(depth == 0)
