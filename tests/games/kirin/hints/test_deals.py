"""The deals that agree with a view of kirin: all of them, no others, and drawn uniformly."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from pydantic import ValidationError

from solver.common import mask, members
from solver.games.kirin import GAME, rules
from solver.games.kirin.position import DeclareView, KnownPosition, View, fields_number, numbers
from solver.games.kirin.worlds import Deals, deals, draw_world
from solver.kernels.rng import start as start_stream
from tests.conftest import JIT
from tests.games.kirin.hints.views import played, seen_by
from tests.support.amounts import Amount

Deal = tuple[tuple[int, ...], tuple[int, ...]]  # hands as masks, and the cards set aside


def agrees(dealt: Deals, rank: int) -> bool:
    """Whether the seat sees this view in a deal, if it is dealt and every card is played by the rules."""
    view = dealt.view
    try:
        position = dealt.position(rank)
    except ValidationError:
        return False
    if isinstance(view, View):
        assert isinstance(position, KnownPosition)
        hands, cards = list(position.state.hands), []
        for trick in (*view.tricks, view.current_trick):
            for seat, card, _ in trick.by_seat(4):
                hands[seat] |= 1 << card
                cards.append(card)
        leader = view.history[0].leader if view.history else view.leader
        state = rules.State(view.start.rules, tuple(hands), leader, (), rules.NOTHING)
        for card in cards:
            if card not in state.moves():
                return False
            state = state.after(card)
        if state != position.state:
            return False
    seen, told = GAME.view(position, view.seat).model_dump(), view.model_dump()
    return sorted(seen.pop("hand")) == sorted(told.pop("hand")) and seen == told


def reference_deals(view: View) -> set[Deal]:
    """Every deal in which the seen cards can have been played: all divisions of the unseen cards, replayed."""
    unseen = list(members(view.unseen))
    counts = [0 if seat == view.seat else view.count(seat) for seat in range(4)]
    others = [seat for seat in range(4) if seat != view.seat]
    found: set[Deal] = set()

    def hand_out(seats: list[int], left: frozenset[int], hands: dict[int, int]) -> None:
        if not seats:
            for cards in permutations(sorted(left)):
                aside = dict(zip(others, cards, strict=True)) | {view.seat: fields_number(view.declared)}
                masks = tuple(hands[seat] for seat in range(4))
                if can_be_played(view, masks):
                    found.add((masks, tuple(aside[seat] for seat in range(4))))
            return
        for chosen in combinations(sorted(left), counts[seats[0]]):
            hand_out(seats[1:], left - set(chosen), hands | {seats[0]: mask(chosen)})

    hand_out(others, frozenset(unseen), {view.seat: mask(numbers(view.hand))})
    return found


def can_be_played(view: View, hands: tuple[int, ...]) -> bool:
    """Whether the tricks seen are legal from these hands and the cards played."""
    held = list(hands)
    tricks = [*((t.leader, numbers(t.cards)) for t in view.history), (view.leader, numbers(view.trick))]
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            held[(leader + place) % 4] |= 1 << card
    state = rules.State(rules.Order(), tuple(held), tricks[0][0], (), rules.NOTHING)
    for leader, cards in tricks:
        assert state.leader == leader
        for card in cards:
            if card not in state.moves():
                return False
            state = state.after(card)
    return True


def listed(view: View) -> list[Deal]:
    found = deals(view)
    return [key(found.position(rank)) for rank in range(found.total)]


def key(position: object) -> Deal:
    assert isinstance(position, KnownPosition)
    return position.state.hands, tuple(fields_number(card) for card in position.declared)


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize("cards", [26, 27, 28, 29, 30, 31, 32])
def test_every_deal_and_no_other(cards: int, amount: Amount) -> None:
    if cards < 30 and not JIT:
        pytest.skip("so many deals take half a minute in plain Python")
    restricted = 0
    for seed in range(1 if cards == 26 else amount(3 if cards > 28 else 2)):
        position = played(seed, cards)
        for seat in range(4) if cards > 28 else [seed % 4]:
            view = seen_by(position, seat)
            expected = reference_deals(view)
            found = listed(view)
            assert len(found) == len(set(found))
            assert set(found) == expected
            assert key(position) in expected
            restricted += any(view.past.excluded(other) & view.unseen for other in range(4) if other != seat)
    assert restricted or cards == 32


@pytest.mark.covered
@pytest.mark.small
def test_deals_are_drawn_uniformly(amount: Amount) -> None:
    """Chi-square of the kernel's own draws over every deal of small endings."""
    tried = 0
    for seed in range(60):
        view = seen_by(played(seed, 28), seed % 4)
        found = deals(view)
        if not 40 < found.total <= 200:
            continue
        tried += 1
        draws = 40 * found.total
        random = np.zeros(1, np.int64)
        places = np.zeros(len(found.cards), np.int64)
        hands, aside = np.zeros(4, np.int64), np.zeros(4, np.int64)
        counts: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
        for number_ in range(draws):
            start_stream(random, seed, number_)
            draw_world(found.setting, random, places, hands, aside)
            counts[tuple(map(int, hands)), tuple(map(int, aside))] += 1
        assert len(counts) == found.total
        expected = draws / found.total
        free = found.total - 1
        chi = sum((count - expected) ** 2 / expected for count in counts.values())
        assert abs(chi - free) < 4.5 * np.sqrt(2 * free)
        if tried == amount(6):
            break
    assert tried >= 3


def test_deals_of_whole_rounds_give_back_the_view(amount: Amount) -> None:
    rng = random.Random(5)
    for seed in range(amount(40)):
        position = played(seed, rng.randrange(33))
        for seat in range(4):
            found = deals(seen_by(position, seat))
            assert found.total > 0
            for _ in range(3):
                assert agrees(found, rng.randrange(found.total))


def test_a_deal_that_contradicts_the_view_is_told() -> None:
    """`agrees` can say no: with a card that had to be played put into a hand."""
    for seed in range(40):
        position = played(seed, 20)
        view = seen_by(position, 0)
        barred = [seat for seat in range(1, 4) if view.past.excluded(seat) & view.unseen]
        if barred:
            break
    found = deals(view)
    loose = replace(found, groups=(0b1111,) * len(found.cards))
    assert loose.total > found.total
    rng = random.Random(1)
    told = [agrees(loose, rng.randrange(loose.total)) for _ in range(100)]
    assert 0 < sum(told) < 100


def test_deals_before_the_round() -> None:
    view = GAME.view(GAME.deal(2, variant="undeclared"), 1)
    assert isinstance(view, DeclareView)
    found = deals(view)
    assert found.total == 227_873_431_500
    assert agrees(found, 123_456_789_012)
