"""Aqua Regia: a climbing game of metals in changing fields; the first player without cards wins."""

from solver.game import Game


class AquaRegia(Game):
    package = __name__
    name = "aqua-regia"
    title = "Aqua Regia"
    about = "Two to five players. Get rid of your metals while the field changes."
    players = (2, 5)
    race = True
    watched = {"": ("players", "seat", "turn", "hand")}
    models = ("paranoid", "ally", "maxn")
    places = {
        "played_by": ".hint:played_by",
        "notes": ".moves:notes",
        "worlds": ".worlds:positions",
        "guaranteed": ".hint:guaranteed",
        "cards": ".deck:faces",
        "composer": ".puzzles:AquaComposer",
        "analysis_type": ".position:AquaAnalysis",
        "hint_type": "solver.answers:AnySampledHint",
        "score_type": ".moves:AnyScore",
        "deck_kind": ".deck:KIND",
        "readings": ".deck:AquaReadings",
        "playing": ".moves:AquaPlaying",
        "claim": ".analyze:claim",
        "proving": ".analyze:proving",
    }
    record_help = """\
aqua-regia: the cards left in each hand, or "counts" of them.
  {"game": "aqua-regia", "rounds": [{"hands": [["Zn", "Pb"], []]}]}"""


GAME = AquaRegia()
