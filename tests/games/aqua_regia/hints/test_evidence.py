"""What Aqua Regia's histories tell of hidden cards: weights by a replay, worlds in proportion to them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from math import exp, log
from typing import Any

import numpy as np
import pytest

from solver.common.control import Control, Limit
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.cards import rules
from solver.games.aqua_regia.cards.deck import Deck
from solver.games.aqua_regia.cards.rules import Counts, Pass, Play
from solver.games.aqua_regia.hints.chain import Chain, begin_chain, shuffle_rest, step_chain
from solver.games.aqua_regia.hints.evidence import evidence
from solver.games.aqua_regia.hints.likelihood import MIXED, Evidence
from solver.games.aqua_regia.hints.policy import exchange_value, pass_value, play_value
from solver.games.aqua_regia.hints.weights import PLAYER
from solver.games.aqua_regia.positions.history import Step
from solver.games.aqua_regia.positions.known import KnownPosition, View
from solver.inputs.errors import PositionError
from solver.kernels import rng as streams
from solver.positions import parse_position, position_data
from solver.protocol.answers import SampledHint
from tests.games.aqua_regia.examples import change
from tests.games.aqua_regia.positions.histories import SEEN
from tests.games.aqua_regia.random_play import play_randomly
from tests.games.aqua_regia.random_positions import random_position, random_table
from tests.support.amounts import Amount

WEIGHTS = np.array(PLAYER)


@dataclass(frozen=True)
class Seen:
    """A view in a game that was played from `start`, and what is needed to deal and play it again."""

    start: KnownPosition
    view: View
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
    streams.start(chain.random, seed, 0)
    begin_chain(view.seat, told, chain)
    return chain


def share(values: list[float], chosen: int) -> float:
    """The chance of a choice by a softmax, one choice in ten made at random."""
    most = max(values)
    total = sum(exp(value - most) for value in values)
    return (1 - MIXED) * exp(values[chosen] - most) / total + MIXED / len(values)


def step_share(deck: Deck, hand: Counts, step: Step, drawn: int | None) -> float:
    """The chance of a step of a hand, by the rules' lists of moves."""
    reactivity = np.array(deck.reactivity, np.int64)
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
            return 0.0
        if step.seat != view.seat:
            drawn = state.stock[0] if step.draws else None
            weight *= step_share(deck, state.hands[step.seat], step, drawn)
        state = rules.unsettled(state, step.move)
    state = rules.settle(deck, state)
    return weight if (state.turn, state.field) == (view.turn, view.field_number) else 0.0


def games(seed: int, count: int, **options: Any) -> Iterator[Seen]:
    """Views of games played at random that tell something."""
    rng = random.Random(seed)
    while count:
        if options:
            deck = random_table(rng, options["metals"], options["copies"])
            players, cards, stock = options["players"], options["cards"], options["stock"]
            data = random_position(
                rng, deck=deck, players=players, cards=cards, stock=stock, climbing=False, crowded=False
            )
            start: Any = parse_position(change(data, discard=[], known=None))
        else:
            start = GAME.deal(seed, number=count, players=rng.randint(2, 5))
        positions = [at for at in play_randomly(start, rng) if at.state.winner is None]
        at = positions[rng.randrange(len(positions) // 2, len(positions))]
        view = GAME.view(at, at.seat_to_move)
        assert isinstance(view, View)
        told = evidence(view, seed)
        if told is not None:
            count -= 1
            # what settles by itself before the first move is in the view
            yield Seen(positions[0].model_copy(update={"turn": start.turn, "field": start.field}), view, told)


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
            weight = reference_weight(seen, hands, stock)
            assert weight > 0
            assert log(weight) == pytest.approx(chain.likelihoods.sum())


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
    for seed, seen in enumerate(games(3, 60, metals=6, copies=2, players=2, cards=6, stock=2)):
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
        told += uniform > 0.3
        if tried == 4:
            break
    assert tried == 4
    assert told >= 2


def told_of(**keys: Any) -> Evidence | None:
    """What the view of the tests of histories, changed, tells."""
    view = parse_position(change(SEEN, **keys))
    assert isinstance(view, View)
    return evidence(view, 1)


def test_deals_passed_on_before_the_history() -> None:
    assert told_of() is not None
    # seat 1 had nothing for water; then it drew a card, gave Li and took K
    assert told_of(deal_passes=[{"seat": 1, "field": "water", "most": 1}]) is not None
    # it had one at most: that is not followed
    assert told_of(deal_passes=[{"seat": 1, "field": "water", "most": 2}]) is None
    # seat 2 had nothing for water, and led Li in water
    with pytest.raises(PositionError) as found:
        told_of(deal_passes=[{"seat": 2, "field": "water", "most": 0}])
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
        r"too few unseen cards are left for seat 1 \(seat 1 could not lead in vapor .*, aqua-regia \(before now"
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
    start = GAME.deal(5, players=3)
    view = GAME.view(start, start.seat_to_move)  # type: ignore[attr-defined]
    assert isinstance(view, View)
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
    view = parse_position(data | {"counts": [1, 1200]})
    assert isinstance(view, View)
    assert evidence(view, 0) is None
    short = parse_position(data | {"counts": [1, 60]})
    assert isinstance(short, View)
    assert evidence(short, 0) is not None
