"""Learning what to pick and what to take in King × Alchemy: `training.choice_learning` once more for each.

Every way is tried in the deal as it lay, and the round is played on to its end by plausible players. The networks
also learn how many points the seat makes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from solver.games.king.deck import house
from solver.games.king.learned import PICK_INPUTS, TAKE_INPUTS, Brain, Head, Heads
from solver.games.king.players import ALL_PLAYS, PICK, TRAINED
from solver.games.king.rules import DEALT
from training.choice_learning import REMEMBERED, ChoiceLearner
from training.choices import Choices, room_for
from training.king.decks import random_deck, values_of
from training.king.playing import Players, by_rule, new_mind, new_table, players_with
from training.king.shares import record_picks, record_takings
from training.torch_networks import for_kernels

CHOICES = 6000  # of a step
DECKS = 4  # random ones of a step


class Kind(NamedTuple):
    """Picks, or takings: what records them, how many numbers tell one, how many a choice has at most, with how
    many players; the mixture of players (trained, ahead, thrifty, learned), what the plausible player's values are
    worth in points to begin with, and the share of the time.
    """

    record: Callable[..., int]
    inputs: int
    ways: int
    order: tuple[int, ...]
    mixture: np.ndarray
    trust: float
    time: float


KINDS = {
    "picks": Kind(record_picks, PICK_INPUTS, 15, (4, 3, 4, 5), np.array([0.8, 0.2, 0.0, 0.0]), 0.09, 0.6),
    "takings": Kind(record_takings, TAKE_INPUTS, 6, (4, 5), np.array([0.5, 0.15, 0.0, 0.35]), 1.2, 0.4),
}


def room_of(name: str, choices: int = CHOICES) -> Choices:
    """Room for so many choices of a kind."""
    return room_for(choices, KINDS[name].ways * choices, 0, KINDS[name].inputs)


class HeadLearner(ChoiceLearner):
    """The learner of picks, or of takings: the `name` of a kind. `players` play the cards."""

    hidden = (64, 32)
    batch = 256
    again = 4
    level, about = 0.1, 18.0

    def __init__(self, name: str, seed: int, players: Players, choices: int = CHOICES) -> None:
        kind = KINDS[name]
        rooms = [room_of(name, choices) for _ in range(REMEMBERED + 1)]
        super().__init__(seed, 0, kind.inputs, kind.trust, rooms)
        self.file = f"{name}.pt"
        self._name, self._kind, self._players = name, kind, players

    def head(self) -> Head:
        """The network's running mean for the kernels."""
        return Head(for_kernels(self.mean.net), np.array([self.trust.item()]))

    def play(self, rows: Choices) -> Choices:
        """Fill rows with new choices: six in ten on the house deck, the others on random ones."""
        kind, full = self._kind, len(rows.begins)
        seats = kind.order[self.steps % len(kind.order)]
        rows.many[:] = 0
        until = 6 * full // 10
        decks = [(house(), until)]
        for number in range(DECKS):
            until += 4 * full // (10 * DECKS)
            decks.append((random_deck(self.seed, DECKS * self.steps + number), until))
        for deck, until in decks:
            given = values_of(deck, seats)
            tables = new_table(given), new_table(given)
            part = rows._replace(begins=rows.begins[:until])
            mind = new_mind(self._players, given)
            rounds = self.seed, self.rounds, 1 << 30
            self.rounds += kind.record(
                self._players, given, *tables, mind, kind.mixture, TRAINED, DEALT[seats], *rounds, part
            )
        self.steps += 1
        return rows

    def judged(self) -> Mapping[str, Any]:
        return {"of": self._name}


def players_of(brain: Brain, learners: Mapping[str, HeadLearner], uses: Collection[str]) -> Players:
    """The learned player who picks and takes by the networks of those names, and otherwise by rule."""
    heads = {name: learner.head() for name, learner in learners.items()}
    pick, take = (heads[name] if name in uses else by_rule(heads[name]) for name in KINDS)
    return players_with(brain, Heads(pick, take, np.array(PICK), ALL_PLAYS))
