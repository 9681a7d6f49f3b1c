"""The deals that agree with what a seat of Aqua Regia sees: counted, and drawn uniformly.

Unseen cards lie in the other hands, in the stock, or nowhere. All that restricts them, beside the sizes, are deals
that were passed on: such a hand has at most so many cards for that field (`fields.DealPass`). So cards that the
restricted fields treat alike form a class, and a deal is drawn in two steps: how many cards of each class every
restricted hand has, then which ones.

The first step walks a graph. A node is a restricted hand and the cards of each class that the hands before it
have left; an edge, a division that the hand may have, counts (the ways to choose these cards) × (the ways to go
on from its end). The unrestricted places take what is left in any order, in a number of ways that is the same at
every end. So drawing edges in proportion to their counts, and then cards of each class uniformly, draws every
deal equally often: the counts are exact integers, and only their ratios are rounded, to 53 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, prod

import numpy as np

from solver.common.words import seats_named
from solver.games.aqua_regia.cards.deck import FIELDS, members
from solver.games.aqua_regia.cards.rules import Counts
from solver.games.aqua_regia.hints.deal_kernel import Dealing, deal_world
from solver.games.aqua_regia.positions import moves
from solver.games.aqua_regia.positions.known import KnownPosition, View
from solver.hints import deals as common
from solver.inputs.errors import PositionError
from solver.kernels import rng
from solver.kernels.arrays import Floats, Words

MOST_DIVISIONS = 50_000  # looked at, so that a hint is in time


@dataclass(frozen=True, slots=True)
class Limit:
    """Of the unseen cards in a hand, at most `most` may be of the classes that `classes` lists by number."""

    classes: tuple[int, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Deals:
    """The deals that agree with a view.

    `ways` is the number of ways to deal unseen cards to the restricted hands: the sum, over all divisions of the
    classes among these hands, of the ways to choose the cards of each class. It is 1 where no hand is restricted.
    """

    view: View
    ways: int
    dealing: Dealing

    def position(self, seed: int, number: int) -> KnownPosition:
        """World `number` of a seed, as a position with every card known.

        A card that the view gives as drawn lies on top of the stock.
        """
        view = self.view
        deck = view.metals
        hands = np.zeros((view.players, deck.size), np.int64)
        stock = np.zeros(view.hidden_stock, np.int64)
        words = np.zeros(1, np.int64)
        rng.start(words, seed, number)
        deal_world(self.dealing, words, np.empty(len(self.dealing.pool), np.int64), hands, stock)
        for seat in range(view.players):
            hands[seat] += deck.counts(deck.numbers(view.hand if seat == view.seat else view.known_of(seat)))
        drawn = () if view.drawn is None else (view.drawn,)
        return KnownPosition(
            game="aqua-regia",
            deck=view.deck,
            rules=view.rules,
            field=view.field,
            reversed=view.reversed,
            turn=view.turn,
            table=view.table,
            owner=view.owner,
            discard=view.discard,
            known=view.known,
            deal_passes=view.deal_passes,
            history=view.history,
            hands=tuple(tuple(deck.symbols(members(map(int, hand)))) for hand in hands),
            stock=(*drawn, *deck.symbols(map(int, stock))),
        )


def agrees(deals: Deals, seed: int, number: int) -> bool:
    """Whether the seat that asks sees the view that the deals are of in world `number` of a seed."""
    view = deals.view
    same = {"hand": view.hand, "drawn": view.drawn}  # a position has the drawn card still in the stock

    def sees(position: KnownPosition) -> bool:
        again = moves.view(position, view.seat)
        return sorted(again.hand) == sorted(view.hand) and again.model_copy(update=same) == view

    return common.agrees(lambda: deals.position(seed, number), sees)


def deals(view: View) -> Deals:
    """Every deal that agrees with a view. Raises PositionError when there is none, and when they are too many."""
    others = [(view.seat + step) % view.players for step in range(1, view.players)]
    fields = {seat: _tight(view, seat) for seat in others}
    classes = _classes(view, sorted({field for most_by_field in fields.values() for field in most_by_field}))
    unseen = view.unseen
    pool = [metal for group in classes.values() for metal in group for _ in range(unseen[metal])]
    counts = [sum(unseen[metal] for metal in group) for group in classes.values()]
    limits = {
        seat: [
            Limit(tuple(index for index, lets in enumerate(classes) if field in lets), most)
            for field, most in most_by_field.items()
        ]
        for seat, most_by_field in fields.items()
    }
    order = sorted(others, key=lambda seat: not limits[seat])
    restricted = [seat for seat in order if limits[seat]]
    graph = _Graph([(view.hidden(seat), limits[seat]) for seat in restricted], tuple(counts))
    if not graph.ways(0, tuple(counts)):
        raise _impossible(view, restricted, limits, tuple(counts))
    nodes, chances, ends, taken = graph.arrays(len(counts))
    dealing = Dealing(
        pool=np.array(pool, np.int64),
        starts=np.cumsum([0, *counts], dtype=np.int64),
        nodes=nodes,
        chances=chances,
        ends=ends,
        taken=taken,
        order=np.array(order, np.int64),
        sizes=np.array([view.hidden(seat) for seat in order], np.int64),
        restricted=len(restricted),
    )
    return Deals(view, graph.ways(0, tuple(counts)), dealing)


def _tight(view: View, seat: int) -> dict[int, int]:
    """How the unseen cards of a seat's hand are restricted: by field, how many of them may be played there.

    A field has an entry only where the number is smaller than that of the hand's unseen cards.
    """
    most_by_field = {}
    for passed in view.deal_passes or ():
        field = FIELDS.index(passed.field)
        if passed.seat == seat:
            row = view.metals.reactivity[field]
            most = passed.most - sum(row[metal] > 0 for metal in view.metals.numbers(view.known_of(seat)))
            if most < view.hidden(seat):
                most_by_field[field] = most
    return most_by_field


def _classes(view: View, fields: list[int]) -> dict[tuple[int, ...], list[int]]:
    """The classes of metals: the key of a class has those of `fields` in which its metals can be played."""
    classes: dict[tuple[int, ...], list[int]] = {}
    for metal in range(view.metals.size):
        lets = tuple(field for field in fields if view.metals.reactivity[field][metal])
        classes.setdefault(lets, []).append(metal)
    return classes


def _impossible(
    view: View, restricted: list[int], limits: dict[int, list[Limit]], counts: Counts
) -> PositionError:
    """The error for a view that no deal agrees with.

    It names the first seat that cannot be dealt to even if all others are left out, or else all restricted seats.
    """
    alone = (
        [seat] for seat in restricted if not _Graph([(view.hidden(seat), limits[seat])], counts).ways(0, counts)
    )
    group = next(alone, restricted)
    passed = ", ".join(
        f"at most {one.most} for {one.field} (seat {one.seat})"
        for one in view.deal_passes or ()
        if one.seat in group
    )
    who = seats_named(group)
    message = f"no deal agrees with this: too few unseen cards are left for {who}, which may hold {passed}"
    return PositionError("conflict", message, "deal_passes")


def _too_many() -> PositionError:
    message = "too many hands agree with what these tell together; give history, or leave the loosest out"
    return PositionError("too_large", message, "deal_passes")


class _Graph:
    """How the classes can be divided among the restricted hands.

    Each hand is a pair of its size and its limits; `counts` has how many unseen cards there are of each class.
    Its methods raise PositionError when there are more than `MOST_DIVISIONS` divisions to look at.
    """

    def __init__(self, hands: list[tuple[int, list[Limit]]], counts: Counts) -> None:
        self._hands = hands
        self._start = counts
        self._known: dict[tuple[int, Counts], int] = {}
        self._made = 0
        self._onward: dict[tuple[int, Counts], list[tuple[Counts, Counts, int]]] = {}

    def divisions(self, hand: int, left: Counts) -> list[Counts]:
        """Every division that hand number `hand` may have when `left` cards of each class are left for it.

        A division has the number of the hand's cards of each class.
        """
        size, limits = self._hands[hand]
        divisions: list[tuple[Counts, int, Counts]] = [((), size, tuple(limit.most for limit in limits))]
        for index, many in enumerate(left):
            after = sum(left[index + 1 :])
            counts = tuple(int(index in limit.classes) for limit in limits)
            divisions = [
                (
                    (*some, here),
                    missing - here,
                    tuple(free - here * one for free, one in zip(room, counts, strict=True)),
                )
                for some, missing, room in divisions
                for here in range(
                    max(0, missing - after),
                    min(many, missing, *(free for free, one in zip(room, counts, strict=True) if one)) + 1,
                )
            ]
            if self._made + len(divisions) > MOST_DIVISIONS:
                raise _too_many()
        self._made += len(divisions)
        return [division for division, _, _ in divisions]

    def ways(self, hand: int, left: Counts) -> int:
        """How many ways there are to deal `left` cards of each class to hand number `hand` and those after it."""
        if hand == len(self._hands):
            return 1
        if (hand, left) not in self._known:
            self._known[hand, left] = sum(count for _, _, count in self._edges(hand, left))
        return self._known[hand, left]

    def _edges(self, hand: int, left: Counts) -> list[tuple[Counts, Counts, int]]:
        """The edges that leave a node: each division, the cards of each class that it leaves, and its count.

        The count is the number of ways to deal this hand so, times the ways to go on. Divisions after which there
        is no way to go on are left out.
        """
        if (hand, left) not in self._onward:
            edges = self._onward[hand, left] = []
            for division in self.divisions(hand, left):
                rest = tuple(count - some for count, some in zip(left, division, strict=True))
                onward = self.ways(hand + 1, rest)
                if onward:
                    edges.append((division, rest, prod(map(comb, left, division)) * onward))
        return self._onward[hand, left]

    def arrays(self, classes: int) -> tuple[Words, Floats, Words, Words]:
        """The `nodes`, `chances`, `ends` and `taken` of a `Dealing` with so many classes; node 0 is the start."""
        numbers = {(0, self._start): 0}
        queue = [(0, self._start)]
        nodes, chances, ends, taken = [0], [], [], []
        for hand, left in queue:
            if hand < len(self._hands):
                total, sum_ = self.ways(hand, left), 0
                for division, rest, count in self._edges(hand, left):
                    sum_ += count
                    if (hand + 1, rest) not in numbers:
                        numbers[hand + 1, rest] = len(queue)
                        queue.append((hand + 1, rest))
                    chances.append(sum_ / total)
                    ends.append(numbers[hand + 1, rest])
                    taken.append(division)
            nodes.append(len(chances))
        return (
            np.array(nodes, np.int64),
            np.array(chances, np.float64),
            np.array(ends, np.int64),
            np.array(taken, np.int64).reshape(len(taken), classes),
        )
