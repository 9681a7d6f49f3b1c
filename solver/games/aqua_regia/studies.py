"""Surveys of Aqua Regia's endings: the value of having the first deal, and of each seat."""

from __future__ import annotations

from collections.abc import Sequence

from solver.common import Random
from solver.games.aqua_regia.analyze import analyze
from solver.games.aqua_regia.deck import FIELDS, house
from solver.games.aqua_regia.position import KnownPosition
from solver.studies import Seats

_CARDS = {"2": 6, "3": 4, "4": 3}  # cards of a hand, by number of players, so that all three models are fast


def positions(variant: str, random: Random) -> Sequence[KnownPosition]:
    """Return one position for each seat that may lead, all with the same small random hands.

    The field is random, the stock is empty, and all other cards are in the discard pile.
    """
    deck, players, size = house(), int(variant), _CARDS[variant]
    pool = [metal.symbol for metal in deck.metals for _ in range(deck.copies)]
    random.shuffle(pool)
    field = FIELDS[random.below(len(FIELDS))]
    return [
        KnownPosition(
            game="aqua-regia",
            field=field,
            turn=leader,
            hands=tuple(tuple(pool[seat * size : (seat + 1) * size]) for seat in range(players)),
            discard=tuple(pool[players * size :]),
        )
        for leader in range(players)
    ]


SEATS_STUDY = Seats(positions, analyze, "rounds won", {})
seats_part, seats_merged = SEATS_STUDY.part, SEATS_STUDY.merged
