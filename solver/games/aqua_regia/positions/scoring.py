"""The score of a round of Aqua Regia, and of a match: rounds won; equal totals share."""

from __future__ import annotations

from pydantic import BaseModel

from solver.common.control import Control
from solver.games.aqua_regia.answers import AquaScore
from solver.games.aqua_regia.positions.records import AquaRecord, AquaSheet
from solver.protocol.showing.sheets import SheetScore, leaders_of, sheet_score, totals_of

AnyScore = AquaScore | SheetScore


def score(record: BaseModel, _control: Control | None = None) -> AquaScore | SheetScore:
    """The score of a record or of a score sheet."""
    if isinstance(record, AquaSheet):
        return sheet_score("aqua-regia", record)
    assert isinstance(record, AquaRecord)
    rounds = tuple(tuple(int(count == 0) for count in played.left) for played in record.rounds)
    totals = totals_of(rounds)
    return AquaScore(game="aqua-regia", rounds=rounds, totals=totals, leaders=leaders_of(totals))
