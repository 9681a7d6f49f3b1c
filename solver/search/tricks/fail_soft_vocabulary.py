"""What a trick game brings to the fail-soft search beside `vocabulary`.

This search is for games whose scores are many and whose nodes need two words. The worth of a node is the score
that the player reaches from it, what was won before it included.
"""

from __future__ import annotations

from solver.kernels.words import Words
from solver.search.tricks.vocabulary import maximises

MOVE_CODES = 128  # moves are numbers below this
MOST_CONTEXTS = 64
MOST_WORTH = (1 << 27) - 1  # a bound of a worth is not above this


def settle(deal: Words, state: Words, at: int, out: Words, to: int, need: int) -> None:
    """Write bounds of the node's worth that cost next to nothing to `out` at `to` (low) and `to` + 1 (high).

    They are equal at the end of the round.
    """
    raise NotImplementedError


def key(deal: Words, state: Words, at: int, out: Words, to: int) -> None:
    """Write a boundary's key, two words, and the offset of its worth to `out` at `to`.

    Of boundaries with the same first word, one whose second word has all the ones of another's is worth as much
    more than its offset, or more. The offset is not above any worth that is proved of the node.
    """
    raise NotImplementedError


def moves(deal: Words, state: Words, at: int, out: Words, to: int, first: int, history: Words, past: int) -> int:
    """Write the moves, the most promising first (`first`, unless -1); return their number.

    `history` has from `past` on for each move how often the move has cut in this context.
    """
    raise NotImplementedError


# What a game may leave out.


def estimate(deal: Words, state: Words, at: int, out: Words, to: int, need: int) -> None:
    """Tighten the bounds in `out` by static ones, looked at after the table. By default they stay."""


def context(deal: Words, state: Words, at: int) -> int:
    """A number below `MOST_CONTEXTS` that tells apart situations in which other moves are good.

    Nodes of different sides have different ones. By default the side that moves.
    """
    return maximises(deal, state, at)


def relaxed(deal: Words, state: Words, at: int, child: Words, to: int, need: int) -> bool:
    """Write to `child` at `to` a boundary that is worth at most as much as the one at `at`.

    False when there is none that many boundaries share, or none that is likely to be worth `need`; so by default.
    """
    return False


def stalled(deal: Words) -> bool:
    """Whether `settle` or `estimate` lacked a number to bound the node that they were just asked about.

    The search then ends as if its nodes were spent, and whoever drives it works the number out (`Relief`). After
    that both are asked about the same node again. By default never.
    """
    return False


def toll(deal: Words) -> int:
    """How many nodes' time the rules took beside the nodes, since this was last asked. By default none."""
    return 0


def probing(deal: Words, tricks: int) -> int:
    """The nodes that each move first has where the side that minimises moves; 0: moves are not tried in rounds.

    Rounds pay where refuting a wrong move is dear, and showing that a right one is right is not. By default 0.
    """
    return 0
