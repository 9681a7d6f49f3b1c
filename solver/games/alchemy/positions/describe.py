"""Alchemy's positions for a person: labelled lines."""

from __future__ import annotations

from pydantic import BaseModel

from solver.common.words import counted
from solver.games.alchemy.cards.deck import JOKER, card, cards, points
from solver.games.alchemy.positions.duels import DuelPosition
from solver.games.alchemy.positions.known import FreePosition, SolitairePosition


def describe(position: BaseModel) -> list[tuple[str, str]]:
    """The position as labelled lines."""
    if isinstance(position, SolitairePosition):
        stock = position.unseen_ranks
        rows = [
            ("Line", f"{' '.join(position.line)}   (cap {position.cap})"),
            ("Hand", position.hand or "–"),
        ]
        label = "Unseen" if position.stock is None else "Stock"
        rows.append(
            (
                label,
                f"{' '.join(cards(stock))}   ({len(stock)} card{'s' * (len(stock) != 1)})" if stock else "empty",
            )
        )
        return rows
    if isinstance(position, DuelPosition):
        return _duel_rows(position)
    assert isinstance(position, FreePosition)
    rows = [("Line", " ".join(position.line)), ("Hand", position.hand)]
    wanted = f"at least {counted(position.min_line, 'line card')}"
    if position.cards is not None:
        wanted += f", exactly {position.cards}"
    return [
        *rows,
        ("Match", wanted + (f"; best: {position.objective.replace('-', ' ')}" if position.objective else "")),
    ]


def _duel_rows(position: DuelPosition) -> list[tuple[str, str]]:
    jokers, grab = position.table_jokers, position.grab
    line = " ".join(position.line) or "–"
    rows = [("Line", line + (f"   (jokers set aside: {jokers})" if jokers else ""))]
    if grab is not None:
        rows.append(("Grabbed", f"{('you', 'the opponent')[grab[0]]} {grab[1]}"))
        rows.append(("Left", " ".join(cards(position.left_ranks)) or "–"))
    for seat, (label, pile) in enumerate(zip(("You", "Opponent"), position.piles, strict=True)):
        won = f"{counted(len(pile), 'card')}, {counted(points(pile), 'point')}"
        if position.over:
            rows.append((label, f"pile: {won}"))
        else:
            hand = position.hands[seat]
            rows.append((label, f"{'a joker' if hand == JOKER else card(hand)}   (pile: {won})"))
    if position.totals is not None:
        rows.append(("Race", f"you {position.totals[0]}, the opponent {position.totals[1]}, to 100"))
    if position.totals is not None or position.stock is not None:
        rows.append(("Deck", counted(len(position.unseen_ranks), "card")))
    return rows
