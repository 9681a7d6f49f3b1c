"""Aqua Regia: a climbing game of metals in fields that change; the first to run out of cards wins."""

from solver.protocol.face import Face, late
from solver.protocol.places import Places
from solver.protocol.survey import Parts, Survey

GAME = Face(
    __name__,
    name="aqua-regia",
    title="Aqua Regia",
    players=(2, 5),
    models=("paranoid", "ally", "maxn"),
    places=Places(
        faces=".cards.faces:faces",
        composer=".composing.composer:AquaComposer",
        analysis_type=".answers:AquaAnalysis",
        hint_type="solver.protocol.answers:AnySampledHint",
        score_type=".positions.scoring:AnyScore",
        deck_kind=".cards.deck_data:KIND",
        readings=".cards.readings:AquaReadings",
        playing=".positions.playing:AquaPlaying",
    ),
    surveys=(
        Survey(
            name="seats",
            help="What the lead and each seat are worth, and how far the models differ.",
            variants=("2", "3", "4"),
            deals=200,
            sections=late("solver.studies", ".seats:sections"),
            parts=Parts(
                deals=10,
                part=late(__name__, ".studies:seats_part"),
                merged=late(__name__, ".studies:seats_merged"),
            ),
            draw=late("solver.studies", ".seats:plot"),
            drawn="the value of each place",
        ),
    ),
    record_help="""\
aqua-regia: the cards left in each hand, or "counts" of them.
  {"game": "aqua-regia", "rounds": [{"hands": [["Zn", "Pb"], []]}]}""",
)
