"""`hint` for alchemy: which move, how often it wins or what it scores, and why, in a sentence."""

from __future__ import annotations

from pydantic import BaseModel

from solver.common.control import MOST_WORLDS, Control
from solver.games.alchemy.duel import hint as duel
from solver.games.alchemy.hidden_stock import hint as hidden_stock
from solver.games.alchemy.known_stock import hint as known_stock
from solver.games.alchemy.positions.duels import DuelPosition
from solver.games.alchemy.positions.known import SolitairePosition
from solver.hints.simulate import worlds_error
from solver.inputs.errors import RequestError
from solver.protocol.answers import Hint


def hint(position: BaseModel, control: Control, *, worlds: int | None = None, seed: int = 0) -> Hint:
    """The best move of a solitaire (its stock hidden or known) or of a duel's exchange.

    Raises RequestError for a `free` puzzle, which is analysed, not played, and for too many `worlds`.
    """
    if worlds is not None and not 1 <= worlds <= MOST_WORLDS:
        raise worlds_error()
    if isinstance(position, DuelPosition):
        return duel.hint(position, control, seed, worlds)
    if not isinstance(position, SolitairePosition):
        raise RequestError("not_playable", "a free puzzle is analyzed, not hinted", "variant")
    if position.hidden and position.turn.hand is not None:
        return hidden_stock.hint(position, control, worlds, seed)
    return known_stock.hint(position, control, seed)
