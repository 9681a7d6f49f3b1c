"""Where the functions of a plain game of tricks lie: what its `solver.protocol.face.Face` begins with.

    places=replace(PLAIN_GAME, position_type=".positions:Position", record_type=".positions:Record", deal=…)

A game names its own types and its `deal`, and whatever it does otherwise than `solver.tricks.plain`.
"""

from __future__ import annotations

from solver.protocol.face import Places

PLAIN_GAME = Places(
    analysis_type="solver.tricks.answers:ScoreAnalysis",
    score_type="solver.tricks.answers:MatchScore",
    playing="solver.tricks.playing:PlainPlaying",
    asks="solver.tricks.plain:asks",
    legal_moves="solver.tricks.plain:legal_moves",
    parse_move="solver.tricks.plain:parse_move",
    format_move="solver.tricks.plain:format_move",
    play="solver.tricks.plain:play",
    view="solver.tricks.plain:view",
    describe="solver.tricks.describe:describe",
    score="solver.tricks.records:score",
    as_known="solver.tricks.plain:as_known",
    as_view="solver.tricks.plain:as_view",
)
