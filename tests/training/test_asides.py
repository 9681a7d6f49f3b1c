"""The network that judges cards set aside: what it sees, what is kept of it, and how hints can be taught by it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from benchmarks.kirin_asides import Taught
from solver.games.kirin import moves
from solver.games.kirin.deck import CARDS, colour, rank
from solver.games.kirin.hint import Rounds
from solver.games.kirin.position import DeclareView, fields_number
from solver.games.kirin.rollouts import SCORE, STATISTICS
from solver.games.kirin.worlds import deals
from solver.hints.network import Network, read
from training.export import write
from training.kirin import aside_inputs
from training.kirin.aside_inputs import judged


def _view(seed: int = 3, seat: int = 2) -> DeclareView:
    view = moves.view(moves.deal(seed, variant="undeclared").model_copy(update={"seat": seat}), seat)
    assert isinstance(view, DeclareView)
    return view


def test_it_sees_the_cards_kept_and_who_leads() -> None:
    view = _view()
    cards = [fields_number(card) for card in view.hand]
    found = aside_inputs.seen(np.array([cards]), np.array([3]))[0]
    for row, aside in zip(found, cards, strict=True):
        kept = [card for card in cards if card != aside]
        same = [aside_inputs.KEPT_RANKS + rank(card) for card in kept if colour(card) == colour(aside)]
        others = [aside_inputs.RANK + rank(aside), aside_inputs.COLOUR + colour(aside), aside_inputs.LEADS + 3]
        assert sorted(np.flatnonzero(row)) == sorted([*kept, *same, *others])
        assert set(row) == {0.0, 1.0}
        assert max(kept) < CARDS


def _net() -> Network:
    random = np.random.default_rng(1)
    shapes = [(aside_inputs.INPUTS, 6), (6,), (6, 5), (5,), (5, aside_inputs.OUTPUTS), (aside_inputs.OUTPUTS,)]
    return Network(*(random.standard_normal(shape).astype(np.float16).astype(np.float32) for shape in shapes))


def test_what_is_written_is_read_again_and_its_card_lies_beside(tmp_path: Path) -> None:
    net = _net()
    write(net, {"seed": 7}, tmp_path / "net.npz")
    assert all((one == other).all() for one, other in zip(net, read(tmp_path / "net.npz")[0], strict=True))
    assert json.loads((tmp_path / "net.json").read_text(encoding="utf-8")) == {"seed": 7}


def test_a_hint_that_is_taught_adds_what_the_network_says_to_each_card() -> None:
    view = _view()
    cards = moves.legal_moves(view)
    more = judged(_net(), view, cards)[:, aside_inputs.MORE]
    assert np.ptp(more) > 0
    means = []
    for rounds in (Rounds(deals(view), cards, 1), Taught(view, cards, 1, _net())):
        results = np.zeros((2, len(cards), STATISTICS))
        rounds.play(0, results, np.ones(2))
        means.append(results[:, :, SCORE].mean(0))
    assert np.allclose(means[1] - means[0], more)


def test_a_card_is_judged_alike_wherever_it_stands_in_the_hand() -> None:
    view = _view()
    cards = moves.legal_moves(view)
    turned = cards[::-1]
    assert (judged(_net(), view, turned)[::-1] == judged(_net(), view, cards)).all()
