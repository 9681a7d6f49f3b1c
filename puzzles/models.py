"""A puzzle as data: a position, a question, and, where it is stated, the solution."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema, PydanticCustomError

from puzzles.compounding import StatedRecipe, compounding_of
from solver.inputs.errors import AthanorError
from solver.inputs.faults import fault
from solver.positions import game_of, position_type

Ask = Literal["best-move", "value", "winnable", "all-matches", "compound"]
Grade = Literal["easy", "medium", "hard", "expert"]
ASKS: tuple[str, ...] = get_args(Ask)
GRADES: tuple[str, ...] = get_args(Grade)

# The questions that a key of a solution answers; the other keys answer those about moves.
_ANSWERED: Mapping[str, tuple[str, ...]] = {
    "winnable": ("winnable",),
    "moves": ("all-matches",),
    **dict.fromkeys(("total", "bonus", "recipes"), ("compound",)),
}
_OF_MOVES = tuple(ask for ask in ASKS if ask != "compound")


class _OfAnyGame:
    """Stands for the union of every game's positions, which the registry makes at run time."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return handler.generate_schema(position_type())


AnyPosition = Annotated[BaseModel, _OfAnyGame()]


def _value(value: object) -> object:
    """One message, where a union's would speak of its first member alone."""
    listed = value if isinstance(value, list | tuple) else ()
    for number in listed or [value]:
        kind = type(number)
        if kind is str and not listed:
            continue
        if kind not in (int, float) or not math.isfinite(number):  # a bool is none
            raise fault("wrong_type", "a value is a finite number, a word, or a list of numbers")
    return value


def _listed(keys: Iterable[str]) -> str:
    *others, last = keys
    return f"{', '.join(others)} or {last}"


Points = Annotated[int, Field(strict=True)]
StatedValue = Annotated[int | float | str | tuple[int | float, ...], BeforeValidator(_value)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Solution(_Model):
    """What a puzzle's author states, or what solving it found; only the keys that the question asks for.

    `best` lists every optimal move. `moves`, of all-matches, lists every match (`best` may do so as well),
    and `value` is then their number. `winnable` says what a `value` of "won" or "lost" says. Of compound:
    `total` and `bonus` of the best compounding, and `recipes`, one way to make it.
    """

    best: tuple[str, ...] | None = None
    value: StatedValue | None = None
    winnable: Annotated[bool, Field(strict=True)] | None = None
    moves: tuple[str, ...] | None = None
    total: Points | None = None
    bonus: Points | None = None
    recipes: tuple[StatedRecipe, ...] | None = None

    def move_lists(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The stated lists of moves, by key."""
        for key, texts in (("best", self.best), ("moves", self.moves)):
            if texts is not None:
                yield key, texts

    @model_validator(mode="after")
    def _check(self) -> Self:
        if all(getattr(self, key) is None for key in type(self).model_fields):
            raise fault("missing_key", f"a solution states {_listed(type(self).model_fields)}")
        if self.winnable is not None and self.value not in (None, "won" if self.winnable else "lost"):
            raise fault("conflict", f"the value {self.value!r} contradicts winnable", "value")
        return self


class Puzzle(_Model):
    """One question about one position. Its stated moves are legal ones, though they need not be right."""

    id: str
    title: str
    ask: Ask
    model: str | None = None
    player: Annotated[int, Field(ge=0, strict=True)] | None = None
    grade: Grade | None = None
    note: str | None = None
    position: AnyPosition
    solution: Solution | None = None

    @property
    def game(self) -> Any:
        """The game that the position belongs to."""
        return game_of(self.position)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.id.strip():
            raise fault("out_of_range", "an id is not empty", "id")
        game = self.game
        asks = game.asks(self.position)
        if self.ask not in asks:
            offered = ", ".join(ask for ask in ASKS if ask in asks)
            raise fault("unknown_value", f"this position cannot be asked {self.ask!r}, but {offered}", "ask")
        if self.model is not None and self.model not in game.models:
            known = ", ".join(game.models) or "none"
            raise fault("unknown_value", f"{game.name} has no model {self.model!r}; it has {known}", "model")
        seats = game.players[1] if game.models else 1  # without opposition a value is the player's own
        if self.player is not None and self.player >= seats:
            raise fault("out_of_range", f"the player is at most {seats - 1}", "player")
        self._check_solution(game)
        return self

    def _check_solution(self, game: Any) -> None:
        solution = self.solution
        if solution is None:
            return
        for key in type(solution).model_fields:
            if getattr(solution, key) is not None and self.ask not in _ANSWERED.get(key, _OF_MOVES):
                asks = " or ".join(map(repr, _ANSWERED.get(key, _OF_MOVES)))
                raise fault("conflict", f"{key} answers ask = {asks}, not {self.ask!r}", f"solution.{key}")
        if self.ask == "winnable" and solution.value not in (None, "won", "lost"):
            raise fault("unknown_value", 'the value is "won" or "lost"', "solution.value")
        for key, texts in solution.move_lists():
            for index, text in enumerate(texts):
                try:
                    game.parse_move(self.position, text)
                except AthanorError as found:
                    raise fault(found.code, found.message, f"solution.{key}[{index}]") from None
        if solution.recipes is not None:
            try:
                compounding_of(self.position, solution.recipes)
            except PydanticCustomError as found:
                context = found.context or {}
                raise fault(found.type, context["message"], f"solution.recipes{context['path']}") from None


class PuzzleFile(_Model):
    """A puzzle file: its puzzles in order, each with an id of its own."""

    puzzle: tuple[Puzzle, ...]

    @property
    def puzzles(self) -> tuple[Puzzle, ...]:
        return self.puzzle

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.puzzle:
            raise fault("wrong_size", "a puzzle file has at least one puzzle", "puzzle")
        first: dict[str, int] = {}
        for index, puzzle in enumerate(self.puzzle):
            earlier = first.setdefault(puzzle.id, index)
            if earlier != index:
                message = f"puzzle[{earlier}] has the id {puzzle.id!r} too"
                raise fault("duplicate_id", message, f"puzzle[{index}].id")
        return self
