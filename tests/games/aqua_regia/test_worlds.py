"""Deals that agree with what a seat of Aqua Regia has seen, each as likely as it should be, and no others."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from math import comb, log, prod, sqrt
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from solver.answers import SampledHint
from solver.common import Random
from solver.errors import PositionError
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.deck import FIELDS
from solver.games.aqua_regia.keys import Step
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rollouts import Games, shuffle_rest, step_chain
from solver.games.aqua_regia.worlds import Deals, Evidence, deals, evidence
from solver.limits import Control, Limit
from solver.positions import parse_position, position_data
from tests.games.aqua_regia.deals import SEEN, WITH_HISTORY, change, dealt, play_randomly, seen_by, view_from
from tests.games.aqua_regia.random_positions import random_table
from tests.games.aqua_regia.replays import chain_of, games, reference_weight, replayed
from tests.support.marks import in_python

# Deals that agree with a view: each as often as the others. -----------------------------------------------------

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
    {"deal_passes": [{"seat": 1, "field": "vapor", "max_playable": 1}, {"seat": 2, "field": "water"}]},
    {
        "deal_passes": [{"seat": 2, "field": "water"}, {"seat": 2, "field": "vapor", "max_playable": 1}],
        "drawn": "F",
    },
    {"known": [[], ["C"], []], "deal_passes": [{"seat": 1, "field": "vapor", "max_playable": 1}]},
    {"known": [["A"], [], ["E"]], "stock_count": 0, "deal_passes": [{"seat": 2, "field": "aqua-regia"}]},
]


def sorted_hands(at: Round) -> tuple[Any, ...]:
    """What tells deals apart: hands in no order, and the stock."""
    return tuple(tuple(sorted(hand)) for hand in at.hands), at.stock


def every_deal(seen: Round) -> Counter[Any]:
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
        if all(playable(seen, hands[one.seat], one.field) <= one.max_playable for one in seen.deal_passes or ()):
            drawn = () if seen.drawn is None else (seen.drawn,)
            found[tuple(tuple(sorted(hand)) for hand in hands), (*drawn, *laid[start:])] += 1
    return found


def playable(seen: Round, hand: list[str], field: str) -> int:
    return sum(seen.metals.reactivity[FIELDS.index(field)][card] > 0 for card in seen.metals.numbers(hand))


@pytest.mark.parametrize("knowledge", KNOWLEDGE, ids=range(len(KNOWLEDGE)))
def test_every_deal_is_drawn_as_often_as_it_should_be(knowledge: dict[str, Any]) -> None:
    """Chi-square against all deals of a small view."""
    seen = view_from(change(SMALL | {"stock_count": 2 if "drawn" in knowledge else 1}, **knowledge))
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
    seen = view_from(SMALL | {"deal_passes": [{"seat": 1, "field": "vapor"}]})
    assert deals(seen).ways == comb(4, 2)
    assert deals(view_from(SMALL)).ways == 1


def agrees(found: Deals, seed: int, number: int) -> bool:
    """Whether the view's seat would see this view in random deal `number` of a seed."""
    view = found.view
    try:
        again: Any = GAME.view(found.position(seed, number), view.seat)
    except ValidationError:
        return False
    same = {"hand": view.hand, "drawn": view.drawn}  # in a position, the drawn card is still in the stock
    return sorted(again.hand) == sorted(view.hand) and again.model_copy(update=same) == view


def test_deals_of_played_games_give_back_the_view() -> None:
    rng = random.Random(61)
    restricted = tried = 0
    for number in range(4):
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
            seen = seen_by(at, at.seat_to_move)
            found = deals(seen)
            tried += 1
            restricted += found.dealing.restricted > 0
            for world in range(3):
                again = found.position(number, world)
                assert world or parse_position(position_data(again)) == again
                assert GAME.view(again, seen.seat) == seen
                assert len(again.stock) == seen.stock_count
                assert agrees(found, number, world)
    assert tried > 20
    assert restricted > 4


def test_a_deal_that_contradicts_the_view_is_told() -> None:
    """`agrees` can say no: with cards for a field dealt to who passed the deal on for want of them."""
    passed = [{"seat": 0, "field": "vapor", "max_playable": 0}]
    found = deals(view_from(SEEN | {"deal_passes": passed}))
    assert found.dealing.restricted == 1
    assert all(agrees(found, 1, number) for number in range(30))
    loose = replace(found, dealing=found.dealing._replace(restricted=0))
    told = [agrees(loose, 1, number) for number in range(60)]
    assert 0 < sum(told) < 60


def test_a_drawn_card_is_on_top_of_the_stock() -> None:
    found = deals(view_from(SEEN | {"drawn": "Ag"}))
    for number in range(5):
        assert found.position(1, number).stock[0] == "Ag"
        assert agrees(found, 1, number)


def test_numbers_and_seeds_tell_deals_apart_and_mean_the_same_for_ever() -> None:
    found = deals(view_from(SEEN))
    assert found.position(1, 2) == deals(view_from(SEEN)).position(1, 2)
    assert len({sorted_hands(found.position(seed, number)) for seed in range(3) for number in range(20)}) > 50


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        ([{"seat": 1, "field": "aqua-regia"}], "for seat 1, which may hold at most 0 for aqua regia (seat 1)"),
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
        deals(view_from(data))
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
    assert deals(view_from(data | {"deal_passes": [one | {"max_playable": 2} for one in told[:3]]})).ways > 1000
    begin = time.monotonic()
    with pytest.raises(PositionError) as found:
        deals(view_from(data | {"deal_passes": [one | {"max_playable": 7} for one in told]}))
    assert (found.value.code, found.value.path) == ("too_large", "deal_passes")
    assert time.monotonic() - begin < 5


# The chain of worlds: its weights are those of a replay, and worlds come in proportion to them. -----------------


@in_python
@pytest.mark.small
def test_weights_are_those_of_a_replay() -> None:
    """In each world the others can have played what was seen, with the chance that the chain says.

    In the small games, hands that can go out come up, which players do wherever they can.
    """
    small = games(7, 6, metals=5, copies=4, players=3, cards=9, stock=0)
    for number, seen in enumerate([*games(7, 3), *small]):
        chain = chain_of(seen, number)
        for _ in range(2):
            for _ in range(4):
                step_chain(seen.told, chain, 1.0)
            shuffle_rest(seen.told, chain)
            hands, stock = seen.initial(chain.slots.tolist())
            weight, _ = replayed(seen, hands, stock)
            assert weight > 0
            assert log(weight) == pytest.approx(chain.likelihoods.sum())


def test_worlds_give_back_the_view() -> None:
    """A world, dealt afresh and every move played, shows the seat what it saw, from a chain's beginning on."""
    tried = 0
    for number, seen in enumerate(games(9, 4)):
        deck = seen.view.metals
        chain = chain_of(seen, number)
        for power in (0.0, 0.5, 1.0):
            for _ in range(30):
                step_chain(seen.told, chain, power)
            hands, stock = seen.initial(chain.slots.tolist())
            at: Any = parse_position(
                position_data(seen.start)
                | {
                    "hands": [deck.symbols(hand) for hand in hands],
                    "stock": deck.symbols(stock),
                    "deal_passes": None,
                }
            )
            for step in seen.view.steps:
                if isinstance(step, Step):
                    at = GAME.play(at, step.move)
            again = seen_by(at, seen.view.seat)
            assert again.history == seen.view.history
            assert again.deal_passes == seen.view.deal_passes
            assert Counter(again.hand) == Counter(seen.view.hand)
            assert again.model_copy(update={"hand": seen.view.hand}) == seen.view
            tried += 1
    assert tried == 12


def test_worlds_come_in_proportion_to_their_weights() -> None:
    """One long chain over all worlds of small games: a world's share of the time is its share of the weights."""
    tried = told = 0
    for seed, seen in enumerate(games(5, 60, metals=6, copies=2, players=2, cards=6, stock=2)):
        slots = seen.told.begun.tolist()
        if not 4 <= len(slots) <= 7:
            continue
        tried += 1
        weights = {}
        for laid in set(permutations(slots)):
            weight = reference_weight(seen, *seen.initial(list(laid)))
            if weight:
                weights[laid] = weight
        total = sum(weights.values())
        chain = chain_of(seen, seed)
        steps = 10_000
        counts: Counter[tuple[int, ...]] = Counter()
        for _ in range(steps):
            step_chain(seen.told, chain, 1.0)
            shuffle_rest(seen.told, chain)
            counts[tuple(chain.slots.tolist())] += 1
        assert set(counts) <= set(weights)
        off = sum(abs(counts[laid] / steps - weight / total) for laid, weight in weights.items()) / 2
        uniform = sum(abs(1 / len(weights) - weight / total) for weight in weights.values()) / 2
        assert off < 0.1
        told += uniform > 0.2
        if tried == 2:
            break
    assert tried == 2
    assert told


# What histories tell of hidden cards, and what contradicts them. ------------------------------------------------


def told_of(**keys: Any) -> Evidence | None:
    """What the view of the tests of histories, changed, tells."""
    view = view_from(change(WITH_HISTORY, **keys))
    return evidence(view, 1)


def test_deals_passed_on_before_the_history() -> None:
    assert told_of() is not None
    # seat 1 had nothing for water; then it drew a card, gave Li and took K
    assert told_of(deal_passes=[{"seat": 1, "field": "water", "max_playable": 1}]) is not None
    # it had one at most: that is not followed
    assert told_of(deal_passes=[{"seat": 1, "field": "water", "max_playable": 2}]) is None
    # seat 2 had nothing for water, and led Li in water
    with pytest.raises(PositionError) as found:
        told_of(deal_passes=[{"seat": 2, "field": "water", "max_playable": 0}])
    assert (found.value.code, found.value.path) == ("conflict", "history")


def test_own_cards_must_have_come_from_somewhere() -> None:
    """Seat 0 led Li in water and had then nothing to lead in vapor, where seat 1 led."""
    first = {"field": "water", "leader": 0, "stock_count": 0, "moves": ["Li", "pass"]}
    second = {"field": "vapor", "leader": 1, "stock_count": 0, "moves": ["Li"]}
    keys: dict[str, Any] = {
        "seat": 0, "turn": 0, "hand": ["Pb", "Au"], "counts": [2, 3], "known": None, "stock_count": 0,
        "field": "vapor", "table": ["Li"], "owner": 1, "discard": ["Li"], "history": [first, second],
    }  # fmt: skip
    assert told_of(**keys) is not None
    with pytest.raises(
        PositionError, match=r"seat 0 holds Li now, but .* in vapor \(before history\[1\]"
    ) as found:
        told_of(**keys | {"hand": ["Li", "Au"]})
    assert (found.value.code, found.value.path) == ("conflict", "history")
    # one card was drawn since and can be Li, but not two
    third = {"field": "acid", "leader": 1, "stock_count": 4, "moves": ["K"]}
    second |= {"stock_count": 5, "moves": ["Li", "pass"]}
    keys |= {"history": [first | {"stock_count": 6}, second, third], "stock_count": 4}
    keys |= {"field": "acid", "table": ["K"], "discard": ["Li", "Li"]}
    assert told_of(**keys | {"hand": ["Li", "Au"]}) is not None
    with pytest.raises(PositionError, match=r"seat 0 holds Li now, .* drew too few cards since"):
        told_of(**keys | {"hand": ["Li", "Mg"]})
    # nor can it have shown one card for vapor and hold another
    second["moves"] = ["Li", "pass Mg>Al"]
    keys |= {"known": [["Al"], []], "discard": ["Li", "Li", "Mg"]}
    assert told_of(**keys | {"hand": ["Al", "Au"]}) is not None
    with pytest.raises(PositionError, match="seat 0 shows Mg in history"):
        told_of(**keys | {"hand": ["Al", "Na"]})


def test_contradictions_name_what_was_seen() -> None:
    first = {"field": "water", "leader": 1, "stock_count": 0, "moves": ["Li", "pass"]}
    second = {"field": "vapor", "leader": 0, "stock_count": 0, "moves": ["Li", "K", "pass"]}
    keys: dict[str, Any] = {
        "seat": 0, "turn": 1, "hand": ["Pb"], "counts": [1, 2], "known": None, "stock_count": 0,
        "field": "acid", "discard": ["Li", "Li", "K"], "history": [first, second],
    }  # fmt: skip
    shown = r"seat 1 shows K in history\[1\].moves\[1\], but seat 1 could not lead in vapor \(before history\[1\]"
    with pytest.raises(PositionError, match=shown):
        told_of(**keys)
    # all metals can be led in aqua-regia
    third = {"field": "acid", "leader": 0, "stock_count": 0, "moves": ["Li", "Pb", "pass"]}
    second["moves"] = ["Li", "pass"]
    keys |= {"discard": [*["Li"] * 3, "Pb"], "history": [first, second, third], "field": "aqua-regia", "turn": 0}
    stuck = (
        r"too few unseen cards are left for seat 1 \(seat 1 could not lead in vapor .*, aqua regia \(before now"
    )
    with pytest.raises(PositionError, match=stuck):
        told_of(**keys)


def test_hands_that_are_known_have_nothing_to_tell() -> None:
    """Seat 1 passed, drew nothing, and all its cards are known."""
    trick = {"field": "water", "leader": 0, "stock_count": 0, "moves": ["Na", "pass"]}
    keys = {"counts": [2, 1], "known": [[], ["Li"]], "stock_count": 0, "discard": ["Na"], "history": [trick]}
    assert told_of(**keys) is None
    assert told_of(**keys | {"known": None}) is not None


def test_hints_use_the_history_and_say_the_same_again() -> None:
    for seen in games(12, 3):
        answers = [
            GAME.hint(seen.view, Control(Limit(nodes=1500)), seed=4).model_dump(exclude={"seconds"}) for _ in "12"
        ]
        assert answers[0] == answers[1]
        bare = seen.view.model_copy(update={"history": None})
        uniform = GAME.hint(bare, Control(Limit(nodes=1500)), seed=4)
        assert isinstance(uniform, SampledHint)
        assert [move["mean"] for move in answers[0]["moves"]] != [move.mean for move in uniform.moves]


def test_a_history_of_nobody_else_tells_nothing() -> None:
    start = dealt(5, players=3)
    view = seen_by(start, start.seat_to_move)
    assert evidence(view, 1) is None


def test_a_hand_without_end_is_not_reasoned_about() -> None:
    """A user's deck may have thousands of cards: the hint is given without the history."""
    metals = [f"M{number}" for number in range(60)]
    reactivity = {"water": 1, "vapor": 1, "acid": 1, "aqua-regia": 1}
    deck = {
        "name": "endless",
        "title": "Endless",
        "fields": list(reactivity),
        "copies": 30,
        "metal": [{"symbol": symbol, "name": symbol, "reactivity": reactivity} for symbol in metals],
    }
    trick = {"field": "water", "leader": 1, "stock_count": 0, "moves": ["M0", "M1", "pass"]}
    data = {"game": "aqua-regia", "deck": deck, "field": "vapor", "turn": 0, "seat": 0, "hand": ["M3"]}
    data |= {"discard": ["M0", "M1"], "stock_count": 0, "history": [trick]}
    view = view_from(data | {"counts": [1, 1200]})
    assert evidence(view, 0) is None
    short = view_from(data | {"counts": [1, 60]})
    assert evidence(short, 0) is not None


# From half a memory; where all is remembered, the full view. ----------------------------------------------------

TABLE = "aqua-regia seat=0 hand=Zn,Fe,Cu field=acid counts=3,4,5 stock_count=17"

FOUR_METALS = {
    "name": "small",
    "copies": 2,
    "metal": [
        {"symbol": symbol, "reactivity": {"water": 2, "vapor": vapor, "acid": 2, "aqua-regia": 2}}
        for symbol, vapor in (("A", 0), ("B", 1), ("C", 2), ("D", 0))
    ],
}


def small(**keys: Any) -> Round:
    """A view with a deck of eight cards, of which one is in the discard pile and not remembered."""
    data = {
        "game": "aqua-regia",
        "deck": FOUR_METALS,
        "seat": 0,
        "hand": ["A", "B"],
        "counts": [2, 2, 1],
        "stock_count": 1,
        "field": "water",
        "gone": ["C"],
    }
    view = parse_position(data | keys)
    assert isinstance(view, Round)
    assert view.in_part
    return view


def consistent(view: Round) -> Iterator[tuple[tuple[int, ...], ...]]:
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
    draws = 2000
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


def played(seed: int, tricks: int, players: int) -> Round:
    """What the seat to move sees after so many tricks, all moves at random."""
    random = Random(seed)
    position: Any = GAME.deal(seed, players=players)
    while len(position.history or ()) < tricks + 1 or not position.table:
        moves = GAME.legal_moves(position)
        position = GAME.play(position, moves[random.below(len(moves))])
        assert isinstance(position, Round)
        assert all(position.hands)
    return seen_by(position, position.seat_to_move)


def remembering(view: Round, tricks: int) -> dict[str, Any]:
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
    assert type(again) is Round


def test_the_last_tricks_tell_the_table_and_what_they_put_away() -> None:
    view = played(3, 5, 3)
    whole = remembering(view, 3)
    short = {key: whole[key] for key in ("game", "seat", "hand", "counts", "stock_count", "field", "gone")}
    short["history"] = [{"leader": trick["leader"], "moves": trick["moves"]} for trick in whole["history"]]
    found = parse_position(short)
    assert isinstance(found, Round)
    assert found.in_part
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
    assert len(found.unknown.possible_cards) > found.unknown.gone
    assert hinted(position_data(parse_position(TABLE + " gone=K")), 1000).moves == found.moves


def hinted(position: Any, worlds: int) -> SampledHint:
    found = GAME.hint(parse_position(position), Control(), worlds=worlds)
    assert isinstance(found, SampledHint)
    return found


def test_an_exchange_shows_a_card_that_was_forgotten() -> None:
    view = parse_position(TABLE + " gone=K turn=1 owner=0 table=Mg")
    after, _ = GAME.observe(view, ["pass Li>Au"])
    assert isinstance(after, Round)
    assert after.in_part
    assert after.known_of(1) == ("Au",)
    assert "Li" in after.discarded
    assert after.forgotten == view.forgotten - 1  # type: ignore[attr-defined]


def test_a_seat_that_draws_may_hold_anything_again() -> None:
    view = parse_position(TABLE + " gone=K turn=1 owner=0 table=Mg voids=1:Zn/2:Fe")
    after, _ = GAME.observe(view, ["pass"])
    assert isinstance(after, Round)
    assert after.in_part
    assert after.voids == {"2": ("Fe",)}


def test_a_void_holds_in_worlds_that_go_by_the_history() -> None:
    view = parse_position(remembering(played(2, 3, 3), 2) | {"voids": {}})
    assert isinstance(view, Round)
    assert view.in_part
    other = (view.seat + 1) % 3
    metal = next(symbol for metal, symbol in enumerate(view.metals.index) if view.unseen[metal] == 4)
    kept = parse_position(position_data(view) | {"voids": {str(other): [metal]}})
    assert isinstance(kept, Round)
    assert kept.in_part
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
