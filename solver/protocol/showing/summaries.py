"""What a finished round brought, and how a match stands, in sentences for one of the players."""

from __future__ import annotations

from collections.abc import Sequence

from solver.common.words import counted, seats_named


def match_summary(
    rounds: Sequence[Sequence[int]],
    you: int | None,
    *,
    finished: bool,
    of: int | None = None,
    unit: tuple[str, str] = ("point", "points"),
) -> list[str]:
    """The last of some rounds, at least one, each with a score a seat; then the totals, and who wins the match.

    `you` is the seat that is addressed, None: nobody is. `of` is how many rounds a match has, where that is fixed.
    `unit` names one and several of the score.
    """
    told = [f"In this round {_told(rounds[-1], you, unit)}."]
    totals = [sum(scores) for scores in zip(*rounds, strict=True)]
    if len(rounds) > 1:
        played = f"{len(rounds)} of {of}" if of and not finished else str(len(rounds))
        told.append(f"After {played} rounds {_told(totals, you, unit)} in all.")
    if finished:
        winners = [seat for seat, total in enumerate(totals) if total == max(totals)]
        verb = "share" if len(winners) > 1 else "win" if winners == [you] else "wins"
        told.append(f"{_capital(named(winners, you))} {verb} the match.")
    return told


def named(seats: Sequence[int], you: int | None) -> str:
    """Some seats, one at least, in a sentence: you, seat 1, you and seats 1, 2."""
    others = [seat for seat in seats if seat != you]
    parts = ["you"] * (len(others) < len(seats)) + ([seats_named(others)] if others else [])
    return " and ".join(parts)


def _told(scores: Sequence[int], you: int | None, unit: tuple[str, str]) -> str:
    """Who has how much, the most first: "seat 2 has 5 points, you have 3, seats 0, 1 have none each"."""
    parts: list[str] = []
    for score in sorted(set(scores), reverse=True):
        seats = [seat for seat, own in enumerate(scores) if own == score]
        verb = "have" if len(seats) > 1 or seats == [you] else "has"
        number = counted(score, *unit) if not parts else str(score)
        parts.append(f"{named(seats, you)} {verb} {number}" + " each" * (len(seats) > 1))
    return ", ".join(parts)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
