"""The score of a round of kirin, and of a match of three; equal totals share the win."""

from __future__ import annotations

from pydantic import BaseModel

from solver.common.control import Control
from solver.games.kirin.answers import KirinScore, Scores
from solver.games.kirin.cards.rules import ROUNDS, points
from solver.games.kirin.positions.fields import four
from solver.games.kirin.positions.records import KirinRecord, KirinRound, KirinSheet
from solver.protocol.showing.sheets import SheetScore, leaders_of, sheet_score, totals_of

AnyScore = KirinScore | SheetScore


def round_score(played: KirinRound, *, declared_counts: bool) -> Scores:
    """The points of each seat: cards won of the colour collected and, by the option, the card set aside."""
    return four(won + declared_counts for won in points(played.piles, played.colours))


def score(record: BaseModel, _control: Control | None = None) -> KirinScore | SheetScore:
    """The score of a record or of a score sheet."""
    if isinstance(record, KirinSheet):
        return sheet_score("kirin", record)
    assert isinstance(record, KirinRecord)
    rounds = tuple(round_score(played, declared_counts=record.declared_counts) for played in record.rounds)
    totals = four(totals_of(rounds))
    finished = len(rounds) == ROUNDS
    return KirinScore(
        game="kirin",
        declared_counts=record.declared_counts,
        rounds=rounds,
        totals=totals,
        winners=leaders_of(totals) if finished else None,
        finished=finished,
    )
