"""The deals that agree with what a seat of kirin sees: counted, numbered, and dealt back into positions.

What is not seen lies in the three other hands and in the three cards that the others set aside. A hand holds no
card that its seat would have had to play earlier (`history.Past.excluded`); a card set aside was never in the
hand while it was played, so any unseen card can be there. No card is drawn during a round, so these rules and
the hands' sizes are all that a deal must obey, and every deal that obeys them is a deal in which the same cards
can have been played.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pydantic import ValidationError

from solver.common.masks import mask, members
from solver.games.kirin.cards import rules
from solver.games.kirin.cards.deck import CARDS, name, names
from solver.games.kirin.cards.rules import HAND as DEALT
from solver.games.kirin.cards.rules import SEATS, State, direction_after, points
from solver.games.kirin.fast_rules.order import DECK, INNER, to_inner
from solver.games.kirin.hints.deal_kernel import (
    ARRANGEMENTS,
    ASIDE,
    GONE,
    HAND,
    POINTS,
    QUESTION_WORDS,
    SEAT,
    TRICK_DIRECTION,
    TRICK_LEADER,
    lay_out,
)
from solver.games.kirin.positions.fields import number, numbers, tricks_of
from solver.games.kirin.positions.known import DeclarePosition, DeclareView, KnownPosition, View
from solver.hints.worlds import Worlds
from solver.kernels.arrays import Words

_ASIDE = 3  # the group of the cards set aside, after the three hands


@dataclass(frozen=True, slots=True)
class Deals:
    """The deals that agree with a view, and the view in the kernels' words (see `rollouts`)."""

    view: View | DeclareView
    cards: Words  # the unseen cards, in the kernels' numbering
    worlds: Worlds
    question: Words
    tricks: Words

    @property
    def total(self) -> int:
        """How many deals there are."""
        return self.worlds.total * int(self.question[ARRANGEMENTS])

    def position(self, rank: int) -> KnownPosition | DeclarePosition:
        """Deal number `rank` as a position with every card known."""
        hands, aside = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
        arrangements = int(self.question[ARRANGEMENTS])
        places = np.array(self.worlds.world(rank // arrangements), np.int64)
        lay_out(self.question, self.cards, places, hands, aside, rank % arrangements)
        texts = tuple(tuple(names(sorted(DECK[card] for card in members(int(hand))))) for hand in hands)
        view = self.view
        if isinstance(view, DeclareView):
            return DeclarePosition(game="kirin", seat=view.seat, leader=view.leader, hands=texts)
        return KnownPosition(
            game="kirin",
            direction="descending" if view.past.direction else "ascending",
            leader=view.leader,
            trick=view.trick,
            hands=tuple(view.hand if seat == view.seat else hand for seat, hand in enumerate(texts)),
            declared=tuple(name(DECK[int(card)]) for card in aside),
            history=view.history,
        )


def _tricks(view: View) -> Words:
    """Leader, direction and cards (-1: none) of each trick."""
    rows = []
    direction = 0
    for trick in tricks_of(view.history):
        rows.append([trick.leader, direction, *(INNER[card] for card in trick.cards)])
        direction = direction_after(trick.cards, direction)
    cards = [INNER[card] for card in view.table.cards]
    rows.append([view.leader, direction, *cards, *[-1] * (SEATS - len(cards))])
    return np.array(rows, np.int64).ravel()


def deals(view: View | DeclareView) -> Deals:
    """Every deal that agrees with a view."""
    question = np.zeros(QUESTION_WORDS, np.int64)
    question[SEAT] = view.seat
    question[HAND] = to_inner(mask(numbers(view.hand)))
    question[TRICK_LEADER] = view.leader
    others = [(view.seat + step) % SEATS for step in range(1, SEATS)]
    if isinstance(view, DeclareView):
        unseen = list(members((1 << CARDS) - 1 & ~mask(numbers(view.hand))))
        question[ASIDE] = -1
        question[ARRANGEMENTS] = 1
        worlds = Worlds([0b111] * len(unseen), [DEALT, DEALT, DEALT, 0])
        tricks = np.array([view.leader, 0, -1, -1, -1, -1], np.int64)
        return Deals(view, np.array([INNER[card] for card in unseen]), worlds, question, tricks)
    past = view.past
    declared = number(view.declared)
    unseen = list(members(view.unseen))
    question[ASIDE] = INNER[declared]
    question[ARRANGEMENTS] = 6  # orders of the three cards set aside
    question[TRICK_DIRECTION] = past.direction
    question[POINTS] = points(past.won, [declared // 9] * SEATS)[view.seat]
    question[GONE] = sum(
        1 << INNER[card] for trick in (*tricks_of(view.history), view.table) for card in trick.cards
    )
    excluded = [past.excluded(seat) for seat in others]
    groups = [
        sum(1 << group for group in range(3) if not excluded[group] >> card & 1) | 1 << _ASIDE for card in unseen
    ]
    worlds = Worlds(groups, [*(view.count(seat) for seat in others), 3])
    return Deals(view, np.array([INNER[card] for card in unseen], np.int64), worlds, question, _tricks(view))


def agrees(found: Deals, rank: int) -> bool:
    """Whether the seat sees the view in deal `rank`, dealt afresh and every card played by the rules."""
    from solver.games.kirin.positions import moves

    view = found.view
    try:
        position = found.position(rank)
        if isinstance(view, View):
            assert isinstance(position, KnownPosition)
            if not _leads_to(view, position.state):
                return False
        again = moves.view(position, view.seat)
    except ValidationError:
        return False
    return _sorted(again) == _sorted(view)


def _leads_to(view: View, state: State) -> bool:
    """Whether what the view tells, played by the rules from the first card on, ends in a state."""
    hands = list(state.hands)
    cards = []
    for trick in (*tricks_of(view.history), view.table):
        for seat, card, _ in trick.plays():
            hands[seat] |= 1 << card
            cards.append(card)
    leader = view.history[0].leader if view.history else view.leader
    now = State((hands[0], hands[1], hands[2], hands[3]), leader)
    for card in cards:
        if card not in rules.legal_moves(now):
            return False
        now = rules.play(now, card)
    return now == state


def _sorted(view: View | DeclareView) -> View | DeclareView:
    return view.model_copy(update={"hand": tuple(sorted(view.hand))})
