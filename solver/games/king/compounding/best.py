"""The best compounding of a set of won cards: its bonus, and which cards make what.

The best compounding has the most bonus. Of several, it is one that uses the fewest cards. Of those, it makes the
recipes that come first in the deck: at the first carrier where two compoundings differ, the better one makes it.
Of several cards that provide an ingredient, the first in the deck's order serves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from heapq import nlargest
from typing import Any

from solver.common.control import Control
from solver.common.masks import mask
from solver.games.king.cards.deck import CARDS, Deck
from solver.games.king.cards.deck_data import house
from solver.games.king.compounding.parts import Part, parts
from solver.games.king.compounding.serving import served
from solver.games.king.compounding.solving import Solution, Solved, solve
from solver.inputs.errors import RequestError
from solver.protocol.compounding import CompoundAnalysis, Compounding, Missing

_KERNEL_ROUNDS = 128  # of a deck's `PATIENCE`: some milliseconds, beyond which the constraint solver is faster
_RATE = 4  # nodes of compounding take the time of one node of a search


def best(deck: Deck, cards: Iterable[int]) -> Compounding:
    """The best compounding of a set of cards, proved: of the house deck in microseconds, of others at any cost."""
    return best_within(deck, cards, Control())[0]


def best_within(deck: Deck, cards: Iterable[int], control: Control) -> tuple[Compounding, int]:
    """The best compounding of a set of cards, and a proved upper bound on the total of any.

    The bound is the compounding's own total unless the control's limit came first.
    """
    held = sorted(set(cards))
    made = _made_by_kernel(deck, held)
    if made is None:
        found = compound(deck, held, control)
        fields = {name: getattr(found, name) for name in Compounding.model_fields}
        return Compounding(**fields), found.bounds[1]
    recipes = served(deck, made, held)
    vp, bonus = deck.vp(mask(held)), sum(recipe.bonus for recipe in recipes)
    return Compounding(vp=vp, bonus=bonus, total=vp + bonus, recipes=recipes), vp + bonus


def _made_by_kernel(deck: Deck, held: list[int]) -> list[int] | None:
    """The carriers of the best compounding; None where the kernel would take too long to find it."""
    # Imported late: positions can be read without loading Numba.
    from solver.games.king.compounding.kernel import REST, best_from, working_space
    from solver.games.king.compounding.tables import PATIENCE, numbering, tables

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
    """The least and the most that the best bonus of a set of cards can be: equal unless the limit came first."""
    from solver.games.king.compounding.kernel import REST, working_space
    from solver.games.king.compounding.kernel import best as search
    from solver.games.king.compounding.tables import PATIENCE, tables

    table, work = tables(deck), working_space()
    nodes = _KERNEL_ROUNDS * int(table[PATIENCE])
    least = int(search(table, work, mask(cards), nodes))
    spent = nodes - int(work[REST])
    if spent > table[PATIENCE]:
        control.nodes += spent // _RATE
    if work[REST] >= 0:
        return least, least
    solutions, most, _ = _Question(deck, (), (), control).ways(cards, 1, canonical=False)
    return max(least, solutions[0].bonus), most


def warm() -> None:
    """Load the kernel and the library that `compound` needs, so that no user waits for them."""
    import solver.search.cpsat  # noqa: F401

    best(house(), range(CARDS))


class _Question:
    """A question about several sets of cards that differ little: parts that they have in common are solved once.

    The cards of `without` are never used, those of `must` always.
    """

    def __init__(self, deck: Deck, without: Collection[int], must: Collection[int], control: Control) -> None:
        self.deck = deck
        self.without = without
        self.must = must
        self.control = control
        self._known: dict[Part, Solved] = {}

    def usable(self, cards: Iterable[int]) -> list[int]:
        """The cards that may be used, in the deck's order."""
        return sorted(set(cards) - set(self.without))

    def ways(
        self, cards: Iterable[int], count: int, *, canonical: bool = True
    ) -> tuple[list[Solution], int, bool]:
        """The `count` best solutions, a proved upper bound on the bonus, and whether both are exact.

        Unless `canonical`, the best one may be any of those with the same bonus.

        Raises RequestError when the cards of `must` cannot be used, or the limit came before a way was found.
        """
        solutions = [Solution(0, 0, ())]
        ceiling, exact = 0, True
        for part in parts(self.deck, self.usable(cards), self.must):
            solved = solve(part, count, self.control, canonical=canonical)
            if not solved.solutions:
                raise self._none(solved)
            both = (
                Solution(one.worth + other.worth, one.bonus + other.bonus, one.made + other.made)
                for one in solutions
                for other in solved.solutions
            )
            solutions = nlargest(count if solved.exact else 1, both)
            ceiling += solved.ceiling
            exact = exact and solved.exact
        return solutions if exact else solutions[:1], ceiling, exact

    def bonus(self, cards: Iterable[int]) -> int | None:
        """The bonus of the best solution; None when the limit came before it was proved."""
        total = 0
        for part in parts(self.deck, self.usable(cards), self.must):
            if part not in self._known:
                self._known[part] = solve(part, 1, self.control, canonical=False)
            solved = self._known[part]
            if not solved.exact:
                return None
            total += solved.ceiling
        return total

    def _none(self, solved: Solved) -> RequestError:
        codes = ", ".join(self.deck.codes(sorted(self.must)))
        if solved.exact:
            return RequestError("impossible", f"no compounding of these cards uses {codes}", "must")
        return RequestError("limit_reached", f"the limit ended the search before a way to use {codes} was found")


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
    """The `count` best ways to compound `cards`, as far as the control's limit allows.

    The cards of `must` are used, as a carrier or as an ingredient. Those of `without` are not used, but their own
    points count. Different ways make different recipes, and to none of them a recipe could be added. `missing`
    asks what each other card of the deck would add. Raises RequestError when the cards of `must` cannot all be
    used.
    """
    question = _Question(deck, without, must, control)
    solutions, ceiling, exact = question.ways(cards, count)
    vp = deck.vp(mask(cards))
    ways = [_way(question, cards, solution, vp) for solution in solutions]
    fields: dict[str, Any] = {}
    if missing:
        gains = _missing(question, cards, solutions[0].bonus) if exact else []
        exact = exact and None not in gains
        fields["missing"] = tuple(gain for gain in gains if gain is not None)
    if count > 1:
        fields["ways"] = tuple(ways)
    return CompoundAnalysis(
        game="king",
        vp=vp,
        bonus=ways[0].bonus,
        total=ways[0].total,
        recipes=ways[0].recipes,
        exact=exact,
        bounds=(ways[0].total, vp + ceiling),
        **fields,
        nodes=control.nodes,
        seconds=control.seconds,
    )


def _way(question: _Question, cards: Iterable[int], solution: Solution, vp: int) -> Compounding:
    recipes = served(question.deck, solution.made, question.usable(cards), question.must)
    return Compounding(vp=vp, bonus=solution.bonus, total=vp + solution.bonus, recipes=recipes)


def _missing(question: _Question, cards: Sequence[int], bonus: int) -> list[Missing | None]:
    """What each other card would add, the most first; None for a card where the limit came first."""
    deck = question.deck
    gains: list[Missing | None] = []
    for card in sorted(set(range(CARDS)) - set(cards) - set(question.without)):
        if question.control.late():
            gains.append(None)
            break
        more = question.bonus([*cards, card])
        if more is None:
            gains.append(None)
            continue
        gained, vp = more - bonus, deck.cards[card].vp
        gains.append(Missing(card=deck.cards[card].code, gain=vp + gained, vp=vp, bonus=gained))
    return sorted(gains, key=lambda gain: -gain.gain if gain else 1)
