"""Where the functions and types of a game lie, so that none is imported before it is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where the functions and types of a game lie, each as ``module:name``.

    A module that begins with a dot is seen from the game's package. The defaults are the rooms that every game of
    tricks has; a game that keeps to them names only what differs. Functions have the signatures of the methods of
    `solver.protocol.game.Game` with the same name, but for these:

    `playing` and `notation` are called with the game itself, and make its `solver.protocol.playing.Playing` and
    its `solver.notation.notation.Notation`.

    `as_known` and `as_view` turn a position into what `analyze` and `hint` take, and raise RequestError for a
    position that cannot be asked that; they are called before the module that searches is imported. None: the
    position as it is. `readings` is the model of the options for disputed readings (`solver.protocol.readings`),
    None where there are none; `deal` has a parameter `rules` if what is dealt depends on them (`dealt_by_rules`).
    `deck_kind` is None where the cards are no data, and then `deal` and `faces` have no parameter `deck`. `faces`
    makes what `Game.cards` returns, of a variant that there is or None; it is None where the game does not tell
    its cards, which then cannot be drawn.
    `guaranteed`, of a view and a control, makes the analysis of what its seat guarantees without seeing the other
    hands (`solver.hints.guaranteed`); None where that is not offered.
    `answer` is None where `analyze` answers every question of a puzzle, and `proved` where an analysis that lists
    every move says all that is proved. Each function of `warm` takes nothing and runs kernels once, the
    last of them all kernels that hints need. `questions`
    has, by the name of each question of the game's own, a `solver.protocol.question.Question`. `composer` is
    called with the game itself too, and makes its `solver.protocol.composing.Composer`.
    """

    analysis_type: str
    score_type: str
    playing: str
    notation: str = ".positions.notation:notation"
    hint_type: str = "solver.protocol.answers:SampledHint"
    position_type: str = ".positions.kinds:Position"
    record_type: str = ".positions.records:Record"
    deck_kind: str | None = None
    faces: str | None = None
    readings: str | None = None
    composer: str = "solver.protocol.composing:RoundComposer"
    dealt_by_rules: bool = False
    questions: Mapping[str, str] = field(default_factory=dict)
    asks: str = ".positions.moves:asks"
    legal_moves: str = ".positions.moves:legal_moves"
    parse_move: str = ".positions.moves:parse_move"
    format_move: str = ".positions.moves:format_move"
    play: str = ".positions.moves:play"
    deal: str = ".positions.moves:deal"
    view: str = ".positions.moves:view"
    observe: str = ".positions.observing:observe"
    possible: str = ".positions.observing:possible"
    describe: str = ".positions.describe:describe"
    score: str = ".positions.scoring:score"
    as_known: str | None = ".positions.moves:as_known"
    as_view: str | None = ".positions.moves:as_view"
    analyze: str = ".search.analyze:analyze"
    hint: str = ".hints.hint:hint"
    answer: str | None = None
    guaranteed: str | None = None
    proved: str | None = None
    warm: tuple[str, ...] = (".search.analyze:warm", ".hints.hint:warm")


def found_at(package: str, place: str) -> Any:
    """What lies at a place, ``module:name``; a module that begins with a dot is seen from the package."""
    module, _, name = place.partition(":")
    return getattr(import_module(module, package), name)
