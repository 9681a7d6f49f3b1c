"""The deals that agree with a view of King × Alchemy: every one, no other, and each as likely."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import partial
from math import factorial

import numpy as np
import pytest

from solver.common import members
from solver.games.king import GAME, rules
from solver.games.king.position import KnownPosition, PickView, View
from solver.games.king.worlds import Deals, deals, draw_world
from solver.hints.worlds import agrees
from solver.kernels.rng import start as start_stream
from tests.games.king.hints.views import consistent, legal, played, seen_by
from tests.support.amounts import Amount


def can_be_played(view: View, hands: tuple[int, ...]) -> bool:
    return all(legal(view, seat, members(hand)) for seat, hand in enumerate(hands))


def listed_hands(found: Deals) -> list[tuple[int, ...]]:
    assert found.worlds is not None
    return [found.hands(found.worlds.world(rank)) for rank in range(found.total)]


def check_drawn(found: Deals, seed: int, number: int) -> None:
    """A drawn deal can be played as it was seen, and gives the seat its view."""
    view, places = found.view, found.drawn(seed, number)
    position = found.position(places)
    assert GAME.view(position, view.seat).model_dump(exclude={"won"}) == view.model_dump(exclude={"won"})
    if isinstance(view, View):
        assert isinstance(position, KnownPosition)
        assert position.state.hands == found.hands(places)
        assert position.piles == view.piles
        assert can_be_played(view, position.state.hands)


# With p players a trick takes p + 1 moves, its taking included.
ENDINGS = [(3, 49, 0), (3, 46, 1), (4, 46, 2), (4, 48, 3), (5, 49, 4), (5, 46, 3)]


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize(("players", "moves", "seat"), ENDINGS)
def test_every_deal_and_no_other(players: int, moves: int, seat: int, amount: Amount) -> None:
    restricted = 0
    for seed in range(amount(6)):
        view = seen_by(played(seed, moves, players), seat)
        expected = set(consistent(view))
        found = deals(view)
        listed = [(*hands[seat + 1 :], *hands[:seat]) for hands in listed_hands(found)]
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
        assert set(counts) <= set(listed_hands(found))
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
                check_drawn(found, seed, seat)
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
            check_drawn(found, seed, 1)
        before = GAME.view(GAME.deal(seed, players=players, variant="unpicked"), seed % players)
        assert isinstance(before, PickView)
        check_drawn(deals(before), seed, 2)


def test_a_deal_that_contradicts_the_view_is_told() -> None:
    """The position's own checks refuse cards of a suit that are dealt to who did not follow it."""
    for seed in range(40):
        view = seen_by(played(seed, 25), 0)
        found = deals(view)
        if len(set(found.groups)) > 1:
            break
    loose = replace(found, groups=(0b111,) * len(found.cards))
    assert loose.total > found.total
    told = [agrees(partial(loose.position, loose.drawn(1, number))) for number in range(60)]
    assert told == [can_be_played(view, loose.hands(loose.drawn(1, number))) for number in range(60)]
    assert 0 < sum(told) < 60
