"""From a state of the rules to the words of the search × Alchemy."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from solver.common.masks import members
from solver.games.king.cards.deck import CARDS, TRUMP, Deck
from solver.games.king.cards.rules import Move, Play, State, Taking
from solver.games.king.compounding.tables import KEPT_DECKS, tables
from solver.games.king.fast_rules import kernel
from solver.games.king.fast_rules.kernel import (
    ALLIES,
    CAPTORS,
    CAPTURES,
    HANDS,
    LATE_TRUMP,
    LEVELS,
    LIVE,
    LOWER,
    NAMED,
    NO_BOTTOM,
    OWNER,
    PILE,
    PLAYER,
    PLAYERS,
    POINTS,
    PROBE_NODES,
    PROBE_TRICKS,
    RANK,
    READINGS,
    STATE_WORDS,
    SUIT,
    SUIT_CARDS,
    TABLES,
    THE_DANCER,
    WON,
)
from solver.games.king.fast_rules.round_kernel import NOBODY, NODE_WORDS, PILES, SCORES, TAKES
from solver.games.king.fast_rules.switches import ALL_SWITCHES
from solver.kernels.arrays import Words
from solver.search.tricks.words import SWITCHES

# A wrong move of four opponents is the dearest to refute; with fewer of them rounds do not pay.
_PROBE_NODES = {3: 0, 4: 0, 5: 256}
_PROBE_TRICKS = 4


@lru_cache(maxsize=KEPT_DECKS)
def _deck_words(deck: Deck) -> Words:
    """What every deal of a deck shares."""
    recipes = tables(deck)
    words = np.zeros(TABLES + len(recipes), np.int64)
    words[TABLES:] = recipes
    words[THE_DANCER] = deck.dancer
    readings = deck.readings
    words[READINGS] = LATE_TRUMP * readings.late_trump_does_not_lift + NO_BOTTOM * readings.no_bottom_when_trumped
    words[SUIT_CARDS : SUIT_CARDS + len(deck.of_suit)] = deck.of_suit
    numbers = [card.number for card in deck.cards]
    ranks = {number: rank for rank, number in enumerate(sorted(set(numbers)))}
    for card, face in enumerate(deck.cards):
        words[SUIT + card] = face.suit
        words[RANK + card] = ranks[face.number]
        words[LOWER + card] = sum(1 << other for other in range(CARDS) if numbers[other] < face.number)
        words[POINTS + card] = face.vp
    _enter_captures(deck, words)
    return words


def _enter_captures(deck: Deck, words: Words) -> None:
    """Which cards a card may take when it wins, and the cards by their points."""
    trumps, dancer = deck.of_suit[TRUMP], 1 << deck.dancer
    for card, face in enumerate(deck.cards):
        lower = int(words[LOWER + card])
        if card != deck.dancer:
            # Next to a trump no card of a suit wins; next to a trump and the Dancer no trump, unless it came later
            # and does not lift the Dancer.
            lower &= ~(trumps if face.suit != TRUMP else 0 if deck.readings.late_trump_does_not_lift else dancer)
        words[CAPTURES + card] = lower
        for other in members(lower):
            words[CAPTORS + other] |= 1 << card
    levels = sorted({face.vp for face in deck.cards} - {0}, reverse=True)
    words[LEVELS] = len(levels)
    for level, worth in enumerate(levels):
        words[LEVELS + 1 + 2 * level] = worth
        words[LEVELS + 2 + 2 * level] = sum(1 << card for card, face in enumerate(deck.cards) if face.vp == worth)


def deal_words(state: State, player: int, *, allies: bool, switches: int = ALL_SWITCHES) -> Words:
    """The constants of the deal that `state` belongs to, for one player and a search with these switches on."""
    deal = _deck_words(state.deck).copy()
    deal[SWITCHES] = switches
    deal[PLAYER] = player
    deal[PLAYERS] = state.players
    deal[ALLIES] = int(allies)
    deal[PROBE_NODES] = _PROBE_NODES[state.players]
    deal[PROBE_TRICKS] = _PROBE_TRICKS
    for seat, hand in enumerate(dealt(state)):
        deal[HANDS + seat] = hand
        for card in members(hand):
            deal[OWNER + card] = seat
    return deal


def dealt(state: State) -> list[int]:
    """The hands with the cards that they have on the table."""
    hands = list(state.hands)
    for place, play in enumerate(state.trick):
        hands[(state.leader + place) % state.players] |= 1 << play.card
    return hands


def round_words(state: State, deal: Words) -> Words:
    """The node of a state with every seat's pile and points: for `maxn`, and for games played out."""
    node = np.zeros(NODE_WORDS, np.int64)
    kernel.start_trick(node, 0, state.leader)
    for hand in dealt(state):
        node[LIVE] |= hand
    for play in state.trick:
        kernel.lay(deal, node, 0, code(state, play))
    if state.full:
        kernel.judge(deal, node, 0)
    for seat, pile in enumerate(state.won):
        node[PILES + seat] = pile
        node[SCORES + seat] = state.deck.vp(pile)
    return node


def move_of(state: State, code: int) -> Move:
    """The move that a number of the search with every seat's pile means."""
    if code & TAKES:
        cards = [code >> shift & 63 for shift in (8, 14, 20)]
        given = None if cards[2] == NOBODY else cards[2]
        return Taking(tuple(card for card in cards[:2] if card != NOBODY), given)
    if code >= NAMED:
        return Play(state.deck.dancer, code - NAMED)
    return Play(code, state.deck.cards[code].suit)


def code(state: State, play: Play) -> int:
    """The search's number of a play."""
    return NAMED + play.suit if play.card == state.deck.dancer else play.card


def node_words(state: State, deal: Words) -> Words:
    """The node of a state, with the trick played card by card; a full trick without a choice has ended."""
    node = np.zeros(STATE_WORDS, np.int64)
    player = int(deal[PLAYER])
    kernel.start_trick(node, 0, state.leader)
    for hand in dealt(state):
        node[LIVE] |= hand
    node[PILE] = state.won[player]
    node[WON] = state.deck.vp(state.won[player])
    for play in state.trick:
        child = np.zeros(STATE_WORDS, np.int64)
        kernel.play(deal, node, 0, child, 0, code(state, play))
        node = child
    return node
