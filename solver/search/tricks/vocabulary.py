"""What a trick game brings to both trick searches, written as kernels over blocks of words.

The searches have the same names for the same roles. Four of them are the same functions in both and stand here;
`score_vocabulary` and `fail_soft_vocabulary` have the others. The functions document what a game's own must do;
they are never called, except those that a game may leave out: these are the defaults. `rules` has the records in
which a game hands over its own.

The player (a side, in a partnership game) maximises the score. Against everybody (`paranoid`) all others minimise
it, with allies (`ally`) nobody does.
"""

from __future__ import annotations

from solver.kernels.words import Words

STATE_WORDS = 1  # words of a node
MOST_MOVES = 1  # moves of a node, at most


def boundary(deal: Words, state: Words, at: int) -> bool:
    """Whether the node stands between two tricks. Alpha-beta remembers such nodes alone."""
    raise NotImplementedError


def size(deal: Words, state: Words, at: int) -> int:
    """The tricks still to begin, the node's own included when it is a boundary: a measure of the work below it."""
    raise NotImplementedError


def maximises(deal: Words, state: Words, at: int) -> int:
    """1 where the seat to move wants the player's score high, 0 where it wants it low."""
    raise NotImplementedError


def play(deal: Words, state: Words, at: int, child: Words, to: int, move: int) -> None:
    """Write the node after `move` to `child` at `to`.

    In the score search its NEED is less by the points just won.
    """
    raise NotImplementedError
