"""Deals of King × Alchemy, what each seat sees of them, and which questions a position answers."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pydantic import BaseModel

from solver.errors import RequestError
from solver.games.king import GAME
from solver.games.king.position import KnownPosition, PickPosition, View
from solver.games.king.rules import DEALT, REMOVED, TRICKS
from solver.limits import Control
from solver.positions import parse_position, position_data
from tests.games.king.examples import BEFORE, BEFORE_SEEN, CARDS, DECK, ENDING, SEEN
from tests.support.amounts import Amount

pytestmark = pytest.mark.small


@pytest.mark.parametrize("players", [3, 4, 5])
def test_deals(players: int) -> None:
    before = GAME.deal(3, players=players, variant="unpicked")
    assert isinstance(before, PickPosition)
    assert [len(hand) for hand in before.hands] == [DEALT[players]] * players
    assert len(before.removed) == REMOVED[players]
    start = GAME.deal(3, players=players)
    assert isinstance(start, KnownPosition)
    assert [len(hand) for hand in start.hands] == [TRICKS[players]] * players
    assert [len(pile) for pile in start.won] == [1] * players
    assert start.removed == before.removed
    for hand, dealt, pile in zip(start.hands, before.hands, start.won, strict=True):
        assert sorted((*hand, *pile)) == sorted(dealt)
    assert start == GAME.deal(3, players=players, variant="picked")
    assert start != GAME.deal(3, players=players, number=1)


@pytest.mark.parametrize(
    ("keys", "path"), [({"players": 2}, "players"), ({"players": 6}, "players"), ({"variant": "x"}, "variant")]
)
def test_what_is_not_dealt(keys: dict[str, Any], path: str) -> None:
    with pytest.raises(RequestError) as found:
        GAME.deal(1, **keys)
    assert found.value.path == path


def test_every_view_of_random_rounds(amount: Amount) -> None:
    """Whatever is played by the rules is accepted, and a view knows no more and no less than it should."""
    rng = random.Random(61)
    for number in range(amount(9)):
        position: BaseModel = GAME.deal(61, number=number, players=3 + number % 3, variant="unpicked")
        while moves := GAME.legal_moves(position):
            position = GAME.play(position, rng.choice(moves))
            if rng.random() < 0.8:
                continue
            assert parse_position(position_data(position)) == position
            for seat in range(position.players):  # type: ignore[attr-defined]
                if isinstance(position, KnownPosition):
                    _check_view(position, seat)


def _check_view(position: KnownPosition, seat: int) -> None:
    seen = GAME.view(position, seat)
    assert isinstance(seen, View)
    assert parse_position(position_data(seen)) == seen
    assert GAME.view(seen, seat) == seen
    state, past = position.state, seen.past
    assert (seen.hand_mask, seen.piles, seen.plays) == (state.hands[seat], state.won, state.trick)
    others = 0
    for other, hand in enumerate(state.hands):
        assert hand & past.excluded(other) == 0
        assert seen.count(other) == hand.bit_count()
        others |= 0 if other == seat else hand
    assert seen.unseen == others
    mine = GAME.legal_moves(position) if seat == position.seat_to_move else []
    assert GAME.legal_moves(seen) == mine


def test_what_is_shown_and_hidden() -> None:
    position = GAME.deal(1)
    for _ in range(7):
        position = GAME.play(position, GAME.legal_moves(position)[0])
    seen = GAME.view(position, 2)
    keys = {"game", "deck", "leader", "trick", "removed", "seat", "hand", "won", "history"}
    assert set(position_data(seen)) == keys


def test_a_view_of_a_round_that_was_typed_in() -> None:
    """Without a history a position that has every card and one won a seat is a round about to start."""
    data = position_data(GAME.deal(5))
    del data["history"], data["removed"]
    seen = GAME.view(parse_position(data), 1)
    assert isinstance(seen, View)
    assert seen.removed == tuple(sorted(GAME.deal(5).removed, key=DECK.index.__getitem__))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("data", "seat", "code", "path"),
    [
        (ENDING, 0, "missing_key", "history"),
        (ENDING, 3, "out_of_range", "seat"),
        (SEEN, 1, "hidden_cards", "seat"),
        (BEFORE_SEEN, 2, "hidden_cards", "seat"),
        (CARDS, 0, "not_offered", "cards"),
    ],
)
def test_views_that_there_are_not(data: dict[str, Any], seat: int, code: str, path: str) -> None:
    with pytest.raises(RequestError) as found:
        GAME.view(parse_position(data), seat)
    assert (found.value.code, found.value.path) == (code, path)


def test_what_is_not_analyzed() -> None:
    assert GAME.asks(parse_position(ENDING)) >= {"analyze", "best-move", "value"}
    for data in (BEFORE, CARDS):
        with pytest.raises(RequestError) as found:
            GAME.analyze(parse_position(data), Control())
        assert found.value.code == "not_offered"
