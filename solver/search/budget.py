"""Parts of a question's limit, and budgets of nodes that grow from round to round."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from solver.limits import Control


@dataclass(frozen=True)
class Growth:
    """A number of nodes for each question of the first round, and how many times as many it is in each next one.

    Several questions of which one answer may do take turns so: little is lost on one that is dear.
    """

    first: int
    factor: int

    def rounds(self) -> Iterator[int]:
        """The nodes for a question, round after round."""
        nodes = self.first
        while True:
            yield nodes
            nodes *= self.factor


class Part:
    """A share of the time and of the nodes that a control has left, from now on. Without a limit it never ends."""

    def __init__(self, control: Control, share: float = 1.0) -> None:
        seconds, nodes = control.seconds_left(), control.nodes_left()
        self.control = control
        self.until = None if seconds is None else time.monotonic() + share * seconds
        self._last_node = None if nodes is None else control.nodes + int(share * nodes)

    def nodes(self, most: int | None = None) -> int | None:
        """The nodes left of this part, but at most so many; None without a limit."""
        if self._last_node is None:
            return most
        left = max(0, self._last_node - self.control.nodes)
        return left if most is None else min(left, most)

    def over(self) -> bool:
        """Whether nothing is left of it."""
        late = self.until is not None and time.monotonic() >= self.until
        return late or self.nodes() == 0 or self.control.stopped()

    def rounds(self, growth: Growth) -> Iterator[int | None]:
        """The nodes for each question, round after round until the part is over; None, once, without a limit."""
        if self.until is None and self._last_node is None:
            yield None
            return
        for nodes in growth.rounds():
            yield nodes
            if self.over():
                return
