"""A plain trick game from its rules, its search rules and its encoder: every model against brute force."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from solver.answers import Analysis, MoveValue
from solver.errors import RequestError
from solver.limits import Control, Limit, Progress
from solver.search.memory import Pool
from solver.search.score_search import ScoreProver
from solver.search.trick_rules import NEED
from solver.tricks import plain
from solver.tricks.analysis import MODELS, Encoded, Form, merit
from solver.tricks.plain import PlainGame, PlainSearch, analyze
from tests.hints import toy_tricks
from tests.hints.toy_tricks import ALLIES, CARDS, SEATS, SIDE, Round, started
from tests.tricks.toy_game import KnownPosition

pytestmark = pytest.mark.small


def points(state: Round) -> tuple[int, ...]:
    return tuple(state.tricks[seat % 2] for seat in range(SEATS))


def encode(state: Round, player: int, allies: bool) -> Encoded[int]:
    deal, node = toy_tricks.encode(state)
    node[NEED] = 0
    deal[SIDE], deal[ALLIES] = player % 2, allies
    return Encoded(deal, node, state.tricks[player % 2], {card: card for card in range(CARDS)})


GAME: PlainGame[Analysis, Round, int] = PlainGame(
    form=Form("toy", Analysis, MoveValue, str),
    seats=SEATS,
    sides=(0, 1, 0, 1),
    legal_moves=Round.legal,
    play=Round.play,
    to_move=lambda state: state.to_move,
    points=points,
    encode=encode,
    provers=Pool(lambda megabytes: ScoreProver(toy_tricks.search(), 1)),
)


def test_what_is_proved_of_the_moves_is_told_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.limits._PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_SLICE", 5)
    monkeypatch.setattr("solver.limits.SLICE_SECONDS", 1e-7)
    seen: list[Progress] = []
    state = started(5, 3)
    found = analyze(GAME, state, Control(progress=seen.append))
    proved = {move.move: move.bounds for move in found.moves}
    told = [{one.move: one.bounds for one in step.moves} for step in seen if step.moves]
    assert len(told) > 1
    assert told[0] != told[-1]
    for bounds in told:
        assert bounds.keys() == proved.keys()
        assert all(bounds[move][0] <= least and most <= bounds[move][1] for move, (least, most) in proved.items())


@cache
def value(state: Round, side: int, allies: bool) -> int:
    """The side's tricks by brute force."""
    moves = state.legal()
    if not moves:
        return state.tricks[side]
    pick = max if allies or state.to_move % 2 == side else min
    return pick(value(state.play(card), side, allies) for card in moves)


@cache
def scores(state: Round) -> tuple[int, ...]:
    moves = state.legal()
    if not moves:
        return points(state)
    return max((scores(state.play(card)) for card in moves), key=lambda found: merit(found, state.to_move))


def endings(count: int) -> list[Round]:
    return [started(seed, random.Random(seed).randrange(7, 17)) for seed in range(count)]


def check_shape(answer: Analysis, state: Round) -> None:
    assert answer.exact
    assert {entry.move for entry in answer.moves} == set(map(str, state.legal()))
    for card in answer.line:
        state = state.play(int(card))
    if answer.moves:
        assert not state.legal()
        assert answer.best == answer.moves[0].move
    found = points(state)
    assert answer.value in (found, found[answer.player or 0])


@pytest.mark.covered
@pytest.mark.parametrize("model", ["paranoid", "ally"])
def test_one_score(model: str) -> None:
    for state in endings(60):
        for player in (0, 1, 2):
            answer = analyze(GAME, state, Control(), model=model, player=player)
            check_shape(answer, state)
            allies = model == "ally"
            assert answer.value == value(state, player % 2, allies)
            for entry in answer.moves:
                assert entry.value == value(state.play(int(entry.move)), player % 2, allies)


@pytest.mark.covered
@pytest.mark.parametrize("sides", [GAME.sides, None])
def test_everybody(sides: tuple[int, ...] | None) -> None:
    game = replace(GAME, sides=sides)
    for state in endings(60):
        answer = analyze(game, state, Control(), model="maxn")
        check_shape(answer, state)
        assert answer.value == scores(state)
        for entry in answer.moves:
            assert entry.value == scores(state.play(int(entry.move)))


@pytest.mark.covered
@pytest.mark.parametrize("model", MODELS)
def test_scores_below_zero(model: str) -> None:
    def indebted(state: Round, player: int, allies: bool) -> Encoded[int]:
        encoded = encode(state, player, allies)
        return replace(encoded, won=encoded.won - 9)

    game = replace(GAME, sides=None, encode=indebted, points=lambda state: tuple(own - 9 for own in points(state)))
    for state in endings(20):
        plain = analyze(replace(GAME, sides=None), state, Control(), model=model)
        answer = analyze(game, state, Control(), model=model)
        assert [entry.move for entry in answer.moves] == [entry.move for entry in plain.moves]
        for entry, same in zip(answer.moves, plain.moves, strict=True):
            least, most = np.array(entry.bounds) + 9
            assert least.tolist() == most.tolist() == np.array(same.value).tolist()


def test_bounds_hold_where_an_ending_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "_MOST_STATES", 3)
    game = replace(GAME, sides=None)
    open_bounds = 0
    for state in endings(80):
        answer = analyze(game, state, Control(), model="maxn")
        assert isinstance(answer.bounds, tuple)
        for (low, high), exact in [
            (answer.bounds, scores(state)),
            *((entry.bounds, scores(state.play(int(entry.move)))) for entry in answer.moves),
        ]:
            assert isinstance(low, tuple)
            assert isinstance(high, tuple)
            assert all(least <= own <= most for least, own, most in zip(low, exact, high, strict=True))
            open_bounds += low != high
    assert open_bounds > 10


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("sides", [GAME.sides, None])
def test_a_limit_ends_with_bounds_that_hold(model: str, sides: tuple[int, ...] | None) -> None:
    game = replace(GAME, sides=sides)
    for state in endings(12):
        exact = analyze(game, state, Control(), model=model)
        values = {entry.move: entry.value for entry in exact.moves}
        for nodes in (1, 10, 100):
            answer = analyze(game, state, Control(Limit(nodes=nodes)), model=model)
            assert {entry.move for entry in answer.moves} == set(values)
            for entry in answer.moves:
                assert entry.exact is (entry.value is not None)
                assert entry.value in (None, values[entry.move])


def test_sides_that_are_not_two() -> None:
    def never(*_: object) -> Any:
        raise NotImplementedError

    rules = toy_tricks.search().rules
    with pytest.raises(ValueError, match="sides are 0 and 1 or are left out, not \\(0, 1, 2\\)"):
        PlainSearch(kind=KnownPosition, deal=never, encode=never, rules=rules, sides=(0, 1, 2))


def test_a_model_or_a_player_that_there_is_not() -> None:
    state = started(1, 8)
    with pytest.raises(RequestError, match="no model is called 'greedy'"):
        analyze(GAME, state, Control(), model="greedy")
    with pytest.raises(RequestError, match="player is a seat, 0 to 3"):
        analyze(GAME, state, Control(), player=4)
