"""Players of kirin's arena who see all cards: what perfect inference, and perfect play with it, would bring.

`sighted` judges cards as a hint does, by rounds that plausible players play on, but every world is the deal as it
lies. `sighted-tree` also plans its later plays, by the tree of `kirin_tree` in that deal: with many rounds a move
it comes near the best reply to trained rule players, and nobody scores more against these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from benchmarks.kirin_tree import best_of, grown, reading_of
from solver.common import mask
from solver.games.kirin import moves
from solver.games.kirin.fast_rules import INNER, to_inner
from solver.games.kirin.hint import SAMPLER, Rounds
from solver.games.kirin.position import DeclarePosition, DeclareView, KnownPosition, View, fields_number, numbers
from solver.games.kirin.worlds import ARRANGEMENTS, Deals, deals, open_chain
from solver.hints.sampled import Sampler
from solver.kernels.rng import start as start_stream
from solver.limits import Control, Limit

_OTHERS = 3


def lying(position: KnownPosition | DeclarePosition, view: View | DeclareView) -> Deals:
    """The one deal that is left for a seat which sees the position; what others will set aside it does not see."""
    others = [(view.seat + step) % 4 for step in range(1, 4)]
    hands = [(INNER[card], group) for group, seat in enumerate(others) for card in numbers(position.hands[seat])]
    aside: list[tuple[int, int]] = []
    question = deals(view).question.copy()
    if isinstance(position, KnownPosition):
        # Cards set aside are given out in this order.
        aside = [(INNER[fields_number(position.declared[seat])], _OTHERS) for seat in others]
        question[ARRANGEMENTS] = 1
    else:
        hands += [
            (INNER[card], group)
            for group, seat in enumerate(others)
            if (card := position.declared_cards[seat]) is not None
        ]
    cards, groups = zip(*hands, *aside, strict=True)
    sizes = [groups.count(group) for group in range(_OTHERS + 1)]
    masks = tuple(1 << group for group in groups)
    return Deals(cards, masks, (sizes[0], sizes[1], sizes[2], sizes[3]), view, question, deals(view).tricks)


def in_truth(position: KnownPosition | DeclarePosition) -> Sampler[View | DeclareView, int]:
    """What samples as a hint does, but always the deal as it lies, and works out no endings of all deals."""

    def rollouts(view: View | DeclareView, cards: Sequence[int], seed: int) -> Rounds:
        return Rounds(lying(position, view), cards, seed, infer=False, by_rules=True)

    return replace(SAMPLER, rollouts=rollouts, ending=None, because=None)


def planned(position: KnownPosition, view: View, limit: Limit, seed: int) -> int:
    """The card that a tree over the own decisions finds in the deal as it lies."""
    setting = lying(position, view).by_rules
    chain = open_chain(setting, np.zeros(1, np.int64))
    start_stream(chain.random, seed, 0)
    for step in range(1, 4):
        seat = (view.seat + step) % 4
        chain.boxes[step - 1] = to_inner(mask(numbers(position.hands[seat])))
        chain.boxes[step + 2] = 1 << INNER[fields_number(position.declared[seat])]
    return best_of(view, grown(reading_of(setting), chain, limit, steps=0))


def sighted(
    position: KnownPosition | DeclarePosition, view: View | DeclareView, limit: Limit, seed: int, *, plan: bool
) -> int:
    """The card that a seat which sees the position sets aside, or plays, with `plan` by a tree."""
    legal = moves.legal_moves(view)
    if len(legal) == 1:
        return legal[0]
    if plan and isinstance(position, KnownPosition) and isinstance(view, View):
        return planned(position, view, limit, seed)
    return fields_number(str(in_truth(position).hint(view, Control(limit), seed=seed).best))
