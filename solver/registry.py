"""The games, by name. A new game is a folder in `solver/games` and one line here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from solver.inputs.errors import RequestError

if TYPE_CHECKING:
    from solver.protocol.game import Game

_MODULES = {
    "alchemy": "solver.games.alchemy",
    "king": "solver.games.king",
    "kirin": "solver.games.kirin",
    "aqua-regia": "solver.games.aqua_regia",
}

NAMES: tuple[str, ...] = tuple(_MODULES)


def game(name: str) -> Game:
    """The game called `name`. Raises RequestError for a name that is not registered."""
    if name not in _MODULES:
        raise RequestError("unknown_game", f"no game is called {name!r}; there is {', '.join(NAMES)}", "game")
    module = import_module(_MODULES[name])
    found: Game = module.GAME
    return found
