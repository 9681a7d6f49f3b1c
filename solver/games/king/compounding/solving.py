"""The best ways to compound one part, by constraint programming (CP-SAT), as far as the control's limit allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.games.king.cards.deck import CARDS
from solver.games.king.compounding.parts import Part
from solver.games.king.compounding.tables import BONUS_WEIGHT

if TYPE_CHECKING:
    from solver.common.control import Control
    from solver.search.constraints import cp_model


@dataclass(frozen=True, order=True, slots=True)
class Solution:
    """The carriers that are `made`, and their bonus.

    Of two solutions the better one has the higher `worth`: its weight decides and, if equal, the first carrier of
    the deck that only one of them makes.
    """

    worth: int
    bonus: int
    made: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Solved:
    """The best solutions of a part, best first.

    `ceiling` is a proved upper bound on the bonus of any solution. If `exact`, these are the best solutions, and
    all that there are when they are fewer than were asked for. An exact answer without a solution proves that
    there is none.
    """

    solutions: tuple[Solution, ...]
    ceiling: int
    exact: bool


def solution(part: Part, made: Sequence[bool | int]) -> Solution:
    """The solution that makes those carriers of a part for which `made` is true."""
    chosen = [carrier for carrier, chose in zip(part.carriers, made, strict=True) if chose]
    first = sum(1 << (CARDS - 1 - carrier.card) for carrier in chosen)
    weights = sum(carrier.weight for carrier in chosen)
    bonus = sum(carrier.bonus for carrier in chosen)
    return Solution((weights << CARDS) + first, bonus, tuple(carrier.card for carrier in chosen))


def solve(part: Part, count: int, control: Control, *, canonical: bool = True) -> Solved:
    """The `count` best solutions of a part.

    When several are asked for, each is one to which no recipe can be added. Unless `canonical`, the best solution
    may be any of those with the same weight, which saves a second search.
    """
    if not part.carriers:
        return Solved((), 0, True)
    most = sum(carrier.bonus for carrier in part.carriers)
    lonely = part.carriers[0]
    if len(part.carriers) == 1 and lonely.weight > 0 and not part.serving:
        return Solved((solution(part, [True]),), most, True)
    solutions: list[Solution] = []
    ceiling = most
    while len(solutions) < count:
        best, bound, exact = _next(part, solutions, control, maximal=count > 1, canonical=canonical)
        if not solutions:
            ceiling = min(most, bound)
        if best is not None and (exact or not solutions):
            solutions.append(best)
        if not exact or best is None:
            return Solved(tuple(solutions or _greedy(part)), ceiling, exact)
    return Solved(tuple(solutions), ceiling, True)


def _greedy(part: Part) -> list[Solution]:
    """A solution that is found without a search, in a list; an empty list where cards must be used."""
    if part.serving or any(carrier.must for carrier in part.carriers):
        return []
    left = dict(part.supply)
    made = [False] * len(part.carriers)
    for place in sorted(range(len(made)), key=lambda place: -part.carriers[place].weight):
        carrier = part.carriers[place]
        if carrier.weight > 0 and all(left[need] >= units for need, units in carrier.demand):
            made[place] = True
            for need, units in carrier.demand:
                left[need] -= units
    return [solution(part, made)]


def _next(
    part: Part, earlier: Sequence[Solution], control: Control, *, maximal: bool, canonical: bool
) -> tuple[Solution | None, int, bool]:
    """The best solution that is none of the `earlier` ones.

    Returns the best one found or None, a proved upper bound on its bonus, and whether it is proved to be the best
    (or, where it is None, that there is none). `maximal`: no recipe could be added to it.
    """
    from solver.search.cpsat import optimize

    most = sum(carrier.bonus for carrier in part.carriers)
    if control.stopped():
        return None, most, False
    model, made = _model(part, earlier, maximal=maximal)
    weights = sum(carrier.weight * chosen for carrier, chosen in zip(part.carriers, made, strict=True))
    model.maximize(weights)
    optimum = optimize(model, made, control)
    if optimum.value is None:
        # Without a solution the solver's bound may be where it began, proved by nothing.
        return None, 0 if optimum.exact else most, optimum.exact
    best = solution(part, optimum.values)
    if not optimum.exact:
        return best, (optimum.bound + CARDS) // BONUS_WEIGHT, False
    if canonical:
        model, made = _model(part, earlier, maximal=maximal)
        weights = sum(carrier.weight * chosen for carrier, chosen in zip(part.carriers, made, strict=True))
        model.add(weights == optimum.value)
        order = range(len(made) - 1, -1, -1)
        model.maximize(sum((1 << power) * chosen for power, chosen in zip(order, made, strict=True)))
        first = optimize(model, made, control)
        if not first.exact:  # as good, but perhaps not the first of its equals
            return best, best.bonus, True
        best = solution(part, first.values)
    return best, best.bonus, True


def _model(part: Part, earlier: Sequence[Solution], *, maximal: bool) -> tuple[cp_model.CpModel, list[Any]]:
    """The constraint model of a part, and for each carrier the variable that says whether it is made."""
    from solver.search.constraints import cp_model

    model = cp_model.CpModel()
    made = [model.new_bool_var(f"made{carrier.card}") for carrier in part.carriers]
    carriers = list(zip(part.carriers, made, strict=True))
    serving = dict(part.serving)
    used = {}
    for need, supply in part.supply:
        used[need] = sum(dict(carrier.demand).get(need, 0) * chosen for carrier, chosen in carriers)
        model.add(used[need] <= supply)
        # The carriers' own units in `used` are not served by other cards.
        own = sum(chosen for carrier, chosen in carriers if carrier.provides == need)
        idle = sum(1 - chosen for carrier, chosen in carriers if carrier.must and carrier.provides == need)
        model.add(used[need] - own >= serving.get(need, 0) + idle)
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
                    model.add(used[need] >= dict(part.supply)[need] - units + 1).only_enforce_if(short)
                    lacking.append(short)
                model.add_bool_or(lacking)
    return model, made
