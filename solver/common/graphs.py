"""Graphs, where to import networkx for them would take longer than the work."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def components(linked: Mapping[N, Iterable[N]]) -> Iterator[set[N]]:
    """The connected components of an undirected graph, in the order of their first nodes.

    `linked` has every node, with the nodes that an edge joins it to.
    """
    seen: set[N] = set()
    for first in linked:
        if first in seen:
            continue
        found = {first}
        waiting = [first]
        while waiting:
            new = set(linked[waiting.pop()]) - found
            found |= new
            waiting += new
        seen |= found
        yield found
