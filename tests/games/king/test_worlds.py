"""Deals that agree with a view of King × Alchemy, all or half remembered: drawn as often as they are likely."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import exp, factorial, prod, sqrt
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from solver.answers import SampledHint
from solver.common import Random, mask, members
from solver.errors import PositionError
from solver.games.king import GAME, rules
from solver.games.king.deck import CARDS
from solver.games.king.players import AHEAD, ALL_PLAYS, EXPECTED, HOPE, KINDS, MIXED, PICKS, PLAYS
from solver.games.king.position import Round
from solver.games.king.rules import Masks, Play, State
from solver.games.king.worlds import KERNELS, Deals, deals, draw
from solver.hints.rounds import Game
from solver.kernels.jit import kernel
from solver.kernels.rng import start_stream
from solver.kernels.words import Words
from solver.limits import Control
from solver.positions import parse_position, position_data
from tests.games.king.decks import house_data
from tests.games.king.plain_hints import Judge
from tests.games.king.rounds import consistent, legal, played, seen_by
from tests.reference import king_player as reference
from tests.support.amounts import Amount
from tests.support.kinds import of_kind
from tests.support.marks import in_python

begin_chain, step_chain = KERNELS.begin_chain, KERNELS.step_chain


def can_be_played(view: Round, hands: tuple[int, ...]) -> bool:
    return all(legal(view, seat, members(hand)) for seat, hand in enumerate(hands))


def listed_hands(found: Deals) -> list[tuple[int, ...]]:
    assert found.numbered
    return [found.hands(found.world(rank)) for rank in range(found.total)]


def check_drawn(found: Deals, seed: int, number: int) -> None:
    """A drawn deal can be played as it was seen, and gives the seat its view."""
    view, places = found.view, found.drawn(seed, number)
    position = found.position(places)
    assert GAME.view(position, view.seat).model_dump(exclude={"won"}) == view.model_dump(exclude={"won"})
    if not view.choosing:
        assert not position.choosing
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
        game = found.game()
        if free:
            shuffled = game.setting.numbering._replace(ways=np.zeros((0, 1), np.int64))
            game = game._replace(setting=game.setting._replace(numbering=shuffled))
        counts: Counter[tuple[int, ...]] = Counter()
        for number in range(draws):
            start_stream(game.chain.random, seed, number)
            draw(game, game.chain)
            counts[found.hands(game.chain.places.tolist())] += 1
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
    assert not found.numbered
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
                shuffled += not found.numbered
                assert found.numbered or (len(found.cards) >= 35 and len(set(found.groups)) == 1)
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
        before = of_kind(Round, GAME.view(GAME.deal(seed, players=players, variant="unpicked"), seed % players))
        check_drawn(deals(before), seed, 2)


def valid(dealt: Deals, number: int) -> bool:
    """Whether a deal makes a position that passes its own checks."""
    try:
        dealt.position(dealt.drawn(1, number))
    except ValidationError:
        return False
    return True


def test_a_deal_that_contradicts_the_view_is_told() -> None:
    """The position's own checks refuse cards of a suit that are dealt to who did not follow it."""
    for seed in range(40):
        view = seen_by(played(seed, 25), 0)
        found = deals(view)
        if len(set(found.groups)) > 1:
            break
    loose = replace(found, groups=(0b111,) * len(found.cards))
    assert loose.total > found.total
    told = [valid(loose, number) for number in range(60)]
    assert told == [can_be_played(view, loose.hands(loose.drawn(1, number))) for number in range(60)]
    assert 0 < sum(told) < 60


TABLE = "king players=4 seat=2 hand=F3,W11,T2,E4"


def with_cards(seed: int, players: int, left: int) -> Round:
    """What the seat to move sees with so many cards in its hand, all moves at random."""
    random = Random(seed)
    position: Any = GAME.deal(seed, players=players)
    while True:
        moves = GAME.legal_moves(position)
        seat = position.seat_to_move
        if len(position.hands[seat]) == left and len(moves) > 1 and not position.trick_is_full:
            return of_kind(Round, GAME.view(position, seat))
        position = GAME.play(position, moves[random.below(len(moves))])


def remembering(view: Round, tricks: int, piles: bool = True) -> dict[str, Any]:
    """The view as data with the last `tricks` only, and its piles, or the own one alone."""
    data = position_data(view)
    data["history"] = data["history"][len(view.tricks) - tricks :]
    if not piles:
        data["won"] = [pile if seat == view.seat else [] for seat, pile in enumerate(data["won"])]
    return data


@pytest.mark.parametrize(("seed", "players"), [(1, 3), (4, 4)])
def test_all_deals_that_agree_are_drawn_equally_often(seed: int, players: int) -> None:
    whole = with_cards(seed, players, 2)
    data = [remembering(whole, tricks) for tricks in range(1, whole.over)]
    for one in data:  # a card of each pile is forgotten too
        one["won"] = [pile if seat == whole.seat else pile[1:] for seat, pile in enumerate(one["won"])]
    told = (of_kind(Round, parse_position(one)) for one in data)
    view = next(view for view in told if view.in_part and view.forgotten <= 4)
    found, right = deals(view), set(consistent(view))
    assert len(right) > 1
    assert found.total == len(right)
    others = [(view.seat + step) % players for step in range(1, players)]
    game = found.game()
    start_stream(game.chain.random, seed, 0)
    drawn: Counter[tuple[int, ...]] = Counter()
    for _ in range(min(30 * len(right), 20_000)):
        draw(game, game.chain)
        hands = found.hands(game.chain.places.tolist())
        drawn[tuple(hands[seat] for seat in others)] += 1
    assert drawn.keys() <= right
    mean = drawn.total() / len(right)
    spread = sum((drawn[one] - mean) ** 2 / mean for one in right)  # chi-squared
    assert abs(spread - len(right)) < 5 * sqrt(2 * len(right))


def test_deals_too_many_to_number_keep_to_voids() -> None:
    view = of_kind(
        Round, parse_position("king players=5 seat=2 hand=F3,W11,T2,E4,A1,A2 trick=1:F7 voids=3:F,T/0:W")
    )
    assert view.in_part
    found = deals(view)
    assert not found.numbered
    game = found.game()
    suits = view.full_deck.of_suit
    for number in range(50):
        start_stream(game.chain.random, 1, number)
        draw(game, game.chain)
        hands = found.hands(game.chain.places.tolist())
        assert not hands[3] & (suits[0] | suits[4])
        assert not hands[0] & suits[1]
        assert [hand.bit_count() for hand in hands] == [6, 5, 6, 6, 6]
    assert hinted(position_data(view), 200).unknown is not None


def hinted(position: Any, worlds: int) -> SampledHint:
    return of_kind(SampledHint, GAME.hint(parse_position(position), Control(), worlds=worlds))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_all_that_is_remembered_is_the_full_view(players: int) -> None:
    view = with_cards(players, players, 5)
    data = position_data(view)
    cards = [card.split(":")[0] for trick in data["history"] for card in trick["cards"]]
    counts = [view.count(seat) for seat in range(players)]
    again = of_kind(Round, parse_position(data | {"tricks": len(view.tricks), "gone": cards, "counts": counts}))
    assert again == view
    assert not again.in_part


def test_a_hint_says_what_is_not_known() -> None:
    view = with_cards(7, 4, 5)
    data = remembering(view, tricks=2, piles=False)
    found = hinted(data, 1000)
    assert found.unknown is not None
    assert len(found.unknown.possible_cards) > found.unknown.gone
    text = GAME.notation.write(parse_position(data))
    assert hinted(text, 1000).moves == found.moves
    assert hinted(remembering(view, tricks=2), 1000).unknown.gone < found.unknown.gone  # type: ignore[union-attr]


def test_the_own_hand_and_the_number_of_players_are_enough() -> None:
    found = hinted(TABLE, 50)
    assert found.unknown is not None
    assert found.unknown.gone == 34  # 50 less four hands of four


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"won": None}, "players", "how many play?"),
        ({"tricks": 3}, "tricks", "according to the hand, 7 tricks are over, not 3"),
        ({"counts": [4, 4, 4, 4]}, "counts", "the hands have"),
        ({"gone": ["F1"] * 2}, "gone[1]", "F1 is in gone[0] already"),
        ({"voids": {"0": ["Q"]}}, "voids.0[0]", "neither a suit"),
        ({"voids": {"3": ["F", "W", "E", "A", "T"]}}, "voids", "no deal agrees"),
        ({"voids": {"4": ["F"]}}, "voids.4", "there is no seat 4"),
    ],
)
def test_faults(changes: dict[str, Any], path: str, message: str) -> None:
    data = position_data(parse_position(f"{TABLE} trick=1:F7"))
    data = {key: value for key, value in (data | changes).items() if value is not None}
    with pytest.raises(PositionError) as caught:
        parse_position(data)
    assert message in str(caught.value)
    assert caught.value.path.startswith(path)


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


def reference_weight(view: Round, hands: Masks) -> float:
    """The weight of a deal by the rules' replay of the round, card by card."""
    deck, players = view.full_deck, view.players
    removed = mask(view.numbers("removed"))
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


def picked_shares(view: Round, seat: int, dealt: int, pick: int, removed: int) -> list[float]:
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
    for seed in range(amount(6)):
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
        data = position_data(seen_by(played(seed, 2 * seed + 1), seed)) | {"deck": deck}
        view = of_kind(Round, parse_position(data))
        found = deals(view)
        assert 0 < Judge(found, seed).weight(found.drawn(seed, 0)) <= 1


@in_python
@pytest.mark.small
def test_a_chain_keeps_what_it_says_of_its_world() -> None:
    for seed in range(3):
        view = seen_by(played(seed, (7 * seed + 3) % 50), seed % 4)
        found = deals(view)
        judge = Judge(found, seed)
        chain = judge.chain
        begin_chain(judge.game, chain)
        for _ in range(5):
            step_chain(judge.game, chain)
        kept, places = prod(chain.chances), [int(place) for place in chain.places]
        assert all(found.groups[index] >> place & 1 for index, place in enumerate(places))
        assert [places.count(place) for place in range(3)] == list(found.sizes)
        assert judge.weight(places) == pytest.approx(kept)


@kernel
def walk(game: Game, passed: Words) -> None:
    """Begin a chain and step on, and write down the places after each step: all in one kernel compiles sooner."""
    begin_chain(game, game.chain)
    for step in range(len(passed)):
        step_chain(game, game.chain)
        for index in range(len(game.chain.places)):
            passed[step, index] = game.chain.places[index]


def test_worlds_come_in_proportion_to_their_weights() -> None:
    """One long chain over the deals of small endings: a deal's share of the time is its share of the weights."""
    for seed in range(80):
        view = seen_by(played(seed, 46), seed % 4)
        found = deals(view)
        if not 40 < found.total <= 150:
            continue
        assert found.numbered
        judge = Judge(found, seed)
        weights = {}
        for rank in range(found.total):
            places = found.world(rank)
            weights[tuple(places)] = judge.weight(places)
        total = sum(weights.values())
        steps = 60_000
        passed = np.zeros((steps, len(found.cards)), np.int64)
        walk(judge.game, passed)
        met, times = np.unique(passed, axis=0, return_counts=True)
        counts = Counter(dict(zip(map(tuple, met.tolist()), times.tolist(), strict=True)))
        assert set(counts) <= set(weights)
        off = sum(abs(counts[deal] / steps - weight / total) for deal, weight in weights.items()) / 2
        uniform = sum(abs(1 / len(weights) - weight / total) for weight in weights.values()) / 2
        assert off < 0.08
        assert uniform > 0.3
        break
    else:
        pytest.fail("no ending has so many deals")


@in_python
@pytest.mark.small
def test_what_is_kept_of_hands_is_what_would_be_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """More hands than there is room for, some of them again: what is kept is found for the hand that is asked."""
    monkeypatch.setattr("solver.hints.worlds._SLOTS", 32)
    view = seen_by(played(3, 26), 1)
    found = deals(view)
    game, seats = found.game(), [seat for seat in range(view.players) if seat != view.seat]
    asked = [(seat, found.hands(found.drawn(seed, 0))[seat]) for seed in range(14) for seat in seats]
    told: dict[tuple[int, int], tuple[float, ...]] = {}

    def likelihood(seat: int, hand: int) -> tuple[float, ...]:
        game.world[seat] = hand
        return KERNELS.likelihood(game, game.world, seat), *game.found.tolist()

    for seat, hand in (*asked, *reversed(asked)):
        found_now = likelihood(seat, hand)
        assert told.setdefault((seat, hand), found_now) == found_now
    assert len(told) > len(asked) / 2
    for (seat, hand), numbers in told.items():
        game.kept.keys[:] = 0
        assert likelihood(seat, hand) == numbers
