"""`maxn` by memoised search: everybody's scores when each seat makes the most of its own.

A node's words are those of `kernel`, with every seat's pile and points behind them. Moves are looked at in
canonical order, so that the first of equals is kept. Boundaries are remembered: the cards in hands, the leader,
and of each pile what still matters; the worth kept is what each seat adds to its points.
"""

from __future__ import annotations

from solver.games.king.compounding.reduction import reduced
from solver.games.king.fast_rules.kernel import (
    LEADER,
    LIVE,
    PLAYED,
    PLAYERS,
    TABLES,
    THE_DANCER,
    seat_to_move,
)
from solver.games.king.fast_rules.round_kernel import (
    MOST_MOVES,
    NODE_WORDS,
    PILES,
    SCORES,
    SEATS,
    list_moves,
    make,
)
from solver.games.king.fast_rules.switches import LAST
from solver.games.king.search.bounds.bonus_cache import best_bonus, stalled, toll
from solver.games.king.search.bounds.last_trick import last_scores
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount, wrapping_product
from solver.kernels.jit import inlined, lean
from solver.search.switches import TABLE
from solver.search.tricks.words import GENERATION, SWITCHES

# Words of a frame: moves looked at, their number, what the seat that moves gets by the best so far and the others
# by it in all; the scores of that; whether the node is remembered, and its key; the moves; the node.
NEXT, MOVE_COUNT, OWN, OTHERS, FOUND = range(5)
REMEMBERED = FOUND + SEATS
KEY = REMEMBERED + 1
MOVES = KEY + SEATS + 1
NODE = MOVES + MOST_MOVES
FRAME = NODE + NODE_WORDS
# Words of the control array; the scores of the finished search are the last ones.
DEPTH, NODES, SCORE = range(3)
CONTROL_WORDS = SCORE + SEATS
ENTRY = 8  # words of a table entry, one cache line: the key, then the scores
WORTH_BITS = 20
_LIVE_BITS = 53  # cards in hands and the leader; then a part of the generation; the highest bit is never set
_GENERATION_PART = 9


@lean
def identify(deal: Words, stack: Words, at: int) -> None:
    """Write a boundary's key to its frame; the generation is in what the first two words leave free."""
    node = at + NODE
    live = stack[node + LIVE]
    generation = deal[GENERATION]
    stack[at + KEY] = (
        live | (stack[node + LEADER] << 50) | ((generation & ((1 << _GENERATION_PART) - 1)) << _LIVE_BITS)
    )
    for seat in range(SEATS):
        pile = 0
        if seat < deal[PLAYERS]:
            pile = reduced(deal[TABLES:], stack[node + PILES + seat], live)
        stack[at + KEY + 1 + seat] = pile
    stack[at + KEY + 1] |= (generation >> _GENERATION_PART) << 50


@inlined
def place_of(stack: Words, at: int, table: Words) -> int:
    """The table's word for a node's key."""
    mixed = 0
    for word in range(at + KEY, at + KEY + SEATS + 1):
        mixed = int(wrapping_product(mixed ^ int(stack[word]), 0x1E3779B97F4A7C15)) & 0x7FFFFFFFFFFFFFFF
        mixed ^= mixed >> 29
    return int(((mixed >> 8) * ENTRY) & (len(table) - 1))


@lean
def recall(stack: Words, at: int, table: Words, players: int) -> bool:
    """Write the remembered scores of a node to its frame; False when there are none."""
    entry = place_of(stack, at, table)
    for word in range(SEATS + 1):
        if table[entry + word] != stack[at + KEY + word]:
            return False
    for seat in range(players):
        packed = table[entry + SEATS + 1 + seat // 3]
        more = (packed >> (WORTH_BITS * (seat % 3))) & ((1 << WORTH_BITS) - 1)
        stack[at + FOUND + seat] = stack[at + NODE + SCORES + seat] + more
    return True


@lean
def remember(stack: Words, at: int, table: Words, players: int) -> None:
    entry = place_of(stack, at, table)
    for word in range(SEATS + 1):
        table[entry + word] = stack[at + KEY + word]
    table[entry + SEATS + 1] = 0
    table[entry + SEATS + 2] = 0
    for seat in range(players):
        more = stack[at + FOUND + seat] - stack[at + NODE + SCORES + seat]
        table[entry + SEATS + 1 + seat // 3] |= more << (WORTH_BITS * (seat % 3))


@lean
def begin_maxn(root: Words, stack: Words, control: Words) -> None:
    """Put a root node on an empty stack."""
    stack[MOVE_COUNT] = -1
    for word in range(NODE_WORDS):
        stack[NODE + word] = root[word]
    control[DEPTH] = 1


@lean
def run_maxn(deal: Words, stack: Words, table: Words, control: Words, budget: int) -> bool:
    """Go on for at most `budget` nodes; True when `control` holds the root's scores.

    It ends early where it is stalled for a bonus (`bonus_cache`), and looks at that node again when it goes on.
    """
    depth = control[DEPTH]
    players = deal[PLAYERS]
    nodes = 0
    left_child = False
    while depth > 0:
        at = (depth - 1) * FRAME
        node = at + NODE
        if left_child:
            # The child's scores stand in its own frame.
            seat = seat_to_move(deal, stack, node)
            child = at + FRAME + FOUND
            others = 0
            for other in range(players):
                others += stack[child + other]
            own = stack[child + seat]
            others -= own
            if own > stack[at + OWN] or (own == stack[at + OWN] and others < stack[at + OTHERS]):
                stack[at + OWN] = own
                stack[at + OTHERS] = others
                for other in range(players):
                    stack[at + FOUND + other] = stack[child + other]
            left_child = False
        elif stack[at + MOVE_COUNT] < 0:
            if nodes >= budget:
                break
            nodes += 1 + toll(deal)
            live = stack[node + LIVE]
            between = stack[node + PLAYED] == 0
            if between and live == 0:
                for seat in range(players):
                    stack[at + FOUND + seat] = stack[node + SCORES + seat] + best_bonus(
                        deal, stack[node + PILES + seat]
                    )
                if stalled(deal):
                    nodes -= 1
                    break
                left_child = True
                depth -= 1
                continue
            if (
                between
                and deal[SWITCHES] & LAST
                and popcount(live) == players
                and not (live >> deal[THE_DANCER]) & 1
            ):
                last_scores(deal, stack, node, at + FOUND)
                if stalled(deal):
                    nodes -= 1
                    break
                left_child = True
                depth -= 1
                continue
            stack[at + REMEMBERED] = 0
            if deal[SWITCHES] & TABLE and between and popcount(live) > players:
                stack[at + REMEMBERED] = 1
                identify(deal, stack, at)
                if recall(stack, at, table, players):
                    left_child = True
                    depth -= 1
                    continue
            stack[at + MOVE_COUNT] = list_moves(deal, stack, node, stack, at + MOVES)
            stack[at + NEXT] = 0
            stack[at + OWN] = -1
            stack[at + OTHERS] = 0
        index = stack[at + NEXT]
        if index == stack[at + MOVE_COUNT]:
            if stack[at + REMEMBERED]:
                remember(stack, at, table, players)
            left_child = True
            depth -= 1
            continue
        stack[at + NEXT] = index + 1
        below = at + FRAME
        make(deal, stack, node, below + NODE, stack[at + MOVES + index])
        stack[below + MOVE_COUNT] = -1
        depth += 1
    if depth == 0:
        for seat in range(players):
            control[SCORE + seat] = stack[FOUND + seat]
    control[DEPTH] = depth
    control[NODES] += nodes
    return bool(depth == 0)
