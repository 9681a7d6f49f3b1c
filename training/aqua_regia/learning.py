"""Learning to play Aqua Regia: `training.choice_learning` with games of two to five players and any deck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from solver.games.aqua_regia.deck import Deck, house
from solver.games.aqua_regia.network import CONTEXT, MOVE, thought
from solver.kernels.arrays import Floats
from training.aqua_regia.decks import random_deck
from training.aqua_regia.judging import score
from training.aqua_regia.playing import LEARNED, TRAINED, Players, new_table, players_with
from training.aqua_regia.records import record, records
from training.choice_learning import REMEMBERED, ChoiceLearner
from training.choices import Choices
from training.keeping import mean_and_around
from training.torch_networks import for_kernels

CHOICES = 24_000  # of a step
TRUST = 0.01  # the chance to win that a unit of the plausible player's values is worth, to begin with
PARTS = (
    (3, 0.3),
    (2, 0.6),
    (4, 0.8),
    (5, 1.0),
)  # players, and the share of a step's room filled when they have played
PLAYERS = (2, 3, 4, 5)
MIXTURE = np.array([0.45, 0.1, 0.1, 0.35])  # trained, careless, greedy, learned
_ON_OTHER_DECKS = 0.4  # of the choices
_OTHER_SEED = 1_000_003  # of deals and decks that nothing is learned from


class Learner(ChoiceLearner):
    """The learner of Aqua Regia; a point is a game won. Games are short, so the network is small and sees more."""

    hidden = (64, 32)
    again = 1

    def __init__(self, seed: int, choices: int = CHOICES) -> None:
        super().__init__(seed, CONTEXT, MOVE, TRUST, [records(choices) for _ in range(REMEMBERED + 1)])

    def players(self) -> Players:
        """The network's running mean for the kernels."""
        return players_with(for_kernels(self.mean.net), self.trust.item())

    def play(self, rows: Choices) -> Choices:
        """Six in ten choices on the house deck, the others on random ones."""
        with_players = self.players()
        mind = thought(with_players.brain.net)
        rows.many[:] = 0
        full, before = len(rows.begins), 0.0
        for players, until in PARTS:
            middle = until - _ON_OTHER_DECKS * (until - before)
            other = random_deck(self.seed, self.steps, players)
            for deck, end in ((house(), middle), (other, until)):
                self.rounds += record(
                    with_players,
                    new_table(deck, players),
                    new_table(deck, players),
                    mind,
                    MIXTURE,
                    self.seed,
                    self.rounds,
                    1 << 30,
                    rows._replace(
                        begins=rows.begins[: int(end * full)], points=rows.points[: int(end * len(rows.points))]
                    ),
                )
            before = until
        self.steps += 1
        return rows

    def judged(self) -> Mapping[str, Any]:
        line: dict[str, Any] = {}
        for players in PLAYERS:
            won, around = self.strength(500, players)
            line[f"won of {players}"], line[f"± of {players}"] = round(won, 4), round(around, 4)
        return line

    def strength(self, deals: int, players: int, others: int = TRAINED) -> tuple[float, float]:
        """The share of games won against players of a kind with the house deck, and half of the 95% interval."""
        return mean_and_around(self._won(house(), players, deals, LEARNED, others))

    def gain(self, deals: int, players: int, others: int) -> tuple[float, float]:
        """By how much that share is larger than a trained player's in its place, with half of the 95% interval."""
        own, rule = (self._won(house(), players, deals, kind, others) for kind in (LEARNED, TRAINED))
        return mean_and_around(own - rule)

    def gain_on_other_decks(self, decks: int, deals: int, players: int) -> tuple[float, float]:
        """By how much a larger share of games it wins than a trained player, among these, on decks never seen.

        With half of the 95% interval, over the decks.
        """
        found = []
        for number in range(decks):
            deck = random_deck(_OTHER_SEED, number, players)
            own, rule = (self._won(deck, players, deals, kind, TRAINED) for kind in (LEARNED, TRAINED))
            found.append((own - rule).mean())
        return mean_and_around(np.array(found))

    def _won(self, deck: Deck, players: int, deals: int, kind: int, others: int) -> Floats:
        """The share of a deal's seatings that a player of a kind wins, one against others."""
        with_players = self.players()
        results = np.zeros((deals, players))
        kinds = np.array([kind, *(others,) * (players - 1)])
        mind = thought(with_players.brain.net)
        score(with_players, new_table(deck, players), mind, kinds, _OTHER_SEED, 0, results)
        won: Floats = results.mean(1)
        return won
