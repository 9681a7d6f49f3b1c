"""King × Alchemy Research Institute: tricks for ingredients, and recipes for the points."""

from solver.game import Face, Parts, Places, Survey, late

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
        faces=".deck:faces",
        composer=".puzzles:KingComposer",
        analysis_type=".position:KingAnalysis",
        hint_type="solver.answers:AnySampledHint",
        score_type=".moves:AnyScore",
        playing=".moves:KingPlaying",
        deck_kind=".deck:KIND",
        guaranteed=".hint:guaranteed",
        readings=".deck:KingReadings",
        questions={"compound": ".moves:QUESTION"},
        deal=".moves:seats_deal",
        view=".moves:view",
        warm=(".compounding:warm", ".analyze:warm", ".hint:warm"),
    ),
    surveys=(
        Survey(
            name="seats",
            help="What the lead and each seat are worth, and how far the models differ.",
            variants=("3", "4", "5"),
            deals=200,
            sections=late("solver", ".studies:seats_sections"),
            parts=Parts(
                deals=10,
                part=late(__name__, ".studies:seats_part"),
                merged=late(__name__, ".studies:seats_merged"),
            ),
            draw=late("solver", ".studies:seats_plot"),
            drawn="the value of each place",
        ),
        Survey(
            name="pick",
            help="What the card that is picked is worth, by sampled rounds.",
            variants=("3", "4", "5"),
            deals=200,
            sections=late("solver", ".studies:choices_sections"),
            parts=Parts(
                deals=20,
                part=late(__name__, ".studies:pick_part"),
                merged=late(__name__, ".studies:pick_merged"),
            ),
            draw=late("solver", ".studies:choices_plot"),
            drawn="the value of each kind of card",
        ),
    ),
    record_help="""\
king: what each seat has won, its first pick too.
  {"game": "king", "deck": "house", "rounds": [{"won": [["F3", …], …]}]}""",
)
