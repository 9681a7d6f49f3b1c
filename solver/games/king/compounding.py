"""The best compounding of a set of won cards: which recipes to make, from which cards, for what bonus.

The best compounding has the highest bonus; in a tie, the fewest cards; then the first recipes in the deck: at the
first carrier where two compoundings differ, the better one makes it. Of several cards that provide an ingredient,
the first in the deck's order is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.answers import CompoundAnalysis, Compounding, Made, Missing
from solver.common import mask, members
from solver.errors import RequestError
from solver.games.king.compounding_kernel import (
    BONUS_WEIGHT,
    PATIENCE,
    REST,
    best_from,
    demand,
    numbering,
    tables,
    weight,
    working_space,
)
from solver.games.king.compounding_kernel import best as best_bonus
from solver.games.king.deck import CARDS, Deck, house
from solver.language import say
from solver.limits import Control

if TYPE_CHECKING:
    from solver.search.cpsat import cp_model


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


def served(deck: Deck, made: Iterable[int], cards: Iterable[int], must: Collection[int] = ()) -> tuple[Made, ...]:
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
        recipes.append(Made(card=code, item=recipe.item, uses=tuple(uses), bonus=recipe.bonus))
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
    made = [False] * len(question.carriers)
    for place in sorted(range(len(made)), key=lambda place: -question.carriers[place].weight):
        carrier = question.carriers[place]
        if carrier.weight > 0 and all(left[need] >= units for need, units in carrier.demand):
            made[place] = True
            for need, units in carrier.demand:
                left[need] -= units
    return [solution(question, made)]


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
    model, made = _model(question, earlier, maximal=maximal)
    weights = sum(carrier.weight * chosen for carrier, chosen in zip(question.carriers, made, strict=True))
    model.maximize(weights)
    optimum = optimize(model, made, control)
    if optimum.value is None:
        # Without a solution, the solver's bound may be its unproved starting value.
        return None, 0 if optimum.exact else most, optimum.exact
    best = solution(question, optimum.values)
    if not optimum.exact:
        return best, (optimum.bound + CARDS) // BONUS_WEIGHT, False
    if canonical:
        model, made = _model(question, earlier, maximal=maximal)
        weights = sum(carrier.weight * chosen for carrier, chosen in zip(question.carriers, made, strict=True))
        model.add(weights == optimum.value)
        order = range(len(made) - 1, -1, -1)
        model.maximize(sum((1 << power) * chosen for power, chosen in zip(order, made, strict=True)))
        first = optimize(model, made, control)
        if not first.exact:  # as good, but perhaps not the first of equals
            return best, best.bonus, True
        best = solution(question, first.values)
    return best, best.bonus, True


def _model(question: Contest, earlier: Sequence[Solution], *, maximal: bool) -> tuple[cp_model.CpModel, list[Any]]:
    """The constraint model of a question, and for each carrier the variable that is 1 if it is made."""
    from solver.search.cpsat import cp_model

    model = cp_model.CpModel()
    made = [model.new_bool_var(f"made{carrier.card}") for carrier in question.carriers]
    carriers = list(zip(question.carriers, made, strict=True))
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
    return model, made


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
    made = _made_by_kernel(deck, held)
    if made is None:
        cut = compound(deck, held, control)
        return compounding_of(deck, held, cut.recipes), cut.bounds[1]
    found = compounding_of(deck, held, served(deck, made, held))
    return found, found.total


def compounding_of(deck: Deck, cards: Iterable[int], recipes: Sequence[Made]) -> Compounding:
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
    made: list[int] = []
    for place, card in enumerate(carriers):
        nodes = int(work[REST])
        if nodes < 0:
            return None
        later = numbers.mask(carriers[place + 1 :])
        if best_from(table, work, own, numbers.mask([*made, card]), later, nodes) == worth:
            made.append(card)
    return None if work[REST] < 0 else made


def bonus_bounds(deck: Deck, cards: Sequence[int], control: Control) -> tuple[int, int]:
    """Lower and upper bounds on the best bonus of a set of cards; they are equal unless the limit was reached."""
    table, work = tables(deck), working_space()
    nodes = _KERNEL_ROUNDS * int(table[PATIENCE])
    least = int(best_bonus(table, work, mask(cards), nodes))
    spent = nodes - int(work[REST])
    if spent > table[PATIENCE]:
        control.nodes += spent // _RATE
    if work[REST] >= 0:
        return least, least
    solved = solve(contest(deck, cards), 1, control, canonical=False)
    return max(least, solved.solutions[0].bonus), solved.ceiling


def score_bounds(deck: Deck, pile: int, control: Control) -> tuple[int, int]:
    """Bounds on the score of a pile (a mask of cards); they are equal unless the limit was reached."""
    vp = deck.vp(pile)
    least, most = bonus_bounds(deck, list(members(pile)), control)
    return vp + least, vp + most


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
    ways = [compounding_of(deck, cards, served(deck, one.made, usable, must)) for one in solved.solutions]
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
