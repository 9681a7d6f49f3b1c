"""Causes of a lead: told where the same worlds show them beyond doubt, and nothing where they do not."""

from __future__ import annotations

import numpy as np
import pytest

from solver.hints.causes import Cause, Noted, Witness, shown, told
from solver.hints.ranking import Lead, Sums, lead
from solver.kernels.words import Floats

pytestmark = [pytest.mark.small, pytest.mark.plain]

WORLDS, BATCH = 1200, 20
RANDOM = np.random.default_rng(3)
BEATEN = RANDOM.random(WORLDS) < 0.4  # the next best move loses two points where it is beaten
LUCK = RANDOM.normal(size=WORLDS)


def noted_of(gain: Floats) -> tuple[Noted, Lead]:
    """Two moves, the first of which brings so much more in each world, noted in batches out of order."""
    results = np.zeros((WORLDS, 2, 1))
    results[:, 0, 0] = gain
    witness, sums = Witness(), Sums(2, 1)
    for first in range(0, WORLDS, BATCH):
        part = results[first : first + BATCH]
        sums.add(part, np.ones(BATCH), chained=True)
        words = np.arange(first, first + BATCH)[:, None]
        witness.note(first, part, words)
    witness.note(WORLDS, results[:BATCH] + 100, np.zeros((BATCH, 1), np.int64))  # played, and not counted any more
    noted, ahead = witness.noted(sums), lead(sums, 2)
    assert noted is not None
    assert ahead is not None
    assert noted.words[:, 0].tolist() == list(range(WORLDS))
    return noted, ahead


def test_a_cause_is_told_with_the_leads_in_its_worlds_and_elsewhere() -> None:
    gain = np.where(BEATEN, 2.0, 0.0) + 0.1 * LUCK
    noted, ahead = noted_of(gain)
    found = shown(noted, ahead, [Cause("nothing", LUCK > 0), Cause("it is beaten", BEATEN)])
    assert found is not None
    assert (found.what, found.differing) == ("it is beaten", False)
    wanted = BEATEN.mean(), gain[BEATEN].mean(), gain[~BEATEN].mean()
    assert (found.share, found.inside, found.outside) == pytest.approx(wanted)
    assert told(found, "points").startswith(" This is because it is beaten: the lead is 2.0")


def test_nothing_is_told_that_luck_may_have_made_or_that_leaves_most_of_the_lead() -> None:
    noted, ahead = noted_of(np.where(BEATEN, 2.0, 1.5) + 0.1 * LUCK)
    assert shown(noted, ahead, [Cause("it is beaten", BEATEN)]) is None
    noted, ahead = noted_of(0.3 + 3 * LUCK)
    random = np.random.default_rng(4)
    luck = [Cause("luck", random.random(WORLDS) < 0.5) for _ in range(200)]
    assert shown(noted, ahead, luck) is None
    assert told(None, "points") == ""


def test_too_few_worlds_on_a_side_tell_nothing() -> None:
    rare = np.zeros(WORLDS, np.bool_)
    rare[:20] = True
    noted, ahead = noted_of(np.where(rare, 50.0, 0.0) + 0.001)
    assert shown(noted, ahead, [Cause("rare", rare)]) is None
    witness, sums = Witness(), Sums(2, 1)
    part = np.ones((BATCH, 2, 1))
    sums.add(part, np.ones(BATCH), chained=True)
    witness.note(0, part, np.zeros((BATCH, 1), np.int64))
    assert witness.noted(sums) is None


def test_what_a_move_does_counts_only_where_it_does_so_more_often() -> None:
    turns = RANDOM.random((2, WORLDS)) < [[0.6], [0.2]]
    noted, ahead = noted_of(turns[0] * 1.0 - turns[1])
    more = Cause("it turns the order", turns[0] & ~turns[1], turns[1] & ~turns[0])
    found = shown(noted, ahead, [more, Cause("the other does", more.against, more.holds)])  # type: ignore[arg-type]
    assert found is not None
    assert (found.what, found.differing, found.outside) == ("it turns the order", True, 0.0)
    assert "where the two differ in that, and nothing elsewhere." in told(found, "points")
    assert shown(noted, ahead, [Cause("the other does", more.against, more.holds)]) is None  # type: ignore[arg-type]


def test_a_chain_tells_less_than_as_many_worlds_drawn_apart() -> None:
    """Worlds of a batch that are all alike count as one."""
    half = np.repeat(RANDOM.random(WORLDS // BATCH) < 0.5, BATCH)
    by_batch = np.repeat(RANDOM.normal(size=WORLDS // BATCH), BATCH)
    gain = by_batch - by_batch[half].mean() * half - by_batch[~half].mean() * ~half + 0.1 + 0.5 * half
    apart = Noted(np.stack([gain, gain * 0], axis=1), np.zeros((WORLDS, 0), np.int64), np.arange(WORLDS))
    chained = apart._replace(batches=np.repeat(np.arange(WORLDS // BATCH), BATCH))
    cause = [Cause("half of them", half)]
    assert shown(apart, Lead(0, 1, 0.3, 0.01), cause) is not None
    assert shown(chained, Lead(0, 1, 0.3, 0.01), cause) is None
