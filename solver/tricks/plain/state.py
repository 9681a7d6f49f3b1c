"""A round of a plain game in plain Python: hands, the trick, piles; what may be played, and what comes of it.

Slow and obvious: analyses of small endings, references and tests walk through it. Sets of cards are masks.
"""

from __future__ import annotations

from dataclasses import dataclass

from solver.common.masks import members
from solver.tricks.rules import Masks, PlainRules, Trick


@dataclass(frozen=True, slots=True)
class State:
    """A round with every card known.

    `trick` has the cards of the unfinished trick in play order, the first by `leader`; `won` the piles. Cards
    that are nowhere are out of play. States compare by value and can be keys.
    """

    rules: PlainRules
    hands: Masks
    leader: int
    trick: tuple[int, ...]
    won: Masks


def to_move(state: State) -> int:
    """The seat that plays the next card."""
    return (state.leader + len(state.trick)) % len(state.hands)


def legal_moves(state: State) -> list[int]:
    """The cards that may be played, in canonical order; none once the round is over."""
    return list(members(state.rules.playable(state.hands[to_move(state)], state.trick)))


def play(state: State, card: int) -> State:
    """The state after a legal card. The last card of a trick ends it."""
    seat = to_move(state)
    hands = tuple(hand & ~(1 << card) if other == seat else hand for other, hand in enumerate(state.hands))
    trick = (*state.trick, card)
    if len(trick) < len(hands):
        return State(state.rules, hands, state.leader, trick, state.won)
    leader, gains, rules = state.rules.finish(Trick(state.leader, trick, "trick"))
    won = list(state.won)
    for taker, cards in gains:
        won[taker] |= cards
    return State(rules, hands, leader, (), tuple(won))


def points(state: State) -> tuple[int, ...]:
    """The score of each seat so far."""
    return state.rules.points(state.won)
