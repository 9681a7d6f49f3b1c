"""Which move looks best in a position too large to prove: Monte-Carlo tree search with all cards known."""

from __future__ import annotations

from solver.common.control import Control
from solver.games.king.cards.rules import Move, State
from solver.games.king.fast_rules.encode import deal_words, move_of, round_words
from solver.games.king.fast_rules.kernel import ALLIES
from solver.games.king.fast_rules.round_kernel import MOST_MOVES
from solver.games.king.fast_rules.switches import ALL_SWITCHES, NAMES
from solver.games.king.search.mcts_rules import EVERYBODY, kernels
from solver.search.uct.tree import Bounds, Tree

_BOUNDS = Bounds(nodes=1 << 18, moves=MOST_MOVES, plays=120)
_STEPS_A_CARD = 3  # a card played out costs about as much as so many nodes of a proof

Means = dict[Move, tuple[float, ...]]


def sampled(start: State, player: int, model: str, control: Control) -> Means:
    """The mean scores of all seats after each move of `start` that was tried before the limit came.

    All seats play as the model says. In `start` there must be cards in hands or on the table.
    """
    tree = tree_of(start, player, model)
    tree.run(control, "sample")
    return means_of(start, tree)


def tree_of(start: State, player: int, model: str) -> Tree:
    """The tree search from a state."""
    # The names of the Dancer are kept apart, so that each has its own estimate.
    deal = deal_words(start, player, allies=model == "ally", switches=ALL_SWITCHES & ~NAMES)
    if model == "maxn":
        deal[ALLIES] = EVERYBODY
    cards = sum(hand.bit_count() for hand in start.hands)
    return Tree(
        kernels(),
        deal,
        round_words(start, deal),
        seats=start.players,
        bounds=_BOUNDS,
        game_nodes=_STEPS_A_CARD * (cards + 1),
    )


def means_of(start: State, tree: Tree) -> Means:
    """The mean scores of all seats after each move of `start` that was tried."""
    return {
        move_of(start, code): tuple(tried.mean(seat) for seat in range(start.players))
        for code, tried in tree.tried().items()
    }


def estimate(means: Means, move: Move, seat: int, bounds: tuple[int, int]) -> float:
    """The mean score of a seat after a move, moved into the bounds that are proved of it.

    It is the lower bound where the move was not tried.
    """
    least, most = bounds
    return min(max(means[move][seat], least), most) if move in means else float(least)
