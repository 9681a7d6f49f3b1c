"""What the learned player is told of a choice, and what its network makes of it."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest

from solver.common import Random, mask, members
from solver.games.king import GAME, players, rules
from solver.games.king.deck import SUITS, TRUMP, Deck
from solver.games.king.fast_rules import move_of
from solver.games.king.learned import (
    CONTEXT,
    MINE,
    MOST,
    PICK_INPUTS,
    PLAY_INPUTS,
    TAKE_INPUTS,
    THEIRS,
    Brain,
    Head,
    Heads,
    Sight,
    code_of,
    context_inputs,
    pick_inputs,
    pick_or_take,
    play_inputs,
    sight_of,
    swing,
    taking_inputs,
    think,
    thought,
    trial,
)
from solver.games.king.players import ALL_PLAYS, PICK, Room, new_room, play_values, plays, setting
from solver.games.king.position import KnownPosition, PickPosition, PickView, View
from solver.games.king.rules import Play, Taking
from solver.hints.network import Singles, inputs, outputs
from tests.games.king.random_positions import random_deck
from tests.support.marks import in_python
from tests.support.networks import random_network

pytestmark = pytest.mark.small


def _views() -> list[View]:
    """Views of who is to play a card, in rounds of any number of players, with the house deck and random ones."""
    import random as plain

    found = []
    for seed, seats in enumerate((3, 4, 5, 4)):
        random = Random(seed)
        deck = "house" if seed == 0 else random_deck(plain.Random(seed))
        position = GAME.deal(seed, players=seats, variant="picked", deck=deck)
        assert isinstance(position, KnownPosition)
        while not position.state.over:
            if not position.trick_is_full and random.below(4) == 0:
                view = GAME.view(position, position.seat_to_move)
                assert isinstance(view, View)
                found.append(view)
            moves = GAME.legal_moves(position)
            after = GAME.play(position, moves[random.below(len(moves))])
            assert isinstance(after, KnownPosition)
            position = after
    return found


VIEWS = _views()


def _told(view: View) -> tuple[Sight, Room, Singles, list[Play]]:
    """What the network is told of each play, a row each."""
    seen, room, rows, made, _ = _told_in_order(view)
    return seen, room, rows, made


def _told_in_order(view: View) -> tuple[Sight, Room, Singles, list[Play], list[int]]:
    """The same, and the order in which the inputs that all plays share are told."""
    seen, room, noted = sight_of(view), new_room(), inputs(PLAY_INPUTS)
    asks = view.seat, view.hand_mask, view.unseen
    count = plays(seen.values.deal, seen.node, view.hand_mask, room.codes)
    play_values(seen.values, seen.node, *asks, ALL_PLAYS, count, room)
    best = float(room.values[:count].max())
    rows = np.zeros((count, PLAY_INPUTS), np.float32)
    context_inputs(seen, *asks, room, best, noted)
    rows[:, noted.places[: noted.many[0]]] = noted.values[: noted.many[0]]
    order = noted.places[: noted.many[0]].tolist()
    for place in range(count):
        play_inputs(seen, *asks, room, place, best, noted)
        assert (noted.places[: noted.many[0]] >= CONTEXT).all()
        rows[place, noted.places[: noted.many[0]]] = noted.values[: noted.many[0]]
    nobody = (0,) * view.players
    state = rules.State(view.full_deck, nobody, view.leader, (), nobody)
    moves = [move_of(state, int(code)) for code in room.codes[:count]]
    return seen, room, rows, [move for move in moves if isinstance(move, Play)], order


def test_a_play_is_worth_what_the_network_makes_of_it_to_the_bit() -> None:
    brain = Brain(random_network(1, PLAY_INPUTS, 6, 5, 1), np.array([0.25]), ALL_PLAYS)
    mind, room = thought(brain.net), new_room()
    for view in VIEWS[::4]:
        _, by_rule, rows, made, order = _told_in_order(view)
        order += [place for place in range(PLAY_INPUTS) if place not in order]
        seen = sight_of(view)
        think(brain, seen, view.seat, view.hand_mask, view.unseen, len(made), _with_codes(room, by_rule), mind)
        net = brain.net._replace(first=brain.net.first[order])
        expected = outputs(net, np.ascontiguousarray(rows[:, order]))[:, 0] + 0.25 * by_rule.values[: len(made)]
        assert mind.worth[: len(made)].tolist() == expected.tolist()


def _with_codes(room: Room, of: Room) -> Room:
    room.codes[:] = of.codes
    return room


def test_what_the_rules_tell_is_told() -> None:
    for view in VIEWS:
        deck, trick = view.full_deck, view.plays
        _, _, rows, made = _told(view)
        others = [pile for seat, pile in enumerate(view.piles) if seat != view.seat]
        assert rows[0, view.players - 3] == 1
        assert rows[0, 7] == pytest.approx(0.1 * deck.vp(view.piles[view.seat]), abs=2e-4)
        assert rows[0, 8] == pytest.approx(0.1 * max(map(deck.vp, others)), abs=2e-4)
        later = [(view.leader + place) % view.players for place in range(len(trick) + 1, view.players)]
        for row, play in zip(rows[:, CONTEXT + 16 :], made, strict=True):
            suit = play.suit
            wins = rules.winner(deck, (*trick, play)) == len(trick)
            assert row[3] == wins
            assert row[5] == pytest.approx(0.2 * deck.cards[play.card].vp, abs=2e-4)
            void = [seat for seat in later if suit < SUITS and view.past.excluded(seat) & deck.of_suit[suit]]
            assert row[24] == pytest.approx(0.33 * len(void), abs=2e-4)
            assert row[25] == (not trick or suit == trick[0].suit)


def _comes(view: View, card: int) -> float:
    """The chance that a card comes to the seat that asks."""
    deck = view.full_deck
    if not view.hand_mask >> card & 1:
        return 1 / view.players
    face = deck.cards[card]
    if face.suit >= TRUMP:
        return 0.7
    of_suit = [other for other in members(view.unseen) if deck.cards[other].suit == face.suit]
    under = sum(deck.cards[other].number < face.number for other in of_suit)
    return 0.15 + (0.5 * under / len(of_suit) if of_suit else 0)


def _chance_of_ingredient(view: View, open_cards: list[int], asks: bool, kind: str) -> float:
    cards = [card for card in open_cards if view.full_deck.cards[card].provides == kind]
    return max(0.01, 1 - prod(1 - (_comes(view, card) if asks else 1 / view.players) for card in cards))


def _lacking(deck: Deck, pile: int, needs: tuple[str, ...]) -> list[str]:
    """Of each ingredient as many as the pile does not have."""
    lacking = []
    for kind in sorted(set(needs)):
        units = sum(deck.cards[card].provides == kind for card in members(pile))
        lacking += [kind] * max(0, needs.count(kind) - units)
    return lacking


def test_the_chances_of_recipes_are_those_of_what_they_lack() -> None:
    for view in VIEWS:
        deck = view.full_deck
        seen = _told(view)[0]
        open_cards = list(members(view.hand_mask | view.unseen | mask(play.card for play in view.plays)))
        kinds = sorted({face.provides for face in deck.cards if face.provides})
        for asks, at in ((True, MINE), (False, THEIRS)):
            told = seen.reach[at : at + len(kinds)].tolist()
            assert told == pytest.approx(
                [_chance_of_ingredient(view, open_cards, asks, kind) for kind in kinds], abs=1e-9
            )
        carriers = [card for card, face in enumerate(deck.cards) if face.recipe]
        for seat, pile in enumerate(view.piles):
            asks = seat == view.seat
            for number, card in enumerate(carriers):
                recipe = deck.cards[card].recipe
                assert recipe is not None
                chance = 1.0 if pile >> card & 1 else 0.0
                if card in open_cards:
                    chance = _comes(view, card) if asks else 1 / view.players
                for kind in _lacking(deck, pile, recipe.needs):
                    chance *= _chance_of_ingredient(view, open_cards, asks, kind)
                assert seen.reach[seat * MOST + number] == pytest.approx(chance, abs=1e-9)


def test_a_card_that_serves_no_recipe_is_worth_its_points() -> None:
    view = VIEWS[0]
    seen, deck = _told(view)[0], view.full_deck
    values = setting(view).values
    for card in members(view.hand_mask):
        worth = swing(values, view.seat, view.seat, card, seen.reach)
        assert worth >= deck.cards[card].vp
        if deck.cards[card].recipe is None and deck.cards[card].provides is None:
            assert worth == deck.cards[card].vp


def _sharing_views() -> list[View | PickView]:
    """Views of who is to pick, and of who is to take with several ways to."""
    import random as plain

    found: list[View | PickView] = []
    for seed, seats in enumerate((3, 4, 5)):
        random = Random(seed)
        deck = "house" if seed == 0 else random_deck(plain.Random(seed))
        dealt = GAME.deal(seed, players=seats, variant="unpicked", deck=deck)
        assert isinstance(dealt, PickPosition)
        picking = GAME.view(dealt, dealt.seat)
        assert isinstance(picking, PickView)
        found.append(picking)
        position = GAME.deal(seed, players=seats, variant="picked", deck=deck)
        assert isinstance(position, KnownPosition)
        while not position.state.over:
            moves = GAME.legal_moves(position)
            if position.trick_is_full and len(moves) > 1:
                view = GAME.view(position, position.seat_to_move)
                assert isinstance(view, View)
                found.append(view)
            after = GAME.play(position, moves[random.below(len(moves))])
            assert isinstance(after, KnownPosition)
            position = after
    return found


@in_python
def test_a_pick_and_a_taking_are_worth_what_a_network_makes_of_what_is_left_after_it() -> None:
    pick, take = (Head(random_network(2, told, 6, 5, 1), np.array([0.25])) for told in (PICK_INPUTS, TAKE_INPUTS))
    heads = Heads(pick, take, np.array(PICK), ALL_PLAYS)
    for view in _sharing_views():
        deck, seat = view.full_deck, view.seat
        moves = GAME.legal_moves(view)
        picks = isinstance(view, PickView)
        piles = [0] * view.players if isinstance(view, PickView) else list(view.piles)
        seen, room = sight_of(view), new_room()
        tried = trial(seen.values, pick.net)
        count = pick_or_take(heads, seen, seat, view.hand_mask, view.unseen, picks, 1.0, room, tried)
        ways = {
            move if isinstance(move, Play) else move.taken for move in moves if isinstance(move, Play | Taking)
        }
        assert count == len(ways)
        chances, codes, by_rule = tried.worth[:count].copy(), room.codes[:count].tolist(), room.values.copy()
        assert chances.sum() == pytest.approx(1)
        expected = []
        judged = [move for move in moves if code_of(view, move) in codes]
        assert len(judged) == count
        for move in judged:
            place = codes.index(code_of(view, move))
            if isinstance(move, Play):
                gained, got = {seat: 1 << move.card}, PICK_INPUTS
                best = float(by_rule[:count].max())
                pick_inputs(seen, seat, view.hand_mask, view.unseen, room, place, best, ALL_PLAYS, tried)
            else:
                assert isinstance(view, View)
                gained, got = dict(rules.gains(deck, view.leader, view.plays, move)), TAKE_INPUTS
                taking_inputs(
                    seen, view.hand_mask, view.unseen, codes[place], by_rule[place] > 0, ALL_PLAYS, tried
                )
            row = np.zeros((1, got), np.float32)
            many = int(tried.told.many[0])
            told = tried.told.places[:many].tolist()
            row[0, told] = tried.told.values[:many]
            after = [piles[other] | gained.get(other, 0) for other in range(view.players)]
            others = [deck.vp(pile) for other, pile in enumerate(after) if other != seat]
            assert row[0, 7] == pytest.approx(0.1 * deck.vp(after[seat]), abs=2e-4)
            assert row[0, 8] == pytest.approx(0.1 * max(others), abs=2e-4)
            if isinstance(move, Play):
                assert row[0, CONTEXT + 8 + 2] == pytest.approx(0.2 * deck.cards[move.card].vp, abs=2e-4)
                assert row[0, CONTEXT + 8 + 11] == (view.leader == seat)
            else:
                points = sum(deck.cards[card].vp for card in move.taken)
                assert row[0, CONTEXT + 2] == pytest.approx(0.2 * points, abs=2e-4)
                assert row[0, CONTEXT + 5] == (move.given is not None)
            order = told + [other for other in range(got) if other not in told]
            head = pick if picks else take
            net = head.net._replace(first=head.net.first[order])
            value = outputs(net, np.ascontiguousarray(row[:, order]))[0, 0]
            expected.append((place, float(value) + 0.25 * float(by_rule[place])))
        found = np.array([value for _, value in sorted(expected)])
        softmax = np.exp(found - found.max())
        assert chances.tolist() == pytest.approx((softmax / softmax.sum()).tolist(), abs=1e-9)
        if not picks:  # the plausible player takes in one way
            plausible = players.chances(view, judged)
            assert [by_rule[codes.index(code_of(view, move))] for move in judged] == plausible
