"""Learning to play kirin: a policy on what a seat sees, and a critic who sees all cards.

Each step learns from rounds just played (`records`). The policy is made better at the mean, by its own chances, of
what each legal card is worth by the critic, and is kept from becoming certain too early by a prize for entropy;
the critic is brought nearer to the points that came (TD(λ)).
"""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from torch import nn

from solver.games.kirin.learned import LOG_SCALE, RULE, SEAT_INPUTS
from solver.kernels.arrays import Words
from training.keeping import add_to_curve, mean_and_around, save
from training.kirin.full_inputs import FULL_INPUTS
from training.kirin.judging import score
from training.kirin.playing import LEARNED, Players, desk, players
from training.kirin.playing import RULE as RULE_PLAYER
from training.kirin.records import Records, record, records
from training.torch_networks import Average, device, for_kernels, three_layers

HIDDEN = (192, 96)
BATCH = 1024
PASSES = 2  # over new rows, and the policy makes as many over rows played a while ago: playing takes longer
REMEMBERED = 8  # times that rows were played
ENTROPY = (0.012, 0.002)  # what it is worth, in points, at the beginning and in the end
RATE = (1e-3, 3e-5)
CRITIC_FIRST = 150_000  # rows before the policy begins to learn


class Learner:
    """Networks, what has been learned so far, and the steps on."""

    def __init__(self, seed: int, rows: int = 16_384) -> None:
        torch.manual_seed(seed)
        self._device = device()
        self.policy = three_layers(SEAT_INPUTS, *HIDDEN, 36).to(self._device)
        self.trust = nn.Parameter(torch.ones(1, device=self._device))
        self.critic = three_layers(FULL_INPUTS, *HIDDEN, 4).to(self._device)
        self.means = {"policy": Average(self.policy, 0.001), "critic": Average(self.critic, 0.001)}
        self._optimizer = torch.optim.Adam(
            [*self.policy.parameters(), self.trust, *self.critic.parameters()], lr=RATE[0]
        )
        self.seed = seed
        self.rounds = self.learned = 0
        self.seconds = 0.0
        self._rows = rows
        self._spare = [records(rows, SEAT_INPUTS, FULL_INPUTS) for _ in range(REMEMBERED + 2)]
        self._remembered: deque[Records] = deque()

    def save(self, path: Path) -> None:
        """Keep everything that is needed to go on."""
        kept = {
            "policy": self.policy.state_dict(),
            "critic": self.critic.state_dict(),
            "trust": self.trust.detach(),
            "optimizer": self._optimizer.state_dict(),
            "means": {name: mean.net.state_dict() for name, mean in self.means.items()},
            "counts": (self.seed, self.rounds, self.learned, self.seconds),
        }
        save(kept, path)

    def load(self, path: Path) -> None:
        """Go on from what was kept."""
        kept = torch.load(path, map_location=self._device, weights_only=True)
        self.policy.load_state_dict(kept["policy"])
        self.critic.load_state_dict(kept["critic"])
        self.trust.data.copy_(kept["trust"])
        self._optimizer.load_state_dict(kept["optimizer"])
        for name, mean in self.means.items():
            mean.net.load_state_dict(kept["means"][name])
        self.seed, self.rounds, self.learned, self.seconds = kept["counts"]

    def players(self, *, mean: bool = False) -> Players:
        """The networks for the kernels; with `mean` their running means."""
        policy = self.means["policy"].net if mean else self.policy
        critic = self.means["critic"].net if mean else self.critic
        return players(for_kernels(policy), for_kernels(critic), self.trust.item())

    def play(self, with_players: Players, rows: Records) -> Records:
        """Fill rows with new rounds."""
        first, second = desk(with_players), desk(with_players)
        self.rounds += record(with_players, first, second, self.seed, self.rounds, rows)
        return rows

    def learn(self, rows: Records, share: float) -> tuple[float, float, float]:
        """Learn from rows once; `share` (0 to 1) of all learning is done.

        Returns the mean worth of the policy's choices less that of even ones, the entropy, and the critic's mean
        squared error.
        """
        for group in self._optimizer.param_groups:
            group["lr"] = RATE[0] * (RATE[1] / RATE[0]) ** share
        prize = ENTROPY[0] * (ENTROPY[1] / ENTROPY[0]) ** share
        shuffler = np.random.default_rng(self.learned)
        gains, entropies, errors = [], [], []
        for (of, part), full_part in self._batches(rows, shuffler):
            seen, legal, worth = (self._tensor(array[part]) for array in (of.seen, of.legal, of.worth))
            full, came = (self._tensor(array[full_part]) for array in (rows.full, rows.came))
            error = ((self.critic(full) - came) ** 2).mean()
            told = seen[:, RULE : RULE + 36] / LOG_SCALE
            logits = self.policy(seen) + self.trust * told
            logs = torch.log_softmax(logits.masked_fill(legal == 0, -1e9), dim=1)
            chances = logs.exp()
            even = (worth * legal).sum(1) / legal.sum(1)
            gain = (chances * (worth - even[:, None]) * legal).sum(1).mean()
            entropy = -(chances * logs).sum(1).mean()
            loss = 0.5 * error
            if self.learned >= CRITIC_FIRST:
                loss = loss - gain - prize * entropy
            self._optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self._optimizer.step()
            self.means["policy"].add(self.policy)
            self.means["critic"].add(self.critic)
            gains.append(gain.item())
            entropies.append(entropy.item())
            errors.append(error.item())
        self.learned += int(rows.many[0])
        return float(np.mean(gains)), float(np.mean(entropies)), float(np.mean(errors))

    def _batches(self, rows: Records, shuffler: np.random.Generator) -> list[tuple[tuple[Records, Words], Words]]:
        """What each step learns from: rows for the policy, half of them old, and rows for the critic."""
        parts = []
        for _ in range(PASSES):
            places = [shuffler.integers(len(self._remembered)) for _ in range(1 if self._remembered else 0)]
            for of in (rows, *(self._remembered[place] for place in places)):
                many = int(of.many[0])
                order = np.array_split(shuffler.permutation(many), max(1, many // BATCH))
                parts += [(of, part) for part in order]
        shuffled = [parts[place] for place in shuffler.permutation(len(parts))]
        other = np.concatenate([shuffler.permutation(int(rows.many[1])) for _ in range(PASSES)])
        return list(zip(shuffled, np.array_split(other, len(shuffled)), strict=True))

    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).to(self._device)

    def strength(self, deals: int, seed: int = 1_000_003) -> tuple[float, float]:
        """Own points a round against three plausible players, and half of the 95% interval."""
        with_players = self.players(mean=True)
        results = np.zeros((deals, 4, 4))
        kinds = np.array([LEARNED, RULE_PLAYER, RULE_PLAYER, RULE_PLAYER])
        asides = np.full((deals, 4), -1, np.int64)
        score(with_players, desk(with_players), kinds, asides, seed, 0, results)
        own = results[:, :, 0].mean(1)
        return mean_and_around(own)

    def run(self, minutes: float, folder: Path, *, every: float = 20.0) -> None:
        """Learn until so many minutes of processor time are spent in all, those of runs before counted.

        What was learned is kept now and then, with a line on it (`every` so many seconds of processor time).
        """
        if self.seconds >= 60 * minutes:
            return
        begin, last = time.process_time() - self.seconds, self.seconds
        with ThreadPoolExecutor(1) as pool:
            coming = pool.submit(self.play, self.players(), self._spare.pop())
            while self.seconds < 60 * minutes:
                rows = coming.result()
                coming = pool.submit(self.play, self.players(), self._spare.pop())
                found = self.learn(rows, min(1.0, self.seconds / (60 * minutes)))
                self._remembered.append(rows)
                if len(self._remembered) > REMEMBERED:
                    self._spare.append(self._remembered.popleft())
                self.seconds = time.process_time() - begin
                if self.seconds - last > every or self.seconds > 60 * minutes:
                    last = self.seconds
                    self._note(folder, *found)
            self._spare.append(coming.result())

    def _note(self, folder: Path, gain: float, entropy: float, error: float) -> None:
        """Keep what was learned, and add a line to the curve."""
        points, around = self.strength(2500)
        line = {
            "minutes": round(self.seconds / 60, 2),
            "rows": self.learned,
            "rounds": self.rounds,
            "points": round(points, 4),
            "interval": round(around, 4),
            "gain": round(gain, 4),
            "entropy": round(entropy, 4),
            "error": round(error, 4),
            "trust": round(self.trust.item(), 3),
        }
        add_to_curve(folder, line)
        self.save(folder / "checkpoint.pt")
