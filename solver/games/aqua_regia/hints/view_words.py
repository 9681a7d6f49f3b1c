"""A view of Aqua Regia and its moves in the words that kernels read (`game_kernel`)."""

from __future__ import annotations

import numpy as np

from solver.games.aqua_regia.cards.rules import Move, Play, runs
from solver.games.aqua_regia.hints import game_kernel
from solver.games.aqua_regia.hints.game_kernel import SCALARS
from solver.games.aqua_regia.positions.known import View
from solver.kernels.arrays import Words


def table_words(view: View) -> tuple[Words, Words]:
    """The piles and the scalars of a view, in the kernels' words; nothing is drawn yet."""
    deck = view.metals
    lying = deck.numbers(view.table)
    scalars = np.zeros(SCALARS, np.int64)
    scalars[game_kernel.TURN] = view.turn
    scalars[game_kernel.FIELD] = view.field_number
    scalars[game_kernel.REVERSED] = view.reversed
    scalars[game_kernel.STOCKED] = view.stock_count
    scalars[game_kernel.COPIES] = deck.copies
    if lying:
        assert view.owner is not None
        top = runs(lying)[-1]
        scalars[game_kernel.OWNER] = view.owner
        scalars[game_kernel.METAL] = top.metal
        scalars[game_kernel.COUNT] = top.count
    return np.array([view.pile, deck.counts(lying)], np.int64), scalars


def move_words(view: View, move: Move) -> tuple[int, int, int]:
    """A move in the kernels' words."""
    if isinstance(move, Play):
        return game_kernel.PLAYS, move.metal, move.count
    if move.discarded is not None and move.taken is not None:
        return game_kernel.EXCHANGES, move.discarded, move.taken
    closed = view.drawn is not None or not view.stock_count
    return (game_kernel.CLOSED_PASS if closed else game_kernel.OPEN_PASS), 0, 0
