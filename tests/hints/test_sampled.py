"""What sampled hints are made of: deals of hidden cards, players, networks, the sampler of games of tricks."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import exp, factorial, inf
from pathlib import Path

import numpy as np
import pytest

from solver import games
from solver.hints.network import MOST_BYTES, Network, outputs, read, write
from solver.hints.policy import draw_place, gumbel, mixed, noisy, to_chances
from solver.hints.worlds import HiddenCards, draw_among_many, may_hold
from solver.kernels.rng import below_wide, start_stream, uniform
from tests.support.games import offering


def dealt(groups: Sequence[int], sizes: Sequence[int]) -> HiddenCards:
    return HiddenCards(tuple(range(len(groups))), tuple(groups), tuple(sizes))


def enumerated(groups: list[int], sizes: list[int]) -> set[tuple[int, ...]]:
    """Every division that fits, by trying all."""
    return {
        places
        for places in product(range(len(sizes)), repeat=len(groups))
        if all(groups[card] >> group & 1 for card, group in enumerate(places))
        and [places.count(group) for group in range(len(sizes))] == sizes
    }


@pytest.mark.covered
@pytest.mark.small
def test_every_world_has_one_number() -> None:
    rng = random.Random(1)
    empty = 0
    for _ in range(60):
        sizes = [rng.randrange(4) for _ in range(rng.randrange(2, 5))]
        sizes = sizes if sum(sizes) <= 7 else [1, 2, 2]
        groups = [rng.randrange(1, 1 << len(sizes)) for _ in range(sum(sizes))]
        expected = enumerated(groups, sizes)
        worlds = dealt(groups, sizes)
        assert worlds.total == len(expected)
        found = [tuple(worlds.world(rank)) for rank in range(worlds.total)]
        assert len(set(found)) == len(found)
        assert set(found) == expected
        empty += not expected
    assert 5 < empty < 50


@pytest.mark.small
def test_a_whole_deal_is_counted() -> None:
    assert dealt([15] * 27, [8, 8, 8, 3]).total == factorial(27) // (factorial(8) ** 3 * factorial(3))
    assert dealt([7] * 6, [2, 2, 2]).total == 90
    assert dealt([1, 1, 2], [2, 1]).total == 1


def test_too_many_worlds_to_number() -> None:
    assert not dealt([31] * 40, [10, 10, 10, 10, 0]).numbered
    sizes = [9, 9, 9, 8]  # between 2**62 and 2**63 worlds, if every card may be anywhere
    assert not dealt([15] * 35, sizes).numbered
    some = dealt([7] + [15] * 34, sizes)
    assert some.numbered
    assert some.total == factorial(35) // (factorial(9) ** 3 * factorial(8)) * 27 // 35


@pytest.mark.small
@pytest.mark.parametrize("bound", [1, 2, 3, 7, 1000, (1 << 40) + 5, (1 << 62) - 1])
def test_wide_numbers_are_in_range_and_uniform(bound: int) -> None:
    state = np.zeros(1, np.int64)
    start_stream(state, 3, 4)
    drawn = [below_wide(state, bound) for _ in range(600)]
    assert all(0 <= number < bound for number in drawn)
    cells = min(bound, 6)
    counts = Counter(number * cells // bound for number in drawn)
    sizes = Counter(number * cells // bound for number in range(bound)) if bound < 10**4 else None
    chi = 0.0
    for cell in range(cells):
        expected = 600 * (sizes[cell] / bound if sizes else 1 / cells)
        chi += (counts[cell] - expected) ** 2 / expected
    assert chi < 26  # the 0.9999 quantile of chi-square with 5 degrees of freedom


@pytest.mark.small
def test_uniform_numbers() -> None:
    state = np.zeros(1, np.int64)
    start_stream(state, 3, 5)
    drawn = [uniform(state) for _ in range(2000)]
    assert all(0 <= number < 1 for number in drawn)
    assert abs(np.mean(drawn) - 0.5) < 4 / np.sqrt(12 * 2000)


def test_draws_among_many_deals_are_uniform() -> None:
    sizes, groups = (2, 1, 2), (7, 3, 6, 5, 7)
    expected = enumerated(list(groups), list(sizes))
    deals = dealt(groups, sizes).table(np.float64, filled=True)
    random_word, places = np.zeros(1, np.int64), np.zeros(5, np.int64)
    start_stream(random_word, 4, 0)
    counts: Counter[tuple[int, ...]] = Counter()
    wanted = 400 * len(expected)
    for _ in range(wanted):
        draw_among_many(deals, random_word, places)
        counts[tuple(map(int, places))] += 1
    assert set(counts) == expected
    assert int(deals.ways[0, -1]) == len(expected)
    chi_square = sum((count - 400) ** 2 / 400 for count in counts.values())
    assert chi_square < len(expected) + 5 * (2 * len(expected)) ** 0.5


# ----------------------------------------------------------------------------------------------------
# Hidden cards: deals drawn without numbers, and the check of a deal.


@pytest.mark.small
def test_too_many_deals_to_number_are_drawn_where_cards_may_be() -> None:
    """Ten of 41 cards cannot be in group 0: there each place of the other groups is as likely as any other."""
    sizes = (7, 7, 7, 20)
    cards = tuple(range(41))
    hidden = HiddenCards(cards, may_hold(cards, [(1 << 10) - 1, 0, 0, 0]), sizes)
    assert not hidden.numbered
    draws = 1000
    counts = np.zeros((41, 4))
    for number in range(draws):
        places = hidden.drawn(5, number)
        assert tuple(places.count(group) for group in range(4)) == sizes
        counts[cards, places] += 1
    assert (counts[:10, 0] == 0).all()
    barred = counts[:10, 1:].sum(0) / (10 * draws)
    free = counts[10:].sum(0) / (31 * draws)
    assert barred == pytest.approx(np.array([7, 7, 20]) / 34, abs=0.03)
    assert free == pytest.approx(np.array([7, 7 * 24 / 34, 7 * 24 / 34, 20 * 24 / 34]) / 31, abs=0.03)


@pytest.mark.small
def test_who_may_hold_what() -> None:
    assert may_hold([0, 1, 2], [0b001, 0b110]) == (0b10, 0b01, 0b01)


# ----------------------------------------------------------------------------------------------------
# Players that hints are made of: chances from values, draws by them, and small networks.


VALUES = np.array([0.5, -1.0, 2.0, 0.0])
SHARES = np.exp(VALUES) / np.exp(VALUES).sum()
DRAWS = 4000


@pytest.mark.small
def test_chances_are_a_softmax_of_the_first_values() -> None:
    out = np.array([*VALUES, 700.0])
    to_chances(4, out)
    assert out[:4] == pytest.approx(SHARES)
    assert out[4] == 700.0
    large = np.array([1000.0, 999.0])
    to_chances(2, large)
    assert large[1] / large[0] == pytest.approx(exp(-1))


@pytest.mark.covered
@pytest.mark.small
def test_draws_come_in_these_shares() -> None:
    random, by_chances, by_noise = np.zeros(1, np.int64), np.zeros(4), np.zeros(4)
    start_stream(random, 2, 0)
    for _ in range(DRAWS):
        by_chances[draw_place(4, SHARES, random)] += 1
        by_noise[np.argmax([value + gumbel(random) for value in VALUES])] += 1
    for counts in (by_chances, by_noise):
        chi_square = ((counts - DRAWS * SHARES) ** 2 / (DRAWS * SHARES)).sum()
        assert chi_square < 3 + 5 * 6**0.5


@pytest.mark.small
def test_noise_is_left_out_only_where_it_decides_nothing() -> None:
    random, again = np.zeros(1, np.int64), np.zeros(1, np.int64)
    start_stream(random, 3, 0)
    below = 0
    for _ in range(DRAWS):
        again[0] = random[0]
        noisy_sum, found = 1.0 + gumbel(again), noisy(1.0, 2.5, random)
        below += found < noisy_sum
        assert found == noisy_sum or (found == -inf and noisy_sum < 2.5)
        assert random[0] == again[0]
    assert below > DRAWS / 2


@pytest.mark.small
def test_a_share_of_choices_is_made_at_random() -> None:
    assert mixed(1.0, 4.0, 5, 0.1) == pytest.approx(0.9 / 4 + 0.1 / 5)
    assert sum(mixed(share, 1.0, 4, 0.3) for share in SHARES) == pytest.approx(1)


# ----------------------------------------------------------------------------------------------------
# Small networks: what they give, and how they are kept.


def _net(seed: int, inputs: int = 7, first: int = 5, second: int = 4, out: int = 3) -> Network:
    random = np.random.default_rng(seed)
    shapes = [(inputs, first), (first,), (first, second), (second,), (second, out), (out,)]
    return Network(*(random.standard_normal(shape).astype(np.float32) for shape in shapes))


def _by_terms(net: Network, row: np.ndarray) -> list[np.float32]:
    """One number at a time, from the definition."""
    values = list(row)
    for layer in range(3):
        weights, bias = net[2 * layer], net[2 * layer + 1]
        found = []
        for unit in range(len(bias)):
            total = bias[unit]
            for place, value in enumerate(values):
                total = np.float32(total + np.float32(value * weights[place, unit]))
            found.append(total if layer == 2 else max(total, np.float32(0)))
        values = found
    return values


def test_each_bit_is_that_of_the_sums_in_their_order() -> None:
    random = np.random.default_rng(3)
    rows = (random.standard_normal((20, 7)) * (random.random((20, 7)) < 0.5)).astype(np.float32)
    net = _net(1)
    found = outputs(net, rows)
    assert found.dtype == np.float32
    assert [list(row) for row in found] == [_by_terms(net, row) for row in rows]


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    net = _net(2)
    write(net, tmp_path / "net.npz", trust=np.ones(1, np.float32))
    again, further = read(tmp_path / "net.npz")
    assert further == {"trust": [1.0]}
    assert all(array.dtype == np.float32 for array in again)
    assert all((one == other).all() for one, other in zip(net, again, strict=True))


def test_more_than_a_megabyte_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="more than 1,000,000 bytes"):
        write(_net(2, inputs=1000, first=256), tmp_path / "net.npz")
    assert not list(tmp_path.iterdir())


def test_the_networks_of_a_game_are_small_and_their_cards_say_how_they_were_made() -> None:
    sizes: Counter[str] = Counter()
    for place in Path(games.__file__).parent.rglob("*.npz"):
        card = json.loads(place.with_suffix(".json").read_text(encoding="utf-8"))
        assert {"game", "what", "seed", "commit", "minutes"} < set(card)
        sizes[card["game"]] += place.stat().st_size
    assert set(sizes) == set(offering("played_by"))
    assert max(sizes.values()) < MOST_BYTES
