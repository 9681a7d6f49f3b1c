"""Certificates of a player's score in Kirin: the search's part."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from solver.common import members
from solver.errors import RequestError
from solver.games.kirin.deck import ASCENDING, names
from solver.games.kirin.position import KnownPosition, numbers
from solver.games.kirin.rules import extra_points
from solver.games.kirin.search import PROVERS, player_score
from solver.language import say
from solver.limits import Control
from solver.proving import Proving


def claim(position: object) -> dict[str, Any]:
    """Every card of a round in play. Raises RequestError for a view, and before cards are set aside."""
    if not isinstance(position, KnownPosition):
        if hasattr(position, "hand"):  # a view
            raise RequestError("not_offered", say("a certificate needs a position with every card known"))
        raise RequestError("not_offered", say("a certificate begins when every seat has set a card aside"))
    state = position.state
    data: dict[str, Any] = {
        "game": "kirin",
        "direction": "ascending" if state.direction == ASCENDING else "descending",
        "leader": state.leader,
        "trick": names(state.trick),
        "hands": [names(members(hand)) for hand in state.hands],
        "declared": list(position.declared),
        "won": [names(members(pile)) for pile in state.won],
    }
    if position.rules is not None:
        data["rules"] = position.rules.model_dump()
    return data


@contextmanager
def proving(position: KnownPosition, control: Control, *, model: str | None, player: int) -> Iterator[Proving]:
    """The search of a player's score, with all others against it (``paranoid``) or for it (``ally``)."""
    state, extra = position.state, extra_points(position.rules)
    colour = position.colours[player]
    with PROVERS.lend() as prover:
        search = player_score(prover, state, colour, player, allies=model == "ally", control=control)
        yield Proving(
            start=search.start,
            after=lambda node, text: search.after(node, numbers([text])[0]),
            reaches=lambda node, score: search.reaches(node, score - extra),
        )
