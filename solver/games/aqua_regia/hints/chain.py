"""Worlds of Aqua Regia as likely as they are, as kernels: what the others were seen to do tells of what they hold.

A world says where the cards lie that are hidden when the history begins: each in a *slot*, which is a place in
another seat's first hand, one of that seat's draws, a place in the stock, or out of play. Its weight is the chance
that the other seats would have done what was seen (`likelihood`). Worlds by weight come from a chain (Metropolis
et al. 1953): a step proposes to swap the cards of two slots, and is taken with the chance min(1, new weight / old
weight). The players choose so surely that chains get caught among worlds that resemble each other; so a chain
begins with steps by the weights to a power that grows from 0 to 1 (annealing: Kirkpatrick et al. 1983), and loses
what it began with. The worlds of one chain depend on each other; chains do not.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from solver.games.aqua_regia.hints.game_kernel import STEPS as MOST_STEPS
from solver.games.aqua_regia.hints.game_kernel import TURN
from solver.games.aqua_regia.hints.learned.foresight import Foresight
from solver.games.aqua_regia.hints.likelihood import IMPOSSIBLE, Evidence, log_likelihood
from solver.games.aqua_regia.hints.rollouts import Setting, new_game, try_moves, with_shares
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import below, start, uniform

WARMING = 15  # steps before the first world counts, for each slot that somebody owns
STEPS = 15  # from one world to the next


class Chain(NamedTuple):
    """Where a chain stands: the card in each slot, and of each seat the log likelihood, the hand now, and how
    likely it is of each kind.
    """

    random: Words
    slots: Words
    likelihoods: Floats
    hands: Words  # a row a seat
    shares: Floats  # a row a seat
    scratch: Words  # two rows
    scratch_shares: Floats  # two rows
    room: Floats  # two numbers of each kind


@kernel
def new_chain(evidence: Evidence, setting: Setting) -> Chain:
    """A chain with the cards as the evidence begins; `begin_chain` does the rest."""
    metals, kinds = evidence.reactivity.shape[1], len(evidence.expected)
    return Chain(
        np.zeros(1, np.int64),
        evidence.begun.copy(),
        np.zeros(len(setting.hands)),
        setting.hands.copy(),
        setting.shares.copy(),
        np.zeros((2, metals), np.int64),
        np.zeros((2, kinds)),
        np.zeros(2 * kinds),
    )


@lean
def begin_chain(seat: int, evidence: Evidence, chain: Chain) -> None:
    """Compute the likelihoods and the hands of all seats but `seat`, the one that asks."""
    for other in range(len(chain.likelihoods)):
        if other != seat:
            chain.likelihoods[other] = log_likelihood(
                other, evidence, chain.slots, chain.hands[other], chain.room, chain.shares[other]
            )


@lean
def step_chain(evidence: Evidence, chain: Chain, power: float) -> None:
    """One step of the chain over worlds by their weights to a power: at 1 by weight, at 0 uniformly."""
    slots, likely = chain.slots, chain.likelihoods
    one, two = below(chain.random, evidence.owned), below(chain.random, len(slots))
    if slots[one] == slots[two]:
        return
    first, second = evidence.owners[one], evidence.owners[two]
    slots[one], slots[two] = slots[two], slots[one]
    new_first = log_likelihood(first, evidence, slots, chain.scratch[0], chain.room, chain.scratch_shares[0])
    gain = new_first - likely[first]
    both = second >= 0 and second != first and gain > IMPOSSIBLE
    new_second = 0.0
    if both:
        new_second = log_likelihood(second, evidence, slots, chain.scratch[1], chain.room, chain.scratch_shares[1])
        gain += new_second - likely[second]
    if gain < 0 and (gain <= IMPOSSIBLE or uniform(chain.random) >= exp(power * gain)):
        slots[one], slots[two] = slots[two], slots[one]
        return
    likely[first] = new_first
    _keep(chain, 0, first)
    if both:
        likely[second] = new_second
        _keep(chain, 1, second)


@lean
def _keep(chain: Chain, row: int, seat: int) -> None:
    """What was found for a seat in a row of scratch is so now."""
    for metal in range(chain.scratch.shape[1]):
        chain.hands[seat, metal] = chain.scratch[row, metal]
    for kind in range(chain.shares.shape[1]):
        chain.shares[seat, kind] = chain.scratch_shares[row, kind]


@lean
def steps_begun(evidence: Evidence) -> int:
    """How many steps a chain makes to its first world."""
    return int(WARMING * evidence.owned + STEPS)


@lean
def shuffle_rest(evidence: Evidence, chain: Chain) -> None:
    """Put the cards of the slots that nobody owns in any order: no step that was seen depends on it."""
    slots = chain.slots
    for last in range(len(slots) - 1, evidence.owned, -1):
        other = evidence.owned + below(chain.random, last - evidence.owned + 1)
        slots[last], slots[other] = slots[other], slots[last]


@lean
def next_world(evidence: Evidence, setting: Setting, chain: Chain, world: int, stock: Words) -> None:
    """Make the steps to world number `world` of a chain, and lay its stock; a card that is known stays on top."""
    warming, most = WARMING * evidence.owned, setting.scalars[MOST_STEPS]
    steps = STEPS if world else steps_begun(evidence)
    for step in range(min(steps, most) if most > 0 else steps):
        step_chain(evidence, chain, 1.0 if world else min(1.0, step / warming))
    shuffle_rest(evidence, chain)
    known = 1 if setting.drawn >= 0 else 0
    for place in range(known, len(stock)):
        stock[place] = chain.slots[evidence.owned + place - known]


@kernel
def play_likely_worlds(
    evidence: Evidence,
    setting: Setting,
    foresight: Foresight,
    seed: int,
    first: int,
    results: Floats,
    noted: Words,
) -> None:
    """`rollouts.play_worlds` in the worlds of one chain."""
    chain = new_chain(evidence, setting)
    setting = with_shares(setting, chain.shares)
    start(chain.random, seed, first)
    game = new_game(setting)
    begin_chain(setting.scalars[TURN], evidence, chain)
    for world in range(len(results)):
        next_world(evidence, setting, chain, world, game.stock)
        try_moves(setting, foresight, chain.hands, game, chain.random, results[world], noted[world])
