"""A puzzle as data: a position, a question, and, where it is stated, the solution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from puzzles.asks import ASKED, ASKS, Ask, answered_by
from puzzles.solution import Model, Solution, Texts
from solver.inputs.errors import PuzzleError
from solver.inputs.faults import fault
from solver.positions import game_of, position_type, sent_position_type, validate_position, validate_sent

Grade = Literal["easy", "medium", "hard", "expert"]
GRADES: tuple[str, ...] = get_args(Grade)


class _OfAnyGame:
    """Stands for the union of every game's positions, which the registry makes at run time.

    What checks a game's positions takes long to make. It is made when the first of them is read, once for all
    models that have positions.
    """

    def __init__(self, validate: Callable[[Any], BaseModel], union: Callable[[], Any]) -> None:
        self._validate = validate
        self._union = union

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self._validate)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(TypeAdapter(self._union()).core_schema)


AnyPosition = Annotated[BaseModel, _OfAnyGame(validate_position, position_type)]
SentPosition = Annotated[BaseModel, _OfAnyGame(validate_sent, sent_position_type)]  # or a line of text


class Measured(Model):
    """What was measured of a made puzzle, from which its grade follows.

    `obvious`, `shallow` and `hint` are what a player by simple rules, a search that does not see far, and a hint
    for who sees one hand alone make of it: a move, or what answers the question; None where there is none.
    `short` is how far the obvious falls short, where it does and that can be told; `steps` is how long the
    solution is: own decisions along the best line, or what else the question is measured by.
    """

    obvious: str | int | float | None = None
    short: float | None = None
    shallow: str | int | float | None = None
    hint: str | None = None
    steps: Annotated[int, Field(ge=0, strict=True)] = 0


class Puzzle(Model):
    """One question about one position. Its stated moves are legal ones, though they need not be right."""

    id: Annotated[str, Field(json_schema_extra={"pattern": r"\S"})]
    title: str
    ask: Ask
    model: str | None = None
    player: Annotated[int, Field(ge=0, strict=True)] | None = None
    grade: Grade | None = None
    themes: Texts | None = None
    note: str | None = None
    measured: Measured | None = None
    position: SentPosition
    solution: Solution | None = None

    @property
    def game(self) -> Any:
        """The game that the position belongs to."""
        return game_of(self.position)

    @property
    def judged(self) -> bool:
        """Whether a hint judges which move is best, since hands are hidden, and nothing is proved."""
        return self.hidden and self.model not in self.game.guarantees

    @property
    def hidden(self) -> bool:
        """Whether the position is what one player sees whose opponents' hands are hidden."""
        asks = self.game.asks(self.position)
        return "hint" in asks and "best-move" not in asks

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.id.strip():
            raise fault("out_of_range", "an id is not empty", "id")
        game = self.game
        hidden = set() if not self.hidden else {"best-move"} if self.judged else {"best-move", "value"}
        asks = game.asks(self.position) | hidden
        if self.ask not in asks:
            offered = ", ".join(ask for ask in ASKS if ask in asks)
            raise fault("unknown_value", f"this position cannot be asked {self.ask!r}, but {offered}", "ask")
        if self.model is not None and self.model not in game.models:
            known = ", ".join(game.models) or "none"
            raise fault("unknown_value", f"{game.name} has no model {self.model!r}; it has {known}", "model")
        seats = game.players[1] if game.models else 1  # without opposition a value is the player's own
        if self.player is not None and self.player >= seats:
            raise fault("out_of_range", f"the player is at most {seats - 1}", "player")
        sees = getattr(self.position, "seat", None)
        if self.hidden and not self.judged and self.player not in (None, sees):
            message = f"where hands are hidden it is asked what seat {sees} guarantees, which sees this"
            raise fault("conflict", message, "player")
        self._check_solution(game)
        return self

    def _check_solution(self, game: Any) -> None:
        solution = self.solution
        if solution is None:
            return
        if self.judged and solution.value is not None:
            raise fault("conflict", "hands are hidden, so no value is proved; state best alone", "solution.value")
        for key in solution.stated():
            asks = answered_by(key)
            if self.ask not in asks:
                message = f"{key} answers ask = {' or '.join(map(repr, asks))}, not {self.ask!r}"
                raise fault("conflict", message, f"solution.{key}")
        try:
            ASKED[self.ask].subject.check(game, self.position, self.ask, solution)
        except PuzzleError as found:
            raise fault(found.code, found.message, f"solution.{found.path}") from None


class PuzzleFile(Model):
    """A puzzle file: its puzzles in order, each with an id of its own."""

    # After the first faulty puzzle no other is looked at: there may be very many.
    puzzle: Annotated[tuple[Puzzle, ...], Field(fail_fast=True, json_schema_extra={"minItems": 1})]

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
