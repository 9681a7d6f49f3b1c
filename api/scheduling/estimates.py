"""Which questions are quick, by what those of the same kind took lately."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable

_KINDS = 1024  # that are remembered, those met last
_SURE, _LIKELY = 0.9, 0.5
_WEIGHT = 0.25  # of the last question in the share of quick ones
_SAMPLE = 16  # one in so many of a kind that is not quick is tried again: kinds are rough, and machines change


class Estimates:
    """For each kind of question the share that was quick, the last ones counting most."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shares: OrderedDict[Hashable, float] = OrderedDict()
        self._asked = 0

    def quick(self, kind: Hashable, free: bool) -> bool:
        """Whether a question of this kind is to be tried as a quick one.

        Where a slot is `free` for it, that is not worth while unless such questions are nearly always quick. Where
        it would have to wait, one never met is tried, too.
        """
        with self._lock:
            if free:
                return self._shares.get(kind, 0.0) >= _SURE
            self._asked += 1
            return self._shares.get(kind, 1.0) >= _LIKELY or self._asked % _SAMPLE == 0

    def doubtful(self, kind: Hashable) -> bool:
        """Whether questions of this kind are not known to be nearly always quick."""
        with self._lock:
            return self._shares.get(kind, 0.0) < _SURE

    def note(self, kind: Hashable, quick: bool) -> None:
        """Remember whether a question of this kind was quick."""
        with self._lock:
            before = self._shares.pop(kind, float(quick))
            self._shares[kind] = before + _WEIGHT * (quick - before)
            if len(self._shares) > _KINDS:
                self._shares.popitem(last=False)
