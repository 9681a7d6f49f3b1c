"""The first answer in King × Alchemy: what a player who looks ahead would choose, before any deal is tried."""

from __future__ import annotations

import numpy as np
import pytest

from solver.games.king import GAME
from solver.games.king.players import AHEAD, THRIFTY, chances
from solver.games.king.position import PickView, View
from solver.games.king.rules import Taking
from tests.games.king.hints.views import to_move
from tests.hints.first_answers import at_once, check_chances, check_told_first


def picking() -> PickView:
    view = GAME.view(GAME.deal(3, variant="unpicked"), 1)
    assert isinstance(view, PickView)
    return view


VIEWS = [to_move(seed, moves) for seed, moves in enumerate((0, 1, 4, 7, 13, 19, 24))]


@pytest.mark.small
@pytest.mark.parametrize("view", [picking(), *VIEWS])
def test_every_legal_move_has_its_chance(view: View | PickView) -> None:
    check_chances(GAME, view)


def test_who_has_taken_a_trick_gives_in_one_way() -> None:
    taking = [view for view in VIEWS if len(view.trick) == view.players]
    assert taking
    for view in taking:
        told = {move.move: move.chance for move in at_once(GAME, view).moves}
        moves = [move for move in GAME.legal_moves(view) if told[GAME.format_move(view, move)] > 0]
        ways = [move.taken for move in moves if isinstance(move, Taking)]
        assert len(ways) == len(set(ways))


def test_each_kind_of_player_has_chances_of_its_own() -> None:
    view = VIEWS[0]
    moves = GAME.legal_moves(view)
    assert not np.allclose(chances(view, moves), chances(view, moves, THRIFTY), atol=0.01)


def test_it_is_what_a_player_who_looks_ahead_would_choose() -> None:
    views: list[View | PickView] = [picking(), *VIEWS]
    for view in views:
        moves = GAME.legal_moves(view)
        told = {move.move: move.chance for move in at_once(GAME, view).moves}
        by_kind = zip((GAME.format_move(view, move) for move in moves), chances(view, moves, AHEAD), strict=True)
        assert told == pytest.approx(dict(by_kind), abs=1e-6)


def test_it_is_the_first_that_is_told() -> None:
    check_told_first(GAME, VIEWS[1])
