"""Athanor in Python: deal, analyze, ask for hints, play, and solve puzzles.

    >>> import athanor
    >>> position = athanor.deal("kirin", seed=3)
    >>> analysis = athanor.analyze(position, seconds=5)
    >>> view = athanor.view(position, seat=0)
    >>> hint = athanor.hint(view, seconds=0.2)
    >>> position = athanor.play(position, hint.best)

A *position* has every card known, and can be analyzed; a *view* is what one player sees, and gets hints. A
position or view may be an object returned by another function, a dict, a line of text, or JSON text. Moves are
texts in the game's notation. Errors are subclasses of `AthanorError`, which say what is wrong (`message`), where
(`path`, such as ``hands[2][4]``) and, for programs, what kind of error it is (`code`).

Heavy modules are imported only when needed. Search kernels are loaded with the first question about a game; the
very first time on a machine they are compiled, which takes a minute or two.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from athanor.arguments import position_of as parse
from athanor.batching import batch, generate
from athanor.game_methods import Game, game, games
from athanor.questions import analyze, compound, convert, exercises, hint, judge, match, solve
from athanor.reviews import review
from athanor.surveys import winrate
from athanor.table import cards, deal, deck, legal_moves, play, possible_moves, score, to_move, view, worlds
from solver.errors import AthanorError, MoveError, PositionError, PuzzleError, RequestError

if TYPE_CHECKING:
    from puzzles.check import PuzzleResult
    from solver.answers import Analysis, Answer, AnyPosition, CompoundAnalysis, Hint, HintMove, MoveValue
    from solver.limits import Limit, Progress

# Types that need pydantic, which is imported on first use.
_LATER = {
    "Analysis": "solver.answers",
    "Answer": "solver.answers",
    "CompoundAnalysis": "solver.answers",
    "Hint": "solver.answers",
    "HintMove": "solver.answers",
    "Limit": "solver.limits",
    "MoveValue": "solver.answers",
    "AnyPosition": "solver.answers",
    "Progress": "solver.limits",
    "PuzzleResult": "puzzles.check",
}

__all__ = [
    "Analysis",
    "Answer",
    "AnyPosition",
    "AthanorError",
    "CompoundAnalysis",
    "Game",
    "Hint",
    "HintMove",
    "Limit",
    "MoveError",
    "MoveValue",
    "PositionError",
    "Progress",
    "PuzzleError",
    "PuzzleResult",
    "RequestError",
    "analyze",
    "batch",
    "cards",
    "compound",
    "convert",
    "deal",
    "deck",
    "exercises",
    "game",
    "games",
    "generate",
    "hint",
    "judge",
    "legal_moves",
    "match",
    "parse",
    "play",
    "possible_moves",
    "review",
    "score",
    "solve",
    "to_move",
    "view",
    "winrate",
    "worlds",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
