"""Win rates in parts: what the parts come to is what one unbroken run does, in any order, and nothing twice."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from pydantic import BaseModel

from solver import registry
from solver.errors import RequestError
from solver.game import Row
from solver.games.alchemy import winrate
from solver.games.alchemy.deck import Move
from solver.games.alchemy.expectimax import HiddenStock
from solver.games.alchemy.moves import deal
from solver.games.alchemy.position import SolitairePosition
from solver.games.alchemy.rules import SOLITAIRE, Variant
from solver.limits import Control, Limit
from tests.support.amounts import Amount

SEED = 5


def rows_of(variant: str, ranges: Iterable[tuple[int, int]]) -> list[Row]:
    return [
        row
        for number, deals in ranges
        for row in winrate.part(variant, seed=SEED, number=number, deals=deals, control=Control())
    ]


@pytest.mark.small
def test_parts_come_to_one_unbroken_run(variant: Variant, amount: Amount, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = amount(1000)
    first, second = whole // 4, whole // 2
    monkeypatch.setattr(winrate, "POLICY_DEALS", second + 3)  # one part has some of them, the last has none
    ranges = [(second + 7, whole - second - 7), (0, first), (first, second + 7 - first)]
    found = winrate.merged(variant.name, SEED, rows_of(variant.name, ranges))
    wanted = winrate.winrate(variant.name, deals=whole, seed=SEED)
    without = {"seconds", "deals_per_second"}
    assert found.model_dump(exclude=without) == wanted.model_dump(exclude=without)
    assert found.finished
    assert found.policies[0].deals == second + 3
    assert "Speed" not in dict(winrate.sections(found)[0].rows)


def test_a_gap_is_told_and_a_deal_counted_twice_is_refused() -> None:
    rows = rows_of("alternative", [(0, 20), (30, 10)])
    found = winrate.merged("alternative", SEED, rows)
    assert (found.deals, found.finished) == (30, False)
    with pytest.raises(RequestError, match="deal 30 is counted twice"):
        winrate.merged("alternative", SEED, [*rows, *rows_of("alternative", [(20, 11)])])


def test_policies_in_parts_play_as_in_a_win_rate() -> None:
    rows = [
        row
        for number, deals in ((40, 60), (0, 40))
        for row in winrate.policies_part("alternative", seed=SEED, number=number, deals=deals, control=Control())
    ]
    found = winrate.policies_merged("alternative", SEED, rows)
    assert (found.deals, found.finished) == (100, True)
    assert found.policies == winrate.winrate("alternative", deals=100, seed=SEED).policies
    assert [row[0] for row in winrate.policy_sections(found)[1].rows] == ["random", "most-cards", "table"]


def test_a_game_by_hint_is_the_hints_and_the_rules(variant: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.game("alchemy")
    monkeypatch.setattr(winrate, "NODES", 300)
    (row,) = winrate.hint_part(variant.name, seed=SEED, number=3, deals=1, control=Control())
    position: BaseModel = deal(SEED, number=3, variant=variant.name)
    while moves := game.legal_moves(position):
        seen = game.view(position, 0)
        assert isinstance(position, SolitairePosition)
        move = moves[0]
        if len(moves) > 1 and position.stock:
            move = game.parse_move(seen, game.hint(seen, Control(Limit(nodes=300))).best or "")
        position = game.play(position, move)
    assert isinstance(position, SolitairePosition)
    assert row["left"] == (0 if position.turn.won else len(position.stock or ()))
    assert row["number"] == 3


def test_luck_is_worth_nothing_on_the_whole() -> None:
    """The mean of the luck is zero within its error, however somebody plays; and it explains who wins."""

    def last(stock: HiddenStock) -> Move:
        return stock.options()[-1].move

    variant = SOLITAIRE["alternative"]
    games = []
    for number in range(60):
        position = deal(SEED, number=number, variant=variant.name)
        assert isinstance(position, SolitairePosition)
        turn = position.turn
        assert turn.hand is not None
        games.append(winrate.play(variant, [*turn.line, turn.hand, *turn.stock], last))
    mean = sum(game.luck for game in games) / len(games)
    spread = sum(game.luck**2 for game in games) / len(games)
    assert mean**2 < 16 * spread / len(games)  # four standard errors
    assert spread > 0.01


def test_what_games_by_hint_come_to() -> None:
    rows: list[Row] = [
        {"number": 1, "deals": 1, "left": 0, "luck": 0.25},
        {"number": 0, "deals": 1, "left": 7, "luck": -0.25},
    ]
    found = winrate.hint_merged("alternative", SEED, rows)
    assert (found.deals, found.won, found.lost_at[7], found.finished) == (2, 1, 1, True)
    assert found.adjusted == 0.5
    assert found.half == pytest.approx(1.959964 * 0.25)  # of 0.75 and 0.25
    assert dict(winrate.hint_sections(found)[0].rows)["Luck off"] == "50.0000% (95%: ± 48.9991%)"
    with pytest.raises(RequestError):
        winrate.hint_merged("alternative", SEED, [*rows, rows[0]])
    none = winrate.hint_merged("solo", SEED, [])
    assert (none.deals, none.adjusted, none.half) == (0, None, None)
