"""Learning to judge games of Aqua Regia with every hand known: how likely the seat to move goes out first."""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path

import numpy as np
import torch

from solver.games.aqua_regia.deck import house
from solver.games.aqua_regia.network import FULL_INPUTS, SURE, thought
from solver.hints.network import Network, Singles, inputs
from training.aqua_regia.decks import random_deck
from training.aqua_regia.playing import Players, new_table
from training.aqua_regia.states import record_states
from training.keeping import add_to_curve, save
from training.torch_networks import Average, device, for_kernels, three_layers

HIDDEN = (96, 32)
STATES = 32_768  # of a step
ON_OTHER_DECKS = 0.4  # of them
PLAYERS = (3, 2, 4, 5)  # of one step and the next
REMEMBERED = 16  # steps whose states are learned from again
AGAIN = 11  # of these at each step
BATCH = 1024
RATE = (1e-3, 1e-5)
_OTHER_SEED = 1_000_003  # of games that nothing is learned from
_EVERY = 40.0  # seconds of processor time from one line of the curve to the next

States = tuple[Singles, Singles]  # what the critic is told, a row a state; and who went out first


class CriticLearner:
    """A network that learns from games of learned players; each step is of another number of players."""

    file = "critic.pt"

    def __init__(self, with_players: Players, seed: int, states: int = STATES) -> None:
        torch.manual_seed(seed)
        self._players, self._states = with_players, states
        self._device = device()
        self.net = three_layers(FULL_INPUTS, *HIDDEN, 1).to(self._device)
        self._mean = Average(self.net)
        self._optimizer = torch.optim.Adam(self.net.parameters(), lr=RATE[0])
        self._remembered: deque[States] = deque(maxlen=REMEMBERED)
        self.seed = seed
        self.steps = self.learned = 0
        self.seconds = 0.0

    def network(self) -> Network:
        """The network's running mean for the kernels."""
        return for_kernels(self._mean.net)

    def play(self, seed: int, step: int, players: int) -> States:
        """New states of games with so many players: six in ten with the house deck, the others with another."""
        rows, won = np.zeros((self._states, FULL_INPUTS), np.float32), np.zeros(self._states, np.float32)
        middle = int((1 - ON_OTHER_DECKS) * self._states)
        found: list[States] = []
        for deck, begin, end in (
            (house(), 0, middle),
            (random_deck(seed, step, players), middle, self._states),
        ):
            mind = thought(self._players.brain.net)
            table, told, first = new_table(deck, players), inputs(FULL_INPUTS), step << 20
            part = rows[begin:end], won[begin:end]
            count, _ = record_states(self._players, table, mind, told, SURE, seed, first, *part)
            found.append((part[0][:count], part[1][:count]))
        one, other = found
        return np.concatenate([one[0], other[0]]), np.concatenate([one[1], other[1]])

    def learn(self, states: States, done: float) -> None:
        """Learn from states, and again from some of before; `done` (0 to 1) of all learning is done."""
        for group in self._optimizer.param_groups:
            group["lr"] = RATE[0] * (RATE[1] / RATE[0]) ** done
        shuffler = np.random.default_rng(self.learned)
        old = shuffler.integers(max(1, len(self._remembered)), size=AGAIN if self._remembered else 0)
        parts = [states, *(self._remembered[place] for place in old)]
        for rows, won in parts:
            for chosen in np.array_split(shuffler.permutation(len(won)), max(1, len(won) // BATCH)):
                told, came = (torch.from_numpy(array[chosen]).to(self._device) for array in (rows, won))
                loss = ((self.net(told).squeeze(1) - came) ** 2).mean()
                self._optimizer.zero_grad(set_to_none=True)
                loss.backward()
                self._optimizer.step()
                self._mean.add(self.net)
        self._remembered.append(states)
        self.steps += 1
        self.learned += len(states[1])

    def told(self, players: int, steps: int = 1) -> tuple[float, float]:
        """How much of who goes out first the network tells, in games that it never saw, and in how many states.

        That is 1 less its mean squared error, as a share of that of a critic who takes all seats to be as strong.
        """
        parts = [self.play(_OTHER_SEED, step, players) for step in range(steps)]
        rows, won = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
        with torch.no_grad():
            worth = self._mean.net(torch.from_numpy(rows)).squeeze(1).clamp(0, 1).numpy()
        return 1 - float(((worth - won) ** 2).mean() / ((1 / players - won) ** 2).mean()), len(won)

    def run(self, minutes: float, folder: Path) -> None:
        """Learn until so many minutes of processor time are spent in all, those of runs before counted."""
        torch.set_num_threads(1)
        begin, last = time.process_time() - self.seconds, self.seconds
        while self.seconds < 60 * minutes:
            states = self.play(self.seed, self.steps, PLAYERS[self.steps % len(PLAYERS)])
            self.learn(states, min(1.0, self.seconds / (60 * minutes)))
            self.seconds = time.process_time() - begin
            if self.seconds - last > _EVERY or self.seconds > 60 * minutes:
                last = self.seconds
                line = {"of": "critic", "minutes": round(self.seconds / 60, 2), "states": self.learned}
                add_to_curve(folder, {**line, **{f"told of {n}": round(self.told(n)[0], 4) for n in (2, 3, 4, 5)}})
                self.save(folder / self.file)

    def save(self, path: Path) -> None:
        """Keep everything that is needed to go on, but for the states of before."""
        kept = {
            "net": self.net.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "mean": self._mean.net.state_dict(),
            "counts": (self.seed, self.steps, self.learned, self.seconds),
        }
        save(kept, path)

    def load(self, path: Path) -> None:
        """Go on from what was kept."""
        kept = torch.load(path, map_location=self._device, weights_only=True)
        self.net.load_state_dict(kept["net"])
        self._optimizer.load_state_dict(kept["optimizer"])
        self._mean.net.load_state_dict(kept["mean"])
        self.seed, self.steps, self.learned, self.seconds = kept["counts"]
