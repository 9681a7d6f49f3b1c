"""Kirin as one player sees it, growing: cards that are seen played, and the own card that is set aside."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from solver.games.kirin.positions.declarations import DeclareView
from solver.games.kirin.positions.fields import FinishedTrick
from solver.games.kirin.positions.known import View
from solver.games.kirin.positions.moves import as_view, format_move, legal_moves, parse_move
from solver.tricks.observing import observe_card, possible_cards


def observe(position: BaseModel, texts: Sequence[str]) -> tuple[View, int]:
    """A view after the first of `texts` was seen, which is 1 text: a card played.

    Before the round it is the own card that is set aside; what the others set aside nobody sees. Raises MoveError
    for a card that cannot have been played.
    """
    view = as_view(position)
    if isinstance(view, DeclareView):
        return _declared(view, texts[0]), 1
    return observe_card(view, texts[0], FinishedTrick), 1


def _declared(view: DeclareView, text: str) -> View:
    """The round as it begins when the player has set a card aside."""
    declared = format_move(view, parse_move(view, text))
    hand = tuple(card for card in view.hand if card != declared)
    return View(
        game="kirin",
        rules=view.rules,
        **view.told_of_match,
        seat=view.seat,
        hand=hand,
        declared=declared,
        leader=view.leader,
    )


def possible(position: BaseModel) -> Sequence[str]:
    """The cards that the seat to move could be playing, or that the player may set aside."""
    view = as_view(position)
    if isinstance(view, DeclareView):
        return [format_move(view, move) for move in legal_moves(view)]
    return possible_cards(view)
