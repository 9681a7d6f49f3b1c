"""Causes of a lead: found where the same worlds show them beyond doubt, and none where they do not."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from solver.answers import figures, percent
from solver.hints.causes import (
    LAST,
    SURE_OF_FEW,
    Claim,
    Noted,
    Predicate,
    Witness,
    after,
    behind,
    certain,
    part,
    where,
    why,
)
from solver.hints.ranking import CHANCE, POINTS, Lead, sureness
from solver.hints.unknown import worth_of_knowing
from solver.kernels.words import Floats
from tests.hints.paired_sums import sums_of

WORLDS, BATCH = 1200, 20
RANDOM = np.random.default_rng(3)
BEATEN = RANDOM.random(WORLDS) < 0.4  # the next best move loses two points where it is beaten
LUCK = RANDOM.normal(size=WORLDS)
AHEAD = Lead(0, 1, 0.8, 0.05)


def noted_of(gain: Floats) -> Noted:
    """Two moves, the first of which brings so much more in each world, noted in batches."""
    results = np.zeros((WORLDS, 2, 1))
    results[:, 0, 0] = gain
    witness = Witness()
    for first in range(0, WORLDS, BATCH):
        part_of = results[first : first + BATCH]
        witness.note(first, part_of, np.arange(first, first + BATCH)[:, None])
    witness.note(WORLDS, results[:BATCH] + 100, np.zeros((BATCH, 1), np.int64))  # played, but not counted
    noted = witness.noted(WORLDS, chained=True)
    assert noted is not None
    assert noted.words[:, 0].tolist() == list(range(WORLDS))
    return noted


def row(code: str, *claims: Claim, about: str = "", rank: int = 0, sentence: str = "{share}.") -> Predicate[None]:
    def made(_scene: None) -> Iterable[Claim]:
        return claims

    return Predicate(code, sentence, made, about or code, rank, SURE_OF_FEW if rank == LAST else 4.0)


def codes(noted: Noted, *rows: Predicate[None]) -> list[str]:
    return [told.cause.code for told in behind(rows, None, noted, AHEAD)]


def test_a_planted_cause_is_found_and_an_absent_one_is_not() -> None:
    noted = noted_of(np.where(BEATEN, 2.0, 0.0) + 0.1 * LUCK)
    table = (
        row("absent", where(LUCK > 0)),
        row("planted", where(BEATEN, card="BT"), sentence="A later player can beat {card} in {deals}."),
    )
    [told] = behind(table, None, noted, AHEAD)
    assert told.cause.to_dict() == {"code": "planted", "card": "BT", "share": round(BEATEN.mean(), 6)}
    assert told.text == f"A later player can beat BT in {100 * BEATEN.mean():.0f}% of deals."


def test_no_cause_that_luck_may_have_made_or_that_leaves_most_of_the_lead() -> None:
    assert codes(noted_of(np.where(BEATEN, 2.0, 1.5) + 0.1 * LUCK), row("beaten", where(BEATEN))) == []
    random = np.random.default_rng(4)
    luck = [where(random.random(WORLDS) < 0.5) for _ in range(200)]
    assert codes(noted_of(0.3 + 3 * LUCK), row("luck", *luck)) == []


def test_too_few_worlds_show_nothing() -> None:
    rare = np.zeros(WORLDS, np.bool_)
    rare[:20] = True
    assert codes(noted_of(np.where(rare, 50.0, 0.0) + 0.001), row("rare", where(rare))) == []
    witness = Witness()
    witness.note(0, np.ones((BATCH, 2, 1)), np.zeros((BATCH, 1), np.int64))
    assert witness.noted(BATCH, chained=True) is None
    assert witness.noted(BATCH, chained=False) is None


def test_what_a_move_does_counts_only_where_it_does_so_more_often() -> None:
    turns = RANDOM.random((2, WORLDS)) < [[0.6], [0.2]]
    noted = noted_of(turns[0] * 1.0 - turns[1])
    assert codes(noted, row("turns", after(turns[0], turns[1]))) == ["turns"]
    assert codes(noted, row("other turns", after(turns[1], turns[0]))) == []


def test_a_part_of_a_lead_is_a_cause_where_the_rest_is_at_most_half_of_it() -> None:
    now, later = np.where(BEATEN, 2.0, 0.0), 0.3 + 0.1 * LUCK
    noted = noted_of(now + later)
    assert codes(noted, row("now", part(now), sentence="now"), row("later", part(later), sentence="later")) == [
        "now"
    ]
    noisy = LUCK * 20 + 0.4  # the mean is above half of the lead, but may be luck
    assert codes(noted_of(np.full(WORLDS, 0.5)), row("noisy", part(noisy), sentence="noisy")) == []


def test_at_most_two_causes_about_different_things_and_the_last_rank_only_alone() -> None:
    noted = noted_of(np.where(BEATEN, 2.0, 0.0) + 0.1 * LUCK)
    last = row("last", part(noted.scores[:, 0]), rank=LAST, sentence="last")
    holds = [BEATEN, BEATEN, BEATEN | (RANDOM.random(WORLDS) < 0.2), BEATEN]
    rows = [row(f"row {place}", where(holds[place]), about=about) for place, about in enumerate("aabc")]
    assert codes(noted, last, *rows) == ["row 0", "row 2"]
    assert codes(noted, rows[0], rows[3]) == ["row 0"]  # the same worlds say nothing new
    assert codes(noted, last) == ["last"]
    whole = row("whole", certain(move="A"), sentence="{move}")
    assert codes(noted, whole, *rows) == ["whole"]
    assert codes(noted_of(np.where(BEATEN, -1.0, 0.0)), whole, *rows) == ["whole"]


def test_a_chain_shows_less_than_as_many_worlds_drawn_apart() -> None:
    """Worlds of a batch that are all alike count as one."""
    half = np.repeat(RANDOM.random(WORLDS // BATCH) < 0.5, BATCH)
    by_batch = np.repeat(RANDOM.normal(size=WORLDS // BATCH), BATCH)
    gain = by_batch - by_batch[half].mean() * half - by_batch[~half].mean() * ~half + 0.1 + 0.5 * half
    results = np.stack([gain, gain * 0], axis=1)[:, :, None]
    apart = Noted(results, np.zeros((WORLDS, 0), np.int64), np.arange(WORLDS))
    chained = apart._replace(batches=np.repeat(np.arange(WORLDS // BATCH), BATCH))
    assert codes(apart, row("half of them", where(half))) == ["half of them"]
    assert codes(chained, row("half of them", where(half))) == []


# ----------------------------------------------------------------------------------------------------
# How sure, and the words of it.


@pytest.mark.parametrize(
    ("ahead", "unit", "sure"),
    [
        (None, POINTS, "only"),
        (Lead(0, 1, 0.5, 0.3), POINTS, "close"),
        (Lead(0, 1, 0.15, 0.01), POINTS, "slight"),
        (Lead(0, 1, 0.5, 0.1), POINTS, "clear"),
        (Lead(0, 1, 0.15, 0.01), CHANCE, "clear"),
        (Lead(0, 1, 0.01, 0.001), CHANCE, "slight"),
        (Lead(0, 1, 0.0, 0.0), CHANCE, "close"),
    ],
)
def test_how_sure_a_lead_is(ahead: Lead | None, unit: object, sure: str) -> None:
    assert sureness(ahead, unit) == sure  # type: ignore[arg-type]


def test_reasons_without_a_cause() -> None:
    luck = np.random.default_rng(1).normal(size=(50, 1))
    even = why(["D6", "S1", "B+"], sums_of(np.hstack([luck, luck * 0 + 0.01, luck * 0 - 1])), (), POINTS)
    moves = "S1 or D6" if luck.mean() < 0.01 else "D6 or S1"
    assert even.sure == "close"
    assert [cause.code for cause in even.causes] == ["close"]
    assert even.reason.startswith(f"{moves}: too close to call (")
    one = why(["S4"], sums_of(np.full((3, 1), 2.5)), (), POINTS)
    assert (one.sure, one.reason) == ("only", "S4 is the only legal move.")
    clear = why(["A1", "A2"], sums_of(np.hstack([luck * 0, luck * 0 + 1])), (), POINTS)
    assert clear.reason == "A2 brings 1.0 points on average, A1 0.0 points."
    same = np.zeros((20_000, 1))
    chances = why(["A1", "A2"], sums_of(np.hstack([same + 0.49, same + 0.5])), (), CHANCE)
    assert chances.reason == "A2 wins in 50% of games, A1 in 49%."


def test_numbers_have_the_digits_that_mean_something() -> None:
    assert [percent(value) for value in (0, 0.0004, 0.031, 0.05, 0.666, 0.962, 0.9999, 1)] == [
        "0%", "under 0.1%", "3.1%", "5%", "67%", "96.2%", "over 99.9%", "100%",
    ]  # fmt: skip
    assert figures(2.34) == ["2.3"]
    assert figures(2.34, 2.31) == ["2.34", "2.31"]
    assert figures(-0.01, 1) == ["0.0", "1.0"]


# ----------------------------------------------------------------------------------------------------
# Words of reasons: moves that can't be told apart are named together.


def test_of_many_equal_moves_the_rest_is_counted() -> None:
    moves = ["D6", "S1", "B+", "G2", "G3"]
    found = why(moves, sums_of(np.ones((9, 5))), (), CHANCE)
    assert found.reason == "With D6, S1 or 3 others, a win is almost certain."
    assert found.causes[0].moves == tuple(moves)


# ----------------------------------------------------------------------------------------------------
# What knowing is worth, where the truth is known.


@pytest.mark.parametrize(("effect", "truth"), [(0.0, 0.0), (0.4, 0.05), (1.0, 0.2)])
def test_worth_of_knowing(effect: float, truth: float) -> None:
    """A fact is so in one world of four, and there the second move is `effect` better, and else 0.2 worse."""
    rng = np.random.default_rng(1)
    facts = rng.random((4000, 20)) < 0.25
    second = np.where(facts[:, 3], -0.2 + effect, -0.2)
    scores = np.stack([np.zeros(4000), second], axis=1) + rng.normal(size=(4000, 2))
    noted = Noted(scores[:, :, None], np.zeros((4000, 0), np.int64), np.repeat(np.arange(250), 16))
    worth = worth_of_knowing(noted, facts, 0)
    assert worth is not None
    mean, error = worth
    assert abs(mean - truth) < 1.96 * error + 0.01


def test_few_worlds_tell_nothing() -> None:
    noted = Noted(np.zeros((40, 2, 1)), np.zeros((40, 0), np.int64), np.arange(40) // 2)
    assert worth_of_knowing(noted, np.zeros((40, 3), np.bool_), 0) is None
    assert worth_of_knowing(None, np.zeros((40, 3), np.bool_), 0) is None
