"""Wins that need no search: the seat to move goes out at once, or plays what nobody can answer until it does.

A run: each play but the last is one that no other seat can beat. So all others pass, the field is cleared, and
the same player leads again, in a field that is known. Before the first play of a run is answered the others
hold what they hold; after it each has passed once more for each play, and so may have drawn one card and taken
one from the discard pile: all that is not in the player's own hand is thought to be within reach, but of one
metal no more copies than those passes can have brought.
"""

from __future__ import annotations

from solver.games.aqua_regia.fast_rules.kernel import (
    ALLY,
    BITS,
    COUNT,
    DISCARD,
    DRAWN,
    FIELD,
    FULL,
    METAL,
    METAL_OF,
    MODEL,
    ONES,
    OUT,
    PAIRS,
    REVERSED,
    SEATS,
    SEVERAL,
    SINGLY,
    STATE_WORDS,
    STATUS,
    STOCKED,
    TOTAL,
    asked_of,
    lanes,
    next_field,
    turn_of,
)
from solver.games.aqua_regia.fast_rules.switches import RUNS
from solver.kernels.arrays import Words
from solver.kernels.bits import highest_one, trailing_zeros
from solver.kernels.jit import inlined, lean
from solver.search.outcome.vocabulary import NO, SWITCHES, UNKNOWN, YES

_MOST_STEPS = 200  # of looking for a run

# Words of a level of the search for a run: the hand, the field and whether its order is reversed (bit 2), the
# metals not tried yet, the metal that is tried, how many of it are to be tried next.
_HAND, _FIELD, _REST, _METAL, _NUMBER, _LEVEL = range(6)
_MOST_PLAYS = 16  # of a run
SCRATCH_WORDS = STATE_WORDS + _MOST_PLAYS * _LEVEL


@inlined
def goes_out(deal: Words, state: Words, at: int) -> bool:
    """Whether the seat to move can play its whole hand at once."""
    status = state[at + STATUS]
    hand = state[at + turn_of(status)]
    metal = deal[METAL_OF + trailing_zeros(hand)]
    shift = deal[BITS] * metal
    number = (hand >> shift) & ((1 << deal[BITS]) - 1)
    if hand != number << shift or number > 4:
        return False
    field = (status >> FIELD) & 3
    count = (status >> COUNT) & 7
    several = PAIRS if number == 2 and count == 1 else SEVERAL
    allowed = deal[SINGLY + field] if number == 1 else deal[several + field]
    if hand & ~allowed != 0:
        return False
    if count == 0:
        return True
    return bool(metal > ((status >> METAL) & 63) and (number == count or number == count + 1))


@inlined
def answered_now(deal: Words, state: Words, at: int, turn: int, field: int, metal: int, number: int) -> bool:
    """Whether another seat's hand, as it is, beats a play."""
    bits = deal[BITS]
    above = -1 << (bits * (metal + 1))
    for seat in range(deal[SEATS]):
        if seat == turn:
            continue
        if number == 1:
            if state[at + seat] & deal[SINGLY + field] & above != 0:
                return True
            continue
        rest = state[at + seat] & deal[SEVERAL + field] & above
        while rest != 0:
            shift = bits * deal[METAL_OF + trailing_zeros(rest)]
            held = (rest >> shift) & ((1 << bits) - 1)
            if held >= number:
                return True
            rest ^= held << shift
    return False


@inlined
def answered_later(
    deal: Words, state: Words, at: int, turn: int, out: int, field: int, metal: int, number: int, gained: int
) -> bool:
    """Whether another seat may beat a play when each can have `gained` cards of one metal; `out`: not mine."""
    bits = deal[BITS]
    above = -1 << (bits * (metal + 1))
    if number == 1:
        return bool(out & deal[SINGLY + field] & above != 0)
    rest = out & deal[SEVERAL + field] & above
    while rest != 0:
        shift = bits * deal[METAL_OF + trailing_zeros(rest)]
        reach = (rest >> shift) & ((1 << bits) - 1)
        rest ^= reach << shift
        if reach < number:
            continue
        for seat in range(deal[SEATS]):
            if seat != turn and ((state[at + seat] >> shift) & ((1 << bits) - 1)) + gained >= number:
                return True
    return False


@lean
def run_wins(deal: Words, state: Words, at: int) -> bool:
    """Whether the seat to move has a run. Allies let every play pass. Writes behind the node's words."""
    status = state[at + STATUS]
    turn = turn_of(status)
    bits = deal[BITS]
    ally = deal[MODEL] == ALLY
    discard = state[at + DISCARD]
    whole = deal[ONES] & ~lanes(deal, discard ^ deal[FULL])
    live = deal[TOTAL] & ~(whole * ((1 << bits) - 1))
    a_pass = 2 if (status >> DRAWN) & 1023 < deal[STOCKED] else 1
    count = (status >> COUNT) & 7
    base = at + STATE_WORDS
    hand = state[at + turn]
    field = (status >> FIELD) & 3
    rest = hand & deal[SINGLY + field]
    if count > 0:
        rest &= -1 << (bits * (((status >> METAL) & 63) + 1))
    state[base + _HAND] = hand
    state[base + _FIELD] = field | (((status >> REVERSED) & 1) << 2)
    state[base + _REST] = lanes(deal, rest)
    state[base + _NUMBER] = 0
    level = 0
    steps = 0
    while level >= 0:
        here = base + level * _LEVEL
        hand = state[here + _HAND]
        field = state[here + _FIELD] & 3
        number = state[here + _NUMBER]
        if number == 0:
            rest = state[here + _REST]
            if rest == 0:
                level -= 1
                continue
            bit = highest_one(rest)
            state[here + _REST] = rest ^ (1 << bit)
            metal = deal[METAL_OF + bit]
            state[here + _METAL] = metal
            number = min((hand >> (bits * metal)) & ((1 << bits) - 1), 4)
            if (deal[SEVERAL + field] >> (bits * metal)) & 1 == 0:
                pair = level == 0 and count == 1 and (deal[PAIRS + field] >> (bits * metal)) & 1 != 0
                number = min(number, 2 if pair else 1)
            if level == 0 and count > 0:
                number = min(number, count + 1)
        metal = state[here + _METAL]
        state[here + _NUMBER] = number - 1
        if level == 0 and number < count:
            state[here + _NUMBER] = 0
            continue
        steps += 1
        if steps > _MOST_STEPS:
            return False
        left = hand - (number << (bits * metal))
        if left == 0:
            return True
        if not ally:
            if level == 0:
                if answered_now(deal, state, at, turn, field, metal, number):
                    continue
            elif answered_later(deal, state, at, turn, live - hand, field, metal, number, level * a_pass):
                continue
        reverse = (state[here + _FIELD] >> 2) ^ (1 if number == 4 else 0)
        field = next_field(field, reverse)
        rest = lanes(deal, left & deal[SINGLY + field])
        if rest == 0 or level + 1 >= _MOST_PLAYS:
            continue
        level += 1
        here += _LEVEL
        state[here + _HAND] = left
        state[here + _FIELD] = field | (reverse << 2)
        state[here + _REST] = rest
        state[here + _NUMBER] = 0
    return False


@lean
def sure_winner(deal: Words, state: Words, at: int) -> int:
    """The seat that has gone out, or is to move and sure to; -1 where nothing is sure.

    Among allies only the seat asked about is looked at: another one need not go out though it could.
    """
    status = state[at + STATUS]
    if status >> OUT != 0:
        return int((status >> OUT) - 1)
    turn = turn_of(status)
    if deal[MODEL] == ALLY and turn != asked_of(status):
        return -1
    if goes_out(deal, state, at) or (deal[SWITCHES] & RUNS != 0 and run_wins(deal, state, at)):
        return turn
    return -1


@inlined
def settle(deal: Words, state: Words, at: int) -> int:
    """The game is over, or the seat to move is sure to win."""
    winner = sure_winner(deal, state, at)
    if winner < 0:
        return UNKNOWN
    return YES if winner == asked_of(state[at + STATUS]) else NO
