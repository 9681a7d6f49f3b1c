"""What the critic of Aqua Regia is told of a game in which every hand is known, as a kernel.

That is what the seat to move sees of its choice (`choice_inputs`), and what is so of each other hand, in turn
(`hand_inputs`). The order of the stock, which nobody can know, is not told.
"""

from __future__ import annotations

from solver.games.aqua_regia.cards.rules import PLAYERS
from solver.games.aqua_regia.hints.game_kernel import TURN
from solver.games.aqua_regia.hints.learned.choice_inputs import CONTEXT, choice_inputs
from solver.games.aqua_regia.hints.learned.hand_inputs import HAND, hand_inputs
from solver.games.aqua_regia.hints.learned.sight import Odds, Sight, field_step, work_out
from solver.hints.learned.forward import Inputs, tell
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import lean

FULL_INPUTS = CONTEXT + (PLAYERS[1] - 1) * HAND


@lean
def full_inputs(sight: Sight, odds: Odds, takeable: Words, row: Floats, inputs: Inputs) -> None:
    """Note what is so where the seat to move may play; `takeable` and `row` are room for `choice_inputs`."""
    game = sight.game
    players = len(game.sizes)
    seat = game.scalars[TURN]
    step = field_step(game.scalars)
    choice_inputs(sight, odds, work_out(sight, odds), False, takeable, row, inputs)
    for other in range(players - 1):
        for place in range(HAND):
            row[place] = 0.0
        hand_inputs(sight, odds, game.hands[(seat + 1 + other) % players], step, row, 0)
        for place in range(HAND):
            tell(inputs, CONTEXT + other * HAND + place, row[place])
