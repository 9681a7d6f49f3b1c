"""Kirin's positions as labelled lines for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from pydantic import BaseModel

from solver.common.masks import members
from solver.games.kirin.cards.deck import COLOUR_NAMES, COLOURS, DIRECTIONS, colour, is_kirin, names
from solver.games.kirin.cards.readings import extra_points
from solver.games.kirin.cards.rules import SEATS, TRICKS, points
from solver.games.kirin.positions.declarations import DeclarePosition, DeclareView
from solver.games.kirin.positions.fields import NOT_YET, number
from solver.games.kirin.positions.known import KnownPosition, View
from solver.games.kirin.positions.moves import as_kirin
from solver.tricks.plain.describe import trick_text


def _collects(text: str) -> str:
    which = colour(number(text))
    return f"collects {COLOURS[which]}, {COLOUR_NAMES[which]} (set aside: {text})"


def _seat_row(position: KnownPosition, seat: int) -> str:
    hand = " ".join(sorted(position.hands[seat], key=number)) or "–"
    won = position.points[seat] + extra_points(position.rules)
    marks = [_collects(position.declared[seat]), f"{won} point{'s' * (won != 1)} so far"]
    if not position.state.over:
        marks += ["leads"] * (seat == position.leader) + ["to move"] * (seat == position.seat_to_move)
    return f"{hand}   ({'; '.join(marks)})"


_ORDER = {
    "ascending": "ascending (D > S > B > G, 6 > … > 1)",
    "descending": "descending (G > B > S > D, 1 > … > 6)",
}


def _trick_row(leader: int, trick: Sequence[str]) -> str:
    return trick_text(leader, SEATS, trick) or "none yet"


def _last_trick_row(position: View) -> str:
    """The trick before, and who took it: the seat that leads now, unless it was four kirin."""
    last = position.history[-1]
    cards = _trick_row(last.leader, last.cards)
    if all(is_kirin(number(text)) for text in last.cards):
        return f"{cards}; nobody took it"
    return f"{cards}; seat {position.leader} took it"


def _won_rows(position: View) -> list[tuple[str, str]]:
    """The piles, with the points of the viewer's own: what the others collect is hidden."""
    won = position.past.won
    own = points(won, [colour(number(position.declared))] * SEATS)[position.seat] + extra_points(position.rules)
    rows = []
    for seat, pile in enumerate(won):
        if pile:
            mark = f"   ({own} point{'s' * (own != 1)})" if seat == position.seat else ""
            rows.append((f"Seat {seat} won", " ".join(names(members(pile))) + mark))
    return rows


def describe(position: BaseModel) -> list[tuple[str, str]]:
    """The position as labelled lines."""
    match position := as_kirin(position):
        case KnownPosition():
            rows = [("Direction", _ORDER[position.direction])]
            rows += [(f"Seat {seat}", _seat_row(position, seat)) for seat in range(SEATS)]
            return [*rows, ("Trick", _trick_row(position.leader, position.trick))]
        case DeclarePosition():
            rows = []
            for seat, hand in enumerate(position.hands):
                declared = position.declared[seat]
                state = "has set nothing aside yet" if declared == NOT_YET else _collects(declared)
                asked = "; to choose now" if seat == position.seat else ""
                rows.append((f"Seat {seat}", f"{' '.join(sorted(hand, key=number))}   ({state}{asked})"))
            return [*rows, ("Leader", f"seat {position.leader}")]
        case View():
            past = position.past
            rows = [
                *position.match_rows,
                ("You", f"seat {position.seat}; {_collects(position.declared)}"),
                ("Hand", " ".join(sorted(position.hand, key=number)) or "–"),
                ("Direction", _ORDER[DIRECTIONS[past.rules.direction]]),
                ("Trick", _trick_row(position.leader, position.trick)),
                ("Tricks", f"{len(position.history)} of {TRICKS} played"),
            ]
            if position.history:
                rows.append(("Last trick", _last_trick_row(position)))
            unseen = " ".join(names(members(position.unseen))) or "–"
            return [*rows, *_won_rows(position), ("Unseen", unseen)]
        case DeclareView():
            return [
                *position.match_rows,
                ("You", f"seat {position.seat}; to set a card aside"),
                ("Hand", " ".join(sorted(position.hand, key=number))),
                ("Leader", f"seat {position.leader}"),
            ]
        case _:
            assert_never(position)
