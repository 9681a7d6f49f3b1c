"""`Game`, which has the functions of this package as methods for a single game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import update_wrapper
from inspect import signature
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from athanor import questions, table
from athanor.arguments import data_of, position_of, record_of
from athanor.asking import PositionLike, checked
from solver import game as solver_game
from solver import registry
from solver.errors import PositionError
from solver.language import say

if TYPE_CHECKING:
    from pydantic import BaseModel


P = ParamSpec("P")
R = TypeVar("R")


def _of_name(ask: Callable[Concatenate[str, P], R]) -> Callable[Concatenate[Game, P], R]:
    """Turn a function whose first argument is a game's name into a method of `Game`."""

    def method(self: Game, /, *given: P.args, **named: P.kwargs) -> R:
        return ask(self.name, *given, **named)

    update_wrapper(method, ask)
    return method


def _of_position(
    ask: Callable[Concatenate[PositionLike, P], R],
    read: Callable[[PositionLike], BaseModel] = position_of,
) -> Callable[Concatenate[Game, PositionLike, P], R]:
    """Turn a function of a position into a method of `Game`, which rejects positions of other games.

    `read` parses the method's first argument, by default as a position.
    """
    first = next(iter(signature(ask).parameters))

    def method(self: Game, /, *arguments: Any, **named: Any) -> R:
        if first in named:
            arguments = (named.pop(first), *arguments)
        return ask(self._own(arguments[0], read), *arguments[1:], **named)

    update_wrapper(method, ask)
    return method


class Game:
    """A game, as returned by `athanor.game`, with the functions of `athanor` as methods.

    They take the same arguments except the game's name and raise the same errors, and PositionError for a position
    of another game. A dict or JSON text may omit ``"game"``.
    """

    def __init__(self, rules: solver_game.Game) -> None:
        self._rules = rules
        self.name = rules.name  # the name in positions, such as ``kirin``
        self.title = rules.title  # the game's name for a person
        self.players = rules.players  # the fewest and the most
        self.variants = rules.variants  # a one-line description of each variant, by name
        self.models = rules.models  # models of the others' play for `analyze`; empty for games without opponents
        self.rules = rules.rules  # a function that returns the rules and rulings in force, in Markdown

    def __repr__(self) -> str:
        return f"athanor.game({self.name!r})"

    @property
    def options(self) -> Mapping[str, str]:
        """The optional rules of this game: a description for each key of a position's `rules`."""
        return self._rules.options

    warm = _of_name(questions.warm)
    deal = _of_name(table.deal)
    cards = _of_name(table.cards)
    parse = _of_position(position_of)
    view = _of_position(table.view)
    worlds = _of_position(table.worlds)
    legal_moves = _of_position(table.legal_moves)
    possible_moves = _of_position(table.possible_moves)
    to_move = _of_position(table.to_move)
    play = _of_position(table.play)
    analyze = _of_position(questions.analyze)
    hint = _of_position(questions.hint)
    compound = _of_position(questions.compound)
    score = _of_position(table.score, record_of)

    def _own(self, given: PositionLike, read: Callable[[PositionLike], BaseModel]) -> BaseModel:
        """Read a position or record with `read`, adding the game's name if it is missing.

        Raises PositionError if it belongs to another game.
        """
        data: object = data_of(given) if isinstance(given, str | bytes) else given
        if isinstance(data, Mapping):
            given = data if "game" in data else {"game": self.name, **data}
        position = read(given)
        game: str = position.game  # type: ignore[attr-defined]
        if game != self.name:
            raise PositionError(
                "conflict",
                say("this belongs to the game {game}, not to {name}", game=game, name=self.name),
                "game",
            )
        return position


# ----------------------------------------------------------------------------------------------------
# The games by name.


def games() -> tuple[str, ...]:
    """Return the names of all games: Athanor's own, then those of other packages in alphabetical order.

    A package adds a game with an entry point in the group ``athanor.games``. Unusable ones are left out and
    logged.
    """
    return registry.names()


@checked
def game(name: str) -> Game:
    """Return the game called `name`, as an object that has the functions of this package as methods.

    Raises RequestError (code ``unknown_game``) for a name that `games` does not list.
    """
    return Game(registry.game(name))
