"""King × Alchemy's static bounds: who can take what is matched as well as can be, and no bound is ever wrong."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from solver.games.king import kernel_reach, kernel_sure, nodes
from solver.games.king.deck import CARDS
from solver.games.king.guarantee import Guarantee
from solver.games.king.kernel import CAPTURES, HANDS, LEADER, LIVE, PILE, PLAYED, PLAYER, POINTS, WON
from solver.games.king.kernel_cache import best_bonus, most_bonus
from solver.games.king.kernel_capture import LOST, SPARE, TOTAL, begin_captures, captures
from solver.games.king.positions import KnownPosition
from solver.games.king.rules import State, legal_moves, play
from solver.masks import mask, members
from solver.positions import parse_position
from solver.search.drive import Control
from solver.search.trick import Words
from tests.king_random import random_deck, random_position

PLAIN = nodes.ALL_SWITCHES & ~(kernel_reach.RANKED | kernel_reach.WITHIN | kernel_sure.SURE)


def rounds(seed: str, count: int, sizes: dict[int, int]) -> Iterator[State]:
    """States along random plays of random positions, some of strange decks, of any points."""
    rng = random.Random(seed)
    deck = None
    for index in range(count):
        if index % 5 == 0:
            deck = random_deck(rng) if rng.random() < 0.7 else None
            for card in deck["card"] if deck and rng.random() < 0.5 else []:
                card["vp"] = rng.randint(0, 12)
        players = rng.choice(list(sizes))
        cards = rng.randint(1, sizes[players])
        heavy = rng.choice((None, "trump", "dancer"))
        position = parse_position(random_position(rng, players=players, cards=cards, heavy=heavy, deck=deck))
        assert isinstance(position, KnownPosition)
        state = position.state
        while not state.over:
            yield state
            state = play(state, rng.choice(legal_moves(state)))


def worth(state: State, player: int, *, allies: bool) -> tuple[int, Words, Words]:
    """The value found without the bounds in question, the deal's words and the node."""
    search = Guarantee(state, player, allies=allies, control=Control(), switches=PLAIN)
    least, most = search.bounds(state)
    assert least == most
    return least, search._deal, search.node(state)


@pytest.mark.small
def test_no_ceiling_is_below_what_allies_reach(amount: Callable[[int], int]) -> None:
    rng = random.Random("ceilings")
    between, within, exact, lower = 0, 0, 0, 0
    for state in rounds("ceilings", amount(300), {3: 3, 4: 3, 5: 2}):
        value, deal, node = worth(state, rng.randrange(state.players), allies=True)
        if node[PLAYED] == 0 and node[LIVE]:
            most = kernel_reach.ceiling(deal, node, 0)
            cards = int(node[PILE] | node[LIVE])
            lower += most < state.deck.vp(cards) + most_bonus(deal, cards)
            between += 1
        elif kernel_reach.answered(deal, node, 0):
            most = kernel_reach.ceiling_within(deal, node, 0)
            within += 1
        else:
            continue
        assert most >= value, state
        exact += most == value
    assert min(between, within, lower, exact) > amount(300) // 10


@pytest.mark.small
def test_no_floor_is_above_what_a_leader_reaches_against_all(amount: Callable[[int], int]) -> None:
    higher, exact = 0, 0
    for state in rounds("floors", amount(300), {3: 3, 4: 2, 5: 2}):
        if state.trick:
            continue
        value, deal, node = worth(state, state.leader, allies=False)
        assert node[LEADER] == deal[PLAYER]
        least = kernel_sure.assured(deal, node, 0)
        assert least <= value, state
        exact += least == value
        higher += least > node[WON] + best_bonus(deal, int(node[PILE]))
    assert min(higher, exact) > amount(300) // 10


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


@pytest.mark.small
@pytest.mark.parametrize("room", [1, 2])
def test_captures_are_matched_as_well_as_can_be(room: int, amount: Callable[[int], int]) -> None:
    rng = random.Random(f"captures {room}")
    seen = set()
    for state in rounds(f"captures {room}", amount(40), {3: 1}):
        deal = nodes.deal_words(state, 0, allies=True)
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
    assert len(seen) == 7


def test_a_card_takes_only_what_can_lie_next_to_it_when_it_wins() -> None:
    """Played out: whatever a winner takes, of any deck."""
    for state in rounds("takings", 150, {3: 3, 4: 3, 5: 2}):
        if not state.full:
            continue
        deal = nodes.deal_words(state, 0, allies=True)
        before = sum(state.won)
        for move in legal_moves(state):
            after = play(state, move)
            winner = after.leader
            gained = after.won[winner] & ~before
            hand = int(deal[HANDS + winner])
            (card,) = members(gained & hand)
            assert gained & ~hand & ~int(deal[CAPTURES + card]) == 0
