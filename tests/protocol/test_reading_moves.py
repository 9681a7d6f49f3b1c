"""The move that a text means: in a game in progress it is read without making the view of the seat to move."""

from __future__ import annotations

import random

import pytest

from solver.errors import MoveError
from solver.playing import Round
from tests.support import rounds

_MOVES = 16  # of each round that are made
_CASES = {f"{case.name}-{case.variant}": case for case in rounds.CASES if case.variant != "duel"}
_WORDS = ("pass", "none", "", "D3")


@pytest.mark.parametrize("case", _CASES.values(), ids=_CASES)
def test_it_is_the_same_as_in_the_view(case: rounds.Case) -> None:
    game, rng = case.game, random.Random(1)
    now = game.playing.opening(1, number=0, players=case.players, variant=case.variant, before=())
    assert isinstance(now, Round)  # of a race there are no positions
    others: list[str] = list(_WORDS)
    for _ in range(_MOVES):
        if now.to_move is None:
            break
        legal = list(now.moves())
        of_position = [game.format_move(now.position, move) for move in game.legal_moves(now.position)]
        for text in (rng.choice(legal), rng.choice(of_position), of_position[-1], rng.choice(others)):
            assert _told(now, text) == _in_view(now, text), (text, now.position)
        others += legal[:3]
        now = now.play(rng.choice(legal))


def _told(now: Round, text: str) -> str:
    try:
        return now.move_of(text)
    except MoveError as found:
        return repr((found.code, found.message, found.path))


def _in_view(now: Round, text: str) -> str:
    view = now.view()
    try:
        return now.game.format_move(view, now.game.parse_move(view, text))
    except MoveError as found:
        return repr((found.code, found.message, found.path))


def test_a_legal_move_is_read_without_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(case for case in rounds.CASES if case.name == "kirin")
    now = case.game.playing.opening(1, number=0, players=case.players, variant=case.variant, before=())
    move = now.moves()[0]
    monkeypatch.setattr(type(now), "view", None)
    assert now.move_of(move) == move
