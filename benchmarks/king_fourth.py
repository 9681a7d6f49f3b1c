"""A fourth kind among the players that hints of King × Alchemy reckon with: who plays by the learned network.

The worlds are those of the hint. Each is weighted by how much likelier all that the others did is with four kinds
of players, as many of each expected, than with the hint's three.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solver.common import mask
from solver.games.king.deck import TRUMP
from solver.games.king.fast_rules import (
    LEAD,
    NAMED,
    PLAYED,
    PLAYERS,
    STATE_WORDS,
    SUIT,
    THE_DANCER,
    judge,
    lay,
    seat_after,
    start_trick,
)
from solver.games.king.hint import Rounds
from solver.games.king.learned import Brain, Sight, Thought, no_sight, policy, think, thought
from solver.games.king.players import ALL, KINDS, TRAINED, CardValues, book_of, new_room, plays, share_out
from solver.games.king.position import View, cards_at
from solver.games.king.rules import TRICKS, Move
from solver.games.king.worlds import (
    BEFORE,
    CODE,
    CODES,
    COUNT,
    GIVEN,
    MOST_TRICKS,
    NODE,
    SEEN_WORDS,
    TAKEN,
    TRICK_LEADER,
    TRICK_WORDS,
    Deals,
    Evidence,
    Work,
    likelihood,
    new_work,
    picked,
    stands_for,
    tricks_in_words,
)
from solver.hints.policy import mixed, to_chances
from solver.hints.sampled import new_kept
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel, lean

AT_RANDOM = 0.1  # the share of such a player's choices that is taken to be made at random
SHARE = 1 / (KINDS + 1)  # of such players, expected


class Learned(NamedTuple):
    """The network, how sure of its choice it is (`learned.alone`), and what each play was made by (rows of the
    evidence): the book, the piles, and the suits that seats are known not to hold.
    """

    brain: Brain
    sure: float
    books: Words
    piles: Words
    voids: Words


@kernel
def lay_sights(values: CardValues, tricks: Words, left: int, piles: Words, learned: Learned) -> None:
    """Write what could be seen before each play; see `evidence.lay_seen`. `values` and `piles` are written to."""
    deal = values.deal
    players = deal[PLAYERS]
    node = np.zeros(STATE_WORDS, np.int64)
    voids = np.zeros(players, np.int64)
    counts = np.zeros(players, np.int64)
    for trick in range(len(tricks) // TRICK_WORDS):
        words = tricks[trick * TRICK_WORDS :]
        start_trick(node, 0, words[TRICK_LEADER])
        for place in range(words[COUNT]):
            seat = seat_after(deal, words[TRICK_LEADER], place)
            code = words[CODES + place]
            row = seat * MOST_TRICKS + counts[seat]
            counts[seat] += 1
            learned.books[row] = values.book
            learned.piles[row] = piles
            learned.voids[row] = voids
            if node[PLAYED] != 0 and node[LEAD] < TRUMP:
                suit = code - NAMED if code >= NAMED else deal[SUIT + code]
                if suit != node[LEAD] and suit != TRUMP:
                    voids[seat] |= 1 << node[LEAD]
            lay(deal, node, 0, code)
        if trick < len(tricks) // TRICK_WORDS - 1:
            judge(deal, node, 0)
            share_out(values, node, piles, left - 1, words[TAKEN], words[GIVEN])
        left -= 1


@lean
def learned_likelihood(
    learned: Learned, evidence: Evidence, work: Work, sight: Sight, mind: Thought, seat: int, hand: int
) -> float:
    """How likely a learned player who holds `hand` (a mask) now would have picked and played what the seat did."""
    deal, room = evidence.deal, work.room
    dancer = deal[THE_DANCER]
    first = seat * MOST_TRICKS
    last = first + evidence.counts[seat]
    for row in range(first, last):
        code = evidence.seen[row * SEEN_WORDS + CODE]
        hand |= 1 << (dancer if code >= NAMED else code)
    found = picked(evidence, seat, hand | evidence.picks[seat], TRAINED)
    for row in range(first, last):
        seen = evidence.seen[row * SEEN_WORDS :]
        code = seen[CODE]
        for word in range(STATE_WORDS):
            sight.node[word] = seen[NODE + word]
        count = plays(deal, sight.node, hand, room.codes)
        if count > 1:
            for word in range(len(sight.values.book)):
                sight.values.book[word] = learned.books[row, word]
            for other in range(deal[PLAYERS]):
                sight.piles[other] = learned.piles[row, other]
                sight.voids[other] = learned.voids[row, other]
            think(learned.brain, sight, seat, hand, ALL & ~seen[BEFORE] & ~hand, count, room, mind)
            done = 0
            for place in range(count):
                mind.worth[place] *= learned.sure
                if stands_for(sight.node, room.codes[place], code):
                    done = place
            to_chances(count, mind.worth)
            found *= mixed(mind.worth[done], 1.0, count, AT_RANDOM)
        hand &= ~(1 << (dancer if code >= NAMED else code))
    return float(found)


@lean
def weigh(
    learned: Learned,
    evidence: Evidence,
    work: Work,
    sight: Sight,
    mind: Thought,
    seat: int,
    share: float,
    noted: Words,
    weights: Floats,
) -> None:
    """Write the weight of each world, a row of `noted`, in which the other seats' hands come first."""
    players = evidence.deal[PLAYERS]
    for world in range(len(weights)):
        for step in range(1, players):
            other = seat_after(evidence.deal, seat, step)
            hand = noted[world, other]
            three = likelihood(evidence, work, other, hand)
            fourth = learned_likelihood(learned, evidence, work, sight, mind, other, hand)
            weights[world] *= 1 - share + share * fourth / three


class Fourth(Rounds):
    """The hint's rounds, in worlds that are weighted."""

    def __init__(self, dealt: Deals, made: Sequence[Move], seed: int, share: float = SHARE) -> None:
        super().__init__(dealt, made, seed)
        self._share = share
        if isinstance(dealt.view, View):
            self._learned = self._sights(dealt.view)

    def _sights(self, view: View) -> Learned:
        evidence, values = self._arguments[2], self._arguments[1].values
        brain, sure = policy()
        rows = view.players * MOST_TRICKS
        made = Learned(
            brain,
            sure,
            np.zeros((rows, len(values.book)), np.int64),
            np.zeros((rows, view.players), np.int64),
            np.zeros((rows, view.players), np.int64),
        )
        removed = mask(cards_at(view.full_deck, view.removed, "removed"))
        picks = tuple(int(pick) for pick in evidence.picks)
        after = values._replace(book=book_of(view.full_deck, picks, removed))
        tricks = np.array(tricks_in_words(view), np.int64)
        lay_sights(after, tricks, TRICKS[view.players], np.array(picks, np.int64), made)
        return made

    def _play(self, first: int, results: Floats, weights: Floats, noted: Words) -> None:
        super()._play(first, results, weights, noted)
        if self.chained:
            evidence, values = self._arguments[2], self._arguments[1].values
            work = new_work(np.zeros(self._view.players, np.int64), new_room(), new_kept(KINDS))
            mind = thought(self._learned.brain.net)
            weigh(
                self._learned,
                evidence,
                work,
                no_sight(values),
                mind,
                self._view.seat,
                self._share,
                noted,
                weights,
            )
