"""Aqua Regia's rules as kernels, move by move against the rules in plain Python, and what bounds a search."""

from __future__ import annotations

import random

import numpy as np
import pytest

from solver.errors import RequestError
from solver.games.aqua_regia import fast_rules, rules
from solver.games.aqua_regia.deck import Deck, house
from solver.games.aqua_regia.fast_rules import ALL_SWITCHES, Deal, deal_of, node_of
from solver.games.aqua_regia.position import KnownPosition
from solver.games.aqua_regia.rules import State
from solver.games.aqua_regia.search import sure_winner
from solver.kernels.words import Words
from tests.games.aqua_regia.random_positions import either, random_position, random_table
from tests.reference import aqua as reference


def numbers(deal: Deal, node: Words) -> list[int]:
    found = np.zeros(deal.moves, np.int64)
    count = fast_rules.moves(deal.words, node, 0, found, 0, 1)
    return [int(move) for move in found[:count]]


def random_state(rng: random.Random, players: int | None = None) -> tuple[Deck, State]:
    while True:
        try:
            table = random_table(rng) if rng.random() < 0.5 else None
            data = random_position(rng, players=players, deck=table, rules=either(rng))
        except ValueError:
            continue
        position = KnownPosition.model_validate(data)
        return position.metals, position.state


def key(deal: Deal, node: Words) -> tuple[int, int]:
    return int(fast_rules.digest(deal.words, node, 0, 0)), int(fast_rules.digest(deal.words, node, 0, 1))


@pytest.mark.covered
@pytest.mark.small
def test_random_games_step_by_step() -> None:
    rng = random.Random(1)
    for _ in range(60):
        deck, state = random_state(rng)
        deal = deal_of(deck, state, "paranoid")
        node = node_of(deal, state)
        length = 0
        while state.winner is None:
            moves = numbers(deal, node)
            assert [deal.move_of(move) for move in moves] == rules.legal_moves(deck, state)
            assert moves == sorted(moves)
            assert len(moves) <= deal.moves
            move = rng.choice(moves)
            state = rules.play(deck, state, deal.move_of(move))
            child = np.zeros_like(node)
            fast_rules.play(deal.words, node, 0, child, 0, move)
            node = child
            length += 1
            if state.winner is None:
                # The stock is the deal's; the state's own is what is left of it.
                assert int(node[fast_rules.STATUS] >> fast_rules.DRAWN) & 1023 == deal.words[
                    fast_rules.STOCKED
                ] - len(state.stock)
                fresh = node_of(deal, state)
                fresh[fast_rules.STATUS] |= node[fast_rules.STATUS] & (1023 << fast_rules.DRAWN)
                assert fresh.tolist() == node.tolist()
        assert node[fast_rules.STATUS] >> fast_rules.OUT == state.winner + 1
        assert length <= deal.depth


@pytest.mark.small
def test_a_sure_winner_can_force_it() -> None:
    rng = random.Random(2)
    seen = 0
    while seen < 40:
        data = random_position(rng, cards=rng.randint(3, 6), stock=rng.choice((0, 0, 1, 2)))
        data["discard"] = data["discard"][:4]
        position = KnownPosition.model_validate(data)
        state = position.state
        deal = deal_of(position.metals, state, "paranoid", switches=ALL_SWITCHES)
        node = np.concatenate((node_of(deal, state), np.zeros(200, np.int64)))
        winner = sure_winner(deal.words, node, 0)
        if winner < 0:
            continue
        seen += 1
        assert winner == state.turn
        table, now = reference.load(data)
        assert reference.value(table, now, "paranoid") == 1, data


@pytest.mark.small
def test_keys_tell_nodes_apart_but_for_cards_that_cannot_matter() -> None:
    deck = house()
    base = State(
        hands=(deck.counts([5, 9]), deck.counts([6, 6, 15])), turn=0, field=3, discard=deck.counts([2, 7, 12, 12])
    )
    others = [
        State(base.hands, 1, 3, discard=base.discard),
        State(base.hands, 0, 2, discard=base.discard),
        State(base.hands, 0, 3, True, discard=base.discard),
        State(base.hands[::-1], 0, 3, discard=base.discard),
        State(base.hands, 0, 3, discard=deck.counts([2, 7, 12])),
        State(base.hands, 0, 3, discard=deck.counts([2, 7, 7, 12, 12])),
    ]
    deal = deal_of(deck, State(base.hands, 0, 3, discard=deck.counts([2, 2, 4, 7, 7, 12, 12])), "paranoid")
    keys = [key(deal, node_of(deal, state)) for state in (base, *others)]
    assert len(set(keys)) == len(keys)
    assert len({word for pair in keys for word in pair}) == 2 * len(keys)
    # Nothing in hands is weaker than these, so nobody can take them.
    same = State(base.hands, 0, 3, discard=deck.counts([2, 2, 4, 7, 12, 12]))
    assert key(deal, node_of(deal, same)) == keys[0]


def test_a_deck_that_does_not_fit_the_search_is_refused() -> None:
    rng = random.Random(3)
    data = random_position(rng, players=2, cards=40, deck=random_table(rng, metals=40, copies=4), crowded=False)
    position = KnownPosition.model_validate(data)
    with pytest.raises(RequestError, match="metals of up to 4 cards are too many") as caught:
        deal_of(position.metals, position.state, "paranoid")
    assert caught.value.code == "too_large"
    assert caught.value.path == "deck"


@pytest.mark.small
@pytest.mark.parametrize(("metals", "copies"), [(63, 1), (31, 3), (21, 7), (15, 9)])
def test_the_widest_decks_that_fit(metals: int, copies: int) -> None:
    rng = random.Random(4)
    data = random_position(
        rng, players=3, cards=metals * copies // 2, stock=9, deck=random_table(rng, metals, copies), crowded=False
    )
    position = KnownPosition.model_validate(data)
    deck, state = position.metals, position.state
    deal = deal_of(deck, state, "paranoid")
    node = node_of(deal, state)
    while state.winner is None:
        moves = numbers(deal, node)
        assert [deal.move_of(move) for move in moves] == rules.legal_moves(deck, state)
        plays = [move for move in moves if move < fast_rules.PASS]
        move = rng.choice(plays or moves)
        state = rules.play(deck, state, deal.move_of(move))
        child = np.zeros_like(node)
        fast_rules.play(deal.words, node, 0, child, 0, move)
        node = child
