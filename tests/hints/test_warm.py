"""What is compiled first: all kernels that hints of a game need, wherever in a round, and no more."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from solver import registry
from solver.errors import RequestError
from solver.game import Game
from solver.hints.sampled import ALL_DEALS
from solver.kernels.jit import Kernel, kind, text
from solver.limits import Control, Limit
from solver.positions import parse_position
from tests.conftest import JIT
from tests.games.king.data import FOLDER as KING

pytestmark = pytest.mark.skipif(not JIT, reason="without the JIT there are no kernels")

_ROUND = 200  # moves at most
_A_SMALL_ENDING = 100_000  # nodes are enough to work one out
_SMALL = {
    "king": KING.joinpath("endings.txt").read_text().splitlines()[0],
    "kirin": "kirin seat=2 hand=D3,G- declared=B3 history=0:D-,D1,G1,ST/3:S-,G2,BT,B6/1:G4,S2,GT,G5/3:G+,S3,S4,S5/"
    "0:B4,S+,S6,G6/2:B2,D2,D+,S1 trick=3:B5,B-,G3",
    "aqua-regia": "aqua-regia players=2 seat=1 hand=K,Ag counts=1,2 history=water:0/0:Li",
}


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, ...]]:
    """The kernels that are called, with the kinds of their arguments."""
    found: set[tuple[str, ...]] = set()

    def call(kernel: Kernel, *arguments: Any, **named: Any) -> Any:
        bound = inspect.signature(kernel.py_func).bind(*arguments, **named)
        bound.apply_defaults()
        function = kernel.py_func
        found.add((function.__module__, function.__qualname__, *(text(kind(given)) for given in bound.args)))
        return kernel._run(*arguments, **named)

    monkeypatch.setattr(Kernel, "__call__", call)
    return found


def _ask_all_round(game: Game, variant: str | None, steps: range) -> None:
    """Ask for hints of a round, of what each seat to move sees, with every second legal move made."""
    position = game.deal(7, variant=variant)
    for step in range(_ROUND):
        moves = game.legal_moves(position)
        if not moves:
            return
        if step in steps:
            seat = getattr(position, "seat_to_move", 0)
            for seen in (game.view(position, seat), position):
                try:
                    game.hint(seen, Control(Limit(nodes=1)), worlds=1)
                except RequestError:
                    continue  # with all cards known some games have no hint
        position = game.play(position, moves[len(moves) // 2])


@pytest.mark.parametrize(
    ("name", "variants", "every"),
    [
        ("alchemy", ["alternative", "solo", "duel"], 2),
        ("king", ["unpicked", "picked"], 3),
        ("kirin", ["undeclared", "declared"], 2),
        ("aqua-regia", [None], 3),
    ],
)
def test_what_hints_need_is_warmed_first(
    called: set[tuple[str, ...]], name: str, variants: list[str | None], every: int
) -> None:
    game = registry.game(name)
    game.warm(hints=True)
    warmed = set(called)
    called.clear()
    for variant in variants:
        _ask_all_round(game, variant, range(0, _ROUND, every))
    if name in _SMALL:
        view = parse_position(_SMALL[name])
        assert game.hint(view, Control(Limit(nodes=_A_SMALL_ENDING))).method == ALL_DEALS
    assert called
    assert called <= warmed
    called.clear()
    game.warm()
    assert called - warmed  # and they are not all of the game
