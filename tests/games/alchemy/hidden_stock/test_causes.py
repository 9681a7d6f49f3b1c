"""What is behind the lead of a solitaire's move, on positions made for it; and what the next turn is worth."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import athanor
from solver.games.alchemy.expectimax import HiddenStock, hidden_stock
from solver.games.alchemy.hidden_stock import NEXT_TURN, NextTurn, Scene, evaluate, next_turn, noted
from solver.games.alchemy.position import SolitairePosition
from solver.hints.causes import behind
from solver.hints.ranking import Lead
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
    ("position", "code", "reason"),
    [
        (MATCHES, "finds_match", "The next card finds a match in every stock after 7=7, in 87% after 7+3=A+9."),
        (
            KEPT,
            "keeps_card",
            "A+3+6=10 keeps the A: the next match uses it in 82% of stocks, compared with 10% after A=A.",
        ),
        (STOCK, "draws_more", "6+2+5=4+9 uses more line cards than 6=2+4 and takes 2 more out of the stock."),
        (MANY, "sheds_card", "9+7=6+10 leaves the 2, which the next match can't use in 25% of stocks."),
    ],
)
def test_the_cause_of_a_lead(position: str, code: str, reason: str) -> None:
    found = athanor.hint(position, nodes=3_000_000)
    assert code in {cause.code for cause in found.causes}
    assert reason in found.reason


def test_no_cause_where_moves_are_equal() -> None:
    found = athanor.hint("alchemy alternative line=A,A,2,2 hand=2", nodes=300_000)
    assert found.sure == "close"
    assert "too close to call" in found.reason
    assert [cause.code for cause in found.causes] == ["close"]


@pytest.mark.small
def test_a_planted_cause_is_found_and_an_absent_one_is_not() -> None:
    stock = stock_of(MATCHES)
    options = {str(option.move): option for option in stock.options()}
    best, second = options["7=7"], options["7+3=A+9"]
    chance = np.random.default_rng(2)
    matched = chance.random(2000) < 0.6
    used = np.zeros((2000, stock.tables.ranks), np.int64)
    hands = chance.integers(0, stock.tables.ranks, 2000)
    other = NextTurn(np.full(2000, 0.5), hands, np.zeros(2000, np.bool_), used)
    for places, wanted in ((matched, True), (chance.permutation(matched), False)):
        worth = np.where(places, 0.9, 0.5)
        scene = Scene(stock, best, second, NextTurn(worth, hands, matched, used), other)
        lead = Lead(0, 1, float(worth.mean()) - 0.5, 0.0)
        found = behind(NEXT_TURN, scene, noted(scene.first, scene.other), lead)
        assert ("finds_match" in {told.cause.code for told in found}) == wanted


HARD = "alchemy alternative line=10,10,2,3 hand=4 discarded=6,5,A,A,9,10,6,9,9,A,10,6,8,3,5,8,3,7,8,4,5,7,4,2,9,6"


@pytest.mark.small
def test_over_all_stocks_the_next_turn_is_worth_what_the_move_is() -> None:
    stock = stock_of(f"{HARD},2,7,A")
    found = evaluate(stock, Control())
    assert found.judge is not None
    assert 0 < found.moves[0].found.win_probability < 1
    worlds = np.array(list(permutations(stock.cards.tolist())), np.int8)
    for option, chance in found.moves:
        turn = next_turn(stock, option, worlds, found.judge)
        assert turn.worth.mean() == pytest.approx(chance.win_probability)
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
