"""Win rates in parts: the counts of a range of deals, and what the counts of many ranges come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.common.control import Control
from solver.games.alchemy.surveys.policies import POLICIES
from solver.games.alchemy.surveys.winrate import PolicyShare, Share, WinrateResult, played, share_of, winrate
from solver.inputs.errors import RequestError
from solver.protocol.answers import Answer
from solver.protocol.survey import Row


def part(variant: str, *, seed: int, number: int, deals: int, control: Control) -> Iterator[Row]:
    """One row: how many of a range of deals can be won, and what simple players win of those that they play."""
    found = winrate(variant, deals=deals, seed=seed, number=number, control=control)
    yield {
        "number": number,
        "deals": found.deals,
        "left": _left(found),
        "nodes": found.nodes,
        "policies": _told(found.policies),
    }


def merged(variant: str, seed: int, rows: Iterable[Row]) -> WinrateResult:
    """What `winrate` of all the deals at once would have come to. Raises RequestError for overlapping ranges."""
    counted = in_order(rows)
    return WinrateResult(
        variant=variant,
        seed=seed,
        finished=without_gaps(counted),
        nodes=sum(row["nodes"] for row in counted),
        seconds=None,
        deals_per_second=None,
        policies=_policies(counted),
        **_together(row["left"] for row in counted),
    )


class Policies(Answer):
    """What simple players win who do not see the stock, all of them of the same deals."""

    variant: str
    seed: int
    deals: int
    finished: bool
    policies: tuple[PolicyShare, ...]


def policies_part(variant: str, *, seed: int, number: int, deals: int, control: Control) -> Iterator[Row]:
    """One row: how simple players do in a range of deals."""
    found = played(variant, deals=deals, seed=seed, number=number, control=control)
    yield {"number": number, "deals": deals, "policies": _told(found)}


def policies_merged(variant: str, seed: int, rows: Iterable[Row]) -> Policies:
    """What the rows of many ranges come to. Raises RequestError for overlapping ranges."""
    counted = in_order(rows)
    return Policies(
        variant=variant,
        seed=seed,
        deals=sum(row["deals"] for row in counted),
        finished=without_gaps(counted),
        policies=_policies(counted),
    )


def in_order(rows: Iterable[Row]) -> list[Row]:
    """Rows of ranges of deals by their first deal. Raises RequestError for deals that are counted twice."""
    counted = sorted(rows, key=lambda row: row["number"])
    for row, following in pairwise(counted):
        if row["number"] + row["deals"] > following["number"]:
            raise RequestError("duplicate", f"deal {following['number']} is counted twice")
    return counted


def without_gaps(counted: list[Row]) -> bool:
    """Whether ranges in order begin with deal 0 and leave none out."""
    ends = [0, *(row["number"] + row["deals"] for row in counted)]
    return all(row["number"] == end for row, end in zip(counted, ends, strict=False))


def _left(share: Share) -> list[int]:
    """How many deals ended with each number of stock cards left: with 0 they were won."""
    return [share.won, *share.lost_at[1:]]


def _told(policies: Iterable[PolicyShare]) -> list[dict[str, Any]]:
    return [{"name": one.name, "deals": one.deals, "left": _left(one)} for one in policies]


def _policies(rows: list[Row]) -> tuple[PolicyShare, ...]:
    return tuple(
        PolicyShare(
            name=name,
            description=description,
            **_together(played["left"] for row in rows for played in row["policies"] if played["name"] == name),
        )
        for name, (_, description) in POLICIES.items()
    )


def _together(counts: Iterable[list[int]]) -> dict[str, Any]:
    left: NDArray[np.int64] = np.sum(list(counts), axis=0, dtype=np.int64)
    return share_of(int(left.sum()), left)
