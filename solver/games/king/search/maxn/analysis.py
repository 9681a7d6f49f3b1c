"""The analysis under `maxn`: every move's scores by the memo, or bounds by what each seat can be held to."""

from __future__ import annotations

from dataclasses import dataclass

from solver.common.control import Control
from solver.games.king.cards.rules import Move, State, legal_moves, play
from solver.games.king.search.budget import BOUND_NODES, proof_share
from solver.games.king.search.maxn.search import MaxnScores
from solver.games.king.search.player_score import PlayerScore
from solver.search.budget import Part
from solver.search.tricks.fail_soft_prover import FailSoftProver
from solver.tricks.maxn import ScoreBounds, bracket

_EXACT_SHARE = 0.7  # of the proofs' part of a limit; the rest is for bounds, should some moves not be solved


def of_state(
    state: State, control: Control, prover: FailSoftProver, found: dict[Move, ScoreBounds]
) -> tuple[dict[Move, ScoreBounds], list[Move]]:
    """The bounds of all seats' scores after every legal move, and the line of play.

    What is proved by then is in `found` meanwhile. The line is empty when the round is over and when the limit
    left some scores inexact.
    """
    if state.over:
        return {}, []
    search = MaxnScores(prover, state, control)
    search.found = found
    solved = search.moves(_EXACT_SHARE * proof_share(state))
    left = [move for move, scores in solved.items() if scores is None]
    if not left:
        return found, search.line()
    bounded(state, control, prover, left, found)
    return {move: found[move] for move in legal_moves(state)}, []


@dataclass(frozen=True)
class _AfterMove:
    """The score of one seat after each of some moves (`ways`), bounded within a part of the limit."""

    search: PlayerScore
    ways: dict[Move, State]
    part: Part

    def widest(self, move: Move) -> tuple[int, int]:
        return self.search.widest(self.search.node(self.ways[move]))

    def bounds(self, move: Move, guess: int | None) -> tuple[int, int]:
        return self.search.bounds(self.ways[move], part=self.part, nodes=BOUND_NODES)


def bounded(
    state: State, control: Control, prover: FailSoftProver, moves: list[Move], found: dict[Move, ScoreBounds]
) -> None:
    """Put the bounds of all seats' scores after each of `moves` into `found`.

    A seat gets at least what it can guarantee against all others, and at most what it reaches with their help.
    The searches take the part of the limit that is meant for proofs.
    """
    part = Part(control, proof_share(state))
    ways = {move: play(state, move) for move in moves}

    def score_of(seat: int, allies: bool) -> _AfterMove:
        return _AfterMove(PlayerScore(prover, state, seat, allies=allies, control=control), ways, part)

    bracket(moves, state.players, score_of, found)
