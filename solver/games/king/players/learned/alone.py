"""What the learned player of King × Alchemy does that thinks no further than its network: a hint's first answer.

Networks that were taught by rounds of play judge the card that is to be played (`policy.npz`), the first card
that is picked (`picks.npz`), and what is taken and given (`takings.npz`); beside each a file tells how it was made
and how well it plays.

A choice is the same on every machine: what a network is told is rounded (`forward.tell`), and it adds in
an order of its own (`solver.hints.learned.network`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from solver.games.king.cards.rules import Move, Play
from solver.games.king.players.kinds import ALL_PLAYS
from solver.games.king.players.learned.hand_inputs import Sight
from solver.games.king.players.learned.share_inputs import GIVEN, Trial
from solver.games.king.players.learned.sharing import Head, Heads, judge_picks, judge_takings, trial
from solver.games.king.players.learned.thinking import Brain, Thought, think, thought
from solver.games.king.players.learned.views import sight_of
from solver.games.king.players.policy import Room, new_room, plays
from solver.games.king.players.setting import move_words
from solver.games.king.players.weights import PICK
from solver.games.king.positions.known import View
from solver.games.king.positions.picks import PickView
from solver.hints.learned.network import read
from solver.hints.policy import to_chances
from solver.kernels.jit import kernel

_PLAYS, _PICKS, _TAKINGS = (Path(__file__).with_name(f"{name}.npz") for name in ("policy", "picks", "takings"))


@kernel
def alone(
    brain: Brain, seen: Sight, seat: int, hand: int, unseen: int, sure: float, room: Room, mind: Thought
) -> int:
    """Write the plays to the codes of `room` and their chances to `mind.worth`; return how many there are.

    `sure` is what a point more multiplies the log of a chance by.
    """
    count = plays(seen.values.deal, seen.node, hand, room.codes)
    think(brain, seen, seat, hand, unseen, count, room, mind)
    for place in range(count):
        mind.worth[place] *= sure
    to_chances(count, mind.worth)
    return count


@kernel
def pick_or_take(
    heads: Heads,
    seen: Sight,
    seat: int,
    hand: int,
    unseen: int,
    picks: bool,
    sure: float,
    room: Room,
    trial: Trial,
) -> int:
    """Write the picks, or the takings, to the codes of `room` and their chances to `trial.worth` (`alone`).

    Returns how many there are.
    """
    if picks:
        count = judge_picks(heads, seen, seat, hand, unseen, room, trial)
    else:
        count = judge_takings(heads, seen, hand, unseen, room, trial)
    for place in range(count):
        trial.worth[place] *= sure
    to_chances(count, trial.worth)
    return int(count)


@lru_cache(maxsize=1)
def policy() -> tuple[Brain, float]:
    """The network that judges plays with its trust, and how sure it is (`alone`)."""
    net, further = read(_PLAYS)
    return Brain(net, further["trust"].astype(np.float64), ALL_PLAYS), float(further["sure"][0])


@lru_cache(maxsize=1)
def heads() -> tuple[Heads, float, float]:
    """The networks that judge picks and takings, and how sure each is."""
    (pick, of_pick), (take, of_take) = read(_PICKS), read(_TAKINGS)
    made = Heads(
        Head(pick, of_pick["trust"].astype(np.float64)),
        Head(take, of_take["trust"].astype(np.float64)),
        np.array(PICK),
        ALL_PLAYS,
    )
    return made, float(of_pick["sure"][0]), float(of_take["sure"][0])


def chances(view: View | PickView, moves: Sequence[Move]) -> list[float]:
    """How likely the learned player makes each of the legal moves; its choice is the likeliest.

    Of names of the Dancer that lose alike it makes the first.
    """
    seen, room = sight_of(view), new_room()
    if isinstance(view, View) and not view.trick_is_full:
        brain, sure = policy()
        mind = thought(brain.net)
        count = alone(brain, seen, view.seat, view.hand_mask, view.unseen, sure, room, mind)
        worth = mind.worth
    else:
        judges, of_pick, of_take = heads()
        picks = isinstance(view, PickView)
        tried = trial(seen.values, judges.pick.net)
        asks = view.seat, view.hand_mask, view.unseen, picks, of_pick if picks else of_take
        count, worth = pick_or_take(judges, seen, *asks, room, tried), tried.worth
    made = dict(zip(room.codes[:count].tolist(), worth.tolist(), strict=False))
    return [made.get(code_of(view, move), 0.0) for move in moves]


def code_of(view: View | PickView, move: Move) -> int:
    """A move as the kernels write it to a `Room`."""
    first, given = move_words(view, move)
    return first if isinstance(move, Play) else first | (given + 1) << GIVEN
