"""The deals that agree with what a seat of kirin sees: counted, numbered, and dealt back into positions.

What is not seen lies in the three other hands and in the three cards that the others set aside. A hand holds no
card that its seat would have had to play earlier (`Past.excluded`); a card set aside was never in the hand while
it was played, so any unseen card can be there. No card is drawn during a round, so these rules and the hands'
sizes are all that a deal must obey, and every deal that obeys them is a deal in which the same cards can have been
played.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solver.common.masks import mask, members
from solver.games.kirin.cards import rules
from solver.games.kirin.cards.deck import CARDS, name, names
from solver.games.kirin.cards.rules import HAND as DEALT
from solver.games.kirin.cards.rules import SEATS, State, direction_after, points
from solver.games.kirin.fast_rules.order import DECK, INNER, to_inner
from solver.games.kirin.hints.ahead import NOBODY, ahead
from solver.games.kirin.hints.deal_kernel import (
    ARRANGEMENTS,
    ASIDE,
    GONE,
    HAND,
    PILES,
    POINTS,
    QUESTION_WORDS,
    SEAT,
    TRICK_DIRECTION,
    TRICK_LEADER,
    Setting,
    lay_out,
)
from solver.games.kirin.hints.weights import DECLARE, PLAY
from solver.games.kirin.positions import moves
from solver.games.kirin.positions.declarations import DeclarePosition, DeclareView
from solver.games.kirin.positions.fields import number, numbers
from solver.games.kirin.positions.known import KnownPosition, View
from solver.hints import deals as common
from solver.hints.deals import HiddenCards, may_hold
from solver.kernels.arrays import Words
from solver.tricks.match import NOTHING_TOLD


@dataclass(frozen=True)
class Deals(HiddenCards):
    """The deals that agree with a view, and the view in the kernels' words (see `rollouts`).

    The cards are numbered as the kernels do. Groups 0 to 2 are the hands of the seats after the one that asks,
    group 3 the cards that these have set aside, which can be so in several arrangements: a deal's number is that
    of its places times the arrangements, plus the number of its arrangement.
    """

    view: View | DeclareView
    question: Words
    tricks: Words

    @cached_property
    def setting(self) -> Setting:
        """The view in the kernels' words, with the plausible players' weights."""
        cards = np.array(self.cards, np.int64)
        weights = np.array(PLAY), np.array(DECLARE)
        return Setting(self.question, self.tricks, cards, self.numbering, *weights, ahead())

    @property
    def by_rules(self) -> Setting:
        """The same where nobody looks ahead."""
        return self.setting._replace(ahead=NOBODY)

    @property
    def total(self) -> int:
        """How many deals there are."""
        return super().total * int(self.question[ARRANGEMENTS])

    def position(self, rank: int) -> KnownPosition | DeclarePosition:
        """Deal number `rank` as a position with every card known."""
        hands, aside = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
        arrangements = int(self.question[ARRANGEMENTS])
        places = np.array(self.world(rank // arrangements), np.int64)
        lay_out(self.question, self.setting.cards, places, hands, aside, rank % arrangements)
        texts = tuple(tuple(names(sorted(DECK[card] for card in members(int(hand))))) for hand in hands)
        view = self.view
        if isinstance(view, DeclareView):
            return DeclarePosition(game="kirin", rules=view.rules, seat=view.seat, leader=view.leader, hands=texts)
        return KnownPosition(
            game="kirin",
            rules=view.rules,
            direction="descending" if view.past.rules.direction else "ascending",
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
    for trick in view.tricks:
        rows.append([trick.leader, direction, *(INNER[card] for card in trick.plays)])
        direction = direction_after(trick.plays, direction)
    cards = [INNER[card] for card in view.plays]
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
        tricks = np.array([view.leader, 0, -1, -1, -1, -1], np.int64)
        cards = tuple(INNER[card] for card in unseen)
        return Deals(cards, (0b111,) * len(cards), (DEALT, DEALT, DEALT, 0), view, question, tricks)
    past = view.past
    declared = number(view.declared)
    unseen = list(members(view.unseen))
    question[ASIDE] = INNER[declared]
    question[ARRANGEMENTS] = 6  # orders of the three cards set aside
    question[TRICK_DIRECTION] = past.rules.direction
    question[POINTS] = points(past.won, [declared // 9] * SEATS)[view.seat]
    question[PILES:] = [to_inner(pile) for pile in past.won]
    question[GONE] = sum(1 << INNER[card] for trick in (*view.tricks, view.current_trick) for card in trick.plays)
    groups = may_hold(unseen, [*(past.excluded(seat) for seat in others), 0])
    sizes = (*(view.count(seat) for seat in others), len(others))
    return Deals(tuple(INNER[card] for card in unseen), groups, sizes, view, question, _tricks(view))


def agrees(dealt: Deals, rank: int) -> bool:
    """Whether the seat sees the view in deal `rank`, dealt afresh and every card played by the rules."""
    view = dealt.view
    return common.agrees(
        lambda: dealt.position(rank),
        lambda position: _leads_to(view, position),
        lambda position: _sorted(moves.view(position, view.seat)) == _sorted(view),
    )


def _leads_to(view: View | DeclareView, position: KnownPosition | DeclarePosition) -> bool:
    """Whether what the view tells, played by the rules from the first card on, ends in a position."""
    if isinstance(view, DeclareView):
        return True
    assert isinstance(position, KnownPosition)
    hands = list(position.state.hands)
    cards = []
    for trick in (*view.tricks, view.current_trick):
        for seat, card, _ in trick.by_seat(SEATS):
            hands[seat] |= 1 << card
            cards.append(card)
    leader = view.history[0].leader if view.history else view.leader
    start = State((hands[0], hands[1], hands[2], hands[3]), leader)
    return common.leads_to(start, cards, position.state, legal_moves=rules.legal_moves, play=rules.play)


def _sorted(view: View | DeclareView) -> View | DeclareView:
    return view.model_copy(update={"hand": tuple(sorted(view.hand)), **NOTHING_TOLD})
