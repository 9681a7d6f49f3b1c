"""Hints with decks of thousands of cards: in time, or refused at once."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

import pytest

from solver.common import Random
from solver.errors import RequestError
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.deck import FIELDS
from solver.games.aqua_regia.hint import SAMPLERS
from solver.games.aqua_regia.moves import legal_moves, play
from solver.games.aqua_regia.position import KnownPosition, View
from solver.games.aqua_regia.rollouts import Games
from solver.hints.sampled import GAMES_A_BATCH
from solver.limits import Control, Limit
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


def view_after(moves: int, hand: int) -> View:
    """What the seat to move sees after so many random moves of two players with hands of so many of 236 cards."""
    rng = Random(1)
    metals = [
        {"symbol": f"M{number}", "reactivity": {field: rng.below(4) for field in FIELDS} | {"water": 2}}
        for number in range(METALS)
    ]
    cards = [f"M{number}" for number in range(METALS)] * 2
    rng.shuffle(cards)
    position = parse_position(
        {
            "game": "aqua-regia",
            "deck": {"name": "large", "copies": 2, "metal": metals},
            "field": "water",
            "turn": 0,
            "hands": [cards[:hand], cards[hand : 2 * hand]],
            "stock": cards[2 * hand :],
        }
    )
    for _ in range(moves):
        assert isinstance(position, KnownPosition)
        legal = legal_moves(position)
        position = play(position, legal[rng.below(len(legal))])
    assert isinstance(position, KnownPosition)
    found = GAME.view(position, position.seat_to_move)
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


@pytest.mark.parametrize("seconds", [0.02, 0.1])
def test_a_long_history_with_many_metals_is_in_time_too(seconds: float) -> None:
    """A chain of likely worlds takes many steps, each of which looks at all pairs of metals for each pass."""
    GAME.warm()
    seen = view_after(moves=100, hand=60)
    assert Games(seen, legal_moves(seen), 0).steps > 1000
    begun = time.monotonic()
    with suppress(RequestError):
        assert GAME.hint(seen, Control(Limit(seconds=seconds))).worlds >= 1
    assert time.monotonic() - begun < seconds + LATE


def test_a_game_ends_as_soon_as_its_fuel_does() -> None:
    seen = view(100, 500)
    games = Games(seen, legal_moves(seen), 0)
    begun = time.thread_time()
    assert not games.ends(0, fuel=3)
    few = time.thread_time() - begun
    assert games.ends(0)
    assert few < (time.thread_time() - begun - few) / 2
    least = next(fuel for fuel in range(1, 20_000, 100) if games.ends(0, fuel=fuel))
    assert games.ends(0, fuel=least + 100)  # as much as it takes is enough, and so is more
    assert not games.ends(0, fuel=max(1, least - 100))


def test_what_cannot_be_played_in_time_is_too_large() -> None:
    with pytest.raises(RequestError, match="more than the limit") as found:
        GAME.hint(view(200, 0), Control(Limit(seconds=0.3)))
    assert (found.value.code, found.value.path) == ("too_large", "deck")


def test_fewer_games_between_two_looks_only_with_a_large_deck() -> None:
    assert SAMPLERS["equal"].games(view(10, 0)) == 1
    house = GAME.view(GAME.deal(1), 0)
    assert isinstance(house, View)
    assert SAMPLERS["equal"].games(house) == GAMES_A_BATCH
