"""What games with recipes answer to `compound`: the contract's answer, and the protocol that such a game meets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from solver.protocol.answers import Answer, Text
from solver.protocol.question import Question

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.common.control import Control

ASK = "compound"
MOST_WAYS = 100


class Made(Answer):
    """A recipe that is made: its carrier, the item, the cards that serve in the order of the recipe's needs."""

    card: str
    item: str
    uses: tuple[str, ...]
    bonus: int


class Compounding(Answer):
    """A way to compound cards: points of the cards, bonus of the recipes, and these in the deck's order."""

    vp: int
    bonus: int
    total: int
    recipes: tuple[Made, ...]


class Missing(Answer):
    """A card that is not in the set: what it would add to the total, by itself (`vp`) and by what it lets make."""

    card: str
    gain: int
    vp: int
    bonus: int


class CompoundAnalysis(Compounding):
    """The best way to compound a set of cards. `bounds` are the total's, equal when `exact`.

    `ways` has the best ones, this one first, when more than one was asked for; `missing` the other cards of the
    deck, the one that would add most first, when asked for. Not `exact`: the limit came first; then what
    `missing` tells is still proved, but cards may be left out.
    """

    game: str
    text: Text = None
    exact: bool
    bounds: tuple[int, int]
    ways: tuple[Compounding, ...] | None = None
    missing: tuple[Missing, ...] | None = None
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is asked beside the best way: cards to use and not to use, how many ways, what a missing card adds."""

    must: Sequence[str] = ()
    without: Sequence[str] = ()
    best: int = 1
    missing: bool = False


class Compounder(Question, Protocol):
    """The question "compound" of a game, for positions whose `asks` has it."""

    def answer(self, position: BaseModel, control: Control, wishes: Wishes | None = None) -> CompoundAnalysis:
        """The best ways to compound the position's cards. Raises RequestError for wishes that cannot be met."""

    def made(self, position: BaseModel, recipes: Sequence[tuple[str, Sequence[str]]]) -> Compounding:
        """What these carriers make of these cards. Raises MoveError if they cannot, at a path as ``[1].uses``."""

    def picture(self, position: BaseModel, compounding: Compounding) -> str:
        """The position's recipe graph as SVG, with what `compounding` makes."""
