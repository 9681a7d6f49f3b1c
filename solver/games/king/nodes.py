"""From a state of the rules to the words of the search, and the search instantiated for King × Alchemy."""

from __future__ import annotations

from functools import cache

import numpy as np

from solver.games.king import bounds, kernel, kernel_maxn, kernel_moves
from solver.games.king.compound_tables import tables
from solver.games.king.deck import CARDS, members
from solver.games.king.kernel import (
    ALLIES,
    HANDS,
    LIVE,
    LOWER,
    NAMED,
    OWNER,
    PILE,
    PLAYER,
    PLAYERS,
    POINTS,
    RANK,
    STATE_WORDS,
    SUIT,
    SUIT_CARDS,
    TABLES,
    THE_DANCER,
    WON,
)
from solver.games.king.rules import Play, State
from solver.search.trick import SWITCHES, Words
from solver.search.trick_prover import of_this_thread
from solver.search.trick_soft import HISTORY, TABLE
from solver.search.trick_worth import SoftKernels, Worths

ALL_SWITCHES = (
    bounds.CEILING | bounds.FLOOR | bounds.MERGED | bounds.LAST | kernel_moves.NAMES | kernel_maxn.CUT | TABLE | HISTORY
)


@cache
def kernels() -> SoftKernels:
    """The trick search with King's rules and bounds."""
    rules = {name: getattr(kernel, name) for name in ("boundary", "size", "maximises", "play")}
    rules |= {name: getattr(bounds, name) for name in ("glance", "bracket", "identify")}
    rules |= {"ordered": kernel_moves.ordered, "STATE_WORDS": STATE_WORDS, "MOST_MOVES": kernel.MOST_MOVES}
    return SoftKernels("king", rules)


def worths() -> Worths:
    """This thread's search for King."""
    return of_this_thread("king", lambda: Worths(kernels()))


def deal_words(state: State, player: int, *, allies: bool, switches: int = ALL_SWITCHES) -> Words:
    """The constants of the deal that `state` belongs to, for one player."""
    recipes = tables(state.deck)
    deal = np.zeros(TABLES + len(recipes), np.int64)
    deal[TABLES:] = recipes
    deal[SWITCHES] = switches
    deal[PLAYER] = player
    deal[PLAYERS] = state.players
    deal[ALLIES] = int(allies)
    deal[THE_DANCER] = state.deck.dancer
    deal[SUIT_CARDS : SUIT_CARDS + 6] = state.deck.of_suit
    numbers = [card.number for card in state.deck.cards]
    ranks = {number: rank for rank, number in enumerate(sorted(set(numbers)))}
    for card, face in enumerate(state.deck.cards):
        deal[SUIT + card] = face.suit
        deal[RANK + card] = ranks[face.number]
        deal[LOWER + card] = sum(1 << other for other in range(CARDS) if numbers[other] < face.number)
        deal[POINTS + card] = face.vp
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
