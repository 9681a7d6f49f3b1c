"""Rounds of King × Alchemy in training: the learned player and plausible ones, as kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.king.compounding_kernel import PATIENCE, best
from solver.games.king.deck import CARDS, TRUMP
from solver.games.king.fast_rules import (
    BEST,
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
from solver.games.king.learned import (
    GIVEN,
    PICK_INPUTS,
    TAKE_INPUTS,
    Brain,
    Head,
    Heads,
    Sight,
    Thought,
    Trial,
    judge_picks,
    judge_takings,
    no_sight,
    think,
    thought,
    trial,
)
from solver.games.king.players import (
    ALL,
    ALL_PICKS,
    ALL_PLAYS,
    PICK,
    PICK_FEATURES,
    CardValues,
    Plays,
    Room,
    get,
    lose,
    pick_chances,
    plays,
    put,
    share_out,
)
from solver.games.king.players import choose as choose_by_rule
from solver.hints.network import Network
from solver.hints.policy import draw
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import shuffle
from training.choices import place_of_best

LEARNED = 3  # a kind of player, beside those of `kinds`


class Players(NamedTuple):
    """The learned player, and the weights by which all kinds of players play and pick.

    `uses` has two numbers: whether the learned player picks, and whether it takes, by its `heads`; if not, it does
    as the trained player does.
    """

    brain: Brain
    heads: Heads
    uses: Words
    play: Plays
    pick: Floats


class Mind(NamedTuple):
    """Room to think of a play, and of a pick or a taking."""

    thought: Thought
    trial: Trial


class Table(NamedTuple):
    """A round in play. `gone` has one word: the cards that everybody has seen."""

    sight: Sight
    hands: Words
    gone: Words
    kinds: Words


def players_with(brain: Brain, heads: Heads, *, picks: bool = True, takes: bool = True) -> Players:
    """Players with these networks."""
    return Players(brain, heads, np.array([picks, takes], np.int64), ALL_PLAYS, ALL_PICKS)


def by_rule(head: Head) -> Head:
    """A head of the same size that finds best what the trained player picks or takes."""
    nothing = head.net._replace(third=0 * head.net.third, third_bias=0 * head.net.third_bias)
    return Head(nothing, np.ones(1))


def no_heads() -> Heads:
    """Small heads that find best what the trained player picks and takes."""
    nets = [
        Network(*(np.zeros(shape, np.float32) for shape in ((inputs, 1), (1,), (1, 1), (1,), (1, 1), (1,))))
        for inputs in (PICK_INPUTS, TAKE_INPUTS)
    ]
    pick, take = (Head(net, np.ones(1)) for net in nets)
    return Heads(pick, take, np.array(PICK), ALL_PLAYS)


def new_mind(players: Players, values: CardValues) -> Mind:
    """Room for these networks to think, with a deck and a number of players."""
    return Mind(thought(players.brain.net), trial(values, players.heads.pick.net))


def new_table(values: CardValues) -> Table:
    """A table with no round on it, for a deck and a number of players."""
    players = int(values.deal[PLAYERS])
    hands, kinds = np.zeros(players, np.int64), np.zeros(players, np.int64)
    return Table(no_sight(values), hands, np.zeros(1, np.int64), kinds)


@lean
def worth_of(brain: Brain, table: Table, seat: int, count: int, room: Room, mind: Mind) -> None:
    """Write what the learned player finds each of the first `count` plays in `room` worth to `mind.thought`."""
    hand = table.hands[seat]
    think(brain, table.sight, seat, hand, ALL & ~table.gone[0] & ~hand, count, room, mind.thought)


@lean
def chosen(players: Players, table: Table, seat: int, room: Room, mind: Mind) -> int:
    """The play of a seat, by its kind."""
    hand = table.hands[seat]
    sight = table.sight
    kind = table.kinds[seat]
    if kind != LEARNED:
        unseen = ALL & ~table.gone[0] & ~hand
        return choose_by_rule(sight.values, sight.node, seat, hand, unseen, players.play, room, kind)
    count = plays(sight.values.deal, sight.node, hand, room.codes)
    if count == 1:
        return int(room.codes[0])
    worth_of(players.brain, table, seat, count, room, mind)
    return int(room.codes[place_of_best(count, mind.thought.worth)])


@lean
def draw_picks(players: Players, table: Table, picks: Words, random: Words, room: Room, mind: Mind) -> None:
    """Write what each seat picks to `picks`: plausible players draw it, the learned one may take the best."""
    sight = table.sight
    for seat in range(len(picks)):
        hand, kind = table.hands[seat], table.kinds[seat]
        if kind == LEARNED and players.uses[0] != 0:
            unseen = ALL & ~table.gone[0] & ~hand
            count = judge_picks(players.heads, sight, seat, hand, unseen, room, mind.trial)
            place = place_of_best(count, mind.trial.worth)
        else:
            rule = 0 if kind == LEARNED else kind
            count = pick_chances(sight.values, seat, hand, players.pick[rule * PICK_FEATURES :], room)
            place = draw(count, room.values, random)
        picks[seat] = room.codes[place]


@lean
def lay_card(table: Table, move: int) -> None:
    """Make a play, and note who can't follow."""
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


@lean
def share_as(table: Table, code: int) -> None:
    """Share out a full trick in a way of `takings`, or with -1 as plausible players do."""
    sight = table.sight
    node = sight.node
    taken, given = -1, -1
    if code >= 0:
        taken, given = code & ((1 << GIVEN) - 1), (code >> GIVEN) - 1
    share_out(sight.values, node, sight.piles, popcount(table.hands[node[BEST]]), taken, given)


@lean
def share(players: Players, table: Table, room: Room, mind: Mind) -> None:
    """Share out a full trick, by the winner's kind."""
    sight = table.sight
    seat = sight.node[BEST]
    code = -1
    if table.kinds[seat] == LEARNED and players.uses[1] != 0:
        hand = table.hands[seat]
        unseen = ALL & ~table.gone[0] & ~hand
        count = judge_takings(players.heads, sight, hand, unseen, room, mind.trial)
        code = room.codes[place_of_best(count, mind.trial.worth)]
    share_as(table, code)


@lean
def play_out(players: Players, table: Table, room: Room, mind: Mind) -> None:
    """Play the round to its end."""
    node = table.sight.node
    deal = table.sight.values.deal
    while True:
        seat = seat_after(deal, node[LEADER], node[PLAYED])
        if table.hands[seat] == 0:
            return
        lay_card(table, chosen(players, table, seat, room, mind))
        if node[PLAYED] == deal[PLAYERS]:
            share(players, table, room, mind)


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
