"""The networks of Aqua Regia: one that chooses moves, and a critic; ``python -m training aqua-regia``.

At many choices up to ten moves are tried in the actual deal, and trained rule players finish the game. From what
the seat sees, the network learns how much likelier each move makes going out first than the average move; since it
can't see the deal, it learns the mean over deals. A player who makes the move that it rates best is stronger than
the players who finished the games: a step of policy improvement by rollouts (Tesauro & Galperin 1996).

The critic then learns, from games of learned players, how likely the seat to move is to go out first when every
hand is known.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import torch
from torch import nn

from solver.games.aqua_regia.deck import Deck, house
from solver.games.aqua_regia.players import CONTEXT, FULL_INPUTS, MOVE, new_scratch, policy
from solver.games.aqua_regia.players import SURE as SURE_OF_CRITIC
from solver.hints.network import Network, Singles, inputs
from solver.kernels.words import Floats
from training.aqua_regia_games import (
    GREEDY,
    LEARNED,
    SURE,
    TRAINED,
    Choices,
    Players,
    new_table,
    players_with,
    random_deck,
    record,
    record_states,
    records,
    score,
)
from training.export import commit, write

PLAYERS = (2, 3, 4, 5)
ON_OTHER_DECKS = 0.4  # of the choices, and of the states
_OTHER_SEED = 1_000_003  # of deals and decks that nothing is learned from
_EVERY = 40.0  # seconds of processor time from one line of the curve to the next

CHOICES = 24_000  # of a step
HIDDEN = (64, 32)
BATCH = 2048  # choices
REMEMBERED = 24  # steps whose choices are learned from again
RATE = (1.5e-3, 1e-5)
BEGINNING = 8  # steps in which the network itself plays, since its running mean would lag behind
TRUST = 0.01  # the chance to win that a unit of the plausible player's values is worth, to begin with
PARTS = ((3, 0.3), (2, 0.6), (4, 0.8), (5, 1.0))  # players, and the share of a step's room filled after them
MIXTURE = np.array([0.45, 0.1, 0.1, 0.35])  # trained, careless, greedy, learned

STATES = 32_768  # of a step of the critic
CRITIC_HIDDEN = (96, 32)
CRITIC_BATCH = 1024
CRITIC_REMEMBERED = 16  # steps whose states are learned from again
CRITIC_AGAIN = 11  # of these at each step
CRITIC_RATE = (1e-3, 1e-5)
CRITIC_PLAYERS = (3, 2, 4, 5)  # at successive steps
_JUDGING_STEPS = 6  # of games that the critic never saw, used to judge it

States = tuple[Singles, Singles]  # the critic's inputs, a row per state; and 1 if its seat to move wins, else 0


def device() -> torch.device:
    """A GPU if there is one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def three_layers(inputs: int, first: int, second: int) -> nn.Sequential:
    """A network of the shape that kernels read, with one output, which is initially 0."""
    net = nn.Sequential(
        nn.Linear(inputs, first), nn.ReLU(), nn.Linear(first, second), nn.ReLU(), nn.Linear(second, 1)
    )
    for parameter in (net[4].weight, net[4].bias):
        nn.init.zeros_(parameter)
    return net


def for_kernels(net: nn.Sequential) -> Network:
    """The current weights, a row for each input (`solver.hints.network`)."""
    arrays = []
    for layer in (net[0], net[2], net[4]):
        arrays.append(np.ascontiguousarray(layer.weight.detach().float().cpu().numpy().T))
        arrays.append(layer.bias.detach().float().cpu().numpy().copy())
    return Network(*arrays)


class Average:
    """The running mean of a network's weights, which plays better than the weights at any single step."""

    def __init__(self, net: nn.Sequential, rate: float) -> None:
        self.net = three_layers(net[0].in_features, net[0].out_features, net[2].out_features)
        self.net.load_state_dict(net.state_dict())
        self._rate = rate

    def add(self, net: nn.Sequential) -> None:
        """Move the mean towards the current weights."""
        for mean, now in zip(self.net.parameters(), net.parameters(), strict=True):
            mean.data.lerp_(now.detach().to(mean.device), self._rate)


def save(kept: Mapping[str, Any], path: Path) -> None:
    """Write a checkpoint; the previous one is replaced only by a complete one."""
    torch.save(kept, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def add_to_curve(folder: Path, line: Mapping[str, Any]) -> None:
    """Add a line to the curve of a run, and print it."""
    text = json.dumps(line)
    with (folder / "curve.jsonl").open("a", encoding="utf-8") as file:
        file.write(text + "\n")
    click.echo(text)


def mean_and_around(found: Floats) -> tuple[float, float]:
    """The mean of independent values, and the half-width of its 95% interval."""
    return float(np.mean(found)), float(1.96 * np.std(found, ddof=1) / len(found) ** 0.5)


class Batch(NamedTuple):
    """Some choices, and their moves one after another.

    `shared` has a row per choice: the inputs that its moves share. The other arrays have an entry per move: its
    own inputs (`moves`), its value to the plausible player, the final score of its player, the number of its
    `choice` and its `place` in it. `most` is the largest number of moves in a choice.
    """

    shared: torch.Tensor
    moves: torch.Tensor
    by_rule: torch.Tensor
    points: torch.Tensor
    choice: torch.Tensor
    place: torch.Tensor
    most: int

    def spread(self, of_moves: torch.Tensor, empty: float) -> torch.Tensor:
        """The moves' values as a table, a row per choice and a column per move; the other places are `empty`."""
        out = of_moves.new_full((len(self.shared), self.most), empty)
        out[self.choice, self.place] = of_moves
        return out


def batch_of(rows: Choices, chosen: np.ndarray, on: torch.device) -> Batch:
    """A batch of some of the recorded choices."""
    counts = rows.counts[chosen]
    choice = np.repeat(np.arange(len(chosen)), counts)
    index = np.arange(len(choice)) - np.repeat(np.cumsum(counts) - counts, counts)
    at = np.repeat(rows.begins[chosen], counts) + index
    arrays = (rows.shared[chosen], rows.moves[at], rows.by_rule[at], rows.points[at], choice, index)
    shared, moves, by_rule, points, of, at = (torch.from_numpy(array).to(on) for array in arrays)
    return Batch(shared, moves, by_rule, points, of, at, int(counts.max()))


class Learner:
    """The network that chooses moves, with the progress of its training, and the steps that train it."""

    file = "checkpoint.pt"

    def __init__(self, seed: int, choices: int = CHOICES) -> None:
        torch.manual_seed(seed)
        self._device = device()
        self.net = three_layers(CONTEXT + MOVE, *HIDDEN).to(self._device)
        self.trust = nn.Parameter(torch.full((1,), TRUST, device=self._device))
        self.mean = Average(self.net, 0.002)
        self._optimizer = torch.optim.Adam([*self.net.parameters(), self.trust], lr=RATE[0])
        self.seed = seed
        self.steps = self.rounds = self.learned = 0
        self.seconds = self.done = 0.0  # `done`: the share of all learning, from 0 to 1
        self._spare = [records(choices) for _ in range(REMEMBERED + 1)]
        self._remembered: deque[Choices] = deque()

    def players(self) -> Players:
        """The players, with the network's running mean as the learned one."""
        return players_with(for_kernels(self.mean.net), self.trust.item())

    def play(self, rows: Choices) -> Choices:
        """Fill rows with new choices, six in ten with the house deck, the others with random decks."""
        with_players = self.players()
        mind = new_scratch(with_players.brain.net)
        rows.many[:] = 0
        full, before = len(rows.begins), 0.0
        for players, until in PARTS:
            middle = until - ON_OTHER_DECKS * (until - before)
            other = random_deck(self.seed, self.steps, players)
            for deck, end in ((house(), middle), (other, until)):
                begins, points = rows.begins[: int(end * full)], rows.points[: int(end * len(rows.points))]
                self.rounds += record(
                    with_players,
                    new_table(deck, players),
                    new_table(deck, players),
                    mind,
                    MIXTURE,
                    self.seed,
                    self.rounds,
                    1 << 30,
                    rows._replace(begins=begins, points=points),
                )
            before = until
        self.steps += 1
        return rows

    def learn(self, rows: Choices) -> tuple[float, float]:
        """Learn from rows, and again from some earlier ones.

        Returns the mean squared error of a choice, and how much more the network's moves gained on average than
        the plausible player's.
        """
        for group in self._optimizer.param_groups:
            group["lr"] = RATE[0] * (RATE[1] / RATE[0]) ** self.done
        shuffler = np.random.default_rng(self.learned)
        errors, gains = [], []
        parts = [(rows, part) for part in self._parts(rows, shuffler)]
        if self._remembered:
            old = self._remembered[shuffler.integers(len(self._remembered))]
            parts += [(old, part) for part in self._parts(old, shuffler)]
        for number in shuffler.permutation(len(parts)):
            of, part = parts[number]
            batch = batch_of(of, part, self._device)
            values = batch.spread(self.values(batch), 0.0)
            is_move = batch.spread(torch.ones_like(batch.by_rule), 0.0)
            points = batch.spread(batch.points, 0.0)
            many = is_move.sum(1, keepdim=True)
            more = (points - points.sum(1, keepdim=True) / many) * is_move
            predicted = (values - values.sum(1, keepdim=True) / many) * is_move
            loss = ((predicted - more) ** 2).sum(1).mean()
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
        """The value of each move: the network's, plus `trust` times the plausible player's."""
        first, second, third = self.net[0], self.net[2], self.net[4]
        shared = nn.functional.linear(batch.shared, first.weight[:, :CONTEXT])
        own = nn.functional.linear(batch.moves, first.weight[:, CONTEXT:], first.bias)
        hidden = torch.relu(second(torch.relu(shared[batch.choice] + own)))
        return third(hidden).squeeze(1) + self.trust * batch.by_rule

    def _parts(self, rows: Choices, shuffler: np.random.Generator) -> list[np.ndarray]:
        many = int(rows.many[0])
        return np.array_split(shuffler.permutation(many), max(1, many // BATCH))

    def run(self, minutes: float, folder: Path) -> None:
        """Learn until this many minutes of processor time are spent in total, including earlier runs.

        The results are saved from time to time, with a line about the progress.
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
            if self.seconds - last > _EVERY or self.seconds > 60 * minutes:
                last = self.seconds
                self._note(folder, error, gain)

    def _note(self, folder: Path, error: float, gain: float) -> None:
        """Save the results, and add a line to the curve: how often the learned player wins now."""
        line = {"minutes": round(self.seconds / 60, 2), "choices": self.learned, "rounds": self.rounds}
        for players in PLAYERS:
            won, around = self.strength(500, players)
            line[f"won of {players}"], line[f"± of {players}"] = round(won, 4), round(around, 4)
        of_learning = {"error": round(error, 4), "gain": round(gain, 4), "trust": round(self.trust.item(), 4)}
        add_to_curve(folder, line | of_learning)
        self.save(folder / self.file)

    def save(self, path: Path) -> None:
        """Save everything needed to continue, except for the earlier choices."""
        kept = {
            "net": self.net.state_dict(),
            "trust": self.trust.detach(),
            "optimizer": self._optimizer.state_dict(),
            "mean": self.mean.net.state_dict(),
            "counts": (self.seed, self.steps, self.rounds, self.learned, self.seconds),
        }
        save(kept, path)

    def load(self, path: Path) -> None:
        """Continue from a saved run."""
        kept = torch.load(path, map_location=self._device, weights_only=True)
        self.net.load_state_dict(kept["net"])
        self.trust.data.copy_(kept["trust"])
        self._optimizer.load_state_dict(kept["optimizer"])
        self.mean.net.load_state_dict(kept["mean"])
        self.seed, self.steps, self.rounds, self.learned, self.seconds = kept["counts"]

    def strength(self, deals: int, players: int, others: int = TRAINED) -> tuple[float, float]:
        """The share of games won with the house deck against `others`, and the half-width of its 95% interval."""
        return mean_and_around(self._won(house(), players, deals, LEARNED, others))

    def gain(self, deals: int, players: int, others: int) -> tuple[float, float]:
        """How much higher its `strength` is than a trained player's, and the half-width of the 95% interval."""
        own, rule = (self._won(house(), players, deals, kind, others) for kind in (LEARNED, TRAINED))
        return mean_and_around(own - rule)

    def gain_on_other_decks(self, decks: int, deals: int, players: int) -> tuple[float, float]:
        """By how much its share of games won exceeds a trained player's, against trained players, with decks never
        seen in training.

        Also returns the half-width of the 95% interval, over the decks.
        """
        gains = []
        for number in range(decks):
            deck = random_deck(_OTHER_SEED, number, players)
            own, rule = (self._won(deck, players, deals, kind, TRAINED) for kind in (LEARNED, TRAINED))
            gains.append((own - rule).mean())
        return mean_and_around(np.array(gains))

    def _won(self, deck: Deck, players: int, deals: int, kind: int, others: int) -> Floats:
        """For each deal, the share of its seatings in which one player of `kind` wins against `others`."""
        with_players = self.players()
        results = np.zeros((deals, players))
        kinds = np.array([kind, *(others,) * (players - 1)])
        mind = new_scratch(with_players.brain.net)
        score(with_players, new_table(deck, players), mind, kinds, _OTHER_SEED, 0, results)
        won: Floats = results.mean(1)
        return won


class CriticLearner:
    """The critic, which learns from games of learned players; the number of players changes with each step."""

    file = "critic.pt"

    def __init__(self, with_players: Players, seed: int, states: int = STATES) -> None:
        torch.manual_seed(seed)
        self._players, self._states = with_players, states
        self._device = device()
        self.net = three_layers(FULL_INPUTS, *CRITIC_HIDDEN).to(self._device)
        self._mean = Average(self.net, 0.005)
        self._optimizer = torch.optim.Adam(self.net.parameters(), lr=CRITIC_RATE[0])
        self._remembered: deque[States] = deque(maxlen=CRITIC_REMEMBERED)
        self.seed = seed
        self.steps = self.learned = 0
        self.seconds = 0.0

    def network(self) -> Network:
        """The network's running mean for the kernels."""
        return for_kernels(self._mean.net)

    def play(self, seed: int, step: int, players: int) -> States:
        """States of new games with this many players: six in ten with the house deck, others with a random one."""
        rows, won = np.zeros((self._states, FULL_INPUTS), np.float32), np.zeros(self._states, np.float32)
        middle = int((1 - ON_OTHER_DECKS) * self._states)
        parts: list[States] = []
        for deck, begin, end in (
            (house(), 0, middle),
            (random_deck(seed, step, players), middle, self._states),
        ):
            mind = new_scratch(self._players.brain.net)
            table, features, first = new_table(deck, players), inputs(FULL_INPUTS), step << 20
            part = rows[begin:end], won[begin:end]
            count, _ = record_states(self._players, table, mind, features, SURE_OF_CRITIC, seed, first, *part)
            parts.append((part[0][:count], part[1][:count]))
        usual, other = parts
        return np.concatenate([usual[0], other[0]]), np.concatenate([usual[1], other[1]])

    def learn(self, states: States, done: float) -> None:
        """Learn from states, and again from some earlier ones; `done` (0 to 1) is the progress of the whole
        training.
        """
        for group in self._optimizer.param_groups:
            group["lr"] = CRITIC_RATE[0] * (CRITIC_RATE[1] / CRITIC_RATE[0]) ** done
        shuffler = np.random.default_rng(self.learned)
        old = shuffler.integers(max(1, len(self._remembered)), size=CRITIC_AGAIN if self._remembered else 0)
        parts = [states, *(self._remembered[index] for index in old)]
        for rows, won in parts:
            for chosen in np.array_split(shuffler.permutation(len(won)), max(1, len(won) // CRITIC_BATCH)):
                batch, came = (torch.from_numpy(array[chosen]).to(self._device) for array in (rows, won))
                loss = ((self.net(batch).squeeze(1) - came) ** 2).mean()
                self._optimizer.zero_grad(set_to_none=True)
                loss.backward()
                self._optimizer.step()
                self._mean.add(self.net)
        self._remembered.append(states)
        self.steps += 1
        self.learned += len(states[1])

    def told(self, players: int, steps: int = 1) -> tuple[float, float]:
        """Measure how well the network predicts who goes out first in games that it never saw.

        Returns 1 minus the ratio of its mean squared error to that of a critic that considers all seats equally
        strong, and the number of states measured.
        """
        parts = [self.play(_OTHER_SEED, step, players) for step in range(steps)]
        rows, won = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
        with torch.no_grad():
            worth = self._mean.net(torch.from_numpy(rows)).squeeze(1).clamp(0, 1).numpy()
        return 1 - float(((worth - won) ** 2).mean() / ((1 / players - won) ** 2).mean()), len(won)

    def run(self, minutes: float, folder: Path) -> None:
        """Learn until this many minutes of processor time are spent in total, including earlier runs."""
        torch.set_num_threads(1)
        begin, last = time.process_time() - self.seconds, self.seconds
        while self.seconds < 60 * minutes:
            states = self.play(self.seed, self.steps, CRITIC_PLAYERS[self.steps % len(CRITIC_PLAYERS)])
            self.learn(states, min(1.0, self.seconds / (60 * minutes)))
            self.seconds = time.process_time() - begin
            if self.seconds - last > _EVERY or self.seconds > 60 * minutes:
                last = self.seconds
                line = {"of": "critic", "minutes": round(self.seconds / 60, 2), "states": self.learned}
                add_to_curve(folder, {**line, **{f"told of {n}": round(self.told(n)[0], 4) for n in (2, 3, 4, 5)}})
                self.save(folder / self.file)

    def save(self, path: Path) -> None:
        """Save everything needed to continue, except for the earlier states."""
        kept = {
            "net": self.net.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "mean": self._mean.net.state_dict(),
            "counts": (self.seed, self.steps, self.learned, self.seconds),
        }
        save(kept, path)

    def load(self, path: Path) -> None:
        """Continue from a saved run."""
        kept = torch.load(path, map_location=self._device, weights_only=True)
        self.net.load_state_dict(kept["net"])
        self._optimizer.load_state_dict(kept["optimizer"])
        self._mean.net.load_state_dict(kept["mean"])
        self.seed, self.steps, self.learned, self.seconds = kept["counts"]


@click.command()
@click.option("--minutes", default=45.0, help="of processor time to learn to play, those of runs before counted")
@click.option("--judging", default=14.0, help="minutes for the critic; 0: none")
@click.option("--seed", default=1)
@click.option("--folder", type=click.Path(path_type=Path), default=Path("training/runs/aqua-regia"))
def main(minutes: float, judging: float, seed: int, folder: Path) -> None:
    """Learn to play and then to judge, continuing an earlier run in the folder, and write the networks there.

    With 0 minutes, the critic learns for the player in the package.
    """
    folder.mkdir(parents=True, exist_ok=True)
    learner = Learner(seed)
    if (folder / learner.file).exists():
        learner.load(folder / learner.file)
    learner.run(minutes, folder)
    brain, _ = policy()
    players = learner.players() if learner.learned else players_with(brain.net, float(brain.trust[0]))
    if learner.learned:
        _player(learner, folder / "policy.npz")
    if judging == 0:
        return
    critic = CriticLearner(players, seed)
    if (folder / critic.file).exists():
        critic.load(folder / critic.file)
    critic.run(judging, folder)
    _critic(critic, folder / "critic.npz")


def _player(learner: Learner, path: Path) -> None:
    description: dict[str, Any] = {
        "game": "aqua-regia",
        "what": "the chance to go out first that each move brings more than others of its choice",
        "seed": learner.seed,
        "commit": commit(),
        "minutes": round(learner.seconds / 60, 1),
        "choices": learner.learned,
    }
    for players in PLAYERS:
        results = []
        for others, name, deals in (
            (TRAINED, "rule players", 5000),
            (GREEDY, "greedy", 5000),
            (LEARNED, "its like", 1500),
        ):
            won, around = learner.strength(deals, players, others)
            more, about = learner.gain(deals, players, others)
            results.append(
                f"{won:.3f} ± {around:.3f} won against {name}, {more:.3f} ± {about:.3f} more than a rule player"
            )
        more, around = learner.gain_on_other_decks(100, 30, players)
        results.append(f"with 100 other decks {more:.3f} ± {around:.3f} more than a rule player")
        description[f"{players} players"] = "; ".join(results)
        click.echo(f"{players} players: {description[f'{players} players']}")
    brain = learner.players().brain
    further = {
        "trust": brain.trust.astype(np.float32),
        "sure": np.array([SURE], np.float32),
    }
    write(brain.net, description, path, **further)
    click.echo(path)


def _critic(critic: CriticLearner, path: Path) -> None:
    description: dict[str, Any] = {
        "game": "aqua-regia",
        "what": "how likely the seat to move goes out first, where every hand is known",
        "seed": critic.seed,
        "commit": commit(),
        "minutes": round(critic.seconds / 60, 1),
        "states": critic.learned,
    }
    for players in PLAYERS:
        share, states = critic.told(players, _JUDGING_STEPS)
        description[f"{players} players"] = (
            f"the squared error is {share:.3f} smaller, as a share, than if all seats are taken to be equal, in "
            f"{states} states of games that it never saw, six in ten with the house deck"
        )
        click.echo(f"{players} players: {description[f'{players} players']}")
    write(critic.network(), description, path)
    click.echo(path)
