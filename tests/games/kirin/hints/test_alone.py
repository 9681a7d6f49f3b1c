"""The learned player's choice: an answer before any deal is tried, and the first line of a hint."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from solver.errors import RequestError
from solver.games.kirin import GAME, hint, learned
from solver.games.kirin.position import DeclareView, View
from solver.hints.network import MOST_BYTES
from solver.limits import Control
from tests.games.kirin.hints.views import played, seen_by
from tests.hints.first_answers import at_once, check_chances, check_told_first


def to_move(seed: int, cards: int) -> View:
    position = played(seed, cards)
    return seen_by(position, position.seat_to_move)


@pytest.mark.small
def test_every_legal_card_has_its_chance() -> None:
    for seed, cards in enumerate((0, 1, 6, 13, 22, 30)):
        check_chances(GAME, to_move(seed, cards))


def test_what_is_set_aside_is_the_plausible_players_choice() -> None:
    view = GAME.view(GAME.deal(3, variant="undeclared"), 2)
    assert isinstance(view, DeclareView)
    assert {move.move for move in at_once(GAME, view).moves} == set(view.hand)


def test_it_is_the_first_that_is_told() -> None:
    check_told_first(GAME, to_move(1, 3))


def test_whose_turn_it_is_not_is_refused() -> None:
    position = played(1, 3)
    with pytest.raises(RequestError, match="is to move"):
        hint.hint(seen_by(position, (position.seat_to_move + 1) % 4), Control(), worlds=0)


@pytest.mark.small
@pytest.mark.plain
def test_the_weights_are_small_and_their_card_says_how_they_were_made() -> None:
    place = Path(learned.__file__).with_name("policy.npz")
    assert place.stat().st_size < MOST_BYTES + 5000
    with np.load(place) as arrays:
        assert all(array.dtype == np.float32 and np.isfinite(array).all() for array in arrays.values())
    card = json.loads(place.with_suffix(".json").read_text(encoding="utf-8"))
    assert {"game", "what", "seed", "commit", "minutes", "rows", "player"} <= set(card)
