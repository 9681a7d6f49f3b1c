"""Learning to play cards in King × Alchemy: what each play leads to, from what a seat sees.

Of many choices every play is tried in the deal as it lay, and the round is played on to its end by plausible
players. From what the seat sees, the network learns how many points more than the mean of the choice each play
brings; as it can't see the deal, what it learns is the mean over deals. Who makes the play that is best by it
plays better than who played the rounds on: a step of policy improvement by rollouts (Tesauro & Galperin 1996).
"""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from solver.games.king.cards.deck import Deck
from solver.games.king.cards.deck_data import house
from solver.games.king.cards.rules import DEALT
from solver.games.king.players.kinds import TRAINED
from solver.games.king.players.learned.context_inputs import CONTEXT
from solver.games.king.players.learned.play_inputs import PLAY_INPUTS
from solver.games.king.players.learned.thinking import thought
from solver.kernels.arrays import Floats
from training.keeping import add_to_curve, mean_and_around, save
from training.king.decks import random_deck, values_of
from training.king.judging import score
from training.king.playing import LEARNED, Players, new_table, players_with
from training.king.records import Records, record, records
from training.torch_networks import Average, device, for_kernels, three_layers

HIDDEN = (128, 64)
BATCH = 2048
CHOICES = 60_000  # of a step
REMEMBERED = 24  # steps whose choices are learned from again
AGAIN = 2  # passes over choices of before, for one over new ones
RATE = (1.5e-3, 1e-5)
TRUST = 0.2  # points that a unit of the plausible player's values is worth, to begin with
ORDER = (4, 3, 4, 5)  # players
_OTHER_SEED = 1_000_003  # of deals and decks that nothing is learned from
MIXTURE = np.array([0.5, 0.0, 0.15, 0.35])  # trained, ahead, thrifty, learned


class Batch(NamedTuple):
    """Some choices: what their plays share, what each has of its own, its choice and its place in it."""

    shared: torch.Tensor
    plays: torch.Tensor
    by_rule: torch.Tensor
    points: torch.Tensor
    choice: torch.Tensor
    place: torch.Tensor
    most: int

    def spread(self, of_plays: torch.Tensor, empty: float) -> torch.Tensor:
        """A row a choice, a column a play."""
        out = of_plays.new_full((len(self.shared), self.most), empty)
        out[self.choice, self.place] = of_plays
        return out


def batch_of(rows: Records, chosen: np.ndarray, on: torch.device) -> Batch:
    """Some choices of the records."""
    counts = rows.counts[chosen]
    choice = np.repeat(np.arange(len(chosen)), counts)
    place = np.arange(len(choice)) - np.repeat(np.cumsum(counts) - counts, counts)
    at = np.repeat(rows.begins[chosen], counts) + place
    arrays = (rows.shared[chosen], rows.plays[at], rows.by_rule[at], rows.points[at], choice, place)
    shared, plays, by_rule, points, of, at = (torch.from_numpy(array).to(on) for array in arrays)
    return Batch(shared, plays, by_rule, points, of, at, int(counts.max()))


class Learner:
    """The network, what has been learned so far, and the steps on."""

    def __init__(self, seed: int, choices: int = CHOICES) -> None:
        torch.manual_seed(seed)
        self._device = device()
        self.net = three_layers(PLAY_INPUTS, *HIDDEN, 1).to(self._device)
        self.trust = nn.Parameter(torch.full((1,), TRUST, device=self._device))
        self.mean = Average(self.net, 0.002)
        self._optimizer = torch.optim.Adam([*self.net.parameters(), self.trust], lr=RATE[0])
        self.seed = seed
        self.steps = self.rounds = self.learned = 0
        self.seconds = 0.0
        self._spare = [records(choices) for _ in range(REMEMBERED + 1)]
        self._remembered: deque[Records] = deque()

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

    def players(self) -> Players:
        """The network's running mean for the kernels."""
        return players_with(for_kernels(self.mean.net), self.trust.item())

    def play(self, rows: Records) -> Records:
        """Fill rows with new choices: six in ten on the house deck, the others on a random one."""
        with_players = self.players()
        players = ORDER[self.steps % len(ORDER)]
        full = len(rows.begins)
        rows.many[:] = 0
        for deck, until in ((house(), 6 * full // 10), (random_deck(self.seed, self.steps), full)):
            given = values_of(deck, players)
            table, other = new_table(given), new_table(given)
            part = rows._replace(begins=rows.begins[:until])
            self.rounds += record(
                with_players,
                given,
                table,
                other,
                thought(with_players.brain.net),
                MIXTURE,
                DEALT[players],
                self.seed,
                self.rounds,
                1 << 30,
                part,
            )
        self.steps += 1
        return rows

    def learn(self, rows: Records, share: float) -> tuple[float, float]:
        """Learn from rows; `share` (0 to 1) of all learning is done.

        Returns the mean squared error of a choice, and how many points more than the plausible
        player's the network's plays brought on average.
        """
        for group in self._optimizer.param_groups:
            group["lr"] = RATE[0] * (RATE[1] / RATE[0]) ** share
        shuffler = np.random.default_rng(self.learned)
        errors, gains = [], []
        parts = [(rows, part) for part in self._parts(rows, shuffler)]
        for _ in range(AGAIN if self._remembered else 0):
            old = self._remembered[shuffler.integers(len(self._remembered))]
            parts += [(old, part) for part in self._parts(old, shuffler)]
        for number in shuffler.permutation(len(parts)):
            of, part = parts[number]
            batch = batch_of(of, part, self._device)
            values = batch.spread(self.values(batch), 0.0)
            is_play = batch.spread(torch.ones_like(batch.by_rule), 0.0)
            points = batch.spread(batch.points, 0.0)
            many = is_play.sum(1, keepdim=True)
            more = (points - points.sum(1, keepdim=True) / many) * is_play
            told = (values - values.sum(1, keepdim=True) / many) * is_play
            loss = ((told - more) ** 2).sum(1).mean()
            self._optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self._optimizer.step()
            self.mean.add(self.net)
            errors.append(loss.item())
            if of is rows:
                best = values.masked_fill(is_play == 0, -1e9).argmax(1, keepdim=True)
                rule = batch.spread(batch.by_rule, -1e9).argmax(1, keepdim=True)
                gains.append((points.gather(1, best) - points.gather(1, rule)).mean().item())
        self.learned += int(rows.many[0])
        return float(np.mean(errors)), float(np.mean(gains))

    def values(self, batch: Batch) -> torch.Tensor:
        """What the network and the plausible player together tell of each play."""
        first, second, third = self.net[0], self.net[2], self.net[4]
        shared = nn.functional.linear(batch.shared, first.weight[:, :CONTEXT])
        own = nn.functional.linear(batch.plays, first.weight[:, CONTEXT:], first.bias)
        hidden = torch.relu(second(torch.relu(shared[batch.choice] + own)))
        return third(hidden).squeeze(1) + self.trust * batch.by_rule

    def _parts(self, rows: Records, shuffler: np.random.Generator) -> list[np.ndarray]:
        many = int(rows.many[0])
        return np.array_split(shuffler.permutation(many), max(1, many // BATCH))

    def strength(self, deals: int, players: int = 4, others: int = TRAINED) -> tuple[float, float]:
        """Own points a round against plausible players with the house deck, and half of the 95% interval."""
        own = self._points(house(), players, deals, LEARNED, others)
        return mean_and_around(own)

    def gain_on_other_decks(self, decks: int, deals: int, players: int = 4) -> tuple[float, float]:
        """How many points a round more than a trained player, among such players, with random decks never seen.

        With half of the 95% interval, over the decks.
        """
        found = []
        for number in range(decks):
            deck = random_deck(_OTHER_SEED, number)
            own, rule = (self._points(deck, players, deals, kind, TRAINED) for kind in (LEARNED, TRAINED))
            found.append((own - rule).mean())
        return mean_and_around(np.array(found))

    def _points(self, deck: Deck, players: int, deals: int, kind: int, others: int) -> Floats:
        """The points a deal of a player of a kind, one against others, on average over the seats."""
        with_players, given = self.players(), values_of(deck, players)
        results = np.zeros((deals, players, players))
        kinds = np.array([kind, *(others,) * (players - 1)])
        mind = thought(with_players.brain.net)
        score(with_players, given, new_table(given), mind, kinds, DEALT[players], _OTHER_SEED, 0, results)
        own: Floats = results[:, :, 0].mean(1)
        return own

    def sureness(self) -> float:
        """What a point more multiplies the log of a chance by, so that chances tell how often a play is the best.

        Best is the play that leads to the most points in the deal as it lies; equals share. Of a few numbers it is
        the likeliest one, on choices that nothing was learned from.
        """
        rows = self.play(self._spare[-1])
        batch = batch_of(rows, np.arange(rows.many[0]), self._device)
        with torch.no_grad():
            values = batch.spread(self.values(batch), -1e9)
            points = batch.spread(batch.points, -1e9)
            best = (points == points.max(1, keepdim=True).values).float()
            best /= best.sum(1, keepdim=True)
            found = [
                (float((torch.log_softmax(sure * values, 1).clamp(min=-99) * best).sum()), float(sure))
                for sure in np.geomspace(0.05, 5, 41)
            ]
        return max(found)[1]

    def run(self, minutes: float, folder: Path, *, every: float = 20.0) -> None:
        """Learn until so many minutes of processor time are spent in all, those of runs before counted.

        What was learned is kept now and then, with a line on it (`every` so many seconds of processor time).
        """
        torch.set_num_threads(1)  # steps are short: a second thread would mostly wait, and cost as much
        begin, last = time.process_time() - self.seconds, self.seconds
        while self.seconds < 60 * minutes:
            share = min(1.0, self.seconds / (60 * minutes))
            rows = self.play(self._spare.pop())
            found = self.learn(rows, share)
            self._remembered.append(rows)
            if len(self._remembered) > REMEMBERED:
                self._spare.append(self._remembered.popleft())
            self.seconds = time.process_time() - begin
            if self.seconds - last > every or self.seconds > 60 * minutes:
                last = self.seconds
                self._note(folder, *found)

    def _note(self, folder: Path, error: float, gain: float) -> None:
        """Keep what was learned, and add a line to the curve."""
        points, around = self.strength(2000)
        line = {
            "minutes": round(self.seconds / 60, 2),
            "choices": self.learned,
            "rounds": self.rounds,
            "points": round(points, 3),
            "interval": round(around, 3),
            "error": round(error, 3),
            "gain": round(gain, 4),
            "trust": round(self.trust.item(), 3),
        }
        add_to_curve(folder, line)
        self.save(folder / "checkpoint.pt")
