"""Rounds at real tables: how one begins for a player, and what that player sees of it, in the order of play."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from athanor.sessions import Saved, Session
from solver import registry
from solver.positions import text_of
from tests.journeys.table import Row
from tests.support.observed import played_out

SEATS = {"king": "unpicked", "kirin": "undeclared"}  # the variants in which a round begins with its first choice
SEED = 1  # of rounds in which the whole stock of a solitaire is drawn, and nobody draws long in Aqua Regia
TURNED = re.compile("A|[0-9]+|J|Q|K")  # a card of Alchemy that is turned up


class Seen(NamedTuple):
    """A round that seat 0 sees: the keys that it begins with, and lines to type."""

    start: list[str]
    lines: list[str]


def seen_at(row: Row, dealt: str) -> Seen:
    """A round; of a game that is not known to this process, the one of the table, as it was `dealt` to seat 0."""
    if row.record:
        return Seen(_start(dealt, row.variant), row.record.split())
    if row.game == "alchemy":
        return _of_alchemy(row)
    moves = list(
        played_out(row.game, row.players or registry.game(row.game).players[0], SEATS.get(row.game), SEED)
    )
    view = registry.game(row.game).view(moves[0][0], 0)
    return Seen(_start(text_of(view), row.variant), [text for _, _, told in moves if told for text in told[0]])


def missed_at(row: Row) -> Seen:
    """A round of Kirin or Aqua Regia in which seat 0 misses a card of another one, and says what is seen of it."""
    moves: list[Any] = list(played_out(row.game, row.players, SEATS.get(row.game), SEED))
    seen: list[tuple[Any, list[str]]] = [(position, [*told[0]]) for position, _, told in moves if told]
    plays = [at for at, (position, lines) in enumerate(seen) if position.seat_to_move and lines == [moves[at][1]]]
    missed = next(at for at in plays[len(plays) // 2 :] if getattr(seen[at + 1][0], "trick", True))
    left = len(seen[missed + 1][0].hands[seen[missed][0].seat_to_move])
    seen[missed][1][:] = ["?" if row.game == "kirin" else f"?{left}"]
    if row.game == "kirin":
        last, after = next((at, at + 1) for at in range(missed, len(seen)) if not seen[at + 1][0].trick)
        taken = seen[after][0]
        seen[last][1].append(f"{taken.seat_to_move}{'+' if taken.direction == 'ascending' else '-'}")
    view = registry.game(row.game).view(moves[0][0], 0)
    return Seen(_start(text_of(view), row.variant), [line for _, lines in seen for line in lines])


def _start(line: str, variant: str) -> list[str]:
    """The keys of a view that is written as a line."""
    return [variant, *(word for word in line.split()[1:] if "=" in word and not word.startswith("unseen="))]


def _of_alchemy(row: Row) -> Seen:
    """Each move, and then the cards that are turned up."""
    session = Session(Saved(game=row.game, variant=row.variant, seed=SEED, rounds=1, seconds=1))
    view = session.round.seen(0)
    assert view is not None
    lines = []
    while not session.over:
        before, move = session.round, session.round.moves()[0]
        lines.append(f"{before.to_move}:{move}" if before.to_move else move)
        session.play(move)
        stock, left = (getattr(state.position, "stock", None) or () for state in (before, session.round))
        lines.extend(stock[: len(stock) - len(left)])
    return Seen(_start(text_of(view), row.variant), lines)
