"""Kirin: eight tricks under an order of colours and numbers that kirin cards turn round."""

from solver.protocol.face import Face
from solver.protocol.places import Places

GAME = Face(
    __name__,
    name="kirin",
    title="Kirin",
    players=(4, 4),
    variants={
        "declared": "a round about to start: every seat has set a card aside, at random",
        "undeclared": "before the round: nine cards each, nothing set aside yet",
    },
    models=("paranoid", "ally", "maxn"),
    places=Places(
        faces=".cards.faces:faces",
        analysis_type=".answers:KirinAnalysis",
        score_type=".positions.scoring:AnyScore",
        playing=".positions.playing:KirinPlaying",
        readings=".cards.readings:KirinReadings",
    ),
    record_help="""\
kirin: the card that each seat set aside, and what it has won (or "history").
  {"game": "kirin", "rounds": [{"declared": ["D3", "S1", "B+", "G6"],
                                "won": [["D6", …], …]}]}
  With "declared_counts": true the cards set aside count too.""",
)
