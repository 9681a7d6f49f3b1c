"""When those who were turned away are to come back, and who of those who come was told so.

A question that comes back is known by whose it is and what it says. Each is told a time of its own, so far apart
that half of all searches are left for those who come for the first time.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict, deque
from collections.abc import Hashable

LONGEST_WAIT = 60  # seconds that a client is told to stay away at most
_PART = 2  # every second search is for one who comes back
_EARLY_SECONDS = 0.1
_KEPT_SECONDS = 30.0  # after its time, a promise is not kept any more
_MOST, _MOST_EACH = 4096, 64  # questions, and promises to each, the last ones


class Promises:
    """Promises to clients' questions of one kind. It has no lock of its own."""

    def __init__(self) -> None:
        self._due: OrderedDict[tuple[str, Hashable], deque[float]] = OrderedDict()
        self._next = 0.0

    def make(self, client: str, question: Hashable, apart: float, ahead: int) -> int:
        """In how many whole seconds a question is to come back. One that is None would not be known again.

        Searches end `apart` seconds from each other, and so many are `ahead`.
        """
        now = time.monotonic()
        self._next = max(self._next, now + apart * ahead) + _PART * apart
        seconds = max(1, math.ceil(min(self._next - now, LONGEST_WAIT)))
        self._next = min(self._next, now + seconds)
        if question is not None:
            due = self._due.setdefault((client, question), deque(maxlen=_MOST_EACH))
            due.append(now + seconds)
            self._due.move_to_end((client, question))
            if len(self._due) > _MOST:
                self._due.popitem(last=False)
        return seconds

    def keep(self, client: str, question: Hashable) -> bool:
        """Whether a question comes back when it was told. No promise is kept twice."""
        due = self._due.get((client, question))
        if due is None:
            return False
        now = time.monotonic()
        while due and due[0] + _KEPT_SECONDS < now:
            due.popleft()
        kept = bool(due) and due[0] - _EARLY_SECONDS <= now
        if kept:
            due.popleft()
        if not due:
            del self._due[client, question]
        return kept
