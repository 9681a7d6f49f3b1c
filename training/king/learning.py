"""Learning to play cards in King × Alchemy: `training.choice_learning` with rounds of any deck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from solver.games.king.deck import house
from solver.games.king.learned import CONTEXT, PLAY, Brain
from solver.games.king.players import ALL_PLAYS
from solver.games.king.rules import DEALT
from training.choice_learning import REMEMBERED, ChoiceLearner
from training.choices import Choices
from training.king.decks import random_deck, values_of
from training.king.playing import Players, new_mind, new_table, no_heads, players_with
from training.king.records import record, records
from training.king.strength import strength
from training.torch_networks import for_kernels

CHOICES = 60_000  # of a step
TRUST = 0.2  # points that a unit of the plausible player's values is worth, to begin with
ORDER = (4, 3, 4, 5)  # players
MIXTURE = np.array([0.5, 0.15, 0.0, 0.35])  # trained, thrifty, ahead, learned


class Learner(ChoiceLearner):
    """The learner of King × Alchemy; points are those of the round."""

    def __init__(self, seed: int, choices: int = CHOICES) -> None:
        super().__init__(seed, CONTEXT, PLAY, TRUST, [records(choices) for _ in range(REMEMBERED + 1)])

    def players(self) -> Players:
        """Players with this network, who pick and take as the trained player."""
        return players_with(self.brain(), no_heads(), picks=False, takes=False)

    def brain(self) -> Brain:
        """The network's running mean for the kernels."""
        return Brain(for_kernels(self.mean.net), np.array([self.trust.item()]), ALL_PLAYS)

    def play(self, rows: Choices) -> Choices:
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
                new_mind(with_players, given),
                MIXTURE,
                DEALT[players],
                self.seed,
                self.rounds,
                1 << 30,
                part,
            )
        self.steps += 1
        return rows

    def judged(self) -> Mapping[str, Any]:
        points, around = strength(self.players(), 2000)
        return {"points": round(points, 3), "interval": round(around, 3)}
