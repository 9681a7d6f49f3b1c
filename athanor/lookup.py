"""The games by name."""

from __future__ import annotations

from athanor.bound import Game
from solver import registry


def games() -> tuple[str, ...]:
    """The names of all games: Athanor's own, then those of other packages, in alphabetical order.

    A package adds a game by an entry point of the group ``athanor.games``. One that cannot be used is left
    out, and the log says why.
    """
    return registry.names()


def game(name: str) -> Game:
    """The game called `name`, with every function of this package bound to it.

    Raises RequestError (code ``unknown_game``) for a name that `games` does not list.
    """
    return Game(registry.game(name))
