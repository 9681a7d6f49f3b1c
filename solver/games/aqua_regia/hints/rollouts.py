"""Aqua Regia's games played on by plausible players, as kernels. `policy` chooses the moves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.aqua_regia.hints.deal_kernel import Dealing, deal_world
from solver.games.aqua_regia.hints.game_kernel import (
    COPIES,
    COUNT,
    DISCARD,
    DRAWN,
    EXCHANGES,
    FIELD,
    FUEL,
    METAL,
    NOBODY,
    OPEN_PASS,
    PLAYS,
    SCALARS,
    STOCKED,
    TAKER,
    TURN,
    Game,
    copy_rows,
    draw,
    end_pass,
    next_field,
    put,
)
from solver.games.aqua_regia.hints.kinds import TRAINED
from solver.games.aqua_regia.hints.learned.foresight import SURE, Foresight, expected, look_ahead
from solver.games.aqua_regia.hints.learned.moving import make_move, move_drawn
from solver.games.aqua_regia.hints.learned.sight import Sight
from solver.games.aqua_regia.hints.policy import NO_PLAY, Turn, choose_exchange, choose_play
from solver.hints.policy import draw as draw_place
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import start

# Statistics of a game: 1 for going out first, the cards left at the end, 1 for winning the trick of the start.
SCORE, LEFT, TOOK = range(3)
STATISTICS = 3


class Setting(NamedTuple):
    """What all worlds of a view share. It is only read.

    `hands` has the cards whose place is known. `drawn` is the card on top of the stock where it is known, else
    negative. `moves` has a row a move, in the words above. `weights` has a row for each kind of player, and
    `shares` a row a seat: how likely it is of each kind. The seat that asks is `TRAINED`.
    """

    reactivity: Words
    hands: Words
    piles: Words
    scalars: Words
    drawn: int
    moves: Words
    weights: Floats
    shares: Floats


@kernel
def new_game(setting: Setting) -> Game:
    """Room for a game from this setting; a known card is on top of its stock."""
    game = Game(
        setting.reactivity,
        np.empty_like(setting.hands),
        np.empty(len(setting.hands), np.int64),
        np.empty_like(setting.piles),
        np.empty(SCALARS, np.int64),
        np.empty(setting.scalars[STOCKED], np.int64),
    )
    if setting.drawn >= 0:
        game.stock[0] = setting.drawn
    return game


@kernel
def with_shares(setting: Setting, shares: Floats) -> Setting:
    """The setting with other shares."""
    return Setting(
        setting.reactivity,
        setting.hands,
        setting.piles,
        setting.scalars,
        setting.drawn,
        setting.moves,
        setting.weights,
        shares,
    )


@lean
def open_pass(game: Game, weights: Floats, random: Words) -> None:
    """The seat to move passes, draws, and exchanges as a plausible player would."""
    draw(game)
    scalars = game.scalars
    hand, discard = game.hands[scalars[TURN]], game.piles[DISCARD]
    pair = choose_exchange(game.reactivity, hand, discard, scalars[COPIES], next_field(scalars), weights, random)
    if pair == NO_PLAY:
        end_pass(game, NO_PLAY, NO_PLAY)
    else:
        end_pass(game, pair // 1000, pair % 1000)


@lean
def play_on(game: Game, weights: Floats, shares: Floats, random: Words) -> int:
    """Play to the end; the seat that goes out, or `NOBODY` where fuel ran out.

    Each turn is of a kind of player, whose `weights` are a row, drawn by the `shares` of the seat, a row of these.
    """
    scalars = game.scalars
    while scalars[FUEL] != 1:
        scalars[FUEL] -= 1
        seat = scalars[TURN]
        draws = 1 if scalars[DRAWN] < scalars[STOCKED] else 0
        turn = Turn(scalars[FIELD], next_field(scalars), scalars[METAL], scalars[COUNT], draws)
        own = weights[draw_place(len(weights), shares[seat], random)]
        chosen = choose_play(game.reactivity, game.hands[seat], game.sizes[seat], turn, own, random)
        if chosen == NO_PLAY:
            open_pass(game, own, random)
        else:
            put(game, chosen >> 3, chosen & 7)
            if game.sizes[seat] == 0:
                return int(seat)
    return NOBODY


@lean
def make(game: Game, weights: Floats, random: Words, move: Words) -> None:
    """The seat to move, with these `weights`, makes a move."""
    if move[0] == PLAYS:
        put(game, move[1], move[2])
    elif move[0] == OPEN_PASS:
        open_pass(game, weights, random)
    else:
        draw(game)
        given, taken = (move[1], move[2]) if move[0] == EXCHANGES else (NO_PLAY, NO_PLAY)
        end_pass(game, given, taken)


@lean
def _make_ahead(foresight: Foresight, sight: Sight, seat: int, random: Words, move: Words) -> tuple[int, float]:
    """Make a move, and play to the own next choice: who has gone out by then, or `NOBODY`, and the own chance.

    A card that is known to be drawn still lies on the stock.
    """
    if move[0] != PLAYS and move[0] != OPEN_PASS:
        draw(sight.game)
    if make_move(sight, move):
        move_drawn(foresight.brain, sight, True, SURE, random, foresight.mind)
    winner = look_ahead(foresight, sight, seat, random)
    if winner == NOBODY:
        return NOBODY, expected(foresight, sight)
    return winner, 1.0 if winner == seat else 0.0


@lean
def try_moves(
    setting: Setting,
    foresight: Foresight,
    dealt: Words,
    game: Game,
    random: Words,
    results: Floats,
    noted: Words,
) -> None:
    """Play each move in a world, all with the same random numbers, and on to the end: a row of `results`.

    Where there is a critic, it tells by how much scores differ: by what it expects at the own next choice, up to
    which the others play as the learned player. How good all moves are together the games tell, as they end. Where
    the fuel of a game runs out, its row is not written, nor are those after it.

    `dealt` are the world's hands; the game's stock is the world's, and the rest of the game is room to play in.
    Where `noted` has room, it gets each hand's cards by metal, seat by seat, and who wins after each move.
    """
    seat = setting.scalars[TURN]
    seats, metals = dealt.shape
    for place in range(seats * metals if len(noted) > 0 else 0):
        noted[place] = dealt[place // metals, place % metals]
    begin = random[0]
    foresees = len(foresight.critic.first) > 0
    better = 0.0
    sight = Sight(game, foresight.shown)
    for index in range(len(setting.moves)):
        random[0] = begin
        copy_rows(dealt, game.hands)
        copy_rows(setting.piles, game.piles)
        for word in range(SCALARS):
            game.scalars[word] = setting.scalars[word]
        for other in range(len(game.sizes)):
            game.sizes[other] = 0
            for metal in range(dealt.shape[1]):
                game.sizes[other] += dealt[other, metal]
        chance = 0.0
        if foresees:
            copy_rows(foresight.known, foresight.shown)
            winner, chance = _make_ahead(foresight, sight, seat, random, setting.moves[index])
        else:
            make(game, setting.weights[TRAINED], random, setting.moves[index])
            winner = NOBODY if game.sizes[seat] > 0 else seat
        if winner == NOBODY:
            winner = play_on(game, setting.weights, setting.shares, random)
        if winner == NOBODY:
            return
        taker = game.scalars[TAKER] - 1 if game.scalars[TAKER] else winner
        if len(noted) > 0:
            noted[seats * metals + index] = winner
        won = 1.0 if winner == seat else 0.0
        results[index, SCORE] = chance if foresees else won
        better += won - chance
        results[index, LEFT] = game.sizes[seat]
        results[index, TOOK] = 1.0 if taker == seat else 0.0
    if foresees:
        for index in range(len(setting.moves)):
            results[index, SCORE] += better / len(setting.moves)


@kernel
def play_worlds(
    setting: Setting,
    foresight: Foresight,
    dealing: Dealing,
    seed: int,
    first: int,
    results: Floats,
    noted: Words,
) -> None:
    """Write the statistics of each move, played to the end, in worlds number `first` and on.

    `results` has a row a world, in it a row a move, and `noted` a row a world (see `try_moves`). Each world is
    drawn for itself.
    """
    known = 1 if setting.drawn >= 0 else 0
    random = np.zeros(1, np.int64)
    scratch = np.empty(len(dealing.pool), np.int64)
    known_cards = setting.hands
    dealt = np.empty_like(known_cards)
    game = new_game(setting)
    stock = game.stock[known:]
    for world in range(results.shape[0]):
        start(random, seed, first + world)
        dealt[:] = known_cards
        deal_world(dealing, random, scratch, dealt, stock)
        try_moves(setting, foresight, dealt, game, random, results[world], noted[world])
