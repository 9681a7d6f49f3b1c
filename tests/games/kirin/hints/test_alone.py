"""The first answer: what a player who looks ahead would choose, before any deal is tried."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from solver.errors import RequestError
from solver.games.kirin import GAME, hint
from solver.games.kirin.players import ahead
from solver.games.kirin.position import DeclareView, View, fields_number, numbers
from solver.limits import Control
from tests.games.kirin.hints.looking_ahead import Looking
from tests.games.kirin.hints.views import played, seen_by
from tests.hints.first_answers import at_once, check_chances, check_told_first


def to_move(seed: int, cards: int) -> View:
    position = played(seed, cards)
    return seen_by(position, position.seat_to_move)


@pytest.mark.small
def test_every_legal_card_has_its_chance() -> None:
    for seed, cards in enumerate((0, 1, 6, 13, 22, 30)):
        check_chances(GAME, to_move(seed, cards))


def test_cards_are_as_likely_as_the_network_values_them() -> None:
    for seed, cards in enumerate((0, 2, 9, 19, 26)):
        view = to_move(seed, cards)
        position = played(seed, cards)
        gone = sum(1 << card for trick in (*view.tricks, view.current_trick) for card in trick.plays)
        values = Looking(position.state, fields_number(view.declared), gone).values(ahead().net)
        told = {fields_number(move.move): move.chance for move in at_once(GAME, view).moves}
        assert told == pytest.approx(softmax(values), abs=1e-4)


def test_what_is_set_aside_is_likely_for_who_looks_ahead() -> None:
    view = GAME.view(GAME.deal(3, variant="undeclared"), 2)
    assert isinstance(view, DeclareView)
    kept, aside = np.split(ahead().declare, 2)
    values = {
        card: aside[card % 9]
        + sum(kept[other % 9] for other in numbers(view.hand) if other // 9 == card // 9)
        - kept[card % 9]
        for card in numbers(view.hand)
    }
    told = {fields_number(move.move): move.chance for move in at_once(GAME, view).moves}
    assert told == pytest.approx(softmax(values), abs=1e-6)


def softmax(values: dict[int, float]) -> dict[int, float]:
    total = sum(exp(value) for value in values.values())
    return {card: exp(value) / total for card, value in values.items()}


def test_it_is_the_first_that_is_told() -> None:
    check_told_first(GAME, to_move(1, 3))


def test_whose_turn_it_is_not_is_refused() -> None:
    position = played(1, 3)
    with pytest.raises(RequestError, match="is to move"):
        hint.hint(seen_by(position, (position.seat_to_move + 1) % 4), Control(), worlds=0)
