"""A part of a question's limit, for one of several ways to answer it."""

from __future__ import annotations

import time
from collections.abc import Iterator

from solver.common.control import Control
from solver.games.king.cards.rules import State

_FIRST_NODES = 20_000  # for one question in the first round
_MORE = 4  # times as many in each next round
_PROVABLE = 30  # cards in hands that a proof may well get through


def proof_share(state: State) -> float:
    """How much of a limit goes to proofs; the rest is for finding a good move, should they not be done by then."""
    return 0.85 if sum(hand.bit_count() for hand in state.hands) <= _PROVABLE else 0.1


class Part:
    """A share of the time and of the nodes that a control has left, from now on. Without a limit it never ends."""

    def __init__(self, control: Control, share: float) -> None:
        seconds, nodes = control.seconds_left(), control.nodes_left()
        self._control = control
        self.until = None if seconds is None else time.monotonic() + share * seconds
        self._last_node = None if nodes is None else control.nodes + int(share * nodes)

    def nodes(self, most: int | None = None) -> int | None:
        """The nodes left of this part, but at most so many; None without a limit."""
        if self._last_node is None:
            return most
        left = max(0, self._last_node - self._control.nodes)
        return left if most is None else min(left, most)

    def over(self) -> bool:
        late = self.until is not None and time.monotonic() >= self.until
        return late or self.nodes() == 0 or self._control.stopped()

    def rounds(self) -> Iterator[int | None]:
        """The nodes that each question gets, more in each round; None, once, where there is no limit."""
        if self.until is None and self._last_node is None:
            yield None
            return
        nodes = _FIRST_NODES
        while True:
            yield nodes
            if self.over():
                return
            nodes *= _MORE
