"""Likely worlds of King × Alchemy: their weights by another computation, worlds in proportion to them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from math import exp, prod

import numpy as np
import pytest

from solver.common import mask, members
from solver.games.king import rules
from solver.games.king.deck import CARDS
from solver.games.king.players import AHEAD, ALL_PLAYS, EXPECTED, HOPE, KINDS, MIXED, PICKS, PLAYS
from solver.games.king.position import View, cards_at
from solver.games.king.rules import Masks, Play, State
from solver.games.king.worlds import Reading, begin_chain, deals, judge_kinds, likelihood, step_chain
from solver.hints.worlds import Chain
from solver.kernels.jit import kernel
from solver.kernels.words import Words
from solver.positions import parse_position, position_data
from tests.games.king.cards.house_deck import data as house_data
from tests.games.king.hints.plain_endings import Judge
from tests.games.king.hints.views import played, seen_by
from tests.reference import king_player as reference
from tests.support.amounts import Amount


def shares(values: Sequence[dict[Play, float]], chosen: Play) -> list[float]:
    """The chance of a choice by each kind of player: a softmax, and some choices made at random."""
    found = []
    for kind, scores in enumerate(values):
        highest = max(scores.values())
        total = sum(exp(score - highest) for score in scores.values())
        mixed = float(MIXED[kind])
        found.append((1 - mixed) * exp(scores[chosen] - highest) / total + mixed / len(scores))
    return found


def choices(state: State, seat: int, gone: int, lost: int) -> list[dict[Play, float]]:
    """The plays of a seat with their values to each kind of player; `gone` is what everybody has seen.

    Names of the Dancer next to a lead that lose are one choice: all but the first are left out.
    """
    deck, hand, players = state.deck, state.hands[seat], state.players
    left, later = hand.bit_count(), players - 1 - len(state.trick)
    unseen = (1 << CARDS) - 1 & ~gone & ~hand
    chance = reference.hoped(HOPE, left, players)
    worths = {
        card: reference.worth(deck, state.won, seat, lost, chance, card)
        for card in (*members(hand), *(play.card for play in state.trick))
    }
    place = 0 if not state.trick else 2 if later == 0 else 1
    found: list[dict[Play, float]] = [{} for _ in range(KINDS)]
    losing = False
    for play in rules.playable(deck, hand, state.trick):
        if state.trick and play.card == deck.dancer and play.suit != state.trick[0].suit:
            if losing:
                continue
            losing = True
        features = reference.features(deck, state.trick, later, hand, unseen, play, worths)
        for kind, weights in enumerate(PLAYS):
            found[kind][play] = reference.value(features, weights, place, left)
        told = reference.ahead_inputs(deck, state.trick, later, hand, unseen, play, worths, features)
        found[AHEAD][play] = reference.ahead_value(ALL_PLAYS.ahead, place, *told)
    return found


def reference_weight(view: View, hands: Masks) -> float:
    """The weight of a deal by the rules' replay of the round, card by card."""
    deck, players = view.full_deck, view.players
    removed = mask(cards_at(deck, view.removed, "removed"))
    picks = [pile & ~gained for pile, gained in zip(view.piles, view.past.won, strict=True)]
    moves: list[rules.Move] = []
    held = list(hands)
    for trick in view.tricks:
        moves += [*trick.plays, rules.Taking(tuple(sorted(trick.taking.taken)), trick.taking.given)]
        for seat, play, _ in trick.by_seat(players):
            held[seat] |= 1 << play.card
    for place, play in enumerate(view.plays):
        moves.append(play)
        held[(view.leader + place) % players] |= 1 << play.card
    found = [picked_shares(view, seat, held[seat] | picks[seat], picks[seat], removed) for seat in range(players)]
    leader = view.tricks[0].leader if view.tricks else view.leader
    state = State(deck, tuple(held), leader, (), tuple(picks))
    gone = removed | sum(picks)
    for move in moves:
        if isinstance(move, Play):
            on_table = mask(play.card for play in state.trick)
            lost = gone & ~on_table & ~sum(state.won)
            values = choices(state, state.to_move, gone, lost)
            if len(values[0]) > 1:
                likely = shares(values, move if move in values[0] else losing_name(values[0]))
                found[state.to_move] = [one * more for one, more in zip(found[state.to_move], likely, strict=True)]
            gone |= 1 << move.card
        state = rules.play(state, move)
    return prod(float(EXPECTED @ found[seat]) for seat in range(players) if seat != view.seat)


def losing_name(scores: dict[Play, float]) -> Play:
    """The name of the Dancer that stands for all that lose."""
    return [play for play in scores if play.card == max(play.card for play in scores)][-1]


def picked_shares(view: View, seat: int, dealt: int, pick: int, removed: int) -> list[float]:
    """How likely each kind of player would have picked the card."""
    deck, players = view.full_deck, view.players
    chance = reference.hoped(HOPE, dealt.bit_count() - 1, players)
    values: list[dict[Play, float]] = [{} for _ in range(KINDS)]
    for card in members(dealt):
        own = reference.worth(deck, (0,) * players, seat, removed, chance, card)
        features = reference.pick_features(deck, dealt, card, own)
        for kind, weights in enumerate(PICKS):
            values[kind][Play(card, 0)] = sum(one * weight for one, weight in zip(features, weights, strict=True))
    return shares(values, Play(pick.bit_length() - 1, 0))


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize("players", [3, 4, 5])
def test_weights_are_those_of_a_replay(players: int, amount: Amount) -> None:
    rng = random.Random(players)
    for seed in range(amount(25)):
        view = seen_by(
            played(seed, rng.randrange(rules.TRICKS[players] * (players + 1) - 1), players), seed % players
        )
        found = deals(view)
        if len(found.cards) < 2:
            continue
        judge = Judge(found, seed)
        for _ in range(2):
            places = found.drawn(seed, rng.randrange(99))
            assert judge.weight(places) == pytest.approx(reference_weight(view, found.hands(places)), rel=1e-6)


@pytest.mark.small
@pytest.mark.parametrize("points", [30, 60, 999])
def test_cards_of_any_points_leave_a_weight(points: int) -> None:
    """Users' decks have cards of up to 999 points: some deal is likely, however sure a pick would be."""
    deck = house_data()
    for number, card in enumerate(deck["card"]):
        card["vp"] = points * (number % 3 > 0)
    for seed in range(3):
        view = parse_position(position_data(seen_by(played(seed, 2 * seed + 1), seed)) | {"deck": deck})
        assert isinstance(view, View)
        found = deals(view)
        assert 0 < Judge(found, seed).weight(found.drawn(seed, 0)) <= 1


@pytest.mark.covered
@pytest.mark.small
def test_a_chain_keeps_what_it_says_of_its_world(amount: Amount) -> None:
    for seed in range(amount(20)):
        view = seen_by(played(seed, (7 * seed + 3) % 50), seed % 4)
        found = deals(view)
        judge = Judge(found, seed)
        chain = judge.chain
        begin_chain(judge.reading, chain)
        for _ in range(amount(30)):
            step_chain(judge.reading, chain)
        kept, places = prod(chain.chances), [int(place) for place in chain.places]
        assert all(found.groups[index] >> place & 1 for index, place in enumerate(places))
        assert [places.count(place) for place in range(3)] == list(found.sizes)
        assert judge.weight(places) == pytest.approx(kept)


@kernel
def walk(reading: Reading, chain: Chain, passed: Words) -> None:
    """Step on, and write down the places after each step."""
    for step in range(len(passed)):
        step_chain(reading, chain)
        for index in range(len(chain.places)):
            passed[step, index] = chain.places[index]


def test_worlds_come_in_proportion_to_their_weights() -> None:
    """One long chain over the deals of small endings: a deal's share of the time is its share of the weights."""
    tried = 0
    for seed in range(80):
        view = seen_by(played(seed, 46), seed % 4)
        found = deals(view)
        if not 40 < found.total <= 150:
            continue
        tried += 1
        assert found.worlds is not None
        judge = Judge(found, seed)
        weights = {}
        for rank in range(found.total):
            places = found.worlds.world(rank)
            weights[tuple(places)] = judge.weight(places)
        total = sum(weights.values())
        begin_chain(judge.reading, judge.chain)
        steps = 60_000
        passed = np.zeros((steps, len(found.cards)), np.int64)
        walk(judge.reading, judge.chain, passed)
        counts = Counter(map(tuple, passed.tolist()))
        assert set(counts) <= set(weights)
        off = sum(abs(counts[deal] / steps - weight / total) for deal, weight in weights.items()) / 2
        uniform = sum(abs(1 / len(weights) - weight / total) for weight in weights.values()) / 2
        assert off < 0.08
        assert uniform > 0.3
        if tried == 3:
            break
    assert tried == 3


@pytest.mark.covered
@pytest.mark.small
def test_what_is_kept_of_hands_is_what_would_be_found_again(amount: Amount) -> None:
    """More hands than there is room for, some of them again: what is kept is found for the hand that is asked."""
    view = seen_by(played(3, 26), 1)
    found = deals(view)
    judge, seats = Judge(found), [seat for seat in range(view.players) if seat != view.seat]
    evidence, work = judge.reading.evidence, judge.reading.work
    asked = [(seat, found.hands(found.drawn(seed, 0))[seat]) for seed in range(amount(2500)) for seat in seats]
    told: dict[tuple[int, int], tuple[float, ...]] = {}
    for seat, hand in (*asked, *reversed(asked)):
        total = likelihood(evidence, work, seat, hand)
        assert told.setdefault((seat, hand), (total, *work.chances.tolist())) == (total, *work.chances.tolist())
    assert len(told) > len(asked) / 2
    for (seat, hand), numbers in told.items():
        judge_kinds(evidence, work, seat, hand)
        assert numbers[1:] == tuple(work.chances.tolist())
