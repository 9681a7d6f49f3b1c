"""Hidden cards: deals drawn without numbers, and the check of a deal."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import BaseModel

from solver.hints.worlds import HiddenCards, agrees, may_hold


@pytest.mark.small
def test_too_many_deals_to_number_are_drawn_where_cards_may_be() -> None:
    """Ten of 41 cards cannot be in group 0: there each place of the other groups is as likely as any other."""
    sizes = (7, 7, 7, 20)
    cards = tuple(range(41))
    hidden = HiddenCards(cards, may_hold(cards, [(1 << 10) - 1, 0, 0, 0]), sizes)
    assert hidden.worlds is None
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


class Small(BaseModel):
    """A position that checks itself."""

    cards: int


@pytest.mark.small
def test_a_deal_agrees_that_stands_all_tests() -> None:
    assert agrees(lambda: Small(cards=2), lambda made: made.cards == 2)
    assert not agrees(lambda: Small(cards=2), lambda made: made.cards == 2, lambda made: made.cards == 3)
    assert not agrees(lambda: Small.model_validate({"cards": "two"}), lambda _made: True)
