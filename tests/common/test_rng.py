"""Our random numbers: the same words for ever, in plain Python and in kernels; fair shuffles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from solver import common
from solver.common import SEEDS, Random, wilson
from solver.kernels import rng as kernels
from solver.kernels.jit import kernel

# SplitMix64's published first outputs for the seed 0, through our `mix`.
PUBLISHED = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]
# (seed, number): the first three words of the stream, and the first ten numbers below 52. Never to change.
STREAMS: dict[tuple[int, int], tuple[list[int], list[int]]] = {
    (0, 0): (
        [0x568A9B0B1A2C05EC, 0x44E5B8B147EF718B, 0x458563AB55521133],
        [17, 13, 14, 24, 31, 22, 4, 10, 23, 15],
    ),
    (1, 0): ([0x6EC85F1F8547BC0C, 0x6CF63AFCC21A470A, 0x8A27B94CFF7526AA], [22, 22, 28, 42, 8, 7, 39, 19, 44, 50]),
    (0, 1): ([0x01D614F74E2A26C6, 0x31ACE0C257119B01, 0x6C80AEFC5541BA5F], [0, 10, 22, 29, 20, 51, 17, 16, 2, 31]),
    (2024, 7): (
        [0xC4234B43B22AF715, 0x5D7F1420C027FEBD, 0xB72968E4F41BE0BF],
        [39, 18, 37, 45, 11, 32, 42, 13, 42, 46],
    ),
    (9223372036854775807, 4611686018427387904): (
        [0xA64D2DBE22E3BD6D, 0xC2CA9ED84EA7A625, 0x7C27E05D8B639BD3],
        [33, 39, 25, 42, 18, 42, 22, 17, 44, 18],
    ),
}


def kernel_stream(seed: int, number: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    state = np.zeros(1, np.int64)
    kernels.start_stream(state, seed, number)
    return state


@pytest.mark.small
def test_mix_is_splitmix64s() -> None:
    gamma = 0x9E3779B97F4A7C15
    assert [common.mix(gamma * (n + 1)) for n in range(4)] == PUBLISHED
    for word in (0, 1, -1, 2**63 - 1, -(2**63), 0x0123456789ABCDEF):
        assert int(kernels.mix(np.int64(word))) % 2**64 == common.mix(word)


@pytest.mark.small
@pytest.mark.parametrize(("seed", "number"), STREAMS)
def test_streams_never_change(seed: int, number: int) -> None:
    words, numbers = STREAMS[seed, number]
    random = Random(seed, number)
    assert [random.word() for _ in words] == words
    random = Random(seed, number)
    assert [random.below(52) for _ in numbers] == numbers


@pytest.mark.small
@pytest.mark.parametrize("seed", [0, 1, 12345, SEEDS - 1, ~0, ~7])
def test_kernels_draw_the_same_numbers(seed: int, amount: Callable[[int], int]) -> None:
    for number in (0, 1, 99, 2**40, SEEDS - 1):
        random, state = Random(seed, number), kernel_stream(seed, number)
        for turn in range(amount(200)):
            bound = (1, 2, 52, 1000, 2**31 - 1, 3 * 2**29)[turn % 6]  # the last is refused a quarter of the time
            expected = random.below(bound)
            assert 0 <= expected < bound
            assert kernels.below(state, bound) == expected
        cards = list(range(40))
        array = np.arange(40, dtype=np.int8)
        random.shuffle(cards)
        kernels.shuffle(state, array)
        assert array.tolist() == cards


@pytest.mark.small
def test_shuffles_keep_the_cards_and_streams_differ() -> None:
    seen = set()
    for number in range(50):
        cards = list(range(52))
        Random(3, number).shuffle(cards)
        assert sorted(cards) == list(range(52))
        seen.add(tuple(cards))
        other = list(range(52))
        Random(4, number).shuffle(other)
        seen.add(tuple(other))
    assert len(seen) == 100
    for few in ([], [1]):
        Random(1).shuffle(few)
        assert len(few) < 2


def chi_square(counts: list[int]) -> float:
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 / mean for count in counts)


def test_shuffles_are_uniform() -> None:
    # 24 orders, 24,000 shuffles: 23 degrees of freedom, 99.9% point 49.7. The seed is fixed, so it can't flicker.
    orders: Counter[tuple[int, ...]] = Counter()
    for number in range(24_000):
        cards = [0, 1, 2, 3]
        Random(1, number).shuffle(cards)
        orders[tuple(cards)] += 1
    assert chi_square([orders[order] for order in permutations(range(4))]) < 49.7


def test_every_card_is_as_often_in_every_place() -> None:
    size = 40
    places = np.zeros((size, size), np.int64)
    state = np.zeros(1, np.int64)
    for number in range(20_000):
        kernels.start_stream(state, 2, number)
        cards = np.arange(size, dtype=np.int8)
        kernels.shuffle(state, cards)
        places[np.arange(size), cards] += 1
    # 39 * 39 degrees of freedom: mean 1521, standard deviation 55.
    assert abs(chi_square(places.ravel().tolist()) - 39 * 39) < 4 * 55.2


def test_bounded_numbers_are_uniform() -> None:
    random = Random(5)
    counts = [0] * 13
    for _ in range(26_000):
        counts[random.below(13)] += 1
    assert chi_square(counts) < 32.9  # 12 degrees of freedom, 99.9%


@kernel
def _last_of(state: NDArray[np.int64], wanted: NDArray[np.int64]) -> float:
    """Draw in loops of which LLVM keeps the last number only, and may use that a sum does not overflow."""
    last = 0.0
    best = kernels.uniform(state)
    for outer in range(1, len(wanted)):
        for inner in range(outer):
            if wanted[inner] == 0:
                continue
            last = kernels.uniform(state)
            best = max(best, last)
    return last if best < 2 else best


@pytest.mark.small
def test_draws_in_loops_are_the_stream() -> None:
    state = np.zeros(1, np.int64)
    kernels.start_stream(state, 5, 5)
    slow = Random(5, 5)
    for _ in range(20):
        *_, last = (slow.word() >> 11 for _ in range(4))
        assert _last_of(state, np.ones(3, np.int64)) == last / (1 << 53)


# ----------------------------------------------------------------------------------------------------
# Wilson's interval: known values, its ends, and how often it holds the truth.


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # Newcombe (1998), table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_intervals(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_ends() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 7)[0] == 0.0
    assert wilson(7, 7)[1] == 1.0
    assert 0 < wilson(7, 7)[0] < 1
    low, high = wilson(3, 10)
    assert wilson(7, 10) == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize("share", [0.5, 0.62, 0.9])
def test_it_holds_the_truth_about_as_often_as_it_says(share: float) -> None:
    trials = 200
    covered = sum(
        comb(trials, wins) * share**wins * (1 - share) ** (trials - wins)
        for wins in range(trials + 1)
        if wilson(wins, trials)[0] <= share <= wilson(wins, trials)[1]
    )
    assert 0.93 < covered < 0.97
