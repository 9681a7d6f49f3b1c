"""What a trick game brings to the search: the functions below, written as kernels over a block of words.

The search asks one kind of question: *can the player reach `need` more points from here?* The player's side
maximises, everyone else minimises (none, when all are allies). A node is a block of `STATE_WORDS` int64 words
inside a stack frame, at an offset `at`; word `NEED` is the question, the others are the game's. `deal` is an
int64 array of the game's constants for this deal (hands, player, whose cards score, …).

The functions here only document the names: the templates in `trick_table`, `trick_ab` and `trick_pn` are
instantiated with a game's own (see `solver.kernels.template`). `POINT_BITS` is wide enough for any score of
the game plus one; `KEY_BITS` for any key.
"""

from __future__ import annotations

from solver.kernels.arrays import Words

NEED = 0  # the state word that every game has: points still needed; at most 0 means reached
GENERATION = 0  # the deal word that every game has: entries of other generations are not believed
SWITCHES = 1  # the deal word with the parts of the search that are on, one bit each
ATTEMPT = 2  # the deal word with the number of earlier attempts at the question: `moves` varies its order by it

FINISHED = 3  # the deal word with the nodes that the last call of `finish` or `assured` looked at
# Of the table: the words in use when this round of splits began, those of them that are split, and the entries.
TABLE_WORDS, SPLIT, STORED = 4, 5, 6
GAME_WORDS = 7  # where the deal's words begin that are the game's

NO, YES, UNKNOWN = 0, 1, -1

STATE_WORDS = 1
MOST_MOVES = 1
POINT_BITS = 4
KEY_BITS = 57


def settle(deal: Words, state: Words, at: int) -> int:
    """YES, NO or UNKNOWN by what costs next to nothing: `need` against the points left, the last trick."""
    raise NotImplementedError


def estimate(deal: Words, state: Words, at: int) -> int:
    """YES, NO or UNKNOWN by static bounds, looked at after the table."""
    raise NotImplementedError


def finish(deal: Words, state: Words, at: int, table: Words) -> int:
    """YES or NO by a search of the game's own of the last tricks, UNKNOWN where it has none.

    It is not interrupted: it must take no longer than a millisecond or two.
    """
    raise NotImplementedError


def assured(deal: Words, state: Words, at: int, table: Words) -> int:
    """YES by a proof of the game's own that serves other boundaries too, UNKNOWN where it finds none.

    Asked of boundaries when they are first met. It is not interrupted either.
    """
    raise NotImplementedError


def key(deal: Words, state: Words, at: int) -> int:
    """The node without its question, exactly, in `KEY_BITS` bits; never 0."""
    raise NotImplementedError


def boundary(deal: Words, state: Words, at: int) -> bool:
    """Whether the node stands between two tricks: only such nodes are remembered by alpha-beta."""
    raise NotImplementedError


def size(deal: Words, state: Words, at: int) -> int:
    """Tricks still to begin, this node's own included when it is a boundary: a measure of the work below."""
    raise NotImplementedError


def maximises(deal: Words, state: Words, at: int) -> int:
    """1 where the seat to move wants YES, 0 where it wants NO."""
    raise NotImplementedError


def choices(deal: Words, state: Words, at: int) -> int:
    """How many legal moves there are, before any merging."""
    raise NotImplementedError


def moves(deal: Words, state: Words, at: int, out: Words, to: int, first: int) -> int:
    """Write the moves to `out` from `to` on, most promising first (`first`, unless -1); return their number.

    Moves that are provably worth the same as another may be left out. The order hangs on `deal[ATTEMPT]` too.
    """
    raise NotImplementedError


def play(deal: Words, state: Words, at: int, child: Words, to: int, move: int) -> None:
    """Write the node after `move` to `child` at `to`; its `need` is less by the points just won."""
    raise NotImplementedError


def listed(deal: Words, state: Words, at: int, out: Words, to: int) -> int:
    """Write every legal move to `out` from `to` on, in canonical order; return their number."""
    raise NotImplementedError


def in_play(deal: Words, state: Words, at: int) -> int:
    """Points that nobody has won yet: at least as many as the player can still win."""
    raise NotImplementedError
