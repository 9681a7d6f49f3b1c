"""The parts that trick games share, for any number of seats and any deck, and a base for plain games.

In `rules`, a game states its rules. `positions` has closed models, places, seats, the past and what it
excludes, and mixins for positions and views; `moves` has what may be played and seen, `match` the
rounds of a match, and `analysis` the analyses of any trick game. `plain` is a complete plain game: positions,
records, playing, analyses, and hints.
"""

from solver.game import Game


class PlainTrickGame(Game):
    """A trick game that uses the functions of `solver.tricks.plain`, except for its own types, deal and search.

    Each seat in turn plays a card to a trick, one seat (or nobody) takes it, and the score follows from the cards
    taken.
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
        "observe": "solver.tricks.plain:observe",
        "possible": "solver.tricks.plain:possible",
        "describe": "solver.tricks.plain:describe",
        "score": "solver.tricks.plain:score",
        "as_known": "solver.tricks.plain:as_known",
        "as_view": "solver.tricks.plain:as_view",
        "analyze": ".search:analyze",
        "hint": ".search:hint",
    }
    warming = (".search:warm",)
