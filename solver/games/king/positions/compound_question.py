"""Compounding as users ask for it: a set of cards, and wishes that name cards by their codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from solver.common.control import Control
from solver.common.masks import mask
from solver.games.king.cards import text
from solver.games.king.compounding import best
from solver.games.king.positions.moves import card_set
from solver.games.king.positions.picks import CardSet
from solver.inputs.errors import MoveError, RequestError
from solver.protocol.compounding import MOST_WAYS, CompoundAnalysis, Compounding, Made, Wishes
from solver.protocol.question import Example

_CARDS = ["F1", "F10", "F11", "W4", "W7", "W9", "W10", "E1", "E9", "A7", "A10", "T3", "D"]
_POSITION = {"game": "king", "deck": "house", "cards": _CARDS}


class CompoundQuestion:
    """`solver.protocol.compounding.Compounder` for sets of won cards."""

    answer_type = CompoundAnalysis
    examples: Mapping[str, Example] = {
        "best": Example("The best way", {"position": _POSITION}),
        "wishes": Example(
            "Three ways that use one card and not another",
            {"position": _POSITION, "must": ["E9"], "without": ["F1"], "best": 3},
        ),
        "missing": Example("What other cards would add", {"position": _POSITION, "missing": True}),
    }

    def answer(self, position: BaseModel, control: Control, wishes: Wishes | None = None) -> CompoundAnalysis:
        """The best ways to compound the set. Raises RequestError for wishes that cannot be met."""
        return _answer(card_set(position), control, wishes or Wishes())

    def made(self, position: BaseModel, recipes: Sequence[tuple[str, Sequence[str]]]) -> Compounding:
        """What these carriers make of the cards that are named with them.

        Raises MoveError when a card is not there, serves twice, or is not what the recipe needs.
        """
        return _made(card_set(position), recipes)

    def picture(self, position: BaseModel, compounding: Compounding) -> str:
        """The recipe graph of the set as SVG, with what `compounding` makes."""
        from solver.games.king.compounding.picture import recipe_graph  # draws with a library that loads slowly

        cards = card_set(position)
        return recipe_graph(cards.full_deck, cards.numbers, compounding)

    def warm(self) -> None:
        """Load the kernel and the libraries that compounding needs."""
        best.warm()


QUESTION = CompoundQuestion()


def _answer(position: CardSet, control: Control, wishes: Wishes) -> CompoundAnalysis:
    must = _wished(position, wishes.must, "must")
    without = _wished(position, wishes.without, "without")
    for index, card in enumerate(without):
        if card in must:
            code = wishes.without[index]
            raise RequestError("conflict", f"{code} cannot be used and left out at once", f"without[{index}]")
    if not 1 <= wishes.best <= MOST_WAYS:
        raise RequestError("out_of_range", f"the best 1 to {MOST_WAYS} ways can be asked for", "best")
    return best.compound(
        position.full_deck,
        position.numbers,
        control,
        must=must,
        without=without,
        count=wishes.best,
        missing=wishes.missing,
    )


def _wished(position: CardSet, codes: Sequence[str], key: str) -> list[int]:
    """The cards of the set that are wished for."""
    deck, held = position.full_deck, position.numbers
    cards: list[int] = []
    for index, code in enumerate(codes):
        path = f"{key}[{index}]"
        card = text.card_of(deck, code)
        if isinstance(card, str):
            raise RequestError("illegal_card", card, path)
        if card not in held:
            raise RequestError("illegal_card", f"{code} is not among the cards", path)
        if card in cards:
            raise RequestError("duplicate_card", f"{code} is in {key}[{cards.index(card)}] already", path)
        cards.append(card)
    return cards


def _made(position: CardSet, recipes: Sequence[tuple[str, Sequence[str]]]) -> Compounding:
    deck, held = position.full_deck, position.numbers
    used: set[int] = set()

    def take(code: str, path: str) -> int:
        card = text.card_of(deck, code)
        if isinstance(card, str):
            raise MoveError("illegal_card", card, path)
        if card not in held:
            raise MoveError("illegal_card", f"{code} is not among the cards", path)
        if card in used:
            raise MoveError("duplicate_card", f"{code} is used twice", path)
        used.add(card)
        return card

    made = []
    for index, (code, uses) in enumerate(recipes):
        carrier = take(code, f"[{index}].card")
        recipe = deck.cards[carrier].recipe
        if recipe is None:
            raise MoveError("illegal_card", f"{code} carries no recipe", f"[{index}].card")
        lacking = list(recipe.needs)
        for place, other in enumerate(uses):
            path = f"[{index}].uses[{place}]"
            provided = deck.cards[take(other, path)].provides
            if provided not in lacking:
                what = f"{recipe.item} needs {', '.join(recipe.needs)}"
                raise MoveError(
                    "illegal_card", f"{other} ({provided or 'no ingredient'}) is not needed: {what}", path
                )
            lacking.remove(provided)
        if lacking:
            message = f"{recipe.item} also needs {', '.join(lacking)}"
            raise MoveError("illegal_card", message, f"[{index}].uses")
        made.append(Made(card=code, item=recipe.item, uses=tuple(uses), bonus=recipe.bonus))
    vp = deck.vp(mask(held))
    bonus = sum(recipe.bonus for recipe in made)
    return Compounding(vp=vp, bonus=bonus, total=vp + bonus, recipes=tuple(made))
