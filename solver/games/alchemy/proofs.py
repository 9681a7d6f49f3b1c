"""What alchemy's answers prove: the answer to each of the puzzles' questions, and its optimal moves."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from solver.common.control import Control
from solver.games.alchemy import analyze, hint
from solver.games.alchemy.answers import (
    DuelAnalysis,
    DuelHint,
    Match,
    MatchesAnalysis,
    OptimumAnalysis,
    SolitaireAnalysis,
    SolitaireHint,
)
from solver.games.alchemy.cards.deck import cards, points
from solver.games.alchemy.cards.text import Move
from solver.games.alchemy.positions.duels import DuelPosition
from solver.games.alchemy.positions.known import FreePosition, SolitairePosition
from solver.games.alchemy.positions.moves import asks, legal_moves
from solver.protocol.answers import Analysis, Hint, Proved

_SAME_CHANCE = 1e-9  # between two exact probabilities: summed in another order, they differ in the last digits


def answer(
    position: BaseModel, ask: str, control: Control, *, model: str | None = None, player: int | None = None
) -> Analysis | Hint:
    """The answer to a puzzle's question about a position. Raises what `analyze` and `hint` raise."""
    if ask == "all-matches" and isinstance(position, SolitairePosition | DuelPosition):
        return _matches(position, control)
    if "analyze" in asks(position):
        return analyze.analyze(position, control, model=model, player=player)
    return hint.hint(position, control)


def _matches(position: SolitairePosition | DuelPosition, control: Control) -> MatchesAnalysis:
    """The matches of a game's line, at most six cards: the rules alone list them."""
    matches = [move for move in legal_moves(position) if move.kind == "match"]
    return MatchesAnalysis(
        game="alchemy",
        variant=position.variant,
        player=0,
        to_move=0,
        exact=True,
        value=len(matches),
        bounds=(len(matches), len(matches)),
        best=str(matches[0]) if matches else None,
        moves=tuple(Match(move=str(move), used=tuple(cards(move.used))) for move in matches),
        line=(str(matches[0]),) if matches else (),
        nodes=len(matches),
        seconds=control.seconds,
    )


def proved(position: BaseModel, answer: Analysis | Hint, stated: Sequence[Move] = ()) -> Proved:
    """What an answer proves of its position: the value, and every optimal move.

    Of a lost solitaire the optimal moves are those with the fewest stock cards left; of a duel's exchange
    those with the top swing; of a hidden stock those with the top chance to win, where it is exact.
    """
    if isinstance(answer, OptimumAnalysis):
        return _proved_optimum(position, answer, stated)
    if isinstance(answer, MatchesAnalysis):
        return _proved_matches(answer, stated)
    if isinstance(answer, SolitaireHint):
        return _proved_chance(answer)
    if isinstance(answer, SolitaireAnalysis):
        value = answer.value if answer.bounds[0] == answer.bounds[1] else None
        return Proved(value=value, best=_fewest_left(answer))
    assert isinstance(answer, DuelAnalysis | DuelHint)
    top = max(entry.swing for entry in answer.moves)
    return Proved(value=top, best=tuple(entry.move for entry in answer.moves if entry.swing == top))


def _proved_matches(answer: MatchesAnalysis, stated: Sequence[Move]) -> Proved:
    """All matches. Where only some are listed, their number is proved, and so is a list of as many matches."""
    if not answer.exact:
        return Proved(value=None, best=None)
    if not answer.truncated:
        return Proved(value=answer.value, best=tuple(entry.move for entry in answer.moves))
    known = tuple(dict.fromkeys(map(str, stated)))
    return Proved(value=answer.value, best=known if len(known) == answer.value else None)


def _fewest_left(answer: SolitaireAnalysis) -> tuple[str, ...] | None:
    """The moves of a solitaire that win or, when none does, leave the fewest cards in the stock."""
    if len(answer.moves) <= 1:
        return tuple(entry.move for entry in answer.moves)
    if not all(entry.exact for entry in answer.moves):
        return None
    fewest = min(entry.left or 0 for entry in answer.moves)
    return tuple(entry.move for entry in answer.moves if (entry.left or 0) == fewest)


def _proved_chance(answer: SolitaireHint) -> Proved:
    moves = answer.moves
    if not all(entry.exact for entry in moves):
        return Proved(value=None, best=(moves[0].move,) if len(moves) == 1 else None)
    top = max((entry.win_probability for entry in moves), default=1.0)
    best = tuple(entry.move for entry in moves if entry.win_probability >= top - _SAME_CHANCE)
    return Proved(value=top, best=best)


def _proved_optimum(position: BaseModel, answer: OptimumAnalysis, stated: Sequence[Move]) -> Proved:
    assert isinstance(position, FreePosition)
    if not answer.exact:
        return Proved(value=None, best=None)
    if answer.value is None:
        return Proved(value=None, best=())
    best = [entry.move for entry in answer.moves if entry.value == answer.value]
    for move in stated:
        if str(move) not in best and _worth(position, move) == answer.value:
            best.append(str(move))
    return Proved(value=answer.value, best=tuple(best), complete=False)


def _worth(position: FreePosition, move: Move) -> int:
    """What a match is worth by the puzzle's objective."""
    if position.objective == "most-points":
        return points((position.hand_rank, *move.used))
    return len(move.used)
