"""What hints say is set against what the seat that followed them has scored."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from benchmarks.arena import play_deal
from benchmarks.calibration import (
    Round,
    Said,
    deal_rounds,
    errors_of,
    errors_told,
    model_errors,
    rounds_of,
    table,
)
from benchmarks.kirin import KirinContest
from benchmarks.players import done, named
from solver.game import Game
from solver.games.kirin import GAME
from solver.limits import Limit


class Says:
    """Kirin with a hint that says 2 points and the first legal card."""

    def __getattr__(self, name: str) -> Any:
        return getattr(GAME, name)

    def hint(self, view: Any, _control: object, seed: int = 0, worlds: int | None = None) -> Any:
        best = GAME.format_move(view, GAME.legal_moves(view)[0])
        return SimpleNamespace(best=best, moves=[SimpleNamespace(mean=2.0, stderr=0.5)], model_error=0.3)


class SayingContest(KirinContest):
    game = cast(Game, Says())


def test_errors_are_what_was_said_less_what_was_scored() -> None:
    contest = KirinContest()
    scores = []
    for seat in range(4):
        players = [named(contest, "greedy", 4 * 3 + place) for place in range(4)]
        players[seat] = lambda view: GAME.legal_moves(view)[0]
        scores.append(play_deal(contest, players, 1, 3)[seat])
    rounds = deal_rounds(SayingContest(), "greedy", Limit(nodes=1), 1, 3)
    assert [round_.scored for round_ in rounds] == scores
    errors = errors_of(rounds)
    assert len(set(scores)) > 1
    assert errors[9] == pytest.approx(2.0 - sum(scores) / 4)  # every seat chooses which of nine cards to set aside
    assert set(errors) <= set(range(2, 10))


def test_what_hints_tell_of_their_model_is_asked_of_them() -> None:
    assert errors_told(SayingContest(), {2, 9}) == {2: 0.3, 9: 0.3}


def _rounds(kind: Callable[[float], float], luck: float) -> list[Round]:
    """Rounds in which means from 0 to 4 are said; what a kind makes of them is scored, give or take luck."""
    random = np.random.default_rng(3)
    means = [4 * number / 1999 for number in range(2000)]
    return [Round([Said(5, mean, 0.1)], kind(mean) + luck * random.standard_normal()) for mean in means]


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        (lambda mean: mean, 0.0),
        (lambda mean: mean + 0.5, 0.5),
        (lambda mean: 2 + (mean - 2) / 2, 0.5 * 4 / 12**0.5),  # half as far from the middle as is said
    ],
)
def test_the_error_of_the_model_is_told_from_luck(kind: Callable[[float], float], error: float) -> None:
    assert model_errors({"some": _rounds(kind, 0.0)})[5] == pytest.approx(error, abs=1e-3)
    assert model_errors({"some": _rounds(kind, 2.0)})[5] == pytest.approx(error, abs=0.15)


def test_kinds_count_alike_and_hands_that_came_up_seldom_are_left_out() -> None:
    some, other = _rounds(lambda mean: mean + 0.3, 0.0), _rounds(lambda mean: mean - 0.4, 0.0)
    few = [Round([Said(9, mean, 0.1)], mean) for mean in (0.0, 1.0, 2.0)]
    assert model_errors({"some": some + few, "other": other[:400]}) == {5: pytest.approx((0.125) ** 0.5)}


def test_deals_are_read_back_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    key = {"game": "kirin", "limit": "hint:9n", "others": "rule", "seed": 1}
    rows = [
        {**key, "deal": deal, "rounds": [[[[9, 3.0 + deal, 0.5], [8, 3.0 + 2 * deal, 0.5]], 3.0]]}
        for deal in (1, 3)
    ]
    other = {**key, "others": "random", "deal": 2, "rounds": []}
    path.write_text("".join(json.dumps(row) + "\n" for row in (*rows, other)), encoding="utf-8")
    read = [rounds_of(told) for told in done(path, key, "rounds", (1, 3), lambda _number: [])]
    assert read[0] == [Round([Said(9, 4.0, 0.5), Said(8, 5.0, 0.5)], 3.0)]
    errors = [errors_of(rounds) for rounds in read]
    assert errors == [{9: 1.0, 8: 2.0}, {9: 3.0, 8: 6.0}]
    assert list(done(path, key, "rounds", (1, 2), lambda _number: [])) == [rows[0]["rounds"], []]
    assert len(path.read_text(encoding="utf-8").splitlines()) == 4
    means = table(errors)
    assert [(cards, mean) for cards, (mean, _) in means.items()] == [(9, 2.0), (8, 4.0)]
