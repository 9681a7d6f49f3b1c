"""The threads that answer requests, as waitress wants them: what it calls a dispatcher."""

from __future__ import annotations

import logging
from typing import Any

from api.scheduling.pool import NoThreadError, Pool
from api.scheduling.precedence import Precedence
from solver.inputs.errors import RequestError

log = logging.getLogger(__name__)

_FEWEST = 3
# So many requests are read, checked and answered at once, however many wait for a search. More would only take the
# interpreter from each other, and the turns of the clients would count for nothing.
_ACTIVE = 4


class Workers:
    """Threads that answer requests, `wanted` or fewer; `count` tells. Clients take turns at them.

    Raises RequestError where the system lets hardly any thread be started.
    """

    def __init__(self, wanted: int, precedence: Precedence) -> None:
        self._pool = Pool("worker", wanted, active=_ACTIVE, precedence=precedence)
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
                wanted,
                fault,
            )

    def add_task(self, channel: Any) -> None:
        """Have a channel's next request answered, when it is its client's turn."""
        self._pool.put(channel.client, channel.service)

    def shutdown(self) -> None:
        """Begin no more requests."""
        self._pool.stop()


def _no_threads(fault: str) -> RequestError:
    return RequestError("no_threads", f"the system does not let enough threads be started: {fault}")
