"""The winner search, for yes-no questions about games that are won or lost. `OutcomeProver` runs it.

The score search (`solver.search.score_search`) asks for points and keeps a node in one word. Here a node is a
block of `STATE_WORDS` int64 words inside a frame, at an offset `at`, and includes its question. `deal` is an int64
array of the game's constants. Positions must not repeat: every line of moves must end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from solver.kernels.words import Words, highest_one
from solver.limits import Control
from solver.search import proof_number
from solver.search.memory import new_table, powers_of_two
from solver.search.parallel import ASKED, HELPER_NODES, Team, blended, follow_table
from solver.search.proof_number import (
    CHILD,
    CONTROL_WORDS,
    DEPTH,
    NODES,
    NUMBER_BITS,
    QUESTION,
    RESULT,
    STATE,
    OutcomeRules,
    Room,
    begin_numbers,
    known,
)

GENERATION = 0  # the deal word that every game has: entries of other generations are ignored
SWITCHES = 1  # the deal word with one bit for each active part of the search
# Deal words kept by the table: the words in use when this round of splits began, how many of them are split, and
# the entries.
TABLE_WORDS, SPLIT, STORED = 2, 3, 4
DEAL_WORDS = 5  # where the game's words begin in a deal

NO, YES, UNKNOWN = 0, 1, -1


# ------------------------------------------------------------------------ the table: two words of key, one of data
# Nodes of a climbing game do not fit one word, so the table keeps a digest of 112 bits, which the game makes with
# a mixer that scatters every bit of the node (`solver.kernels.rng.mix`): of a billion nodes any two share it with
# a chance of about 1 in 10**16. The rest of the second word is the generation, a number for each question's deal:
# an entry is never believed in another deal, and nothing needs clearing. It is kept combined with a hash of the
# data word, so that words written by different threads for different nodes at the same time match no key.
#
# Five entries, two cache lines, make a bucket. A deal starts with a part of the table small enough for the
# processor's caches, and uses more as it fills, so memory that a question does not need is never touched.
#
# Data, from bit 0: proof number, disproof number (`NUMBER_BITS` each), the work below the node (its logarithm, 6).
# A full bucket drops the entry with the least work below it. Only this deal's entries count, so a search never
# depends on what was searched before it.

ENTRY = 3  # words
BUCKET = 16  # words
ENTRIES = 5 * ENTRY  # words of a bucket that hold entries
FIRST_WORDS = 1 << 18  # of a table, for a new deal
ROOM = 4  # a part has this many places per entry
DIGEST_BITS = 48  # of the second key word
GENERATIONS = 1 << 15


def bucket_of(deal: Words, first: int) -> int:
    """Return the table index of the first word of the bucket for a node whose key begins with `first`."""
    address = (first & 0x00FFFFFFFFFFFFFF) * BUCKET  # as many bits of the key as cannot overflow
    bucket = address & (deal[TABLE_WORDS] - 1)
    if bucket < deal[SPLIT]:
        bucket = address & (2 * deal[TABLE_WORDS] - 1)
    return int(bucket)


def recall(deal: Words, table: Words, first: int, second: int) -> int:
    """Return a node's stored numbers, packed as proof number | disproof number << NUMBER_BITS.

    `first` and `second` are the two words of the node's key. Returns -1 if the node is not in the table.
    """
    word = (second & ((1 << DIGEST_BITS) - 1)) | (deal[GENERATION] << DIGEST_BITS)
    bucket = bucket_of(deal, first)
    for entry in range(bucket, bucket + ENTRIES, ENTRY):
        if table[entry] == first and table[entry + 1] ^ blended(table[entry + 2]) == word:
            return int(table[entry + 2] & ((1 << (2 * NUMBER_BITS)) - 1))
    return -1


def store(deal: Words, table: Words, first: int, second: int, proof: int, disproof: int, work: int) -> None:
    """Store the proof and disproof numbers of a node, found by searching `work` nodes.

    `first` and `second` are the two words of the node's key. If the node has an entry, it is updated. Otherwise an
    entry of another deal is replaced or, if the bucket has none, the entry that took the least work.
    """
    word = (second & ((1 << DIGEST_BITS) - 1)) | (deal[GENERATION] << DIGEST_BITS)
    bucket = bucket_of(deal, first)
    victim = bucket
    least = 1 << 62
    size = highest_one(work + 1)
    for entry in range(bucket, bucket + ENTRIES, ENTRY):
        there = table[entry + 1] ^ blended(table[entry + 2])
        if table[entry] == first and there == word:
            victim = entry
            least = 0
            size = max(size, table[entry + 2] >> (2 * NUMBER_BITS))
            break
        value = -1
        if there >> DIGEST_BITS == deal[GENERATION]:
            value = table[entry + 2] >> (2 * NUMBER_BITS)
        if value < least:
            least = value
            victim = entry
    data = proof | (disproof << NUMBER_BITS) | (size << (2 * NUMBER_BITS))
    table[victim] = first
    table[victim + 1] = word ^ blended(data)
    table[victim + 2] = data
    if least < 0:
        deal[STORED] += 1


def widen(deal: Words, table: Words) -> None:
    """Enlarge the part of the table in use if it is too full.

    One bucket is split at a time, so no call takes long, however large the table is (linear hashing: Litwin 1980).
    """
    while deal[STORED] * (ROOM * ENTRY) > deal[TABLE_WORDS] + deal[SPLIT] and deal[TABLE_WORDS] < len(table):
        bucket = int(deal[SPLIT])
        deal[SPLIT] += BUCKET
        for entry in range(bucket, bucket + ENTRIES, ENTRY):
            # In the new bucket nothing is of this deal yet, so each entry that goes there finds its place free.
            if (table[entry + 1] ^ blended(table[entry + 2])) >> DIGEST_BITS == deal[GENERATION]:
                moved = bucket_of(deal, table[entry]) - bucket
                if moved != 0:
                    for at in range(entry, entry + ENTRY):
                        table[moved + at] = table[at]
                        table[at] = 0
        if deal[SPLIT] == deal[TABLE_WORDS]:
            deal[TABLE_WORDS] *= 2
            deal[SPLIT] = 0


# ------------------------------------------------------------------------------------------- the search for a game


def open_question(deal: Words, root: Words, frames: Words, control: Words) -> None:
    """Set up `frames` and `control` for a search that answers the question in the node `root`.

    If the answer is known without a search, it is written to `control[RESULT]`, which is otherwise negative.
    """
    begin_numbers(deal, root, frames, control)
    control[RESULT] = known(deal, frames, STATE)
    if control[RESULT] >= 0:
        control[DEPTH] = 0


@dataclass(frozen=True)
class OutcomeSearch:
    """The kernels that `OutcomeProver` calls, and the rules that they were instantiated with."""

    rules: OutcomeRules
    open_question: Callable[[Words, Words, Words, Words], None]
    advance: Callable[[Words, Room, int], bool]


def outcome_search(rules: OutcomeRules) -> OutcomeSearch:
    """Instantiate the search with a game's rules. Compiles nothing yet.

    Raises ValueError if such a search with different rules is already registered under the game's name.
    """
    rules.enter()
    instances = rules.instances()
    for template in (bucket_of, recall, widen, store, proof_number.visit, begin_numbers):
        instances.of(template)
    question = instances.of(open_question)
    instances.of(proof_number.expand)
    instances.of(proof_number.overtaken)
    return OutcomeSearch(rules, question, instances.of(proof_number.advance))


class Deal(Protocol):
    """The deal of a question: its words, the length of its longest line of moves, and the most moves at a node."""

    @property
    def words(self) -> Words: ...

    @property
    def depth(self) -> int: ...

    @property
    def moves(self) -> int: ...


class _Thread:
    """The working memory of one thread that works on a question."""

    def __init__(self) -> None:
        self.frames: Words = np.zeros(0, np.int64)
        self.children: Words = np.zeros(0, np.int64)
        self.control: Words = np.zeros(CONTROL_WORDS, np.int64)
        self.deal: Words = np.zeros(DEAL_WORDS, np.int64)

    def fit(self, rules: OutcomeRules, deal: Deal) -> None:
        """Enlarge the arrays if the longest line of a deal needs it."""
        frames = (deal.depth + 2) * (STATE + rules.state_words) + rules.scratch_words
        children = (deal.depth + 1) * deal.moves * CHILD
        if len(self.frames) < frames:
            self.frames = np.zeros(frames, np.int64)
        if len(self.children) < children:
            self.children = np.zeros(children, np.int64)


class OutcomeProver:
    """Answers yes-no questions about a game's deals. Only one analysis at a time may use it.

    Every question names its deal. Questions about the same deal share the transposition table; entries of other
    deals are ignored, so the work for a question does not depend on questions about other deals. Further threads
    help with long questions, if the control allows them.
    """

    def __init__(self, search: OutcomeSearch, megabytes: int) -> None:
        """Allocate the table. Its size in words is the largest power of two that fits in `megabytes` MiB.

        The table is smaller if memory is scarce. Raises MemoryError if not even the smallest table fits.
        """
        self.search = search
        self.table: Words = new_table(powers_of_two(megabytes))
        self._own = _Thread()
        self._helpers: list[_Thread] = []
        self._team = Team(pace=2)
        self._generation = 0

    def take(self, deal: Deal) -> None:
        """Make `deal` the current deal, if it is not already. `ask` calls this itself."""
        if deal.words is self._own.deal:
            return
        self._generation += 1
        if self._generation >= GENERATIONS:
            self.table[:] = 0
            self._generation = 1
        words = self._own.deal = deal.words
        words[GENERATION] = self._generation
        words[TABLE_WORDS] = min(len(self.table), FIRST_WORDS)
        words[SPLIT] = 0
        words[STORED] = 0
        self._own.fit(self.search.rules, deal)

    def ask(
        self,
        deal: Deal,
        root: Words,
        control: Control,
        *,
        nodes: int | None = None,
        until: float | None = None,
        stage: str = "",
    ) -> bool | None:
        """Return the answer to the question in the node `root`; None if a limit was reached.

        `nodes` and `until` (a `time.monotonic` moment) limit this question alone.
        """
        self.take(deal)
        own = self._own.control
        self._begin(self._own, root)
        begun = int(own[NODES])

        def step(budget: int) -> tuple[bool, int]:
            more = self._team.wanted(control, int(own[NODES]) - begun)
            if more:
                self._call(more, deal, root)
            return self._step(budget)

        try:
            if own[RESULT] < 0 and not control.drive(step, node_share=nodes, until=until, stage=stage):
                return None
            return bool(own[RESULT])
        finally:
            self._team.close(control, [helper.control for helper in self._helpers], NODES)

    def _begin(self, thread: _Thread, root: Words) -> None:
        self.search.open_question(thread.deal, root, thread.frames, thread.control)
        thread.control[QUESTION] = self._team.words[ASKED]

    def _run(self, thread: _Thread, budget: int) -> bool:
        arrays = (thread.frames, thread.children, thread.control, thread.children, self.table, self._team.words)
        return bool(self.search.advance(thread.deal, Room(*arrays), budget))

    def _step(self, budget: int) -> tuple[bool, int]:
        own = self._own.control
        before = int(own[NODES])
        finished = self._run(self._own, budget)
        if not finished and self._team.words[ASKED] != own[QUESTION]:
            own[RESULT] = next(result for helper in self._helpers if (result := helper.control[RESULT]) >= 0)
            finished = True
        return finished, int(own[NODES]) - before

    def _call(self, count: int, deal: Deal, root: Words) -> None:
        """Start `count` threads that help with the question."""
        while len(self._helpers) < count:
            self._helpers.append(_Thread())
        for helper in self._helpers[:count]:
            helper.deal = deal.words.copy()
            helper.fit(self.search.rules, deal)
            self._begin(helper, root)
        self._team.call([partial(self._help, helper) for helper in self._helpers[:count]])

    def _help(self, helper: _Thread) -> None:
        """Work on the question until a thread has answered it."""
        while self._team.words[ASKED] == helper.control[QUESTION]:
            follow_table(self._own.deal, helper.deal, (TABLE_WORDS, SPLIT), STORED)
            if self._run(helper, HELPER_NODES):
                self._team.end()
