"""Endings of King × Alchemy by the plain reference.

The deals, their weights and the others' behaviour follow the hint's own model: each seat draws its plays like
players of several kinds, weighted by how likely it is to be of each kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp

import numpy as np

from solver.common import mask, members
from solver.games.king import rules
from solver.games.king.analyze import scores
from solver.games.king.deck import CARDS, Deck
from solver.games.king.fast_rules import LOWEST, PILES, code, deal_words, round_words
from solver.games.king.players import (
    ALL,
    ALL_PLAYS,
    HOPE,
    LEAST,
    MOST,
    CardValues,
    additions,
    book_of,
    new_scratch,
    plays,
    recipes_of,
    share_out,
    value_plays,
)
from solver.games.king.position import Round as KingRound
from solver.games.king.rules import Move, Play, State, Taking
from solver.games.king.worlds import KERNELS, Deals, deals
from solver.hints.worlds import lay_boxes
from solver.kernels.rng import start_stream
from solver.kernels.words import Words
from tests.reference.endings import Ending, Seen, World


class Judge:
    """The likelihoods of a view's deals according to the hint's own model, and a chain over the deals."""

    def __init__(self, found: Deals, seed: int = 0) -> None:
        self.game = found.game()
        self.chain = self.game.chain
        self._others = [(self.game.seat + step) % self.game.players for step in range(1, self.game.players)]
        start_stream(self.chain.random, seed, 0)

    def weight(self, places: Sequence[int]) -> float:
        """How likely the others' observed actions are in a deal. Moves the chain there."""
        return self.kinds(places)[1]

    def kinds(self, places: Sequence[int]) -> tuple[tuple[tuple[float, ...], ...], float]:
        """The probability of each kind of player for each seat in a deal, and the deal's `weight`.

        The asking seat's entry is empty.
        """
        self.chain.places[:] = places
        lay_boxes(self.chain)
        told: list[tuple[float, ...]] = [()] * self.game.players
        weight = 1.0
        for owner, seat in enumerate(self._others):
            self.game.world[seat] = self.chain.boxes[owner]
            total = KERNELS.likelihood(self.game, self.game.world, seat)
            weight *= total
            told[seat] = tuple((self.game.found / total).tolist())
        return tuple(told), weight


@dataclass(frozen=True, slots=True)
class Round:
    """A round with every card known, the cards that everybody has seen, and each seat's probability of each
    kind.
    """

    state: State
    gone: int
    kinds: tuple[tuple[float, ...], ...]


class Rules:
    """`tests.reference.endings.Rules` for King × Alchemy."""

    def __init__(self, deck: Deck, seat: int) -> None:
        self._deck = deck
        self._seat = seat

    def turn(self, now: Round) -> bool | None:
        return None if now.state.over else now.state.to_move == self._seat

    def moves(self, now: Round) -> Sequence[Move]:
        return rules.legal_moves(now.state)

    def choices(self, now: Round) -> Iterator[tuple[Move, float]]:
        state = now.state
        # The others' hands don't matter, so they are emptied: many worlds then share one cached answer.
        hands = tuple(hand if seat == state.to_move else 0 for seat, hand in enumerate(state.hands))
        if state.full:
            yield taking(replace(state, hands=hands), now.gone), 1.0
            return
        chances: defaultdict[Move, float] = defaultdict(float)
        for kind, share in enumerate(now.kinds[state.to_move]):
            for move, chance in replies(replace(state, hands=hands), now.gone, kind).items():
                chances[move] += share * chance
        yield from chances.items()

    def after(self, now: Round, move: Move) -> tuple[Round, Seen]:
        gone = now.gone | 1 << move.card if isinstance(move, Play) else now.gone
        return replace(now, state=rules.play(now.state, move), gone=gone), (move,)

    def score(self, now: Round) -> float:
        return float(_scores(now.state)[self._seat])


_scores = lru_cache(1 << 16)(scores)


@lru_cache(1 << 16)
def replies(state: State, gone: int, kind: int) -> dict[Play, float]:
    """The plays of the seat to move, a player of this kind, with their chances; only its own hand matters."""
    legal, seat = [play for play in rules.legal_moves(state) if isinstance(play, Play)], state.to_move
    if len(legal) == 1:
        return {legal[0]: 1.0}
    values, node = _words(state, gone)
    hand, room = state.hands[seat], new_scratch()
    unseen = ALL & ~gone & ~hand
    count = plays(values.deal, node, hand, room.codes)
    value_plays(values, np.zeros(0), False, count, node, seat, hand, unseen, ALL_PLAYS, 1 << kind, room)
    values_of_kind = room.values[kind * MOST :][:count].tolist()
    parts = [exp(value - max(values_of_kind)) for value in values_of_kind]
    parts = [part if part >= LEAST else 0.0 for part in parts]
    made = {code(state, play): play for play in legal}
    return {
        made[number]: part / sum(parts) for number, part in zip(room.codes.tolist(), parts, strict=False) if part
    }


@lru_cache(1 << 16)
def taking(state: State, gone: int) -> Taking:
    """What the winner of a full trick takes and gives; only its own hand matters."""
    seat = state.to_move
    values, node = _words(state, gone)
    bottom = int(node[LOWEST])
    share_out(values, node, state.hands[seat].bit_count(), -1)
    gained = [int(node[PILES + seat]) & ~before for seat, before in enumerate(state.won)]
    kept = 1 << state.trick[rules.winner(state.deck, state.trick)].card
    given = gained[bottom].bit_length() - 1 if bottom >= 0 and gained[bottom] else None
    return Taking(tuple(members(gained[seat] & ~kept)), given)


def _words(state: State, gone: int) -> tuple[CardValues, Words]:
    """The values of cards in a state, and its trick, as kernel words."""
    deck, players = state.deck, state.players
    nobody = (0,) * players
    words = deal_words(State(deck, nobody, 0, (), nobody), 0, allies=False)
    node = round_words(state, words)
    lost = gone & ~mask(play.card for play in state.trick) & ~sum(state.won)
    return CardValues(words, recipes_of(deck), book_of(deck, state.won, lost), additions(HOPE, players)), node


def weighted_worlds(view: KingRound) -> list[World[Round]]:
    """Every deal that agrees with the view, with the kinds of the other players and its weight."""
    found = deals(view)
    assert found.numbered
    judged = Judge(found)
    gone = (1 << CARDS) - 1 & ~(view.unseen | view.hand_mask)
    worlds = []
    for rank in range(found.total):
        places = found.world(rank)
        state = State(view.full_deck, found.hands(places), view.leader, view.plays, view.piles)
        kinds, weight = judged.kinds(places)
        worlds.append(World(weight, Round(state, gone, kinds)))
    return worlds


def plain_values(view: KingRound) -> dict[Move, float]:
    """The value of each move, by following each deal separately."""
    worlds = weighted_worlds(view)
    total = sum(world.weight for world in worlds)
    found = Ending(Rules(view.full_deck, view.seat)).moves(worlds)
    return {move: value / total for move, value in found.items()}
