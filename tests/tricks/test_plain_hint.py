"""The ready-made hints of a plain game of tricks: the toy game with four seats, analysed by the toy search."""

from __future__ import annotations

import pytest

from solver.errors import RequestError
from solver.limits import Control
from solver.tricks import plain
from tests.tricks.rounds import hints, played


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize("exact_tricks", [-1, 4])
def test_every_legal_card_gets_a_mean(exact_tricks: int) -> None:
    kinds = set()
    for seed in range(12):
        position = played(seed, seed)
        view = plain.view(position, position.seat_to_move)
        answer = hints(exact_tricks).hint(view, Control(), worlds=20, seed=seed)
        legal = [plain.format_move(view, card) for card in plain.legal_moves(view)]
        assert sorted(move.move for move in answer.moves) == sorted(legal)
        assert all(0 <= move.mean <= 3 for move in answer.moves)
        assert (answer.game, answer.best, answer.to_move) == ("toy", answer.moves[0].move, view.seat)
        assert str(answer.best) in answer.reason
        assert answer.sure is not None
        kinds.add(answer.sure)
    assert {"only", "close", "clear"} <= kinds


@pytest.mark.small
def test_views_that_are_no_question() -> None:
    position = played(3, 2)
    with pytest.raises(RequestError) as error:
        hints(4).hint(plain.view(position, (position.seat_to_move + 1) % 4), Control())
    assert (error.value.code, error.value.path) == ("not_to_move", "seat")
    over = played(3, 12)
    answer = hints(4).hint(plain.view(over, over.seat_to_move), Control())
    assert (answer.best, answer.moves, answer.reason) == (None, (), "The round is over.")
