"""Positions of a plain game of tricks as labelled lines for a person."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from solver.common.words import counted
from solver.tricks.plain.positions import KnownPosition, View

Rows = list[tuple[str, str]]
NONE = "–"


def trick_text(leader: int, players: int, texts: Sequence[str]) -> str:
    """The plays of a trick with their seats: seat 3 D6, seat 0 B4."""
    return ", ".join(f"seat {(leader + place) % players} {text}" for place, text in enumerate(texts))


def describe(position: BaseModel) -> Rows:
    """The position as labelled lines; `about` has the game's own."""
    assert isinstance(position, KnownPosition | View)
    return _known(position) if isinstance(position, KnownPosition) else _seen(position)


def _known(position: KnownPosition) -> Rows:
    over = not any(position.hands)
    rows = list(position.about)
    for seat, hand in enumerate(position.hand_masks):
        marks = [f"{counted(position.points[seat], 'point')} so far"]
        marks += ["to move"] * (seat == position.seat_to_move and not over)
        rows.append((f"Seat {seat}", f"{_listed(position, hand)}   ({'; '.join(marks)})"))
    return [*rows, _trick_row(position)]


def _seen(position: View) -> Rows:
    rows = [("You", f"seat {position.seat}"), ("Hand", _listed(position, position.hand_mask)), *position.about]
    rows += [_trick_row(position), ("Tricks", f"{len(position.history)} of {position.whole_hand} played")]
    if position.history:
        last = position.history[-1]
        plays = trick_text(last.leader, position.players, last.cards)
        rows.append(("Last trick", f"{plays}; seat {position.leader} leads now"))
    points = position.trick_rules.points(position.past.won)
    rows += [
        (f"Seat {seat} won", f"{_listed(position, pile)}   ({counted(points[seat], 'point')})")
        for seat, pile in enumerate(position.past.won)
        if pile
    ]
    return rows


def _listed(position: KnownPosition | View, cards: int) -> str:
    return " ".join(position.trick_rules.names(cards)) or NONE


def _trick_row(position: KnownPosition | View) -> tuple[str, str]:
    plays = trick_text(position.leader, position.players, position.trick)
    return "Trick", plays or f"none yet; seat {position.leader} leads"
