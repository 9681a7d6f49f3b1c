"""Connected components, compared with networkx."""

from __future__ import annotations

import networkx

from solver.common import Random, components


def test_components_are_those_of_networkx() -> None:
    random = Random(5)
    for _ in range(200):
        size = 1 + random.below(9)
        edges = [(random.below(size), random.below(size)) for _ in range(random.below(9))]
        graph = networkx.Graph()
        graph.add_nodes_from(range(size))
        graph.add_edges_from(edges)
        linked = {node: list(graph[node]) for node in graph}
        assert list(components(linked)) == list(networkx.connected_components(graph))
