"""King × Alchemy in the arena: whole rounds, from the pick of the first card to the compounding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel

from benchmarks.players import Contest
from solver import registry
from solver.common import Random
from solver.games.king import rules
from solver.games.king.deck import SUITS
from solver.games.king.hint import SAMPLERS, Rounds
from solver.games.king.moves import legal_moves
from solver.games.king.players import ALL_PLAYS, KINDS, PLAY_WEIGHTS, THRIFTY, TRAINED, Plays, chances
from solver.games.king.position import KnownPosition, PickPosition, PickView, View
from solver.games.king.rules import Move, Play, Taking
from solver.games.king.search import score_bounds
from solver.games.king.worlds import Deals, deals
from solver.hints.network import NOTHING
from solver.hints.policy import draw
from solver.hints.sampled import Sampler
from solver.kernels.rng import start as start_stream

_SURELY = 1e6  # multiplies the values of plays, so that the most valuable one is always drawn


class Flat(Rounds):
    """Flat Monte Carlo: uniformly drawn deals, in which all seats, including the player's own, continue as the
    thrifty player.

    Each then makes the play that is worth most to it.
    """

    def __init__(self, dealt: Deals, made: Sequence[Move], seed: int) -> None:
        super().__init__(dealt, made, seed, infer=False, expected=np.eye(KINDS)[THRIFTY])
        question, current, evidence = self._arguments
        thrifty = ALL_PLAYS.weights[THRIFTY * PLAY_WEIGHTS : (THRIFTY + 1) * PLAY_WEIGHTS]
        play = Plays(_SURELY * np.tile(thrifty, KINDS), NOTHING)
        self._arguments = question, current._replace(play=play), evidence


def as_it_lies(position: KnownPosition | PickPosition, view: View | PickView) -> Deals:
    """The actual deal of a position, as the only deal of a view."""
    found, index = deals(view), view.full_deck.index
    owner: dict[int, int] = {}
    for group in range(view.players - 1):
        seat = (view.seat + 1 + group) % view.players
        held = position.hands[seat]
        if isinstance(position, PickPosition):
            held += position.picked[seat]  # which nobody else has seen yet
        owner.update({index[code]: group for code in held})
    return Deals(found.cards, tuple(1 << owner[card] for card in found.cards), found.sizes, view)


def sighted(position: KnownPosition | PickPosition) -> Sampler[Any, Any]:
    """The hints of a seat that sees the position, but not others' coming picks: every world is the actual deal."""

    def rollouts(view: View | PickView, made: Sequence[Move], seed: int) -> Rounds:
        return Rounds(as_it_lies(position, view), made, seed)

    return replace(SAMPLERS["equal"], rollouts=rollouts, ending=None, because=None)


class KingContest(Contest):
    """`benchmarks.players.Contest` for King × Alchemy."""

    game = registry.game("king")
    sampled: ClassVar[Mapping[str, Sampler[Any, Any]]] = {
        "club": SAMPLERS["club"],
        "flat": replace(SAMPLERS["equal"], rollouts=lambda view, made, seed: Flat(deals(view), made, seed)),
    }
    sighted: ClassVar[Mapping[str, Callable[[Any], Sampler[Any, Any]]]] = {"sighted": sighted}

    def __init__(self, players: int = 4) -> None:
        self.seats = players

    def deal(self, seed: int, number: int) -> BaseModel:
        return self.game.deal(seed, number=number, players=self.seats, variant="unpicked")

    def scores(self, position: BaseModel) -> Sequence[float]:
        assert isinstance(position, KnownPosition)
        return [float(score_bounds(position.full_deck, pile)[0]) for pile in position.piles]

    def simple(self, kind: str, view: BaseModel, random: Random) -> Move:
        assert isinstance(view, View | PickView)
        if kind == "greedy":
            return greedy(view)
        return learned(view, random, THRIFTY if kind == "thrifty" else TRAINED)


def greedy(view: View | PickView) -> Move:
    """A person's rule of thumb.

    Pick the card with the most points. Win a trick, with the lowest winning card, if the cards to take and the
    card played have at least three points together; otherwise discard the lowest card among those with the fewest
    points. Lead the highest card. Take what makes the pile worth most; give what makes the other pile worth least.
    """
    moves = legal_moves(view)
    plays = [move for move in moves if isinstance(move, Play)]
    faces = view.full_deck.cards
    if isinstance(view, PickView):
        return max(plays, key=lambda move: (faces[move.card].vp, -faces[move.card].number))
    if not plays:
        return max((move for move in moves if isinstance(move, Taking)), key=lambda move: _gain(view, move))
    return _greedy_play(view, plays)


def _gain(view: View, move: Taking) -> tuple[int, int]:
    """How good a taking is, for comparison: the player's score with it and, if equal, minus the sum of all."""
    deck, after = view.full_deck, list(view.piles)
    for receiver, cards in rules.gains(deck, view.leader, view.plays, move):
        after[receiver] |= cards
    scores = [score_bounds(deck, pile)[0] for pile in after]
    return scores[view.seat], -sum(scores)


def _greedy_play(view: View, plays: Sequence[Play]) -> Play:
    deck, trick = view.full_deck, view.plays
    faces = deck.cards
    suited = [move for move in plays if faces[move.card].suit < SUITS] or plays
    if not trick:
        return max(suited, key=lambda move: faces[move.card].number)
    good = []
    for move in plays:
        if rules.winner(deck, (*trick, move)) == len(trick):
            own = faces[move.card]
            lower = sorted(faces[play.card].vp for play in trick if faces[play.card].number < own.number)
            if sum(lower[-rules.TAKEN :]) + own.vp >= 3:
                good.append(move)
    if good:
        return min(good, key=lambda move: faces[move.card].number)
    return min(suited, key=lambda move: (faces[move.card].vp, faces[move.card].number))


def learned(view: View | PickView, random: Random, kind: int = TRAINED) -> Move:
    """A player in the hint's own rollouts."""
    moves = legal_moves(view)
    found = np.array(chances(view, moves, kind))
    if isinstance(view, PickView):
        stream = np.zeros(1, np.int64)
        start_stream(stream, random.below(1 << 30), 0)
        return moves[int(draw(len(moves), found, stream))]
    return moves[int(np.argmax(found))]
