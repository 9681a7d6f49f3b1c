"""King × Alchemy Research Institute: tricks for ingredients, and recipes for the points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from solver.protocol.face import Face, Places

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.common.control import Control
    from solver.protocol.compounding import CompoundAnalysis, Compounding, Wishes


class King(Face):
    """The face of a game that can be asked to compound as well: `solver.protocol.compounding.Compounder`."""

    def compound(self, position: BaseModel, control: Control, wishes: Wishes) -> CompoundAnalysis:
        from solver.games.king.positions import compound_question, moves

        return compound_question.answer(moves.card_set(position), control, wishes)

    def made(self, position: BaseModel, recipes: Sequence[tuple[str, Sequence[str]]]) -> Compounding:
        from solver.games.king.positions import compound_question, moves

        return compound_question.made(moves.card_set(position), recipes)

    def picture(self, position: BaseModel, found: Compounding) -> str:
        from solver.games.king.compounding import picture
        from solver.games.king.positions import moves

        cards = moves.card_set(position)
        return picture.recipe_graph(cards.full_deck, cards.numbers, found)


GAME = King(
    __name__,
    name="king",
    title="King × Alchemy",
    players=(3, 5),
    variants={
        "picked": "a round about to start: every seat has picked a card, at random",
        "unpicked": "before the round: all cards dealt, none picked yet",
    },
    models=("paranoid", "ally", "maxn"),
    places=Places(
        analysis_type=".answers:KingAnalysis",
        score_type=".positions.scoring:KingScore",
        playing=".positions.playing:KingPlaying",
        position_type=".positions.kinds:Position",
        deck_kind=".cards.deck_data:KIND",
        deal=".positions.seats:deal",
        view=".positions.seats:view",
        warm=(".compounding.best:warm", ".search.analyze:warm", ".hints.hint:warm"),
    ),
)
