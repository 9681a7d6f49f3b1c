"""What is compiled first: all kernels that hints of a game need, wherever in a round, and no more."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from solver import registry
from solver.common.control import Control, Limit
from solver.hints.sampled import ALL_DEALS
from solver.inputs.errors import RequestError
from solver.kernels.jit import Kernel
from solver.kernels.kinds import kind, text
from solver.protocol.game import Game
from tests.conftest import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="without the JIT there are no kernels")

_ROUND = 200  # moves at most
_LAST = 12  # positions of a round, among which are small endings
_WORKED_OUT = {"king", "kirin"}  # games whose small endings are
_A_SMALL_ENDING = 30_000  # nodes are enough to work one out


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


def _ask_at_the_end(game: Game, variant: str | None) -> set[str]:
    """Ask for hints at the end of a round, where small endings can be worked out: the methods of the answers."""
    positions = [game.deal(1, variant=variant)]
    while moves := game.legal_moves(positions[-1]):
        positions.append(game.play(positions[-1], moves[len(moves) // 2]))
    views = [game.view(position, position.seat_to_move) for position in positions[-_LAST:-1]]  # type: ignore[attr-defined]
    return {game.hint(view, Control(Limit(nodes=_A_SMALL_ENDING))).method for view in views}


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
    if name in _WORKED_OUT:
        assert ALL_DEALS in _ask_at_the_end(game, variants[-1])
    assert called
    assert called <= warmed
    called.clear()
    game.warm()
    assert called - warmed  # and they are not all of the game
