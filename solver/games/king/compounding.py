"""Compounding: the best bonus of a set of cards and bounds on it, as kernels, and the recipes that bring it.

The kernels allocate nothing. They read the tables of a deck (below, with the reason why only carriers matter) and
write to a working space provided by the caller. A set of cards is a *deck mask*: bit n stands for card n of the
deck. The tables number the cards differently; a *table mask* uses their numbers.

The search is a branch and bound over the carriers that compete for a scarce ingredient. More cards never lower the
best bonus, so the best bonus of all cards that a player may still get is an upper bound too.

Decks can be made for which the search takes hours, with many overlapping recipes of about the same worth. So a
search has a limit of nodes. If it is reached, the bonus returned can be made, but a higher one may be possible;
`REST` in the working space is then -1.

The best compounding has the highest bonus; in a tie, the fewest cards; then the first recipes in the deck: at the
first carrier where two compoundings differ, the better one makes it. Of several cards that provide an ingredient,
the first in the deck's order is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from solver.answers import CompoundAnalysis, Compounding, MadeRecipe, Missing
from solver.common import mask, members
from solver.errors import RequestError
from solver.games.king.deck import CARDS, Deck, house
from solver.games.king.rules import State
from solver.kernels.jit import inlined, kernel, lean
from solver.kernels.words import Words, highest_one, popcount, trailing_zeros
from solver.language import say
from solver.limits import Control

if TYPE_CHECKING:
    from solver.search.cpsat import cp_model

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
# - a header of `PROVIDERS` words, named below;
# - a column, a word for each ingredient, of the cards that provide it, as masks; then for u = 1 … `DEPTH` + 1 a
# column of the carriers that demand at least u units (for `DEPTH` + 1 no carrier does). A loop over ingredients
# reads a column from end to end;
# - the bonus of each carrier, from `BONUSES` on;
# - the ingredients that each carrier demands, as a mask, from `DEMANDS` on;
# - for each of the `MASK_BYTES` bytes of a deck mask, the new mask of its 256 values, from `BYTES` on;
# - for each byte of a mask of carriers, the sum of the bonuses of its 256 values, from `SUMS` on.


# The header: the number of ingredients, the most units that a carrier demands of one, the mask of all carriers,
# where the bonuses, the demands and the two tables by bytes begin, and the nodes of a quick search, well under a
# millisecond. The columns begin after the header.
INGREDIENTS, DEPTH, CARRIERS, BONUSES, DEMANDS, BYTES, SUMS, PATIENCE, PROVIDERS = range(9)
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

    columns = np.zeros((depth + 2, len(wanted)), np.int64)
    for number, need in enumerate(wanted):
        columns[0, number] = numbers.mask(card for card in range(CARDS) if deck.cards[card].provides == need)
        for least in range(1, depth + 1):
            columns[least, number] = sum(1 << at for at, units in enumerate(demands) if units[need] >= least)
    masks = [sum(1 << number for number, need in enumerate(wanted) if units[need]) for units in demands]
    renumbered = _by_bytes([1 << numbers.place[card] for card in range(CARDS)])

    parts = [columns.ravel(), np.array(values, np.int64), np.array(masks, np.int64), renumbered, _by_bytes(values)]
    header = np.zeros(PROVIDERS, np.int64)
    header[INGREDIENTS], header[DEPTH] = len(wanted), depth
    header[CARRIERS] = (1 << len(carriers)) - 1
    header[PATIENCE] = max(_LEAST_PATIENCE, _PATIENCE * _ROOMY // max(_ROOMY, len(wanted) * depth))
    header[[BONUSES, DEMANDS, BYTES, SUMS]] = PROVIDERS + np.cumsum([len(part) for part in parts[:-1]])
    joined = np.concatenate([header, *parts])
    joined.flags.writeable = False
    return joined


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
    table_mask = 0
    for byte in range(MASK_BYTES):
        table_mask |= tables[at + (byte << 8) + ((cards >> (8 * byte)) & 255)]
    return table_mask


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
def demanding(tables: Words, entry: int, least: int) -> int:
    """The carriers (a table mask) that demand at least so many units of the ingredient at `entry`."""
    return int(tables[entry + least * tables[INGREDIENTS]])


@inlined
def demanded(tables: Words, entry: int, carriers: int) -> int:
    """The units that some carriers (a table mask) demand of the ingredient whose word is at `entry`."""
    units = popcount(carriers & demanding(tables, entry, 1))
    for least in range(2, tables[DEPTH] + 1):
        units += popcount(carriers & demanding(tables, entry, least))
    return units


@inlined
def ingredients_of(tables: Words, carriers: int) -> int:
    """The ingredients that any of some carriers (a table mask) demands, as a mask."""
    at = tables[DEMANDS]
    ingredients = 0
    while carriers != 0:
        ingredients |= tables[at + trailing_zeros(carriers)]
        carriers &= carriers - 1
    return ingredients


@inlined
def feasible(tables: Words, work: Words, own: int, ingredients: int) -> int:
    """The carriers in a set of cards that could each be made if no other one were, as a table mask.

    `own` is the table mask of the set. `ingredients` must include all that its carriers demand: the supply of each
    is written to its place at the start of `work`.
    """
    live = own & tables[CARRIERS]
    depth = tables[DEPTH]
    while ingredients != 0:
        ingredient = trailing_zeros(ingredients)
        ingredients &= ingredients - 1
        entry = PROVIDERS + ingredient
        supply = popcount(own & tables[entry])
        work[ingredient] = supply
        live &= ~demanding(tables, entry, 1 + min(supply, depth))
    return int(live)


@inlined
def least_loss(tables: Words, carriers: int, free: int, excess: int, entry: int) -> int:
    """A lower bound on the bonus lost because an ingredient is too scarce for all of `carriers`.

    They demand `excess` units too many, so some must be left out; leaving out the cheapest loses least. Those in
    `free` are left out at no cost, since their loss may already be counted for another ingredient. `entry` is
    where the ingredient's word is in the tables.
    """
    scarce = carriers & demanding(tables, entry, 1) & ~free
    excess -= demanded(tables, entry, carriers & free)
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
    units = 0
    ones = 0
    twos = 0
    fours = 0  # three bits for each carrier's number of units; more than 7 count as 7
    rest = scarce
    while rest != 0:
        ingredient = trailing_zeros(rest)
        rest &= rest - 1
        entry = PROVIDERS + ingredient
        units += work[ingredient] - demanded(tables, entry, made)
        for least in range(1, tables[DEPTH] + 1):
            adding = competing & demanding(tables, entry, least) & ~(ones & twos & fours)
            carry = ones & adding
            ones ^= adding
            fours |= twos & carry
            twos ^= carry
    total = 0
    at = tables[BONUSES]
    left = competing
    while left != 0 and units > 0:
        best_bonus = 0
        best_size = 1
        chosen = 0
        for size in range(1, 8):
            of_size = left
            of_size &= ones if size & 1 else ~ones
            of_size &= twos if size & 2 else ~twos
            of_size &= fours if size & 4 else ~fours
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
    """An upper bound on the best bonus of a set of cards (a deck mask), as fast as one node of `bonus_of`.

    It is the bonus of all carriers that could each be made alone, minus the least loss from scarcity.
    """
    own = renumbered(tables, cards)
    live = feasible(tables, work, own, ingredients_of(tables, own & tables[CARRIERS]))
    competing = 0
    scarce = 0
    loss = 0
    rest = ingredients_of(tables, live)
    while rest != 0:
        ingredient = trailing_zeros(rest)
        rest &= rest - 1
        entry = PROVIDERS + ingredient
        excess = demanded(tables, entry, live) - work[ingredient]
        if excess > 0:
            loss += least_loss(tables, live, competing, excess, entry)
            competing |= live & demanding(tables, entry, 1)
            scarce |= 1 << ingredient
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
    depth = tables[DEPTH]
    scarce = ingredients_of(tables, made | left)
    best_bonus = 0
    top = STACK
    while True:
        if nodes == 0:
            work[REST] = -1
            return int(max(best_bonus, value))
        nodes -= 1
        rest = scarce if made != 0 else 0
        while rest != 0:
            ingredient = trailing_zeros(rest)
            rest &= rest - 1
            entry = PROVIDERS + ingredient
            supply = work[ingredient] - demanded(tables, entry, made)
            left &= ~demanding(tables, entry, 1 + min(supply, depth))
        # If an ingredient is too scarce for all, the carriers that demand it compete. All others are made.
        competing = 0
        loss = 0
        rest = scarce
        while rest != 0:
            ingredient = trailing_zeros(rest)
            rest &= rest - 1
            entry = PROVIDERS + ingredient
            excess = demanded(tables, entry, left) + demanded(tables, entry, made) - work[ingredient]
            if excess > 0:
                loss += least_loss(tables, left, competing, excess, entry)
                competing |= left & demanding(tables, entry, 1)
            else:
                scarce &= ~(1 << ingredient)
        value += bonuses(tables, left & ~competing)
        if competing == 0:
            best_bonus = max(best_bonus, value)
        elif value + bonuses(tables, competing) - loss > best_bonus and (
            popcount(competing) < POOLED or value + pooled(tables, work, made, competing, scarce) > best_bonus
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
            return int(best_bonus)
        top -= FRAME
        made = work[top]
        left = work[top + 1]
        scarce = work[top + 2]
        value = work[top + 3]


@lean
def bonus_of(tables: Words, work: Words, cards: int, nodes: int) -> int:
    """The best bonus of a set of cards (a deck mask) found in a search of at most `nodes` nodes.

    It is proved best unless ``work[REST]`` is -1 afterwards.
    """
    own = renumbered(tables, cards)
    left = feasible(tables, work, own, ingredients_of(tables, own & tables[CARRIERS]))
    if left == 0:
        work[REST] = nodes
        return 0
    return search(tables, work, 0, left, 0, nodes)


def best_of_each(deck: Deck, piles: Words) -> Words:
    """Return the best bonus found for each pile (a deck mask) in a search of at most `PATIENCE` nodes."""
    kinds, places = np.unique(piles, return_inverse=True)
    worths = np.zeros(len(kinds), np.int64)
    _best_of_each(tables(deck), working_space(), kinds, worths)
    return worths[places]


@kernel
def _best_of_each(tables: Words, work: Words, piles: Words, worths: Words) -> None:
    for index in range(len(piles)):
        worths[index] = bonus_of(tables, work, piles[index], tables[PATIENCE])


@lean
def best_from(tables: Words, work: Words, cards: int, made: int, allowed: int, nodes: int) -> int:
    """The best bonus of a set of cards if the carriers `made` are made and, of the others, only some of `allowed`.

    `cards` is a deck mask, `made` and `allowed` are table masks; `nodes` is as in `bonus_of`. Returns -1 if the
    cards are not enough for `made`.
    """
    work[REST] = nodes
    left = feasible(tables, work, renumbered(tables, cards), (1 << tables[INGREDIENTS]) - 1)
    for ingredient in range(tables[INGREDIENTS]):
        if demanded(tables, PROVIDERS + ingredient, made) > work[ingredient]:
            return -1
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
    ingredients = tables[INGREDIENTS]
    column = PROVIDERS
    lacking = 0
    for least in range(1, tables[DEPTH] + 1):
        column += ingredients
        for ingredient in range(ingredients):
            if popcount(everything & tables[PROVIDERS + ingredient]) < least:
                lacking |= tables[column + ingredient]
    fitting = tables[CARRIERS] & ~lacking
    kept = own & fitting
    live = everything & fitting
    # The representatives are cards that will never be made as carriers: those out of play, and own ones.
    standing = ~(coming | fitting)
    rest = ingredients_of(tables, live)
    while rest != 0:
        entry = PROVIDERS + trailing_zeros(rest)
        rest &= rest - 1
        providers = own & ~fitting & tables[entry]
        if providers != 0:
            units = min(popcount(providers), demanded(tables, entry, live))
            standby = tables[entry] & standing
            for _ in range(units):
                kept |= standby & -standby
                standby &= standby - 1
    return int(kept)


# ----------------------------------------------------------------------------------------------------
# A compounding question: the carriers, and the ingredients that are too scarce for all of them.


@dataclass(frozen=True, slots=True)
class Carrier:
    """A card whose recipe could be made if no other recipe were.

    `demand` lists the scarce ingredients that making the recipe uses up, each with the number of units. It
    includes the unit that the card itself would otherwise provide. `must` is True if the card has to be used,
    either as a carrier or as an ingredient.
    """

    card: int
    weight: int
    bonus: int
    demand: tuple[tuple[str, int], ...]
    must: bool
    provides: str | None


@dataclass(frozen=True, slots=True)
class Contest:
    """Carriers, in the deck's order, that compete for scarce ingredients.

    For each scarce ingredient, `supply` is the number of cards that provide it. `serving` is the number of cards
    that have to be used as this ingredient, because they must be used and can't be carriers.
    """

    carriers: tuple[Carrier, ...]
    supply: dict[str, int]
    serving: Counter[str]


def carriers_of(deck: Deck, cards: Collection[int], must: Collection[int] = ()) -> dict[int, Counter[str]]:
    """The carriers among `cards` whose recipe could be made if no other were, each with its demand.

    The demand is the number of units of each ingredient that making the recipe uses. Carriers of recipes without a
    bonus are included only if there are `must` cards, which such a recipe may use.
    """
    supply = Counter(deck.cards[card].provides for card in cards)
    demands = {}
    for card in sorted(cards):
        recipe = deck.cards[card].recipe
        if recipe is not None and (recipe.bonus > 0 or must):
            units = demand(deck, card)
            if all(supply[need] >= count for need, count in units.items()):
                demands[card] = units
    return demands


def contest(deck: Deck, cards: Collection[int], must: Collection[int] = ()) -> Contest:
    """Find the carriers and the scarce ingredients among `cards`; those in `must` have to be used."""
    demands = carriers_of(deck, cards, must)
    supply = Counter(deck.cards[card].provides for card in cards)
    total: Counter[str] = sum(demands.values(), Counter())
    # A card that no recipe could use is counted under the empty name, which no ingredient has.
    serving = Counter(deck.cards[card].provides or "" for card in must if card not in demands)
    bound_to = {deck.cards[card].provides for card in must}
    scarce = {need for need in total if total[need] > supply[need] or need in bound_to} | {*serving}
    carriers = []
    for card, units in demands.items():
        recipe, provides = deck.cards[card].recipe, deck.cards[card].provides
        assert recipe is not None
        held = tuple((need, count) for need, count in units.items() if need in scarce)
        carriers.append(Carrier(card, weight(deck, card), recipe.bonus, held, card in must, provides))
    return Contest(tuple(carriers), {need: supply[need] for need in sorted(scarce)}, serving)


# ----------------------------------------------------------------------------------------------------
# The cards used by the recipes that are made: always the same choice.


def served(
    deck: Deck, made: Iterable[int], cards: Iterable[int], must: Collection[int] = ()
) -> tuple[MadeRecipe, ...]:
    """The recipes of the carriers `made`, with the cards used in each, taken from `cards`, which must suffice.

    The carriers take their ingredients one after another, in the deck's order, and each takes the first card of
    the deck that provides what it needs; cards of `must` are taken before all others.
    """
    made = sorted(made)
    free = sorted(set(cards) - set(made), key=lambda card: (card not in must, card))
    recipes = []
    for carrier in made:
        recipe = deck.cards[carrier].recipe
        assert recipe is not None
        uses = []
        for need in recipe.needs:
            card = next(card for card in free if deck.cards[card].provides == need)
            free.remove(card)
            uses.append(deck.cards[card].code)
        code = deck.cards[carrier].code
        recipes.append(MadeRecipe(card=code, item=recipe.item, uses=tuple(uses), bonus=recipe.bonus))
    return tuple(recipes)


# ----------------------------------------------------------------------------------------------------
# The best ways to compound, by constraint programming (CP-SAT), within the control's limit.


@dataclass(frozen=True, order=True, slots=True)
class Solution:
    """The carriers whose recipes are `made`, and their total bonus.

    Solutions are compared by `worth`. The weight decides; in a tie, the better solution makes the first carrier,
    in the deck's order, that only one of them makes.
    """

    worth: int
    bonus: int
    made: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Solved:
    """The best solutions of a question, best first.

    `ceiling` is a proved upper bound on the bonus of any solution. If `exact`, these are proved to be the best
    solutions; if they are fewer than requested, there are no others. `exact` without a solution means that there
    is none.
    """

    solutions: tuple[Solution, ...]
    ceiling: int
    exact: bool


def solution(question: Contest, made: Sequence[bool | int]) -> Solution:
    """The solution that makes the recipes of some carriers of `question`.

    `made` has an entry for each carrier of the question, which is true if its recipe is made.
    """
    chosen = [carrier for carrier, chose in zip(question.carriers, made, strict=True) if chose]
    first = sum(1 << (CARDS - 1 - carrier.card) for carrier in chosen)
    weights = sum(carrier.weight for carrier in chosen)
    bonus = sum(carrier.bonus for carrier in chosen)
    return Solution((weights << CARDS) + first, bonus, tuple(carrier.card for carrier in chosen))


def solve(question: Contest, count: int, control: Control, *, canonical: bool = True) -> Solved:
    """Find the `count` best solutions of a question.

    If `count` is more than 1, only solutions to which no recipe can be added are considered. Unless `canonical`,
    any solution of the highest weight may be returned as the best, which saves a second search.
    """
    most = sum(carrier.bonus for carrier in question.carriers)
    if not question.supply and all(carrier.weight > 0 for carrier in question.carriers):
        return Solved((solution(question, [True] * len(question.carriers)),), most, True)
    if not question.carriers:
        return Solved((), 0, True)
    solutions: list[Solution] = []
    ceiling = most
    while len(solutions) < count:
        best, bound, exact = _next(question, solutions, control, maximal=count > 1, canonical=canonical)
        if not solutions:
            ceiling = min(most, bound)
        if best is not None and (exact or not solutions):
            solutions.append(best)
        if not exact or best is None:
            return Solved(tuple(solutions or _greedy(question)), ceiling, exact)
    return Solved(tuple(solutions), ceiling, True)


def _greedy(question: Contest) -> list[Solution]:
    """Find a solution without a search; return it in a list, which is empty if some cards must be used."""
    if question.serving or any(carrier.must for carrier in question.carriers):
        return []
    left = dict(question.supply)
    chosen = [False] * len(question.carriers)
    for index in sorted(range(len(chosen)), key=lambda index: -question.carriers[index].weight):
        carrier = question.carriers[index]
        if carrier.weight > 0 and all(left[need] >= units for need, units in carrier.demand):
            chosen[index] = True
            for need, units in carrier.demand:
                left[need] -= units
    return [solution(question, chosen)]


def _next(
    question: Contest, earlier: Sequence[Solution], control: Control, *, maximal: bool, canonical: bool
) -> tuple[Solution | None, int, bool]:
    """Find the best solution that is not among the `earlier` ones.

    Returns the best solution found or None; a proved upper bound on the bonus of any such solution; and whether
    it is proved that the one found is the best or, with None, that there is none. With `maximal`, only solutions
    to which no recipe could be added are considered.
    """
    from solver.search.cpsat import optimize

    most = sum(carrier.bonus for carrier in question.carriers)
    if control.stopped():
        return None, most, False
    model, flags = _model(question, earlier, maximal=maximal)
    weights = sum(carrier.weight * chosen for carrier, chosen in zip(question.carriers, flags, strict=True))
    model.maximize(weights)
    optimum = optimize(model, flags, control)
    if optimum.value is None:
        # Without a solution, the solver's bound may be its unproved starting value.
        return None, 0 if optimum.exact else most, optimum.exact
    best = solution(question, optimum.values)
    if not optimum.exact:
        return best, (optimum.bound + CARDS) // BONUS_WEIGHT, False
    if canonical:
        model, flags = _model(question, earlier, maximal=maximal)
        weights = sum(carrier.weight * chosen for carrier, chosen in zip(question.carriers, flags, strict=True))
        model.add(weights == optimum.value)
        order = range(len(flags) - 1, -1, -1)
        model.maximize(sum((1 << power) * chosen for power, chosen in zip(order, flags, strict=True)))
        first = optimize(model, flags, control)
        if not first.exact:  # as good, but perhaps not the first of equals
            return best, best.bonus, True
        best = solution(question, first.values)
    return best, best.bonus, True


def _model(question: Contest, earlier: Sequence[Solution], *, maximal: bool) -> tuple[cp_model.CpModel, list[Any]]:
    """The constraint model of a question, and for each carrier the variable that is 1 if it is made."""
    from solver.search.cpsat import cp_model

    model = cp_model.CpModel()
    flags = [model.new_bool_var(f"made{carrier.card}") for carrier in question.carriers]
    carriers = list(zip(question.carriers, flags, strict=True))
    used = {}
    for need, supply in question.supply.items():
        used[need] = sum(dict(carrier.demand).get(need, 0) * chosen for carrier, chosen in carriers)
        model.add(used[need] <= supply)
        # The carriers' own units in `used` do not come from other cards.
        own = sum(chosen for carrier, chosen in carriers if carrier.provides == need)
        idle = sum(1 - chosen for carrier, chosen in carriers if carrier.must and carrier.provides == need)
        model.add(used[need] - own >= question.serving[need] + idle)
    for carrier, chosen in carriers:
        if carrier.must and carrier.provides not in used:
            model.add(chosen == 1)
    for solution in earlier:
        model.add_bool_or(
            chosen.negated() if carrier.card in solution.made else chosen for carrier, chosen in carriers
        )
    if maximal:
        for carrier, chosen in carriers:
            if carrier.weight > 0:
                lacking = [chosen]
                for need, units in carrier.demand:
                    short = model.new_bool_var(f"short{carrier.card}{need}")
                    model.add(used[need] >= question.supply[need] - units + 1).only_enforce_if(short)
                    lacking.append(short)
                model.add_bool_or(lacking)
    return model, flags


_KERNEL_ROUNDS = 128  # times a deck's `PATIENCE`: some milliseconds; beyond that, the constraint solver is faster
_RATE = 4  # nodes of compounding take the time of one node of a search


def best(deck: Deck, cards: Iterable[int]) -> Compounding:
    """The proved best compounding of a set of cards.

    It takes microseconds with the house deck, possibly much longer with others.
    """
    return best_within(deck, cards, Control())[0]


def best_within(deck: Deck, cards: Iterable[int], control: Control) -> tuple[Compounding, int]:
    """The best compounding of a set of cards, and a proved upper bound on the total.

    The bound is the compounding's own total unless the control's limit was reached.
    """
    held = sorted(set(cards))
    recipes = _made_by_kernel(deck, held)
    if recipes is None:
        cut = compound(deck, held, control)
        return compounding_of(deck, held, cut.recipes), cut.bounds[1]
    compounding = compounding_of(deck, held, served(deck, recipes, held))
    return compounding, compounding.total


def compounding_of(deck: Deck, cards: Iterable[int], recipes: Sequence[MadeRecipe]) -> Compounding:
    """The compounding of a set of cards that makes these recipes."""
    vp, bonus = deck.vp(mask(cards)), sum(recipe.bonus for recipe in recipes)
    return Compounding(vp=vp, bonus=bonus, total=vp + bonus, recipes=tuple(recipes))


def _made_by_kernel(deck: Deck, held: list[int]) -> list[int] | None:
    """The carriers of the best compounding; None if the kernel would take too long to find it."""
    numbers = numbering(deck, thrifty=True)
    table, work = tables(deck, thrifty=True), working_space()
    own = mask(held)
    carriers = [card for card in held if card in numbers.carriers]
    worth = int(best_from(table, work, own, 0, numbers.mask(carriers), _KERNEL_ROUNDS * int(table[PATIENCE])))
    chosen: list[int] = []
    for index, card in enumerate(carriers):
        nodes = int(work[REST])
        if nodes < 0:
            return None
        later = numbers.mask(carriers[index + 1 :])
        if best_from(table, work, own, numbers.mask([*chosen, card]), later, nodes) == worth:
            chosen.append(card)
    return None if work[REST] < 0 else chosen


def bonus_bounds(deck: Deck, cards: Sequence[int], control: Control) -> tuple[int, int]:
    """Lower and upper bounds on the best bonus of a set of cards; they are equal unless the limit was reached."""
    table, work = tables(deck), working_space()
    nodes = _KERNEL_ROUNDS * int(table[PATIENCE])
    least = int(bonus_of(table, work, mask(cards), nodes))
    spent = nodes - int(work[REST])
    if spent > table[PATIENCE]:
        control.nodes += spent // _RATE
    if work[REST] >= 0:
        return least, least
    solved = solve(contest(deck, cards), 1, control, canonical=False)
    return max(least, solved.solutions[0].bonus), solved.ceiling


def score_bounds(state: State, seat: int, control: Control) -> tuple[int, int]:
    """Bounds on the score of what a seat has won; they are equal unless the limit was reached."""
    least, most = bonus_bounds(state.deck, list(members(state.won[seat])), control)
    return state.points(seat) + least, state.points(seat) + most


def warm() -> None:
    """Load the kernel and the library that `compound` needs, so that no user has to wait for them."""
    import solver.search.cpsat  # noqa: F401

    best(house(), range(CARDS))


def compound(
    deck: Deck,
    cards: Sequence[int],
    control: Control,
    *,
    must: Collection[int] = (),
    without: Collection[int] = (),
    count: int = 1,
    missing: bool = False,
) -> CompoundAnalysis:
    """The `count` best ways to compound `cards`, within the control's limit.

    The cards of `must` are used, as a carrier or as an ingredient. Those of `without` are not used, but their own
    points count. Different ways make different recipes, and no recipe could be added to any of them. With
    `missing`, the answer also has what each other card of the deck would add. Raises RequestError if the cards of
    `must` cannot all be used.
    """
    usable = sorted(set(cards) - set(without))
    solved = solve(contest(deck, usable, must), count, control)
    if not solved.solutions:
        raise _unusable(deck, must, solved)
    ways = [compounding_of(deck, cards, served(deck, way.made, usable, must)) for way in solved.solutions]
    exact = solved.exact
    ways = ways if exact else ways[:1]
    fields: dict[str, Any] = {}
    if missing:
        others = sorted(set(range(CARDS)) - {*cards, *without})
        gains = _missing(deck, usable, others, must, ways[0].bonus, control) if exact else []
        exact = exact and None not in gains
        fields["missing"] = tuple(gain for gain in gains if gain is not None)
    if count > 1:
        fields["ways"] = tuple(ways)
    return CompoundAnalysis(
        game="king",
        **dict(ways[0]),
        exact=exact,
        bounds=(ways[0].total, ways[0].vp + solved.ceiling),
        **fields,
        nodes=control.nodes,
        seconds=control.seconds,
    )


def _unusable(deck: Deck, must: Collection[int], solved: Solved) -> RequestError:
    codes = ", ".join(deck.codes(sorted(must)))
    if solved.exact:
        return RequestError("impossible", say("no compounding of these cards uses {codes}", codes=codes), "must")
    return RequestError(
        "limit_reached", say("the limit ended the search before a way to use {codes} was found", codes=codes)
    )


def _missing(
    deck: Deck, cards: Sequence[int], others: Sequence[int], must: Collection[int], bonus: int, control: Control
) -> list[Missing | None]:
    """The points that each of the `others` would add, highest gain first.

    The list has None for a card whose gain could not be determined within the limit.
    """
    gains: list[Missing | None] = []
    for card in others:
        if control.late():
            gains.append(None)
            break
        if must:
            solved = solve(contest(deck, [*cards, card], must), 1, control, canonical=False)
            least, most = solved.solutions[0].bonus if solved.exact else -1, solved.ceiling
        else:
            least, most = bonus_bounds(deck, [*cards, card], control)
        if least < most:
            gains.append(None)
            continue
        gained, vp = most - bonus, deck.cards[card].vp
        gains.append(Missing(card=deck.cards[card].code, gain=vp + gained, vp=vp, bonus=gained))
    return sorted(gains, key=lambda gain: -gain.gain if gain else 1)
