"""A small network learns choices that are made by a rule; kernels read what was learned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.hints.network import UNITS, Chooser, ChooserScratch, chooser_kernels, read_chooser

pytest.importorskip("torch")

from training.choosers import Choices, learn
from training.export import write_chooser

SHARED, OWN, MOST, CONTEXTS = 4, 8, 5, 2
think_of_choice, think_of_move = chooser_kernels("learning_test", SHARED, OWN)


def some_choices(count: int) -> Choices:
    """In the first context the move with the highest first input is chosen, in the second that with the lowest."""
    random = np.random.default_rng(1)
    own = random.normal(size=(count, MOST, OWN)).astype(np.float32)
    shared = random.normal(size=(count, SHARED)).astype(np.float32)
    counts, contexts = random.integers(2, MOST + 1, count), random.integers(0, CONTEXTS, count)
    ways = np.where(contexts == 0, 1, -1)[:, None] * own[:, :, 0]
    ways[np.arange(MOST) >= counts[:, None]] = -np.inf
    return Choices(shared, own, counts, ways.argmax(1), contexts, random.integers(0, 200, count))


def values(net: Chooser, choices: Choices, row: int) -> list[float]:
    """What the kernels think of the moves of a choice."""
    room = ChooserScratch(*(np.zeros(size, np.float32) for size in (SHARED, OWN, UNITS, UNITS)))
    room.shared[:] = choices.shared[row]
    think_of_choice(net, int(choices.contexts[row]), room)
    found = []
    for move in range(choices.counts[row]):
        room.own[:] = choices.own[row, move]
        found.append(think_of_move(net, int(choices.contexts[row]), room))
    return found


def test_kernels_choose_as_was_learned(tmp_path: Path) -> None:
    choices = some_choices(3000)
    learned = learn(choices, CONTEXTS, 3, epochs=40)
    again = learn(choices, CONTEXTS, 3, epochs=40)
    assert all((one == other).all() for one, other in zip(learned.chooser, again.chooser, strict=True))
    assert learned.fitted + learned.held == 3000
    assert learned.likely > learned.any_alike + 0.5
    write_chooser(learned.chooser, learned.told(), tmp_path / "net.npz")
    assert "held back" in (tmp_path / "net.json").read_text()
    net = read_chooser(tmp_path / "net.npz")
    hits = [int(np.argmax(values(net, choices, row))) == choices.chosen[row] for row in range(500)]
    assert np.mean(hits) == pytest.approx(learned.likeliest, abs=0.06)
    assert np.mean(hits) > 0.85


def test_too_few_choices_are_refused() -> None:
    with pytest.raises(ValueError, match="too few"):
        learn(some_choices(300), CONTEXTS, 3)
