"""How a question is asked: first what it needs is loaded, then its clock starts."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel

    from solver.common.control import Control, Limit, ProgressCallback

A = TypeVar("A")

# What has been loaded: (game,) for all of a game, (game, kind) for all that a kind of question needs; else the
# game, a kind of question, and the type of the position.
_loaded: set[tuple[str, ...]] = set()


@dataclass(frozen=True, slots=True)
class Asking:
    """How long a search may go on, what ends it early, and who is told how far it is."""

    limit: Limit
    cancel: threading.Event | None = None
    progress: ProgressCallback | None = None


def warm(name: str, *, hints: bool = False) -> None:
    """Load every kernel of a game now, so that no question waits for it. Compiles them where there are none yet.

    With `hints` those that hints need, no more. Raises RequestError for a game that there is not.
    """
    from solver import registry

    _load((name, "hint") if hints else (name,), lambda: registry.game(name).warm(hints=hints))


def answered(
    asking: Asking, about: tuple[str, BaseModel], ask: Callable[[Control], A], *, load: Callable[[], None]
) -> A:
    """The answer of `ask`, whose clock starts when what it needs is loaded.

    `about` is the kind of question and its position. With a limit of time everything that `load` loads is loaded
    before, since a search may need any of it. Else what a search of one node needs will do: then the time that the
    answer tells is about the search's own.
    """
    from solver.common.control import Control, Limit

    kind, position = about
    game: str = position.game  # type: ignore[attr-defined]
    whole = (game,) if kind == "analyze" else (game, kind)
    if asking.limit.seconds is not None:
        _load(whole, load)
    elif (game,) not in _loaded and whole not in _loaded:
        _load((game, kind, type(position).__name__), lambda: ask(Control(Limit(nodes=1), asking.cancel)))
    return ask(Control(asking.limit, asking.cancel, asking.progress))


def _load(key: tuple[str, ...], load: Callable[[], object]) -> None:
    if key not in _loaded and key[:1] not in _loaded:
        load()
        _loaded.add(key)
