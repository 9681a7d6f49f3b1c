"""The games by name."""

from __future__ import annotations

from athanor.bound import Game
from solver import registry


def games() -> tuple[str, ...]:
    """The names of all games: Athanor's own, then those that other packages add by the entry point group
    ``athanor.games``, in alphabetical order."""
    return registry.names()


def game(name: str) -> Game:
    """The game called `name`, with every function of this package bound to it.

    Raises RequestError (code ``unknown_game``) for a name that `games` does not list.
    """
    return Game(registry.game(name))
