"""The score of a round of Aqua Regia, and of a match: rounds won; equal totals share."""

from __future__ import annotations

from pydantic import BaseModel

from solver.games.aqua_regia.answers import AquaScore
from solver.games.aqua_regia.positions.records import AquaRecord


def score(record: BaseModel) -> AquaScore:
    assert isinstance(record, AquaRecord)
    rounds = tuple(tuple(int(count == 0) for count in played.left) for played in record.rounds)
    totals = tuple(map(sum, zip(*rounds, strict=True)))
    leaders = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    return AquaScore(game="aqua-regia", rounds=rounds, totals=totals, leaders=leaders)
