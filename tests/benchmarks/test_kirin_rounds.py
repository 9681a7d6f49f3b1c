"""Rounds of kirin in one kernel: they are rounds by the rules, and luck is taken off what they bring."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from benchmarks import kirin_round_kernel
from benchmarks.arena_kirin import TRAINED
from benchmarks.kirin_round_kernel import COUNT, POINTS, advance, lay, new_play, new_round
from benchmarks.kirin_rounds import Played, errors, gain, position_of
from solver.common import mask
from solver.games.kirin import GAME, rules
from solver.games.kirin.fast_rules import DECK, INNER, to_inner
from solver.games.kirin.position import KnownPosition, fields_number, numbers

ME = 2


def test_what_luck_explains_is_taken_off() -> None:
    random = np.random.default_rng(1)
    luck = random.normal(size=(200, 2))
    skill = 0.1 * random.normal(size=200)
    one = np.stack([3.5 + skill + luck[:, 0], luck[:, 0]], axis=1)
    than = np.stack([3.0 + luck[:, 1], luck[:, 1]], axis=1)
    (_, within), (more, inside), fewer = gain(one, than)
    assert more == pytest.approx(0.5, abs=0.05)
    assert inside < 0.2 * within
    assert fewer == pytest.approx((within / inside) ** 2)
    assert gain(one, one) == ((0.0, 0.0), (0.0, 0.0), 1.0)


def test_errors_are_counted_by_deals_not_by_seats() -> None:
    deals = [[Played(0, 0, {8: 1.0, 3: 5.0}), Played(0, 0, {8: 2.0})], [Played(0, 0, {8: 4.5})]]
    found = errors(deals)
    assert list(found) == [8, 3]
    assert found[8][0] == pytest.approx(3.0)
    assert found[3] == (5.0, float("inf"))


@pytest.mark.small
@pytest.mark.skipif(not numba.config.DISABLE_JIT, reason="the kernel would be compiled for this test alone")
def test_a_round_is_one_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kirin_round_kernel, "_REPEATS", 1)
    position = GAME.deal(3, number=1, variant="declared")
    assert isinstance(position, KnownPosition)
    hands = np.array([to_inner(mask(numbers(hand))) for hand in position.hands])
    aside = np.array([INNER[fields_number(card)] for card in position.declared])
    now, spare = (new_round(hands.copy(), aside, position.leader) for _ in range(2))
    luck, play = np.zeros(1), new_play(TRAINED, TRAINED)
    while advance(now, spare, ME, 5, play, luck):
        lay(now, ME, INNER[GAME.legal_moves(GAME.view(position_of(now), ME))[-1]])
    state = position.state
    for seat, card in now.plays[: now.book[COUNT]].tolist():
        assert state.to_move == seat
        assert DECK[card] in rules.legal_moves(state)
        state = rules.play(state, DECK[card])
    assert state.over
    colours = [fields_number(card) // 9 for card in position.declared]
    assert now.book[POINTS:].tolist() == list(rules.points(state.won, colours))
    assert luck[0] != 0.0
