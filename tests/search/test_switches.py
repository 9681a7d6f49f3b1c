"""Switches: each has a bit of its own, and a name that is taken is an error."""

from __future__ import annotations

import pytest

from solver.games.aqua_regia import fast_rules as aqua_regia_fast_rules
from solver.games.king import fast_rules as king_fast_rules
from solver.games.kirin import fast_rules
from solver.search.rules import FIRST_OWN, SHARED, Switches

pytestmark = pytest.mark.small


def test_shared_bits_are_apart_from_one_another_and_from_own_ones() -> None:
    assert len(set(SHARED.values())) == len(SHARED)
    assert all(bit.bit_count() == 1 and bit < 1 << FIRST_OWN for bit in SHARED.values())


@pytest.mark.parametrize(
    "game", [fast_rules, king_fast_rules, aqua_regia_fast_rules], ids=lambda game: game.__name__.split(".")[2]
)
def test_the_bits_of_a_game_do_not_overlap(game: object) -> None:
    named: dict[str, int] = vars(game)["SWITCHES"]
    everything: int = vars(game)["ALL_SWITCHES"]
    assert everything.bit_count() == len(named)
    for name, bit in named.items():
        assert everything & bit == bit
        assert name in SHARED or vars(game)[name.upper()] == bit


def test_a_duplicate_is_an_error() -> None:
    switches = Switches("table")
    switches.own("mine")
    for name in ("mine", "table", "history"):
        with pytest.raises(ValueError, match=name):
            switches.own(name)
    with pytest.raises(ValueError, match="table"):
        Switches("table", "table")
    with pytest.raises(ValueError, match="no shared switch is named 'mine'"):
        Switches("mine")


def test_the_bits_of_a_word_end() -> None:
    switches = Switches()
    for number in range(FIRST_OWN, 63):
        assert switches.own(f"switch {number}") == 1 << number
    with pytest.raises(ValueError, match="no bit is left"):
        switches.own("one more")
