"""`analyze` for alchemy: which kind of position is asked about, and by what it is solved."""

from __future__ import annotations

from pydantic import BaseModel

from solver.common.control import Control
from solver.games.alchemy.positions.duels import DuelPosition
from solver.games.alchemy.positions.known import FreePosition, SolitairePosition
from solver.inputs.errors import RequestError
from solver.protocol.answers import Analysis


def analyze(
    position: BaseModel, control: Control, *, model: str | None = None, player: int | None = None
) -> Analysis:
    """Exact values of every move. Raises RequestError for a hidden stock, a model or another player."""
    if model is not None:
        raise RequestError("unknown_value", "alchemy has no models of play; leave model out", "model")
    if player not in (None, 0):
        raise RequestError("out_of_range", "values in alchemy are the player's own, seat 0", "player")
    if isinstance(position, SolitairePosition):
        if position.hidden:
            raise RequestError(
                "hidden_cards", "the stock's order is hidden: ask for a hint, or give stock in draw order", "stock"
            )
        from solver.games.alchemy.known_stock import analyze as known_stock

        return known_stock.analyze(position, control)
    if isinstance(position, DuelPosition):
        if position.over:
            raise RequestError("not_playable", "the round is over: there is nothing to decide", "hand")
        if position.grab is not None:
            raise RequestError("not_offered", "one has grabbed: ask for a hint of what is left", "grabbed")
        from solver.games.alchemy.duel import exchange

        return exchange.analyze(position, control)
    assert isinstance(position, FreePosition)
    from solver.games.alchemy.free.analyze import all_matches, optimum

    return all_matches(position, control) if position.objective is None else optimum(position, control)
