"""Decks of Aqua Regia to learn on, so that a user's own table can be played: random ones."""

from __future__ import annotations

import numpy as np

from solver.games.aqua_regia.deck import FIELDS, KIND, AquaReadings, Deck
from solver.games.aqua_regia.rules import HAND

_LEFT = 4  # cards at least that are not dealt


def random_deck(seed: int, number: int, players: int) -> Deck:
    """Deck `number` of a seed, for so many players: 10 to 24 metals, 3 to 6 of each.

    In two decks of three reactivities fall with the strength of the metal and grow from field to field, as in the
    house deck, with exceptions; in the others they are any. Of two decks one is played by the other reading.
    """
    random = np.random.default_rng((seed, number, players))
    copies = int(random.choice((3, 4, 4, 4, 5, 6)))
    fewest = max(10, -(-(HAND * players + _LEFT) // copies))
    size = int(random.integers(fewest, 25))
    alike = random.random() < 2 / 3
    lows, slopes = random.uniform(-1.5, 0.5, 4).cumsum(), random.uniform(1.5, 4.5)
    if random.random() < 0.25:
        random.shuffle(lows)
    metals = []
    for metal in range(size):
        place = metal / size
        if alike:
            levels = np.rint(
                lows - lows.min() + 3.0 - slopes * place - 1.2 * lows.max() + random.normal(0, 0.4, 4)
            )
            levels = np.clip(levels, 0, 3).astype(int)
        else:
            levels = np.minimum(random.choice((0, 0, 1, 2, 3), 4), random.integers(1, 4))
        if not levels.any():
            levels[random.integers(4)] = random.integers(1, 4)
        reactivity = dict(zip(FIELDS, map(int, levels), strict=True))
        metals.append({"symbol": f"M{metal}", "reactivity": reactivity})
    deck = KIND.read({"name": "random", "copies": copies, "metal": metals})
    readings = AquaReadings(reactivity_one_follows_single=bool(random.random() < 0.5))
    return Deck(deck.name, deck.title, deck.copies, deck.metals, readings)
