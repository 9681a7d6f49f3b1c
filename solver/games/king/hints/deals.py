"""The deals that agree with what a seat of King × Alchemy sees: counted, numbered, and made positions again.

Everything but the other hands is seen. Who did not follow a suit (nor played a trump, nor named the Dancer that
suit) held no card of it then, nor later, for no card is drawn (`history.Past.excluded`). To lead tells nothing, to
follow with a suit card, a trump or the Dancer named as the suit nothing either. So these exclusions and the hands'
sizes are all that a deal must obey, and from each deal that obeys them the cards seen can have been played.

Deals are numbered by `solver.hints.worlds`, which takes fewer than 2**62. There are more only with five players,
35 unseen cards or more, and nothing known of any: then every division of the cards is a deal, and shuffling draws
one uniformly. (At most two cards have been played then; if one of them did not follow, a single unseen card that
is not where it could be leaves fewer than 2**62.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod

import numpy as np
from pydantic import ValidationError

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
    SIZES,
    STAGE,
    draw_world,
)
from solver.games.king.positions.fields import FinishedTrick
from solver.games.king.positions.known import KnownPosition, View, finished_tricks
from solver.games.king.positions.picks import PickPosition, PickView
from solver.hints.worlds import Worlds
from solver.kernels.arrays import Words
from solver.kernels.rng import start as start_stream

_NUMBERED = 1 << 62


@dataclass(frozen=True)
class Deals:
    """The deals that agree with a view. A deal's `places` say for each unseen card whose it is: place g is the
    seat g + 1 after the one that asks.
    """

    view: View | PickView
    cards: tuple[int, ...]  # the unseen ones
    groups: tuple[int, ...]  # the places that each may have, as a mask
    sizes: tuple[int, ...]  # how many cards each place has

    @cached_property
    def worlds(self) -> Worlds | None:
        """The numbering; None when every card may have every place and they are too many to number."""
        if len(set(self.groups)) <= 1 and self._divisions >= _NUMBERED:
            return None
        return Worlds(list(self.groups), list(self.sizes))

    @property
    def _divisions(self) -> int:
        return factorial(len(self.cards)) // prod(map(factorial, self.sizes))

    @property
    def total(self) -> int:
        """How many deals there are."""
        return self._divisions if self.worlds is None else self.worlds.total

    @cached_property
    def tables(self) -> tuple[Words, Words, Words]:
        """What `dealing.draw_world` needs of the numbering."""
        if self.worlds is None:
            return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 1), np.int64)
        return self.worlds.groups, self.worlds.strides, self.worlds.ways

    @cached_property
    def question(self) -> Words:
        """The view in the kernels' words."""
        view = self.view
        seats = [(view.seat + 1 + place) % view.players for place in range(len(self.sizes))]
        found = np.zeros(QUESTION_WORDS, np.int64)
        found[SEAT] = view.seat
        found[HAND] = view.hand_mask
        found[GONE] = (1 << CARDS) - 1 & ~(view.hand_mask | view.unseen)
        for seat, size in zip(seats, self.sizes, strict=True):
            found[SIZES + seat] = size
        found[STAGE] = PICKING
        if isinstance(view, View):
            found[STAGE] = SHARING if len(view.trick) == view.players else PLAYING
            for seat, pile in enumerate(view.piles):
                found[PILES + seat] = pile
        return found

    def drawn(self, seed: int, number: int) -> list[int]:
        """The places of a deal drawn as the kernels draw them."""
        places, random = np.zeros(len(self.cards), np.int64), np.zeros(1, np.int64)
        hands = np.zeros(self.view.players, np.int64)
        start_stream(random, seed, number)
        draw_world(
            self.question, self.view.players, np.array(self.cards, np.int64), *self.tables, random, places, hands
        )
        return [int(place) for place in places]

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
                stage="pick",
                seat=view.seat,
                leader=view.leader,
                hands=hands,
                removed=view.removed,
            )
        return KnownPosition(
            game="king",
            deck=view.deck,
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
        return Deals(view, unseen, (anywhere,) * len(unseen), (len(view.hand),) * len(others))
    past = view.past
    excluded = [past.excluded(seat) for seat in others]
    groups = tuple(sum(1 << place for place, out in enumerate(excluded) if not out >> card & 1) for card in unseen)
    return Deals(view, unseen, groups, tuple(view.count(seat) for seat in others))


def agrees(found: Deals, places: Sequence[int]) -> bool:
    """Whether the seat sees the view in a deal, dealt afresh and every card played by the rules."""
    from solver.games.king.positions import seats

    view = found.view
    try:
        position = found.position(places)
        if isinstance(view, View):
            assert isinstance(position, KnownPosition)
            if not _leads_to(view, position.state):
                return False
        again = seats.view(position, view.seat)
    except ValidationError:
        return False
    return _sorted(again) == _sorted(view)


def _leads_to(view: View, state: State) -> bool:
    """Whether what the view tells, played by the rules from the first card on, ends in a state."""
    deck = view.full_deck
    hands = list(state.hands)
    moves: list[Move] = []
    for finished in finished_tricks(deck, view.history):
        for seat, play, _ in finished.trick.by_seat(view.players):
            hands[seat] |= 1 << play.card
            moves.append(play)
        moves.append(Taking(tuple(sorted(finished.taking.taken)), finished.taking.given))
    for place, play in enumerate(view.plays):
        hands[(view.leader + place) % view.players] |= 1 << play.card
        moves.append(play)
    leader = view.history[0].leader if view.history else view.leader
    won = tuple(pile & ~cards for pile, cards in zip(view.piles, view.past.gained, strict=True))
    now = State(deck, tuple(hands), leader, (), won)
    for move in moves:
        if move not in rules.legal_moves(now):
            return False
        now = rules.play(now, move)
    return now == state


def _sorted(view: View | PickView) -> View | PickView:
    """The view with cards whose order says nothing in one order."""
    deck: Deck = view.full_deck
    update: dict[str, object] = {key: _in_order(deck, getattr(view, key)) for key in ("hand", "removed")}
    if isinstance(view, View):
        update["won"] = tuple(_in_order(deck, pile) for pile in view.won)
        update["history"] = tuple(_trick(deck, trick) for trick in view.history)
    return view.model_copy(update=update)


def _trick(deck: Deck, trick: FinishedTrick) -> FinishedTrick:
    return trick.model_copy(update={"taken": _in_order(deck, trick.taken)})


def _in_order(deck: Deck, cards: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=deck.index.__getitem__))
