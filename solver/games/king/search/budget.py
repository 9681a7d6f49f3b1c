"""How much of a question's limit King × Alchemy's proofs get."""

from __future__ import annotations

from solver.games.king.cards.rules import State
from solver.search.budget import Growth

QUESTIONS = Growth(20_000, 4)  # nodes for one question about a move's score
KEEPERS = Growth(300, 8)  # nodes for each move, when looking for one that keeps the score
BOUND_NODES = 200_000  # for one question of a bound under maxn
_PROVABLE = 30  # cards in hands that a proof may well get through


def proof_share(state: State) -> float:
    """The share of a limit that goes to proofs; the rest is for finding a good move if they do not end in it."""
    return 0.85 if sum(hand.bit_count() for hand in state.hands) <= _PROVABLE else 0.1
