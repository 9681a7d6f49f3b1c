"""What King × Alchemy's plausible player goes by: see `player` for the features."""

from __future__ import annotations

from solver.games.king.player import (
    BOTTOM,
    CONTEXTS,
    FEATURES,
    IS_DANCER,
    IS_TRUMP,
    NUMBER,
    TRUMP_NUMBER,
    WINS_LATER,
    WINS_OWN,
    WINS_TABLE,
)

_SAME = {WINS_OWN: 1.0, WINS_TABLE: 1.0, WINS_LATER: 1.8, NUMBER: -2.4, IS_TRUMP: -1.4, TRUMP_NUMBER: -1.7, IS_DANCER: -3.0, BOTTOM: 1.0}
HOPE = 0.2
PLAY = tuple(_SAME.get(f, 0.0) if part == 0 else 0.0 for c in range(CONTEXTS) for part in range(2) for f in range(FEATURES))
PICK = (1.0, -2.4, -1.4, -1.7, -3.0, 0.0, 0.0, 0.0)
