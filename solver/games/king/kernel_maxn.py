"""`maxn` by memoised search: everybody's scores when each seat makes the most of its own.

A node's words are those of `kernel`, with every seat's pile and points behind them. Moves are looked at in
canonical order, so that the first of equals is kept. A move is left out only when the seat that moves can't get as
much by it as it has by another. Boundaries are remembered: the cards in hands, the leader, and of each pile
what still matters; the worth kept is what each seat adds to its points.
"""

from __future__ import annotations

from solver.games.king.compound_kernel import reduced
from solver.games.king.deck import SUITS
from solver.games.king.kernel import (
    BEST,
    HANDS,
    LEAD,
    LEADER,
    LIVE,
    LOWER,
    LOWEST,
    NAMED,
    PLAYED,
    PLAYERS,
    POINTS,
    STATE_WORDS,
    TABLES,
    THE_DANCER,
    TRICK,
    judge,
    lay,
    playable,
    seat_to_move,
    start_trick,
    winning_card,
)
from solver.games.king.kernel_cache import best_bonus, most_bonus
from solver.games.king.kernel_moves import names
from solver.search.bits import popcount, trailing_zeros, wrapping_product
from solver.search.jit import inlined, lean
from solver.search.trick import GENERATION, SWITCHES, Words
from solver.search.trick_soft import TABLE

CUT = 32  # a switch
SEATS = 5  # at most
NOBODY = 63
TAKES = 1 << 7  # a taking: this, and above its bits the cards taken and given, six bits each, NOBODY for none
MOST_MOVES = 20  # plays; takings are fewer
PILES = STATE_WORDS
SCORES = PILES + SEATS
NODE_WORDS = SCORES + SEATS

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
def most(deal: Words, stack: Words, node: int, seat: int) -> int:
    """What a seat's score is at most: with every card in play."""
    coming = stack[node + LIVE] | stack[node + TRICK]
    total = stack[node + SCORES + seat]
    total += most_bonus(deal, stack[node + PILES + seat] | coming)
    while coming != 0:
        total += deal[POINTS + trailing_zeros(coming)]
        coming &= coming - 1
    return int(total)


@lean
def list_moves(deal: Words, stack: Words, at: int) -> int:
    """Write the moves in canonical order, those left out that are worth the same as an earlier one."""
    node = at + NODE
    out = at + MOVES
    count = 0
    if stack[node + PLAYED] < deal[PLAYERS]:
        hand = stack[node + LIVE] & deal[HANDS + seat_to_move(deal, stack, node)]
        cards = hand if stack[node + PLAYED] == 0 else playable(deal, hand, stack[node + LEAD])
        while cards != 0:
            card = trailing_zeros(cards)
            cards &= cards - 1
            if card != deal[THE_DANCER]:
                stack[out + count] = card
                count += 1
                continue
            suits = names(deal, stack, node, hand)
            for suit in range(SUITS):
                if (suits >> suit) & 1:
                    stack[out + count] = NAMED + suit
                    count += 1
        return count
    won = winning_card(deal, stack, node)
    lower = stack[node + TRICK] & deal[LOWER + won]
    rest = stack[node + TRICK] & ~(1 << won)
    taken = popcount(lower)
    firsts = lower
    while True:
        first = trailing_zeros(firsts) if taken > 0 else NOBODY
        firsts &= firsts - 1
        seconds = firsts
        while True:
            second = trailing_zeros(seconds) if taken > 1 else NOBODY
            seconds &= seconds - 1
            left = rest
            if taken > 0:
                left &= ~(1 << first)
            if taken > 1:
                left &= ~(1 << second)
            move = TAKES | (first << 8) | (second << 14)
            if stack[node + LOWEST] < 0 or left == 0:
                stack[out + count] = move | (NOBODY << 20)
                count += 1
            else:
                while left != 0:
                    stack[out + count] = move | (trailing_zeros(left) << 20)
                    count += 1
                    left &= left - 1
            if seconds == 0:
                break
        if taken < 2 or firsts & (firsts - 1) == 0:
            break
    return count


@inlined
def receive(deal: Words, stack: Words, node: int, seat: int, card: int) -> None:
    if card != NOBODY:
        stack[node + PILES + seat] |= 1 << card
        stack[node + SCORES + seat] += deal[POINTS + card]


@inlined
def make(deal: Words, stack: Words, node: int, to: int, move: int) -> None:
    """Write the node after a move. A full trick is judged; the winner is to take, if only in one way."""
    for word in range(NODE_WORDS):
        stack[to + word] = stack[node + word]
    if move & TAKES:
        winner = stack[node + BEST]
        receive(deal, stack, to, winner, winning_card(deal, stack, node))
        receive(deal, stack, to, winner, (move >> 8) & 63)
        receive(deal, stack, to, winner, (move >> 14) & 63)
        receive(deal, stack, to, stack[node + LOWEST], (move >> 20) & 63)
        start_trick(stack, to, winner)
        return
    lay(deal, stack, to, move)
    if stack[to + PLAYED] == deal[PLAYERS]:
        judge(deal, stack, to)


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
    """Go on for at most `budget` nodes; True when `control` holds the root's scores."""
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
            nodes += 1
            live = stack[node + LIVE]
            between = stack[node + PLAYED] == 0
            if between and live == 0:
                for seat in range(players):
                    stack[at + FOUND + seat] = stack[node + SCORES + seat] + best_bonus(
                        deal, stack[node + PILES + seat]
                    )
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
            stack[at + MOVE_COUNT] = list_moves(deal, stack, at)
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
        if deal[SWITCHES] & CUT and stack[at + OWN] >= 0 and stack[below + NODE + PLAYED] == 0:
            seat = seat_to_move(deal, stack, node)
            if most(deal, stack, below + NODE, seat) < stack[at + OWN]:
                continue
        stack[below + MOVE_COUNT] = -1
        depth += 1
    if depth == 0:
        for seat in range(players):
            control[SCORE + seat] = stack[FOUND + seat]
    control[DEPTH] = depth
    control[NODES] += nodes
    return bool(depth == 0)
