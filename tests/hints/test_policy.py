"""Players that hints are made of: chances from values, draws by them, and small networks."""

from __future__ import annotations

import json
from collections import Counter
from math import exp
from pathlib import Path

import numpy as np
import pytest

from solver import games
from solver.hints.network import MOST_BYTES, Network, outputs, read, write
from solver.hints.policy import draw, gumbel, mixed, to_chances
from solver.kernels.rng import start

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
    start(random, 2, 0)
    for _ in range(DRAWS):
        by_chances[draw(4, SHARES, random)] += 1
        by_noise[np.argmax([value + gumbel(random) for value in VALUES])] += 1
    for counts in (by_chances, by_noise):
        chi_square = ((counts - DRAWS * SHARES) ** 2 / (DRAWS * SHARES)).sum()
        assert chi_square < 3 + 5 * 6**0.5


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


@pytest.mark.small
@pytest.mark.plain
def test_the_networks_of_a_game_are_small_and_their_cards_say_how_they_were_made() -> None:
    sizes: Counter[str] = Counter()
    for place in Path(games.__file__).parent.rglob("*.npz"):
        card = json.loads(place.with_suffix(".json").read_text(encoding="utf-8"))
        assert {"game", "what", "seed", "commit", "minutes"} < set(card)
        sizes[card["game"]] += place.stat().st_size
    assert set(sizes) == {"kirin", "king", "aqua-regia"}
    assert max(sizes.values()) < MOST_BYTES
