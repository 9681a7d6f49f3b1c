"""A round as remembered by a player who knows its last tricks, the player's own pile and what is visible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from solver.common import mask, members
from solver.games.aqua_regia.position import View as AquaView
from solver.games.king.position import View as KingView
from solver.games.kirin.deck import DIRECTIONS, names
from solver.games.kirin.position import View as KirinView
from solver.games.kirin.position import fields_number
from solver.positions import parse_position, position_data

_OF_ALL_TRICKS = ("discard", "known", "deal_passes")  # in Aqua Regia, what follows from tricks that are forgotten


def remembering(view: BaseModel, tricks: int) -> BaseModel:
    """The view of a player who remembers the last `tricks` finished tricks and the current one.

    Of earlier tricks, the player knows only its own pile, in King × Alchemy and Kirin. It sees Kirin's direction,
    the removed cards, the field, Aqua Regia's discard pile while cards may be exchanged, and the number of cards
    in each place.
    """
    data: dict[str, Any] = position_data(view)
    history = data.get("history") or ()
    now = isinstance(view, AquaView) and bool(view.table)  # whether the last of these is still on the table
    if len(history) <= tricks + now:
        return view
    data["history"] = history[len(history) - tricks - now :]
    if isinstance(view, KirinView):
        data["direction"] = DIRECTIONS[view.past.rules.direction]
        own = view.past.won[view.seat] & ~mask(map(fields_number, _cards_of(data["history"])))
        data["won"] = [names(members(own)) if seat == view.seat else [] for seat in range(view.players)]
    elif isinstance(view, KingView):
        data["won"] = [pile if seat == view.seat else [] for seat, pile in enumerate(data["won"])]
    elif isinstance(view, AquaView):
        gone = []
        if view.drawn is not None or not view.stock_count:  # a player who may exchange looks through the pile
            gone = data.get("discard", [])
        data = {key: value for key, value in data.items() if key not in _OF_ALL_TRICKS} | {"gone": gone}
        data["history"] = data["history"] or None
    return parse_position(data)


def _cards_of(history: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for trick in history:
        yield from trick["cards"]
