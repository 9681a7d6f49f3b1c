"""The decks that positions name: those that are shipped, and the TOML files in the user's own folder.

The folder is that of ``ATHANOR_DECKS``, or ``decks`` in the user's configuration of Athanor. What is wrong with
one file of it is told with the file, and keeps none of the others away.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Protocol

from solver.inputs.errors import AthanorError, PositionError

FOLDER_VARIABLE = "ATHANOR_DECKS"
SHIPPED = "shipped"
_MOST_BYTES = 1 << 20  # of a deck's file

# A game whose cards are data: the module that has `read` and `house`, and the key that only its files have.
_GAMES = {
    "king": ("solver.games.king.cards.deck", "card"),
    "aqua-regia": ("solver.games.aqua_regia.cards.deck", "metal"),
}


class AnyDeck(Protocol):
    """What every game's decks have; the rest is the game's own."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    def rows(self) -> list[dict[str, str]]:
        """The cards for a person: the cells of a table, by column."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A deck of the catalogue. `source` is "shipped" or a file's name; `deck` is None where there is an error."""

    game: str | None
    name: str
    source: str
    deck: AnyDeck | None = None
    error: AthanorError | None = None


def folder() -> Path:
    """Where the user's own decks are looked for; it need not be there."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    from platformdirs import user_config_path

    return user_config_path("athanor", appauthor=False) / "decks"


def parse(text: str) -> tuple[str, AnyDeck]:
    """The game and the deck of a TOML text, told by its keys. Raises PositionError."""
    import tomllib

    try:
        data = tomllib.loads(text)
    except ValueError as found:  # TOMLDecodeError, or an integer of thousands of digits
        raise PositionError("invalid_toml", f"the deck is not TOML: {found}") from None
    except RecursionError:
        raise PositionError("invalid_toml", "the deck is nested too deeply") from None
    for game, (module, key) in _GAMES.items():
        if key in data:
            deck: AnyDeck = import_module(module).read(data)
            return game, deck
    known = " or ".join(f"[[{key}]] ({game})" for game, (_, key) in _GAMES.items())
    raise PositionError("missing_key", f"this is no deck: it has no {known}")


@lru_cache(maxsize=64)
def read(content: bytes) -> tuple[str, AnyDeck]:
    """The game and the deck in a file's bytes. Raises PositionError."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as found:
        message = f"the deck is not UTF-8: {found.reason} at byte {found.start}"
        raise PositionError("invalid_text", message) from None
    return parse(text)


def shipped(game: str) -> AnyDeck:
    """The house deck of a game."""
    deck: AnyDeck = import_module(_GAMES[game][0]).house()
    return deck


def catalogue() -> list[Listed]:
    """Every deck: the shipped ones, then the files of the user's folder by name; a bad one with its error."""
    found = [Listed(game, shipped(game).name, SHIPPED, shipped(game)) for game in _GAMES]
    for path in _files():
        found.append(_listed(path, found))
    return found


def find(game: str, name: str) -> AnyDeck:
    """The deck of a game that is called `name`. Raises PositionError when there is none, or its file is bad."""
    if name == shipped(game).name:
        return shipped(game)
    names: list[str] = []
    for listed in catalogue():
        if listed.deck is not None and listed.game == game:
            if listed.name == name:
                return listed.deck
            names.append(listed.name)
        elif listed.error is not None and listed.name == name:
            raise PositionError("unknown_deck", f"{listed.source} is no deck: {listed.error}")
    raise PositionError("unknown_deck", f"no deck of {game} is called {name!r}; there is {', '.join(names)}")


def _files() -> Iterator[Path]:
    try:
        paths = sorted(folder().iterdir())
    except OSError:
        return
    for path in paths:
        if path.suffix == ".toml" and not path.name.startswith("."):
            yield path


def _listed(path: Path, before: list[Listed]) -> Listed:
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > _MOST_BYTES:
            raise PositionError("wrong_size", f"it is no file of at most {_MOST_BYTES:,} bytes")
        game, deck = read(path.read_bytes())
    except AthanorError as error:
        return Listed(None, path.stem, path.name, error=error)
    except OSError as error:
        problem = PositionError("unreadable", f"it cannot be read: {error.strerror}")
        return Listed(None, path.stem, path.name, error=problem)
    for other in before:
        if other.deck is not None and (other.game, other.name) == (game, deck.name):
            whose = "the shipped deck" if other.source == SHIPPED else other.source
            problem = PositionError("conflict", f"{whose} has the name {deck.name!r} already", "name")
            return Listed(game, deck.name, path.name, error=problem)
    return Listed(game, deck.name, path.name, deck)
