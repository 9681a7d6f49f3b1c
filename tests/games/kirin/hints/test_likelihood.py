"""The chain over likely worlds: its weights by another computation, its worlds in proportion to them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from math import exp

import numpy as np
import pytest

from solver.common import mask, members
from solver.games.kirin import rules
from solver.games.kirin.fast_rules import COLOUR_SETS, INNER, to_inner
from solver.games.kirin.players import (
    ALL,
    DECLARE,
    FEATURES,
    KINDS,
    MIXED,
    PLAY,
    TABLE_WORDS,
    ahead,
    open_table,
    put,
    values,
)
from solver.games.kirin.position import KnownPosition, View, fields_number, numbers
from solver.games.kirin.worlds import (
    ASIDE,
    HAND,
    Deals,
    begin_chain,
    deals,
    judge_kinds,
    likelihood,
    open_chain,
    step_chain,
)
from solver.kernels.rng import start as start_stream
from tests.games.kirin.hints.looking_ahead import Looking
from tests.games.kirin.hints.plain_endings import reading_of
from tests.games.kirin.hints.views import played, seen_by
from tests.support.amounts import Amount

Deal = tuple[tuple[int, ...], tuple[int, ...]]


def mixed_share(scores: dict[int, float], chosen: int, kind: int) -> float:
    """The chance of a choice by a softmax, some choices made at random."""
    total = sum(exp(score) for score in scores.values())
    share = float(MIXED[kind])
    return (1 - share) * exp(scores[chosen]) / total + share / len(scores)


def reference_weight(view: View, position: KnownPosition) -> float:
    """The weight of a deal by the rules' replay of it, card by card."""
    tricks = [*((t.leader, numbers(t.cards)) for t in view.history), (view.leader, numbers(view.trick))]
    held = list(position.state.hands)
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            held[(leader + place) % 4] |= 1 << card
    aside = tuple(map(fields_number, position.declared))
    weights = [
        [ahead().expected[kind] * declared_share(held[seat], aside[seat], kind) for kind in range(KINDS)]
        for seat in range(4)
    ]
    state = rules.State(rules.Order(), tuple(held), tricks[0][0], (), rules.NOTHING)
    gone = 0
    for _, cards in tricks:
        for card in cards:
            seat = state.to_move
            legal = state.moves()
            if seat != view.seat and len(legal) > 1:
                a, b, c, d = (hand if of == seat else 0 for of, hand in enumerate(state.hands))
                own = replace(state, hands=(a, b, c, d))
                for kind, scores in enumerate(valued(own, aside[seat], gone)):
                    weights[seat][kind] *= mixed_share(scores, card, kind)
            gone |= 1 << card
            state = state.after(card)
    return float(np.prod([sum(of_seat) for seat, of_seat in enumerate(weights) if seat != view.seat]))


def declared_share(kept: int, aside: int, kind: int) -> float:
    nine = [*members(kept), aside]
    weights = (DECLARE, ahead().declare)[kind]
    scores = {
        card: weights[9 + card % 9]
        + sum(weights[other % 9] for other in nine if other // 9 == card // 9 and other != card)
        for card in nine
    }
    return mixed_share(scores, aside, kind)


@cache  # most deals of a view give a seat the same cards as some other does
def valued(own: rules.State, aside: int, gone: int) -> tuple[dict[int, float], dict[int, float]]:
    """What each kind of player thinks of the legal cards of the seat to move, the only one whose hand is given."""
    return card_values(own, aside, gone), Looking(own, aside, gone).values(ahead().net)


def card_values(state: rules.State, aside: int, gone: int) -> dict[int, float]:
    """The player's own values of the legal cards."""
    table, out = np.zeros(TABLE_WORDS, np.int64), np.zeros(9)
    open_table(table, state.leader, state.rules.direction)
    for card in state.trick:
        put(table, INNER[card])
    hand = to_inner(state.hands[state.to_move])
    unseen = ALL & ~hand & ~to_inner(gone) & ~(1 << INNER[aside])
    values(hand, COLOUR_SETS[aside // 9], unseen, table, np.array(PLAY), np.zeros(FEATURES), out)
    cards = sorted(state.moves(), key=INNER.__getitem__)
    return {card: float(out[place]) for place, card in enumerate(cards)}


class Walk:
    """A chain of a view's worlds."""

    def __init__(self, found: Deals, seed: int) -> None:
        self.view = found.view
        self.reading = reading_of(found)
        self.stand = open_chain(found.setting, np.zeros(1, np.int64))
        start_stream(self.stand.random, seed, 0)
        begin_chain(self.reading, self.stand)

    def step(self) -> None:
        step_chain(self.reading, self.stand)

    def deal(self) -> Deal:
        hands, aside = [0] * 4, [0] * 4
        given = self.reading.setting.question
        hands[self.view.seat], aside[self.view.seat] = int(given[HAND]), int(given[ASIDE])
        for step in range(1, 4):
            seat = (self.view.seat + step) % 4
            hands[seat], aside[seat] = int(self.stand.boxes[step - 1]), int(self.stand.boxes[step + 2])
            aside[seat] = aside[seat].bit_length() - 1
        return tuple(hands), tuple(aside)

    def put(self, deal: Deal) -> None:
        """Move to a deal."""
        for step in range(1, 4):
            seat = (self.view.seat + step) % 4
            self.stand.boxes[step - 1], self.stand.boxes[step + 2] = deal[0][seat], 1 << deal[1][seat]

    def weight(self) -> float:
        """The weight of where the chain stands, computed afresh."""
        hands, aside = self.deal()
        found = 1.0
        for seat in range(4):
            if seat != self.view.seat:
                found *= likelihood(seat, hands[seat], aside[seat], self.reading.evidence, self.reading.work)
        return found


def inner_deal(position: KnownPosition) -> Deal:
    return (
        tuple(to_inner(mask(numbers(hand))) for hand in position.hands),
        tuple(INNER[fields_number(card)] for card in position.declared),
    )


@pytest.mark.small
def test_weights_are_those_of_a_replay(amount: Amount) -> None:
    for seed in range(amount(12)):
        view = seen_by(played(seed, (5 * seed + 3) % 32), seed % 4)
        found = deals(view)
        chain = Walk(found, seed)
        for _ in range(amount(30)):
            chain.step()
        kept = float(np.prod(chain.stand.chances))
        assert chain.weight() == pytest.approx(kept)
        matches = 0
        for rank in (number_ * 7919 % found.total for number_ in range(2)):
            position = found.position(rank)
            assert isinstance(position, KnownPosition)
            chain.put(inner_deal(position))
            assert chain.weight() == pytest.approx(reference_weight(view, position), rel=1e-4)
            matches += 1
        assert matches == 2


@pytest.mark.small
def test_what_is_kept_of_a_hand_is_what_would_be_found_again(amount: Amount) -> None:
    view = seen_by(played(2, 14), 1)
    found = deals(view)
    chain = Walk(found, 5)
    work = chain.reading.work
    for _ in range(amount(400)):
        chain.step()
        hands, aside = chain.deal()
        for seat in (0, 2, 3):
            told = likelihood(seat, hands[seat], aside[seat], chain.reading.evidence, work)
            kept = work.chances.tolist()
            judge_kinds(seat, hands[seat], aside[seat], chain.reading.evidence, work)
            assert work.chances.tolist() == kept
            assert told == sum(kept)


def test_worlds_come_in_proportion_to_their_weights() -> None:
    """One long chain over the deals of small endings: a deal's share of the time is its share of the weights."""
    tried = 0
    for seed in range(80):
        view = seen_by(played(seed, 28), seed % 4)
        found = deals(view)
        if not 40 < found.total <= 150:
            continue
        tried += 1
        weights = {}
        for rank in range(found.total):
            position = found.position(rank)
            assert isinstance(position, KnownPosition)
            weights[inner_deal(position)] = reference_weight(view, position)
        total = sum(weights.values())
        chain = Walk(found, seed)
        steps = 60_000
        counts: Counter[Deal] = Counter()
        for _ in range(steps):
            chain.step()
            counts[chain.deal()] += 1
        assert set(counts) <= set(weights)
        off = sum(abs(counts[deal] / steps - weight / total) for deal, weight in weights.items()) / 2
        uniform = sum(abs(1 / len(weights) - weight / total) for weight in weights.values()) / 2
        assert off < 0.1
        assert uniform > 0.5
        if tried == 3:
            break
    assert tried == 3
