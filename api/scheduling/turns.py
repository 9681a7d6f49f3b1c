"""A queue that is fair between clients, and between the connections of each, by what they have had of the service.

This is start-time fair queueing (Goyal, Vin and Cheng 1996) on two levels: whose turn it is has had least. Who
comes anew is served as if it had had as much as the one whose turn it was last.
"""

from __future__ import annotations

import ipaddress
import itertools
from collections import deque
from collections.abc import Collection, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")
Owner = tuple[Hashable, ...]  # a client, and perhaps one of its connections

_LEAST = 0.001  # seconds that every item counts for,
_MOST = 0.05, 0.01  # and at most, to the client and to the connection: after a long one nobody waits for long
_REMEMBERED = 256  # of those who wait for nothing, how many are remembered for what they have had


class _Node(Generic[T]):
    """The items of a client or a connection, and what it has had: `had` grows from where it began."""

    __slots__ = ("came", "had", "items", "now", "parts", "waiting")

    def __init__(self) -> None:
        self.had = 0.0
        self.came = 0  # which of two who have had as much came first
        self.waiting = 0
        self.now = 0.0  # what the part whose turn it was last had had
        self.items: deque[T] = deque()
        self.parts: dict[Hashable, _Node[T]] = {}

    def part(self, key: Hashable) -> _Node[T]:
        found = self.parts.get(key)
        if found is None:
            if len(self.parts) >= 2 * _REMEMBERED:
                self._forget()
            found = self.parts[key] = _Node()
        return found

    def _forget(self) -> None:
        """Forget those who wait for nothing, but for some who have had most."""
        idle = [(node.had, key) for key, node in self.parts.items() if not node.waiting]
        idle.sort(key=lambda one: one[0])
        for _, key in idle[: max(0, len(idle) - _REMEMBERED)]:
            del self.parts[key]


class Turns(Generic[T]):
    """Items in the order in which they are served: those of one connection as they came.

    It has no lock of its own.
    """

    def __init__(self) -> None:
        self._first: deque[tuple[Owner, T]] = deque()
        self._all: _Node[T] = _Node()
        self._numbers = itertools.count()

    def __len__(self) -> int:
        return self._all.waiting + len(self._first)

    def put(self, owner: Owner, item: T, *, first: bool = False) -> None:
        """Add an item behind the others of its owner, or before all others that are not `first`."""
        if first:
            self._first.append((owner, item))
            return
        node = self._all
        node.waiting += 1
        for key in owner:
            above, node = node, node.part(key)
            if not node.waiting:
                node.had = max(node.had, above.now + _LEAST)
                node.came = next(self._numbers)
            node.waiting += 1
        node.items.append(item)

    def pop(self, barred: Collection[Hashable] = ()) -> tuple[Owner, T] | None:
        """Take the item whose turn it is, and say whose it was; None where `barred` clients have all."""
        if self._first:
            return self._first.popleft()
        owner: list[Hashable] = []
        node = self._all
        while node.parts:
            ready = [(part.had, part.came, key) for key, part in node.parts.items() if part.waiting]
            if node is self._all and barred:
                ready = [one for one in ready if one[2] not in barred]
            if not ready:
                return None
            had, _, key = min(ready, key=lambda one: one[:2])
            node.now = had
            node = node.parts[key]
            node.had += _LEAST
            node.came = next(self._numbers)
            owner.append(key)
        if not node.items:
            return None
        found = node.items.popleft()
        self._less(owner)
        return tuple(owner), found

    def charge(self, owner: Owner, seconds: float) -> None:
        """Count how long an item of this owner took, which is known when it is done."""
        node: _Node[T] | None = self._all
        for key, most in zip(owner, _MOST, strict=False):
            assert node is not None
            node = node.parts.get(key)
            if node is None:
                return
            node.had += min(max(_LEAST, seconds), most) - _LEAST

    def remove(self, owner: Owner, item: T) -> bool:
        """Take an item out of its turn; whether it was there."""
        if (owner, item) in self._first:
            self._first.remove((owner, item))
            return True
        node = self._all
        for key in owner:
            if key not in node.parts:
                return False
            node = node.parts[key]
        if item not in node.items:
            return False
        node.items.remove(item)
        self._less(owner)
        return True

    def _less(self, owner: Collection[Hashable]) -> None:
        node = self._all
        node.waiting -= 1
        for key in owner:
            node = node.parts[key]
            node.waiting -= 1


def client_of(address: str) -> str:
    """Who counts as one client: an IPv4 address, or the 64 bits of an IPv6 address that name a network."""
    if ":" not in address:
        return address
    bits = ipaddress.IPv6Address(address.partition("%")[0])
    return str(bits.ipv4_mapped or ipaddress.IPv6Address(int(bits) >> 64 << 64))
