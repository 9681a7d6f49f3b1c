"""Kirin: eight tricks under an order of colours and numbers that kirin cards can reverse."""

from solver.game import Game


class Kirin(Game):
    package = __name__
    name = "kirin"
    title = "Kirin"
    about = "Four players, eight tricks. Kirin cards reverse the order of colours and numbers."
    players = (4, 4)
    variants = {
        "declared": "a round about to start: every seat has set a card aside, at random",
        "undeclared": "before the round: nine cards each, nothing set aside yet",
    }
    models = ("paranoid", "ally", "maxn")
    places = {
        "position_type": ".position:Round",
        "asks": "solver.tricks.moves:asks",
        "legal_moves": "solver.tricks.moves:legal_moves",
        "parse_move": "solver.tricks.moves:parse_move",
        "format_move": "solver.tricks.moves:format_move",
        "possible": "solver.tricks.moves:possible",
        "as_view": "solver.tricks.moves:as_view",
        "played_by": ".hint:played_by",
        "worlds": ".worlds:positions",
        "cards": ".deck:faces",
        "composer": ".puzzles:KirinComposer",
        "analysis_type": ".position:KirinAnalysis",
        "hint_type": "solver.answers:AnySampledHint",
        "score_type": ".moves:AnyScore",
        "playing": ".moves:KirinPlaying",
        "guaranteed": ".hint:guaranteed",
        "readings": ".rules:KirinReadings",
        "claim": ".analyze:claim",
        "proving": ".analyze:proving",
    }
    record_help = """\
kirin: the card that each seat set aside, and what it has won (or "history").
  {"game": "kirin", "rounds": [{"declared": ["D3", "S1", "B+", "G6"],
                                "won": [["D6", …], …]}]}
  With "declared_counts": true the cards set aside count too; "as_played": ["D6"]
  lists plays of the history against the rules."""


GAME = Kirin()
