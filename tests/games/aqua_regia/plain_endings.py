"""Endings of Aqua Regia by the plain reference: small random tables without a history.

The weights of the deals and the others' choices follow the hint's own model.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from math import exp

import numpy as np

from solver.common import Others
from solver.games.aqua_regia import GAME, rules
from solver.games.aqua_regia.deck import Deck
from solver.games.aqua_regia.endings import RARE
from solver.games.aqua_regia.fast_rules import reactivity_rows
from solver.games.aqua_regia.players import WEIGHTS_OF, exchange_value, pass_value, play_value
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rules import Move, Pass, Play, State
from solver.kernels.words import Floats
from tests.games.aqua_regia.deals import known_from, seen_by
from tests.games.aqua_regia.random_positions import random_position, random_table
from tests.reference.endings import Ending, Seen, World

_OTHERS: Others = "club"  # the assumed strength of the others


Now = tuple[State, bool]  # and whether the player has passed, and now sees the card that is drawn


class Rules:
    """`tests.reference.endings.Rules` for Aqua Regia, against players about whom nothing is known."""

    def __init__(self, deck: Deck, seat: int, rare: float = RARE) -> None:
        self._rare = rare
        self._deck = deck
        self._seat = seat
        self._reactivity = reactivity_rows(deck)

    def turn(self, now: Now) -> bool | None:
        return None if now[0].winner is not None else now[0].turn == self._seat

    def moves(self, now: Now) -> Sequence[Move]:
        """The seat's moves: it passes before it decides on an exchange, which may depend on the card drawn."""
        state, drawn = now
        legal = rules.legal_moves(self._deck, state)
        if drawn:
            return [move for move in legal if isinstance(move, Pass)]
        return [move for move in legal if isinstance(move, Play) or move == Pass() or not state.stock]

    def after(self, now: Now, move: Move) -> tuple[Now, Seen]:
        state, drawn = now
        if state.turn == self._seat and isinstance(move, Pass) and state.stock and not drawn:
            return (state, True), (state.stock[0],)
        state = rules.play(self._deck, state, move)
        return (state, False), (move, state.turn, state.field)

    def score(self, now: Now) -> float:
        return float(now[0].winner == self._seat)

    def choices(self, now: Now) -> Iterator[tuple[Move, float]]:
        """The moves of another seat that are not rare, with their chances."""
        found = self._choices_of(now[0], WEIGHTS_OF[_OTHERS])
        return ((move, chance) for move, chance in found if chance > self._rare)

    def _choices_of(self, state: State, weights: Floats) -> Iterator[tuple[Move, float]]:
        """The moves of a player with these weights, with their chances: `policy.choose_play`, then
        `policy.choose_exchange`.
        """
        deck, hand = self._deck, state.hands[state.turn]
        following = rules.next_field(state.field, state.reversed)
        top = rules.runs(state.table)[-1] if state.table else None
        metal, count = (top.metal, top.count) if top else (0, 0)
        plays = rules.plays(deck, hand, state.field, top)
        for play in plays:
            if play.count == sum(hand):
                yield play, 1.0
                return
        values = [
            play_value(
                self._reactivity, hand[play.metal], following, metal, count, play.metal, play.count, weights
            )
            for play in plays
        ]
        if top is None:
            yield from zip(plays, _shares(values), strict=True)
            return
        values.append(pass_value(int(bool(state.stock)), weights))
        *shares, passing = _shares(values)
        held = rules.added(hand, state.stock[0], 1) if state.stock else hand
        passes = rules.passes(deck, held, state.discard)
        exchanges = _shares([self._exchange(held, following, one, weights) for one in passes])
        yield from zip([*plays, *passes], [*shares, *(passing * share for share in exchanges)], strict=True)

    def _exchange(self, held: rules.Counts, following: int, move: Pass, weights: Floats) -> float:
        if move.discarded is None or move.taken is None:
            return 0.0
        return float(
            exchange_value(
                self._reactivity, np.array(held, np.int64), following, move.discarded, move.taken, weights
            )
        )


def _shares(values: list[float]) -> list[float]:
    """Shares in proportion to exp(value)."""
    highest = max(values)
    shares = [exp(value - highest) for value in values]
    total = sum(shares)
    return [share / total for share in shares]


def every_world(position: Round, seat: int) -> list[World[State]]:
    """Every deal that agrees with what a seat sees of a position, with weights that add up to 1."""
    view, state = GAME.view(position, seat), position.state
    assert isinstance(view, Round)
    cards = [metal for metal, count in enumerate(view.unseen) for _ in range(count)]
    others = [other for other in range(view.players) if other != seat]
    found: Counter[tuple[tuple[rules.Counts, ...], tuple[int, ...]]] = Counter()
    for laid in permutations(cards, sum(view.hidden(other) for other in others) + view.hidden_stock):
        hands, rest = state.hands, laid
        for other in others:
            size = view.hidden(other)
            hands = rules.with_seat(hands, other, view.metals.counts(rest[:size]))
            rest = rest[size:]
        found[hands, rest] += 1
    total = found.total()
    return [
        World(count / total, replace(state, hands=hands, stock=stock)) for (hands, stock), count in found.items()
    ]


def tables(seed: int, players: int) -> Iterator[Round]:
    """Small positions without a history that offer a choice: two or three cards each, at most one in the stock."""
    rng = random.Random(seed)
    while True:
        data = random_position(
            rng,
            deck=random_table(rng, 6, 2),
            players=players,
            cards=players * rng.randint(2, 3) - 1,
            stock=rng.randint(0, 1),
        )
        position = known_from(data)
        view = seen_by(position, position.seat_to_move)
        small = sum(view.unseen) <= 7 and not view.deal_passes
        if small and len(GAME.legal_moves(view)) > 1:
            yield position


def plain_values(position: Round, most: int, rare: float = RARE) -> dict[Move, float]:
    """The value of each move of the seat to move, by following each deal separately.

    Raises TooLargeError if that takes more than `most` moves.
    """
    seat = position.seat_to_move
    worlds = [World(world.weight, (world.state, False)) for world in every_world(position, seat)]
    return Ending(Rules(position.metals, seat, rare), most).moves(worlds)
