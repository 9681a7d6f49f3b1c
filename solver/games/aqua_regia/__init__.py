"""Aqua Regia: a climbing game of metals in fields that change; the first to run out of cards wins."""

from solver.protocol.face import Face
from solver.protocol.places import Places

GAME = Face(
    __name__,
    name="aqua-regia",
    title="Aqua Regia",
    players=(2, 5),
    models=("paranoid", "ally", "maxn"),
    places=Places(
        faces=".cards.faces:faces",
        analysis_type=".answers:AquaAnalysis",
        score_type=".positions.scoring:AnyScore",
        deck_kind=".cards.deck_data:KIND",
        readings=".cards.readings:AquaReadings",
        playing=".positions.playing:AquaPlaying",
    ),
    record_help="""\
aqua-regia: the cards left in each hand, or "counts" of them.
  {"game": "aqua-regia", "rounds": [{"hands": [["Zn", "Pb"], []]}]}""",
)
