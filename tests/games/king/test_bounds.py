"""King × Alchemy's static bounds and ways: matched as well as can be, and no bound is ever wrong."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
import pytest

from solver.common import mask, members
from solver.games.king import bounds, fast_rules
from solver.games.king.analyze import PROVERS, PlayerScore
from solver.games.king.bounds import (
    LOST,
    SPARE,
    TOTAL,
    begin_captures,
    best_bonus,
    captures,
    least_bonus,
    most_bonus,
    near_bonus,
)
from solver.games.king.compounding import ENDLESS, bonus_of, tables, working_space
from solver.games.king.deck import CARDS, KIND, TRUMP, house
from solver.games.king.fast_rules import (
    AHEAD,
    ALL_SWITCHES,
    CAPTURES,
    HANDS,
    LEADER,
    LIVE,
    PILE,
    PLAYED,
    PLAYER,
    POINTS,
    RANKED,
    SURE,
    WITHIN,
    WON,
    points_of,
)
from solver.games.king.position import Round
from solver.games.king.rules import State, legal_moves, play
from solver.kernels.words import Words
from solver.limits import Control
from solver.positions import parse_position
from solver.search.trick_rules import SWITCHES
from tests.games.king.random_positions import random_deck, random_position
from tests.support.amounts import Amount
from tests.support.marks import in_python

PLAIN = ALL_SWITCHES & ~(RANKED | WITHIN | SURE | AHEAD)


def rounds(seed: str, count: int, sizes: dict[int, int]) -> Iterator[State]:
    """States along random plays of random positions, some of strange decks, of any points."""
    rng = random.Random(seed)
    deck = None
    for index in range(count):
        if index % 5 == 0:
            deck = random_deck(rng) if rng.random() < 0.7 else None
            points = rng.choice((range(13), (0, 0, 0, 20)))
            for card in deck["card"] if deck and rng.random() < 0.7 else []:
                card["vp"] = rng.choice(points)
        players = rng.choice(list(sizes))
        cards = rng.randint(1, sizes[players])
        heavy = rng.choice((None, "trump", "dancer"))
        position = parse_position(random_position(rng, players=players, cards=cards, heavy=heavy, deck=deck))
        assert isinstance(position, Round)
        state = position.state
        while not state.over:
            yield state
            state = play(state, rng.choice(legal_moves(state)))


def worth(state: State, player: int, *, allies: bool) -> tuple[int, Words, Words]:
    """The value found without the bounds in question, the deal's words and the node."""
    with PROVERS.lend() as prover:
        search = PlayerScore(prover, state, player, allies=allies, control=Control())
        search.deal[SWITCHES] &= PLAIN
        least, most = search.bounds(state)
    assert least == most
    return least, search.deal, search.node(state)


def poorest(state: State) -> int:
    """The seat whose cards capture the least, which lives by gifts."""
    numbers = [[state.deck.cards[card].number for card in members(hand)] for hand in state.hands]
    return min(range(state.players), key=lambda seat: sum(numbers[seat]))


@in_python
@pytest.mark.small
def test_no_ceiling_is_below_what_allies_reach(amount: Amount) -> None:
    rng = random.Random("ceilings")
    between, within, exact, lower = 0, 0, 0, 0
    for state in rounds("ceilings", max(30, amount(80)), {3: 3, 4: 3, 5: 2}):
        player = rng.choice((rng.randrange(state.players), poorest(state)))
        value, deal, node = worth(state, player, allies=True)
        if node[PLAYED] == 0 and node[LIVE]:
            most = bounds.ceiling(deal, node, 0)
            cards = int(node[PILE] | node[LIVE])
            lower += most < state.deck.vp(cards) + most_bonus(deal, cards)
            between += 1
        elif bounds.answered(deal, node, 0):
            most = bounds.ceiling_within(deal, node, 0)
            within += 1
        else:
            continue
        assert most >= value, state
        exact += most == value
    assert min(between, within, lower, exact) > 2


def leads(seed: str, count: int, sizes: dict[int, int]) -> Iterator[State]:
    """States before a lead of all four suits or of two, with few trumps, the Dancer often in the leader's hand."""
    rng = random.Random(seed)
    deck = house()
    for index in range(count):
        if index % 5 == 0:
            data = random_deck(rng)
            points = rng.choice((range(4), (0, 0, 20)))
            for card in data["card"]:
                card["vp"] = rng.choice(points)
            deck = KIND.read(data)
        players = rng.choice(list(sizes))
        cards = rng.randint(2, sizes[players])
        suits = [TRUMP, *rng.sample(range(TRUMP), rng.choice((2, 4)))]
        pool = [
            card for suit in suits for card in members(deck.of_suit[suit]) if suit != TRUMP or rng.random() < 0.1
        ]
        if len(pool) < players * cards:
            continue
        drawn = rng.sample(pool, players * cards)
        if rng.random() < 0.5:
            drawn[0] = deck.dancer
        hands = tuple(mask(drawn[seat * cards : (seat + 1) * cards]) for seat in range(players))
        yield State(deck, hands, 0, (), (0,) * players)


@in_python
@pytest.mark.small
def test_no_floor_is_above_what_a_leader_reaches_against_all(amount: Amount) -> None:
    higher, exact, followed = 0, 0, 0
    states = [state for state in rounds("floors", max(25, amount(60)), {3: 3, 4: 2, 5: 2}) if not state.trick]
    for state in (*states, *leads("floors", max(40, amount(120)), {3: 4, 4: 3, 5: 2})):
        value, deal, node = worth(state, state.leader, allies=False)
        assert node[LEADER] == deal[PLAYER]
        least = bounds.assured(deal, node, 0)
        assert least <= value, state
        exact += least == value
        higher += least > node[WON] + best_bonus(deal, int(node[PILE]))
        followed += state.players == 3 and least > state.deck.vp(state.hands[state.leader])
    assert min(higher, exact, followed) > 2


@in_python
@pytest.mark.small
def test_no_floor_is_above_what_a_follower_reaches_against_all() -> None:
    rng = random.Random("followers")
    higher, exact = 0, 0
    states = [state for state in rounds("followers", 200, {3: 3, 4: 2, 5: 2}) if not state.trick]
    for state in states:
        player = (state.leader + rng.randrange(1, state.players)) % state.players
        value, deal, node = worth(state, player, allies=False)
        least = bounds.assured(deal, node, 0)
        assert least <= value, state
        exact += least == value
        higher += least > node[WON] + best_bonus(deal, int(node[PILE]))
    assert min(higher, exact) > 6


@in_python
@pytest.mark.small
def test_no_floor_is_above_what_an_unbeaten_card_reaches() -> None:
    close, exact, more = 0, 0, 0
    for state in rounds("unbeaten", 100, {3: 3, 4: 3, 5: 2}):
        for player in range(state.players) if state.trick else ():
            deal = fast_rules.deal_words(state, player, allies=False)
            node = fast_rules.node_words(state, deal)
            if not node[PLAYED] or not bounds.unbeaten(deal, node, 0):
                continue
            value, _, _ = worth(state, player, allies=False)
            least = bounds.assured_within(deal, node, 0)
            assert least <= value, state
            exact += least == value
            close += least < value
            more += least > node[WON] + best_bonus(deal, int(node[PILE]))
    assert min(exact, close, more) > 6


def best_matching(deal: Words, own: list[int], cards: list[int], room: dict[int, int], most: int) -> int:
    """The most points of at most so many cards that own cards take, each as many as it has room."""
    if not cards or most == 0:
        return 0
    found = best_matching(deal, own, cards[1:], room, most)
    for captor in own:
        if room[captor] and deal[CAPTURES + captor] >> cards[0] & 1:
            left = room | {captor: room[captor] - 1}
            found = max(found, int(deal[POINTS + cards[0]]) + best_matching(deal, own, cards[1:], left, most - 1))
    return found


@in_python
@pytest.mark.small
@pytest.mark.parametrize("room", [1, 2])
def test_captures_are_matched_as_well_as_can_be(room: int, amount: Callable[[int], int]) -> None:
    rng = random.Random(f"captures {room}")
    seen = set()
    for state in rounds(f"captures {room}", amount(200), {3: 1}):
        deal = fast_rules.deal_words(state, 0, allies=True)
        drawn = rng.sample(range(CARDS), 3 + 6)
        size = rng.randint(1, 3)
        own, others = drawn[:size], drawn[3 : 3 + rng.randint(0, 6)]
        begin_captures(deal)
        captures(deal, mask(own), mask(others), room)
        points = sum(int(deal[POINTS + card]) for card in others)
        for idle in range(size + 1):
            expected = best_matching(deal, own, others, dict.fromkeys(own, room), room * (size - idle))
            lost = sum(deal[LOST + 1 : LOST + 1 + idle])
            assert deal[TOTAL] - lost == expected
            assert (max(deal[SPARE : SPARE + 1 + idle]) > 0) == (expected < points)
            seen.add((idle, int(np.sign(lost))))
    assert len(seen) >= 5


@in_python
@pytest.mark.small
def test_gifts_are_weighed_as_high_as_any_cards_given(amount: Callable[[int], int]) -> None:
    rng = random.Random("weighed")
    exact = 0
    for state in rounds("weighed", amount(200), {3: 1}):
        deal = fast_rules.deal_words(state, 0, allies=True)
        drawn = rng.sample(range(CARDS), 3 + 5)
        size = rng.randint(1, 3)
        own, others = drawn[:size], drawn[3 : 3 + rng.randint(1, 5)]
        given = rng.sample(others, rng.randint(1, len(others)))
        begin_captures(deal)
        captures(deal, mask(own), mask(others), 2)
        weighed = bounds.gain_by_gifts(deal, mask(own), max(int(deal[POINTS + card]) for card in given))
        most: list[int] = []
        for count in range(1, size + 1):
            found = []
            for gifts in combinations(given, min(count, len(given))):
                for lost in combinations(own, count):
                    left = [card for card in own if card not in lost]
                    rest = [card for card in others if card not in gifts]
                    matched = best_matching(deal, left, rest, dict.fromkeys(left, 2), 2 * size)
                    found.append(matched + points_of(deal, mask(gifts)) - points_of(deal, mask(lost)))
            most.append(max(found) - int(deal[TOTAL]))
        assert weighed >= max(most)
        exact += weighed == max(most)
    assert exact > amount(200) // 10


@in_python
@pytest.mark.small
def test_a_set_too_hard_to_search_is_bounded() -> None:
    """The best bonus would take the kernel seconds, and meanwhile nobody looks at the time."""
    rng = random.Random("carriers")
    data = random_deck(rng)
    for place, card in enumerate(data["card"]):
        needs = [f"Stuff {rng.randrange(4)}" for _ in range(3)]
        card |= {"provides": f"Stuff {place % 4}", "recipe": {"item": "Work", "needs": needs}}
        card["recipe"]["bonus"] = rng.randint(90, 110)
    deck = KIND.read(data)
    hands = tuple(mask(range(seat, 42, 3)) for seat in range(3))
    deal = fast_rules.deal_words(State(deck, hands, 0, (), (0, 0, 0)), 0, allies=True)
    assert near_bonus(deal, (1 << 42) - 1) == most_bonus(deal, (1 << 42) - 1)
    proved = 0
    for _ in range(20):
        cards = mask(rng.sample(range(CARDS), rng.randint(1, 24)))
        exact = bonus_of(tables(deck), working_space(), cards, ENDLESS)
        assert least_bonus(deal, cards) <= exact <= near_bonus(deal, cards) <= most_bonus(deal, cards)
        proved += least_bonus(deal, cards) == near_bonus(deal, cards)
    assert 10 <= proved < 20


def test_a_card_takes_only_what_can_lie_next_to_it_when_it_wins() -> None:
    """Played out: whatever a winner takes, of any deck."""
    for state in rounds("takings", 150, {3: 3, 4: 3, 5: 2}):
        if not state.full:
            continue
        deal = fast_rules.deal_words(state, 0, allies=True)
        before = sum(state.won)
        for move in legal_moves(state):
            after = play(state, move)
            winner = after.leader
            gained = after.won[winner] & ~before
            hand = int(deal[HANDS + winner])
            (card,) = members(gained & hand)
            assert gained & ~hand & ~int(deal[CAPTURES + card]) == 0
