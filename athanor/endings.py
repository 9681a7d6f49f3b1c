"""The end of a round at a real table: its score as far as it is known, the match, the next round's beginning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from athanor.sessions import Session
from solver.answers import Answer, LeftOver
from solver.errors import RequestError
from solver.language import say
from solver.positions import position_data
from solver.rounds_in_play import playing_of

_OF_THE_TABLE = ("game", "variant", "players", "seat", "deck", "rules", "for_match")  # alike in every round


class TableEnd(Answer):
    """How a round at a real table ended. Numbers that are unknown are null."""

    match_round: int
    recorded_round: int
    seat: int
    points: tuple[int | None, ...]
    totals: tuple[int | None, ...] | None
    unit: str
    summary: tuple[str, ...]
    decided_by: str | None = None
    won: bool | None = None
    left_over: LeftOver | None = None
    finished: bool
    next_round: dict[str, Any] | None = None


def end_of(session: Session) -> TableEnd:
    """Return how the last round of a game at a real table ended.

    Raises RequestError if that round is not over, or if it was not played at a real table.
    """
    at = session.number
    first, last = session.states(at)[0], session.states(at)[-1]
    if not session.over or last.seat is None:
        raise RequestError("not_applicable", say("this is no round at a real table that is over"), "match")
    playing = playing_of(session.game)
    start: Any = first.position
    end = session.end(at) or last
    alone = end.players == 1
    points = session.points(at)
    before = getattr(start, "totals", None)
    if before is None:
        earlier = [session.points(number) for number in range(at)]
        missed = (getattr(start, "round", None) or 1) > at + 1  # rounds of the match that were not followed
        totals = [None if missed else _sum(column) for column in zip(*earlier, points, strict=True)]
    else:
        totals = [_sum(pair) for pair in zip(before, points, strict=True)]
    number = getattr(start, "round", None) or at + 1
    finished = playing.wins_match(number, totals)
    return TableEnd(
        match_round=number,
        recorded_round=at + 1,
        seat=session.seat,
        points=tuple(points),
        totals=None if alone else tuple(totals),
        unit="chance" if end.unit == "chance" else "points",
        summary=tuple(_summary(session)),
        decided_by=session.decided(),
        won=session.won(),
        left_over=playing.left_over(last.position),
        finished=finished,
        next_round=None if finished else _next(session, start, last.position, number, totals),
    )


def _sum(numbers: Any) -> int | None:
    return None if None in numbers else sum(numbers)


def _summary(session: Session) -> list[str]:
    """Return sentences about all rounds of the match if they are known from the first on, else about the last."""
    ends = [end for number in range(session.number + 1) if (end := session.end(number)) is not None]
    last = session.end(session.number)
    if last is None:
        outcome = session.outcome()
        return [] if outcome is None else [outcome]
    start: Any = session.states(0)[0].position
    begun = (getattr(start, "round", None) or 1) > 1 or any(getattr(start, "totals", None) or ())
    alone = last.players == 1
    whole = not (begun or alone) and len(ends) == session.number + 1
    you = None if alone else session.seat
    return list(playing_of(session.game).summary(ends if whole else [last], you))


def _next(session: Session, start: Any, end: Any, number: int, totals: Sequence[int | None]) -> dict[str, Any]:
    """Return the keys of the next round's first position that follow from this round's."""
    data = position_data(start)
    keys = {key: data[key] for key in _OF_THE_TABLE if key in data}
    keys |= {"players": session.round.players} if hasattr(start, "seat") else {}
    keys |= playing_of(session.game).next_leader(end)
    if session.round.players > 1 and hasattr(start, "totals") and None not in totals:
        keys["totals"] = list(totals)
        if hasattr(start, "round"):
            keys["round"] = number + 1
    else:
        keys.pop("for_match", None)
    return keys
