"""What games of tricks share, for any number of seats and any deck; and the game of which a plain one is made.

`rules` is what a game says of its rules. `positions` has closed models, places, seats, the past and what it
excludes, and mixins for positions and views; `moves` and `observing` what may be played and seen, `match` the
rounds of a match, and `analysis` makes the analyses of any game of tricks. `plain` has a plain game ready-made:
positions, records, playing, analyses, and hints.
"""

from solver.game import Game


class PlainTrickGame(Game):
    """A game of tricks whose functions are those of `solver.tricks.plain`, but for its own types, deal and search.

    Each seat plays a card to a trick in turn, somebody or nobody takes it, and scores follow from what was taken.
    """

    places = {
        "position_type": ".position:Position",
        "record_type": ".position:Record",
        "analysis_type": "solver.tricks.plain:ScoreAnalysis",
        "score_type": "solver.tricks.plain:MatchScore",
        "playing": "solver.tricks.plain:PlainPlaying",
        "notation": "solver.tricks.plain:notation",
        "asks": "solver.tricks.plain:asks",
        "legal_moves": "solver.tricks.plain:legal_moves",
        "parse_move": "solver.tricks.plain:parse_move",
        "format_move": "solver.tricks.plain:format_move",
        "play": "solver.tricks.plain:play",
        "deal": ".position:deal",
        "view": "solver.tricks.plain:view",
        "observe": "solver.tricks.observing:observe",
        "possible": "solver.tricks.observing:possible",
        "describe": "solver.tricks.plain:describe",
        "score": "solver.tricks.plain:score",
        "as_known": "solver.tricks.plain:as_known",
        "as_view": "solver.tricks.plain:as_view",
        "analyze": ".search:analyze",
        "hint": ".search:hint",
    }
    warming = (".search:warm",)
