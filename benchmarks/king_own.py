"""Rounds of a hint of King × Alchemy in which the own seat plays on by its networks, and not by rules.

The worlds, the other seats and all else are the hint's, whose kernel is compiled once more with another `play_on`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from solver.games.king import rollouts
from solver.games.king.deck import TRUMP
from solver.games.king.fast_rules import (
    BEST,
    LEAD,
    LEADER,
    NAMED,
    PLAYED,
    PLAYERS,
    SUIT,
    THE_DANCER,
    points_of,
    seat_after,
)
from solver.games.king.hint import Rounds
from solver.games.king.learned import (
    GIVEN,
    Brain,
    Heads,
    Sight,
    Thought,
    Trial,
    heads,
    judge_takings,
    policy,
    sight_of,
    think,
    thought,
    trial,
)
from solver.games.king.players import (
    ALL,
    ALL_PLAYS,
    EXPECTED,
    CardValues,
    Plays,
    Room,
    choose,
    plays,
    put,
    share_out,
)
from solver.games.king.rollouts import drawn_play
from solver.games.king.rules import Move
from solver.games.king.worlds import Deals
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount
from solver.kernels.jit import kernel, lean
from solver.kernels.template import instantiate
from training.choices import place_of_best

WHOLE = 99  # own plays: more than a round has


class Own(NamedTuple):
    """What stands in the place of the weights of plays.

    `play` are these weights. `most` (one number) is how many own plays of a game are made by the network; as long
    as there are some left, what is taken is chosen by a network, too. `voids` are those that the view tells; the
    rest of `seen`, `mind` and `trial` are room for the networks.
    """

    play: Plays
    most: Words
    brain: Brain
    heads: Heads
    voids: Words
    seen: Sight
    mind: Thought
    trial: Trial


@lean
def play_on(
    values: CardValues,
    node: Words,
    hands: Words,
    piles: Words,
    gone: int,
    weights: Own,
    room: Room,
    seat_asking: int,
    shares: Floats,
    random: Words,
) -> int:
    """As `rollouts.play_on`, but for the plays and takings of the seat that asks."""
    deal = values.deal
    voids = weights.seen.voids
    for seat in range(deal[PLAYERS]):
        voids[seat] = weights.voids[seat]
    seen = Sight(values, node, piles, voids, weights.seen.worth, weights.seen.reach)
    first = -1
    left = weights.most[0]
    while True:
        if node[PLAYED] == deal[PLAYERS]:
            winner = node[BEST]
            before = piles[seat_asking]
            took = 1 if winner == seat_asking else 0
            hand = hands[winner]
            taken, given = -1, -1
            if took == 1 and left > 0:
                count = judge_takings(weights.heads, seen, hand, ALL & ~gone & ~hand, room, weights.trial)
                code = room.codes[place_of_best(count, weights.trial.worth)]
                taken, given = code & ((1 << GIVEN) - 1), (code >> GIVEN) - 1
            share_out(values, node, piles, popcount(hand), taken, given)
            if first < 0:
                first = 2 * points_of(deal, piles[seat_asking] & ~before) + took
        seat = seat_after(deal, node[LEADER], node[PLAYED])
        hand = hands[seat]
        if hand == 0:
            return first
        unseen = ALL & ~gone & ~hand
        if seat == seat_asking and left > 0:
            count = plays(deal, node, hand, room.codes)
            move = room.codes[0]
            if count > 1:
                think(weights.brain, seen, seat, hand, unseen, count, room, weights.mind)
                move = room.codes[place_of_best(count, weights.mind.worth)]
                left -= 1
        elif seat == seat_asking:
            move = choose(values, node, seat, hand, unseen, weights.play, room)
        else:
            move = drawn_play(values, node, seat, hand, unseen, weights.play, room, shares, random)
        if node[PLAYED] != 0 and node[LEAD] < TRUMP:
            suit = move - NAMED if move >= NAMED else deal[SUIT + move]
            if suit != node[LEAD] and suit != TRUMP:
                voids[seat] |= 1 << node[LEAD]
        gone |= 1 << (deal[THE_DANCER] if move >= NAMED else move)
        put(deal, node, hands, move)


def _compiled() -> Callable[..., None]:
    template: Any = getattr(rollouts.play_worlds, "py_func", rollouts.play_worlds)
    made: Any = instantiate(template, {"play_on": play_on}, "own")
    own: Callable[..., None] = kernel(getattr(made, "py_func", made))  # it makes arrays, so it is not `lean`
    return own


play_worlds = _compiled()


class OwnRounds(Rounds):
    """A hint's rounds in which the networks make the next `plays` own plays, and the takings until then."""

    def __init__(
        self, dealt: Deals, made: Sequence[Move], seed: int, *, plays: int = WHOLE, expected: Floats = EXPECTED
    ) -> None:
        super().__init__(dealt, made, seed, expected=expected)
        self._most = np.array([plays], np.int64)

    def _play(self, first: int, results: Floats, weights: Floats, noted: Words) -> None:
        question, current, evidence = self._arguments
        brain, _ = policy()
        judges, _, _ = heads()
        seen = sight_of(self._view)
        room = thought(brain.net), trial(current.values, judges.pick.net)
        own = Own(ALL_PLAYS, self._most, brain, judges, seen.voids.copy(), seen, *room)
        by_networks: Any = current._replace(play=own)  # type: ignore[arg-type]
        with self._kept.lend() as kept:
            play_worlds(
                question, by_networks, evidence, kept, self._moves, self._seed, first, self.chained, results, noted
            )
