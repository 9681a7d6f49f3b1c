"""Rounds of King × Alchemy played on by chance, and what a seat sees of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from solver.common import mask, members
from solver.games.king import GAME
from solver.games.king.position import KnownPosition, View
from solver.games.king.rules import playable
from tests.support import rounds


def played(seed: int, moves: int, players: int = 4) -> KnownPosition:
    """A round in which so many random moves, plays and takings, have been made."""
    position = rounds.played(rounds.Case("king", players, None), seed, moves)
    assert isinstance(position, KnownPosition)
    return position


def seen_by(position: KnownPosition, seat: int) -> View:
    view = GAME.view(position, seat)
    assert isinstance(view, View)
    return view


def to_move(seed: int, moves: int, players: int = 4) -> View:
    position = played(seed, moves, players)
    return seen_by(position, position.seat_to_move)


def consistent(view: View) -> Iterator[tuple[int, ...]]:
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


def legal(view: View, seat: int, cards: Iterable[int]) -> bool:
    """Whether a seat that holds these cards now has kept to the rules in the tricks that are told."""
    hand = mask(cards)
    for trick in reversed([*view.tricks, view.current_trick]):
        for place, (other, play, _) in enumerate(trick.by_seat(view.players)):
            if other == seat:
                hand |= 1 << play.card
                if play not in playable(view.full_deck, hand, trick.plays[:place]):
                    return False
    return True
