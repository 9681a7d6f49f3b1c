"""The threads that answer requests, as waitress wants them: what it calls a dispatcher."""

from __future__ import annotations

import logging
import sys
from typing import Any

from api.scheduling.pool import NoThreadError, Pool
from api.scheduling.precedence import Precedence
from solver.errors import RequestError

log = logging.getLogger(__name__)

_FEWEST = 4
_CODE_BYTES = 3 << 29  # of address space: the libraries, the kernels and their tables
_THREAD_BYTES = 72 << 20  # of address space: a stack and an arena of the allocator
# So many requests are read, checked and answered at once, however many wait for a search. More would only take the
# interpreter from each other, and the turns of the clients would count for nothing.
_ACTIVE = 4
_END_SECONDS = 0.5  # a thread that has sent its answer still wakes the loop, which must not be gone


class Workers:
    """Threads that answer requests, `wanted` or fewer; `count` tells. Clients take turns at them.

    Raises RequestError where the system lets hardly any thread be started.
    """

    def __init__(self, wanted: int, precedence: Precedence) -> None:
        fewer = min(wanted, _affordable())
        if fewer < wanted:
            log.warning("the limit on the address space allows %d of %d threads", fewer, wanted)
        self._pool = Pool("worker", fewer, active=_ACTIVE, shared=True, precedence=precedence)
        try:
            fault = self._pool.start()
        except NoThreadError as found:
            raise _no_threads(str(found)) from None
        self.count = self._pool.most
        if self.count < _FEWEST:
            raise _no_threads(fault)
        if fault:
            log.warning(
                "the system lets only %d of %d threads be started (%s), so fewer requests are answered at once",
                self.count,
                fewer,
                fault,
            )

    def add_task(self, channel: Any) -> None:
        """Have a channel's next request answered, when it is its turn."""
        self._pool.put((channel.client, channel.number), channel.service)

    def shutdown(self) -> None:
        """Begin no more requests, and let those that have been answered end."""
        self._pool.stop(_END_SECONDS)


def _affordable() -> int:
    """How many threads fit into the address space beside the code, where there is a limit on it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return sys.maxsize
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return sys.maxsize
    return max(_FEWEST, (limit - _CODE_BYTES) // _THREAD_BYTES)


def _no_threads(fault: str) -> RequestError:
    return RequestError("no_threads", f"the system does not let enough threads be started: {fault}")
