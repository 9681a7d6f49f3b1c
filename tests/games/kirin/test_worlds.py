"""The deals that agree with a view of kirin, all or half remembered: drawn as often as they are likely."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations
from math import exp, prod
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

import athanor
from solver.answers import SampledHint
from solver.common import Random, mask, members
from solver.errors import MoveError, PositionError
from solver.games.kirin import GAME, rules
from solver.games.kirin.deck import ALL, CARDS, DIRECTIONS, colour, name
from solver.games.kirin.deck import rank as rank_of
from solver.games.kirin.fast_rules import COLOUR_SETS
from solver.games.kirin.hint import rounds
from solver.games.kirin.players import BY_RULES, DECLARE, KINDS, MIXED, MOST, PLAY, ahead, new_scratch, value_cards
from solver.games.kirin.position import Round, number_of, numbers
from solver.games.kirin.rules import SEATS, Order
from solver.games.kirin.worlds import ASIDE, KERNELS, Deals, deals, deals_by_order, draw, positions
from solver.hints.rounds import Game
from solver.kernels.jit import kernel
from solver.kernels.rng import start_stream
from solver.kernels.words import Words
from solver.limits import Control
from solver.positions import parse_position, position_data
from tests.conftest import JIT
from tests.games.kirin.deals import played, seen_by
from tests.games.kirin.plain_hints import Looking, table_of
from tests.support.amounts import Amount
from tests.support.kinds import of_kind
from tests.support.marks import in_python

begin_chain, step_chain = KERNELS.begin_chain, KERNELS.step_chain
Deal = tuple[tuple[int, ...], tuple[int, ...]]  # hands as masks, and the cards set aside


def agrees(dealt: Deals, rank: int) -> bool:
    """Whether the seat sees this view in a deal, if it is dealt and every card is played by the rules."""
    view = dealt.view
    try:
        position = dealt.position(rank)
    except ValidationError:
        return False
    if not view.choosing:
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


def reference_deals(view: Round) -> set[Deal]:
    """Every deal in which the seen cards can have been played: all divisions of the unseen cards, replayed."""
    unseen = list(members(view.unseen))
    counts = [0 if seat == view.seat else view.count(seat) for seat in range(4)]
    others = [seat for seat in range(4) if seat != view.seat]
    found: set[Deal] = set()

    def hand_out(seats: list[int], left: frozenset[int], hands: dict[int, int]) -> None:
        if not seats:
            for cards in permutations(sorted(left)):
                aside = dict(zip(others, cards, strict=True)) | {view.seat: number_of(str(view.declared))}
                masks = tuple(hands[seat] for seat in range(4))
                if can_be_played(view, masks):
                    found.add((masks, tuple(aside[seat] for seat in range(4))))
            return
        for chosen in combinations(sorted(left), counts[seats[0]]):
            hand_out(seats[1:], left - set(chosen), hands | {seats[0]: mask(chosen)})

    hand_out(others, frozenset(unseen), {view.seat: mask(numbers(view.hand))})
    return found


def can_be_played(view: Round, hands: tuple[int, ...]) -> bool:
    """Whether the tricks seen are legal from these hands and the cards played."""
    held = list(hands)
    tricks = [*((t.leader, numbers(t.cards)) for t in view.history or ()), (view.leader, numbers(view.trick))]
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


def listed(view: Round) -> list[Deal]:
    found = deals(view)
    return [key(found.position(rank)) for rank in range(found.total)]


def key(position: object) -> Deal:
    assert isinstance(position, Round)
    return position.state.hands, numbers(position.declared)


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize("cards", [28, 29, 30, 31, 32])
def test_every_deal_and_no_other(cards: int, amount: Amount) -> None:
    if cards < 30 and not JIT:
        pytest.skip("so many deals take half a minute in plain Python")
    restricted = 0
    for seed in range(amount(2 if cards > 28 else 1)):
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
        counts: Counter[tuple[int, ...]] = Counter()
        game = found.game()
        for number_ in range(draws):
            start_stream(game.chain.random, seed, number_)
            draw(game, game.chain)
            counts[tuple(game.chain.places.tolist())] += 1
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
    view = of_kind(Round, GAME.view(GAME.deal(2, variant="undeclared"), 1))
    found = deals(view)
    assert found.total == 227_873_431_500
    assert agrees(found, 123_456_789_012)


TABLE = "kirin seat=2 hand=S1,S4,BT,D2 declared=B+ direction=ascending"


def to_move(seed: int, cards: int, rules: dict[str, bool] | None = None) -> Round:
    """What the seat to move sees after so many cards, played at random."""
    random = Random(seed)
    position: Any = GAME.deal(seed, rules=rules)
    for _ in range(cards):
        moves = GAME.legal_moves(position)
        position = GAME.play(position, moves[random.below(len(moves))])
    return of_kind(Round, GAME.view(position, position.seat_to_move))


def hinted(position: Any, worlds: int) -> SampledHint:
    """The hint of a position's data or text, by so many worlds."""
    return of_kind(SampledHint, GAME.hint(parse_position(position), Control(), worlds=worlds))


def remembering(view: Round, tricks: int, gone: int = 0) -> dict[str, Any]:
    """The view as data with the last `tricks` only, and the first `gone` cards of those before."""
    data = position_data(view)
    before = [card for trick in data["history"][: view.over - tricks] for card in trick["cards"]]
    data["history"] = data["history"][view.over - tricks :]
    data["direction"] = DIRECTIONS[view.past.rules.direction]
    return data | {"gone": before[:gone]}


def consistent(view: Round) -> Iterator[tuple[tuple[int, ...], int]]:
    """The hands and cards set aside, as masks, of all deals in which each play that is remembered was legal."""
    unseen = set(members(view.unseen))
    others = [(view.seat + step) % SEATS for step in range(1, SEATS)]

    def split(left: set[int], sizes: list[int]) -> Iterator[list[int]]:
        if not sizes:
            yield []
            return
        for chosen in combinations(sorted(left), sizes[0]):
            for rest in split(left - set(chosen), sizes[1:]):
                yield [mask(chosen), *rest]

    sizes = [view.count(seat) for seat in others] + [len(others)]
    for *hands, aside in split(unseen, sizes):
        held = dict(zip(others, hands, strict=True))
        if any(legal(view, held, direction) for direction in range(2)):
            yield tuple(hands), aside


def legal(view: Round, held: dict[int, int], direction: int) -> bool:
    """Whether all plays keep to the rules, the first trick that is remembered in this direction."""
    order = Order(direction, view.rules is not None and view.rules.led_kirin_asks_only_kirin)
    hands = dict(held)
    tricks = [(trick.leader, trick.plays) for trick in (*view.tricks, view.current_trick)]
    for leader, plays in tricks:
        for place, card in enumerate(plays):
            if (leader + place) % SEATS in hands:
                hands[(leader + place) % SEATS] |= 1 << card
    leaders = [leader for leader, _ in tricks[1:]]
    for leader, plays in tricks:
        for place, card in enumerate(plays):
            seat = (leader + place) % SEATS
            if seat in hands:
                if not order.playable(hands[seat], plays[:place]) >> card & 1:
                    return False
                hands[seat] &= ~(1 << card)
        if len(plays) == SEATS:
            won_at = order.winner(plays)
            if (leader + (won_at or 0)) % SEATS != leaders.pop(0):  # four kirin: the same seat leads again
                return False
            order = order.after(plays)
    return DIRECTIONS[order.direction] == view.direction


@pytest.mark.parametrize("rules", [None, {"led_kirin_asks_only_kirin": True}], ids=["usual", "only_kirin"])
@pytest.mark.parametrize("seed", range(3))
def test_all_deals_that_agree(seed: int, rules: dict[str, bool] | None) -> None:
    tricks = 1 + seed % 3
    view = parse_position(remembering(to_move(seed, 28 + seed % 3, rules), tricks, gone=4 * (7 - tricks) - 2))
    assert isinstance(view, Round)
    assert view.forgotten == 2
    found = deals(view)
    right = list(consistent(view))
    seats = [(view.seat + step) % SEATS for step in range(1, SEATS)]
    met = set()
    for rank in range(0, found.total, 6):  # orders of the cards set aside
        position: Any = found.position(rank)
        met.add(tuple(position.hand_masks[other] for other in seats))
    assert met == {hands for hands, _ in right}
    assert found.total == 6 * len(right)


def test_no_world_contradicts_what_was_seen_in_the_order_that_it_assumes() -> None:
    """Where the remembered trick fits both orders, each has its own deals, and the worlds are some of these."""
    several = contradicting = 0
    for seed in range(50):
        view = of_kind(Round, parse_position(remembering(to_move(seed, 28 + seed % 3), 1, gone=22)))
        orders = [each.start.rules.direction for each in view.by_order]
        if len(orders) == 1:
            continue
        several += 1
        seats = [(view.seat + step) % SEATS for step in range(1, SEATS)]
        met = set()
        for direction, dealt in zip(orders, deals_by_order(view), strict=True):
            for rank in range(0, dealt.total, 6):
                position: Any = dealt.position(rank)
                hands = {other: position.hand_masks[other] for other in seats}
                assert legal(view, hands, direction)
                met.add(tuple(hands.values()))
        right = {hands for hands, _ in consistent(view)}
        assert met == right
        contradicting += deals(view).total > 6 * len(right)
        cards = athanor.legal_moves(view)
        playing = rounds(deals_by_order(view), [number_of(card) for card in cards], seed)
        for first in range(0, 60, 10):
            playing.play(first, np.empty((10, len(cards), playing.statistics)), np.ones(10))
        noted = playing.witness.noted(60, chained=False)
        assert noted is not None
        for hands in noted.words[:, seats].tolist():
            assert tuple(hand for hand in hands) in right
        for position in positions(view, 20):
            assert tuple(position.hand_masks[other] for other in seats) in right
    assert several > 2
    assert contradicting


def test_an_order_in_which_a_remembered_play_was_illegal_is_not_asked_for() -> None:
    start = "kirin seat=0 declared=G1 hand="
    with pytest.raises(PositionError, match="which order is in force"):
        parse_position(f"{start}D1,S2,S3,S4,B1,B2 history=1:S1,G2,G5,G6")
    # D6 would have had to follow S1 in ascending order.
    view = of_kind(Round, parse_position(f"{start}D6,S2,S3,S4,B1,B2 history=1:S1,B4,B5,G6"))
    assert (view.direction, view.leader, len(view.by_order)) == ("descending", 1, 1)
    # D6 would have had to follow S5 in ascending order, and B1 in descending order.
    with pytest.raises(PositionError, match="had to follow") as caught:
        parse_position(f"{start}D6,S2,S3,S4,B1,B2 history=1:S5,B4,B5,S6")
    assert "which order" not in str(caught.value)


def test_a_led_kirin_asks_only_for_kirin_in_half_a_memory_too() -> None:
    line = "kirin seat=1 hand=D6,S3,S5,S4,B5,B4 declared=D2 leader=2 direction=ascending history=0:G+,G2,B3,S1"
    with pytest.raises(PositionError, match="D6 in hand had to follow"):
        parse_position(line)
    assert of_kind(Round, parse_position(f"{line} rules=led_kirin_asks_only_kirin")).in_part


@pytest.mark.parametrize("seed", range(4))
def test_all_that_is_remembered_is_the_full_view(seed: int) -> None:
    view = to_move(seed, 8 + 4 * seed + seed % 4)
    data = position_data(view)
    cards = [card for trick in data["history"] for card in trick["cards"]]
    counts = [view.count(seat) for seat in range(SEATS)]
    again = parse_position(data | {"tricks": view.over, "gone": cards, "counts": counts})
    assert again == view
    assert not of_kind(Round, again).in_part


def test_a_hint_says_what_is_not_known() -> None:
    found = hinted(remembering(to_move(5, 17), tricks=1, gone=3), 1000)
    assert found.unknown is not None
    assert found.unknown.gone == 9
    assert len(found.unknown.possible_cards) > found.unknown.gone
    text = GAME.notation.write(parse_position(remembering(to_move(5, 17), tricks=1, gone=3)))
    assert hinted(text, 1000).moves == found.moves


def test_the_own_hand_and_the_table_are_enough() -> None:
    found = hinted(f"{TABLE} trick=D1", 50)
    assert found.unknown is not None
    assert found.unknown.gone == 16


def test_voids_are_kept() -> None:
    view = of_kind(Round, parse_position(f"{TABLE} voids=0:D/1:S,G6 trick=1:D6"))
    found = deals(view)
    for number in range(0, found.total, max(1, found.total // 200)):
        position: Any = found.position(number)
        assert not any(card.startswith("D") for card in position.hands[0])
        assert not any(card.startswith("S") or card == "G6" for card in position.hands[1])
    can_be = athanor.possible_moves(view)
    for card in map(name, range(CARDS)):
        if card in can_be:
            athanor.play(view, card)
        else:
            with pytest.raises(MoveError):
                athanor.play(view, card)
    with pytest.raises(MoveError, match="seat 3 cannot play G5: by what you remember, seat 3 has no such cards"):
        athanor.play(f"{TABLE} voids=3:G leader=3", "G5")


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"direction": None}, "direction", "which order is in force"),
        ({"tricks": 3}, "tricks", "according to the hand, 4 tricks are over, not 3"),
        ({"counts": [4, 4, 4, 4]}, "counts", "the hands have"),
        ({"gone": ["D1"] * 2}, "gone[1]", "D1 is in gone[0] already"),
        ({"voids": {"0": ["X"]}}, "voids", "neither a colour"),
        ({"voids": {"3": ["D", "S", "B", "G"]}}, "voids", "no deal agrees"),
    ],
)
def test_faults(changes: dict[str, Any], path: str, message: str) -> None:
    data = position_data(parse_position(f"{TABLE} trick=D6"))
    data = {key: value for key, value in (data | changes).items() if value is not None}
    with pytest.raises(PositionError) as caught:
        parse_position(data)
    assert message in str(caught.value)
    assert caught.value.path.startswith(path)


def mixed_share(scores: dict[int, float], chosen: int, kind: int) -> float:
    """The chance of a choice by a softmax, some choices made at random."""
    total = sum(exp(score) for score in scores.values())
    share = float(MIXED[kind])
    return (1 - share) * exp(scores[chosen]) / total + share / len(scores)


def reference_weight(view: Round, position: Round) -> float:
    """The weight of a deal by the rules' replay of it, card by card."""
    tricks = [*((t.leader, numbers(t.cards)) for t in view.history or ()), (view.leader, numbers(view.trick))]
    held = list(position.state.hands)
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            held[(leader + place) % 4] |= 1 << card
    aside = tuple(map(number_of, position.declared))
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
    weights = (ahead().declare, DECLARE)[kind]
    scores = {
        card: weights[9 + rank_of(card)]
        + sum(weights[rank_of(other)] for other in nine if colour(other) == colour(card) and other != card)
        for card in nine
    }
    return mixed_share(scores, aside, kind)


@cache  # most deals of a view give a seat the same cards as some other does
def valued(own: rules.State, aside: int, gone: int) -> tuple[dict[int, float], dict[int, float]]:
    """What each kind of player thinks of the legal cards of the seat to move, the only one whose hand is given."""
    return Looking(own, aside, gone).values(ahead().net), card_values(own, aside, gone)


def card_values(state: rules.State, aside: int, gone: int) -> dict[int, float]:
    """The player's own values of the legal cards."""
    table, room = table_of(state), new_scratch()
    hand = state.hands[state.to_move]
    unseen = ALL & ~hand & ~gone & ~(1 << aside)
    cards = sorted(state.moves())
    codes = np.array(cards)
    own, kinds = COLOUR_SETS[colour(aside)], 1 << BY_RULES
    value_cards(codes, len(codes), hand, own, unseen, table, np.array(PLAY), ahead().net, kinds, room)
    return {card: float(room.values[BY_RULES * MOST + place]) for place, card in enumerate(cards)}


class Walk:
    """A chain of a view's worlds."""

    def __init__(self, found: Deals, seed: int) -> None:
        self.view = found.view
        self.game = found.game()
        self.chain = self.game.chain
        start_stream(self.chain.random, seed, 0)

    def begin(self) -> None:
        begin_chain(self.game, self.chain)

    def step(self) -> None:
        step_chain(self.game, self.chain)

    def deal(self) -> Deal:
        hands, aside = self.game.world[:ASIDE].tolist(), self.game.world[ASIDE:].tolist()
        for step in range(1, 4):
            seat = (self.view.seat + step) % 4
            hands[seat], aside[seat] = int(self.chain.boxes[step - 1]), int(self.chain.boxes[step + 2])
            aside[seat] = aside[seat].bit_length() - 1
        return tuple(hands), tuple(aside)

    def put(self, deal: Deal) -> None:
        """Move to a deal."""
        for step in range(1, 4):
            seat = (self.view.seat + step) % 4
            self.chain.boxes[step - 1], self.chain.boxes[step + 2] = deal[0][seat], 1 << deal[1][seat]

    def likelihoods(self) -> dict[int, float]:
        """How likely the choices of each other seat are where the chain stands."""
        world = np.array(sum(self.deal(), ()), np.int64)
        return {seat: KERNELS.likelihood(self.game, world, seat) for seat in range(4) if seat != self.view.seat}

    def weight(self) -> float:
        return prod(self.likelihoods().values())


def inner_deal(position: Round) -> Deal:
    return (
        tuple(mask(numbers(hand)) for hand in position.hands),
        numbers(position.declared),
    )


@in_python
@pytest.mark.small
def test_weights_are_those_of_a_replay() -> None:
    for seed in range(3):
        view = seen_by(played(seed, (5 * seed + 3) % 32), seed % 4)
        found = deals(view)
        chain = Walk(found, seed)
        chain.begin()
        for _ in range(3):
            chain.step()
        kept = float(np.prod(chain.chain.chances))
        assert chain.weight() == pytest.approx(kept)
        matches = 0
        for rank in (number_ * 7919 % found.total for number_ in range(2)):
            position = of_kind(Round, found.position(rank))
            chain.put(inner_deal(position))
            assert chain.weight() == pytest.approx(reference_weight(view, position), rel=1e-4)
            matches += 1
        assert matches == 2


@in_python
@pytest.mark.small
def test_what_is_kept_of_a_hand_is_what_would_be_found_again(amount: Amount) -> None:
    chain = Walk(deals(seen_by(played(2, 14), 1)), 5)
    chain.begin()
    for _ in range(amount(60)):
        chain.step()
        kept = chain.likelihoods()
        by_kind = chain.game.found.tolist()
        chain.game.kept.keys[:] = 0
        assert chain.likelihoods() == kept
        assert chain.game.found.tolist() == by_kind
        assert sum(by_kind) == kept[3]


@kernel
def walk(game: Game, passed: Words) -> None:
    """Begin a chain and step on, and write down the boxes after each step: all in one kernel compiles sooner."""
    begin_chain(game, game.chain)
    for step in range(len(passed)):
        step_chain(game, game.chain)
        for index in range(len(game.chain.boxes)):
            passed[step, index] = game.chain.boxes[index]


def test_worlds_come_in_proportion_to_their_weights() -> None:
    """One long chain over the deals of small endings: a deal's share of the time is its share of the weights."""
    tried = 0
    for seed in range(80):
        view = seen_by(played(seed, 28), seed % 4)
        found = deals(view)
        if not 40 < found.total <= 150:
            continue
        tried += 1
        weights, chain = {}, Walk(found, seed)
        for rank in range(found.total):
            position = of_kind(Round, found.position(rank))
            chain.put(inner_deal(position))
            weights[tuple(chain.chain.boxes.tolist())] = chain.weight()
        total = sum(weights.values())
        steps = 12_000
        passed = np.zeros((steps, len(chain.chain.boxes)), np.int64)
        walk(chain.game, passed)
        met, times = np.unique(passed, axis=0, return_counts=True)
        counts = Counter(dict(zip(map(tuple, met.tolist()), times.tolist(), strict=True)))
        assert set(counts) <= set(weights)
        off = sum(abs(counts[deal] / steps - weight / total) for deal, weight in weights.items()) / 2
        uniform = sum(abs(1 / len(weights) - weight / total) for weight in weights.values()) / 2
        assert off < 0.1
        assert uniform > 0.5
        break
    assert tried == 1
