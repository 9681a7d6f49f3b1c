"""Means of moves over worlds: errors, leads and what is behind them, matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import inf, sqrt

import numpy as np
import pytest

from solver.answer_tables import figures, percent
from solver.hints import causes
from solver.hints.causes import (
    LAST,
    SURE_OF_FEW,
    Claim,
    Notes,
    Predicate,
    Reason,
    Witness,
    after,
    behind,
    certain,
    in_words,
    part,
    where,
)
from solver.hints.match import Match, coming, endings, whole_rounds
from solver.hints.ranking import (
    CHANCE,
    POINTS,
    Margin,
    Sums,
    Unit,
    Whole,
    Why,
    confidence_of,
    lead,
    order,
    ranked,
    student,
)
from solver.hints.sampled import games_within, separated, simulate
from solver.kernels.words import Floats
from solver.language import speaking
from solver.limits import Control, Limit
from tests.support.timing import LATE


def sums_of(scores: Floats, weights: Floats | None = None, *, chained: bool = False, batch: int = 7) -> Sums:
    """Scores by world and move, added in batches."""
    sums = Sums(scores.shape[1], 2)
    weights = np.ones(len(scores)) if weights is None else weights
    for start in range(0, len(scores), batch):
        part = scores[start : start + batch]
        results = np.stack([part, part**2], axis=2)
        sums.add(results, weights[start : start + batch].copy(), chained=chained)
    return sums


def told(scores: Floats, outlier: float) -> float:
    """The error told of the mean of independent scores, with the variance of one outlier more."""
    count = len(scores)
    spread = scores.std() ** 2 / count + outlier / count**2
    return 1.1 * sqrt(spread * count / (count - 1)) * student(count - 1)


def test_low_is_the_mean_of_the_worst_tenth() -> None:
    rng = np.random.default_rng(1)
    scores, counts = rng.integers(-9, 30, (345, 3, 2)).astype(np.float64), rng.integers(1, 5, 345)
    sums = Sums(3, 2)
    for first in range(0, 345, 40):  # a world of weight 3 counts as three worlds
        sums.add(scores[first : first + 40], counts[first : first + 40].astype(np.float64), chained=first > 99)
    tenth = counts.sum() / 10
    for move, statistic in product(range(3), range(2)):
        worst = np.sort(np.repeat(scores[:, move, statistic], counts))
        whole = int(tenth)
        expected = (worst[:whole].sum() + (tenth - whole) * worst[whole]) / tenth
        assert sums.low(move, statistic) == pytest.approx(expected)
    assert ranked(sums, ["a", "b", "c"], "toy", 1)[0].worst_tenth == round(sums.low(sums.best(), 1) or 0.0, 9)


def test_few_worlds_or_all_deals_have_no_worst_tenth() -> None:
    assert sums_of(np.ones((9, 2))).low(0) is None
    assert sums_of(np.ones((10, 2))).low(0) == pytest.approx(1.0)
    assert ranked(Whole(50, np.ones((2, 1))), ["a", "b"], "toy")[0].worst_tenth is None


def test_equal_weights_give_the_usual_errors() -> None:
    scores = np.random.default_rng(1).normal(size=(40, 3)) * 3 + np.arange(3)
    sums = sums_of(scores)
    assert sums.worlds == 40
    assert sums.means[:, 0] == pytest.approx(scores.mean(axis=0))
    assert sums.means[:, 1] == pytest.approx((scores**2).mean(axis=0))
    outlier = scores.var(axis=0).mean()
    for one in range(3):
        assert sums.stderr(one) == pytest.approx(told(scores[:, one], outlier))
        for other in range(3):
            differences = scores[:, one] - scores[:, other]
            gap, error = sums.difference(one, other)
            assert gap == pytest.approx(differences.mean())
            assert error == pytest.approx(told(differences, 2 * outlier))


# Of Student's t, 97.5 %, as in any table.
QUANTILES = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228,
    12: 2.179, 15: 2.131, 20: 2.086, 25: 2.060, 30: 2.042, 40: 2.021, 60: 2.000, 100: 1.984, 1000: 1.962,
}  # fmt: skip


def test_student() -> None:
    for freedom, quantile in QUANTILES.items():
        assert student(freedom) == pytest.approx(quantile / 1.96, rel=2e-3)
    assert student(0.9) == inf


@pytest.mark.parametrize("worlds", [25, 50, 100, 300])
def test_few_worlds_of_chains_tell_errors_that_hold(worlds: int) -> None:
    """Points of moves of which some are as good in most worlds; each world of a chain resembles the one before."""
    rng = np.random.default_rng(worlds)
    truth, held, asked = np.array([2.0, 2.0, 1.7, 1.97]), np.zeros(2), np.zeros(2)
    for _ in range(300):
        batch = max(1, worlds // 16)
        luck = np.empty(worlds)
        for world in range(worlds):
            fresh = rng.normal()
            luck[world] = fresh if world % batch == 0 else 0.9 * luck[world - 1] + sqrt(1 - 0.9**2) * fresh
        shared = np.clip(np.round(2 + 1.2 * luck), -9, 9)
        scores = np.stack(
            [shared, shared, shared - (rng.random(worlds) < 0.3), shared - (rng.random(worlds) < 0.03)], 1
        )
        sums = sums_of(scores, chained=True, batch=batch)
        best = sums.best()
        for move in range(4):
            held[0] += abs(sums.means[move, 0] - truth[move]) <= 1.96 * sums.stderr(move)
            gap, error = sums.difference(best, move)
            held[1] += move != best and abs(gap - (truth[best] - truth[move])) <= 1.96 * error
            asked += 1, move != best
    assert (held >= 0.93 * asked).all()


def test_weights_count_and_errors_hold() -> None:
    """The 95% intervals of weighted means and differences hold the truth about 95 times of 100."""
    rng = np.random.default_rng(2)
    held = np.zeros(2)
    for _ in range(400):
        luck = rng.normal(size=200)
        weights = np.exp(rng.normal(size=200) * 0.7)
        scores = np.stack([luck + 1, 0.8 * luck + rng.normal(size=200) * 0.3], axis=1)
        sums = sums_of(scores, weights)
        held[0] += abs(sums.means[0, 0] - 1) < 1.96 * sums.stderr(0)
        gap, error = sums.difference(0, 1)
        held[1] += abs(gap - 1) < 1.96 * error
    assert (held > 0.91 * 400).all()
    assert (held < 0.985 * 400).all()


def test_chained_worlds_count_by_batches() -> None:
    """Worlds that repeat within a batch tell no more than one of them."""
    rng = np.random.default_rng(3)
    chains = rng.normal(size=(30, 2))
    scores = np.repeat(chains, 7, axis=0)
    sums = sums_of(scores, chained=True, batch=7)
    assert sums.worlds == 210
    assert sums.stderr(0) == pytest.approx(told(chains[:, 0], max(1.0, chains.var(axis=0).mean())))
    assert sums_of(scores, batch=7).stderr(0) < 0.5 * sums.stderr(0)


def test_one_world_has_no_error() -> None:
    sums = sums_of(np.array([[1.0, 2.0]]))
    assert sums.stderr(0) == inf
    moves = ranked(sums, ["a", "b"], "test")
    assert [(move.move, move.mean, move.stderr, move.gap_stderr) for move in moves] == [
        ("b", 2.0, None, 0.0),
        ("a", 1.0, None, None),
    ]
    assert not separated(sums, 2)


def test_equals_are_in_the_order_given() -> None:
    sums = sums_of(np.array([[1.0, 3.0, 3.0], [2.0, 1.0, 1.0], [2.0, 1.0, 1.0]]))
    assert order(sums, 3) == [0, 1, 2]
    moves = ranked(sums, ["a", "b", "c"], "")
    found = lead(moves, ["a", "b", "c"], POINTS)
    assert found is not None
    assert (found.best, found.second, found.gap) == (0, 1, 0.0)
    assert not found.clear
    assert lead(moves[:1], ["a"], POINTS) is None


class Noisy:
    """Moves worth 0, 0.1, 0.2, …, with luck that they share and some of their own."""

    statistics = 1
    chained = False

    def __init__(self, moves: int, noise: float) -> None:
        self.moves = moves
        self.noise = noise

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        for world in range(len(weights)):
            rng = np.random.default_rng(first + world)
            shared = 100 + rng.normal() * 5
            results[world, :, 0] = shared + 0.1 * np.arange(self.moves) + rng.normal(size=self.moves) * self.noise


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_clear_best_ends_the_search(threads: int) -> None:
    clear = simulate(Noisy(3, 0.0), Control(Limit(nodes=9_000)), threads=threads)
    close = simulate(Noisy(3, 3.0), Control(Limit(nodes=9_000)), threads=threads)
    assert clear.best() == 2
    assert close.worlds == 3_000
    assert clear.worlds < 1_000
    assert clear.worlds == simulate(Noisy(3, 0.0), Control(Limit(nodes=9_000)), threads=1).worlds
    assert close.means == pytest.approx(
        simulate(Noisy(3, 3.0), Control(Limit(nodes=9_000)), threads=1).means, abs=0
    )


class Watched(Noisy):
    """Notes how many worlds are played at once."""

    def __init__(self) -> None:
        super().__init__(3, 0.0)
        self.batches: list[int] = []

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        self.batches.append(len(weights))
        super().play(first, results, weights)


@pytest.mark.parametrize(
    ("games", "seconds", "left", "fitting"),
    [
        (128, 0.014, 1.0, 128),
        (128, 0.014, 0.014 / 0.8 + 1e-9, 128),
        (128, 0.014, 0.005, 36),
        (128, 0.004, 0.005, 128),
        (128, 0.014, -1.0, 1),
    ],
)
def test_a_batch_fits_in_the_time_that_is_left(games: int, seconds: float, left: float, fitting: int) -> None:
    assert games_within(games, seconds, left) == fitting


def test_batches_are_smaller_only_if_time_is_the_only_limit_and_short() -> None:
    day, slow = 86_400.0, 10 * 86_400.0
    for control, options, worlds in (
        (Control(Limit(seconds=day)), {"seconds": slow}, 3),  # 10 of 128 games, of three moves
        (Control(Limit(seconds=day)), {}, 42),
        (Control(Limit(seconds=day)), {"seconds": slow, "worlds": 3_000}, 42),
        (Control(Limit(seconds=day, nodes=9_000)), {"seconds": slow}, 42),
        (Control(Limit(nodes=9_000)), {"seconds": slow}, 42),
    ):
        watched = Watched()
        simulate(watched, control, threads=1, **options)  # type: ignore[arg-type]
        assert watched.batches[0] == worlds


def test_limits_are_kept() -> None:
    control = Control(Limit(nodes=100))
    assert simulate(Noisy(3, 1.0), control).worlds == 33
    assert control.nodes == 99
    assert simulate(Noisy(3, 1.0), Control(Limit(nodes=1))).worlds == 1
    control = Control(Limit(seconds=0.1))
    simulate(Noisy(3, 3.0), control)
    assert control.seconds < 0.1 + LATE


# ----------------------------------------------------------------------------------------------------
# The rounds that follow in a match: drawn from whole rounds, and counted into the chance to win or share it.


SCORES = 1


class Openings:
    """Two choices before a round: the second brings seat 0 more on average, though not in every world."""

    moves, statistics, chained = 2, SCORES + 3, False

    def __init__(self, number: int) -> None:
        self._number = number

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        for world in range(len(results)):
            results[world, 0] = [3, 3, 0, 0]
            own = 2 if world == 0 else 4
            results[world, 1] = [own, own, self._number, world]


def test_whole_rounds_are_those_after_the_choice_that_brings_most_on_average() -> None:
    rounds = whole_rounds(lambda number, seed: Openings(number), SCORES, 3)
    worlds = int(rounds[:, 2].max()) + 1
    expected = [
        [2 if world == 0 else 4, number, world]
        for number in range(len(rounds) // worlds)
        for world in range(worlds)
    ]
    assert rounds.tolist() == expected


def test_endings_add_rounds_of_the_sample_turned_about_the_table() -> None:
    rounds = np.array([[5.0, 1.0, 0.0], [2.0, 2.0, 9.0]])
    turned = {(5, 1, 0), (0, 5, 1), (1, 0, 5), (2, 2, 9), (9, 2, 2), (2, 9, 2)}
    one, two = endings(rounds, 1), endings(rounds, 2)
    assert coming(lambda number, seed: Openings(number), SCORES, 3, 0) is None
    assert one is not None
    assert two is not None
    ways, counts = np.unique(one, axis=0, return_counts=True)
    assert {tuple(way) for way in ways.tolist()} == turned
    assert counts.min() / len(one) > 0.13  # each of the six has a sixth
    sums = {tuple(a + b for a, b in zip(x, y, strict=True)) for x in turned for y in turned}
    assert {tuple(way) for way in two.tolist()} == sums


def test_the_chance_counts_every_ending_of_a_world() -> None:
    drawn = np.random.default_rng(3)
    coming = drawn.integers(0, 12, (4096, 3)).astype(float)
    scores = drawn.integers(0, 12, (5, 2, 3))
    before, first = (4, 0, 2), 126  # the fifth world begins again at the first ending
    results = np.zeros((5, 2, SCORES + 4))
    results[..., SCORES : SCORES + 3] = scores
    results[..., 0] = scores[..., 1]
    Match(1, before, SCORES, coming).judge(results, first)
    for world in range(5):
        at = (first + world) * 32 % len(coming)
        for move in range(2):
            wins = 0
            for ending in coming[at : at + 32]:
                totals = [sum(parts) for parts in zip(before, scores[world, move], ending, strict=True)]
                wins += totals[1] >= max(totals)
            assert results[world, move, 0] == wins / 32
            assert results[world, move, SCORES + 3] == scores[world, move, 1]


# ----------------------------------------------------------------------------------------------------
# Causes of a lead: found where the same worlds show them beyond doubt, and none where they do not.


WORLDS, BATCH = 1200, 20
RANDOM = np.random.default_rng(3)
BEATEN = RANDOM.random(WORLDS) < 0.4  # the next best move loses two points where it is beaten
LUCK = RANDOM.normal(size=WORLDS)
AHEAD = Margin(0, 1, 0.8, 0.05)


def noted_of(gain: Floats) -> Notes:
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

    return Predicate(code, about or code, sentence, made, rank, SURE_OF_FEW if rank == LAST else 4.0)


def codes(noted: Notes, *rows: Predicate[None]) -> list[str]:
    return [told.cause.code for told in behind(rows, lambda *_: None, noted, AHEAD)]


def test_a_planted_cause_is_found_and_an_absent_one_is_not() -> None:
    noted = noted_of(np.where(BEATEN, 2.0, 0.0) + 0.1 * LUCK)
    table = (
        row("absent", where(LUCK > 0)),
        row("planted", where(BEATEN, card="BT"), sentence="A later player can beat {card} in {deals}."),
    )
    [told] = behind(table, lambda *_: None, noted, AHEAD)
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
    apart = Notes(results, np.zeros((WORLDS, 0), np.int64), np.arange(WORLDS))
    chained = apart._replace(batches=np.repeat(np.arange(WORLDS // BATCH), BATCH))
    assert codes(apart, row("half of them", where(half))) == ["half of them"]
    assert codes(chained, row("half of them", where(half))) == []


# ----------------------------------------------------------------------------------------------------
# How sure, and the words of it.


@pytest.mark.parametrize(
    ("ahead", "unit", "sure"),
    [
        (None, POINTS, "only"),
        (Margin(0, 1, 0.5, 0.3), POINTS, "close"),
        (Margin(0, 1, 0.15, 0.01), POINTS, "slight"),
        (Margin(0, 1, 0.5, 0.1), POINTS, "clear"),
        (Margin(0, 1, 0.15, 0.01), CHANCE, "clear"),
        (Margin(0, 1, 0.01, 0.001), CHANCE, "slight"),
        (Margin(0, 1, 0.0, 0.0), CHANCE, "close"),
        (Margin(0, 1, 0.03, 0.001, least=POINTS.least), POINTS, "close"),  # sure, but next to nothing
    ],
)
def test_how_sure_a_lead_is(ahead: Margin | None, unit: object, sure: str) -> None:
    assert confidence_of(ahead, unit) == sure  # type: ignore[arg-type]


def why(texts: Sequence[str], sums: Sums, found: Sequence[Reason], unit: Unit) -> Why:
    moves = ranked(sums, texts, "")
    return causes.why(moves, lead(moves, texts, unit), found, unit)


def test_reasons_without_a_cause() -> None:
    luck = np.random.default_rng(1).normal(size=(50, 1))
    even = why(["D6", "S1", "B+"], sums_of(np.hstack([luck, luck * 0 + 0.01, luck * 0 - 1])), (), POINTS)
    moves = "S1 or D6" if luck.mean() < 0.01 else "D6 or S1"
    assert even.sure == "close"
    assert [cause.code for cause in even.causes] == ["close"]
    assert even.reason.startswith(f"{moves}: too close to call. Each brings ")
    known = [move.model_copy(update={"gap_stderr": 0.0}) for move in ranked(sums_of(luck * 0), ["D6"], "") * 2]
    alike = causes.why(known, Margin(0, 1, 0.0, 0.0), (), POINTS)  # as where all deals were tried
    assert (alike.sure, [cause.code for cause in alike.causes]) == ("close", ["equal"])
    assert "equally good in every deal tried" in alike.reason
    told = causes.told_cause("gives_points", "{move} brings more now.", {"move": "D6"})
    traded = why(["D6", "S1"], sums_of(np.hstack([luck, luck * 0 + 0.01])), (told,), POINTS)
    assert [cause.code for cause in traded.causes] == ["close", "gives_points"]
    assert traded.reason.endswith(" in the whole round. D6 brings more now.")
    wild = np.random.default_rng(2).normal(size=(20, 3)) * 10
    few = why(["D6", "S1", "B+"], sums_of(wild - wild.mean(axis=0) + [1, 0, 0]), (), POINTS)
    assert few.reason == "D6, S1 or B+: too few deals were tried to tell them apart."
    one = why(["S4"], sums_of(np.full((3, 1), 2.5)), (), POINTS)
    assert (one.sure, one.reason) == ("only", "S4 is the only legal move.")
    clear = why(["A1", "A2"], sums_of(np.hstack([luck * 0, luck * 0 + 1])), (), POINTS)
    assert clear.reason == "A2 brings 1.0 points on average in the whole round, A1 0.0 points."
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


def test_of_many_equal_moves_the_rest_is_counted() -> None:
    moves = ["D6", "S1", "B+", "G2", "G3"]
    found = why(moves, sums_of(np.ones((9, 5))), (), CHANCE)
    assert found.reason == "D6, S1 or 3 others: a win is almost certain."
    assert found.causes[0].moves == tuple(moves)


@pytest.mark.parametrize(
    ("moves", "english", "japanese"),
    [
        (["take - give W10", "take - give W8"], ["giving W10 or W8"], ["W10かW8を渡す手"]),
        (["take F3 W1 give E9"], ["taking F3 and W1 and giving E9"], ["F3とW1を取ってE9を渡す手"]),
        (["take -", "take D:F"], ["taking nothing", "taking D:F"], ["何も取らない手", "D:Fを取る手"]),
        (["pass", "pass Na>Al", "Zn Zn"], ["passing", "exchanging Na for Al", "Zn Zn"], None),
        (
            ["pass Na>Al", "pass"],
            ["exchanging Na for Al", "exchanging nothing"],
            ["NaをAlに替える手", "交換しない手"],
        ),
        (["discard K", "discard 3", "6+7=4+9"], ["discarding K or 3", "6+7=4+9"], None),
        (["pass Na>Sn", "pass Al>Zn", "pass Li>Zn"], ["exchanging Na for Sn", "taking Zn in exchange"], None),
        (["pass Na>Au", "pass Ca>Au", "pass Li>Au", "pass K>Au"], ["taking Au in exchange"], ["Auに替える手"]),
    ],
)
def test_sentences_name_moves_in_words(moves: list[str], english: list[str], japanese: list[str] | None) -> None:
    assert in_words(moves) == english
    if japanese:
        with speaking("ja"):
            assert in_words(moves) == japanese


def test_a_sentence_may_begin_with_what_is_done_in_a_move() -> None:
    sums = sums_of(np.full((3, 1), 2.5))
    assert why(["take - give W8"], sums, (), POINTS).reason == "Giving W8 is the only legal move."


def test_of_many_takings_the_reason_names_what_they_share() -> None:
    even = sums_of(np.full((9, 3), 7.5))
    unlike = ["take F3 W7 give W3", "take F7 W7 give W3", "take W3 W7 give F7"]
    assert why(unlike, even, (), POINTS).reason == (
        "3 choices are too close to call: about 7.5 points each, all of them taking W7."
    )
    given = ["take F3 W7 give W3", "take F7 W7 give W3", "take - give W3"]
    assert why(given, even, (), POINTS).reason == (
        "3 choices are too close to call: about 7.5 points each, all of them giving W3."
    )
    assert why(["take F3", "take F7", "take W3"], even, (), POINTS).reason == (
        "3 choices are too close to call: about 7.5 points each."
    )
    assert why(["take - give F3", "take - give F7", "take - give W3"], even, (), POINTS).reason == (
        "Giving F3, F7 or W3: too close to call. Each brings about 7.5 points in the whole round."
    )
    two = why(unlike[:2], sums_of(np.full((9, 2), 7.5)), (), POINTS)
    assert two.reason.startswith(
        "Taking F3 and W7 and giving W3 or taking F7 and W7 and giving W3: too close to call"
    )
