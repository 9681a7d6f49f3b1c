"""What the learned player is told of a choice, and what its network makes of it."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest

from solver.common.masks import mask, members
from solver.common.rng import Random
from solver.games.king import GAME
from solver.games.king.cards import rules
from solver.games.king.cards.deck import SUITS, TRUMP, Deck
from solver.games.king.cards.rules import Play
from solver.games.king.fast_rules.encode import move_of
from solver.games.king.players.kinds import ALL_PLAYS
from solver.games.king.players.learned.context_inputs import CONTEXT, context_inputs
from solver.games.king.players.learned.hand_inputs import Sight
from solver.games.king.players.learned.play_inputs import PLAY_INPUTS, play_inputs
from solver.games.king.players.learned.reach import MINE, MOST, THEIRS, swing
from solver.games.king.players.learned.thinking import Brain, think, thought
from solver.games.king.players.learned.views import sight_of
from solver.games.king.players.policy import Room, new_room, play_values, plays
from solver.games.king.players.setting import setting
from solver.games.king.positions.known import KnownPosition, View
from solver.hints.learned.forward import inputs
from solver.hints.learned.network import Singles, outputs
from tests.games.king.random_positions import random_deck
from tests.support.networks import random_network

pytestmark = pytest.mark.small


def _views() -> list[View]:
    """Views of who is to play a card, in rounds of any number of players, with the house deck and random ones."""
    import random as plain

    found = []
    for seed, players in enumerate((3, 4, 5, 4)):
        random = Random(seed)
        deck = "house" if seed == 0 else random_deck(plain.Random(seed))
        position = GAME.deal(seed, players=players, variant="picked", deck=deck)
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
