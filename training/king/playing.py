"""Rounds of King × Alchemy in training: the learned player and plausible ones, as kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.king.cards.deck import CARDS, TRUMP
from solver.games.king.compounding.kernel import best
from solver.games.king.compounding.tables import PATIENCE
from solver.games.king.fast_rules.kernel import (
    LEAD,
    LEADER,
    NAMED,
    PLAYED,
    PLAYERS,
    STATE_WORDS,
    SUIT,
    TABLES,
    THE_DANCER,
    points_of,
    seat_after,
)
from solver.games.king.players.card_values import CardValues, get, lose
from solver.games.king.players.kinds import ALL_PICKS, ALL_PLAYS, PLAY_WEIGHTS
from solver.games.king.players.learned.hand_inputs import Sight
from solver.games.king.players.learned.thinking import Brain, Thought, no_sight, think
from solver.games.king.players.policy import ALL, Room, plays
from solver.games.king.players.policy import choose as choose_by_rule
from solver.games.king.players.take_policy import put, share_out
from solver.hints.learned.network import Network
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import shuffle

LEARNED = 3  # a kind of player, beside those of `kinds`


class Players(NamedTuple):
    """The learned player, and the weights by which all kinds of players play and pick."""

    brain: Brain
    play: Floats
    pick: Floats


class Table(NamedTuple):
    """A round in play. `gone` has one word: the cards that everybody has seen."""

    sight: Sight
    hands: Words
    gone: Words
    kinds: Words


def players_with(net: Network, trust: float) -> Players:
    """Players with this network."""
    return Players(Brain(net, np.array([trust]), ALL_PLAYS), ALL_PLAYS, ALL_PICKS)


def new_table(values: CardValues) -> Table:
    """A table with no round on it, for a deck and a number of players."""
    players = int(values.deal[PLAYERS])
    hands, kinds = np.zeros(players, np.int64), np.zeros(players, np.int64)
    return Table(no_sight(values), hands, np.zeros(1, np.int64), kinds)


@lean
def worth_of(brain: Brain, table: Table, seat: int, count: int, room: Room, mind: Thought) -> None:
    """Write what the learned player finds each of the first `count` plays in `room` worth to `mind.worth`."""
    hand = table.hands[seat]
    think(brain, table.sight, seat, hand, ALL & ~table.gone[0] & ~hand, count, room, mind)


@lean
def chosen(players: Players, table: Table, seat: int, room: Room, mind: Thought) -> int:
    """The play of a seat, by its kind."""
    hand = table.hands[seat]
    sight = table.sight
    kind = table.kinds[seat]
    if kind != LEARNED:
        unseen = ALL & ~table.gone[0] & ~hand
        return choose_by_rule(
            sight.values, sight.node, seat, hand, unseen, players.play, room, kind * PLAY_WEIGHTS
        )
    count = plays(sight.values.deal, sight.node, hand, room.codes)
    if count == 1:
        return int(room.codes[0])
    worth_of(players.brain, table, seat, count, room, mind)
    most = 0
    for place in range(1, count):
        if mind.worth[place] > mind.worth[most]:
            most = place
    return int(room.codes[most])


@lean
def lay_play(table: Table, move: int) -> None:
    """Make a play: note who can't follow, and share out a full trick as plausible players do."""
    sight = table.sight
    values, node = sight.values, sight.node
    deal = values.deal
    seat = seat_after(deal, node[LEADER], node[PLAYED])
    if node[PLAYED] != 0 and node[LEAD] < TRUMP:
        suit = move - NAMED if move >= NAMED else deal[SUIT + move]
        if suit != node[LEAD] and suit != TRUMP:
            sight.voids[seat] |= 1 << node[LEAD]
    table.gone[0] |= 1 << (deal[THE_DANCER] if move >= NAMED else move)
    put(deal, node, table.hands, move)
    if node[PLAYED] == deal[PLAYERS]:
        share_out(values, node, sight.piles, popcount(table.hands[seat]), -1, -1)


@lean
def play_out(players: Players, table: Table, room: Room, mind: Thought) -> None:
    """Play the round to its end."""
    node = table.sight.node
    deal = table.sight.values.deal
    while True:
        seat = seat_after(deal, node[LEADER], node[PLAYED])
        if table.hands[seat] == 0:
            return
        lay_play(table, chosen(players, table, seat, room, mind))


@lean
def copy_table(of: Table, to: Table) -> None:
    """Make one table like another, but for the kinds of players."""
    for word in range(len(of.sight.values.book)):
        to.sight.values.book[word] = of.sight.values.book[word]
    for word in range(STATE_WORDS):
        to.sight.node[word] = of.sight.node[word]
    for seat in range(len(of.hands)):
        to.hands[seat] = of.hands[seat]
        to.sight.piles[seat] = of.sight.piles[seat]
        to.sight.voids[seat] = of.sight.voids[seat]
    to.gone[0] = of.gone[0]


@kernel
def points_won(table: Table, seat: int, work: Words) -> int:
    """What a seat's pile scores."""
    deal = table.sight.values.deal
    tables = deal[TABLES:]
    pile = table.sight.piles[seat]
    return int(points_of(deal, pile) + best(tables, work, pile, tables[PATIENCE]))


@lean
def deal_hands(given: CardValues, table: Table, dealt: int, deck: np.ndarray, random: Words) -> None:
    """Shuffle and deal; nobody has picked yet. `given` has the book of empty piles."""
    sight = table.sight
    values = sight.values
    players = len(table.hands)
    for card in range(CARDS):
        deck[card] = card
    shuffle(random, deck)
    for word in range(len(given.book)):
        values.book[word] = given.book[word]
    table.gone[0] = 0
    for place in range(players * dealt, CARDS):
        table.gone[0] |= 1 << int(deck[place])
        lose(values, int(deck[place]))
    for seat in range(players):
        hand = 0
        for place in range(dealt * seat, dealt * seat + dealt):
            hand |= 1 << int(deck[place])
        table.hands[seat] = hand
        sight.piles[seat] = 0
        sight.voids[seat] = 0


@lean
def pick_cards(table: Table, picks: Words) -> None:
    """All seats pick at once."""
    for seat in range(len(picks)):
        card = picks[seat]
        table.hands[seat] &= ~(1 << card)
        table.sight.piles[seat] = 1 << card
        table.gone[0] |= 1 << card
    for seat in range(len(picks)):
        get(table.sight.values, seat, picks[seat])
