"""What the learned player of Aqua Regia is told of a choice: what all its moves share, as kernels.

Nothing depends on a metal's number or a field's: cards are told by where they stand in the deck and by what they
can do in the field of now and in those that come, so that any deck can be played. Inputs are numbers of about 1.
"""

from __future__ import annotations

from solver.games.aqua_regia.hints.learned.hand_inputs import BINS, HAND, hand_inputs, tell_bins
from solver.games.aqua_regia.hints.learned.sight import FIELDS, Odds, Sight, field_after, field_step
from solver.games.aqua_regia.hints.rollouts import (
    COPIES,
    COUNT,
    DISCARD,
    DRAWN,
    FIELD,
    METAL,
    OWNER,
    STOCKED,
    TABLE,
    TURN,
)
from solver.hints.learned.forward import Inputs, tell
from solver.kernels.arrays import Words
from solver.kernels.jit import lean

# Where the parts begin.
STAGE = 4  # to lead, to follow, to follow with no stock, to exchange
TOP = 8
OTHERS = 20
_OF_OTHER = 6
STOCK = OTHERS + 4 * _OF_OTHER
FIELDS_AT = STOCK + 8
UNSEEN = FIELDS_AT + FIELDS
TAKEABLE = UNSEEN + BINS
OWN = TAKEABLE + BINS
CONTEXT = OWN + HAND  # inputs


@lean
def _tell_top(sight: Sight, odds: Odds, inputs: Inputs) -> None:
    """Note what lies there, and after how many passes of others the trick ends."""
    game = sight.game
    scalars = game.scalars
    players, metals = game.hands.shape
    metal, count = scalars[METAL], scalars[COUNT]
    lying = 0
    for other in range(metals):
        lying += game.piles[TABLE, other]
    tell(inputs, TOP, (metal + 1) / metals)
    tell(inputs, TOP + count, 1.0)
    tell(inputs, TOP + 5, 0.05 * lying)
    tell(inputs, TOP + 6, odds.safe[scalars[FIELD], count - 1, metal])
    after = (scalars[OWNER] - scalars[TURN] + players) % players
    tell(inputs, TOP + 6 + after, 1.0)
    tell(inputs, TOP + 11, 0.33 * (players - 1 - after))


@lean
def _tell_others(sight: Sight, inputs: Inputs) -> None:
    """Note how many cards the others hold, in turn."""
    game = sight.game
    seat = game.scalars[TURN]
    players, metals = game.hands.shape
    least = 1 << 20
    for place in range(players - 1):
        other = (seat + 1 + place) % players
        size = game.sizes[other]
        least = min(least, size)
        known = 0
        for metal in range(metals):
            known += sight.known[other, metal]
        at = OTHERS + _OF_OTHER * place
        tell(inputs, at, 0.1 * size)
        tell(inputs, at + 1, 1.0 if size == 1 else 0.0)
        tell(inputs, at + 2, 1.0 if size == 2 else 0.0)
        tell(inputs, at + 3, 1.0 if size < 5 else 0.0)
        tell(inputs, at + 4, 0.25 * known)
        tell(inputs, at + 5, 1.0 if game.scalars[COUNT] > 0 and other == game.scalars[OWNER] else 0.0)
    tell(inputs, STOCK + 6, 0.1 * least)
    tell(inputs, STOCK + 7, 0.1 * (game.sizes[seat] - least))


@lean
def choice_inputs(sight: Sight, odds: Odds, total: int, exchanging: bool, takeable: Words, inputs: Inputs) -> None:
    """Note what all moves share. `total` cards are unseen; `takeable` is room for the metals that can be taken."""
    game = sight.game
    scalars = game.scalars
    seat = scalars[TURN]
    players, metals = game.hands.shape
    stock = scalars[STOCKED] - scalars[DRAWN]
    inputs.many[0] = 0
    tell(inputs, players - 2, 1.0)
    stage = 3 if exchanging else 0 if scalars[COUNT] == 0 else 1 if stock > 0 else 2
    tell(inputs, STAGE + stage, 1.0)
    if scalars[COUNT] > 0:
        _tell_top(sight, odds, inputs)
    _tell_others(sight, inputs)
    tell(inputs, STOCK, 0.03 * stock)
    tell(inputs, STOCK + 1, 1.0 if stock == 0 else 0.0)
    tell(inputs, STOCK + 2, 0.1 * min(10, stock))
    tell(inputs, STOCK + 3, 0.02 * total)
    tell(inputs, STOCK + 4, 0.0625 * metals)
    tell(inputs, STOCK + 5, 0.25 * scalars[COPIES])
    step = field_step(scalars)
    for later in range(FIELDS):
        field = field_after(scalars, later, step)
        out = 0
        for metal in range(metals):
            if game.reactivity[field, metal] > 0:
                out += odds.unseen[metal]
        tell(inputs, FIELDS_AT + later, 0.02 * out)
    tell_bins(odds.unseen, metals, 0.25, inputs, UNSEEN)
    for metal in range(metals):
        lies = game.piles[DISCARD, metal]
        takeable[metal] = lies if lies < scalars[COPIES] else 0
    tell_bins(takeable, metals, 0.25, inputs, TAKEABLE)
    hand_inputs(sight, odds, game.hands[seat], step, inputs, OWN)
