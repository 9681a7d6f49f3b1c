"""King's moves with the words after them, against the rules in plain Python played one by one."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from solver.games.king.deck import KIND
from solver.games.king.fast_rules import deal_words, move_of, node_words, round_words
from solver.games.king.rules import legal_moves, play
from solver.games.king.search import Ways
from tests.games.king.random_positions import random_deck
from tests.games.king.rounds import round_at


@pytest.mark.small
def test_moves_are_the_rules_with_the_same_words_after_them(amount: Callable[[int], int]) -> None:
    rng = random.Random("ways")
    for number in range(amount(40)):
        state = round_at(rng, rng.randint(3, 5), 3, KIND.read(random_deck(rng)) if number % 2 else None)
        deal = deal_words(state, rng.randrange(state.players), allies=False)
        ways = Ways(deal)
        count = ways.of(state)
        while not state.over:
            moves = legal_moves(state)
            assert [move_of(state, code) for code in ways.codes[:count].tolist()] == moves
            for place, move in enumerate(moves):
                after = play(state, move)
                assert ways.nodes[place].tolist() == node_words(after, deal).tolist()
                assert ways.rounds[place + 1].tolist() == round_words(after, deal).tolist()
            place = rng.randrange(count)
            state = play(state, moves[place])
            count = ways.after(place)
        assert count == 0
