"""What a game of yes-no questions brings to the proof-number search: the functions below, written as kernels.

The score search (`solver.search.tricks`) asks for points and keeps a node in one word; this one is for games
whose answer is won or lost and whose nodes take several words. A node is a block of `STATE_WORDS` int64 words
inside a frame, at an offset `at`; it holds its question as well. `deal` is an int64 array of the game's
constants. No position may come back: every line of moves must end.

The functions here document what a game's own must do; they are never called. `rules` has the record in which a
game hands over its own.
"""

from __future__ import annotations

from solver.kernels.words import Words

GENERATION = 0  # the deal word that every game has: entries of other generations are not believed
SWITCHES = 1  # the deal word with the parts of the search that are on, one bit each
# Deal words that are kept by the table: the words in use when this round of splits began, those of them that are
# split, and the entries.
TABLE_WORDS, SPLIT, STORED = 2, 3, 4
DEAL_WORDS = 5  # where the game's words begin in a deal

NO, YES, UNKNOWN = 0, 1, -1

NUMBER_BITS = 28
MOST_NUMBER = (1 << NUMBER_BITS) - 1

STATE_WORDS = 1


def any_suffices(deal: Words, state: Words, at: int) -> bool:
    """Whether one child with YES makes the answer YES; otherwise all must be."""
    raise NotImplementedError


def moves(deal: Words, state: Words, at: int, out: Words, to: int, step: int) -> int:
    """Write the moves to `out` from `to` on, `step` words apart; return their number."""
    raise NotImplementedError


def play(deal: Words, state: Words, at: int, child: Words, to: int, move: int) -> None:
    """Write the node after `move` to `child` at `to`, with the same question."""
    raise NotImplementedError


def ask(deal: Words, state: Words, at: int, child: Words, to: int, index: int) -> int:
    """Put the question whose answer counts into the child by the move of that index; 1 if NO counts as YES."""
    raise NotImplementedError


def settle(deal: Words, state: Words, at: int) -> int:
    """YES, NO or UNKNOWN without search. Words beyond the node's own may be written."""
    raise NotImplementedError


def digest(deal: Words, state: Words, at: int, word: int) -> int:
    """Word 0 or 1 of the node's key, its question included."""
    raise NotImplementedError


def efforts(deal: Words, state: Words, at: int) -> int:
    """First numbers of a node that nothing is known about: proof number | disproof number << NUMBER_BITS."""
    raise NotImplementedError
