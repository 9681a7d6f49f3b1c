"""`hint` for Aqua Regia: which move to make when the other hands and the stock are hidden.

Worlds are drawn from the deals that agree with the view: uniformly (`deals`), or, where its history shows what the
others did, as likely as they would then have done it (`evidence`, `chain`). In each, every legal move is made and
the game finished by plausible players (`policy`, `rollouts`).

A pass that draws is one move: what to exchange is decided by the plausible player once it knows the card. With
that card given as `drawn`, the exchanges are the moves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.common.control import Control
from solver.games.aqua_regia.cards.rules import Move, Play, runs
from solver.games.aqua_regia.cards.text import text_of
from solver.games.aqua_regia.hints import rollouts
from solver.games.aqua_regia.hints.chain import play_likely_worlds
from solver.games.aqua_regia.hints.deals import agrees, deals
from solver.games.aqua_regia.hints.evidence import evidence
from solver.games.aqua_regia.hints.rollouts import LEFT, SCALARS, SCORE, STATISTICS, TOOK, Setting, play_worlds
from solver.games.aqua_regia.hints.weights import PLAYER
from solver.games.aqua_regia.positions import moves
from solver.games.aqua_regia.positions.known import View
from solver.hints import ranking
from solver.hints.paired import Sums
from solver.hints.sampled import Sampler
from solver.hints.words import share
from solver.inputs.errors import RequestError
from solver.kernels.arrays import Floats


class Games:
    """What plays the worlds of a view (`solver.hints.simulate.Rollouts`): games ended by plausible players."""

    statistics = STATISTICS

    def __init__(self, view: View, moves: Sequence[Move], seed: int) -> None:
        self.moves = len(moves)
        self._seed = seed
        self._evidence = evidence(view, seed)
        self._deals = deals(view) if self._evidence is None else None
        assert self._deals is None or agrees(self._deals, seed, 0)
        self.chained = self._evidence is not None
        self._setting = _setting(view, moves)

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        if self._evidence is not None:
            play_likely_worlds(self._evidence, self._setting, self._seed, first, results)
            return
        assert self._deals is not None
        play_worlds(self._setting, self._deals.dealing, self._seed, first, results)


def _setting(view: View, moves: Sequence[Move]) -> Setting:
    """The view in the kernels' words."""
    deck = view.metals
    hands = np.zeros((view.players, deck.size), np.int64)
    for seat in range(view.players):
        hands[seat] = deck.counts(deck.numbers(view.hand if seat == view.seat else view.known_of(seat)))
    lying = deck.numbers(view.table)
    scalars = np.zeros(SCALARS, np.int64)
    scalars[rollouts.TURN] = view.turn
    scalars[rollouts.FIELD] = view.field_number
    scalars[rollouts.REVERSED] = view.reversed
    scalars[rollouts.STOCKED] = view.stock_count
    scalars[rollouts.COPIES] = deck.copies
    if lying:
        assert view.owner is not None
        top = runs(lying)[-1]
        scalars[rollouts.OWNER] = view.owner
        scalars[rollouts.METAL] = top.metal
        scalars[rollouts.COUNT] = top.count
    return Setting(
        reactivity=np.array(deck.reactivity, np.int64),
        hands=hands,
        piles=np.array([view.pile, deck.counts(lying)], np.int64),
        scalars=scalars,
        drawn=-1 if view.drawn is None else deck.index[view.drawn],
        moves=np.array([_words(view, move) for move in moves], np.int64),
        weights=np.array([PLAYER] * view.players),
    )


def _words(view: View, move: Move) -> tuple[int, int, int]:
    if isinstance(move, Play):
        return rollouts.PLAYS, move.metal, move.count
    if move.discarded is not None and move.taken is not None:
        return rollouts.EXCHANGES, move.discarded, move.taken
    closed = view.drawn is not None or not view.stock_count
    return (rollouts.CLOSED_PASS if closed else rollouts.OPEN_PASS), 0, 0


def _text(view: View, move: Move) -> str:
    return text_of(view.metals, move)


def _nothing_to_lead(view: View) -> str:
    message = f"seat {view.seat} has nothing to lead in {view.field}: the deal goes on to the left by itself"
    raise RequestError("not_to_move", message, "turn")


def _reason(view: View, moves: Sequence[Move], sums: Sums) -> str:
    """What the sampled games say for the best move, and nothing that they do not."""
    texts = [_text(view, move) for move in moves]
    means = sums.means
    lead = ranking.lead(sums, len(texts))
    if lead is None:
        often = share(float(means[0, SCORE]))
        return f"{texts[0]} is the only move; after it you go out first in {often} of the sampled games."
    first, second = texts[lead.best], texts[lead.second]
    wins = [share(float(means[move, SCORE])) for move in (lead.best, lead.second)]
    if not lead.clear:
        return (
            f"{first} and {second} do about equally well: you go out first in {wins[0]} and {wins[1]} of the "
            "sampled games, a difference that may be the luck of the draw."
        )
    text = f"After {first} you go out first in {wins[0]} of the sampled games, "
    text += f"after the next best, {second}, in {wins[1]}"
    took = [float(means[move, TOOK]) for move in (lead.best, lead.second)]
    left = [float(means[move, LEFT]) for move in (lead.best, lead.second)]
    if abs(took[0] - took[1]) >= 0.05:
        text += f"; it wins this trick in {share(took[0])} of them, {second} in {share(took[1])}"
    elif left[1] - left[0] >= 0.05:
        text += f"; it leaves you {left[0]:.1f} cards at the end on average, {second} {left[1]:.1f}"
    return text + "."


SAMPLER = Sampler[View, Move](
    game="aqua-regia",
    method="sampled games",
    legal_moves=moves.legal_moves,
    text=_text,
    rollouts=Games,
    reason=_reason,
    no_moves=_nothing_to_lead,
)
hint = SAMPLER.hint


def warm() -> None:
    """Compile or load every kernel."""
    start = moves.deal(0)
    for position in (start, moves.play(start, moves.legal_moves(start)[0])):  # the second has a history
        hint(moves.view(position, position.seat_to_move), Control(), worlds=1)
