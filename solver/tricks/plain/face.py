"""Where the functions of a plain game of tricks lie: what its `solver.protocol.face.Face` begins with.

    places=replace(PLAIN_GAME, position_type=".positions:Position", record_type=".positions:Record", deal=…)

A game names its own types and its `deal`, and whatever it does otherwise than `solver.tricks.plain.positions`.
"""

from __future__ import annotations

from solver.protocol.places import Places

PLAIN_GAME = Places(
    analysis_type="solver.tricks.plain.answers:ScoreAnalysis",
    score_type="solver.tricks.plain.answers:MatchScore",
    playing="solver.tricks.plain.playing:PlainPlaying",
    notation="solver.tricks.plain.notation:notation",
    asks="solver.tricks.plain.positions:asks",
    legal_moves="solver.tricks.plain.positions:legal_moves",
    parse_move="solver.tricks.plain.positions:parse_move",
    format_move="solver.tricks.plain.positions:format_move",
    play="solver.tricks.plain.positions:play",
    view="solver.tricks.plain.positions:view",
    observe="solver.tricks.observing:observe",
    possible="solver.tricks.observing:possible",
    describe="solver.tricks.plain.describe:describe",
    score="solver.tricks.plain.records:score",
    as_known="solver.tricks.plain.positions:as_known",
    as_view="solver.tricks.plain.positions:as_view",
)
