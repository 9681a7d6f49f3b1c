"""A player of King × Alchemy's arena who sees all cards: what perfect inference would bring to a hint.

It judges moves as a hint does, but every world is the deal as it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from solver.games.king import moves
from solver.games.king.hint import SAMPLER, Rounds
from solver.games.king.position import KnownPosition, PickPosition, PickView, View
from solver.games.king.rules import Move
from solver.games.king.worlds import Deals, deals
from solver.limits import Control, Limit


def as_it_lies(position: KnownPosition | PickPosition, view: View | PickView) -> Deals:
    """The one deal of a position, as the deals of a view."""
    found, index = deals(view), view.full_deck.index
    owner: dict[int, int] = {}
    for group in range(view.players - 1):
        seat = (view.seat + 1 + group) % view.players
        held = position.hands[seat]
        if isinstance(position, PickPosition):
            held += position.picked[seat]  # which nobody else has seen yet
        owner.update({index[code]: group for code in held})
    return Deals(found.cards, tuple(1 << owner[card] for card in found.cards), found.sizes, view)


def sighted(position: KnownPosition | PickPosition, view: View | PickView, limit: Limit, seed: int) -> Move:
    """The move of a seat which sees the position. What the others pick it does not know."""
    legal = moves.legal_moves(view)
    if len(legal) == 1:
        return legal[0]

    def rollouts(view: View | PickView, made: Sequence[Move], seed: int) -> Rounds:
        return Rounds(as_it_lies(position, view), made, seed)

    found = replace(SAMPLER, rollouts=rollouts, ending=None, because=None).hint(view, Control(limit), seed=seed)
    return next(move for move in legal if SAMPLER.text(view, move) == found.best)
