"""The deals that agree with what a seat of King × Alchemy sees: counted, numbered, and made positions again.

Everything but the other hands is seen. Who did not follow a suit (nor played a trump, nor named the Dancer that
suit) held no card of it then, nor later, for no card is drawn (`history.Past.excluded`). To lead tells nothing, to
follow with a suit card, a trump or the Dancer named as the suit nothing either. So these exclusions and the hands'
sizes are all that a deal must obey, and from each deal that obeys them the cards seen can have been played.

There are too many deals to number (`solver.hints.deals`) only with five players, 35 unseen cards or more, and
nothing known of any: then every division of the cards is a deal, and shuffling draws one uniformly. (At most two
cards have been played then; if one of them did not follow, a single unseen card that is not where it could be
leaves fewer than 2**62.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solver.common.masks import members
from solver.games.king.cards import rules
from solver.games.king.cards.deck import CARDS, Deck
from solver.games.king.cards.rules import Move, State, Taking
from solver.games.king.hints.deal_kernel import (
    GONE,
    HAND,
    PICKING,
    PILES,
    PLAYING,
    QUESTION_WORDS,
    SEAT,
    SHARING,
    STAGE,
    Question,
)
from solver.games.king.positions import seats
from solver.games.king.positions.fields import FinishedTrick
from solver.games.king.positions.known import KnownPosition, View
from solver.games.king.positions.picks import PickPosition, PickView
from solver.hints import deals as common
from solver.hints.deals import HiddenCards, may_hold
from solver.tricks.match import NOTHING_TOLD


@dataclass(frozen=True)
class Deals(HiddenCards):
    """The deals that agree with a view. Group g is the hand of the seat g + 1 after the one that asks."""

    view: View | PickView

    @cached_property
    def question(self) -> Question:
        """The view in the kernels' words."""
        view = self.view
        words = np.zeros(QUESTION_WORDS, np.int64)
        words[SEAT] = view.seat
        words[HAND] = view.hand_mask
        words[GONE] = (1 << CARDS) - 1 & ~(view.hand_mask | view.unseen)
        words[STAGE] = PICKING
        if isinstance(view, View):
            words[STAGE] = SHARING if len(view.trick) == view.players else PLAYING
            for seat, pile in enumerate(view.piles):
                words[PILES + seat] = pile
        return Question(words, np.array(self.cards, np.int64), self.numbering)

    def position(self, places: Sequence[int]) -> KnownPosition | PickPosition:
        """A deal as a position with every card known."""
        view = self.view
        deck = view.full_deck
        held: list[list[int]] = [[] for _ in range(view.players)]
        for card, place in zip(self.cards, places, strict=True):
            held[(view.seat + 1 + place) % view.players].append(card)
        hands = tuple(
            view.hand if seat == view.seat else tuple(deck.codes(hand)) for seat, hand in enumerate(held)
        )
        if isinstance(view, PickView):
            return PickPosition(
                game="king",
                deck=view.deck,
                rules=view.rules,
                stage="pick",
                seat=view.seat,
                leader=view.leader,
                hands=hands,
                removed=view.removed,
            )
        return KnownPosition(
            game="king",
            deck=view.deck,
            rules=view.rules,
            leader=view.leader,
            trick=view.trick,
            hands=hands,
            won=view.won,
            removed=view.removed,
            history=view.history,
        )


def deals(view: View | PickView) -> Deals:
    """Every deal that agrees with a view."""
    unseen = tuple(members(view.unseen))
    others = [(view.seat + step) % view.players for step in range(1, view.players)]
    if isinstance(view, PickView):
        anywhere = (1 << len(others)) - 1
        return Deals(unseen, (anywhere,) * len(unseen), (len(view.hand),) * len(others), view)
    past = view.past
    groups = may_hold(unseen, [past.excluded(seat) for seat in others])
    return Deals(unseen, groups, tuple(view.count(seat) for seat in others), view)


def agrees(dealt: Deals, places: Sequence[int]) -> bool:
    """Whether the seat sees the view in a deal, dealt afresh and every card played by the rules."""
    view = dealt.view
    return common.agrees(
        lambda: dealt.position(places),
        lambda position: _leads_to(view, position),
        lambda position: _sorted(seats.view(position, view.seat)) == _sorted(view),
    )


def _leads_to(view: View | PickView, position: KnownPosition | PickPosition) -> bool:
    """Whether what the view tells, played by the rules from the first card on, ends in a position."""
    if isinstance(view, PickView):
        return True
    assert isinstance(position, KnownPosition)
    deck = view.full_deck
    hands = list(position.state.hands)
    moves: list[Move] = []
    for trick in view.tricks:
        for seat, play, _ in trick.by_seat(view.players):
            hands[seat] |= 1 << play.card
            moves.append(play)
        moves.append(Taking(tuple(sorted(trick.taking.taken)), trick.taking.given))
    for place, play in enumerate(view.plays):
        hands[(view.leader + place) % view.players] |= 1 << play.card
        moves.append(play)
    leader = view.history[0].leader if view.history else view.leader
    won = tuple(pile & ~cards for pile, cards in zip(view.piles, view.past.won, strict=True))
    start = State(deck, tuple(hands), leader, (), won)
    return common.leads_to(start, moves, position.state, legal_moves=rules.legal_moves, play=rules.play)


def _sorted(view: View | PickView) -> View | PickView:
    """The view with cards whose order says nothing in one order."""
    deck: Deck = view.full_deck
    update: dict[str, object] = {key: _in_order(deck, getattr(view, key)) for key in ("hand", "removed")}
    update |= NOTHING_TOLD
    if isinstance(view, View):
        update["won"] = tuple(_in_order(deck, pile) for pile in view.won)
        update["history"] = tuple(_trick(deck, trick) for trick in view.history)
    return view.model_copy(update=update)


def _trick(deck: Deck, trick: FinishedTrick) -> FinishedTrick:
    return trick.model_copy(update={"taken": _in_order(deck, trick.taken)})


def _in_order(deck: Deck, cards: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=deck.index.__getitem__))
