"""The chances of moves that are not proved, by Monte-Carlo tree search with all cards known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.games.aqua_regia.fast_rules.kernel import ASKED, STATUS
from solver.games.aqua_regia.search.mcts_rules import kernels
from solver.games.aqua_regia.search.outcome import Outcomes
from solver.search.uct.tree import Bounds, Tree

_TREE_NODES = 1 << 20  # 72 MB; the system gives memory only to what is written


@dataclass(frozen=True, slots=True)
class Chance:
    """Games that began with a move, and the share in which the seat to move got what it is after."""

    games: int
    share: float


def chances(outcomes: Outcomes, moves: Sequence[int], asked: int) -> dict[int, Chance]:
    """What the games played by the limit say of `moves` from the start, `asked` the seat of the question.

    The start is open: nobody is out or sure to win. A move that no game began with is left out.
    """
    deal = outcomes.deal
    root = outcomes.start.copy()
    root[STATUS] |= asked << ASKED
    tree = Tree(
        kernels(),
        deal.words,
        root,
        moves,
        seats=outcomes.seats,
        bounds=Bounds(nodes=_TREE_NODES, moves=deal.moves, plays=deal.depth),
    )
    tree.run(outcomes.control, "estimate")
    turn = outcomes.turn(outcomes.start)
    return {move: Chance(tried.games, tried.mean(turn)) for move, tried in tree.tried().items()}
