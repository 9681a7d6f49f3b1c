"""Puzzles that ask for the best compounding: checking and judging their stated solutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from puzzles.solution import Objection, Solution, StatedRecipe, Verdict
from solver.answers import Answer, CompoundAnalysis, Compounding
from solver.errors import AthanorError, Fault, PuzzleError
from solver.language import say, translated
from solver.positions import compounder


def checked(game: Any, position: BaseModel, ask: str, stated: Solution) -> Solution:
    """Return the solution with its cards written as the deck writes them. It need not have the highest bonus.

    Raises PuzzleError if stated recipes can't be made with the cards.
    """
    if stated.recipes is None:
        return stated
    made = _made(position, stated.recipes).recipes
    recipes = (
        recipe.model_copy(update={"card": actual.card, "uses": actual.uses})
        for recipe, actual in zip(stated.recipes, made, strict=True)
    )
    return stated.model_copy(update={"recipes": tuple(recipes)})


def judge(game: Any, position: BaseModel, ask: str, answer: Answer, stated: Solution | None) -> Verdict:
    """Compare stated recipes with the best ones. They are right if no others have a higher bonus."""
    assert isinstance(answer, CompoundAnalysis)
    solution = None
    if answer.exact:
        recipes = tuple(StatedRecipe(**recipe.to_dict()) for recipe in answer.recipes)
        solution = Solution(total=answer.total, bonus=answer.bonus, recipes=recipes)
    return Verdict(solution, iter(()) if stated is None else _objections(position, answer, stated))


def _objections(position: BaseModel, answer: CompoundAnalysis, stated: Solution) -> Iterator[Objection]:
    for name, number, offset in (("total", stated.total, 0), ("bonus", stated.bonus, answer.vp)):
        if number is not None:
            low, high = (bound - offset for bound in answer.bounds)
            if not low <= number <= high:
                template = "the {name} is between {low} and {high}, not {number}"
                if low == high:
                    template = "the {name} is {low}, not {number}"
                yield Objection(True, say(template, name=name, low=low, high=high, number=number))
            elif low < high:
                yield Objection(False, say("the search ended before the {name} was proved", name=name))
    if stated.recipes is not None:
        total = _made(position, stated.recipes).total
        low, high = answer.bounds
        if total < low:
            message = say(
                "the recipes have a bonus of {bonus}, but {best} can be made",
                bonus=total - answer.vp,
                best=answer.bonus,
            )
            yield Objection(True, message)
        elif total < high:
            yield Objection(False, say("the search ended before the recipes were proved to be the best"))


def _made(position: BaseModel, recipes: Sequence[StatedRecipe]) -> Compounding:
    """Make the stated recipes. Raises PuzzleError for impossible ones, and for wrong items and bonuses."""
    try:
        compounding = compounder(position).made(position, [(recipe.card, recipe.uses) for recipe in recipes])
    except AthanorError as wrong:
        raise PuzzleError.of([each._replace(path=f"recipes{each.path}") for each in wrong.faults]) from None
    faults = []
    for index, (stated, actual) in enumerate(zip(recipes, compounding.recipes, strict=True)):
        if stated.item not in (None, actual.item):
            message = say("{card} makes {item}", card=actual.card, item=translated(actual.item))
            faults.append(Fault("conflict", message, f"recipes[{index}].item"))
        if stated.bonus not in (None, actual.bonus):
            message = say("{item} has the bonus {bonus}", item=translated(actual.item), bonus=actual.bonus)
            faults.append(Fault("conflict", message, f"recipes[{index}].bonus"))
    if faults:
        raise PuzzleError.of(faults)
    return compounding
