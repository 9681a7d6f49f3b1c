"""What kirin's hints reckon with, in plain Python: players who look ahead, and endings of weighted deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from solver.common import mask, members
from solver.games.kirin import rules
from solver.games.kirin.deck import ALL, CARDS, colour, is_kirin, rank
from solver.games.kirin.fast_rules import COLOUR_SETS, STATE_WORDS, lay, start_trick
from solver.games.kirin.players import (
    BY_RULES,
    LOOKS_AHEAD,
    MOST,
    OWN,
    PLAY,
    SHARED,
    ahead,
    new_scratch,
    value_cards,
)
from solver.games.kirin.position import Round as KirinRound
from solver.games.kirin.position import number_of, numbers
from solver.games.kirin.rules import State, colour_strength, direction_after, rank_strength
from solver.games.kirin.worlds import KERNELS, deals
from solver.hints.network import UNITS, Chooser, Singles
from solver.hints.policy import to_chances
from solver.kernels.words import Floats, Words
from tests.reference.endings import Seen, World
from tests.support.kinds import of_kind

_TRUMP, _ASCENDING, _DESCENDING = 6, 7, 8  # ranks


@cache  # asked by the million, of 36 cards
def _beats(card: int, other: int, direction: int) -> bool:
    def strength(of: int) -> tuple[int, int]:
        return rank_strength(of, direction), colour_strength(of, direction)

    return not is_kirin(card) and (is_kirin(other) or strength(card) > strength(other))


def table_of(state: State) -> Words:
    """The node of a state, for players: they look at the trick alone."""
    table = np.zeros(STATE_WORDS, np.int64)
    start_trick(table, 0, state.leader, state.rules.direction, 0)
    for card in state.trick:
        lay(table, 0, card)
    return table


class Looking:
    """A choice of the seat to move, which has set a card aside and has seen the cards `gone`. Deck numbering."""

    def __init__(self, state: State, aside: int, gone: int) -> None:
        self.state = state
        self.hand = list(members(state.hands[state.to_move]))
        self.mine = colour(aside)
        self.unseen = [
            card for card in range(CARDS) if card not in self.hand and card != aside and not gone >> card & 1
        ]
        self.trick = list(state.trick)
        self.direction = state.rules.direction
        ranked = [card for card in self.trick if not is_kirin(card)]
        self.best = max(ranked, key=lambda card: len(self.below(card, ranked)), default=-1)
        self.legal = sorted(state.moves())

    def share(self, cards: list[int]) -> float:
        return len(cards) / len(self.unseen) if self.unseen else 0.0

    def above(self, card: int, cards: list[int], direction: int) -> list[int]:
        return [other for other in cards if _beats(other, card, direction)]

    def below(self, card: int, cards: list[int]) -> list[int]:
        return [other for other in cards if _beats(card, other, self.direction)]

    def own(self, cards: list[int]) -> list[int]:
        return [card for card in cards if colour(card) == self.mine]

    def threats(self, cards: list[int], direction: int) -> float:
        return sum(self.share(self.above(card, self.unseen, direction)) for card in cards)

    def winning(self, card: int) -> bool:
        return not is_kirin(card) and (self.best < 0 or _beats(card, self.best, self.direction))

    def shared(self) -> list[float]:
        """The shared inputs."""
        hand, unseen, now = self.hand, self.unseen, self.direction

        def of(cards: list[int], *ranks: int) -> int:
            return sum(rank(card) in ranks for card in cards)

        return [
            0.125 * len(hand),
            0.3 * len(self.own(hand)),
            0.2 * len(self.own(unseen)),
            0.5 * len(self.own(self.trick)),
            now,
            direction_after(mask(self.trick), now),
            0.3 * of(hand, _ASCENDING, _DESCENDING),
            0.2 * of(unseen, _ASCENDING),
            0.2 * of(unseen, _DESCENDING),
            0.3 * of(hand, _TRUMP),
            0.3 * of(unseen, _TRUMP),
            0.0 if self.best < 0 else 1.0 - self.share(self.above(self.best, unseen, now)),
            0.3 * sum(self.winning(card) for card in hand),
            float(len(self.legal) < len(hand)),
            self.threats(hand, 0) / len(hand),
            self.threats(hand, 1) / len(hand),
        ]

    def of_card(self, card: int) -> list[float]:
        """The inputs of a card."""
        now, unseen = self.direction, self.unseen
        kept = [other for other in self.hand if other != card]
        height = 1.0 - self.share(self.above(card, unseen, now))
        beats = float(self.winning(card))
        wins = beats * height ** (3 - len(self.trick))
        mine = float(colour(card) == self.mine)
        before, after = (direction_after(mask(cards), now) for cards in (self.trick, [*self.trick, card]))
        must = 0 if self.trick else mask(unseen) & rules.qualifying(card, now)
        follows = list(members(must))
        kept_own = self.own(kept)
        return [
            wins,
            wins * len(self.own(self.trick)),
            wins * mine,
            mine,
            height,
            1.0 - self.share(self.above(card, unseen, 1 - now)),
            float(rank(card) == _TRUMP),
            float(is_kirin(card)),
            self.threats(kept, before) - self.threats(kept, after),
            wins * self.share(self.own(unseen)),
            mine * height,
            beats,
            self.share(follows),
            self.share(self.own(follows)),
            self.share([other for other in follows if is_kirin(other)]),
            wins * self.share(self.own(follows)),
            0.3 * len(self.above(card, self.hand, now)),
            0.3 * len(self.below(card, self.hand)),
            0.3 * len(self.above(card, self.hand, 1 - now)),
            self.threats(kept, after) / max(len(kept), 1),
            0.3 * (len(kept_own) - self.threats(kept_own, after)),
            0.3 * len(self.own(self.below(card, unseen))),
            0.3 * len(self.own(self.above(card, unseen, now))),
            0.0 if is_kirin(card) else 0.15 * rank(card),
            float(before != after),
            0.3 * colour(card),
            0.3 * beats * sum(colour(other) != self.mine for other in self.below(card, self.hand)),
            0.3 * len(self.own(self.below(card, self.hand))),
        ]

    def values(self, net: Chooser) -> dict[int, float]:
        """The value of each legal card by a network."""
        context = len(self.trick)

        def part(array: Singles, *shape: int) -> Floats:
            found: Floats = array.astype(np.float64).reshape(-1, *shape)[context]
            return found

        sums = np.array(self.shared()) @ part(net.shared, SHARED, UNITS) + part(net.bias, UNITS)
        found = {}
        for card in self.legal:
            inputs = np.array(self.of_card(card))
            hidden = np.maximum(sums + inputs @ part(net.own, OWN, UNITS), 0.0)
            found[card] = float(hidden @ part(net.last, UNITS) + inputs @ part(net.line, OWN))
        return found


@dataclass(frozen=True, slots=True)
class Round:
    """A round with every card known: who collects which colour, how likely each seat is to look ahead, and the
    cards that everybody has seen.
    """

    state: rules.State
    aside: tuple[int, ...]
    shares: tuple[float, ...]
    gone: int


class Rules:
    """`tests.reference.endings.Rules` for kirin."""

    def __init__(self, seat: int) -> None:
        self._seat = seat

    def turn(self, now: Round) -> bool | None:
        return None if now.state.over else now.state.to_move == self._seat

    def moves(self, now: Round) -> Sequence[int]:
        return now.state.moves()

    def choices(self, now: Round) -> Iterator[tuple[int, float]]:
        state = now.state
        legal = sorted(state.moves())
        if len(legal) == 1:
            yield legal[0], 1.0
            return
        table, room, found = table_of(state), new_scratch(), ahead()
        aside = now.aside[state.to_move]
        hand = state.hands[state.to_move]
        unseen = ALL & ~hand & ~now.gone & ~(1 << aside)
        own, codes = COLOUR_SETS[colour(aside)], np.array(legal)
        kinds = 1 << LOOKS_AHEAD | 1 << BY_RULES
        value_cards(codes, len(codes), hand, own, unseen, table, np.array(PLAY), found.net, kinds, room)
        chances = np.zeros(len(legal))
        share = now.shares[state.to_move]
        for kind, often in ((BY_RULES, 1 - share), (LOOKS_AHEAD, share)):
            told = room.values[kind * MOST :]
            to_chances(len(legal), told)
            chances += often * told[: len(legal)]
        yield from zip(legal, map(float, chances), strict=True)

    def after(self, now: Round, move: int) -> tuple[Round, Seen]:
        return replace(now, state=now.state.after(move), gone=now.gone | 1 << move), (move,)

    def score(self, now: Round) -> float:
        return float(rules.points(now.state, [colour(card) for card in now.aside])[self._seat])


def weighted_worlds(view: KirinRound) -> list[World[Round]]:
    """Every deal that agrees with the view, weighted by how likely it makes what was set aside and played."""
    found = deals(view)
    game = found.game()
    gone = sum(1 << card for trick in (*(view.history or ()), view) for card in _cards_of(trick))
    worlds = []
    for number in range(found.total):
        position = of_kind(KirinRound, found.position(number))
        asides = tuple(map(number_of, position.declared))
        hands = [mask(numbers(hand)) for hand in position.hands]
        world = np.array([*hands, *asides], np.int64)
        weight, shares = 1.0, [0.0] * 4
        for seat in range(4):
            if seat != view.seat:
                of_seat = KERNELS.likelihood(game, world, seat)
                weight *= of_seat
                shares[seat] = game.found[LOOKS_AHEAD] / of_seat
        worlds.append(World(weight, Round(position.state, asides, tuple(shares), gone)))
    return worlds


def _cards_of(trick: object) -> tuple[int, ...]:
    return numbers(trick.trick if isinstance(trick, KirinRound) else trick.cards)  # type: ignore[attr-defined]
