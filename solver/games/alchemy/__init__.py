"""Alchemy: find the sum-matches; the solitaires with a known and with a hidden stock; the duel's exchange."""

from solver.protocol.face import Face, late
from solver.protocol.places import Places
from solver.protocol.survey import Parts, Survey

GAME = Face(
    __name__,
    name="alchemy",
    title="Alchemy",
    players=(1, 2),
    variants={
        "solo": "solitaire: 52 cards, a line of six, matches of at least three line cards",
        "alternative": "solitaire: A–10, a line of four, matches of at least one line card",
        "duel": "the two-player game: an exchange, a round, a race to 100",
        "free": "sum-match puzzles of any size",
    },
    places=Places(
        faces=".cards.faces:faces",
        composer=".composing.composer:AlchemyComposer",
        analysis_type=".answers:AnyAnalysis",
        hint_type=".answers:AnyHint",
        score_type=".answers:AnyScore",
        record_type=".positions.records:Record",
        position_type=".positions.known:Position",
        playing=".playing:AlchemyPlaying",
        readings=".cards.readings:AlchemyReadings",
        dealt_by_rules=True,
        as_known=None,  # each kind of position is told apart by what analyses and hints it
        as_view=None,
        analyze=".analyze:analyze",
        hint=".hint:hint",
        answer=".proofs:answer",
        proved=".proofs:proved",
        warm=(".warm:known", ".warm:hints"),
    ),
    surveys=(
        Survey(
            name="winrate",
            help="How many deals of a solitaire can be won, with a 95% interval.",
            variants=("solo", "alternative"),
            deals=100_000,
            run=late(__name__, ".surveys.winrate:winrate"),
            parts=Parts(
                deals=1_000_000,
                part=late(__name__, ".surveys.parts:part"),
                merged=late(__name__, ".surveys.parts:merged"),
            ),
            sections=late(__name__, ".surveys.summary:sections"),
            draw=late(__name__, ".surveys.plot:plot"),
            drawn="where deals are lost",
        ),
        Survey(
            name="policies",
            help="How many deals of a solitaire simple players win who do not see the stock.",
            variants=("solo", "alternative"),
            deals=1_000_000,
            sections=late(__name__, ".surveys.summary:policy_sections"),
            parts=Parts(
                deals=500_000,
                part=late(__name__, ".surveys.parts:policies_part"),
                merged=late(__name__, ".surveys.parts:policies_merged"),
            ),
        ),
        Survey(
            name="by-hint",
            help="How many deals of a solitaire are won by following hints, the stock hidden.",
            variants=("solo", "alternative"),
            deals=10_000,
            sections=late(__name__, ".surveys.summary:hint_sections"),
            parts=Parts(
                deals=250,
                part=late(__name__, ".surveys.by_hint:part"),
                merged=late(__name__, ".surveys.by_hint:merged"),
            ),
        ),
    ),
    record_help="""\
alchemy: the two piles of a duel; or a solitaire, its deck from the top
with the first line in front, and the moves made.
  {"game": "alchemy", "variant": "duel", "rounds": [{"piles": [["A", …], …]}]}
  {"game": "alchemy", "variant": "solo", "rules": {…}, "deck": ["4", …],
   "moves": ["6+7=4+9", "discard K", …]}""",
)
