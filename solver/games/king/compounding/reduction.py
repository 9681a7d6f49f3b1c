"""What of a set of cards can still matter to its best compounding: the key under which searches remember piles."""

from __future__ import annotations

from solver.games.king.compounding.kernel import demanded, renumbered
from solver.games.king.compounding.tables import CARRIERS, DEPTH, INGREDIENTS, ROWS, WIDTH
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount
from solver.kernels.jit import lean


@lean
def reduced(tables: Words, cards: int, possible: int) -> int:
    """What of `cards` still matters when no other cards than `possible` can join them, as a table mask.

    `cards` and `possible` are deck masks without a common card. Two sets with the same answer have the same best
    bonus whichever cards of `possible` join them, so the answer is a key of a cache. It has the carriers that can
    still be made. Of each ingredient it has as many cards as the set, but no more than can be used; the same cards
    stand in for them each time.
    """
    own = renumbered(tables, cards)
    coming = renumbered(tables, possible)
    everything = own | coming
    depth = tables[DEPTH]
    fitting = tables[CARRIERS]
    row = ROWS
    for _ in range(tables[INGREDIENTS]):
        fitting &= ~tables[row + 1 + min(popcount(everything & tables[row]), depth)]
        row += tables[WIDTH]
    kept = own & fitting
    live = everything & fitting
    # Cards stand in that will never be made as carriers: those out of play, and own ones.
    standing = ~(coming | fitting)
    row = ROWS
    for _ in range(tables[INGREDIENTS]):
        units = min(popcount(own & ~fitting & tables[row]), demanded(tables, row, live))
        standby = tables[row] & standing
        for _ in range(units):
            kept |= standby & -standby
            standby &= standby - 1
        row += tables[WIDTH]
    return int(kept)
