"""Compounding for search leaves: the best bonus of a set of cards, and bounds, as kernels without allocation.

A branch and bound over the carriers that compete for something; see `compound_tables` for why only those matter.
Monotone: more cards never lower the best bonus. So `best` of all cards that a player may still get is a bound too.
"""

from __future__ import annotations

import numpy as np

from solver.games.king.cards.deck import CARDS
from solver.games.king.compounding.tables import (
    BONUSES,
    BYTES,
    CARRIERS,
    DEPTH,
    INGREDIENTS,
    MASK_BYTES,
    ROWS,
    SUMS,
    WIDTH,
)
from solver.kernels.arrays import Words
from solver.kernels.bits import highest_one, popcount, trailing_zeros
from solver.kernels.jit import inlined, lean

# The working space that the caller brings: supplies, then the stack of the branch and bound.
STACK = CARDS
FRAME = 4  # carriers made, carriers left, scarce ingredients, bonus so far
POOLED = 10  # competing carriers from which on the second bound pays
WORK_WORDS = STACK + FRAME * (CARDS + 1)


def working_space() -> Words:
    """An array for the kernels to work in; one a thread, its contents do not matter."""
    return np.zeros(WORK_WORDS, np.int64)


@inlined
def renumbered(tables: Words, cards: int) -> int:
    """A deck mask in the tables' numbering."""
    at = tables[BYTES]
    found = 0
    for byte in range(MASK_BYTES):
        found |= tables[at + (byte << 8) + ((cards >> (8 * byte)) & 255)]
    return found


@inlined
def bonuses(tables: Words, carriers: int) -> int:
    """The sum of the bonuses of a mask of carriers."""
    at = tables[SUMS]
    total = 0
    while carriers != 0:
        total += tables[at + (carriers & 255)]
        carriers >>= 8
        at += 256
    return total


@inlined
def demanded(tables: Words, row: int, carriers: int) -> int:
    """The units of an ingredient that these carriers demand together."""
    units = popcount(carriers & tables[row + 1])
    for least in range(2, tables[DEPTH] + 1):
        units += popcount(carriers & tables[row + least])
    return units


@inlined
def feasible(tables: Words, work: Words, own: int) -> int:
    """The carriers of a set that could be made if nothing else were; writes the supplies to `work`."""
    live = own & tables[CARRIERS]
    depth = tables[DEPTH]
    row = ROWS
    for ingredient in range(tables[INGREDIENTS]):
        supply = popcount(own & tables[row])
        work[ingredient] = supply
        live &= ~tables[row + 1 + min(supply, depth)]
        row += tables[WIDTH]
    return int(live)


@inlined
def least_loss(tables: Words, carriers: int, free: int, excess: int, row: int) -> int:
    """At least this much bonus is lost for `excess` units too few, by leaving out some of `carriers`.

    Those of `free` are left out already, for nothing.
    """
    scarce = carriers & tables[row + 1] & ~free
    excess -= demanded(tables, row, carriers & free)
    loss = 0
    at = tables[BONUSES]
    depth = tables[DEPTH]
    while excess > 0:
        carrier = trailing_zeros(scarce)
        scarce &= scarce - 1
        loss += tables[at + carrier]
        excess -= depth
    return loss


@lean
def pooled(tables: Words, work: Words, made: int, competing: int, scarce: int) -> int:
    """At most this much bonus comes of `competing` when the scarce ingredients serve for one another.

    A knapsack of the units left of all scarce ingredients, carriers by bonus a unit, the last one in part.
    """
    width = tables[WIDTH]
    units = 0
    one = 0
    two = 0
    four = 0  # the carriers' units, bit by bit; more than 7 count as 7
    rest = scarce
    while rest != 0:
        row = ROWS + trailing_zeros(rest) * width
        rest &= rest - 1
        units += work[(row - ROWS) // width] - demanded(tables, row, made)
        for least in range(1, tables[DEPTH] + 1):
            adding = competing & tables[row + least] & ~(one & two & four)
            carry = one & adding
            one ^= adding
            four |= two & carry
            two ^= carry
    total = 0
    at = tables[BONUSES]
    left = competing
    while left != 0 and units > 0:
        best_bonus = 0
        best_size = 1
        chosen = 0
        for size in range(1, 8):
            of_size = left
            of_size &= one if size & 1 else ~one
            of_size &= two if size & 2 else ~two
            of_size &= four if size & 4 else ~four
            if of_size != 0:
                top = highest_one(of_size)
                bonus = tables[at + top]
                if bonus * best_size > best_bonus * size:
                    best_bonus = bonus
                    best_size = size
                    chosen = 1 << top
        if chosen == 0:
            break
        if best_size > units:
            return int(total + best_bonus * units // best_size)
        total += best_bonus
        units -= best_size
        left &= ~chosen
    return int(total)


@lean
def optimistic(tables: Words, work: Words, cards: int) -> int:
    """At least the best bonus of a set of cards: all that could be made, less what scarcity costs at least.

    Its cost is that of the first node of `best`.
    """
    live = feasible(tables, work, renumbered(tables, cards))
    competing = 0
    scarce = 0
    loss = 0
    row = ROWS
    for ingredient in range(tables[INGREDIENTS]):
        excess = demanded(tables, row, live) - work[ingredient]
        if excess > 0:
            loss += least_loss(tables, live, competing, excess, row)
            competing |= live & tables[row + 1]
            scarce |= 1 << ingredient
        row += tables[WIDTH]
    most = bonuses(tables, competing) - loss
    if popcount(competing) >= POOLED:
        most = min(most, pooled(tables, work, 0, competing, scarce))
    return int(bonuses(tables, live & ~competing) + most)


@inlined
def search(tables: Words, work: Words, made: int, left: int, value: int) -> int:
    """The best bonus with the carriers `made`, which is `value`, and any of `left`; `work` has the supplies."""
    width = tables[WIDTH]
    depth = tables[DEPTH]
    scarce = (1 << tables[INGREDIENTS]) - 1
    found = 0
    top = STACK
    while True:
        rest = scarce if made != 0 else 0
        while rest != 0:
            ingredient = trailing_zeros(rest)
            rest &= rest - 1
            row = ROWS + ingredient * width
            supply = work[ingredient] - demanded(tables, row, made)
            left &= ~tables[row + 1 + min(supply, depth)]
        # What is not enough for all: those carriers compete, the others are made.
        competing = 0
        loss = 0
        rest = scarce
        while rest != 0:
            ingredient = trailing_zeros(rest)
            rest &= rest - 1
            row = ROWS + ingredient * width
            excess = demanded(tables, row, left) + demanded(tables, row, made) - work[ingredient]
            if excess > 0:
                loss += least_loss(tables, left, competing, excess, row)
                competing |= left & tables[row + 1]
            else:
                scarce &= ~(1 << ingredient)
        value += bonuses(tables, left & ~competing)
        if competing == 0:
            found = max(found, value)
        elif value + bonuses(tables, competing) - loss > found and (
            popcount(competing) < POOLED or value + pooled(tables, work, made, competing, scarce) > found
        ):
            # The dearest is made; later it is left out.
            dearest = 1 << highest_one(competing)
            work[top] = made
            work[top + 1] = competing & ~dearest
            work[top + 2] = scarce
            work[top + 3] = value
            top += FRAME
            value += bonuses(tables, dearest)
            made |= dearest
            left = competing & ~dearest
            continue
        if top == STACK:
            return int(found)
        top -= FRAME
        made = work[top]
        left = work[top + 1]
        scarce = work[top + 2]
        value = work[top + 3]


@lean
def best(tables: Words, work: Words, cards: int) -> int:
    """The best bonus of a set of cards (a deck mask)."""
    left = feasible(tables, work, renumbered(tables, cards))
    return search(tables, work, 0, left, 0) if left != 0 else 0


@lean
def best_from(tables: Words, work: Words, cards: int, made: int, allowed: int) -> int:
    """The best bonus of a set of cards when `made` are made, and of the other carriers only some of `allowed`.

    `made` and `allowed` are masks in the tables' numbering. -1 when the cards are too few for `made`.
    """
    left = feasible(tables, work, renumbered(tables, cards))
    row = ROWS
    for ingredient in range(tables[INGREDIENTS]):
        if demanded(tables, row, made) > work[ingredient]:
            return -1
        row += tables[WIDTH]
    return search(tables, work, made, left & allowed & ~made, bonuses(tables, made))


@lean
def reduced(tables: Words, cards: int, possible: int) -> int:
    """What of `cards` still matters when at most the cards of `possible` (disjoint deck masks) join them.

    A mask in the tables' numbering that is worth the same as `cards` together with any of `possible`, so one for
    all sets that are. It has the carriers that can still be made, and of each ingredient as many cards as there
    are, but no more than can be used, the same ones each time.
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
    # The stand-ins are cards out of play, or own ones, that never will be made either.
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
