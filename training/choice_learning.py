"""Learning what each move of a choice leads to, from what a seat sees: the same for all games that tell moves so.

Of many choices every move is tried in the deal as it lay, and the game is played on to its end by plausible
players. From what the seat sees, the network learns how many points more than the mean of the choice each move
brings; as it can't see the deal, what it learns is the mean over deals. Who makes the move that is best by it
plays better than who played the games on: a step of policy improvement by rollouts (Tesauro & Galperin 1996).
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from training.choices import Choices
from training.keeping import add_to_curve, save
from training.torch_networks import Average, device, three_layers

REMEMBERED = 24  # steps whose choices are learned from again
RATE = (1.5e-3, 1e-5)
BEGINNING = 8  # steps in which the network plays as it is, for its running mean would lag behind


class Batch(NamedTuple):
    """Some choices: what their moves share, what each has of its own, its choice and its place in it."""

    shared: torch.Tensor
    moves: torch.Tensor
    by_rule: torch.Tensor
    points: torch.Tensor
    choice: torch.Tensor
    place: torch.Tensor
    most: int

    def spread(self, of_moves: torch.Tensor, empty: float) -> torch.Tensor:
        """A row a choice, a column a move."""
        out = of_moves.new_full((len(self.shared), self.most), empty)
        out[self.choice, self.place] = of_moves
        return out


def batch_of(rows: Choices, chosen: np.ndarray, on: torch.device) -> Batch:
    """Some choices of those that were noted."""
    counts = rows.counts[chosen]
    choice = np.repeat(np.arange(len(chosen)), counts)
    place = np.arange(len(choice)) - np.repeat(np.cumsum(counts) - counts, counts)
    at = np.repeat(rows.begins[chosen], counts) + place
    arrays = (rows.shared[chosen], rows.moves[at], rows.by_rule[at], rows.points[at], choice, place)
    shared, moves, by_rule, points, of, at = (torch.from_numpy(array).to(on) for array in arrays)
    return Batch(shared, moves, by_rule, points, of, at, int(counts.max()))


class ChoiceLearner(ABC):
    """A network for the moves of a game, what has been learned so far, and the steps on.

    `context` inputs are shared by all moves of a choice, `own` of each move; `trust`: what a unit of the plausible
    player's values is worth, to begin with. A learner fills one of the `rooms` at each step.
    """

    hidden = (128, 64)
    batch = 2048  # choices for each step of the network
    again = 2  # passes over choices of before, for one over new ones
    level = 0.0  # how much it counts that the network's points are off for all moves alike
    about = 0.0  # so many points they are, to begin with
    file = "checkpoint.pt"

    def __init__(self, seed: int, context: int, own: int, trust: float, rooms: list[Choices]) -> None:
        torch.manual_seed(seed)
        self._device = device()
        self._context = context
        self.net = three_layers(context + own, *self.hidden, 1).to(self._device)
        nn.init.constant_(self.net[4].bias, self.about)
        self.trust = nn.Parameter(torch.full((1,), trust, device=self._device))
        self.mean = Average(self.net, 0.002)
        self._optimizer = torch.optim.Adam([*self.net.parameters(), self.trust], lr=RATE[0])
        self.seed = seed
        self.steps = self.rounds = self.learned = 0
        self.seconds = self.done = 0.0  # `done`: the share of all learning, from 0 to 1
        self._spare = rooms
        self._remembered: deque[Choices] = deque()

    @abstractmethod
    def play(self, rows: Choices) -> Choices:
        """Fill rows with new choices; count `steps` and `rounds`."""

    @abstractmethod
    def judged(self) -> Mapping[str, Any]:
        """How well the learned player plays now, for a line of the curve."""

    def save(self, path: Path) -> None:
        """Keep everything that is needed to go on."""
        kept = {
            "net": self.net.state_dict(),
            "trust": self.trust.detach(),
            "optimizer": self._optimizer.state_dict(),
            "mean": self.mean.net.state_dict(),
            "counts": (self.seed, self.steps, self.rounds, self.learned, self.seconds),
        }
        save(kept, path)

    def load(self, path: Path) -> None:
        """Go on from what was kept."""
        kept = torch.load(path, map_location=self._device, weights_only=True)
        self.net.load_state_dict(kept["net"])
        self.trust.data.copy_(kept["trust"])
        self._optimizer.load_state_dict(kept["optimizer"])
        self.mean.net.load_state_dict(kept["mean"])
        self.seed, self.steps, self.rounds, self.learned, self.seconds = kept["counts"]

    def learn(self, rows: Choices) -> tuple[float, float]:
        """Learn from rows.

        Returns the mean squared error of a choice, and how many points more than the plausible
        player's the network's moves brought on average.
        """
        for group in self._optimizer.param_groups:
            group["lr"] = RATE[0] * (RATE[1] / RATE[0]) ** self.done
        shuffler = np.random.default_rng(self.learned)
        errors, gains = [], []
        parts = [(rows, part) for part in self._parts(rows, shuffler)]
        for _ in range(self.again if self._remembered else 0):
            old = self._remembered[shuffler.integers(len(self._remembered))]
            parts += [(old, part) for part in self._parts(old, shuffler)]
        for number in shuffler.permutation(len(parts)):
            of, part = parts[number]
            batch = batch_of(of, part, self._device)
            values = batch.spread(self.values(batch), 0.0)
            is_move = batch.spread(torch.ones_like(batch.by_rule), 0.0)
            points = batch.spread(batch.points, 0.0)
            many = is_move.sum(1, keepdim=True)
            mean, mean_told = points.sum(1, keepdim=True) / many, values.sum(1, keepdim=True) / many
            more, told = (points - mean) * is_move, (values - mean_told) * is_move
            loss = ((told - more) ** 2).sum(1).mean() + self.level * ((mean_told - mean) ** 2).mean()
            self._optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self._optimizer.step()
            if self.steps > BEGINNING:
                self.mean.add(self.net)
            else:
                self.mean.net.load_state_dict(self.net.state_dict())
            errors.append(loss.item())
            if of is rows:
                best = values.masked_fill(is_move == 0, -1e9).argmax(1, keepdim=True)
                rule = batch.spread(batch.by_rule, -1e9).argmax(1, keepdim=True)
                gains.append((points.gather(1, best) - points.gather(1, rule)).mean().item())
        self.learned += int(rows.many[0])
        return float(np.mean(errors)), float(np.mean(gains))

    def values(self, batch: Batch) -> torch.Tensor:
        """What the network and the plausible player together tell of each move."""
        first, second, third = self.net[0], self.net[2], self.net[4]
        shared = nn.functional.linear(batch.shared, first.weight[:, : self._context])
        own = nn.functional.linear(batch.moves, first.weight[:, self._context :], first.bias)
        hidden = torch.relu(second(torch.relu(shared[batch.choice] + own)))
        return third(hidden).squeeze(1) + self.trust * batch.by_rule

    def _parts(self, rows: Choices, shuffler: np.random.Generator) -> list[np.ndarray]:
        many = int(rows.many[0])
        return np.array_split(shuffler.permutation(many), max(1, many // self.batch))

    def run(self, minutes: float, folder: Path, *, every: float = 40.0) -> None:
        """Learn until so many minutes of processor time are spent in all, those of runs before counted.

        What was learned is kept now and then, with a line on it (`every` so many seconds of processor time).
        """
        torch.set_num_threads(1)  # steps are short: a second thread would mostly wait, and cost as much
        begin, last = time.process_time() - self.seconds, self.seconds
        while self.seconds < 60 * minutes:
            self.done = min(1.0, self.seconds / (60 * minutes))
            rows = self.play(self._spare.pop())
            error, gain = self.learn(rows)
            self._remembered.append(rows)
            if len(self._remembered) > REMEMBERED:
                self._spare.append(self._remembered.popleft())
            self.seconds = time.process_time() - begin
            if self.seconds - last > every or self.seconds > 60 * minutes:
                last = self.seconds
                self._note(folder, error, gain)

    def _note(self, folder: Path, error: float, gain: float) -> None:
        """Keep what was learned, and add a line to the curve."""
        line = {
            "minutes": round(self.seconds / 60, 2),
            "choices": self.learned,
            "rounds": self.rounds,
            **self.judged(),
            "error": round(error, 4),
            "gain": round(gain, 4),
            "trust": round(self.trust.item(), 4),
        }
        add_to_curve(folder, line)
        self.save(folder / self.file)
