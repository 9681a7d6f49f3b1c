"""What the learned player of Aqua Regia is told of a choice: what all its moves share, as kernels.

Nothing depends on a metal's number or a field's: cards are told by where they stand in the deck and by what they
can do in the field of now and in those that come, so that any deck can be played. Inputs are numbers of about 1.
"""

from __future__ import annotations

from solver.games.aqua_regia.hints.game_kernel import (
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
from solver.games.aqua_regia.hints.learned.hand_inputs import BINS, HAND, hand_inputs, write_bins
from solver.games.aqua_regia.hints.learned.sight import FIELDS, Odds, Sight, field_after, field_step
from solver.hints.learned.forward import Inputs, tell_all
from solver.kernels.arrays import Floats, Words
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
def _write_top(sight: Sight, odds: Odds, row: Floats) -> None:
    """Write what lies there, and after how many passes of others the trick ends."""
    game = sight.game
    scalars = game.scalars
    players, metals = game.hands.shape
    metal, count = scalars[METAL], scalars[COUNT]
    lying = 0
    for other in range(metals):
        lying += game.piles[TABLE, other]
    row[TOP] = (metal + 1) / metals
    row[TOP + count] = 1.0
    row[TOP + 5] = 0.05 * lying
    row[TOP + 6] = odds.safe[scalars[FIELD], count - 1, metal]
    after = (scalars[OWNER] - scalars[TURN] + players) % players
    row[TOP + 6 + after] = 1.0
    row[TOP + 11] = 0.33 * (players - 1 - after)


@lean
def _write_others(sight: Sight, row: Floats) -> None:
    """Write how many cards the others hold, in turn."""
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
        row[at] = 0.1 * size
        row[at + 1] = 1.0 if size == 1 else 0.0
        row[at + 2] = 1.0 if size == 2 else 0.0
        row[at + 3] = 1.0 if size < 5 else 0.0
        row[at + 4] = 0.25 * known
        row[at + 5] = 1.0 if game.scalars[COUNT] > 0 and other == game.scalars[OWNER] else 0.0
    row[STOCK + 6] = 0.1 * least
    row[STOCK + 7] = 0.1 * (game.sizes[seat] - least)


@lean
def choice_inputs(
    sight: Sight, odds: Odds, total: int, exchanging: bool, takeable: Words, row: Floats, inputs: Inputs
) -> None:
    """Note what all moves share. `total` cards are unseen.

    `takeable` is room for the metals that can be taken, and `row` for what is noted.
    """
    game = sight.game
    scalars = game.scalars
    seat = scalars[TURN]
    players, metals = game.hands.shape
    stock = scalars[STOCKED] - scalars[DRAWN]
    for place in range(CONTEXT):
        row[place] = 0.0
    row[players - 2] = 1.0
    stage = 3 if exchanging else 0 if scalars[COUNT] == 0 else 1 if stock > 0 else 2
    row[STAGE + stage] = 1.0
    if scalars[COUNT] > 0:
        _write_top(sight, odds, row)
    _write_others(sight, row)
    row[STOCK] = 0.03 * stock
    row[STOCK + 1] = 1.0 if stock == 0 else 0.0
    row[STOCK + 2] = 0.1 * min(10, stock)
    row[STOCK + 3] = 0.02 * total
    row[STOCK + 4] = 0.0625 * metals
    row[STOCK + 5] = 0.25 * scalars[COPIES]
    step = field_step(scalars)
    for later in range(FIELDS):
        field = field_after(scalars, later, step)
        out = 0
        for metal in range(metals):
            if game.reactivity[field, metal] > 0:
                out += odds.unseen[metal]
        row[FIELDS_AT + later] = 0.02 * out
    write_bins(odds.unseen, metals, 0.25, row, UNSEEN)
    for metal in range(metals):
        lies = game.piles[DISCARD, metal]
        takeable[metal] = lies if lies < scalars[COPIES] else 0
    write_bins(takeable, metals, 0.25, row, TAKEABLE)
    hand_inputs(sight, odds, game.hands[seat], step, row, OWN)
    tell_all(inputs, 0, row, CONTEXT)
