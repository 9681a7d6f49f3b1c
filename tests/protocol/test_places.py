"""The functions that games name as their places have the types with which `Game` calls them: mypy checks that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Unpack

import pytest
from pydantic import BaseModel

from solver.answers import Analysis, Hint, Score
from solver.common import Others
from solver.games.alchemy import moves as alchemy_moves
from solver.games.alchemy import solving
from solver.games.aqua_regia import analyze as aqua_regia_analyze
from solver.games.aqua_regia import hint as aqua_regia_hint
from solver.games.aqua_regia import moves as aqua_regia_moves
from solver.games.king import analyze as king_analyze
from solver.games.king import hint as king_hint
from solver.games.king import moves as king_moves
from solver.games.kirin import analyze as kirin_analyze
from solver.games.kirin import hint as kirin_hint
from solver.games.kirin import moves as kirin_moves
from solver.hints.sampled import HintOptions
from solver.limits import Control
from solver.registry import game
from solver.tricks import moves as trick_moves


class Moves(Protocol):
    def asks(self, position: Any, /) -> frozenset[str]: ...
    def legal_moves(self, position: Any, /) -> Sequence[Any]: ...
    def parse_move(self, position: Any, text: str, /) -> Any: ...
    def format_move(self, position: Any, move: Any, /) -> str: ...
    def possible(self, position: Any, /) -> Sequence[str]: ...


class Rules(Protocol):
    def play(self, position: Any, move: Any, /) -> BaseModel: ...
    def view(self, position: Any, seat: int, /) -> BaseModel: ...
    def observe(self, position: Any, texts: Sequence[str], /) -> tuple[BaseModel, int]: ...
    def describe(self, position: Any, /) -> Sequence[tuple[str, str]]: ...
    def score(self, record: BaseModel, control: Control, /) -> Score: ...


class Analyses(Protocol):
    def analyze(
        self, position: Any, control: Control, /, *, model: str | None, player: int | None
    ) -> Analysis: ...
    def claim(self, position: Any, /) -> dict[str, Any]: ...


class Hints(Protocol):
    def hint(self, view: Any, control: Control, /, *, others: Others, **options: Unpack[HintOptions]) -> Hint: ...
    def played_by(self, view: Any, moves: Any, others: Others, /) -> Sequence[float]: ...
    def guaranteed(self, view: Any, control: Control, /) -> Analysis: ...


MOVES: Mapping[str, Moves] = {
    "alchemy": alchemy_moves,
    "king": king_moves,
    "kirin": trick_moves,
    "aqua-regia": aqua_regia_moves,
}
RULES: Mapping[str, Rules] = {
    "alchemy": alchemy_moves,
    "king": king_moves,
    "kirin": kirin_moves,
    "aqua-regia": aqua_regia_moves,
}
ANALYSES: Mapping[str, Analyses] = {
    "alchemy": solving,
    "king": king_analyze,
    "kirin": kirin_analyze,
    "aqua-regia": aqua_regia_analyze,
}
HINTS: Mapping[str, Hints] = {"king": king_hint, "kirin": kirin_hint, "aqua-regia": aqua_regia_hint}


@pytest.mark.parametrize("name", RULES)
def test_a_game_names_the_functions_that_are_checked(name: str) -> None:
    for kind, modules in ((Moves, MOVES), (Rules, RULES), (Analyses, ANALYSES), (Hints, HINTS)):
        for role in [key for key in vars(kind) if not key.startswith("_")] if name in modules else ():
            assert game(name).find(role) is getattr(modules[name], role)
