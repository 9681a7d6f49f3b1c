"""King × Alchemy Research Institute: win ingredients in tricks, and make recipes from them for points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from solver.game import Game

if TYPE_CHECKING:
    from solver.answers import Question


class King(Game):
    package = __name__
    name = "king"
    title = "King × Alchemy"
    about = "Three to five players. Win tricks, and compound what you won into recipes."
    players = (3, 5)
    variants = {
        "picked": "a round about to start: every seat has picked a card, at random",
        "unpicked": "before the round: all cards dealt, none picked yet",
    }
    watched = {"": ("seat", "leader", "hand", "removed")}
    models = ("paranoid", "ally", "maxn")
    disputed = ("no_bottom_when_trumped",)
    places = {
        "played_by": ".hint:played_by",
        "notes": ".moves:notes",
        "worlds": ".worlds:positions",
        "cards": ".deck:faces",
        "composer": ".puzzles:KingComposer",
        "analysis_type": ".position:KingAnalysis",
        "hint_type": "solver.answers:AnySampledHint",
        "score_type": ".moves:AnyScore",
        "playing": ".moves:KingPlaying",
        "deck_kind": ".deck:KIND",
        "guaranteed": ".hint:guaranteed",
        "readings": ".deck:KingReadings",
        "deal": ".moves:seats_deal",
        "claim": ".analyze:claim",
        "proving": ".analyze:proving",
    }
    warming = (
        ".compounding:warm",
        ".analyze:warm",
        ".hint:warm_answers",
        ".hint:warm_endings",
        ".hint:warm_rounds",
    )
    hint_warming = 3
    record_help = """\
king: what each seat has won, its first pick too.
  {"game": "king", "deck": "house", "rounds": [{"won": [["F3", …], …]}]}"""

    @property
    def questions(self) -> Mapping[str, Question]:
        from solver.games.king.compounding_question import QUESTION

        return {"compound": QUESTION}


GAME = King()
