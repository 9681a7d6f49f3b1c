"""A solitaire played by hints: the game that is played, and the luck that is subtracted."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from benchmarks import by_hint
from solver import registry
from solver.games.alchemy.deck import Move
from solver.games.alchemy.expectimax import HiddenStock
from solver.games.alchemy.moves import deal
from solver.games.alchemy.position import Round
from solver.games.alchemy.rules import SOLITAIRE, Variant
from solver.limits import Control, Limit

SEED = 7


def test_a_game_by_hint_is_the_hints_and_the_rules(variant: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.game("alchemy")
    monkeypatch.setattr(by_hint, "NODES", 300)
    played = by_hint.by_hint(variant.name, SEED, 3)
    position: BaseModel = deal(SEED, number=3, variant=variant.name)
    while moves := game.legal_moves(position):
        seen = game.view(position, 0)
        assert isinstance(position, Round)
        move = moves[0]
        if len(moves) > 1 and position.stock:
            move = game.parse_move(seen, game.hint(seen, Control(Limit(nodes=300))).best or "")
        position = game.play(position, move)
    assert isinstance(position, Round)
    assert played.left == (0 if position.turn.won else len(position.stock or ()))


def test_luck_is_worth_nothing_on_the_whole() -> None:
    """The mean of the luck is zero within its error, however somebody plays; and it explains who wins."""

    def last(stock: HiddenStock) -> Move:
        return stock.options()[-1].move

    variant = SOLITAIRE["alternative"]
    games = []
    for number in range(60):
        position = deal(SEED, number=number, variant=variant.name)
        assert isinstance(position, Round)
        turn = position.turn
        assert turn.hand is not None
        games.append(by_hint.play(variant, [*turn.line, turn.hand, *turn.stock], last))
    mean = sum(game.luck for game in games) / len(games)
    spread = sum(game.luck**2 for game in games) / len(games)
    assert mean**2 < 16 * spread / len(games)  # four standard errors
    assert spread > 0.01


def test_what_games_by_hint_come_to() -> None:
    found = by_hint.won([by_hint.Game(0, 0.25), by_hint.Game(7, -0.25)])
    assert found.mean == 0.5
    assert found.half == pytest.approx(1.959964 * 0.25)  # of 0.75 and 0.25
