"""How many streams there may be, in all and of one client."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Hashable

from api.scheduling.promises import Promises

_FIRST_SECONDS = 1.0  # what a stream is taken to last before one has ended
_WEIGHT = 0.1  # of the last stream in the mean


class StreamPlaces:
    """Places for streams: `most` in all, and half of these for one client. For those who come back when they were
    told there are half as many more.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._each = max(1, most // 2)
        self._change = threading.Lock()
        self._taken: Counter[str] = Counter()
        self._mean = _FIRST_SECONDS
        self._promises = Promises()

    def take(self, client: str, question: Hashable, *, back: bool) -> tuple[bool, int]:
        """Take a place. Answers whether the question is one that comes back, and 0 or when it is to come back.

        It is one if `back` says so, or if it was told so here.
        """
        with self._change:
            back = self._promises.keep(client, question) or back
            more = self._each if back else 0
            if self._taken.total() >= self._most + more or self._taken[client] >= self._each + more:
                return back, self._promises.make(client, question, self._mean / self._each, 1)
            self._taken[client] += 1
            return back, 0

    def leave(self, client: str, seconds: float) -> None:
        """Give a place back after so many seconds."""
        with self._change:
            self._mean += _WEIGHT * (seconds - self._mean)
            self._taken[client] -= 1
            if not self._taken[client]:
                del self._taken[client]
