"""The search for certificates that an alchemy solitaire with a known stock is won or lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from solver.errors import RequestError
from solver.games.alchemy.deck import discard
from solver.games.alchemy.known_stock import KnownStock
from solver.games.alchemy.position import SolitairePosition, ranks_of
from solver.games.alchemy.rules import Turn, match_of, solitaire_play
from solver.language import say
from solver.limits import Control
from solver.proving import Proving


def claim(position: object) -> dict[str, Any]:
    """Return the solitaire turn to be certified, with its stock, as JSON data.

    Raises RequestError unless the position is a solitaire in play whose stock is known.
    """
    if not isinstance(position, SolitairePosition) or position.hidden or position.hand is None:
        raise RequestError("not_offered", say("a certificate needs a solitaire in play with its stock known"))
    data: dict[str, Any] = {
        "game": "alchemy",
        "variant": position.variant,
        "cap": position.cap,
        "line": list(position.line),
        "hand": position.hand,
        "stock": list(position.stock or ()),
    }
    if position.rules is not None:
        data["rules"] = position.rules.model_dump()
    return data


@contextmanager
def proving(position: SolitairePosition, control: Control, *, model: str | None, player: int) -> Iterator[Proving]:
    """Provide the search that a certificate is made with; the score is 1 if the deal is won, else 0."""
    turn, variant = position.turn, position.solitaire
    search = KnownStock(variant, turn, control)

    def after(turn: Turn, text: str) -> Turn:
        words = text.split()
        assert turn.hand is not None
        move = discard(ranks_of(words[1:])[0]) if words[0] == "discard" else match_of(ranks_of(words), turn.hand)
        assert move is not None
        return solitaire_play(variant, turn, move)

    def reaches(turn: Turn, score: int) -> bool | None:
        left = search.left(turn)
        return None if left is None else (left == 0) >= score

    yield Proving(start=turn, after=after, reaches=reaches)
