"""The rules that a trick game provides for the trick searches, and the transposition table of the score search.

The rules are kernels over blocks of int64 words. The functions here document what a game's own kernels must do;
only the defaults of optional rules are ever called. A game passes its kernels in a record: `ScoreRules` here, or
`FailSoftRules` in `solver.search.fail_soft`, which has functions of the same names but other parameters. Both
searches use `boundary`, `size`, `maximises` and `play`. `checks.check_rules` tests a game's rules by playing
random games.

The player (a side, in a partnership game) maximizes the score. In the model `paranoid` all others minimize it; in
the model `ally` nobody does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from solver.kernels.jit import Instances, inlined
from solver.kernels.words import Words, trailing_zeros, wrapping_product
from solver.search.parallel import blended
from solver.search.rules import Rules

STATE_WORDS = 1  # words of a node
MOST_MOVES = 1  # moves of a node, at most


def boundary(deal: Words, state: Words, at: int) -> bool:
    """Whether the node is between two tricks. Alpha-beta stores only such nodes in the table."""
    raise NotImplementedError


def size(deal: Words, state: Words, at: int) -> int:
    """Return the number of tricks whose first card is still to be played, as a measure of the work left."""
    raise NotImplementedError


def maximises(deal: Words, state: Words, at: int) -> int:
    """Return 1 if the seat to move wants a high score for the player, 0 if it wants a low one."""
    raise NotImplementedError


def play(deal: Words, state: Words, at: int, child: Words, to: int, move: int) -> None:
    """Write the node after `move` to `child` at `to`.

    In the score search, the function must subtract from NEED the points that the player wins with the move.
    """
    raise NotImplementedError


# ----------------------------------------------------------------------------------------------------
# The words of a deal and of a node that every trick search uses, and the answers to a question.
#
# `deal` is an int64 array of constants of the deal: first the search's own words, then the game's (hands, player,
# whose cards score, and so on). A node is a block of int64 words inside a longer array, at an offset `at`.


NO, YES, UNKNOWN = 0, 1, -1

GENERATION = 0  # the deal word that separates deals in a table: entries of other generations are ignored
SWITCHES = 1  # the deal word with one bit for each active part of the search (see `solver.search.rules`)

# The score search alone. Of a node: the points still needed; at most 0 means reached.
NEED = 0
# Of a deal: the number of earlier attempts at the question, which may vary the order of `moves`; and the nodes
# that the last call of `finish` or `assured` looked at.
ATTEMPT, FINISHED = 2, 3
# Of a deal, kept by the table: the words in use when this round of splits began, how many of them are split, and
# the entries.
TABLE_WORDS, SPLIT, STORED = 4, 5, 6
# The number of tricks left at which alpha-beta solves a boundary; and all bits that keys and questions have used,
# to detect any that are wider than the game says.
SMALL, KEYS, NEEDS = 7, 8, 9
SCORE_WORDS = 10  # where the game's words begin in a deal of the score search
FAIL_SOFT_WORDS = 2  # where they begin in a deal of the fail-soft search


# ----------------------------------------------------------------------------------------------------
# What a trick game provides for the score search besides the four above.
#
# The search asks one kind of question: *can the player reach `need` more points from here?* Word `NEED` of a node
# is the question, the others are the game's.
#
# A node's key and its question have 63 bits together, and its bounds share a word of the table. So a game gives
# both widths: `KEY_BITS` bits for any key, `POINT_BITS` for any score of the game plus one. A wider key or
# question ends the search with an error.


POINT_BITS = 4
KEY_BITS = 57
MOVE_CODES = 62  # moves are numbers below this


def key(deal: Words, state: Words, at: int) -> int:
    """Return the node's key: a number from 1 to 2**KEY_BITS - 1 that does not depend on the question.

    Nodes may have the same key only if the moves of the same numbers, in canonical order, win the same in both, up
    to the end, and the same side is to move (`solver.search.suits` has keys like that). If the deal's switch
    PROOF_NUMBERS is off, only nodes between two tricks need keys.
    """
    raise NotImplementedError


def in_play(deal: Words, state: Words, at: int) -> int:
    """Return the number of points that nobody has won yet.

    The function must return 0 at the end of the round, and never less than the player can still win.
    """
    raise NotImplementedError


def legal(deal: Words, state: Words, at: int) -> int:
    """Return the legal moves as a set: bit m stands for move m. At the end of the round it is empty."""
    raise NotImplementedError


# What games write their `moves` with.


@inlined
def write_members(cards: int, out: Words, to: int) -> int:
    """Write the members of a set to `out` from `to` on, in ascending order, and return their number."""
    count = 0
    while cards != 0:
        out[to + count] = trailing_zeros(cards)
        cards &= cards - 1
        count += 1
    return count


@inlined
def insert(out: Words, to: int, count: int, move: int, score: int) -> int:
    """Insert a move into a list of `count` moves, the highest scores first; return the new number.

    Each word has the score above the 8 bits of the move, until `bare` removes the scores.
    """
    word = (score << 8) | move
    index = to + count
    while index > to and out[index - 1] < word:
        out[index] = out[index - 1]
        index -= 1
    out[index] = word
    return count + 1


@inlined
def bare(out: Words, to: int, count: int) -> int:
    """Remove the scores of a list made by `insert`; return the number of moves."""
    for index in range(to, to + count):
        out[index] &= 255
    return count


# Optional rules.


def listed(deal: Words, state: Words, at: int, out: Words, to: int) -> int:
    """Write every legal move to `out` from `to` on, in canonical order, and return their number.

    The default writes them in ascending order.
    """
    return write_members(legal(deal, state, at), out, to)


def settle(deal: Words, state: Words, at: int) -> int:
    """Answer the node's question cheaply: YES, NO or UNKNOWN.

    The answer must be YES for a NEED of 0 or less, and must not be UNKNOWN at the end of the round. The default
    returns YES if nothing is needed, NO if more is needed than is in play, and otherwise UNKNOWN.
    """
    if state[at + NEED] <= 0:
        return YES
    if state[at + NEED] > in_play(deal, state, at):
        return NO
    return UNKNOWN


def estimate(deal: Words, state: Words, at: int) -> int:
    """Answer the node's question from static bounds: YES, NO or UNKNOWN.

    Alpha-beta calls this only if neither `settle` nor the table has the answer. The default returns UNKNOWN.
    """
    return UNKNOWN


def finish(deal: Words, state: Words, at: int, table: Words) -> int:
    """Answer the question by the game's own search of the last tricks: YES or NO.

    The function may return UNKNOWN without searching, as the default does. It must write the number of nodes it
    looked at to `deal[FINISHED]`. It cannot be interrupted, so it must take no longer than a millisecond or two.
    """
    return UNKNOWN


def assured(deal: Words, state: Words, at: int, table: Words) -> int:
    """Return YES if the game can prove that answer at this boundary by a method of its own, else UNKNOWN.

    Proof-number search calls this at the boundaries that it visits. It is meant for proofs that can be reused
    for other boundaries. Like `finish`, it must write the number of nodes it looked at to `deal[FINISHED]`,
    and cannot be interrupted. The default returns UNKNOWN.
    """
    return UNKNOWN


def moves(deal: Words, state: Words, at: int, out: Words, to: int, first: int) -> int:
    """Write the moves to `out` from `to` on, the most promising first, and return their number.

    If `first` is one of them, it must come first. Of moves that are provably worth the same, all but one may be
    left out. The order may depend on `deal[ATTEMPT]`. The default writes all moves: `first`, then the others in
    canonical order.
    """
    count = listed(deal, state, at, out, to)
    for index in range(to, to + count):
        if out[index] == first:
            while index > to:
                out[index] = out[index - 1]
                index -= 1
            out[to] = first
            break
    return count


# ----------------------------------------------------------------------------------------------------
# The transposition table: bounds on a node's points, its best move, and proof numbers of one question.
#
# An entry is two words, key and data; four entries, one cache line, make a bucket. The key word holds the whole
# node (`KEY_BITS`) and the low bits of the deal's generation, the data word the rest of the generation: so an
# entry is never believed in another deal, and nothing needs clearing. The key word is kept combined with a hash of
# the data word, so that two words written by different threads for different nodes at the same time match no key.
#
# The many nodes near the end have their own part, in front. For the rest, a deal starts with a part small enough
# for the processor's caches, and uses more as it fills.
#
# Data, from bit 0: lower, upper, need (`POINT_BITS` each); best move + 1 (6); proof number, disproof number
# (`PROOF_BITS` each, of the question `need`); generation.


ENTRY = 2  # words
BUCKET = 8  # words
WORD_BITS = 63  # of a word that is not negative
MOVE_BITS = 6
NEAR_WORDS = 1 << 15
FIRST_WORDS = 1 << 18  # of a table, for a new deal
_FEWEST = 1 << 14  # entries
ROOM = 4  # a part has this many places per entry
PROOF_BITS = 15
MOST_PROOF = (1 << PROOF_BITS) - 1


def data_bits(point_bits: int) -> int:
    """Number of bits that a table entry's data word needs, besides those of the deal's generation."""
    return 3 * point_bits + MOVE_BITS + 2 * PROOF_BITS


def generations(point_bits: int, key_bits: int) -> int:
    """Number of deals that can use the table before it must be cleared."""
    return 1 << max(0, 2 * WORD_BITS - key_bits - data_bits(point_bits))


def sizes(megabytes: int) -> list[int]:
    """Return the possible sizes, in words, of a table with a main part of at most `megabytes` MiB, largest first.

    The main part holds a power of two of entries; `NEAR_WORDS` words precede it. If the table is aligned to cache
    lines, so are its buckets.
    """
    slots = 1 << ((megabytes << 20) // (8 * ENTRY)).bit_length() - 1
    return [NEAR_WORDS + (slots >> part) * ENTRY for part in range(slots.bit_length()) if slots >> part >= _FEWEST]


def score_table(game: str, key_bits: int, point_bits: int) -> dict[str, Any]:
    """Instantiate the table's kernels, the templates below, for one game; return them by name, with the widths.

    A game's own kernels may store nodes in the same table, under keys that the search does not use. Their
    templates get these as globals. Compiles nothing yet.
    """
    instances = Instances(game, {"KEY_BITS": key_bits, "POINT_BITS": point_bits})
    template: Callable[..., object]
    for template in (bucket_of, near_bucket, key_word, find, put, widen, bounded, remember):
        instances.of(template)
    return instances.names


# Templates from here on.


def bucket_of(deal: Words, node: int) -> int:
    """Return the table index of the first word of the bucket for the key `node`."""
    mixed = wrapping_product(node ^ (node >> 32), 0x1E3779B97F4A7C15) & 0x7FFFFFFFFFFFFFFF
    address = (mixed >> 36) * BUCKET
    bucket = address & (deal[TABLE_WORDS] - 1)
    if bucket < deal[SPLIT]:
        bucket = address & (2 * deal[TABLE_WORDS] - 1)
    return NEAR_WORDS + int(bucket)


def near_bucket(deal: Words, node: int, left: int) -> int:
    """Return the table index of the first word of a boundary's bucket.

    Boundaries with at most two tricks `left` share a small part of the table, which stays in the processor's
    cache.
    """
    bucket = bucket_of(deal, node)
    return bucket & (NEAR_WORDS - 1) if left <= 2 else bucket


def key_word(deal: Words, node: int) -> int:
    return int(node | ((deal[GENERATION] & ((1 << (63 - KEY_BITS)) - 1)) << KEY_BITS))


def find(deal: Words, table: Words, node: int, bucket: int) -> int:
    """Return the data word of a node, or -1 if it is not stored."""
    word = key_word(deal, node)
    stamp = deal[GENERATION] >> (63 - KEY_BITS)
    for entry in range(bucket, bucket + BUCKET, ENTRY):
        data = table[entry + 1]
        same = table[entry] ^ blended(data) == word
        if same and data >> (3 * POINT_BITS + MOVE_BITS + 2 * PROOF_BITS) == stamp:
            return int(data)
    return -1


def put(deal: Words, table: Words, node: int, bucket: int, data: int) -> None:
    """Store a node's data in the bucket at index `bucket`. The function adds the generation to `data`.

    The new entry replaces the node's old one if there is any, else an entry of another deal, else an entry chosen
    by a hash of the keys. So the work for a deal does not depend on the deals before it.
    """
    word = key_word(deal, node)
    stamp = deal[GENERATION] >> (63 - KEY_BITS)
    victim = bucket
    luck = 1 << 62  # of the victim; negative for a stale entry
    for entry in range(bucket, bucket + BUCKET, ENTRY):
        there = table[entry] ^ blended(table[entry + 1])
        if there == word:
            victim = entry
            luck = 0
            break
        if luck >= 0:
            resident = int(there & ((1 << KEY_BITS) - 1))
            mixed = int(wrapping_product(resident, 0x1E3779B97F4A7C15)) & 0x3FFFFFFFFFFFFFFF
            if (
                there >> KEY_BITS != word >> KEY_BITS
                or table[entry + 1] >> (3 * POINT_BITS + MOVE_BITS + 2 * PROOF_BITS) != stamp
            ):
                mixed = -1
            if mixed < luck:
                luck = mixed
                victim = entry
    if luck < 0:
        deal[STORED] += 1
    data |= stamp << (3 * POINT_BITS + MOVE_BITS + 2 * PROOF_BITS)
    table[victim] = word ^ blended(data)
    table[victim + 1] = data


def widen(deal: Words, table: Words) -> None:
    """Enlarge the part of the table in use if it is too full, splitting one bucket at a time.

    So no call takes long, however large the table is (Litwin 1980: linear hashing).
    """
    stamp = deal[GENERATION] >> (63 - KEY_BITS)
    shift = 3 * POINT_BITS + MOVE_BITS + 2 * PROOF_BITS
    while (
        deal[STORED] * (ROOM * ENTRY) > deal[TABLE_WORDS] + deal[SPLIT]
        and deal[TABLE_WORDS] < len(table) - NEAR_WORDS
    ):
        bucket = NEAR_WORDS + deal[SPLIT]
        deal[SPLIT] += BUCKET
        for entry in range(bucket, bucket + BUCKET, ENTRY):
            data = table[entry + 1]
            word = table[entry] ^ blended(data)
            node = int(word & ((1 << KEY_BITS) - 1))
            if word == key_word(deal, node) and data >> shift == stamp:
                target = bucket_of(deal, node)
                if target != bucket:
                    table[entry] = 0
                    table[entry + 1] = 0
                    deal[STORED] -= 1
                    put(deal, table, node, target, data - (stamp << shift))
        if deal[SPLIT] == deal[TABLE_WORDS]:
            deal[TABLE_WORDS] *= 2
            deal[SPLIT] = 0


def bounded(data: int, need: int) -> int:
    """Answer a question from an entry's bounds: 1 yes, 0 no, -1 unknown."""
    if data & ((1 << POINT_BITS) - 1) >= need:
        return 1
    if (data >> POINT_BITS) & ((1 << POINT_BITS) - 1) < need:
        return 0
    return -1


def remember(deal: Words, table: Words, node: int, bucket: int, need: int, answer: int, move: int) -> None:
    """Tighten a node's stored bounds with an answer, and store the move that proved it, unless that is -1."""
    data = find(deal, table, node, bucket)
    if data < 0:
        data = ((1 << POINT_BITS) - 1) << POINT_BITS
    lower = data & ((1 << POINT_BITS) - 1)
    upper = (data >> POINT_BITS) & ((1 << POINT_BITS) - 1)
    if answer == 1:
        lower = max(lower, need)
    else:
        upper = min(upper, need - 1)
    if move < 0:
        move = ((data >> (3 * POINT_BITS)) & ((1 << MOVE_BITS) - 1)) - 1
    put(deal, table, node, bucket, lower | (upper << POINT_BITS) | ((move + 1) << (3 * POINT_BITS)))


# ----------------------------------------------------------------------------------------------------
# The records of a trick game's rules for a search: typed, with defaults, and checked when made.


OfNode = Callable[[Words, Words, int], int]
WithTable = Callable[[Words, Words, int, Words], int]

_LONGEST = 120
LEAST_DEALS = 1 << 8  # that must fit before a table is cleared
NARROWER = (
    "number only the cards of the deal, leave out what follows from others, or turn PROOF_NUMBERS off in large "
    "deals, so that only nodes between two tricks need keys"
)


@dataclass(frozen=True, kw_only=True)
class SearchRules(Rules):
    """The rules that both trick searches need.

    `longest_line` must exceed the number of moves in any line of play, where a move is a card or another choice.
    """

    state_words: int
    most_moves: int
    boundary: Callable[[Words, Words, int], bool]
    size: OfNode
    maximises: OfNode
    play: Callable[[Words, Words, int, Words, int, int], None]
    longest_line: int = _LONGEST


@dataclass(frozen=True, kw_only=True)
class ScoreRules(SearchRules):
    """The rules that the score search needs.

    Besides the errors of `Rules`, raises ValueError if a key and a question do not fit in one word together, or a
    table entry does not fit in two.
    """

    point_bits: int
    key_bits: int
    key: OfNode
    in_play: OfNode
    legal: OfNode
    listed: Callable[[Words, Words, int, Words, int], int] = listed
    settle: OfNode = settle
    estimate: OfNode = estimate
    finish: WithTable = finish
    assured: WithTable = assured
    moves: Callable[[Words, Words, int, Words, int, int], int] = moves

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.key_bits + self.point_bits > WORD_BITS:
            raise ValueError(
                f"{self.who}: a key of {self.key_bits} bits and a question of {self.point_bits} do not fit a word "
                f"of {WORD_BITS}: {NARROWER}"
            )
        if data_bits(self.point_bits) > WORD_BITS or generations(self.point_bits, self.key_bits) < LEAST_DEALS:
            raise ValueError(
                f"{self.who}: the bounds and proof numbers of scores of {self.point_bits} bits do not fit a word "
                f"of {WORD_BITS} with what tells deals apart; the fail-soft search is for many scores"
            )
