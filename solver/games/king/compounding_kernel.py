"""The best bonus of a set of cards, and upper bounds on it, for the leaves of searches.

The kernels allocate nothing. They read the tables of a deck (below, with the reason why only carriers matter) and
write to a working space provided by the caller. A set of cards is a *deck mask*: bit n stands for card n of the
deck. The tables number the cards differently; a *table mask* uses their numbers.

The search is a branch and bound over the carriers that compete for a scarce ingredient. More cards never lower the
best bonus, so the best bonus of all cards that a player may still get is an upper bound too.

Decks can be made for which the search takes hours, with many overlapping recipes of about the same worth. So a
search has a limit of nodes. If it is reached, the bonus returned can be made, but a higher one may be possible;
`REST` in the working space is then -1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.games.king.deck import CARDS, Deck
from solver.kernels.jit import inlined, kernel, lean
from solver.kernels.words import Words, highest_one, popcount, trailing_zeros

# ----------------------------------------------------------------------------------------------------
# A deck's recipes as the flat array that the compounding kernels read.
#
# A *carrier* is a card that carries a recipe. It never matters which cards are used in a recipe, only how many
# cards of each ingredient there are, since a card provides at most one ingredient. A carrier that is made uses the
# needs of its recipe and, because it cannot serve elsewhere, one unit of the ingredient that it provides itself:
# its *demand*. The best compounding is then a multidimensional 0/1 knapsack: the carriers with the highest total
# bonus whose total demand of every ingredient is at most the number of cards that provide it.
#
# The tables renumber the cards: carriers first, in ascending order of bonus, so that the lowest bits of a mask of
# carriers are its cheapest ones. The array is made of int64 words, in this order:
#
# - a header of `ROWS` words, named below;
# - a row of `WIDTH` words for each ingredient: a mask of the cards that provide it, then for u = 1 … `DEPTH` + 1 a
# mask of the carriers that demand at least u units (for `DEPTH` + 1 no carrier does);
# - the bonus of each carrier, from `BONUSES` on;
# - for each of the `MASK_BYTES` bytes of a deck mask, the new mask of its 256 values, from `BYTES` on;
# - for each byte of a mask of carriers, the sum of the bonuses of its 256 values, from `SUMS` on.


# The header: the number of ingredients, the most units that a carrier demands of one, the words of a row, the mask
# of all carriers, where the bonuses and the two tables by bytes begin, and the nodes of a quick search, well under
# a millisecond. The rows begin after the header.
INGREDIENTS, DEPTH, WIDTH, CARRIERS, BONUSES, BYTES, SUMS, PATIENCE, ROWS = range(9)
MASK_BYTES = 7  # of a deck mask
_PATIENCE = 512  # nodes; no set of the house deck was seen to need 200
_LEAST_PATIENCE = 32
_ROOMY = 64  # ingredients times units demanded; with more, a node takes proportionally longer
KEPT_DECKS = 64  # decks whose tables are kept; users may send any number of decks
BONUS_WEIGHT = 64  # more than the cards of any compounding, so that the bonus decides before their number


def demand(deck: Deck, card: int) -> Counter[str]:
    """The units of each ingredient used up by making a carrier's recipe, including what the carrier provides."""
    recipe = deck.cards[card].recipe
    assert recipe is not None
    units = Counter(recipe.needs)
    provided = deck.cards[card].provides
    if provided is not None:
        units[provided] += 1
    return units


def weight(deck: Deck, card: int) -> int:
    """A carrier's weight: its bonus first and, in a tie, fewer cards used.

    Compoundings are compared by the sums of their carriers' weights.
    """
    recipe = deck.cards[card].recipe
    assert recipe is not None
    return recipe.bonus * BONUS_WEIGHT - 1 - len(recipe.needs)


@dataclass(frozen=True)
class Numbering:
    """The numbering of a deck's cards in the tables.

    `carriers` are the carriers in the tables, in their new order; `values` has the bonus or the weight of each.
    """

    carriers: tuple[int, ...]
    values: tuple[int, ...]

    @cached_property
    def place(self) -> dict[int, int]:
        """For each card's index in the deck, its number in the tables."""
        others = [card for card in range(CARDS) if card not in self.carriers]
        return {card: new for new, card in enumerate((*self.carriers, *others))}

    def mask(self, cards: Iterable[int]) -> int:
        """Convert cards of the deck to a table mask."""
        return sum(1 << self.place[card] for card in cards)


@lru_cache(maxsize=KEPT_DECKS)
def numbering(deck: Deck, *, thrifty: bool = False) -> Numbering:
    """The numbering for tables whose values are bonuses or, if `thrifty`, weights (see `weight`).

    `thrifty` tables leave out carriers without a bonus. All tables leave out carriers whose recipe not even the
    whole deck can make.
    """
    supply = Counter(card.provides for card in deck.cards)
    values = {
        card: weight(deck, card) if thrifty else recipe.bonus
        for card in range(CARDS)
        if (recipe := deck.cards[card].recipe) is not None
        and (recipe.bonus > 0 or not thrifty)
        and all(supply[need] >= units for need, units in demand(deck, card).items())
    }
    carriers = tuple(sorted(values, key=lambda card: (values[card], card)))
    return Numbering(carriers, tuple(values[card] for card in carriers))


@lru_cache(maxsize=KEPT_DECKS)
def tables(deck: Deck, *, thrifty: bool = False) -> NDArray[np.int64]:
    """The read-only tables of a deck for the kernels; with `thrifty`, their values are weights, not bonuses."""
    numbers = numbering(deck, thrifty=thrifty)
    carriers, values = numbers.carriers, numbers.values
    demands = [demand(deck, card) for card in carriers]
    # An ingredient that no recipe needs is never scarce.
    wanted = sorted({need for card in carriers for need in _needs(deck, card)})
    depth = max((units[need] for units in demands for need in wanted), default=1)

    rows = np.zeros((len(wanted), depth + 2), np.int64)
    for number, need in enumerate(wanted):
        rows[number, 0] = numbers.mask(card for card in range(CARDS) if deck.cards[card].provides == need)
        for least in range(1, depth + 1):
            rows[number, least] = sum(1 << at for at, units in enumerate(demands) if units[need] >= least)
    renumbered = _by_bytes([1 << numbers.place[card] for card in range(CARDS)])

    parts = [rows.ravel(), np.array(values, np.int64), renumbered, _by_bytes(values)]
    header = np.zeros(ROWS, np.int64)
    header[INGREDIENTS], header[DEPTH], header[WIDTH] = len(wanted), depth, depth + 2
    header[CARRIERS] = (1 << len(carriers)) - 1
    header[PATIENCE] = max(_LEAST_PATIENCE, _PATIENCE * _ROOMY // max(_ROOMY, len(wanted) * depth))
    header[[BONUSES, BYTES, SUMS]] = ROWS + np.cumsum([len(part) for part in parts[:-1]])
    found = np.concatenate([header, *parts])
    found.flags.writeable = False
    return found


def _needs(deck: Deck, card: int) -> tuple[str, ...]:
    recipe = deck.cards[card].recipe
    return recipe.needs if recipe else ()


def _by_bytes(values: Sequence[int]) -> NDArray[np.int64]:
    """For each byte of a bit mask over `values`, the sums of the values selected by its 256 settings.

    The result is a flat array with 256 numbers per byte. It is computed with NumPy operations, for speed.
    """
    sums = np.zeros((-(-len(values) // 8), 256), np.int64)
    for bit, value in enumerate(values):
        row, half = sums[bit // 8], 1 << bit % 8
        row[half : 2 * half] = row[:half] + value
    return sums.ravel()


# The working space: first the supply of each ingredient (how many cards provide it); then the nodes left by the
# last search, -1 if they were not enough; then its stack.
REST = CARDS
STACK = REST + 1
FRAME = 4  # words of a frame: carriers made, carriers left, scarce ingredients, bonus so far
POOLED = 10  # with this many competing carriers, the second bound saves more time than it takes
WORK_WORDS = STACK + FRAME * (CARDS + 1)
ENDLESS = 1 << 62  # nodes: no limit


def working_space() -> Words:
    """Allocate an array for the kernels to work in. Threads must not share one."""
    return np.zeros(WORK_WORDS, np.int64)


@inlined
def renumbered(tables: Words, cards: int) -> int:
    """Convert a deck mask to a table mask."""
    at = tables[BYTES]
    found = 0
    for byte in range(MASK_BYTES):
        found |= tables[at + (byte << 8) + ((cards >> (8 * byte)) & 255)]
    return found


@inlined
def bonuses(tables: Words, carriers: int) -> int:
    """The sum of the bonuses of some carriers (a table mask)."""
    at = tables[SUMS]
    total = 0
    while carriers != 0:
        total += tables[at + (carriers & 255)]
        carriers >>= 8
        at += 256
    return total


@inlined
def demanded(tables: Words, row: int, carriers: int) -> int:
    """The units that some carriers (a table mask) demand of the ingredient whose row starts at `row`."""
    units = popcount(carriers & tables[row + 1])
    for least in range(2, tables[DEPTH] + 1):
        units += popcount(carriers & tables[row + least])
    return units


@inlined
def feasible(tables: Words, work: Words, own: int) -> int:
    """The carriers in a set of cards that could each be made if no other one were, as a table mask.

    `own` is the table mask of the set. Writes the supply of each ingredient to the start of `work`.
    """
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
    """A lower bound on the bonus lost because an ingredient is too scarce for all of `carriers`.

    They demand `excess` units too many, so some must be left out; leaving out the cheapest loses least. Those in
    `free` are left out at no cost, since their loss may already be counted for another ingredient. `row` is the
    start of the ingredient's row in the tables.
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
    """An upper bound on the bonus that the `competing` carriers can add to that of the carriers `made`.

    It lets every scarce ingredient replace every other: a knapsack whose capacity is the total of units left of
    all scarce ingredients. Carriers go in by descending bonus per unit, the last one in part (Dantzig 1957).
    `scarce` is a mask of ingredients; `work` has the supplies.
    """
    width = tables[WIDTH]
    units = 0
    one = 0
    two = 0
    four = 0  # three bits for each carrier's number of units; more than 7 count as 7
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
    """An upper bound on the best bonus of a set of cards (a deck mask), as fast as one node of `best`.

    It is the bonus of all carriers that could each be made alone, minus the least loss from scarcity.
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
def search(tables: Words, work: Words, made: int, left: int, value: int, nodes: int) -> int:
    """The best bonus if all carriers of `made`, worth `value` in all, and any carriers of `left` are made.

    `made` and `left` are table masks; `work` has the supplies, and room for the stack. If the search would need
    more than `nodes` nodes, the result is the best bonus found so far, and ``work[REST]`` is -1.
    """
    width = tables[WIDTH]
    depth = tables[DEPTH]
    scarce = (1 << tables[INGREDIENTS]) - 1
    found = 0
    top = STACK
    while True:
        if nodes == 0:
            work[REST] = -1
            return int(max(found, value))
        nodes -= 1
        rest = scarce if made != 0 else 0
        while rest != 0:
            ingredient = trailing_zeros(rest)
            rest &= rest - 1
            row = ROWS + ingredient * width
            supply = work[ingredient] - demanded(tables, row, made)
            left &= ~tables[row + 1 + min(supply, depth)]
        # If an ingredient is too scarce for all, the carriers that demand it compete. All others are made.
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
            # First the carrier with the highest bonus is made; its frame is kept, for leaving it out later.
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
            work[REST] = nodes
            return int(found)
        top -= FRAME
        made = work[top]
        left = work[top + 1]
        scarce = work[top + 2]
        value = work[top + 3]


@lean
def best(tables: Words, work: Words, cards: int, nodes: int) -> int:
    """The best bonus of a set of cards (a deck mask) found in a search of at most `nodes` nodes.

    It is proved best unless ``work[REST]`` is -1 afterwards.
    """
    left = feasible(tables, work, renumbered(tables, cards))
    if left == 0:
        work[REST] = nodes
        return 0
    return search(tables, work, 0, left, 0, nodes)


def best_of_each(deck: Deck, piles: Words) -> Words:
    """Return the best bonus found for each pile (a deck mask) in a search of at most `PATIENCE` nodes."""
    kinds, places = np.unique(piles, return_inverse=True)
    found = np.zeros(len(kinds), np.int64)
    _best_of_each(tables(deck), working_space(), kinds, found)
    return found[places]


@kernel
def _best_of_each(tables: Words, work: Words, piles: Words, found: Words) -> None:
    for index in range(len(piles)):
        found[index] = best(tables, work, piles[index], tables[PATIENCE])


@lean
def best_from(tables: Words, work: Words, cards: int, made: int, allowed: int, nodes: int) -> int:
    """The best bonus of a set of cards if the carriers `made` are made and, of the others, only some of `allowed`.

    `cards` is a deck mask, `made` and `allowed` are table masks; `nodes` is as in `best`. Returns -1 if the cards
    are not enough for `made`.
    """
    work[REST] = nodes
    left = feasible(tables, work, renumbered(tables, cards))
    row = ROWS
    for ingredient in range(tables[INGREDIENTS]):
        if demanded(tables, row, made) > work[ingredient]:
            return -1
        row += tables[WIDTH]
    return search(tables, work, made, left & allowed & ~made, bonuses(tables, made), nodes)


# ----------------------------------------------------------------------------------------------------
# The part of a set of cards that can still matter to its best compounding: the key under which searches remember
# piles.


@lean
def reduced(tables: Words, cards: int, possible: int) -> int:
    """The part of `cards` that still matters if only `possible` cards can join them, as a table mask.

    `cards` and `possible` are disjoint deck masks. Two sets with the same result have the same best bonus
    whichever cards of `possible` join them, so the result can be a cache key. It has the carriers that can still
    be made. For each ingredient, it also has as many cards as the set can contribute, but no more than can be
    used; these are always represented by the same cards, so that results can be compared.
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
    # The representatives are cards that will never be made as carriers: those out of play, and own ones.
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
