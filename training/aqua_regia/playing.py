"""Games of Aqua Regia in training: the learned player and plausible ones, as kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.aqua_regia.deck import Deck
from solver.games.aqua_regia.game_words import (
    COPIES,
    COUNT,
    DISCARD,
    DRAWN,
    FIELD,
    METAL,
    NOBODY,
    SCALARS,
    STOCKED,
    TURN,
    Game,
    copy_rows,
    draw,
    settle,
)
from solver.games.aqua_regia.network import (
    Brain,
    Sight,
    Thought,
    field_after,
    field_step,
    finish_pass,
    lay,
    list_and_think,
    make_move,
    winner_of,
)
from solver.games.aqua_regia.players import GREEDY as GREEDY_WEIGHTS
from solver.games.aqua_regia.players import (
    NO_PLAY,
    PLAYER,
    WEIGHTS,
    Turn,
    choose_exchange,
    choose_play,
    reactivity_rows,
)
from solver.games.aqua_regia.rules import HAND
from solver.hints.network import Network
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import lean
from solver.kernels.rng import below
from training.choices import place_of_best

# Kinds of players: by the trained weights; careless, by smaller ones; greedy, who plays whenever it can, the most
# cards of the weakest metal, and makes pairs by exchanges; and the learned one.
TRAINED, CARELESS, GREEDY, LEARNED = range(4)
_CARELESS = 0.2


class Players(NamedTuple):
    """The learned player, and the weights by which the others play, a row a kind."""

    brain: Brain
    rules: Floats


class Table(NamedTuple):
    """A game in play."""

    sight: Sight
    kinds: Words


def players_with(net: Network, trust: float) -> Players:
    """Players with this network."""
    trained = np.array(PLAYER)
    rules = np.array([trained, _CARELESS * trained, np.array(GREEDY_WEIGHTS)])
    assert rules.shape[1] == WEIGHTS
    return Players(Brain(net, np.array([trust]), trained), rules)


def new_table(deck: Deck, players: int) -> Table:
    """A table with no game on it."""
    rows = [np.zeros((players, deck.size), np.int64) for _ in range(2)]
    stock = np.zeros(deck.cards - HAND * players, np.int64)
    scalars = np.zeros(SCALARS, np.int64)
    scalars[COPIES], scalars[STOCKED] = deck.copies, len(stock)
    piles = np.zeros((2, deck.size), np.int64)
    game = Game(reactivity_rows(deck), rows[0], np.zeros(players, np.int64), piles, scalars, stock)
    return Table(Sight(game, rows[1]), np.zeros(players, np.int64))


@lean
def deal_cards(table: Table, dealer: int, cards: Words, random: Words) -> None:
    """Shuffle and deal, and begin; `cards` is room for all of them."""
    game = table.sight.game
    scalars = game.scalars
    copies, stocked = scalars[COPIES], scalars[STOCKED]
    players, metals = game.hands.shape
    for place in range(len(cards)):
        cards[place] = place // copies
    for place in range(len(cards) - 1, 0, -1):
        other = below(random, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    for word in range(SCALARS):
        scalars[word] = 0
    scalars[COPIES], scalars[STOCKED], scalars[TURN] = copies, stocked, dealer
    for metal in range(metals):
        game.piles[0, metal] = game.piles[1, metal] = 0
        for seat in range(players):
            game.hands[seat, metal] = table.sight.known[seat, metal] = 0
    for seat in range(players):
        game.sizes[seat] = HAND
        for place in range(HAND):
            game.hands[seat, cards[HAND * seat + place]] += 1
    for place in range(stocked):
        game.stock[place] = cards[HAND * players + place]
    settle(game)


@lean
def copy_table(of: Table, to: Table) -> None:
    """Make one table like another, but for the kinds of players."""
    one, two = of.sight.game, to.sight.game
    copy_rows(one.hands, two.hands)
    copy_rows(one.piles, two.piles)
    copy_rows(of.sight.known, to.sight.known)
    for word in range(SCALARS):
        two.scalars[word] = one.scalars[word]
    for seat in range(len(one.sizes)):
        two.sizes[seat] = one.sizes[seat]
    for place in range(one.scalars[DRAWN], len(one.stock)):
        two.stock[place] = one.stock[place]


@lean
def exchange_by_rule(table: Table, weights: Floats, random: Words) -> None:
    """The seat to move, which has drawn, ends its pass as a plausible player would."""
    game = table.sight.game
    scalars = game.scalars
    following = field_after(scalars, 1, field_step(scalars))
    hand, discard = game.hands[scalars[TURN]], game.piles[DISCARD]
    pair = choose_exchange(game.reactivity, hand, discard, scalars[COPIES], following, weights, random)
    if pair == NO_PLAY:
        finish_pass(table.sight, NO_PLAY, NO_PLAY)
    else:
        finish_pass(table.sight, pair // 1000, pair % 1000)


@lean
def move_by_rule(table: Table, weights: Floats, random: Words) -> None:
    """The seat to move plays or passes as a plausible player would."""
    game = table.sight.game
    scalars = game.scalars
    seat = scalars[TURN]
    draws = 1 if scalars[DRAWN] < scalars[STOCKED] else 0
    following = field_after(scalars, 1, field_step(scalars))
    turn = Turn(scalars[FIELD], following, scalars[METAL], scalars[COUNT], draws)
    chosen = choose_play(game.reactivity, game.hands[seat], game.sizes[seat], turn, weights, random)
    if chosen == NO_PLAY:
        draw(game)
        exchange_by_rule(table, weights, random)
    else:
        lay(table.sight, chosen >> 3, chosen & 7)


@lean
def move_by_network(players: Players, table: Table, exchanging: bool, mind: Thought) -> None:
    """The seat to move makes the learned player's choice, or both of its choices."""
    count = list_and_think(players.brain, table.sight, exchanging, mind)
    if make_move(table.sight, mind.moves[place_of_best(count, mind.worth) if count > 1 else 0]):
        count = list_and_think(players.brain, table.sight, True, mind)
        make_move(table.sight, mind.moves[place_of_best(count, mind.worth) if count > 1 else 0])


@lean
def play_out(players: Players, table: Table, random: Words, mind: Thought) -> int:
    """Play the game to its end; the seat that goes out."""
    scalars = table.sight.game.scalars
    while True:
        winner = winner_of(table.sight)
        if winner != NOBODY:
            return winner
        kind = table.kinds[scalars[TURN]]
        if kind == LEARNED:
            move_by_network(players, table, False, mind)
        else:
            move_by_rule(table, players.rules[kind], random)
