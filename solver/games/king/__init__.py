"""King × Alchemy Research Institute: tricks for ingredients, and recipes for the points."""

from solver.protocol.face import Face
from solver.protocol.places import Places

GAME = Face(
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
        faces=".cards.faces:faces",
        analysis_type=".answers:KingAnalysis",
        score_type=".positions.scoring:AnyScore",
        playing=".positions.playing:KingPlaying",
        deck_kind=".cards.deck_data:KIND",
        readings=".cards.readings:KingReadings",
        questions={"compound": ".positions.compound_question:QUESTION"},
        deal=".positions.seats:deal",
        view=".positions.seats:view",
        warm=(".compounding.best:warm", ".search.analyze:warm", ".hints.hint:warm"),
    ),
    record_help="""\
king: what each seat has won, its first pick too.
  {"game": "king", "deck": "house", "rounds": [{"won": [["F3", …], …]}]}""",
)
