"""What hints of Kirin chose, as features, and weights that make choices likely."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from benchmarks.kirin_tree import reading_of
from benchmarks.kirin_watching import watch_aside, watch_plays
from benchmarks.watching import Choices, fitted, likely
from solver.common import Random, mask
from solver.games.kirin import GAME
from solver.games.kirin.fast_rules import INNER, to_inner
from solver.games.kirin.players import BY_RULES, DECLARE, DECLARE_WEIGHTS, PLAY, WEIGHTS
from solver.games.kirin.players import MIXED as OF_KIND
from solver.games.kirin.position import KnownPosition, fields_number, numbers
from solver.games.kirin.worlds import deals, likelihood
from tests.games.kirin.hints.views import seen_by
from tests.support.marks import in_python

MIXED = float(OF_KIND[BY_RULES])
pytestmark = pytest.mark.small


@in_python
def test_choices_are_as_likely_as_hints_take_them_to_be() -> None:
    dealt = GAME.deal(4, variant="undeclared")
    hands = [to_inner(mask(numbers(hand))) for hand in dealt.hands]  # type: ignore[attr-defined]
    position, random = dealt, Random(4)
    while not (isinstance(position, KnownPosition) and position.state.over):
        moves = GAME.legal_moves(position)
        position = GAME.play(position, moves[random.below(len(moves))])
    reading = reading_of(deals(seen_by(position, 0)).by_rules)
    for seat in range(4):
        aside = INNER[fields_number(position.declared[seat])]
        plays = Choices(np.zeros((8, 8, WEIGHTS), np.float32), *np.zeros((2, 8), np.int64))
        done = watch_plays(reading.evidence, reading.work, seat, aside, plays.features, plays.counts, plays.chosen)
        made = Choices(plays.features[:done], plays.counts[:done], plays.chosen[:done])
        cards = np.zeros((1, 9, DECLARE_WEIGHTS), np.float32)
        place = watch_aside(hands[seat], aside, cards[0])
        first = Choices(cards, np.array([9]), np.array([place]))
        told = done * likely(made, np.array(PLAY), MIXED)[0] + likely(first, np.array(DECLARE), MIXED)[0]
        assert told == pytest.approx(log(likelihood(seat, 0, aside, reading.evidence, reading.work)), rel=1e-4)


def test_fitted_weights_make_choices_likelier_by_the_slopes_that_are_told() -> None:
    random = np.random.default_rng(1)
    counts = random.integers(2, 5, 40)
    features = random.normal(size=(40, 4, 3)).astype(np.float32)
    choices = Choices(
        features, counts, np.array([features[row, :count, 0].argmax() for row, count in enumerate(counts)])
    )
    weights, share = np.array([0.3, -0.2, 0.1]), 0.2
    mean, slopes = likely(choices, weights, share)
    for index, slope in enumerate(slopes):
        step = 1e-3 * np.eye(3)[index]
        more, less = (likely(choices, weights + way * step, share)[0] for way in (1, -1))
        assert (more - less) / 2e-3 == pytest.approx(slope, abs=1e-4)
    assert likely(choices, fitted([choices], weights, share), share)[0] > mean + 0.3
