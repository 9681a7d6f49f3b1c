"""What the learned player of Aqua Regia is told of one move, as kernels: see `choice_inputs`."""

from __future__ import annotations

from solver.games.aqua_regia.hints.game_kernel import (
    COUNT,
    EXCHANGES,
    FIELD,
    METAL,
    OPEN_PASS,
    OWNER,
    PLAYS,
    TURN,
)
from solver.games.aqua_regia.hints.learned.choice_inputs import CONTEXT
from solver.games.aqua_regia.hints.learned.hand_inputs import HAND, hand_inputs
from solver.games.aqua_regia.hints.learned.sight import COUNTS, FIELDS, Odds, Sight, field_after, field_step
from solver.hints.learned.forward import Inputs, tell_all
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import lean

# Where the parts begin, after what all moves share.
KIND = 0
PLAY = 5
EXCHANGE = 24
RULE = 37
AFTER = 39
MOVE = AFTER + HAND  # inputs
MOVE_INPUTS = CONTEXT + MOVE


@lean
def _goes_out(sight: Sight, hand: Words, field: int) -> bool:
    """Whether a field lets a whole hand out at once, led."""
    reactivity = sight.game.reactivity
    groups, whole = 0, False
    for metal in range(reactivity.shape[1]):
        if hand[metal] > 0:
            groups += 1
            lets = reactivity[field, metal]
            whole = (lets > 0 and hand[metal] == 1) or (lets > 1 and hand[metal] <= COUNTS)
    return groups == 1 and whole


@lean
def _write_play(
    sight: Sight, odds: Odds, metal: int, count: int, step: int, hand: Words, row: Floats, at: int
) -> None:
    """Write what is so of a play. `hand` is what stays, `step` how the fields change then."""
    game = sight.game
    scalars = game.scalars
    reactivity = game.reactivity
    metals = reactivity.shape[1]
    field = scalars[FIELD]
    safe = odds.safe[field, count - 1, metal]
    beaters = 0
    for other in range(metal + 1, metals):
        if reactivity[field, other] > min(count - 1, 1) and odds.unseen[other] >= count:
            beaters += 1
    following = field_after(scalars, 1, step)
    row[at + count - 1] = 1.0
    row[at + 4] = (metal + 1) / metals
    row[at + 5] = 0.5 * hand[metal]
    row[at + 6] = safe
    row[at + 7] = (metal - scalars[METAL]) / metals if scalars[COUNT] > 0 else 0.0
    row[at + 8] = 0.1 * beaters
    for later in range(3):
        goes = _goes_out(sight, hand, field_after(scalars, later, step))
        row[at + 9 + later] = 1.0 if goes else 0.0
        if later == 1:
            row[at + 12] = safe if goes else 0.0
    row[at + 13] = 1.0 if count == 4 else 0.0
    row[at + 14] = 1.0 if reactivity[following, metal] > 0 else 0.0
    row[at + 15] = 1.0 if reactivity[following, metal] > 1 else 0.0
    fields = 0
    for other in range(FIELDS):
        fields += int(reactivity[other, metal] > 0)
    row[at + 16] = 0.25 * fields
    row[at + 17] = 1.0 if scalars[COUNT] > 0 and count > scalars[COUNT] else 0.0


@lean
def _write_exchange(
    sight: Sight, odds: Odds, given: int, taken: int, step: int, hand: Words, row: Floats, at: int
) -> None:
    """Write what is so of an exchange. `hand` is the one after it."""
    game = sight.game
    metals = game.reactivity.shape[1]
    row[at] = (given + 1) / metals
    row[at + 1] = (taken + 1) / metals
    row[at + 2] = 0.33 * hand[taken]
    row[at + 3] = 0.33 * hand[given]
    for later in range(FIELDS):
        field = field_after(game.scalars, later, step)
        lets, let = game.reactivity[field, taken], game.reactivity[field, given]
        row[at + 4 + later] = float(int(lets > 0) - int(let > 0))
        row[at + 8 + later] = float(int(lets > 1) - int(let > 1))
    row[at + 12] = odds.safe[field_after(game.scalars, 1, step), 0, taken]


@lean
def move_inputs(
    sight: Sight, odds: Odds, move: Words, by_rule: float, after: Words, row: Floats, inputs: Inputs
) -> None:
    """Note what a move has of its own: a row in the words of `rollouts`.

    `by_rule` is the plausible player's value, less that of the best move; `after` is room for the hand that stays,
    and `row` for what is noted.
    """
    game = sight.game
    scalars = game.scalars
    players, metals = game.hands.shape
    seat = scalars[TURN]
    kind, one, other = move[0], move[1], move[2]
    step = field_step(scalars)
    for metal in range(metals):
        after[metal] = game.hands[seat, metal]
    for place in range(MOVE):
        row[place] = 0.0
    if kind == PLAYS:
        row[KIND + (1 if scalars[COUNT] > 0 else 0)] = 1.0
        after[one] -= other
        if other == 4:
            step = 4 - step
        _write_play(sight, odds, one, other, step, after, row, PLAY)
    else:
        row[KIND + (2 if kind == OPEN_PASS else 4 if kind == EXCHANGES else 3)] = 1.0
        row[PLAY + 18] = 1.0 if (seat + 1) % players == scalars[OWNER] else 0.0
        if kind == EXCHANGES:
            after[one] -= 1
            after[other] += 1
            _write_exchange(sight, odds, one, other, step, after, row, EXCHANGE)
    row[RULE] = max(-3.0, 0.1 * by_rule)
    row[RULE + 1] = 1.0 if by_rule == 0.0 else 0.0
    hand_inputs(sight, odds, after, step, row, AFTER)
    tell_all(inputs, CONTEXT, row, MOVE)
