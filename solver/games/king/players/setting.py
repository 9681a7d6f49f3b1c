"""A view of King × Alchemy in the words of the kernels that play it on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.common.masks import mask
from solver.games.king.cards.deck import CARDS
from solver.games.king.cards.rules import Move, Play, State
from solver.games.king.fast_rules import encode
from solver.games.king.fast_rules.kernel import PLAYED, STATE_WORDS, judge, lay, start_trick
from solver.games.king.players.card_values import CardValues, additions, book_of, recipes_of
from solver.games.king.players.kinds import ALL_PICKS, ALL_PLAYS
from solver.games.king.players.policy import Plays
from solver.games.king.players.weights import HOPE
from solver.games.king.positions.known import View
from solver.games.king.positions.picks import PickView
from solver.kernels.arrays import Floats, Words


class Setting(NamedTuple):
    """What all worlds of a view share.

    `values` are the values of cards with the piles as they are now, `node` is the trick on the table (judged if it
    is full), and `play` and `pick` are what every kind of player goes by of player (`kinds`).
    """

    values: CardValues
    node: Words
    play: Plays
    pick: Floats


def _empty(view: View | PickView) -> State:
    """The state with no cards in it; it tells the deck, which moves have their numbers by."""
    nobody = (0,) * view.players
    return State(view.full_deck, nobody, view.leader, (), nobody)


def move_words(view: View | PickView, move: Move) -> tuple[int, int]:
    """A move in the kernels' words: a play's or a pick's number; the cards taken and the one given, or -1."""
    if not isinstance(move, Play):
        return mask(move.taken), -1 if move.given is None else move.given
    deck = view.full_deck
    named = move.card == deck.dancer and move.suit < len(deck.suits)
    return (encode.code(_empty(view), move) if named else move.card), -1


def setting(view: View | PickView) -> Setting:
    """The setting of a view. To pick a card, it is that of empty piles."""
    deck, players = view.full_deck, view.players
    state = _empty(view)
    nobody = state.won
    deal = encode.deal_words(state, view.seat, allies=False)
    node = np.zeros(STATE_WORDS, np.int64)
    start_trick(node, 0, view.leader)
    piles, plays = (view.piles, view.plays) if isinstance(view, View) else (nobody, ())
    for play in plays:
        lay(deal, node, 0, encode.code(state, play))
    if node[PLAYED] == players:
        judge(deal, node, 0)
    lost = (1 << CARDS) - 1 & ~(view.unseen | view.hand_mask | mask(play.card for play in plays))
    for pile in piles:
        lost &= ~pile
    book = book_of(deck, piles, lost)
    values = CardValues(deal, recipes_of(deck), book, additions(HOPE, players))
    return Setting(values, node, ALL_PLAYS, ALL_PICKS)
