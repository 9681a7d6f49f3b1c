"""Hints with decks of thousands of cards: in time, or refused at once."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

import pytest

from solver.common.control import Control, Limit
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.hints.hint import SAMPLER
from solver.games.aqua_regia.positions.known import View
from solver.hints.simulate import GAMES_A_BATCH
from solver.inputs.errors import RequestError
from solver.positions import parse_position
from tests.support.timing import LATE

METALS, COPIES = 118, 99


def view(hand: int, stock: int) -> View:
    reactivity = {"water": 2, "vapor": 2, "acid": 2, "aqua-regia": 2}
    metals = [{"symbol": f"M{number}", "reactivity": reactivity} for number in range(METALS)]
    data: dict[str, Any] = {
        "game": "aqua-regia",
        "deck": {"name": "large", "copies": COPIES, "metal": metals},
        "field": "water",
        "seat": 0,
        "turn": 0,
        "hand": [f"M{number * 7 % METALS}" for number in range(hand)],
        "counts": [hand] * 5,
        "stock_count": stock,
    }
    found = parse_position(data)
    assert isinstance(found, View)
    return found


@pytest.mark.parametrize(("hand", "stock"), [(10, 11_632), (100, 0), (200, 0)])
def test_a_hint_with_thousands_of_cards_ends_in_time_or_is_refused_at_once(hand: int, stock: int) -> None:
    GAME.warm()
    seen = view(hand, stock)
    begun = time.monotonic()
    with suppress(RequestError):
        assert GAME.hint(seen, Control(Limit(seconds=0.3))).worlds >= 1
    assert time.monotonic() - begun < 0.3 + LATE


def test_what_cannot_be_played_in_time_is_too_large() -> None:
    with pytest.raises(RequestError, match="more than there is time for") as found:
        GAME.hint(view(200, 0), Control(Limit(seconds=0.3)))
    assert (found.value.code, found.value.path) == ("too_large", "deck")


def test_fewer_games_between_two_looks_only_with_a_large_deck() -> None:
    assert SAMPLER.games(view(10, 0)) == 2
    house = GAME.view(GAME.deal(1), 0)
    assert isinstance(house, View)
    assert SAMPLER.games(house) == GAMES_A_BATCH
