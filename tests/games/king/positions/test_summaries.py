"""What a seat made of its cards in a round is told in a sentence."""

from __future__ import annotations

import pytest

from solver import decks
from solver.games.king.deck import KIND
from solver.games.king.moves import earned, making
from solver.limits import Control


@pytest.mark.parametrize(("you", "who"), [(1, "You have"), (0, "Seat 1 has"), (None, "Seat 1 has")])
def test_what_was_made_is_told_in_a_sentence(you: int | None, who: str) -> None:
    deck = decks.meant(KIND, None)
    pile = sum(1 << deck.index[code] for code in ("F6", "A2", "F8"))
    found = making(earned(deck, 1, pile, Control()), you)
    assert found == f"{who} 5 by the cards, and made Green Lion (F6 of A2 F8) for 5."
