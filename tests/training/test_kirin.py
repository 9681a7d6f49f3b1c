"""Rounds that networks learn from. What needs PyTorch is skipped where it is not installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.games.kirin.fast_rules import CARDS, QUALIFYING, STRONGER
from solver.games.kirin.learned import IMAGES, RULE, SEAT_INPUTS
from solver.hints.network import evaluate, inputs, outputs, room
from tests.support.marks import in_python
from tests.support.networks import random_network
from training.kirin.full_inputs import FULL_INPUTS
from training.kirin.playing import desk, players
from training.kirin.records import MOST_A_ROUND, Records, record, records


@pytest.fixture(scope="module")
def rows() -> Records:
    """A round or two, recorded."""
    found = records(MOST_A_ROUND + 1, SEAT_INPUTS, FULL_INPUTS)
    table = players(random_network(1, SEAT_INPUTS, 3, 2, CARDS), random_network(2, FULL_INPUTS, 3, 2, 4), 1.0)
    assert record(table, desk(table), desk(table), 5, 0, found) > 0
    return found


@pytest.mark.small
@pytest.mark.plain
def test_under_the_descending_order_images_stand_as_cards_do_under_the_ascending_one() -> None:
    def image(cards: int) -> int:
        return sum(1 << int(IMAGES[CARDS + card]) for card in range(CARDS) if cards >> card & 1)

    assert sorted(IMAGES[CARDS:]) == list(range(CARDS))
    for relation in (STRONGER, QUALIFYING):
        for card in range(CARDS):
            assert image(int(relation[CARDS + card])) == int(relation[IMAGES[CARDS + card]])


@pytest.mark.small
@in_python
def test_a_kernel_gives_the_same_bits_as_the_package() -> None:
    net = random_network(4, 9, 6, 5, 3)
    random = np.random.default_rng(1)
    seen, out = inputs(9), room(net)
    for _ in range(10):
        row = (random.standard_normal(9) * (random.random(9) < 0.5)).astype(np.float32)
        places = np.flatnonzero(row)
        seen.many[0] = len(places)
        seen.places[: len(places)], seen.values[: len(places)] = places, row[places]
        evaluate(net, seen, out)
        assert (out.out == outputs(net, row[None])[0]).all()


@pytest.mark.small
@in_python
def test_what_is_recorded_is_of_cards_that_may_be_played(rows: Records) -> None:
    many, more = rows.many
    assert more >= many > 0
    legal = rows.legal[:many]
    assert (legal.sum(1) > 1).all()
    assert (rows.seen[:many, :CARDS] >= legal).all()
    assert (rows.worth[:many][legal == 0] == 0).all()
    assert (rows.seen[:many, RULE : RULE + CARDS][legal == 0] == 0).all()
    held = rows.full[:more, : 4 * CARDS].reshape(-1, 4, CARDS)
    assert (held.sum(1) <= 1).all()
    assert (rows.came[:more].sum(1) <= 36).all()


@pytest.mark.slow
def test_learning_makes_the_error_less_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from training.kirin.learning import CRITIC_FIRST, Learner

    learner = Learner(1, 512)
    played = learner.play(learner.players(), learner._spare.pop())
    errors = [learner.learn(played, 0.0)[2] for _ in range(30)]
    assert errors[-1] < 0.8 * errors[0]
    learner.learned = CRITIC_FIRST
    gains = [learner.learn(played, 0.0)[0] for _ in range(30)]
    assert gains[-1] > gains[0]
    learner.save(tmp_path / "checkpoint.pt")
    other = Learner(2, 512)
    other.load(tmp_path / "checkpoint.pt")
    assert other.learned == learner.learned
    for one, two in zip(learner.players().policy, other.players().policy, strict=True):
        assert (one == two).all()


@pytest.mark.slow
def test_asides_are_learned_and_kept(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from training.export import write
    from training.kirin.asides import AsideLearner
    from training.kirin.playing import RULE as PLAUSIBLE

    table = players(random_network(1, SEAT_INPUTS, 3, 2, CARDS), random_network(2, FULL_INPUTS, 3, 2, 4), 1.0)
    learner = AsideLearner(table, PLAUSIBLE, 1, 512)
    played = learner.play(0)
    errors = [learner.learn(played, 0.0) for _ in range(20)]
    assert errors[-1] < 0.8 * errors[0]
    write(learner.run(512), {"seed": 1}, tmp_path / "asides.npz")
    assert (tmp_path / "asides.npz").stat().st_size < 100_000
