"""Games of Aqua Regia seen from one seat, and the weight of a deal of its hidden cards by the rules' replay."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np

from solver.games.aqua_regia import GAME, rules
from solver.games.aqua_regia.deck import Deck
from solver.games.aqua_regia.fast_rules import reactivity_rows
from solver.games.aqua_regia.keys import Step
from solver.games.aqua_regia.players import AT_RANDOM, WEIGHTS_OF, exchange_value, pass_value, play_value
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rollouts import Chain, begin_chain
from solver.games.aqua_regia.rules import Counts, Pass, Play
from solver.games.aqua_regia.worlds import Evidence, evidence
from solver.kernels import rng
from solver.positions import parse_position
from tests.games.aqua_regia.deals import change, play_randomly, seen_by
from tests.games.aqua_regia.random_positions import either, random_position, random_table

WEIGHTS = WEIGHTS_OF["club"]


@dataclass(frozen=True)
class Seen:
    """A view in a game that was played from `start`, and what is needed to deal and play it again."""

    start: Round
    view: Round
    told: Evidence

    def initial(self, slots: list[int]) -> tuple[list[list[int]], list[int]]:
        """Hands and stock of the start in the world of `slots`; the seat that asks keeps what it had and drew."""
        start, view, told = self.start, self.view, self.told
        deck = view.metals
        hands = [list(deck.numbers(hand)) for hand in start.hands]
        for seat in range(view.players):
            if seat != view.seat:
                hands[seat] = [metal for metal, many in enumerate(told.held[seat]) for _ in range(many)]
                hands[seat] += [slots[slot] for slot in range(*told.ends[seat])]
        stock = list(deck.numbers(start.stock))
        draws = [step for step in view.steps if isinstance(step, Step) and step.draws]
        rows = [row for row in told.steps.tolist() if row[0] == 1 and row[6]]
        for place, (step, row) in enumerate(zip(draws, rows, strict=True)):
            if step.seat != view.seat:
                stock[place] = slots[row[9]]
        stock[len(draws) :] = slots[told.owned : told.owned + len(stock) - len(draws)]
        return hands, stock


def chain_of(seen: Seen, seed: int) -> Chain:
    view, told = seen.view, seen.told
    chain = Chain(
        np.zeros(1, np.int64),
        told.begun.copy(),
        np.zeros(view.players),
        np.zeros((view.players, view.metals.size), np.int64),
        np.zeros((2, view.metals.size), np.int64),
    )
    rng.start_stream(chain.random, seed, 0)
    begin_chain(view.seat, told, chain)
    return chain


def share(values: list[float], chosen: int) -> float:
    """The chance of a choice by a softmax, a share of the choices made at random."""
    most = max(values)
    total = sum(exp(value - most) for value in values)
    return (1 - AT_RANDOM) * exp(values[chosen] - most) / total + AT_RANDOM / len(values)


def step_share(deck: Deck, hand: Counts, step: Step, drawn: int | None) -> float:
    """The chance of a player's step with a hand, by the rules' lists of moves."""
    reactivity = reactivity_rows(deck)
    metal, count = (step.top.metal, step.top.count) if step.top else (0, 0)
    options: list[Any] = rules.plays(deck, hand, step.field, step.top)
    values = [
        1e6 * (play.count == sum(hand))
        + play_value(reactivity, hand[play.metal], step.following, metal, count, play.metal, play.count, WEIGHTS)
        for play in options
    ]
    if step.top:
        options.append(Pass())
        values.append(pass_value(int(step.draws), WEIGHTS))
    if isinstance(step.move, Play):
        return share(values, options.index(step.move))
    found = share(values, options.index(Pass()))
    if drawn is not None:
        hand = rules.added(hand, drawn, 1)
    passes = rules.passes(deck, hand, step.discard)
    held = np.array(hand, np.int64)
    worth = [
        0.0
        if one.discarded is None or one.taken is None
        else exchange_value(reactivity, held, step.following, one.discarded, one.taken, WEIGHTS)
        for one in passes
    ]
    return found * share(worth, passes.index(step.move))


def reference_weight(seen: Seen, hands: list[list[int]], stock: list[int]) -> float:
    """The weight of a deal by the rules' replay of it; 0.0 where it does not lead to what was seen."""
    return replayed(seen, hands, stock)[0]


def replayed(seen: Seen, hands: list[list[int]], stock: list[int]) -> tuple[float, rules.State]:
    """The weight of a deal by the rules' replay of it, and where it leads.

    The weight is 0.0 where that is not what was seen.
    """
    view, start = seen.view, seen.start
    deck = view.metals
    state = rules.State(
        tuple(deck.counts(hand) for hand in hands),
        start.turn,
        start.field_number,
        start.reversed,
        stock=tuple(stock),
        discard=start.pile,
    )
    weight = 1.0
    steps = [step for step in view.steps if isinstance(step, Step)]
    for step in steps:
        state = rules.settle(deck, state)
        if (state.turn, state.field) != (step.seat, step.field) or step.move not in rules.legal_moves(deck, state):
            return 0.0, state
        if step.seat != view.seat:
            drawn = state.stock[0] if step.draws else None
            weight *= step_share(deck, state.hands[step.seat], step, drawn)
        state = rules.unsettled(state, step.move)
    state = rules.settle(deck, state)
    return weight if (state.turn, state.field) == (view.turn, view.field_number) else 0.0, state


def games(seed: int, count: int, **options: Any) -> Iterator[Seen]:
    """Views of games played at random that tell something."""
    generator = random.Random(seed)
    while count:
        if options:
            deck = random_table(generator, options["metals"], options["copies"])
            players, cards, stock = options["players"], options["cards"], options["stock"]
            data = random_position(
                generator,
                deck=deck,
                players=players,
                cards=cards,
                stock=stock,
                climbing=False,
                crowded=False,
                rules=either(generator),
            )
            start: Any = parse_position(change(data, discard=[], known=None))
        else:
            start = GAME.deal(seed, number=count, players=generator.randint(2, 5))
        positions = [at for at in play_randomly(start, generator) if at.state.winner is None]
        at = positions[generator.randrange(len(positions) // 2, len(positions))]
        view = seen_by(at, at.seat_to_move)
        told = evidence(view, seed, WEIGHTS)
        if told is not None:
            count -= 1
            # what settles by itself before the first move is in the view
            yield Seen(positions[0].model_copy(update={"turn": start.turn, "field": start.field}), view, told)
