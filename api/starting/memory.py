"""The service's memory: what its bound leaves for tables, and what nobody uses given back to the system."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from api.config import Config
from api.starting.readiness import Readiness
from solver.search.memory import machine
from solver.search.memory.account import ACCOUNT, Account
from solver.search.memory.settings import MEGABYTE
from solver.search.pool import IDLE_SECONDS, SHELF, Shelf

log = logging.getLogger(__name__)

_PROGRAM = (
    512 * MEGABYTE
)  # what all but the tables takes, until it is measured: the games' machine code most of all
_REQUEST = 10 * MEGABYTE  # what a request takes beside tables,
_APART = 4 * MEGABYTE  # and what is left of that here, where another process searches
_QUICK = 16  # then one part in so many of the rest is for the tables of what is quick
_LEAST_SHARE = 8  # tables get at least one part in so many of the bound
_LOOK_SECONDS = 5.0


class Memory:
    """Bounds the tables of all searches by what the program itself leaves of `config.memory_mb`.

    What the program takes is measured when every game is loaded, and again whenever no tables are held. Nearly all
    that it leaves is for the process that searches, where there is one: `share` is told how many MiB.
    """

    def __init__(
        self,
        config: Config,
        readiness: Readiness,
        *,
        account: Account = ACCOUNT,
        shelf: Shelf = SHELF,
        share: Callable[[int], None] | None = None,
    ) -> None:
        self._share = share
        self._program = _PROGRAM
        self._readiness = readiness
        self._account = account
        self._shelf = shelf
        self._bound = config.memory_mb * MEGABYTE
        self._requests = config.threads * (_REQUEST if share is None else _APART)
        self._measured = False
        account.searches = config.searches
        self._leave()

    def bound(self, size: int) -> None:
        """Let all of this process have so many bytes."""
        self._bound = size
        self._leave()

    def watch(self) -> None:
        """Start a thread that looks after the memory for as long as the process runs."""
        threading.Thread(target=self._watch, name="memory", daemon=True).start()

    def _watch(self) -> None:
        while True:
            threading.Event().wait(_LOOK_SECONDS)
            self.look()

    def look(self) -> None:
        """Let go of what is idle for long, and measure the program where that can be done."""
        used = self._account.used
        if not self._measured and self._readiness.settled():
            self._shelf.drop()
        self._shelf.drop(idle_for=IDLE_SECONDS)
        if self._account.used < used:
            machine.trim()
        if self._readiness.settled() and self._account.used == 0:
            program = machine.resident()
            if program is not None:
                self._program = program
                self._leave()

    def _leave(self) -> None:
        """Give the tables what the program and requests leave."""
        room = self._bound - self._program - self._requests
        least = self._bound // _LEAST_SHARE
        if room < least and not self._measured and self._readiness.settled():
            log.warning(
                "the program takes %d MiB by itself: ATHANOR_MEMORY_MB=%d leaves its tables little, and may be "
                "exceeded",
                self._program // MEGABYTE, self._bound // MEGABYTE,
            )  # fmt: skip
        self._measured = self._readiness.settled()
        tables = max(room, least)
        own = tables if self._share is None else tables // _QUICK
        self._account.limit = own
        self._account.resident = self._bound - (tables - own)
        if self._share is not None:
            self._share((tables - own) // MEGABYTE)
