"""Learning to play cards in King × Alchemy: `training.choice_learning` with rounds of any deck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from solver.games.king.cards.deck import Deck
from solver.games.king.cards.deck_data import house
from solver.games.king.cards.rules import DEALT
from solver.games.king.players.kinds import TRAINED
from solver.games.king.players.learned.context_inputs import CONTEXT
from solver.games.king.players.learned.play_inputs import PLAY
from solver.games.king.players.learned.thinking import thought
from solver.kernels.arrays import Floats
from training.choice_learning import REMEMBERED, ChoiceLearner, batch_of
from training.choices import Choices
from training.keeping import mean_and_around
from training.king.decks import random_deck, values_of
from training.king.judging import score
from training.king.playing import LEARNED, Players, new_table, players_with
from training.king.records import record, records
from training.torch_networks import for_kernels

CHOICES = 60_000  # of a step
TRUST = 0.2  # points that a unit of the plausible player's values is worth, to begin with
ORDER = (4, 3, 4, 5)  # players
_OTHER_SEED = 1_000_003  # of deals and decks that nothing is learned from
MIXTURE = np.array([0.5, 0.0, 0.15, 0.35])  # trained, ahead, thrifty, learned


class Learner(ChoiceLearner):
    """The learner of King × Alchemy; points are those of the round."""

    def __init__(self, seed: int, choices: int = CHOICES) -> None:
        super().__init__(seed, CONTEXT, PLAY, TRUST, [records(choices) for _ in range(REMEMBERED + 1)])

    def players(self) -> Players:
        """The network's running mean for the kernels."""
        return players_with(for_kernels(self.mean.net), self.trust.item())

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

    def judged(self) -> Mapping[str, Any]:
        points, around = self.strength(2000)
        return {"points": round(points, 3), "interval": round(around, 3)}

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
        """What a point more multiplies the log of a chance by, so that chances tell how often a move is the best.

        Best is the move that leads to the most points in the deal as it lies; equals share. Of a few numbers it is
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
