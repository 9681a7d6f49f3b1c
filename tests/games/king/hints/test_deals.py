"""The deals that agree with a view of King × Alchemy: every one, no other, and each as likely."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import factorial

import numpy as np
import pytest

from solver.common import mask
from solver.games.king import GAME, rules
from solver.games.king.position import KnownPosition, PickView, View
from solver.games.king.rules import State, Taking
from solver.games.king.worlds import Deals, agrees, deals, draw_world
from solver.kernels.rng import start as start_stream
from tests.games.king.hints.views import played, seen_by
from tests.support.amounts import Amount


def reference_deals(view: View) -> set[tuple[int, ...]]:
    """Every deal from which the cards seen can have been played: all divisions of the unseen cards, replayed."""
    unseen = [card for card in range(50) if view.unseen >> card & 1]
    others = [seat for seat in range(view.players) if seat != view.seat]
    found: set[tuple[int, ...]] = set()

    def hand_out(seats: list[int], left: frozenset[int], hands: dict[int, int]) -> None:
        if not seats:
            masks = tuple(hands[seat] for seat in range(view.players))
            if can_be_played(view, masks):
                found.add(masks)
            return
        for chosen in combinations(sorted(left), view.count(seats[0])):
            hand_out(seats[1:], left - set(chosen), hands | {seats[0]: mask(chosen)})

    hand_out(others, frozenset(unseen), {view.seat: view.hand_mask})
    return found


def can_be_played(view: View, hands: tuple[int, ...]) -> bool:
    """Whether the tricks seen are legal from these hands and the cards played."""
    deck, players = view.full_deck, view.players
    held = list(hands)
    moves: list[rules.Move] = []
    leader = view.leader
    for trick in reversed(view.tricks):
        leader = trick.leader
        for seat, play, _ in trick.by_seat(players):
            held[seat] |= 1 << play.card
        moves = [*trick.plays, Taking(tuple(sorted(trick.taking.taken)), trick.taking.given), *moves]
    for place, play in enumerate(view.plays):
        held[(view.leader + place) % players] |= 1 << play.card
    state = State(deck, tuple(held), leader, (), (0,) * players)
    for move in (*moves, *view.plays):
        if move not in rules.legal_moves(state):
            return False
        state = rules.play(state, move)
    return True


def hands_of(found: Deals, rank: int) -> tuple[int, ...]:
    assert found.worlds is not None
    position = found.position(found.worlds.world(rank))
    assert isinstance(position, KnownPosition)
    return position.state.hands


# With p players a trick takes p + 1 moves, its taking included.
ENDINGS = [(3, 49, 0), (3, 46, 1), (4, 46, 2), (4, 48, 3), (5, 49, 4), (5, 46, 3)]


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize(("players", "moves", "seat"), ENDINGS)
def test_every_deal_and_no_other(players: int, moves: int, seat: int, amount: Amount) -> None:
    restricted = 0
    for seed in range(amount(6)):
        view = seen_by(played(seed, moves, players), seat)
        expected = reference_deals(view)
        found = deals(view)
        listed = [hands_of(found, rank) for rank in range(found.total)]
        assert len(listed) == len(set(listed))
        assert set(listed) == expected
        restricted += len(set(found.groups)) > 1
    assert restricted


@pytest.mark.covered
@pytest.mark.small
def test_deals_are_drawn_uniformly(amount: Amount) -> None:
    """Chi-square of the kernel's own draws over every deal of small endings, numbered and shuffled."""
    tried = 0
    for seed in range(60):
        players, moves, seat = ENDINGS[seed % len(ENDINGS)]
        view = seen_by(played(seed, moves - 3, players), seat)
        found = deals(view)
        if not 20 < found.total <= 500:
            continue
        free = len(set(found.groups)) == 1
        tried += 1
        draws = amount(50) * found.total
        random_, places = np.zeros(1, np.int64), np.zeros(len(found.cards), np.int64)
        hands = np.zeros(players, np.int64)
        question = found.question
        if free:
            shuffled = question.numbering._replace(ways=np.zeros((0, 1), np.int64))
            question = question._replace(numbering=shuffled)
        counts: Counter[tuple[int, ...]] = Counter()
        for number in range(draws):
            start_stream(random_, seed, number)
            draw_world(question, players, random_, places, hands)
            counts[tuple(map(int, hands))] += 1
        assert set(counts) <= {hands_of(found, rank) for rank in range(found.total)}
        expected = draws / found.total
        chi = sum((count - expected) ** 2 / expected for count in counts.values())
        chi += expected * (found.total - len(counts))
        assert abs(chi - (found.total - 1)) < 4.5 * np.sqrt(2 * (found.total - 1))
        if tried == amount(8):
            break
    assert tried >= 3


def test_whole_deals_are_shuffled_where_they_are_too_many_to_number() -> None:
    """Each unseen card is as often with each seat, and with each other card, as it should be."""
    view = seen_by(played(3, 0, 5), 0)
    found = deals(view)
    assert found.worlds is None
    assert found.total == factorial(36) // factorial(9) ** 4
    draws = 4000
    together = np.zeros((36, 4))
    pairs = 0
    for number in range(draws):
        places = found.drawn(7, number)
        assert sorted(places) == [place for place in range(4) for _ in range(9)]
        for card, place in enumerate(places):
            together[card, place] += 1
        pairs += places[0] == places[35]
    chi = float(np.sum((together - draws / 4) ** 2) / (draws / 4))
    assert chi < 105 + 4.5 * np.sqrt(210)  # margins are fixed: 35 * 3 free
    expected = draws * 8 / 35
    assert abs(pairs - expected) < 4.5 * np.sqrt(expected)


def test_deals_too_many_to_number_are_those_without_refusals() -> None:
    shuffled = 0
    for seed in range(12):
        position = played(seed, 0, 5)
        for _ in range(5):
            for seat in range(5):
                found = deals(seen_by(position, seat))
                shuffled += found.worlds is None
                assert found.worlds is not None or (len(found.cards) >= 35 and len(set(found.groups)) == 1)
                assert found.total > 0
                assert agrees(found, found.drawn(seed, seat))
            position = GAME.play(position, random.Random(seed).choice(GAME.legal_moves(position)))  # type: ignore[assignment]
    assert shuffled > 12 * 5


def test_deals_of_whole_rounds_give_back_the_view(amount: Amount) -> None:
    rng = random.Random(5)
    for seed in range(amount(40)):
        players = 3 + seed % 3
        length = rules.TRICKS[players] * (players + 1)
        position = played(seed, rng.randrange(length), players)
        for seat in range(players):
            found = deals(seen_by(position, seat))
            assert found.total > 0
            assert agrees(found, found.drawn(seed, 1))
        before = GAME.view(GAME.deal(seed, players=players, variant="unpicked"), seed % players)
        assert isinstance(before, PickView)
        found = deals(before)
        assert agrees(found, found.drawn(seed, 2))


def test_a_deal_that_contradicts_the_view_is_told() -> None:
    """`agrees` can say no: with cards of a suit dealt to who did not follow it."""
    for seed in range(40):
        view = seen_by(played(seed, 25), 0)
        found = deals(view)
        if len(set(found.groups)) > 1:
            break
    loose = replace(found, groups=(0b111,) * len(found.cards))
    assert loose.total > found.total
    told = [agrees(loose, loose.drawn(1, number)) for number in range(60)]
    assert 0 < sum(told) < 60
