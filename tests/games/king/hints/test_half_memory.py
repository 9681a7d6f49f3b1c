"""Hints of King × Alchemy from half a memory: against all consistent deals, and the full view if all is told."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Any

import numpy as np
import pytest

from solver import registry
from solver.answers import SampledHint
from solver.common import Random
from solver.errors import PositionError
from solver.games.king.position import Remembered, View
from solver.games.king.worlds import deals, draw_world
from solver.kernels.rng import start as start_stream
from solver.limits import Control
from solver.positions import parse_position, position_data
from tests.games.king.hints.views import consistent

GAME = registry.game("king")
TABLE = "king players=4 seat=2 hand=F3,W11,T2,E4"


def played(seed: int, players: int, left: int) -> View:
    """What the seat to move sees with so many cards in its hand, all moves at random."""
    random = Random(seed)
    position: Any = GAME.deal(seed, players=players)
    while True:
        moves = GAME.legal_moves(position)
        seat = position.seat_to_move
        if len(position.hands[seat]) == left and len(moves) > 1 and not position.trick_is_full:
            view = GAME.view(position, seat)
            assert isinstance(view, View)
            return view
        position = GAME.play(position, moves[random.below(len(moves))])


def remembering(view: View, tricks: int, piles: bool = True) -> dict[str, Any]:
    """The view as data with the last `tricks` only, and its piles, or the own one alone."""
    data = position_data(view)
    data["history"] = data["history"][len(view.history) - tricks :]
    if not piles:
        data["won"] = [pile if seat == view.seat else [] for seat, pile in enumerate(data["won"])]
    return data


@pytest.mark.parametrize(("seed", "players"), [(1, 3), (2, 4), (3, 3), (4, 4)])
def test_all_deals_that_agree_are_drawn_equally_often(seed: int, players: int) -> None:
    whole = played(seed, players, 2)
    data = [remembering(whole, tricks) for tricks in range(1, whole.over)]
    for one in data:  # a card of each pile is forgotten too
        one["won"] = [pile if seat == whole.seat else pile[1:] for seat, pile in enumerate(one["won"])]
    told = map(parse_position, data)
    view = next(view for view in told if isinstance(view, Remembered) and view.forgotten <= 4)
    found, right = deals(view), set(consistent(view))
    assert len(right) > 1
    assert found.total == len(right)
    others = [(view.seat + step) % players for step in range(1, players)]
    random, places, hands = (
        np.zeros(1, np.int64),
        np.zeros(len(found.cards), np.int64),
        np.zeros(players, np.int64),
    )
    start_stream(random, seed, 0)
    drawn: Counter[tuple[int, ...]] = Counter()
    draws = 30 * len(right)
    for _ in range(min(draws, 40_000)):
        draw_world(found.question, players, random, places, hands)
        drawn[tuple(int(hands[seat]) for seat in others)] += 1
    assert drawn.keys() <= right
    mean = drawn.total() / len(right)
    spread = sum((drawn[one] - mean) ** 2 / mean for one in right)  # chi-squared
    assert abs(spread - len(right)) < 5 * sqrt(2 * len(right))


def test_deals_too_many_to_number_keep_to_voids() -> None:
    view = parse_position("king players=5 seat=2 hand=F3,W11,T2,E4,A1,A2 trick=1:F7 voids=3:F,T/0:W")
    assert isinstance(view, Remembered)
    found = deals(view)
    assert found.worlds is None
    random, places, hands = np.zeros(1, np.int64), np.zeros(len(found.cards), np.int64), np.zeros(5, np.int64)
    suits = view.full_deck.of_suit
    for number in range(50):
        start_stream(random, 1, number)
        draw_world(found.question, 5, random, places, hands)
        assert not int(hands[3]) & (suits[0] | suits[4])
        assert not int(hands[0]) & suits[1]
        assert [int(hand).bit_count() for hand in hands] == [6, 5, 6, 6, 6]
    assert hinted(position_data(view), 200).unknown is not None


def hinted(position: Any, worlds: int) -> SampledHint:
    found = GAME.hint(parse_position(position), Control(), worlds=worlds)
    assert isinstance(found, SampledHint)
    return found


@pytest.mark.parametrize("players", [3, 4, 5])
def test_all_that_is_remembered_is_the_full_view(players: int) -> None:
    view = played(players, players, 5)
    data = position_data(view)
    cards = [card.split(":")[0] for trick in data["history"] for card in trick["cards"]]
    counts = [view.count(seat) for seat in range(players)]
    again = parse_position(data | {"tricks": len(view.history), "gone": cards, "counts": counts})
    assert again == view
    assert type(again) is View


def test_a_hint_says_what_is_not_known() -> None:
    view = played(7, 4, 5)
    data = remembering(view, tricks=2, piles=False)
    found = hinted(data, 1000)
    assert found.unknown is not None
    assert found.unknown.worth is not None
    assert f"{found.unknown.gone} cards that are gone are not remembered" in found.reason
    text = GAME.notation.write(parse_position(data))
    assert hinted(text, 1000).moves == found.moves
    assert hinted(remembering(view, tricks=2), 1000).unknown.gone < found.unknown.gone  # type: ignore[union-attr]


def test_the_own_hand_and_the_number_of_players_are_enough() -> None:
    found = hinted(TABLE, 50)
    assert found.unknown is not None
    assert found.unknown.gone == 34  # 50 less four hands of four


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"won": None}, "players", "how many play?"),
        ({"tricks": 3}, "tricks", "according to the hand, 7 tricks are over, not 3"),
        ({"counts": [4, 4, 4, 4]}, "counts", "the hands have"),
        ({"gone": ["F1"] * 2}, "gone[1]", "F1 is in gone[0] already"),
        ({"voids": {"0": ["Q"]}}, "voids.0[0]", "neither a suit"),
        ({"voids": {"3": ["F", "W", "E", "A", "T"]}}, "voids", "no deal agrees"),
        ({"voids": {"4": ["F"]}}, "voids.4", "there is no seat 4"),
    ],
)
def test_faults(changes: dict[str, Any], path: str, message: str) -> None:
    data = position_data(parse_position(f"{TABLE} trick=1:F7"))
    data = {key: value for key, value in (data | changes).items() if value is not None}
    with pytest.raises(PositionError) as caught:
        parse_position(data)
    assert message in str(caught.value)
    assert caught.value.path.startswith(path)
