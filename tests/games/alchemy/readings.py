"""For tests of the fixture `variant`: each solitaire, and `alternative` by its other reading as well."""

from __future__ import annotations

import pytest

from solver.games.alchemy.deck import card, cards
from solver.games.alchemy.position import SolitairePosition
from solver.games.alchemy.rules import WITHOUT_CAP_LOSS, AlchemyReadings, Turn, Variant

EACH_READING = pytest.mark.parametrize(
    "variant", ["alternative", "alternative without cap loss", "solo"], indirect=True
)


def view_of(variant: Variant, turn: Turn) -> SolitairePosition:
    """A turn whose stock is hidden, by the reading of the variant."""
    assert turn.hand is not None
    rules = AlchemyReadings(alternative_without_cap_loss=variant == WITHOUT_CAP_LOSS)
    return SolitairePosition(
        game="alchemy", variant=variant.name, rules=rules, cap=turn.cap,
        line=tuple(cards(turn.line)), hand=card(turn.hand), unseen=tuple(cards(turn.stock)),
    )  # fmt: skip
