"""A queue that is fair between clients: they take turns, however much one of them has queued."""

from __future__ import annotations

import ipaddress
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Turns(Generic[T]):
    """Items in the order in which they are served: one of each client, round and round; each client's in order.

    It has no lock of its own.
    """

    def __init__(self) -> None:
        self._queues: dict[str, deque[T]] = {}  # in the order of the clients' turns; none is empty
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def put(self, client: str, item: T) -> None:
        """Add an item behind the client's others. A client that had none gets the last turn of the round."""
        self._queues.setdefault(client, deque()).append(item)
        self._size += 1

    def pop(self) -> T:
        """Take the item whose turn it is; its client's next item waits for a round. Raises IndexError."""
        if not self._queues:
            raise IndexError("the queue is empty")
        client = next(iter(self._queues))
        queue = self._queues.pop(client)
        if len(queue) > 1:
            self._queues[client] = queue
        self._size -= 1
        return queue.popleft()

    def remove(self, client: str, item: T) -> bool:
        """Take an item out of its turn; whether it was there."""
        queue = self._queues.get(client)
        if queue is None or item not in queue:
            return False
        queue.remove(item)
        if not queue:
            del self._queues[client]
        self._size -= 1
        return True


def client_of(address: str) -> str:
    """Who counts as one client: an IPv4 address, or the 64 bits of an IPv6 address that name a network."""
    if ":" not in address:
        return address
    bits = ipaddress.IPv6Address(address.partition("%")[0])
    return str(bits.ipv4_mapped or ipaddress.IPv6Address(int(bits) >> 64 << 64))
