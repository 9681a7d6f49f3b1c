"""What a trick game brings to the score search beside `vocabulary`.

The search asks one kind of question: *can the player reach `need` more points from here?* Word `NEED` of a node is
the question, the others are the game's.

A node's key and its question share a word in the search, and its bounds share one in the table. So a game says how
wide both are: `KEY_BITS` bits for any key, `POINT_BITS` for any score of the game plus one. A key or a question
that is wider ends the search with an error.
"""

from __future__ import annotations

from solver.kernels.words import Words
from solver.search.tricks.words import NEED, NO, UNKNOWN, YES

POINT_BITS = 4
KEY_BITS = 57
MOVE_CODES = 62  # moves are numbers below this


def key(deal: Words, state: Words, at: int) -> int:
    """The node without its question, exactly: equal keys mean equal nodes. Not 0, and below 2**KEY_BITS."""
    raise NotImplementedError


def in_play(deal: Words, state: Words, at: int) -> int:
    """Points that nobody has won yet: at least as many as the player can still win; 0 when all is played."""
    raise NotImplementedError


def listed(deal: Words, state: Words, at: int, out: Words, to: int) -> int:
    """Write every legal move to `out` from `to` on, in canonical order; return their number."""
    raise NotImplementedError


# What a game may leave out.


def settle(deal: Words, state: Words, at: int) -> int:
    """YES, NO or UNKNOWN by what costs next to nothing. YES of a `need` of 0 or less; never UNKNOWN at the end.

    By default: whether nothing is needed, or more than there is.
    """
    if state[at + NEED] <= 0:
        return YES
    if state[at + NEED] > in_play(deal, state, at):
        return NO
    return UNKNOWN


def estimate(deal: Words, state: Words, at: int) -> int:
    """YES, NO or UNKNOWN by static bounds, looked at after the table. By default UNKNOWN."""
    return UNKNOWN


def finish(deal: Words, state: Words, at: int, table: Words) -> int:
    """YES or NO by a search of the game's own of the last tricks, UNKNOWN where it has none, as by default.

    It writes the nodes that it looked at to `deal[FINISHED]`. It is not interrupted: it must take no longer than a
    millisecond or two.
    """
    return UNKNOWN


def assured(deal: Words, state: Words, at: int, table: Words) -> int:
    """YES by a proof of the game's own that serves other boundaries too, else UNKNOWN, as by default.

    It is asked of boundaries when they are first met, writes the nodes that it looked at to `deal[FINISHED]`, and
    is not interrupted either.
    """
    return UNKNOWN


def choices(deal: Words, state: Words, at: int) -> int:
    """About how many moves there are: a first guess at the work to refute them all. By default 1."""
    return 1


def moves(deal: Words, state: Words, at: int, out: Words, to: int, first: int) -> int:
    """Write the moves to `out` from `to` on, the most promising first (`first`, unless -1); return their number.

    Moves that are provably worth the same as another may be left out. The order may depend on `deal[ATTEMPT]` too.
    By default: all, in canonical order behind `first`.
    """
    count = listed(deal, state, at, out, to)
    for place in range(to, to + count):
        if out[place] == first:
            while place > to:
                out[place] = out[place - 1]
                place -= 1
            out[to] = first
            break
    return count
