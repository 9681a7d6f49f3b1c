"""The games by name: Athanor's own, and those of other packages.

Each of Athanor's games is a folder in `solver/games` and a line in this file. Another package adds a game with an
entry point in the group ``athanor.games``: its name is the game's name, and it loads an object with the interface
of `solver.game.Game` (usually of a derived class). An unusable entry point is skipped and logged, to stderr unless
the program has set up logging otherwise.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from solver.errors import RequestError
from solver.language import LANGUAGES, add_words, say

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from pydantic import BaseModel

    from solver.game import Game

GROUP = "athanor.games"

_OWN = {
    "alchemy": "solver.games.alchemy",
    "king": "solver.games.king",
    "kirin": "solver.games.kirin",
    "aqua-regia": "solver.games.aqua_regia",
}
_NOTHING = object()
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class _Guests:
    """The games of other packages. They are found on first use, since that reads every package's metadata."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: dict[str, Game] | None = None
        self._faults: dict[str, str] = {}

    def games(self) -> dict[str, Game]:
        """Return the usable games, by name."""
        with self._lock:
            if self._found is None:
                self._found = dict(self._load(_entry_points()))
            return self._found

    def fault(self, name: str) -> str | None:
        """Return why the game of this name was left out; None if it was not."""
        self.games()
        return self._faults.get(name)

    def leave_out(self, name: str, why: str) -> None:
        """Leave out a game from now on, and log why."""
        games = self.games()
        with self._lock:
            games.pop(name, None)
            self._tell(name, why)

    def forget(self) -> None:
        """Forget the games, so that entry points are looked up again at the next use."""
        with self._lock:
            self._found = None
            self._faults = {}

    def _load(self, entries: Iterable[EntryPoint]) -> Iterable[tuple[str, Game]]:
        taken = set(_OWN)
        for entry in sorted(entries, key=lambda entry: (entry.name, entry.value)):
            if entry.name in taken:
                self._tell(entry.name, f"{entry.value} has the name of another game")
                continue
            try:
                game = entry.load()
            except Exception as error:  # a third-party module may raise anything on import
                self._tell(entry.name, f"{entry.value} cannot be loaded: {type(error).__name__}: {error}")
                continue
            why = _unfit(entry.name, game) or _add_words(game.package)
            if why is None:
                taken.add(entry.name)
                yield entry.name, game
            else:
                self._tell(entry.name, f"{entry.value} {why}")

    def _tell(self, name: str, why: str) -> None:
        import logging

        if name not in _OWN:
            self._faults[name] = why
        logging.getLogger(__name__).warning("The game %r is left out: %s", name, why)


def _entry_points() -> Iterable[EntryPoint]:
    if not any(map(_may_name_a_game, sys.path)):
        return ()
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


def _may_name_a_game(path: str) -> bool:
    """Return whether a folder may contain a package that adds a game; True for anything but a folder.

    `importlib.metadata` finds out exactly, but importing it takes longer than everything else in `athanor --help`.
    """
    try:
        names = os.listdir(path or ".")
    except FileNotFoundError:
        return False
    except OSError:
        return True
    for name in names:
        if name.endswith((".dist-info", ".egg-info")):
            try:
                with open(os.path.join(path, name, "entry_points.txt"), "rb") as file:
                    if GROUP.encode() in file.read():
                        return True
            except OSError:  # most packages have no entry points
                continue
    return False


def _add_words(package: str) -> str | None:
    """Add translations of what a game says, which its package has in files such as ``words.ja.toml``.

    Returns why a file cannot be read; None if all can.
    """
    import tomllib

    folder = os.path.dirname(sys.modules[package].__file__ or "") if package in sys.modules else ""
    for language in LANGUAGES:
        path = os.path.join(folder, f"words.{language}.toml")
        if folder and os.path.exists(path):
            try:
                with open(path, "rb") as file:
                    add_words(language, {**tomllib.load(file)})
            except (OSError, ValueError) as error:
                return f"has words that cannot be read: {os.path.basename(path)}: {error}"
    return None


def _unfit(name: str, game: object) -> str | None:
    """Return why an object cannot be the game of this name; None if it can."""
    from inspect import getattr_static

    from solver.game import Game

    members = dict.fromkeys([*Game.__annotations__, *vars(Game)])
    lacking = [
        member
        for member in members
        if not member.startswith("_") and getattr_static(game, member, _NOTHING) is _NOTHING
    ]
    if lacking:
        return f"is no game: it has no {', '.join(lacking)}"
    if game.name != name:  # type: ignore[attr-defined]
        return f"is called {game.name!r}, not {name!r}"  # type: ignore[attr-defined]
    if not _NAME.fullmatch(name):
        return "has a name that is not made of small letters, digits and hyphens"
    return None


_GUESTS = _Guests()
leave_out = _GUESTS.leave_out
forget_guests = _GUESTS.forget


def names() -> tuple[str, ...]:
    """Return the names of all games: Athanor's own first, then those of other packages in alphabetical order."""
    return (*_OWN, *_GUESTS.games())


def is_own(name: str) -> bool:
    return name in _OWN


def guests() -> tuple[str, ...]:
    """Return the names of the games added by other packages."""
    return tuple(_GUESTS.games())


def game(name: str) -> Game:
    """Return the game called `name`. Raises RequestError for an unknown name or a broken game."""
    if not isinstance(name, str):
        raise RequestError("wrong_type", say("the name of a game is text, not {value!r}", value=name), "game")
    module = _OWN.get(name)
    if module is not None:
        return _own(module)
    guest = _GUESTS.games().get(name)
    if guest is not None:
        return guest
    why = _GUESTS.fault(name)
    if why is not None:
        raise RequestError("unknown_game", say("the game {name!r} is left out: {why}", name=name, why=why), "game")
    from solver.texts import game_typed
    from solver.validation import with_names

    sentence = say("there is no game called {name!r}", name=name)
    raise RequestError("unknown_game", with_names(sentence, game_typed(name), names()), "game")


@cache
def _own(module: str) -> Game:
    own: Game = import_module(module).GAME
    return own


def game_of(position: BaseModel) -> Game:
    """Return the game that a position, view or record belongs to."""
    return game(position.game)  # type: ignore[attr-defined]
