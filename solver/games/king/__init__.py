"""King × Alchemy Research Institute: tricks for ingredients, and recipes for the points."""

from solver.protocol.face import Face, late
from solver.protocol.places import Places
from solver.protocol.survey import Parts, Survey

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
        composer=".composing.composer:KingComposer",
        analysis_type=".answers:KingAnalysis",
        hint_type="solver.protocol.answers:AnySampledHint",
        score_type=".positions.scoring:AnyScore",
        playing=".positions.playing:KingPlaying",
        deck_kind=".cards.deck_data:KIND",
        guaranteed=".hints.guaranteed:guaranteed",
        readings=".cards.readings:KingReadings",
        questions={"compound": ".positions.compound_question:QUESTION"},
        deal=".positions.seats:deal",
        view=".positions.seats:view",
        warm=(".compounding.best:warm", ".search.analyze:warm", ".hints.hint:warm"),
    ),
    surveys=(
        Survey(
            name="seats",
            help="What the lead and each seat are worth, and how far the models differ.",
            variants=("3", "4", "5"),
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
        Survey(
            name="pick",
            help="What the card that is picked is worth, by sampled rounds.",
            variants=("3", "4", "5"),
            deals=200,
            sections=late("solver.studies", ".choices:sections"),
            parts=Parts(
                deals=20,
                part=late(__name__, ".studies:pick_part"),
                merged=late(__name__, ".studies:pick_merged"),
            ),
            draw=late("solver.studies", ".choices:plot"),
            drawn="the value of each kind of card",
        ),
    ),
    record_help="""\
king: what each seat has won, its first pick too.
  {"game": "king", "deck": "house", "rounds": [{"won": [["F3", …], …]}]}""",
)
