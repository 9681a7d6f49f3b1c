"""What each card of a hand is worth set aside: rounds played for it, as a kernel, and a network that learns it.

The world is the same for all nine cards, and for both players of the seat's own cards.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import click
import numpy as np
import torch

from solver.games.kirin.fast_rules import CARDS, DECK
from solver.games.kirin.learned import HANDS, LAID, POINTS, ROUND_WORDS
from solver.games.kirin.players import LEADER, PLAYED, declare_values, draw, open_table
from solver.hints.network import Network, Singles
from solver.hints.policy import to_chances
from solver.kernels.arrays import Words
from solver.kernels.bits import trailing_zeros
from solver.kernels.jit import kernel
from solver.kernels.rng import start as start_stream
from solver.kernels.rng import uniform
from training.kirin.aside_inputs import INPUTS, MORE, OUTPUTS, seen
from training.kirin.playing import (
    LEARNED,
    RULE,
    THRIFTY_RULE,
    Desk,
    Players,
    chosen,
    deal,
    desk,
    played,
    set_aside,
)
from training.torch_networks import Average, device, for_kernels, three_layers

HIDDEN = (48, 24)
NUMBERS = np.array(DECK, np.int64)
THRIFTY_SHARE = 0.1
BATCH = 256
RATE = (3e-3, 3e-5)


@kernel
def play_asides(
    players: Players, desk: Desk, own: int, seed: int, first: int, held: Words, leads: Words, came: Singles
) -> None:
    """Deal hands number `first` and on: the cards `held`, who `leads`, and what `came` of each card set aside.

    Seat 0 holds them, a player of kind `own` at its best; in `came` there follows how much more that is than as a
    plausible player. Cards in deck numbering.
    """
    random = np.zeros(1, np.int64)
    deck = np.zeros(CARDS, np.int8)
    state, table = desk.state, desk.table
    hands = np.zeros(4, np.int64)
    others = np.zeros(4, np.int64)
    kinds = np.zeros(4, np.int64)
    for row in range(len(held)):
        start_stream(random, seed, first + row)
        for card in range(CARDS):
            deck[card] = card
        deal(desk, deck, random)
        leader = table[LEADER]
        leads[row] = leader
        for seat in range(4):
            hands[seat] = state[HANDS + seat]
            kinds[seat] = THRIFTY_RULE if uniform(random) < THRIFTY_SHARE else RULE
            declare_values(hands[seat], players.declare, desk.out)
            to_chances(9, desk.out)
            others[seat] = draw(hands[seat], desk.out, random)
        follow = random[0]
        rest = hands[0]
        for place in range(9):
            card = trailing_zeros(rest)
            rest &= rest - 1
            held[row, place] = NUMBERS[card]
            for sort in range(2):
                random[0] = follow
                for word in range(ROUND_WORDS):
                    state[word] = 0
                for seat in range(4):
                    state[HANDS + seat] = hands[seat]
                    state[LAID + seat] = -1
                    set_aside(desk, seat, card if seat == 0 else others[seat])
                    for colour in range(4):
                        desk.belief[4 * seat + colour] = 0.0
                open_table(table, leader, 0)
                kinds[0] = own if sort == 0 else RULE
                while True:
                    seat = (table[LEADER] + table[PLAYED]) & 3
                    if state[HANDS + seat] == 0:
                        break
                    played(
                        players, desk, chosen(players, kinds[seat], desk, random, seat == 0), kinds[0] == LEARNED
                    )
                came[row, place, sort] = state[POINTS]
            came[row, place, MORE] = came[row, place, 0] - came[row, place, MORE]


class AsideLearner:
    """A network that learns from rounds played by `players`, the own seat's by a player of kind `own`."""

    def __init__(self, with_players: Players, own: int, seed: int, rows: int = 8192) -> None:
        torch.manual_seed(seed)
        self._players, self._own, self._seed, self._rows = with_players, own, seed, rows
        self._device = device()
        self.net = three_layers(INPUTS, *HIDDEN, OUTPUTS).to(self._device)
        self._mean = Average(self.net)
        self._optimizer = torch.optim.Adam(self.net.parameters(), lr=RATE[0])
        self.hands = 0

    def play(self, first: int) -> tuple[Singles, Singles]:
        """The inputs of hands number `first` and on, and what came."""
        held, leads = np.zeros((self._rows, 9), np.int64), np.zeros(self._rows, np.int64)
        came = np.zeros((self._rows, 9, OUTPUTS), np.float32)
        play_asides(self._players, desk(self._players), self._own, self._seed, first, held, leads, came)
        return seen(held, leads), came

    def learn(self, rows: tuple[Singles, Singles], share: float) -> float:
        """Learn from rows once; `share` (0 to 1) of all learning is done. Returns the mean squared error."""
        for group in self._optimizer.param_groups:
            group["lr"] = RATE[0] * (RATE[1] / RATE[0]) ** share
        errors = []
        for start in range(0, self._rows, BATCH):
            inputs, came = (torch.from_numpy(array[start : start + BATCH]).to(self._device) for array in rows)
            loss = ((self.net(inputs) - came) ** 2).mean()
            self._optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self._optimizer.step()
            self._mean.add(self.net)
            errors.append(loss.item())
        self.hands += self._rows
        return float(np.mean(errors))

    def run(self, hands: int) -> Network:
        """Learn from so many hands, each seen once."""
        batches = max(1, hands // self._rows)
        with ThreadPoolExecutor(1) as pool:
            coming = pool.submit(self.play, 0)
            for batch in range(batches):
                rows = coming.result()
                coming = pool.submit(self.play, (batch + 1) * self._rows)
                error = self.learn(rows, batch / batches)
                if batch % 20 == 0:
                    click.echo(f"{self.hands} hands: squared error {error:.4f}")
            coming.result()
        return for_kernels(self._mean.net)
