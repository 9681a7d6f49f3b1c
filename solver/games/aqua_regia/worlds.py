"""Counts the deals that agree with what a seat of Aqua Regia sees, and samples them uniformly.

Unseen cards lie in the other hands, in the stock, or out of play. The only constraints on them are the sizes of
these places and the deals that were passed on: a seat that passed one on can hold only a limited number of cards
playable in that field (`position.DealPass`). Cards that no constraint distinguishes form a class, and a deal is
sampled in two steps: the number of cards of each class in every restricted hand, then which cards.

The first step walks a graph. A node is a restricted hand, with the number of cards of each class that the hands
before it have left over. An edge is a possible division for that hand; its count is (the ways to choose these
cards) × (the ways to continue from its end). Once every restricted hand is filled, the remaining cards can be
placed in any order, in as many ways whichever path was taken. So choosing edges in proportion to their counts, and
then cards of each class uniformly, makes every deal equally likely. The counts are exact integers; only their
ratios are rounded, to 53 bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, exp, log, prod
from typing import NamedTuple

import numpy as np

from solver.common import Random, one_after_another, seats_named
from solver.errors import PositionError
from solver.games.aqua_regia.deck import FIELDS, field_name, members
from solver.games.aqua_regia.fast_rules import NOBODY, may_take, most_of, reactivity_rows
from solver.games.aqua_regia.keys import Step, Stuck, cards_moved, gained
from solver.games.aqua_regia.players import (
    AT_RANDOM,
    BREAKS,
    EXCHANGES,
    GAINS_FIELDS,
    GAINS_NEXT,
    GAINS_STRENGTH,
    JUMP,
    MATCHES,
    WEIGHTS_OF,
    pass_value,
    play_value,
)
from solver.games.aqua_regia.position import Round, check_own_cards, no_source, not_led
from solver.games.aqua_regia.rules import MOST_AT_ONCE, Counts, Play
from solver.hints.policy import mixed
from solver.kernels import rng
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import below, uniform
from solver.kernels.words import Floats, Words
from solver.language import say

# ----------------------------------------------------------------------------------------------------
# A kernel that deals unseen cards; `deals` makes its data.


class Dealing(NamedTuple):
    """How unseen cards are dealt in two steps: first how many of each class a hand gets, then which ones.

    `pool` has the metals of the unseen cards, class by class; `starts` has the index in it where each class
    begins, followed by the length of `pool`. `nodes` has the index where the edges of each node of the graph
    begin, followed by the number of edges. For each edge, `chances` has the cumulative probability among the edges
    of its node (1 for the last), `ends` the node that it leads to, and `taken` (a row per edge) the number of
    cards of each class that it takes. `order` has the other seats, the `restricted` ones first, and `sizes` the
    number of unseen cards of each.
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
    """Deal the unseen cards at random: add each seat's cards to `hands`, and write `stock` in draw order.

    `hands` has a row per seat, a count per metal. Cards that go to neither are out of play. `random` holds the
    state of a random stream, one word; `scratch` has as many words as the pool.
    """
    pool, starts, nodes, chances, ends, taken, order, sizes, restricted = dealing
    for index in range(len(pool)):
        scratch[index] = pool[index]
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
    for group in range(classes):  # move the rest of the classes to the front
        for index in range(front[group], starts[group + 1]):
            scratch[count] = scratch[index]
            count += 1
    at = 0
    for turn in range(restricted, len(order)):
        for _ in range(sizes[turn]):
            _bring(scratch, at, count, random)
            hands[order[turn], scratch[at]] += 1
            at += 1
    for drawn_place in range(len(stock)):
        _bring(scratch, at, count, random)
        stock[drawn_place] = scratch[at]
        at += 1


@kernel
def _bring(cards: Words, at: int, end: int, random: Words) -> None:
    """Swap a random card from `at` … `end` - 1 into `at` (a step of the Fisher-Yates shuffle)."""
    other = at + below(random, end - at)
    cards[at], cards[other] = cards[other], cards[at]


MOST_DIVISIONS = 50_000  # so that a hint is in time


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on a hand's unseen cards: at most `most` of them may be in the classes with indices `classes`."""

    classes: tuple[int, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Deals:
    """The deals that agree with a view.

    `ways` is the number of ways to deal unseen cards to the restricted hands: the sum, over all divisions of the
    classes among these hands, of the ways to choose the cards of each class. It is 1 where no hand is restricted.
    """

    view: Round
    ways: int
    dealing: Dealing

    def position(self, seed: int, number: int) -> Round:
        """Return random deal `number` of a seed, as a position with every card known.

        A card that the view gives as drawn is on top of the stock.
        """
        view = self.view
        deck = view.metals
        hands = np.zeros((view.players, deck.size), np.int64)
        stock = np.zeros(view.hidden_stock, np.int64)
        words = np.zeros(1, np.int64)
        rng.start_stream(words, seed, number)
        deal_world(self.dealing, words, np.empty(len(self.dealing.pool), np.int64), hands, stock)
        for seat in range(view.players):
            hands[seat] += deck.counts(deck.numbers(view.hand)) if seat == view.seat else view.known_counts(seat)
        drawn = () if view.drawn is None else (view.drawn,)
        return Round(
            **view.public | {"discard": view.discarded},
            hands=tuple(tuple(deck.symbols(members(map(int, hand)))) for hand in hands),
            stock=(*drawn, *deck.symbols(map(int, stock))),
        )


def deals(view: Round) -> Deals:
    """Return the deals that agree with a view. Raises PositionError if there is none, or if there are too many."""
    others = [(view.seat + step) % view.players for step in range(1, view.players)]
    tight = {seat: _tight(view, seat) for seat in others}
    classes = _classes(view, sorted({metals for most_by_metals in tight.values() for metals in most_by_metals}))
    unseen = view.unseen
    pool = [metal for group in classes.values() for metal in group for _ in range(unseen[metal])]
    counts = [sum(unseen[metal] for metal in group) for group in classes.values()]
    limits = {
        seat: [
            Limit(tuple(index for index, groups in enumerate(classes) if metals in groups), most)
            for metals, most in most_by_metals.items()
        ]
        for seat, most_by_metals in tight.items()
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


def positions(view: Round, most: int, seed: int = 0) -> list[Round]:
    """Sample `most` deals that agree with a view, with every card known; a deal can occur more than once."""
    hidden = deals(view)
    return [hidden.position(seed, number) for number in range(most)]


Metals = tuple[int, ...]  # of which a hand can hold only a limited number


def _tight(view: Round, seat: int) -> dict[Metals, int]:
    """Return limits on a seat's unseen cards: for sets of metals, the most such cards that it may hold.

    A set has the metals playable in a field in which the seat could not lead, or the metals that the seat is known
    not to hold. Limits that are no lower than the number of unseen cards in the hand are left out.
    """
    deck = view.metals
    limits: dict[Metals, int] = {}
    for passed in view.deal_passes or ():
        if passed.seat == seat:
            row = deck.reactivity[FIELDS.index(passed.field)]
            metals = tuple(metal for metal in range(deck.size) if row[metal] > 0)
            most = passed.max_playable - sum(row[metal] > 0 for metal in deck.numbers(view.known_of(seat)))
            if most < view.hidden(seat):
                limits[metals] = min(most, limits.get(metals, most))
    voids = tuple(sorted(view.voids_of(seat)))
    if voids and view.hidden(seat):
        limits[voids] = 0
    return limits


def _classes(view: Round, tight: list[Metals]) -> dict[tuple[Metals, ...], list[int]]:
    """Group the metals that are in the same sets of `tight`; the keys list these sets."""
    classes: dict[tuple[Metals, ...], list[int]] = {}
    for metal in range(view.metals.size):
        classes.setdefault(tuple(metals for metals in tight if metal in metals), []).append(metal)
    return classes


def _impossible(
    view: Round, restricted: list[int], limits: dict[int, list[Limit]], counts: Counts
) -> PositionError:
    """Return the error for a view that no deal agrees with.

    It names the first seat for which there are too few suitable cards even if the other seats are ignored. If
    there is no such seat, it names all restricted seats.
    """
    alone = (
        [seat] for seat in restricted if not _Graph([(view.hidden(seat), limits[seat])], counts).ways(0, counts)
    )
    group = next(alone, restricted)
    passed = one_after_another(
        say(
            "at most {most} for {field} (seat {seat})",
            most=row.max_playable,
            field=field_name(row.field),
            seat=row.seat,
        )
        for row in view.deal_passes or ()
        if row.seat in group
    )
    if any(map(view.voids_of, group)):
        passed = say("what voids and deal_passes leave")
    message = say("no deal agrees with this: too few unseen cards are left for {seats}, which may hold {passed}",
                  seats=seats_named(group), passed=passed)  # fmt: skip
    return PositionError("conflict", message, "deal_passes")


def _too_many() -> PositionError:
    message = say("too many hands fit all of these; give history, or leave out the loosest")
    return PositionError("too_large", message, "deal_passes")


class _Graph:
    """All ways to divide classes of unseen cards among the restricted hands, as a graph.

    `hands` has the size and the limits of each hand; `counts` has the number of unseen cards of each class. The
    methods raise PositionError if there are more than `MOST_DIVISIONS` divisions.
    """

    def __init__(self, hands: list[tuple[int, list[Limit]]], counts: Counts) -> None:
        self._hands = hands
        self._start = counts
        self._known: dict[tuple[int, Counts], int] = {}
        self._made = 0
        self._onward: dict[tuple[int, Counts], list[tuple[Counts, Counts, int]]] = {}

    def divisions(self, hand: int, left: Counts) -> list[Counts]:
        """List the ways (divisions) to choose cards for hand number `hand` from those that are left.

        `left` has the number of cards left of each class. A division has the number that the hand gets of
        each class.
        """
        size, limits = self._hands[hand]
        divisions: list[tuple[Counts, int, Counts]] = [((), size, tuple(limit.most for limit in limits))]
        for index, many in enumerate(left):
            after = sum(left[index + 1 :])
            counts = tuple(int(index in limit.classes) for limit in limits)
            divisions = [
                (
                    (*some, number),
                    missing - number,
                    tuple(free - number * count for free, count in zip(room, counts, strict=True)),
                )
                for some, missing, room in divisions
                for number in range(
                    max(0, missing - after),
                    min(many, missing, *(free for free, count in zip(room, counts, strict=True) if count)) + 1,
                )
            ]
            if self._made + len(divisions) > MOST_DIVISIONS:
                raise _too_many()
        self._made += len(divisions)
        return [division for division, _, _ in divisions]

    def ways(self, hand: int, left: Counts) -> int:
        """Count the ways to deal `left` cards of each class to hand number `hand` and those after it."""
        if hand == len(self._hands):
            return 1
        if (hand, left) not in self._known:
            self._known[hand, left] = sum(count for _, _, count in self._edges(hand, left))
        return self._known[hand, left]

    def _edges(self, hand: int, left: Counts) -> list[tuple[Counts, Counts, int]]:
        """List the edges from a node: a way to deal hand `hand`, the cards of each class then left, and a count.

        The count is the number of deals of this hand and all later ones that use the edge. Dead ends are left out.
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
        """Return the graph as the `nodes`, `chances`, `ends` and `taken` of a `Dealing` with `classes` classes."""
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


# ----------------------------------------------------------------------------------------------------
# The probability of a choice that was seen, as kernels.
#
# A choice's value (`players`) is a sum of terms, so its exponential is a product. The factors of plays, and of the
# two cards of an exchange, are looked up in tables. An exchange's value is the sum of those of its two cards, so
# all exchanges can be summed up card by card.


# Words of what was seen: its kind; the seat; the field and the one after it; the play on top (no cards: to lead);
# whether a pass draws; the metal and number of cards played, or the metals discarded and taken (-1: none); the
# slot that a pass draws, among the cards hidden at the start; whether it was made against the rules.
KIND, SEAT, FIELD, FOLLOWING, METAL, COUNT, DRAWS, FIRST, SECOND, SLOT, AGAINST = range(11)
STEP_WORDS = 11
PLAYS, PASSES, STUCK = range(3)

_FIELDS = 4
_LARGEST = 300.0  # of a term, so that products stay finite: larger ones occur only with more than a dozen copies


class Chances(NamedTuple):
    """Tables of exp(value) for every choice.

    `plays` is indexed by whether the play is a lead (1), the field after the current one, the metal, the number of
    cards minus 1, and whether the hand keeps cards of the metal (1). When following with two or more cards, the
    entry of `plays` must be multiplied by that of `jumps`, which is indexed by the metal on top. `passes` is
    indexed by whether the pass draws a card; `gives` and `takes` by the field after the current one, the metal,
    and the number of its cards in the hand.
    """

    plays: Floats
    jumps: Floats
    passes: Floats
    gives: Floats
    takes: Floats


@lean
def _bounded(value: float) -> float:
    return exp(min(max(value, -_LARGEST), _LARGEST))


@kernel
def chances_of(reactivity: Words, copies: int, weights: Floats) -> Chances:
    """Compute the tables for a deck; `reactivity` is from `kernel.reactivity_rows`."""
    metals = reactivity.shape[1]
    bounded_chances = Chances(
        np.empty((2, _FIELDS, metals, MOST_AT_ONCE, 2)),
        np.empty(metals),
        np.empty(2),
        np.empty((_FIELDS, metals, copies + 1)),
        np.empty((_FIELDS, metals, copies + 1)),
    )
    for draws in range(2):
        bounded_chances.passes[draws] = _bounded(pass_value(draws, weights))
    for metal in range(metals):
        strength = metal / metals
        bounded_chances.jumps[metal] = _bounded(-weights[JUMP] * strength)
        fields = 0
        for field in range(_FIELDS):
            fields += int(reactivity[field, metal] > 0)
        for field in range(_FIELDS):
            for number in range(1, MOST_AT_ONCE + 1):
                for stay in range(2):
                    for lead in range(2):
                        value = play_value(reactivity, number + stay, field, 0, 1 - lead, metal, number, weights)
                        bounded_chances.plays[lead, field, metal, number - 1, stay] = _bounded(value)
            gains = weights[GAINS_FIELDS] * fields + weights[GAINS_STRENGTH] * strength
            gains += weights[GAINS_NEXT] * int(reactivity[field, metal] > 0)
            for held in range(copies + 1):
                taken = weights[EXCHANGES] + weights[MATCHES] * held + gains
                bounded_chances.takes[field, metal, held] = _bounded(taken)
                bounded_chances.gives[field, metal, held] = _bounded(weights[BREAKS] * (held - 1) - gains)
    return bounded_chances


@lean
def play_chance(reactivity: Words, hand: Words, size: int, step: Words, chances: Chances) -> float:
    """Return the probability of a step's play or pass.

    `step` has the words of the step (`STEP_WORDS`); `hand` has a count per metal, `size` cards in all. A player
    who can go out always does, except in random choices.
    """
    metal, count, following = step[METAL], step[COUNT], step[FOLLOWING]
    lead = 1 if count == 0 else 0
    choices, ends = 1 - lead, 0
    total = chances.passes[step[DRAWS]] if count > 0 else 0.0
    for other in range(metal + 1 if count > 0 else 0, len(hand)):
        held = hand[other]
        for number in range(max(count, 1), most_of(reactivity, step[FIELD], other, held, count) + 1):
            choices += 1
            ends |= int(number == size)
            share = chances.plays[lead, following, other, number - 1, 1 if held > number else 0]
            total += share * chances.jumps[metal] if number > 1 and lead == 0 else share
    plays, other, number = step[KIND] == PLAYS, step[FIRST], step[SECOND]
    if ends:
        chance, total = 1.0 if plays and number == size else 0.0, 1.0
    elif plays:
        chance = chances.plays[lead, following, other, number - 1, 1 if hand[other] > number else 0]
        if number > 1 and lead == 0:
            chance *= chances.jumps[metal]
    else:
        chance = chances.passes[step[DRAWS]]
    return float(mixed(chance, total, choices, AT_RANDOM))


@lean
def exchange_chance(hand: Words, discard: Words, copies: int, step: Words, chances: Chances) -> float:
    """Return the probability of a step's exchange.

    `step` has the words of the step (`STEP_WORDS`); `hand`, which includes the card drawn, and `discard` have a
    count per metal.
    """
    following, choices, givable = step[FOLLOWING], 1, 0
    total, gives = 1.0, 0.0
    for metal in range(len(hand)):
        held = min(hand[metal], copies)  # more only if another hand then lacks cards that it showed
        if givable > 0 and may_take(discard[metal], copies):
            choices += givable
            total += chances.takes[following, metal, held] * gives
        if held > 0:
            givable += 1
            gives += chances.gives[following, metal, held]
    given, taken = step[FIRST], step[SECOND]
    chance = 1.0
    if given >= 0:
        chance = chances.gives[following, given, min(hand[given], copies)]
        chance *= chances.takes[following, taken, min(hand[taken], copies)]
    return float(mixed(chance, total, choices, AT_RANDOM))


# ----------------------------------------------------------------------------------------------------
# The likelihood of the moves that a seat was seen to make, as kernels.
#
# A seat's hand is followed through the game: its first cards, those it drew, those it took.


class Evidence(NamedTuple):
    """The steps of a history, and the slots for the cards that are hidden at its start.

    The first `owned` slots are cards of other seats, which `owners` names: cards in a seat's first hand, or drawn
    by it later. The other slots are in the stock or out of play. The first hand of a seat has the slots from
    ``ends[seat, 0]`` up to, but not including, ``ends[seat, 1]``, and the known cards in `held` (a row per seat, a
    count per metal). `begun` is one possible assignment of cards to the slots.
    """

    steps: Words  # one row per step
    piles: Words  # the discard pile before each step
    held: Words
    voids: Words  # one row per seat: whether it is known to hold no card of a metal now
    ends: Words
    owners: Words
    owned: int
    begun: Words
    reactivity: Words  # from `kernel.reactivity_rows`
    copies: int
    chances: Chances


IMPOSSIBLE = -1e15  # below any sum of log probabilities
_SMALL = 1e-200  # smaller products are turned into logarithms


@lean
def log_likelihood(seat: int, evidence: Evidence, slots: Words, hand: Words) -> float:
    """Return the log likelihood of a seat's observed moves if the hidden cards are those in `slots`.

    The result is at most `IMPOSSIBLE` if the moves are impossible with these cards. Writes the seat's current hand
    to `hand`.
    """
    chances = evidence.chances
    begin, end = evidence.ends[seat, 0], evidence.ends[seat, 1]
    size = end - begin
    for metal in range(len(hand)):
        hand[metal] = evidence.held[seat, metal]
        size += hand[metal]
    for slot in range(begin, end):
        hand[slots[slot]] += 1
    total, chance = 0.0, 1.0
    for row in range(len(evidence.steps)):
        step = evidence.steps[row]
        if step[SEAT] != seat:
            continue
        if step[KIND] == STUCK:
            for metal in range(len(hand)):
                if hand[metal] > 0 and evidence.reactivity[step[FIELD], metal] > 0:
                    return 2 * IMPOSSIBLE
            continue
        if step[KIND] == PLAYS and hand[step[FIRST]] < step[SECOND]:
            return 2 * IMPOSSIBLE
        if chance < _SMALL:
            total += log(chance)
            chance = 1.0
        if step[AGAINST] == 0:
            chance *= play_chance(evidence.reactivity, hand, size, step, chances)
        if step[KIND] == PLAYS:
            hand[step[FIRST]] -= step[SECOND]
            size -= step[SECOND]
            continue
        if step[DRAWS] > 0:
            hand[slots[step[SLOT]]] += 1
            size += 1
        if step[FIRST] >= 0 and hand[step[FIRST]] == 0:
            return 2 * IMPOSSIBLE
        if step[AGAINST] == 0:
            chance *= exchange_chance(hand, evidence.piles[row], evidence.copies, step, chances)
        if step[FIRST] >= 0:
            hand[step[FIRST]] -= 1
            hand[step[SECOND]] += 1
    for metal in range(len(hand)):
        if hand[metal] > 0 and evidence.voids[seat, metal] > 0:
            return 2 * IMPOSSIBLE
    return total + log(chance)


# ----------------------------------------------------------------------------------------------------
# A view's history as evidence about the hidden cards: who may have held what, and when.
#
# Each card hidden at the start of the history lies in a slot: in another seat's first hand, in one of its draws,
# in the stock, or out of play. A card that a seat showed was in an earlier slot of that seat; and a hand that
# could not lead in a field had no card for it. A first way to place the cards is found by bipartite matching (Kuhn
# 1955, augmenting paths); the chain continues from it.


# Histories with more than these are ignored.
MOST_STEPS = 600  # moves: each step of the chain goes through them
MOST_SLOTS = 200  # hidden cards: they decide the length of the chain and the depth of the matching
MOST_UNSEEN = 2000  # cards that may be the hidden ones: each slot tries them all


@dataclass(frozen=True, slots=True)
class Slot:
    """The origin of a card in a seat's hand: the first hand, if `since` is -1, or the draw at step `since`."""

    seat: int
    since: int


@dataclass(frozen=True, slots=True)
class Item:
    """A card that lies in some slot: one that a seat showed at a step, or one that nobody has shown."""

    metal: int
    seat: int = -1
    until: int = -1


def evidence(view: Round, seed: int, weights: Floats = WEIGHTS_OF["equal"]) -> Evidence | None:
    """Return the evidence in a view's history about hidden cards; None if there is none or it can't be used.

    A history can't be used if it is too long, if too many cards are hidden or unseen, or if a seat passed a deal
    on before the history and it is unclear which cards were then in that seat's first hand. `seed` decides how
    cards are placed where the history leaves that open. The others choose by `weights`.

    Raises PositionError if no deal agrees with the history.
    """
    if view.history is None:
        return None
    history = view.steps
    check_own_cards(view, history)
    if sum(len(trick.moves) for trick in view.history) > MOST_STEPS or sum(view.unseen) > MOST_UNSEEN:
        return None
    steps = _from_before(view, history)
    if steps is None or all(step.seat == view.seat for step in steps):
        return None
    layout = _Layout(view, steps)
    return layout.evidence(seed, weights) if 0 < layout.hidden <= MOST_SLOTS else None


def _from_before(view: Round, steps: Sequence[Step | Stuck]) -> Sequence[Step | Stuck] | None:
    """Prepend to a history's steps the deals that were passed on before it began.

    Returns None if it is unclear whether the seat that passed such a deal on had playable cards in its first hand.
    """
    deck = view.metals
    before = []
    for passed in view.deal_passes or ():
        field = FIELDS.index(passed.field)
        row = deck.reactivity[field]
        most = passed.max_playable
        most_by_history: int | None = None  # what the history alone implies about `most`
        for step in steps:
            if step.seat != passed.seat:
                continue
            if isinstance(step, Stuck):
                most_by_history = 0 if step.field == field and step.shown else most_by_history
                continue
            change = gained(row, step.move, step.draws)
            most -= change
            most_by_history = None if most_by_history is None else most_by_history + change
        if most_by_history is not None and most_by_history <= passed.max_playable:
            continue
        if most != 0:
            return None
        before.append(Stuck(passed.seat, field))
    return (*before, *steps)


def _augmented(
    start: int, fits: Sequence[Sequence[bool]], own: dict[int, int], other: dict[int, int], tried: set[int]
) -> bool:
    """Extend a bipartite matching to the vertex `start` along an augmenting path; return False if there is none.

    ``fits[v][w]`` says whether vertex v, on the side of `start`, can be matched with w on the other side. `own`
    and `other` map the matched vertices of the two sides to their partners. `tried` collects the vertices of the
    other side that were visited.
    """
    for partner, fitting in enumerate(fits[start]):
        if fitting and partner not in tried:
            tried.add(partner)
            if partner not in other or _augmented(other[partner], fits, own, other, tried):
                own[start], other[partner] = partner, start
                return True
    return False


class _Layout:
    """The slots of the hidden cards of a view, and which cards may lie in each."""

    def __init__(self, view: Round, steps: Sequence[Step | Stuck]) -> None:
        self._view = view
        self._steps = steps
        self._others = [seat for seat in range(view.players) if seat != view.seat]
        deck = view.metals
        self._reactivity = deck.reactivity
        assert view.replay is not None  # there is a history
        self._grown, known_since = view.replay.grown, view.replay.known
        # Cards known from before the history and not shown since are in the hand from the start.
        self._held = [deck.counts([])] * view.players
        for seat in self._others:
            known = view.known_counts(seat)
            self._held[seat] = tuple(every - late for every, late in zip(known, known_since[seat], strict=True))
        self._draws = {
            number: step
            for number, step in enumerate(steps)
            if isinstance(step, Step) and step.draws and step.seat != view.seat
        }
        self._stuck: dict[int, list[tuple[int, int]]] = {seat: [] for seat in range(view.players)}
        for number, step in enumerate(steps):
            if isinstance(step, Stuck) and step.shown:
                self._stuck[step.seat].append((number, step.field))
        self._voids = [view.voids_of(seat) for seat in range(view.players)]
        self._shown = [item for seat in self._others for item in self._showed(seat)]
        self._slots = [Slot(seat, -1) for seat in self._others for _ in range(self._first(seat))]
        self._slots += [Slot(step.seat, number) for number, step in self._draws.items()]

    @property
    def hidden(self) -> int:
        """The number of slots: one per card that is hidden in another seat's hand, or was when the seat got it."""
        return len(self._slots)

    def _showed(self, seat: int) -> Iterator[Item]:
        """Yield each card that a seat showed and had not openly taken, with the step that showed it."""
        taken = [0] * self._view.metals.size
        for number, step in enumerate(self._steps):
            if isinstance(step, Stuck) or step.seat != seat:
                continue
            left, came = cards_moved(step.move)
            for metal in left:
                if taken[metal]:
                    taken[metal] -= 1
                else:
                    yield Item(metal, seat, number)
            for metal in came:
                taken[metal] += 1

    def _first(self, seat: int) -> int:
        """Return the number of hidden cards of a seat at the start of the history."""
        return self._view.counts[seat] - self._grown[seat] - sum(self._held[seat])

    def _fits(self, slot: Slot, item: Item) -> bool:
        """Whether a card could have come from a slot and have been in the hand from then on."""
        last = len(self._steps)
        if item.seat >= 0:
            if item.seat != slot.seat or item.until < slot.since:
                return False
            last = item.until
        elif item.metal in self._voids[slot.seat]:
            return False
        return not any(
            slot.since < number < last and self._reactivity[field][item.metal]
            for number, field in self._stuck[slot.seat]
        )

    def _row_of(self, slot: Slot, items: Sequence[Item]) -> list[bool]:
        """Return, for each item, whether it fits a slot.

        Items that nobody has shown differ only by their metal, so each metal is checked once.
        """
        metals = [self._fits(slot, Item(metal)) for metal in range(self._view.metals.size)]
        return [metals[item.metal] if item.seat < 0 else self._fits(slot, item) for item in items]

    def _matched(self, items: Sequence[Item]) -> dict[int, int]:
        """Match every slot to an item, so that every shown card gets a slot.

        Returns a dict from the index of each slot to the index of its item. Raises PositionError if there is no
        such matching.
        """
        rows = {slot: self._row_of(slot, items) for slot in set(self._slots)}
        fits = [rows[slot] for slot in self._slots]
        inside: dict[int, int] = {}  # slot: item
        places: dict[int, int] = {}  # item: slot

        of_items = list(zip(*fits, strict=True))
        for number, item in enumerate(items):
            if item.seat >= 0 and not _augmented(number, of_items, places, inside, set()):
                raise no_source(self._view, self._steps, item.seat, item.metal, item.until)
        for slot in range(len(self._slots)):
            tried: set[int] = set()
            if slot not in inside and not _augmented(slot, fits, inside, places, tried):
                raise self._nothing_left({slot, *(places[item] for item in tried)})
        return inside

    def _nothing_left(self, slots: set[int]) -> PositionError:
        """Return an error that says that too few unseen cards fit these slots."""
        who = sorted({self._slots[slot].seat for slot in slots})
        reasons = "; ".join(not_led(self._view, self._steps, seat) for seat in who if self._stuck[seat])
        message = say("no deal agrees with this: too few unseen cards are left for {seats} ({reasons})",
                      seats=seats_named(who), reasons=reasons)  # fmt: skip
        return PositionError("conflict", message, "history")

    def evidence(self, seed: int, weights: Floats) -> Evidence:
        """Return the arrays for the kernels, with an initial assignment of the unseen cards to the slots.

        `seed` determines the assignment. Raises PositionError if no deal agrees with the history.
        """
        rest = [Item(metal) for metal in members(self._view.unseen)]
        Random(seed).shuffle(rest)
        items = [*self._shown, *rest]
        inside = self._matched(items)
        laid = {inside[slot] for slot in inside}
        begun = [items[inside[slot]].metal for slot in range(len(self._slots))]
        begun += [item.metal for number, item in enumerate(items) if number not in laid]
        firsts = [slot.seat for slot in self._slots if slot.since < 0]
        ends = np.zeros((self._view.players, 2), np.int64)
        for seat in self._others:
            start = firsts.index(seat) if seat in firsts else 0
            ends[seat] = start, start + firsts.count(seat)
        slots = {slot.since: number for number, slot in enumerate(self._slots) if slot.since >= 0}
        unowned = len(begun) - len(self._slots)
        deck = self._view.metals
        none = deck.counts([])
        reactivity = reactivity_rows(deck)
        evidence = Evidence(
            steps=np.array(
                [row_of(step, slots.get(number, -1)) for number, step in enumerate(self._steps)], np.int64
            ),
            piles=np.array([none if isinstance(step, Stuck) else step.discard for step in self._steps], np.int64),
            held=np.array(self._held, np.int64),
            voids=np.array([[metal in voids for metal in range(deck.size)] for voids in self._voids], np.int64),
            ends=ends,
            owners=np.array([slot.seat for slot in self._slots] + [-1] * unowned, np.int64),
            owned=len(self._slots),
            begun=np.array(begun, np.int64),
            reactivity=reactivity,
            copies=deck.copies,
            chances=chances_of(reactivity, deck.copies, weights),
        )
        hand = np.zeros(deck.size, np.int64)
        for seat in self._others:
            if log_likelihood(seat, evidence, evidence.begun, hand) <= IMPOSSIBLE:
                reason = not_led(self._view, self._steps, seat)
                message = say(
                    "no deal agrees with this: {reason}, but held a card then that can be played there",
                    reason=reason,
                )
                raise PositionError("conflict", message, "history")
        return evidence


def row_of(step: Step | Stuck, slot: int) -> list[int]:
    """Convert a step to a row of words for `log_likelihood`. `slot` is the slot of the card drawn, or -1."""
    row = [0] * STEP_WORDS
    row[KIND], row[SEAT], row[FIELD] = STUCK, step.seat, step.field
    row[FIRST] = row[SECOND] = -1
    row[SLOT] = slot
    if isinstance(step, Stuck):
        row[SEAT] = step.seat if step.shown else NOBODY
        return row
    row[FOLLOWING], row[DRAWS], row[AGAINST] = step.following, int(step.draws), int(step.against)
    if step.top is not None:
        row[METAL], row[COUNT] = step.top.metal, step.top.count
    if isinstance(step.move, Play):
        row[KIND], row[FIRST], row[SECOND] = PLAYS, step.move.metal, step.move.count
    else:
        row[KIND] = PASSES
        if step.move.discarded is not None and step.move.taken is not None:
            row[FIRST], row[SECOND] = step.move.discarded, step.move.taken
    return row
