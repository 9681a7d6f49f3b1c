"""Random endings of Aqua Regia with the house deck, the rest of the cards in the discard pile."""

from __future__ import annotations

import random

from solver.games.aqua_regia.deck import FIELDS, Deck, house
from solver.games.aqua_regia.position import KnownPosition


def ending(
    rng: random.Random, players: int, cards: int, stock: int = 0, *, field: int | None = 0
) -> KnownPosition:
    """Seat 0 deals, `cards` in all hands together, `stock` to draw; `field` None is one at random."""
    deck: Deck = house()
    pool = [metal.symbol for metal in deck.metals for _ in range(deck.copies)]
    rng.shuffle(pool)
    each = cards // players
    return KnownPosition(
        game="aqua-regia",
        field=FIELDS[rng.randrange(len(FIELDS)) if field is None else field],
        turn=0,
        hands=tuple(tuple(pool[seat * each : (seat + 1) * each]) for seat in range(players)),
        stock=tuple(pool[players * each : players * each + stock]),
        discard=tuple(pool[players * each + stock :]),
    )
