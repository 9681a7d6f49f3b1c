"""Why King × Alchemy's hint prefers a move, in a sentence: what the rounds played say, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from solver.games.king.cards.rules import Move
from solver.games.king.hints.rollouts import BONUS, TOOK, TRICK_POINTS
from solver.games.king.positions.known import View
from solver.games.king.positions.moves import format_move
from solver.games.king.positions.picks import PickView
from solver.hints.match import deciding
from solver.hints.paired import Sums
from solver.hints.ranking import Lead, lead
from solver.hints.words import alike, of, points, share


def reason(view: View | PickView, moves: Sequence[Move], sums: Sums) -> str:
    """The reason for the best of the moves, which are in canonical order."""
    texts = [format_move(view, move) for move in moves]
    if view.goes_by_match:
        return deciding(texts, sums, view.rounds_to_come)
    ahead = lead(sums, len(texts))
    if ahead is None:
        return _only(view, texts[0], sums)
    first, second = _named(view, texts[ahead.best]), _named(view, texts[ahead.second])
    if not ahead.clear:
        named = [_named(view, text) for text in texts]
        return _capital(alike(named, sums, f"{ahead.gap:.2f} points a round"))
    text = f"{_capital(first)} brings {points(ahead.gap)} a round more on average than {second}, the next best: "
    trick, bonus, later = _parts(ahead, sums)
    recipes = _signed(bonus, "recipes")
    if isinstance(view, PickView) or _shares(view):
        return f"{text}{_signed(trick + later, 'the points of cards')}, {recipes}."
    took = [share(float(sums.means[move, TOOK])) for move in (ahead.best, ahead.second)]
    return (
        f"{text}{_signed(trick, 'the points of this trick')} (it takes the trick in {took[0]} of the {of(sums)}, "
        f"the other in {took[1]}), {_signed(later, 'the points of later ones')}, {recipes}."
    )


def _named(view: View | PickView, text: str) -> str:
    """A move within a sentence."""
    return f"to {text}" if _shares(view) else f"picking {text}" if isinstance(view, PickView) else text


def _shares(view: View | PickView) -> bool:
    return isinstance(view, View) and len(view.trick) == view.players


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _only(view: View | PickView, text: str, sums: Sums) -> str:
    if _shares(view):
        return f"There is no choice: {text} is the only legal move."
    took, gain = float(sums.means[0, TOOK]), float(sums.means[0, TRICK_POINTS])
    return (
        f"{text} is the only legal card; it takes this trick in {share(took)} of the {of(sums)}, and brings "
        f"{points(gain)} of its cards on average."
    )


def _parts(ahead: Lead, sums: Sums) -> tuple[float, float, float]:
    """By how much the best leads the next: in points of this trick, in bonuses, and in all other points."""
    gaps = sums.means[ahead.best] - sums.means[ahead.second]
    trick, bonus = float(gaps[TRICK_POINTS]), float(gaps[BONUS])
    return trick, bonus, ahead.gap - trick - bonus


def _signed(value: float, what: str) -> str:
    return f"{value:+.2f} by {what}".replace("-", "−")
