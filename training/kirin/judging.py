"""How many points players score against each other, in many rounds, as a kernel."""

from __future__ import annotations

import numpy as np

from solver.games.kirin.fast_rules import CARDS
from solver.games.kirin.learned import HANDS, POINTS
from solver.games.kirin.players import LEADER, PLAYED, declare_values
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import trailing_zeros
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import start as start_stream
from training.kirin.playing import LEARNED, Desk, Players, chosen, deal, played, set_aside


@lean
def open_deal(desk: Desk, deck: np.ndarray, random: Words, seed: int, number: int) -> None:
    """Lay deal `number` of a seed on the desk."""
    start_stream(random, seed, number)
    for card in range(CARDS):
        deck[card] = card
    deal(desk, deck, random)


@kernel
def openings(desk: Desk, seed: int, first: int, hands: Words) -> None:
    """Write who leads and the four hands of deals number `first` and on, a row each."""
    random = np.zeros(1, np.int64)
    deck = np.zeros(CARDS, np.int8)
    for number in range(len(hands)):
        open_deal(desk, deck, random, seed, first + number)
        hands[number, 0] = desk.table[LEADER]
        for seat in range(4):
            hands[number, 1 + seat] = desk.state[HANDS + seat]


@kernel
def score(
    players: Players, desk: Desk, kinds: Words, asides: Words, seed: int, first: int, results: Floats
) -> None:
    """Play deals number `first` and on, all players at their best, each turned through the four seats.

    `results` has a row a deal, in it a row a seating (the seat of the first player), in it the points by player.
    `asides` says in the same order what the first player sets aside; where that is -1, and for the others, it is
    what the plausible player likes best.
    """
    random = np.zeros(1, np.int64)
    deck = np.zeros(CARDS, np.int8)
    state, table = desk.state, desk.table
    watched = False
    for player in range(4):
        watched |= kinds[player] == LEARNED
    for number in range(len(results)):
        for seating in range(4):
            open_deal(desk, deck, random, seed, first + number)
            for seat in range(4):
                hand = state[HANDS + seat]
                declare_values(hand, players.declare, desk.out)
                most = 0
                for place in range(1, 9):
                    if desk.out[place] > desk.out[most]:
                        most = place
                for _ in range(most):
                    hand &= hand - 1
                card = trailing_zeros(hand)
                if seat == seating and asides[number, seating] >= 0:
                    card = asides[number, seating]
                set_aside(desk, seat, card)
            while True:
                seat = (table[LEADER] + table[PLAYED]) & 3
                if state[HANDS + seat] == 0:
                    break
                played(players, desk, chosen(players, kinds[(seat - seating) & 3], desk, random, True), watched)
            for seat in range(4):
                results[number, seating, seat] = state[POINTS + ((seat + seating) & 3)]
