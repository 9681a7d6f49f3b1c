"""The score of a round of Aqua Regia, and of a match: rounds won; equal totals share."""

from __future__ import annotations

from pydantic import BaseModel

from solver.common.control import Control
from solver.games.aqua_regia.answers import AquaScore
from solver.games.aqua_regia.positions.records import AquaRecord
from solver.tricks.plain.records import leaders_of, totals_of


def score(record: BaseModel, _control: Control | None = None) -> AquaScore:
    assert isinstance(record, AquaRecord)
    rounds = tuple(tuple(int(count == 0) for count in played.left) for played in record.rounds)
    totals = totals_of(rounds)
    return AquaScore(game="aqua-regia", rounds=rounds, totals=totals, leaders=leaders_of(totals))
