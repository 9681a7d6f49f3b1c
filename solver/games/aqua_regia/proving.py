"""The search behind certificates that a player of Aqua Regia can or can't go out first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from solver.errors import RequestError
from solver.games.aqua_regia.deck import FIELDS, Deck
from solver.games.aqua_regia.position import KnownPosition
from solver.games.aqua_regia.rules import text_of
from solver.games.aqua_regia.search import PROVERS, Outcomes
from solver.kernels.words import Words
from solver.language import say
from solver.limits import Control
from solver.proving import Proving


def claim(position: object) -> dict[str, Any]:
    """Return the position that a certificate is about, together with the table of reactivities, as data.

    Raises RequestError for a view.
    """
    if not isinstance(position, KnownPosition):
        raise RequestError("not_offered", say("a certificate needs a position with every card known"))
    data: dict[str, Any] = {
        "game": "aqua-regia",
        "deck": _deck(position.metals),
        "field": position.field,
        "reversed": position.reversed,
        "turn": position.turn,
        "table": list(position.table),
        "discard": list(position.discard),
        "hands": [list(hand) for hand in position.hands],
        "stock": list(position.stock),
    }
    if position.owner is not None:
        data["owner"] = position.owner
    if position.rules is not None:
        data["rules"] = position.rules.model_dump()
    return data


def _deck(deck: Deck) -> dict[str, Any]:
    metals = [
        {
            "symbol": metal.symbol,
            "name": metal.name,
            "reactivity": dict(zip(FIELDS, metal.reactivity, strict=True)),
        }
        for metal in deck.metals
    ]
    return {"name": deck.name, "copies": deck.copies, "metal": metals}


@contextmanager
def proving(position: KnownPosition, control: Control, *, model: str, player: int) -> Iterator[Proving]:
    """Context manager that provides a search for whether `player` goes out first.

    All other seats oppose the player (`paranoid`) or help (`ally`).
    """
    deck = position.metals
    with PROVERS.lend() as prover:
        outcomes = Outcomes(prover, deck, position.state, model, control)

        def after(node: Words, text: str) -> Words:
            moves = outcomes.legal(node)
            return outcomes.after(node, next(move for move in moves if text_of(deck, outcomes.move(move)) == text))

        def reaches(node: Words, score: int) -> bool | None:
            found = outcomes.wins(node, player)
            return None if found is None else found >= score

        yield Proving(start=outcomes.start, after=after, reaches=reaches)
