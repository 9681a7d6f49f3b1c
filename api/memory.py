"""The memory of a process that searches: a limit for its tables, and the release of idle memory."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from math import inf

from solver.search import memory
from solver.search.memory import IDLE_PROVERS, IDLE_SECONDS, MEGABYTE, TABLE_BUDGET, IdleProvers, TableBudget

log = logging.getLogger(__name__)

_PROGRAM = 256 * MEGABYTE  # assumed for everything but tables until it is measured: mostly machine code
_REQUEST = 10 * MEGABYTE  # per request, besides tables
_LEAST_SHARE = 8  # tables get at least one eighth of the limit
_LOOK_SECONDS = 5.0
_WORK_SECONDS = 0.2  # of processor time, after which freed memory is returned; that takes up to 0.1 s itself


class Memory:
    """Limits the search tables of this process to the part of `megabytes` MiB that the program does not use.

    Once `loaded` returns true, the program's memory is measured whenever no tables are held. `requests` is how
    many requests the process works on simultaneously, and `searches` how many of them search.
    """

    def __init__(
        self,
        megabytes: int,
        *,
        requests: int,
        searches: int,
        loaded: Callable[[], bool],
        budget: TableBudget = TABLE_BUDGET,
        idle: IdleProvers = IDLE_PROVERS,
    ) -> None:
        self._bound = megabytes * MEGABYTE
        self._requests = requests * _REQUEST
        self._loaded = loaded
        self._budget = budget
        self._idle = idle
        self._program = _PROGRAM
        self._measured = False
        self._trimmed = -inf  # the processor time when freed memory was returned last
        budget.searches = searches
        budget.resident = self._bound
        self.look()

    def watch(self) -> None:
        """Call `look` every few seconds, for as long as the process runs."""
        while True:
            time.sleep(_LOOK_SECONDS)
            self.look()

    def look(self) -> int:
        """Release memory that has been idle for a long time, and measure the program's memory if no tables are
        held. Returns the bytes of this process's memory, 0 if unknown.
        """
        used = self._budget.used
        if not self._measured and self._loaded():
            self._idle.drop()
        self._idle.drop(idle_for=IDLE_SECONDS)
        if self._budget.used < used or time.process_time() - self._trimmed > _WORK_SECONDS:
            memory.trim()  # what large requests and answers have left, too
            self._trimmed = time.process_time()
        size, own = memory.footprint()
        self._budget.shared = (memory.resident() or 0) - own
        if self._budget.used == 0 or not self._loaded():
            if own and self._loaded():
                self._program = own
            self._leave()
        return size

    def _leave(self) -> None:
        """Limit the search tables to the memory that the program and its requests leave free.

        The limit is never below an eighth of `ATHANOR_MEMORY_MB`.
        """
        room = self._bound - self._program - self._requests
        least = self._bound // _LEAST_SHARE
        if room < least and not self._measured and self._loaded():
            log.warning(
                "the program takes %d MiB of the %d MiB that it may have (ATHANOR_MEMORY_MB), which leaves its "
                "tables little, and may be exceeded",
                self._program // MEGABYTE,
                self._bound // MEGABYTE,
            )
        self._measured = self._loaded()
        self._budget.limit = max(room, least)
