"""`hint` for King × Alchemy: which card to play, to take and to give, or to pick, when the other hands are hidden.

Deals are drawn uniformly from those that agree with the view (`hidden`); in each, every legal move is made, and
the round is finished by plausible players (`player`, `rollouts`) who see their own cards only, and counted with
the best compounding. So no move profits from knowledge that nobody has, unlike a mean of double-dummy values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.answers import SampledHint, SampledMove
from solver.errors import RequestError
from solver.games.king import nodes, seats, table
from solver.games.king.deck import CARDS, mask
from solver.games.king.hidden import Deals, agrees, deals
from solver.games.king.kernel import PLAYED, STATE_WORDS, judge, lay, start_trick
from solver.games.king.picks import PickView
from solver.games.king.player import prepared
from solver.games.king.positions import View
from solver.games.king.reasons import reason
from solver.games.king.rollouts import STATISTICS, play_worlds
from solver.games.king.rules import Move, Play, State
from solver.games.king.weights import HOPE, PICK, PLAY
from solver.games.king.worth import additions, book_of, recipes_of
from solver.hints import ranking
from solver.hints.paired import Floats
from solver.hints.simulate import simulate
from solver.search.drive import Control
from solver.search.trick import Words

METHOD = "sampled rounds"


class Rounds:
    """The table of a view (`solver.hints.simulate.Table`): rounds played on by plausible players."""

    statistics = STATISTICS
    chained = False

    def __init__(self, found: Deals, moves: Sequence[Move], seed: int) -> None:
        view = found.view
        deck, players = view.full_deck, view.players
        self.moves = len(moves)
        self._found = found
        self._seed = seed
        state = State(deck, (0,) * players, view.leader, (), (0,) * players)
        self._deal = nodes.deal_words(state, view.seat, allies=False)
        self._node = _node(view, state, self._deal)
        self._moves = np.array([_words(state, move) for move in moves], np.int64)
        self._cards = np.array(found.cards, np.int64)
        piles = view.piles if isinstance(view, View) else (0,) * players
        trick = mask(play.card for play in view.plays) if isinstance(view, View) else 0
        seen = (1 << CARDS) - 1 & ~(view.unseen | view.hand_mask | trick)
        for pile in piles:
            seen &= ~pile
        self._book = book_of(deck, piles, seen)
        self._recipes = recipes_of(deck)
        self._adds = additions(HOPE, players)
        self._play = prepared(PLAY)
        self._pick = np.array(PICK)

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        play_worlds(
            self._deal,
            self._recipes,
            self._book,
            self._adds,
            self._node,
            self._found.question,
            self._moves,
            self._cards,
            *self._found.tables,
            self._play,
            self._pick,
            self._seed,
            first,
            results,
        )


def _node(view: View | PickView, state: State, deal: Words) -> Words:
    """The trick on the table, judged if it is full."""
    node = np.zeros(STATE_WORDS, np.int64)
    start_trick(node, 0, view.leader)
    if isinstance(view, View):
        for play in view.plays:
            lay(deal, node, 0, nodes.code(state, play))
        if node[PLAYED] == view.players:
            judge(deal, node, 0)
    return node


def _words(state: State, move: Move) -> tuple[int, int]:
    """A move in the kernels' words. A picked Dancer has no name."""
    if isinstance(move, Play):
        named = move.card == state.deck.dancer and move.suit < len(state.deck.suits)
        return (nodes.code(state, move) if named else move.card), -1
    return mask(move.taken), -1 if move.given is None else move.given


def hint(
    view: View | PickView,
    control: Control,
    *,
    worlds: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> SampledHint:
    """The best move by its mean score of the round, every legal move with its standard errors.

    Raises RequestError when another seat is to move, and for a number of worlds that is out of range.
    """
    if view.seat_to_move != view.seat:
        raise RequestError("not_to_move", f"seat {view.seat_to_move} is to move, not seat {view.seat}", "seat")
    moves = table.legal_moves(view)
    if not moves:
        return _answer(view, control, seed, (), "The round is over.", 0)
    found = deals(view)
    assert agrees(found, found.drawn(seed, 0))
    sums = simulate(Rounds(found, moves, seed), control, worlds=worlds, threads=threads)
    texts = [table.format_move(view, move) for move in moves]
    ranked = ranking.ranked(sums, texts, METHOD)
    return _answer(view, control, seed, ranked, reason(view, texts, sums), sums.worlds)


def _answer(
    view: View | PickView,
    control: Control,
    seed: int,
    moves: tuple[SampledMove, ...],
    why: str,
    worlds: int,
) -> SampledHint:
    return SampledHint(
        game="king",
        to_move=view.seat,
        exact=not moves,
        best=moves[0].move if moves else None,
        moves=moves,
        reason=why,
        method=METHOD,
        worlds=worlds,
        seed=seed,
        nodes=control.nodes,
        seconds=control.seconds,
    )


def warm() -> None:
    """Compile or load every kernel."""
    for variant in ("picked", "unpicked"):
        position = seats.deal(0, variant=variant)
        seen = seats.view(position, 0)
        hint(seen, Control(), worlds=1)
