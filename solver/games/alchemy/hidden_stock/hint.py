"""`hint` for a solitaire whose stock is hidden: each move's chance to win, and a sentence that says why."""

from __future__ import annotations

from math import hypot

from solver.common.control import Control
from solver.common.words import counted, in_a_row
from solver.games.alchemy.answers import SolitaireHint, SolitaireHintMove
from solver.games.alchemy.cards.deck import cards
from solver.games.alchemy.cards.text import Move
from solver.games.alchemy.hidden_stock.causes import because
from solver.games.alchemy.hidden_stock.stock import HiddenStock, hidden_stock
from solver.games.alchemy.hidden_stock.values import Evaluation, evaluate
from solver.games.alchemy.known_stock.hint import answer
from solver.games.alchemy.positions.known import SolitairePosition
from solver.hints.ranking import SURE

_TIE = 1e-9


def hint(position: SolitairePosition, control: Control, worlds: int | None, seed: int) -> SolitaireHint:
    """The moves of a game that is not over, the best first. `worlds` is how many stocks to sample at most."""
    stock = hidden_stock(position.solitaire, position.turn, position.unseen_ranks, seed)
    evaluation = evaluate(stock, control, worlds)
    moves = tuple(
        SolitaireHintMove(
            move=str(chance.move),
            used=tuple(cards(chance.move.used)),
            win_probability=chance.probability,
            stderr=chance.stderr,
            exact=chance.exact,
            clairvoyant=chance.clairvoyant,
            method="rules" if chance.lost else evaluation.method,
        )
        for chance in evaluation.moves
    )
    reason = _reason(moves, evaluation.moves[0].move, position) + _because(stock, evaluation, moves, control)
    return answer(position, control, moves, reason, method=evaluation.method, worlds=evaluation.worlds, seed=seed)


def _because(
    stock: HiddenStock, evaluation: Evaluation, moves: tuple[SolitaireHintMove, ...], control: Control
) -> str:
    """What is behind the lead over the next best move, where there is a lead beyond doubt."""
    if evaluation.judge is None or len(moves) < 2 or _level(moves[0], moves[1]):
        return ""
    gap = moves[0].win_probability - moves[1].win_probability
    if gap < _TIE:
        return ""
    options = {option.move: option for option in stock.options()}
    best, second = (options[chance.move] for chance in evaluation.moves[:2])
    return "" if second.lost else because(stock, best, second, gap, evaluation.judge, control)


def percent(move: SolitaireHintMove) -> str:
    """A move's chance to win for a person: exact, or about so much with its standard error, if that is known."""
    if move.exact:
        text = f"{100 * move.win_probability:.4g}%"
        # What is rounded is neither sure nor hopeless.
        if text == "100%" and move.win_probability < 1 - _TIE:
            return "more than 99.99%"
        return text
    if move.stderr is None:
        return f"about {100 * move.win_probability:.1f}% (error unknown)"
    digits = 1 if move.stderr >= 0.001 else 2
    return f"about {100 * move.win_probability:.{digits}f}% (± {100 * move.stderr:.{digits}f})"


def _reason(moves: tuple[SolitaireHintMove, ...], best: Move, position: SolitairePosition) -> str:
    """Why the first move: its chance against the next one's, and what it does to the line."""
    top = moves[0]
    rest = list(position.turn.line)
    for rank in best.used:
        rest.remove(rank)
    left = " ".join(cards(sorted(rest)))
    if best.kind == "match":
        deed = f"{top.move} clears {counted(len(best.used), 'line card')} and leaves {left or 'an empty line'}"
    else:
        deed = f"There is no match; {top.move} leaves {left}"
    if top.win_probability == 0 and top.exact:
        return f"{deed}, but no move can win any more."
    if len(moves) == 1:
        return f"{deed}; it is the only move, and wins {percent(top)} of the time."
    second = moves[1]
    if top.exact and second.exact and top.win_probability - second.win_probability < _TIE:
        ties = sum(top.win_probability - m.win_probability < _TIE for m in moves)
        tied = (
            "all moves do"
            if ties == len(moves)
            else f"so {'does one other move' if ties == 2 else f'do {ties - 1} other moves'}"
        )
        return f"{deed}; it wins {percent(top)} of the time, and {tied}."
    level = [move.move for move in moves[1:] if _level(top, move)]
    if level and level[0] == second.move:
        return f"{deed}; it wins {percent(top)} of the time, and can't be told apart from {in_a_row(level)}."
    if percent(top) == percent(second):
        less = f"{100 * (top.win_probability - second.win_probability):.1g}%"
        return f"{deed}; it wins {percent(top)} of the time, the next best, {second.move}, {less} less often."
    return f"{deed}; it wins {percent(top)} of the time, the next best, {second.move}, {percent(second)}."


def _level(top: SolitaireHintMove, other: SolitaireHintMove) -> bool:
    """Whether a move's chance can't be told from the best one's, as a review of the move would have it too."""
    if top.stderr is None or other.stderr is None:
        return True
    error = hypot(top.stderr, other.stderr)
    return error > 0 and top.win_probability - other.win_probability <= SURE * error
