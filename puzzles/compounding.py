"""Puzzles that ask for the best compounding: what their solutions state, and whether it is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from solver.inputs.errors import AthanorError
from solver.inputs.faults import fault
from solver.positions import compounder
from solver.protocol.compounding import CompoundAnalysis, Compounding


class StatedRecipe(BaseModel):
    """A recipe that is made: its carrier and the cards that serve; `item` and `bonus` may be told too."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    card: str
    item: str | None = None
    uses: tuple[str, ...]
    bonus: Annotated[int, Field(strict=True)] | None = None


def compounding_of(position: BaseModel, recipes: Sequence[StatedRecipe]) -> Compounding:
    """What the recipes make of the position's cards. Raises a fault if they cannot be made or make others.

    The fault's path is seen from the list.
    """
    try:
        found = compounder(position).made(position, [(recipe.card, recipe.uses) for recipe in recipes])
    except AthanorError as wrong:
        raise fault(wrong.code, wrong.message, wrong.path) from None
    for index, (stated, made) in enumerate(zip(recipes, found.recipes, strict=True)):
        if stated.item not in (None, made.item):
            raise fault("conflict", f"{made.card} makes {made.item}", f"[{index}].item")
        if stated.bonus not in (None, made.bonus):
            raise fault("conflict", f"{made.item} has the bonus {made.bonus}", f"[{index}].bonus")
    return found


def contradictions(
    position: BaseModel,
    answer: CompoundAnalysis,
    total: int | None,
    bonus: int | None,
    recipes: Sequence[StatedRecipe] | None,
) -> Iterator[tuple[bool, str]]:
    """What is stated and not confirmed by an answer: whether it is refuted (else unproved), and why.

    Stated recipes are right when no others have more bonus; there may be several such ways.
    """
    for name, stated, offset in (("total", total, 0), ("bonus", bonus, answer.vp)):
        if stated is not None:
            low, high = (bound - offset for bound in answer.bounds)
            if not low <= stated <= high:
                true = str(low) if low == high else f"between {low} and {high}"
                yield True, f"the {name} is {true}, not {stated}"
            elif low < high:
                yield False, f"the search ended before the {name} was proved"
    if recipes is not None:
        made = compounding_of(position, recipes).total
        low, high = answer.bounds
        if made < low:
            yield True, f"the recipes have a bonus of {made - answer.vp}, but {answer.bonus} can be made"
        elif made < high:
            yield False, "the search ended before the recipes were proved to be the best"
