"""What is behind the lead of a solitaire's move, on positions made for it; and what the next turn is worth."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import athanor
from solver.games.alchemy.expectimax import HiddenStock, hidden_stock
from solver.games.alchemy.hidden_stock import evaluate, next_turn
from solver.games.alchemy.position import SolitairePosition
from solver.limits import Control
from solver.positions import parse_position

ENDING = "2,8,8,4,4,A,3,4,5,3,4,6,10,5,10,7,3,2,2,2,8,A,8,9,10,A"
MATCHES = f"alchemy alternative line=A,3,9,7 hand=7 discarded={ENDING}"
KEPT = "alchemy alternative line=3,6,10,A hand=A discarded=2,3,6,2,9,2,7,8,10,4,5,3,7,7,8,9,4,7,10,6,5,A,6,9,4,4"
STOCK = "alchemy alternative line=4,9,5,2 hand=6 discarded=10,2,4,7,3,6,8,2,6,A,5,3,5,9,6,10,A,10,7,7,9,8"
# 9+2+6=7+10 leads by 3%, half by the next hand and half by the card more that it takes.
MANY = "alchemy alternative line=2,6,7,10 hand=9 discarded=8,A,8,9,6,A,A,9,3,5,7,3,2,10,4,8,7,7,5,8,4,9"


def stock_of(position: str) -> HiddenStock:
    parsed = parse_position(position)
    assert isinstance(parsed, SolitairePosition)
    return hidden_stock(parsed.solitaire, parsed.turn, parsed.unseen_ranks, 0)


@pytest.mark.parametrize(
    ("position", "cause"),
    [
        (
            MATCHES,
            "the next hand finds a match in all of the stocks after 7=7, in 87% after 7+3=A+9: the lead is 51% ",
        ),
        (
            KEPT,
            "A goes into the next match in 82% of the stocks after A+3+6=10, in 10% after A=A: the lead is 11% ",
        ),
        (STOCK, "6+2+5=4+9 takes 2 cards more out of the stock: with as many gone 6=2+4 would win "),
    ],
)
def test_the_cause_of_a_lead(position: str, cause: str) -> None:
    found = athanor.hint(position, nodes=3_000_000)
    assert f" This is because {cause}" in found.reason


def test_nothing_is_said_where_nothing_shows() -> None:
    found = athanor.hint(MANY, nodes=3_000_000)
    assert found.exact
    assert found.moves[0].win_probability > found.moves[1].win_probability + 0.02
    assert "because" not in found.reason


def test_no_cause_where_moves_are_equal() -> None:
    found = athanor.hint("alchemy alternative line=A,A,2,2 hand=2", nodes=300_000)
    assert "can't be told apart" in found.reason
    assert "because" not in found.reason


HARD = "alchemy alternative line=10,10,2,3 hand=4 discarded=6,5,A,A,9,10,6,9,9,A,10,6,8,3,5,8,3,7,8,4,5,7,4,2,9,6"


@pytest.mark.small
def test_over_all_stocks_the_next_turn_is_worth_what_the_move_is() -> None:
    stock = stock_of(f"{HARD},2,7,A")
    found = evaluate(stock, Control())
    assert found.judge is not None
    assert 0 < found.moves[0].probability < 1
    worlds = np.array(list(permutations(stock.cards.tolist())), np.int8)
    for chance in found.moves:
        option = next(option for option in stock.options() if option.move == chance.move)
        turn = next_turn(stock, option, worlds, found.judge)
        assert turn.worth.mean() == pytest.approx(chance.probability)
        assert (turn.used.sum(axis=1)[turn.matched] > 0).all()
        assert (turn.used[~turn.matched] == 0).all()


@pytest.mark.small
def test_with_fewer_cards_the_stock_ends_earlier() -> None:
    stock = stock_of(f"{HARD},2,7,A")
    found = evaluate(stock, Control())
    assert found.judge is not None
    worlds = np.array(list(permutations(stock.cards.tolist())), np.int8)
    for option in stock.options():
        refill = option.cap - int(stock.tables.size[option.line])
        worth = [
            next_turn(stock, option, worlds, found.judge, fewer=fewer).worth.mean()
            for fewer in range(worlds.shape[1] - refill)
        ]
        assert worth[0] < 1
        assert worth[-1] == 1
