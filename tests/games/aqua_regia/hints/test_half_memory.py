"""Hints of Aqua Regia from half a memory: against all consistent deals, and the full view where all is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from math import comb, prod
from typing import Any

import numpy as np
import pytest

from solver import registry
from solver.answers import SampledHint
from solver.common import Random
from solver.errors import PositionError
from solver.games.aqua_regia.position import KnownPosition, Remembered, View
from solver.games.aqua_regia.rollouts import Games
from solver.games.aqua_regia.worlds import deals
from solver.limits import Control
from solver.positions import parse_position, position_data

GAME = registry.game("aqua-regia")
TABLE = "aqua-regia seat=0 hand=Zn,Fe,Cu field=acid counts=3,4,5 stock_count=17"
SMALL = {
    "name": "small",
    "copies": 2,
    "metal": [
        {"symbol": symbol, "reactivity": {"water": 2, "vapor": vapor, "acid": 2, "aqua-regia": 2}}
        for symbol, vapor in (("A", 0), ("B", 1), ("C", 2), ("D", 0))
    ],
}


def small(**keys: Any) -> Remembered:
    """A view with a deck of eight cards, of which one is in the discard pile and not remembered."""
    data = {
        "game": "aqua-regia",
        "deck": SMALL,
        "seat": 0,
        "hand": ["A", "B"],
        "counts": [2, 2, 1],
        "stock_count": 1,
        "field": "water",
        "gone": ["C"],
    }
    view = parse_position(data | keys)
    assert isinstance(view, Remembered)
    return view


def consistent(view: Remembered) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Of each order of the unseen cards that agrees with the voids, the hands of seats 1 and 2 and the stock."""
    cards = [metal for metal, count in enumerate(view.unseen) for _ in range(count)]
    for order in permutations(range(len(cards))):
        lying = [cards[place] for place in order]
        hands = [lying[:2], lying[2:3]]
        if not any(set(hand) & set(view.voids_of(seat)) for seat, hand in enumerate(hands, 1)):
            yield (*(tuple(sorted(hand)) for hand in hands), tuple(lying[3:4]))


@pytest.mark.parametrize("voids", [{}, {"1": ["D"]}, {"1": ["D"], "2": ["B", "C"]}])
def test_deals_are_drawn_as_often_as_they_are_likely(voids: dict[str, list[str]]) -> None:
    view = small(voids=voids)
    assert view.forgotten == 1
    orders = Counter(consistent(view))
    found, drawn = deals(view), Counter[tuple[tuple[int, ...], ...]]()
    draws = 6000
    for number in range(draws):
        position = found.position(1, number)
        numbers = view.metals.numbers
        hands = (tuple(sorted(numbers(hand))) for hand in position.hands[1:])
        drawn[(*hands, numbers(position.stock))] += 1
    assert drawn.keys() <= orders.keys()
    for deal, count in orders.items():
        share = count / orders.total()
        assert abs(drawn[deal] / draws - share) < 5 * (share * (1 - share) / draws) ** 0.5


def test_what_is_forgotten_lies_in_the_discard_pile() -> None:
    view = small()
    games = Games(view, GAME.legal_moves(view), 0)
    assert games.setting.forgets
    found = GAME.hint(view, Control(), worlds=200)
    assert found.unknown.gone == 1  # type: ignore[attr-defined]


def played(seed: int, tricks: int, players: int) -> View:
    """What the seat to move sees after so many tricks, all moves at random."""
    random = Random(seed)
    position: Any = GAME.deal(seed, players=players)
    while len(position.history or ()) < tricks + 1 or not position.table:
        moves = GAME.legal_moves(position)
        position = GAME.play(position, moves[random.below(len(moves))])
        assert isinstance(position, KnownPosition)
        assert all(position.hands)
    view = GAME.view(position, position.seat_to_move)
    assert isinstance(view, View)
    return view


def remembering(view: View, tricks: int) -> dict[str, Any]:
    """The view as data with the last `tricks` only, and no card of the discard pile but those that lay there."""
    data = position_data(view)
    data["history"] = data["history"][-tricks:]
    return {key: value for key, value in data.items() if key not in ("discard", "deal_passes", "known")} | {
        "gone": []
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_that_is_remembered_is_the_full_view(players: int) -> None:
    view = played(players, 4, players)
    data = position_data(view)
    again = parse_position(data | {"tricks": 4, "gone": data.get("discard", []), "discard": []})
    assert again == view
    assert type(again) is View


def test_the_last_tricks_tell_the_table_and_what_they_put_away() -> None:
    view = played(3, 5, 3)
    whole = remembering(view, 3)
    short = {key: whole[key] for key in ("game", "seat", "hand", "counts", "stock_count", "field", "gone")}
    short["history"] = [{"leader": trick["leader"], "moves": trick["moves"]} for trick in whole["history"]]
    found = parse_position(short)
    assert isinstance(found, Remembered)
    assert (found.table, found.owner, found.turn, found.reversed) == (
        view.table,
        view.owner,
        view.turn,
        view.reversed,
    )
    assert found == parse_position(whole)
    assert found.forgotten == sum(view.pile) - len(found.discarded)
    assert not Counter(found.discarded) - Counter(view.discard)
    for trick in view.history[-3:-1]:  # type: ignore[index]
        cards = [card for move in trick.moves if not move.startswith("pass") for card in move.split()]
        taken = [move.split(">")[1] for trick in view.history or () for move in trick.moves if ">" in move]
        assert not Counter(cards) - Counter(found.discarded) - Counter(taken)


def test_a_hint_says_what_is_not_known() -> None:
    found = hinted(TABLE + " gone=K", 1000)
    assert found.unknown is not None
    assert found.unknown.gone == 64 - 12 - 17 - 1
    assert found.unknown.worth is not None
    assert "34 cards that are gone are not remembered" in found.reason
    assert hinted(position_data(parse_position(TABLE + " gone=K")), 1000).moves == found.moves


def hinted(position: Any, worlds: int) -> SampledHint:
    found = GAME.hint(parse_position(position), Control(), worlds=worlds)
    assert isinstance(found, SampledHint)
    return found


def test_an_exchange_shows_a_card_that_was_forgotten() -> None:
    view = parse_position(TABLE + " gone=K turn=1 owner=0 table=Mg")
    after, _ = GAME.observe(view, ["pass Li>Au"])
    assert isinstance(after, Remembered)
    assert after.known_of(1) == ("Au",)
    assert "Li" in after.discarded
    assert after.forgotten == view.forgotten - 1  # type: ignore[attr-defined]


def test_a_seat_that_draws_may_hold_anything_again() -> None:
    view = parse_position(TABLE + " gone=K turn=1 owner=0 table=Mg voids=1:Zn/2:Fe")
    after, _ = GAME.observe(view, ["pass"])
    assert isinstance(after, Remembered)
    assert after.voids == {"2": ("Fe",)}


def test_a_void_holds_in_worlds_that_go_by_the_history() -> None:
    view = parse_position(remembering(played(2, 3, 3), 2) | {"voids": {}})
    assert isinstance(view, Remembered)
    other = (view.seat + 1) % 3
    metal = next(symbol for metal, symbol in enumerate(view.metals.index) if view.unseen[metal] == 4)
    kept = parse_position(position_data(view) | {"voids": {str(other): [metal]}})
    assert isinstance(kept, Remembered)
    games = Games(kept, GAME.legal_moves(kept), 0)
    assert games.chained
    for batch in range(16):
        games.play(16 * batch, np.empty((16, games.moves, games.statistics)), np.ones(16))
    noted = games.witness.noted(256, chained=True)
    assert noted is not None
    hands = noted.words[:, : 3 * view.metals.size].reshape(-1, 3, view.metals.size)
    assert not hands[:, other, view.metals.index[metal]].any()
    assert (hands.sum(axis=2) == view.counts).all()


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"stock_count": None}, "stock_count", "how many cards does the stock have?"),
        ({"counts": None, "players": 3}, "counts", "how many cards does each seat hold?"),
        ({"field": None}, "field", "which field is it now"),
        ({"voids": {"1": ["Xx"]}}, "voids.1[0]", "not a metal"),
        ({"voids": {"3": ["Zn"]}}, "voids.3", "no seat 3"),
        ({"gone": ["Zn"] * 4}, "gone[3]", "card number 5 of Zn"),
    ],
)
def test_faults(changes: dict[str, Any], path: str, message: str) -> None:
    data = position_data(parse_position(TABLE + " gone=K"))
    data = {key: value for key, value in (data | changes).items() if value is not None}
    with pytest.raises(PositionError) as caught:
        parse_position(data)
    assert message in str(caught.value)
    assert caught.value.path.startswith(path)


def test_weights_are_those_of_cards() -> None:
    """The sum of what `consistent` counts is the number of ways to choose the cards of each place."""
    assert Counter(consistent(small())).total() == prod((comb(5, 2), comb(3, 1), comb(2, 1))) * 2
