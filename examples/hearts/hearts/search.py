"""Analyses and hints of Hearts: what `PlainSearch` needs, with states in the form that the search reads."""

from __future__ import annotations

import numpy as np

from hearts import fast_rules
from hearts.position import Round, deal
from hearts.rules import IN_SUIT, MOST_POINTS, QUEEN, SEATS, TWO, Hearts, cost
from solver.common import members
from solver.search.rules import ATTEMPTS, PROOF_NUMBERS, TABLE
from solver.search.suits import room
from solver.search.trick_rules import SWITCHES, ScoreRules
from solver.tricks.analysis import Encoded
from solver.tricks.plain import PlainSearch, State, points

RULES = ScoreRules(
    game="hearts",
    state_words=fast_rules.STATE_WORDS,
    most_moves=fast_rules.MOST_MOVES,
    point_bits=fast_rules.POINT_BITS,
    key_bits=fast_rules.KEY_BITS,
    boundary=fast_rules.boundary,
    size=fast_rules.size,
    maximises=fast_rules.maximises,
    play=fast_rules.play,
    key=fast_rules.key,
    in_play=fast_rules.in_play,
    legal=fast_rules.legal,
    moves=fast_rules.moves,
)


def encode(state: State, player: int, allies: bool) -> Encoded[int]:
    """Encode a state for a search of the points that the player keeps.

    With `allies`, all seats help the player.
    """
    rules = state.rules
    assert isinstance(rules, Hearts)
    hands = list(state.hands)
    for place, card in enumerate(state.trick):
        hands[(state.leader + place) % SEATS] |= 1 << card
    left = sum(hands)
    numbers = {card: number for number, card in enumerate(members(left))}

    def renumbered(cards: int) -> int:
        return sum(1 << numbers[card] for card in members(cards & left))

    suits = [renumbered(suit) for suit in IN_SUIT]
    words = np.zeros(fast_rules.DEAL_WORDS + room(map(int.bit_count, suits)), np.int64)
    small = len(numbers) <= fast_rules.MOST_IN_KEYS
    words[SWITCHES] = TABLE | ATTEMPTS | (PROOF_NUMBERS if small else 0)  # parts of the search that are on
    words[fast_rules.PLAYER], words[fast_rules.ALLIES] = player, allies
    words[fast_rules.CARDS] = len(numbers)
    words[fast_rules.FIRST], words[fast_rules.BROKEN] = rules.first, rules.broken
    words[fast_rules.QUEEN], words[fast_rules.TWO] = renumbered(QUEEN), renumbered(TWO)
    words[fast_rules.SUITS : fast_rules.HANDS] = suits
    words[fast_rules.HANDS : fast_rules.QUEEN] = [renumbered(hand) for hand in hands]
    takers = [seat for seat, pile in enumerate(state.won) if cost(pile)]
    moon = rules.moon and len(takers) < 2 and cost(sum(state.won) | left) == MOST_POINTS
    node = np.zeros(fast_rules.STATE_WORDS, np.int64)
    node[fast_rules.LIVE] = (1 << len(numbers)) - 1
    node[fast_rules.LEADER] = state.leader
    node[fast_rules.TAKER] = fast_rules.SEVERAL
    if moon:
        node[fast_rules.TAKER] = takers[0] + 1 if takers else fast_rules.NOBODY
    for card in state.trick:
        fast_rules.play(words, node.copy(), 0, node, 0, numbers[card])
    least = -MOST_POINTS if moon and cost(left) else points(state)[player] - cost(left)
    return Encoded(words, node, least, numbers)


SEARCH = PlainSearch(kind=Round, deal=deal, encode=encode, rules=RULES, policy=fast_rules.policy)
analyze, hint, warm = SEARCH.analyze, SEARCH.hint, SEARCH.warm
