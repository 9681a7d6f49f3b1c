"""Lets several threads work on one question: the memory that they share, and when they are started.

One thread asks the question, as it would alone. If that takes long, others work on the same question, each with
its own stack, over one table without locks: an entry written by two threads simultaneously is recognized and
ignored. The first thread that finds the answer ends the work of all. A proof does not depend on the thread that
found it, so a value is the same with any number of threads; the time it takes may differ, and so may which of
several best lines is found.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from solver.errors import whole_number
from solver.kernels.jit import inlined
from solver.kernels.words import Words, wrapping_product
from solver.limits import Control, started

# Words that the threads share. ASKED: the number of the question; a thread whose question has another number ends.
# HELPERS: the threads that were started. MARKS: where threads mark what they work on, so that others avoid it.
ASKED, HELPERS, MARKS = 0, 1, 8
MARK_WORDS = 1 << 12

EASY_ANALYSIS = 10_000  # nodes; times the pace, 3 to 30 ms; most analyses have ended by then
EASY_QUESTION = 500  # nodes
FIRST_NODES = 10_000  # between two checks of whether a question needs help
HELPER_NODES = 5000  # between two checks of how much of the table is in use
_MOST_THREADS = 1_000_000  # the largest valid number
_CORES = os.cpu_count() or 1
_NEVER = -(1 << 40)  # entries, so that a helper does not widen the table


@inlined
def place_of(mark: int) -> int:
    """Return the index, in the threads' shared memory, of the word that can hold this mark."""
    return int(MARKS + ((mark >> 40) & (MARK_WORDS - 1)))


@inlined
def blended(data: int) -> int:
    """Hash a table entry's data. The entry's key is stored XORed with this hash (Hyatt and Mann 2002)."""
    mixed = wrapping_product(data, 0x1E3779B97F4A7C15)
    return int(mixed ^ (mixed >> 32))


def follow_table(own: Words, helper: Words, shape: Sequence[int], stored: int) -> None:
    """Let a helper use the same part of the table as the asking thread, which alone enlarges that part.

    `own` and `helper` are the deal arrays of the asking thread and the helper. The words at the indexes in
    `shape`, which say what part is in use, are copied to `helper`. The word at index `stored` counts the stored
    entries; those that the helper has added are moved to the count of `own`. If a bucket is being split meanwhile,
    a lookup may miss an entry, but what it finds is correct.
    """
    if helper[stored] < 0:
        own[stored] += helper[stored] - _NEVER
    helper[stored] = _NEVER
    for word in shape:
        helper[word] = own[word]


def search_threads() -> int:
    """Return how many threads work on one analysis: ATHANOR_THREADS, but no more than there are processors.

    The default is one thread per processor. Raises RequestError if the variable is not a valid number.
    """
    return min(whole_number("ATHANOR_THREADS", 1, _MOST_THREADS) or _CORES, _CORES)


class Team:
    """The helping threads of one prover, which work only between `call` and `close`.

    They help only once an analysis has taken `pace * EASY_ANALYSIS` nodes, and a question `pace * EASY_QUESTION`.
    The cheaper the nodes, the later it is worth starting threads, and the higher `pace` should be.
    """

    def __init__(self, pace: int) -> None:
        self._pace = pace
        self.words: Words = np.zeros(MARKS + MARK_WORDS, np.int64)
        self._threads: list[threading.Thread] = []

    def wanted(self, control: Control, nodes: int) -> int:
        """Return how many helping threads to start for a question that has taken `nodes` nodes so far.

        Returns 0 while helping threads are running.
        """
        if self._threads or nodes < self._pace * EASY_QUESTION or control.nodes < self._pace * EASY_ANALYSIS:
            return 0
        return control.threads - 1

    def slice(self, control: Control, budget: int) -> int:
        """Return how many of `budget` nodes to search until `wanted` should be called again.

        A slice of 10 ms may begin a question and search much of it before anybody can help.
        """
        if self._threads or control.threads == 1 or control.nodes < self._pace * EASY_ANALYSIS:
            return budget
        return min(budget, FIRST_NODES)

    def call(self, work: Sequence[Callable[[], None]]) -> None:
        """Run each function in its own thread; skip those for which the system refuses to start one."""
        self.words[MARKS:] = 0
        self.words[HELPERS] = len(work)
        threads = [threading.Thread(target=part, name="search", daemon=True) for part in work]
        self._threads = [thread for thread in threads if started(thread)]

    def end(self) -> None:
        """Make all threads that work on this question stop."""
        self.words[ASKED] += 1

    def close(self, control: Control, helpers: Iterable[Words], nodes: int) -> None:
        """End the question, wait until no thread works on it any more, and add up the threads' nodes.

        `helpers` are the threads' control words, and `nodes` is the index of the node count in them.
        """
        self.end()
        for thread in self._threads:
            thread.join()
        self._threads = []
        self.words[HELPERS] = 0
        for words in helpers:
            control.nodes += int(words[nodes])
            words[nodes] = 0
