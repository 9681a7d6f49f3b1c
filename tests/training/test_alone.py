"""The learned player of hints sees of a view what it saw when it was taught."""

from __future__ import annotations

import numpy as np
import pytest

from solver.common import Random
from solver.games.kirin import GAME, learned
from solver.games.kirin.fast_rules import CARDS, INNER, to_inner
from solver.games.kirin.learned import HANDS, LAID, SEAT_INPUTS
from solver.games.kirin.players import open_table
from solver.games.kirin.position import KnownPosition, View, fields_number
from solver.games.kirin.worlds import deals
from solver.kernels.bits import popcount
from tests.support.marks import in_python
from tests.support.networks import random_network
from training.kirin.full_inputs import FULL_INPUTS
from training.kirin.playing import Desk, chances, desk, played, players, set_aside


def _laid_out(position: KnownPosition, table: Desk) -> None:
    open_table(table.table, position.leader, 0)
    for seat, aside in enumerate(position.declared):
        card = INNER[fields_number(aside)]
        table.state[LAID + seat] = -1
        table.state[HANDS + seat] = to_inner(position.state.hands[seat]) | 1 << card
        set_aside(table, seat, card)


@pytest.mark.small
@in_python
def test_it_thinks_the_same_of_a_view(monkeypatch: pytest.MonkeyPatch) -> None:
    net = random_network(1, SEAT_INPUTS, 4, 3, CARDS)
    taught = players(net, random_network(2, FULL_INPUTS, 1, 1, 4), 1.5)
    monkeypatch.setattr(learned, "policy", lambda: (net, np.array([1.5])))
    position = GAME.deal(4)
    assert isinstance(position, KnownPosition)
    table, random = desk(taught), Random(4)
    _laid_out(position, table)
    while not position.state.over:
        view = GAME.view(position, position.seat_to_move)
        assert isinstance(view, View)
        found = learned.chances(deals(view).setting)
        legal = chances(taught, table)
        assert sorted(found) == [card for card in range(CARDS) if legal >> card & 1]
        assert list(found.values()) == table.out[: popcount(legal)].tolist()
        moves = GAME.legal_moves(position)
        move = moves[random.below(len(moves))]
        played(taught, table, INNER[move], True)
        after = GAME.play(position, move)
        assert isinstance(after, KnownPosition)
        position = after
