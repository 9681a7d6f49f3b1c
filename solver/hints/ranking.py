"""From sums over worlds to an answer: its moves, best first, and what a reason needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from solver.common.control import Control
from solver.hints.paired import Sums
from solver.protocol.answers import SampledHint, SampledMove

SURE = 1.96  # standard errors: a difference within them may be the luck of the draw
_DIGITS = 9  # rounding keeps equal means, summed in different orders, in canonical order


def order(sums: Sums, moves: int) -> list[int]:
    """The moves by their means, best first; equals in the order given."""
    means = sums.means[:, 0]
    return sorted(range(moves), key=lambda move: -round(float(means[move]), _DIGITS))


def _known(error: float) -> float | None:
    """The standard error, unless it is unknown."""
    return error if isfinite(error) else None


def ranked(sums: Sums, texts: Sequence[str], method: str, points: int | None = None) -> tuple[SampledMove, ...]:
    """The moves of an answer, best first; `texts` are the moves in canonical order.

    `points` is the statistic with a round's points, where the first one is the chance to win the match.
    """
    ranking = order(sums, len(texts))
    sampled = []
    for move in ranking:
        beside = {} if points is None else {"points": round(float(sums.means[move, points]), _DIGITS)}
        behind, error = (0.0, 0.0) if move == ranking[0] else sums.difference(ranking[0], move)
        sampled.append(
            SampledMove(
                move=texts[move],
                mean=round(float(sums.means[move, 0]), _DIGITS),
                stderr=_known(sums.stderr(move)),
                behind=max(0.0, round(behind, _DIGITS)),
                behind_stderr=_known(error),
                worlds=sums.worlds,
                method=method,
                **beside,
            )
        )
    return tuple(sampled)


def answer(
    game: str,
    seat: int,
    moves: tuple[SampledMove, ...],
    reason: str,
    *,
    method: str,
    worlds: int,
    seed: int,
    control: Control,
) -> SampledHint:
    """The hint that the `ranked` moves make; it is exact only where there is no move to judge."""
    return SampledHint(
        game=game,
        to_move=seat,
        exact=not moves,
        best=moves[0].move if moves else None,
        moves=moves,
        reason=reason,
        method=method,
        worlds=worlds,
        seed=seed,
        nodes=control.nodes,
        seconds=control.seconds,
    )


@dataclass(frozen=True, slots=True)
class Lead:
    """The best move against the next: places in canonical order, and how sure the lead is."""

    best: int
    second: int
    gap: float
    error: float

    @property
    def clear(self) -> bool:
        """Whether the lead is beyond the luck of the draw (the 95% interval is clear of zero)."""
        return self.gap > SURE * self.error


def level_with(sums: Sums, moves: int) -> list[int]:
    """The best move, and all whose difference from it may be the luck of the draw, best first."""
    ranking = order(sums, moves)
    found = ranking[:1]
    for move in ranking[1:]:
        gap, error = sums.difference(ranking[0], move)
        if not gap > SURE * error:
            found.append(move)
    return found


def lead(sums: Sums, moves: int) -> Lead | None:
    """What a reason needs of the first and the second; None when there is but one move."""
    if moves < 2:
        return None
    best, second = order(sums, moves)[:2]
    return Lead(best, second, *sums.difference(best, second))
