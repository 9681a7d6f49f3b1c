"""A kernel that deals Aqua Regia's unseen cards; `deals` makes what it reads."""

from __future__ import annotations

from typing import NamedTuple

from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel
from solver.kernels.rng import below, uniform


class Dealing(NamedTuple):
    """How unseen cards are dealt in two steps (see `deals`): how many of each class a hand takes, and which ones.

    `pool` has the unseen cards' metals, class by class; `starts` says where each class starts in it, and its end.
    Of the graph of restricted hands, `nodes` says where each node's edges start, and the last one's end. By edge,
    `chances` is the chance of this edge or one before it at its node (the last one's is 1), `ends` the node that
    it leads to, and `taken` how many cards of each class it takes, a row an edge. `order` are the other seats, the
    `restricted` ones first, and `sizes` how many unseen cards each of these holds.
    """

    pool: Words
    starts: Words
    nodes: Words
    chances: Floats
    ends: Words
    taken: Words
    order: Words
    sizes: Words
    restricted: int


@kernel
def deal_world(dealing: Dealing, random: Words, scratch: Words, hands: Words, stock: Words) -> None:
    """Add the unseen cards of a deal to `hands`, write `stock` in draw order; what is left over is out of play.

    `hands` has a row a seat, a count a metal. Each hand takes the next cards of a class in an order that is
    shuffled as far as it is needed. `random` is a stream's one word; `scratch` has as many words as the pool.
    """
    pool, starts, nodes, chances, ends, taken, order, sizes, restricted = dealing
    for place in range(len(pool)):
        scratch[place] = pool[place]
    classes = len(starts) - 1
    front = starts[:classes].copy()
    node = 0
    for turn in range(restricted):
        drawn = uniform(random)
        edge = nodes[node]
        while edge < nodes[node + 1] - 1 and chances[edge] <= drawn:
            edge += 1
        for group in range(classes):
            for _ in range(taken[edge, group]):
                _bring(scratch, front[group], starts[group + 1], random)
                hands[order[turn], scratch[front[group]]] += 1
                front[group] += 1
        node = ends[edge]
    count = 0
    for group in range(classes):  # what the classes have left, moved to the front
        for place in range(front[group], starts[group + 1]):
            scratch[count] = scratch[place]
            count += 1
    place = 0
    for turn in range(restricted, len(order)):
        for _ in range(sizes[turn]):
            _bring(scratch, place, count, random)
            hands[order[turn], scratch[place]] += 1
            place += 1
    for drawn_place in range(len(stock)):
        _bring(scratch, place, count, random)
        stock[drawn_place] = scratch[place]
        place += 1


@kernel
def _bring(cards: Words, place: int, end: int, random: Words) -> None:
    """Bring a card drawn from `place` … `end` - 1 to `place` (a step of Fisher and Yates' shuffle)."""
    other = place + below(random, end - place)
    cards[place], cards[other] = cards[other], cards[place]
