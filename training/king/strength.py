"""How strong a learned player of King × Alchemy is, on deals and decks that nothing was learned from."""

from __future__ import annotations

import numpy as np
import torch

from solver.games.king.deck import Deck, house
from solver.games.king.players import TRAINED
from solver.games.king.rules import DEALT
from solver.kernels.arrays import Floats
from training.choice_learning import ChoiceLearner, batch_of
from training.choices import Choices
from training.keeping import mean_and_around
from training.king.decks import random_deck, values_of
from training.king.judging import score
from training.king.playing import LEARNED, Players, new_mind, new_table

_OTHER_SEED = 1_000_003  # of deals and decks that nothing is learned from


def points(of: Players, deck: Deck, players: int, deals: int, kind: int, others: int, first: int = 0) -> Floats:
    """The points a deal of a player of a kind, one against others, on average over the seats."""
    given = values_of(deck, players)
    results = np.zeros((deals, players, players))
    kinds = np.array([kind, *(others,) * (players - 1)])
    mind = new_mind(of, given)
    score(of, given, new_table(given), mind, kinds, DEALT[players], _OTHER_SEED, first, results)
    own: Floats = results[:, :, 0].mean(1)
    return own


def strength(of: Players, deals: int, players: int = 4, others: int = TRAINED) -> tuple[float, float]:
    """Own points a round against plausible players with the house deck, and half of the 95% interval."""
    return mean_and_around(points(of, house(), players, deals, LEARNED, others))


def gain_on_other_decks(of: Players, decks: int, deals: int, players: int = 4) -> tuple[float, float]:
    """How many points a round more than a trained player, among such players, with random decks never seen.

    With half of the 95% interval, over the decks.
    """
    found = []
    for number in range(decks):
        deck = random_deck(_OTHER_SEED, number)
        own, rule = (points(of, deck, players, deals, kind, TRAINED) for kind in (LEARNED, TRAINED))
        found.append((own - rule).mean())
    return mean_and_around(np.array(found))


def gain(of: Players, than: Players, deals: int, players: int = 4, deck: Deck | None = None) -> Floats:
    """How many points a deal more one learned player scores than another, among trained players."""
    played_with = deck or house()
    one, other = (points(who, played_with, players, deals, LEARNED, TRAINED) for who in (of, than))
    return one - other


def gains_with_other_decks(of: Players, than: Players, decks: int, deals: int, players: int = 4) -> Floats:
    """The mean `gain` of each of some random decks never seen."""
    found = (gain(of, than, deals, players, random_deck(_OTHER_SEED, number)) for number in range(decks))
    return np.array([one.mean() for one in found])


def sureness(learner: ChoiceLearner, rows: Choices) -> float:
    """What a point more multiplies the log of a chance by, so that chances tell how often a move is the best.

    Best is the move that leads to the most points in the deal as it lies; equals share. Of a few numbers it is the
    likeliest one, on choices that nothing was learned from: `rows`, which are filled.
    """
    learner.play(rows)
    batch = batch_of(rows, np.arange(rows.many[0]), next(learner.net.parameters()).device)
    with torch.no_grad():
        values = batch.spread(learner.values(batch), -1e9)
        points = batch.spread(batch.points, -1e9)
        best = (points == points.max(1, keepdim=True).values).float()
        best /= best.sum(1, keepdim=True)
        found = [
            (float((torch.log_softmax(sure * values, 1).clamp(min=-99) * best).sum()), float(sure))
            for sure in np.geomspace(0.05, 5, 41)
        ]
    return max(found)[1]
