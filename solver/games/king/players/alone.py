"""What the trained player of King × Alchemy does that thinks no further: a hint's first answer.

It is the player by which hints finish their sampled rounds (`policy`, `pick_policy`, `take_policy`); its weights
were learned by self-play.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.games.king.cards import rules
from solver.games.king.cards.rules import Move
from solver.games.king.fast_rules.kernel import LOWEST, PLAYED, PLAYERS
from solver.games.king.players.pick_policy import PICK_FEATURES, pick_chances
from solver.games.king.players.policy import TRAINED, Room, new_room, valued_plays
from solver.games.king.players.setting import Setting, move_words, setting
from solver.games.king.players.take_policy import share_out
from solver.games.king.positions.known import View
from solver.games.king.positions.picks import PickView
from solver.hints.policy import to_chances
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount
from solver.kernels.jit import kernel


@kernel
def alone(
    given: Setting, picking: bool, seat: int, hand: int, unseen: int, piles: Words, kind: int, room: Room
) -> int:
    """Write the cards to pick, or the plays, to the codes of `room`, their chances to its values; return how many.

    A winner who is to take has one way, and its gains are entered in `piles`. `hand`, `unseen` and the piles are
    masks.
    """
    values, node, play, pick = given
    if picking:
        return int(pick_chances(values, seat, hand, pick[kind * PICK_FEATURES :], room))
    if node[PLAYED] == values.deal[PLAYERS]:
        share_out(values, node, piles, popcount(hand), -1, -1)
        return 0
    count = valued_plays(values, node, seat, hand, unseen, play, room, kind)
    to_chances(count, room.values)
    return int(count)


def chances(view: View | PickView, moves: Sequence[Move], kind: int = TRAINED) -> list[float]:
    """How likely a player of a kind (`kinds`) makes each of the legal moves.

    What it takes and gives is no matter of chance; and of names of the Dancer that lose alike it makes the first.
    """
    given, room = setting(view), new_room()
    picking = isinstance(view, PickView)
    piles = np.zeros(view.players, np.int64) if isinstance(view, PickView) else np.array(view.piles, np.int64)
    unseen = 0 if isinstance(view, PickView) else view.unseen
    bottom = int(given.node[LOWEST])
    count = alone(given, picking, view.seat, view.hand_mask, unseen, piles, kind, room)
    if count:
        made = {
            (int(code), -1): float(chance) for code, chance in zip(room.codes[:count], room.values, strict=False)
        }
    else:
        assert isinstance(view, View)
        gained = [int(pile) & ~before for pile, before in zip(piles, view.piles, strict=True)]
        kept = view.plays[rules.winner(view.full_deck, view.plays)].card
        to_bottom = gained[bottom].bit_length() - 1 if bottom >= 0 else -1
        made = {(gained[view.seat] & ~(1 << kept), to_bottom): 1.0}
    return [made.get(move_words(view, move), 0.0) for move in moves]
