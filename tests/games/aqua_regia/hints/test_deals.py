"""Deals that agree with a view of Aqua Regia: all of them, each as often as the others, and none else."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import replace
from itertools import permutations
from math import comb, sqrt
from typing import Any

import pytest

from solver.errors import PositionError
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.deck import FIELDS
from solver.games.aqua_regia.position import KnownPosition, View
from solver.games.aqua_regia.worlds import agrees, deals
from solver.positions import parse_position, position_data
from tests.games.aqua_regia.examples import SEEN, change
from tests.games.aqua_regia.random_play import play_randomly
from tests.games.aqua_regia.random_positions import random_table

# Six metals, two of each: A and B can be played in water and later, C and D from vapor on, E and F in acid only.
ROWS = {"A": "1111", "B": "1111", "C": "0111", "D": "0111", "E": "0010", "F": "0010"}
DECK: dict[str, Any] = {
    "name": "six",
    "copies": 2,
    "metal": [
        {"symbol": symbol, "reactivity": dict(zip(FIELDS, map(int, lets), strict=True))}
        for symbol, lets in ROWS.items()
    ],
}
SMALL: dict[str, Any] = {
    "game": "aqua-regia",
    "deck": DECK,
    "field": "acid",
    "turn": 0,
    "table": ["A"],
    "owner": 2,
    "seat": 0,
    "hand": ["A", "B"],
    "counts": [2, 2, 2],
    "stock_count": 1,
    "discard": ["C"],
}
KNOWLEDGE: list[dict[str, Any]] = [
    {},
    {"deal_passes": [{"seat": 1, "field": "vapor"}]},
    {"deal_passes": [{"seat": 1, "field": "vapor", "most": 1}, {"seat": 2, "field": "water"}]},
    {"deal_passes": [{"seat": 2, "field": "water"}, {"seat": 2, "field": "vapor", "most": 1}], "drawn": "F"},
    {"known": [[], ["C"], []], "deal_passes": [{"seat": 1, "field": "vapor", "most": 1}]},
    {"known": [["A"], [], ["E"]], "stock_count": 0, "deal_passes": [{"seat": 2, "field": "aqua-regia"}]},
]


def view(data: dict[str, Any]) -> View:
    found = parse_position(data)
    assert isinstance(found, View)
    return found


def sorted_hands(at: KnownPosition) -> tuple[Any, ...]:
    """What tells deals apart: hands in no order, and the stock."""
    return tuple(tuple(sorted(hand)) for hand in at.hands), at.stock


def every_deal(seen: View) -> Counter[Any]:
    """Every way to lay the unseen cards, one after the other, counted by the deal that it gives."""
    deck = seen.metals
    cards = [symbol for symbol, count in zip(deck.index, seen.unseen, strict=True) for _ in range(count)]
    others = [seat for seat in range(seen.players) if seat != seen.seat]
    places = sum(seen.hidden(seat) for seat in others) + seen.hidden_stock
    found: Counter[Any] = Counter()
    for laid in permutations(cards, places):
        hands: list[list[str]] = [[] for _ in range(seen.players)]
        hands[seen.seat] = list(seen.hand)
        start = 0
        for seat in others:
            hands[seat] = [*seen.known_of(seat), *laid[start : start + seen.hidden(seat)]]
            start += seen.hidden(seat)
        if all(playable(seen, hands[one.seat], one.field) <= one.most for one in seen.deal_passes or ()):
            drawn = () if seen.drawn is None else (seen.drawn,)
            found[tuple(tuple(sorted(hand)) for hand in hands), (*drawn, *laid[start:])] += 1
    return found


def playable(seen: View, hand: list[str], field: str) -> int:
    return sum(seen.metals.reactivity[FIELDS.index(field)][card] > 0 for card in seen.metals.numbers(hand))


@pytest.mark.parametrize("knowledge", KNOWLEDGE, ids=range(len(KNOWLEDGE)))
def test_every_deal_is_drawn_as_often_as_it_should_be(knowledge: dict[str, Any]) -> None:
    """Chi-square against all deals of a small view."""
    seen = view(change(SMALL | {"stock_count": 2 if "drawn" in knowledge else 1}, **knowledge))
    expected = every_deal(seen)
    found = deals(seen)
    draws = 1500
    drawn = Counter(sorted_hands(found.position(7, number)) for number in range(draws))
    assert set(drawn) <= set(expected)
    total = sum(expected.values())
    freedom = len(expected) - 1
    assert freedom >= 3
    chi = 0.0
    for deal, ways in expected.items():
        mean = draws * ways / total
        chi += (drawn[deal] - mean) ** 2 / mean
    # of mean `freedom` and variance 2 `freedom` and, as small means add to it, the sum of 1 / mean
    spread = 2 * freedom + sum(total / (draws * ways) for ways in expected.values())
    assert abs(chi - freedom) < 5 * sqrt(spread)


def test_ways_count_the_divisions_of_the_restricted_hands() -> None:
    # unseen: B, C, twice D, E and F; seat 1 has no card for vapor, so two of the four E and F
    seen = view(SMALL | {"deal_passes": [{"seat": 1, "field": "vapor"}]})
    assert deals(seen).ways == comb(4, 2)
    assert deals(view(SMALL)).ways == 1


def test_deals_of_played_games_give_back_the_view() -> None:
    rng = random.Random(61)
    restricted = tried = 0
    for number in range(14):
        players = rng.randint(2, 5)
        start: Any = GAME.deal(61, number=number, players=players)
        if number % 2:
            table = random_table(rng, metals=12, copies=4)
            cards = [metal["symbol"] for metal in table["metal"] for _ in range(4)]
            rng.shuffle(cards)
            hands = [cards[7 * seat : 7 * seat + 7] for seat in range(players)]
            start = parse_position(
                position_data(start)
                | {"deck": table, "hands": hands, "stock": cards[7 * players :], "deal_passes": None, "turn": 0}
            )
        for at in play_randomly(start, rng):
            if rng.random() < 0.8 or not GAME.legal_moves(at):
                continue
            seen = GAME.view(at, at.seat_to_move)
            assert isinstance(seen, View)
            found = deals(seen)
            tried += 1
            restricted += found.dealing.restricted > 0
            for world in range(3):
                again = found.position(number, world)
                assert parse_position(position_data(again)) == again
                assert GAME.view(again, seen.seat) == seen
                assert len(again.stock) == seen.stock_count
                assert agrees(found, number, world)
    assert tried > 100
    assert restricted > 20


def test_a_deal_that_contradicts_the_view_is_told() -> None:
    """`agrees` can say no: with cards for a field dealt to who passed the deal on for want of them."""
    passed = [{"seat": 0, "field": "vapor", "most": 0}]
    found = deals(view(SEEN | {"deal_passes": passed}))
    assert found.dealing.restricted == 1
    assert all(agrees(found, 1, number) for number in range(30))
    loose = replace(found, dealing=found.dealing._replace(restricted=0))
    told = [agrees(loose, 1, number) for number in range(60)]
    assert 0 < sum(told) < 60


def test_a_drawn_card_is_on_top_of_the_stock() -> None:
    found = deals(view(SEEN | {"drawn": "Ag"}))
    for number in range(5):
        assert found.position(1, number).stock[0] == "Ag"
        assert agrees(found, 1, number)


def test_numbers_and_seeds_tell_deals_apart_and_mean_the_same_for_ever() -> None:
    found = deals(view(SEEN))
    assert found.position(1, 2) == deals(view(SEEN)).position(1, 2)
    assert len({sorted_hands(found.position(seed, number)) for seed in range(3) for number in range(20)}) > 50


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        ([{"seat": 1, "field": "aqua-regia"}], "for seat 1, which may hold at most 0 for aqua-regia (seat 1)"),
        (
            [{"seat": 0, "field": "acid"}, {"seat": 1, "field": "acid"}],
            "for seats 0, 1, which may hold at most 0 for acid (seat 0), at most 0 for acid (seat 1)",
        ),
    ],
)
def test_views_that_no_deal_agrees_with(passed: list[dict[str, Any]], words: str) -> None:
    # in acid only Pt and Au cannot be played: 8 cards, and in aqua regia none
    data = change(SEEN, known=None, counts=[5, 5, 3], deal_passes=passed)
    with pytest.raises(PositionError) as found:
        deals(view(data))
    assert (found.value.code, found.value.path) == ("conflict", "deal_passes")
    assert words in found.value.message


def test_limits_that_cross_in_many_ways_are_refused_in_time() -> None:
    """A user's table of which no field lets out what another does, and hands told in all fields, but loosely."""
    table = random_table(random.Random(1), metals=15, copies=4)
    for number, metal in enumerate(table["metal"], 1):
        metal["reactivity"] = {field: 2 * (number >> place & 1) for place, field in enumerate(FIELDS)}
    data = SMALL | {"deck": table, "table": [], "discard": [], "counts": [2, 10, 10], "stock_count": 9}
    data |= {"hand": [metal["symbol"] for metal in table["metal"][:2]], "owner": None, "field": "water"}
    told = [{"seat": seat, "field": field} for seat in (1, 2) for field in FIELDS]
    assert deals(view(data | {"deal_passes": [one | {"most": 2} for one in told[:3]]})).ways > 1000
    begin = time.monotonic()
    with pytest.raises(PositionError) as found:
        deals(view(data | {"deal_passes": [one | {"most": 7} for one in told]}))
    assert (found.value.code, found.value.path) == ("too_large", "deal_passes")
    assert time.monotonic() - begin < 5
