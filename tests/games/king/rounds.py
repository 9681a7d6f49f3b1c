"""Rounds of King × Alchemy somewhere in the middle: dealt at random, and played at random up to there."""

from __future__ import annotations

import random

from solver.common import mask, members
from solver.games.king.deck import CARDS, Deck, house
from solver.games.king.position import KnownPosition
from solver.games.king.rules import DEALT, State, legal_moves, play, play_text


def round_at(rng: random.Random, players: int, cards: int, deck: Deck | None = None) -> State:
    """A round of random picks and plays when every hand has `cards` cards left and the next trick begins."""
    deck = deck or house()
    order = list(range(CARDS))
    rng.shuffle(order)
    size = DEALT[players]
    hands = [order[size * seat : size * (seat + 1)] for seat in range(players)]
    won = tuple(1 << hand.pop() for hand in hands)
    state = State(deck, tuple(map(mask, hands)), rng.randrange(players), (), won)
    while state.trick or state.hands[0].bit_count() > cards:
        state = play(state, rng.choice(legal_moves(state)))
    return state


def position_of(state: State) -> KnownPosition:
    """The position of a state of the house deck."""

    def codes(cards: int) -> tuple[str, ...]:
        return tuple(state.deck.codes(members(cards)))

    return KnownPosition(
        game="king",
        deck="house",
        leader=state.leader,
        trick=tuple(play_text(state.deck, played) for played in state.trick),
        hands=tuple(map(codes, state.hands)),
        won=tuple(map(codes, state.won)),
    )
