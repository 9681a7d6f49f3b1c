"""Moves in a game of Aqua Regia that all seats watch, as kernels: what a seat was seen to take is known of it."""

from __future__ import annotations

from solver.games.aqua_regia.hints.game_kernel import (
    EXCHANGES,
    NOBODY,
    OPEN_PASS,
    PLAYS,
    TURN,
    draw,
    end_pass,
    put,
)
from solver.games.aqua_regia.hints.learned.sight import Sight
from solver.games.aqua_regia.hints.learned.thinking import Brain, Thought, list_moves, think
from solver.games.aqua_regia.hints.policy import NO_PLAY
from solver.hints.policy import gumbel
from solver.kernels.arrays import Words
from solver.kernels.jit import lean


@lean
def lay(sight: Sight, metal: int, count: int) -> None:
    """The seat to move plays; what it was known to hold goes first."""
    game, known = sight.game, sight.known
    seat = game.scalars[TURN]
    known[seat, metal] = max(0, known[seat, metal] - count)
    put(game, metal, count)


@lean
def finish_pass(sight: Sight, given: int, taken: int) -> None:
    """The seat to move, which has drawn, exchanges a card (unless `given` is `NO_PLAY`) before all eyes."""
    game, known = sight.game, sight.known
    seat = game.scalars[TURN]
    if given != NO_PLAY:
        known[seat, given] = max(0, known[seat, given] - 1)
        known[seat, taken] += 1
    end_pass(game, given, taken)


@lean
def make_move(sight: Sight, move: Words) -> bool:
    """Make a move in the words of `rollouts`; whether the seat has drawn and may exchange now."""
    if move[0] == PLAYS:
        lay(sight, move[1], move[2])
    elif move[0] == EXCHANGES:
        finish_pass(sight, move[1], move[2])
    elif move[0] == OPEN_PASS:
        draw(sight.game)
        return True
    else:
        finish_pass(sight, NO_PLAY, NO_PLAY)
    return False


@lean
def winner_of(sight: Sight) -> int:
    """The seat that has gone out, or `NOBODY`: none but the last to play can have."""
    sizes = sight.game.sizes
    for seat in range(len(sizes)):
        if sizes[seat] == 0:
            return seat
    return NOBODY


@lean
def list_and_think(brain: Brain, sight: Sight, exchanging: bool, mind: Thought) -> int:
    """Write the moves of the seat to move and what the learned player finds them worth to `mind`."""
    count = list_moves(sight, exchanging, brain.rule, mind)
    if count > 1:
        think(brain, sight, exchanging, count, mind)
    return count


@lean
def move_drawn(brain: Brain, sight: Sight, exchanging: bool, sure: float, random: Words, mind: Thought) -> bool:
    """The learned player makes a move in the seat to move; whether it has drawn and may exchange now.

    What a move is worth, times `sure`, is the log of its chance.
    """
    count = list_and_think(brain, sight, exchanging, mind)
    best, chosen = -1e300, 0
    for place in range(count if count > 1 else 0):
        value = sure * mind.worth[place] + gumbel(random)
        if value > best:
            best, chosen = value, place
    return make_move(sight, mind.moves[chosen])
