"""Alchemy: sum-matching puzzles, the two solitaires, and the two-player duel."""

from __future__ import annotations

from solver.errors import Fault
from solver.game import Game, Parts, Survey, late


class Alchemy(Game):
    package = __name__
    name = "alchemy"
    title = "Alchemy"
    about = "Alone or in a duel. Find cards that add up to the same on both sides."
    players = (1, 2)
    variants = {
        "solo": "solitaire: 52 cards, a line of six, matches of at least three line cards",
        "alternative": "solitaire: A–10, a line of four, matches of at least one line card",
        "duel": "the two-player game: an exchange, a round, a race to 100",
        "free": "sum-match puzzles of any size",
    }
    places = {
        "position_type": ".position:Round",
        "cards": ".position:faces",
        "composer": ".puzzles:AlchemyComposer",
        "analysis_type": ".position:AnyAnalysis",
        "hint_type": ".position:AnyHint",
        "score_type": ".position:AnyScore",
        "playing": ".playing:AlchemyPlaying",
        "readings": ".rules:AlchemyReadings",
        "as_known": None,  # `analyze` and `hint` themselves distinguish the kinds of positions
        "as_view": None,
        "analyze": ".solving:analyze",
        "hint": ".solving:hint",
        "worlds": ".moves:worlds",
        "answer": ".solving:answer",
        "proved": ".solving:proved",
        "claim": ".solving:claim",
        "proving": ".solving:proving",
    }
    finding = True
    watched = {
        "solo": ("line", "hand"),
        "alternative": ("line", "hand"),
        "duel": ("line", "hand", "opponent_hand"),
    }
    watched_from = {"duel": {"totals": "0,0"}}  # without them, hints look at one exchange alone
    dealt_by_rules = True
    warming = (".solving:known", ".solving:hints")
    surveys = (
        Survey(
            name="winrate",
            help="How many deals of a solitaire can be won, with a 95% interval.",
            variants=("solo", "alternative"),
            deals=100_000,
            run=late(__name__, ".winrate:winrate"),
            parts=Parts(
                deals=1_000_000,
                part=late(__name__, ".winrate:part"),
                merged=late(__name__, ".winrate:merged"),
            ),
            sections=late(__name__, ".winrate:sections"),
            draw=late(__name__, ".winrate:plot"),
            drawn="where deals are lost",
        ),
    )
    record_help = """\
alchemy: the two piles of a duel; or a solitaire, its deck from the top
with the first line in front, and the moves made.
  {"game": "alchemy", "variant": "duel", "rounds": [{"piles": [["A", …], …]}]}
  {"game": "alchemy", "variant": "solo", "rules": {…}, "deck": ["4", …],
   "moves": ["6+7=4+9", "discard K", …]}"""

    def players_fault(self, players: object, variant: object = None) -> Fault | None:
        from solver.validation import players_fault

        if variant not in self.variants:
            return super().players_fault(players)
        wanted = 2 if variant == "duel" else 1
        return players_fault(str(variant), players, wanted, wanted)


GAME = Alchemy()
