"""The chain of Aqua Regia's worlds: its weights are those of a replay, and worlds come in proportion to them."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import log
from typing import Any

import pytest

from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.position import Step, View
from solver.games.aqua_regia.rollouts import shuffle_rest, step_chain
from solver.positions import parse_position, position_data
from tests.games.aqua_regia.hints.replays import chain_of, games, reference_weight, replayed
from tests.support.amounts import Amount


@pytest.mark.small
def test_weights_are_those_of_a_replay(amount: Amount) -> None:
    """In each world the others can have played what was seen, with the chance that the chain says."""
    for number, seen in enumerate(games(7, amount(8))):
        chain = chain_of(seen, number)
        for _ in range(3):
            for _ in range(amount(40)):
                step_chain(seen.told, chain, 1.0)
            shuffle_rest(seen.told, chain)
            hands, stock = seen.initial(chain.slots.tolist())
            weight, _, kinds = replayed(seen, hands, stock)
            assert weight > 0
            assert log(weight) == pytest.approx(chain.likelihoods.sum())
            others = [seat for seat in range(seen.view.players) if seat != seen.view.seat]
            assert chain.shares[others] == pytest.approx(kinds[others])


def test_worlds_give_back_the_view() -> None:
    """A world, dealt afresh and every move played, shows the seat what it saw, from a chain's beginning on."""
    tried = 0
    for number, seen in enumerate(games(9, 8)):
        deck = seen.view.metals
        chain = chain_of(seen, number)
        for power in (0.0, 0.0, 0.5, 1.0, 1.0):
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
            again = GAME.view(at, seen.view.seat)
            assert isinstance(again, View)
            assert again.history == seen.view.history
            assert again.deal_passes == seen.view.deal_passes
            assert Counter(again.hand) == Counter(seen.view.hand)
            assert again.model_copy(update={"hand": seen.view.hand}) == seen.view
            tried += 1
    assert tried == 40


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
        steps = 25_000
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
        if tried == 4:
            break
    assert tried == 4
    assert told >= 2
