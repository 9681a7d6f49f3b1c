"""Analyses and hints of Whist: what `PlainSearch` needs, with states in the form that the search reads."""

from __future__ import annotations

from collections import Counter

import numpy as np

from solver.common import members
from solver.hints.ranking import Unit
from solver.search.rules import ATTEMPTS, TABLE
from solver.search.suits import room
from solver.search.trick_rules import SWITCHES, ScoreRules
from solver.tricks.analysis import Encoded
from solver.tricks.plain import PlainSearch, State, points
from whist import GAME, fast_rules
from whist.position import Round, deal
from whist.rules import SEATS, SUITS, Whist, suit_of

RULES = ScoreRules(
    game="whist",
    state_words=fast_rules.STATE_WORDS,
    most_moves=fast_rules.MOST_MOVES,
    point_bits=fast_rules.POINT_BITS,
    key_bits=fast_rules.KEY_BITS,
    boundary=fast_rules.boundary,
    size=fast_rules.size,
    maximises=fast_rules.maximises,
    play=fast_rules.play,
    key=fast_rules.key,
    in_play=fast_rules.size,  # one point per trick
    legal=fast_rules.legal,
    estimate=fast_rules.estimate,
    moves=fast_rules.moves,
)


def encode(state: State, player: int, allies: bool) -> Encoded[int]:
    """Encode a state for a search of the tricks that the player's side wins.

    With `allies`, all seats cooperate with the player.
    """
    assert isinstance(state.rules, Whist)
    hands = list(state.hands)
    for place, card in enumerate(state.trick):
        hands[(state.leader + place) % SEATS] |= 1 << card
    numbers = {card: number for number, card in enumerate(members(sum(hands)))}
    lengths = Counter(map(suit_of, numbers)).values()
    words = np.zeros(fast_rules.DEAL_WORDS + room(lengths), np.int64)
    words[SWITCHES] = TABLE | ATTEMPTS  # parts of the search that are on
    words[fast_rules.PLAYER] = player
    words[fast_rules.ALLIES] = allies
    words[fast_rules.TRUMP] = len(SUITS) if state.rules.trump is None else state.rules.trump
    for card, number in numbers.items():
        words[fast_rules.SUITS + suit_of(card)] |= 1 << number
    for seat, hand in enumerate(hands):
        words[fast_rules.HANDS + seat] = sum(1 << numbers[card] for card in members(hand))
    node = np.zeros(fast_rules.STATE_WORDS, np.int64)
    node[fast_rules.LIVE] = (1 << len(numbers)) - 1
    node[fast_rules.LEADER] = state.leader
    for card in state.trick:
        fast_rules.play(words, node.copy(), 0, node, 0, numbers[card])
    return Encoded(words, node, points(state)[player], numbers)


SEARCH = PlainSearch(
    kind=Round,
    deal=deal,
    encode=encode,
    rules=RULES,
    policy=fast_rules.policy,
    sides=GAME.sides,
    unit=Unit("{amount} trick", "{amount} tricks", 0.05),
)
analyze, hint, warm = SEARCH.analyze, SEARCH.hint, SEARCH.warm
