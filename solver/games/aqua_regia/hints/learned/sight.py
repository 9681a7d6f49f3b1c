"""What the learned player of Aqua Regia sees, and how safe plays are by it, as kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.aqua_regia.cards.deck_data import MOST_METALS
from solver.games.aqua_regia.hints.game_kernel import (
    COPIES,
    DISCARD,
    FIELD,
    REVERSED,
    TABLE,
    TURN,
    Game,
)
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import lean

FIELDS = 4
COUNTS = 4  # cards in one play, at most
_MOST_SHARE = 0.95


class Sight(NamedTuple):
    """A game as the seat to move sees it.

    Of the `hands` of `game` its own alone is looked at, with a card drawn where there is one; of the stock how
    many cards it has. `known` has a row a seat: the cards that were seen going into its hand and not leaving it.
    """

    game: Game
    known: Words


class Odds(NamedTuple):
    """What is worked out once for a choice.

    `unseen`: how many cards of each metal nobody has shown. `fewer[count - 1, metal]`: the chance that none of the
    others holds so many cards of the metal. `safe[field, count - 1, metal]`: that none can beat such a play there.
    """

    unseen: Words
    fewer: Floats
    safe: Floats


def odds() -> Odds:
    """Room for the odds of a choice."""
    return Odds(
        np.zeros(MOST_METALS, np.int64),
        np.zeros((COUNTS, MOST_METALS)),
        np.zeros((FIELDS, COUNTS, MOST_METALS)),
    )


@lean
def field_step(scalars: Words) -> int:
    """By how much the number of the field grows (mod 4) from one to the next."""
    return 3 if scalars[REVERSED] else 1


@lean
def chance_of_fewer(copies: int, share: float, count: int) -> float:
    """The chance of fewer than `count` of so many cards, where each is there with the chance `share`, below 1."""
    if count <= 0:
        return 0.0
    term = 1.0
    for _ in range(copies):
        term *= 1.0 - share
    total = term
    for many in range(1, min(count - 1, copies) + 1):
        term *= (copies - many + 1) * share / (many * (1.0 - share))
        total += term
    return total


@lean
def work_out(sight: Sight, odds: Odds) -> int:
    """Write the odds of the seat to move; return how many cards are unseen."""
    game = sight.game
    scalars, piles = game.scalars, game.piles
    seat = scalars[TURN]
    players, metals = game.hands.shape
    total = 0
    for metal in range(metals):
        many = scalars[COPIES] - game.hands[seat, metal] - piles[DISCARD, metal] - piles[TABLE, metal]
        for other in range(players):
            if other != seat:
                many -= sight.known[other, metal]
        odds.unseen[metal] = many
        total += many
        for count in range(COUNTS):
            odds.fewer[count, metal] = 1.0
    for other in range(players):
        if other == seat:
            continue
        hidden = game.sizes[other]
        for metal in range(metals):
            hidden -= sight.known[other, metal]
        share = min(_MOST_SHARE, hidden / total) if total > 0 else 0.0
        for metal in range(metals):
            shown = sight.known[other, metal]
            for count in range(COUNTS):
                odds.fewer[count, metal] *= chance_of_fewer(odds.unseen[metal], share, count + 1 - shown)
    for field in range(FIELDS):
        for count in range(COUNTS):
            safe = 1.0
            for metal in range(metals - 1, -1, -1):
                odds.safe[field, count, metal] = safe
                if game.reactivity[field, metal] > min(count, 1):
                    safe *= odds.fewer[count, metal]
    return total


@lean
def field_after(scalars: Words, steps: int, step: int) -> int:
    """The number of the field so many steps on, each as long as `step`."""
    return int((scalars[FIELD] + steps * step) & 3)
