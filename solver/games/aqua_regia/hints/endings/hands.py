"""The hands that another seat may hold in Aqua Regia, each as likely as what the seat was seen to do makes it.

What a seat drew is hidden, so a hand may have come about in many ways. From the hand that it may hold now its past
is gone through backward: a card that it drew may be any of those that it had then. The hands before a step are
kept once, however many ways lead on from them, and forward again the chances of what was seen are added up (as in
the forward algorithm for hidden Markov models: Rabiner 1989).

Each card that was hidden when the history begins may be in each place alike. So hands of all seats together are as
likely as the product of what `Pasts.likelihoods` finds for each, divided by the product over the metals of the
factorial of how many cards of the metal are left out of play (`replies`).

A set of cards is a word with a lane for each metal of the deck.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial

import numpy as np

from solver.games.aqua_regia.cards.deck import FIELDS, Deck
from solver.games.aqua_regia.cards.rules import Counts
from solver.games.aqua_regia.hints.chances import (
    DRAWS,
    FIELD,
    FIRST,
    KIND,
    PASSES,
    PLAYS,
    SEAT,
    SECOND,
    STUCK,
    exchange_chances,
    play_chances,
)
from solver.games.aqua_regia.hints.likelihood import Evidence
from solver.games.aqua_regia.positions.known import View
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel


class TooManyError(Exception):
    """There are more hands, or more ways to come by them, than there is time for."""


@dataclass(frozen=True)
class Lanes:
    """Sets of cards as words: `bits` a metal."""

    bits: int
    metals: int

    def word(self, counts: Counts) -> int:
        return sum(count << self.bits * metal for metal, count in enumerate(counts))

    def held(self, words: Words, metal: int) -> Words:
        """How many cards of a metal are in each of the sets."""
        return words >> self.bits * metal & (1 << self.bits) - 1

    def one(self, metal: int) -> int:
        return 1 << self.bits * metal


def lanes_of(deck: Deck) -> Lanes | None:
    """None where the cards of a deck do not fit a word."""
    bits = deck.copies.bit_length()
    return Lanes(bits, deck.size) if bits * deck.size < 64 else None


@kernel
def step_chances(evidence: Evidence, row: int, bits: int, exchanges: bool, hands: Words, out: Floats) -> None:
    """Multiply `out` by how likely a seat with each hand plays or passes as in a step, or `exchanges` as in it.

    It has a row for each hand, and a column for each kind of player.
    """
    step, hand = evidence.steps[row], np.zeros(evidence.reactivity.shape[1], np.int64)
    chances, room = evidence.chances, np.zeros(2 * out.shape[1])
    for place in range(len(hands)):
        size = 0
        for metal in range(len(hand)):
            hand[metal] = (hands[place] >> (bits * metal)) & ((1 << bits) - 1)
            size += hand[metal]
        if exchanges:
            pile, copies = evidence.piles[row], evidence.copies
            exchange_chances(hand, pile, copies, step, chances, room, out[place])
        else:
            play_chances(evidence.reactivity, hand, size, step, chances, room, out[place])


def subsets(counts: Counts, size: int) -> Iterator[Counts]:
    """Every choice of so many of these cards."""
    if not counts:
        if not size:
            yield ()
        return
    first, rest = counts[0], counts[1:]
    for some in range(max(0, size - sum(rest)), min(first, size) + 1):
        for others in subsets(rest, size - some):
            yield (some, *others)


@dataclass
class _Before:
    """What led to the hands after a step of a seat: the hands before it, and which of them lead where.

    Of the hands after the step only those at the places `kept` are possible. `passing` are these before an
    exchange, where the step is a pass that draws; hand number ``came[k]`` before the step then leads to number
    ``went[k]`` of them.
    """

    row: int
    kind: int
    after: int
    kept: Words
    before: Words
    passing: Words | None = None
    came: Words | None = None
    went: Words | None = None


class Pasts:
    """How likely hands are by a history. At most so many hands are looked at in all: more raise a TooManyError."""

    def __init__(self, evidence: Evidence, lanes: Lanes, most: int) -> None:
        self._evidence = evidence
        self._lanes = lanes
        self._most = most
        self.looked_at = 0

    def likelihoods(self, seat: int, hands: Words) -> Floats:
        """How likely a seat that holds these cards now, all different sets, would have done what was seen.

        A row for each hand has it by kind of player: the sum over all ways to have come by the cards, up to a
        factor that is the same for all hands and kinds, times how many players of the kind are expected.
        """
        steps = [row for row in range(len(self._evidence.steps)) if self._evidence.steps[row, SEAT] == seat]
        befores = []
        states = hands
        for row in reversed(steps):
            befores.append(self._back(row, states))
            states = befores[-1].before
        found = self._ways(seat, states)[:, None] * self._evidence.expected
        for one in reversed(befores):
            found = self._forward(one, found)
            if found.max(initial=0.0) > 0:
                found = found / found.max()
        return found

    def _ways(self, seat: int, hands: Words) -> Floats:
        """In how many ways the hidden cards of first hands can lie in their places, up to a common factor."""
        found = np.ones(len(hands))
        for metal in range(self._lanes.metals):
            hidden = self._lanes.held(hands, metal) - self._evidence.held[seat, metal]
            found = np.where(hidden < 0, 0.0, found)
            found = found / FACTORIALS[np.maximum(hidden, 0)]
        return found

    def _back(self, row: int, states: Words) -> _Before:
        step, lanes = self._evidence.steps[row], self._lanes
        first, kind, after = int(step[FIRST]), int(step[KIND]), len(states)
        kept = np.arange(after)
        if kind == STUCK:
            lets = [metal for metal in range(lanes.metals) if self._evidence.reactivity[step[FIELD], metal] > 0]
            none = sum(lanes.word((0,) * metal + ((1 << lanes.bits) - 1,)) for metal in lets)
            kept = np.flatnonzero(states & none == 0)
            return _Before(row, kind, after, kept, states[kept])
        if kind == PLAYS:
            before = states + int(step[SECOND]) * lanes.one(first)
            return _Before(row, kind, after, kept, self._looked_at(before))
        if first >= 0:
            kept = np.flatnonzero(lanes.held(states, int(step[SECOND])) > 0)
            states = states[kept] + lanes.one(first) - lanes.one(int(step[SECOND]))
        if step[DRAWS] == 0:
            return _Before(row, kind, after, kept, self._looked_at(states), states)
        return self._back_over_draw(row, after, kept, states)

    def _back_over_draw(self, row: int, after: int, kept: Words, passing: Words) -> _Before:
        lanes = self._lanes
        went = [np.flatnonzero(lanes.held(passing, metal) > 0) for metal in range(lanes.metals)]
        came = [passing[places] - lanes.one(metal) for metal, places in enumerate(went)]
        before, places = np.unique(np.concatenate(came), return_inverse=True)
        looked_at = self._looked_at(before)
        return _Before(row, PASSES, after, kept, looked_at, passing, places, np.concatenate(went))

    def _looked_at(self, states: Words) -> Words:
        self.looked_at += len(states)
        if self.looked_at > self._most:
            raise TooManyError
        return states

    def _forward(self, one: _Before, found: Floats) -> Floats:
        """The likelihoods after a step, of those before it."""
        if one.kind != STUCK:
            found = self._times_chances(found, one.row, one.before, exchanges=False)
        if one.passing is not None:
            if one.came is not None and one.went is not None:
                ways = found[one.came]
                sums = [np.bincount(one.went, column, len(one.passing)) for column in ways.T]
                found = np.array(sums, np.float64).T
            found = self._times_chances(found, one.row, one.passing, exchanges=True)
        after = np.zeros((one.after, found.shape[1]))
        after[one.kept] = found
        return after

    def _times_chances(self, found: Floats, row: int, hands: Words, *, exchanges: bool) -> Floats:
        out = np.ascontiguousarray(found)
        step_chances(self._evidence, row, self._lanes.bits, exchanges, hands, out)
        return out


FACTORIALS = np.array([float(factorial(number)) for number in range(64)])


def ways_now(view: View, lanes: Lanes, seat: int, hidden: Words) -> Floats:
    """In how many ways hidden cards can lie in a seat's hand, up to a common factor.

    For views whose history tells nothing; but no hand has more cards for a field than deals passed on allow.
    """
    found = np.ones(len(hidden))
    for metal in range(lanes.metals):
        found = found / FACTORIALS[lanes.held(hidden, metal)]
    known = view.metals.counts(view.metals.numbers(view.known_of(seat)))
    for passed in view.deal_passes or ():
        if passed.seat == seat:
            row = view.metals.reactivity[FIELDS.index(passed.field)]
            playable = sum(
                (lanes.held(hidden, metal) + known[metal]) * (row[metal] > 0) for metal in range(lanes.metals)
            )
            found = np.where(playable > passed.most, 0.0, found)
    return found
