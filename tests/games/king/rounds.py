"""Rounds of King × Alchemy played at random to somewhere in the middle, and what a seat sees of them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import combinations

from solver.common import mask, members
from solver.games.king import GAME
from solver.games.king.deck import CARDS, Deck, house
from solver.games.king.position import Round
from solver.games.king.rules import DEALT, State, legal_moves, play, play_text, playable
from tests.support import rounds
from tests.support.kinds import of_kind


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


def position_of(state: State) -> Round:
    """The position of a state of the house deck."""

    def codes(cards: int) -> tuple[str, ...]:
        return tuple(state.deck.codes(members(cards)))

    return Round(
        game="king",
        deck="house",
        leader=state.leader,
        trick=tuple(play_text(state.deck, played) for played in state.trick),
        hands=tuple(map(codes, state.hands)),
        won=tuple(map(codes, state.won)),
    )


def played(seed: int, moves: int, players: int = 4) -> Round:
    """A round in which so many random moves, plays and takings, have been made."""
    return of_kind(Round, rounds.played(rounds.Case("king", players, None), seed, moves))


def seen_by(position: Round, seat: int) -> Round:
    return of_kind(Round, GAME.view(position, seat))


def to_move(seed: int, moves: int, players: int = 4) -> Round:
    position = played(seed, moves, players)
    return seen_by(position, position.seat_to_move)


def consistent(view: Round) -> Iterator[tuple[int, ...]]:
    """The other hands, as masks from the next seat on, of all deals in which each play that was seen was legal."""
    others = [(view.seat + step) % view.players for step in range(1, view.players)]

    def split(left: frozenset[int], seats: list[int]) -> Iterator[dict[int, frozenset[int]]]:
        if not seats:
            yield {}
            return
        for chosen in map(frozenset, combinations(sorted(left), view.count(seats[0]))):
            for rest in split(left - chosen, seats[1:]):
                yield {seats[0]: chosen} | rest

    for held in split(frozenset(members(view.unseen)), others):
        if all(legal(view, seat, cards) for seat, cards in held.items()):
            yield tuple(mask(held[seat]) for seat in others)


def legal(view: Round, seat: int, cards: Iterable[int]) -> bool:
    """Whether a seat that holds these cards now has kept to the rules in the tricks that are told."""
    hand = mask(cards)
    for trick in reversed([*view.tricks, view.current_trick]):
        for place, (other, shown, _) in enumerate(trick.by_seat(view.players)):
            if other == seat:
                hand |= 1 << shown.card
                if shown not in playable(view.full_deck, hand, trick.plays[:place]):
                    return False
    return True
