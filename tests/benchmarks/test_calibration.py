"""What hints say is set against what the seat that followed them has scored."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from benchmarks.arena import play_deal
from benchmarks.arena_kirin import KirinContest
from benchmarks.arena_players import named
from benchmarks.calibration import Said, deal_errors, noting, recorded, table
from solver.common.control import Limit
from solver.games.kirin import GAME
from solver.protocol.game import Game


class Says:
    """Kirin with a hint that says 2 points and the first legal card."""

    def __getattr__(self, name: str) -> Any:
        return getattr(GAME, name)

    def hint(self, view: Any, _control: object, seed: int) -> Any:
        best = GAME.format_move(view, GAME.legal_moves(view)[0])
        return SimpleNamespace(best=best, moves=[SimpleNamespace(mean=2.0)])


class SayingContest(KirinContest):
    game = cast(Game, Says())


def test_errors_are_what_was_said_less_what_was_scored() -> None:
    contest = KirinContest()
    scores = []
    for seat in range(4):
        players = [named(contest, "greedy", 4 * 3 + place) for place in range(4)]
        players[seat] = lambda view: GAME.legal_moves(view)[0]
        scores.append(play_deal(contest, players, 1, 3)[seat])
    errors = deal_errors(SayingContest(), "greedy", Limit(nodes=1), 1, 3)
    assert len(set(scores)) > 1
    assert errors[9] == pytest.approx(2.0 - sum(scores) / 4)  # every seat chooses which of nine cards to set aside
    assert set(errors) <= set(range(2, 10))


def test_deals_are_read_back_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    key = {"game": "kirin", "limit": "hint:9n", "others": "rule", "seed": 1}
    rows = [{**key, "deal": deal, "errors": {"9": deal, "8": 2.0 * deal}} for deal in (1, 3)]
    other = {**key, "others": "random", "deal": 2, "errors": {"9": 50.0}}
    path.write_text("".join(json.dumps(row) + "\n" for row in (*rows, other)), encoding="utf-8")
    read = recorded(path, key)
    assert read == {1: {9: 1.0, 8: 2.0}, 3: {9: 3.0, 8: 6.0}}
    assert recorded(tmp_path / "none.jsonl", key) == {}
    means = table(list(read.values()))
    assert [(cards, mean) for cards, (mean, _) in means.items()] == [(9, 2.0), (8, 4.0)]


def test_once_the_hint_is_followed_at_one_choice_and_the_rule_player_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def simple(self: KirinContest, kind: str, view: Any, random: object) -> Any:
        if kind == "rule":
            asked.append(len(view.hand))
        return GAME.legal_moves(view)[0]

    monkeypatch.setattr(KirinContest, "simple", simple)
    said: list[Said] = []
    contest = SayingContest()
    player = noting(contest, Limit(nodes=1), 1, said, once=4)
    play_deal(contest, [player, *(named(contest, "greedy", place) for place in range(3))], 1, 3)
    assert said == [(4, 2.0)]
    assert 4 not in asked
    assert {9, 8}.issubset(asked)
