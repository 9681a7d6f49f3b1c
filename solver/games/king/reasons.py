"""Why King × Alchemy's hint prefers a move, in a sentence: what the sampled rounds say, and nothing that they do not."""

from __future__ import annotations

from collections.abc import Sequence

from solver.games.king.picks import PickView
from solver.games.king.positions import View
from solver.games.king.rollouts import BONUS, TOOK, TRICK_POINTS
from solver.hints.paired import Sums
from solver.hints.ranking import Lead, lead


def reason(view: View | PickView, texts: Sequence[str], sums: Sums) -> str:
    """The reason for the best of the moves, whose texts are in canonical order."""
    found = lead(sums, len(texts))
    if found is None:
        return _only(view, texts[0], sums)
    first, second = texts[found.best], texts[found.second]
    if not found.clear:
        return (
            f"{_capital(first)} and {second} do about equally well in the sampled deals: {first} leads by "
            f"{found.gap:.2f} points a round, which may be the luck of the draw."
        )
    return f"{_capital(first)} brings {_points(found.gap)} a round more on average than {_next(view, second)}: " + (
        _taking(found, sums) if _shares(view) or isinstance(view, PickView) else _playing(found, sums)
    )


def _shares(view: View | PickView) -> bool:
    return isinstance(view, View) and len(view.trick) == view.players


def _next(view: View | PickView, second: str) -> str:
    return f"to {second}, the next best" if _shares(view) else f"{second}, the next best"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _points(value: float) -> str:
    return f"{value:.2f} points" if f"{value:.2f}" != "1.00" else "1 point"


def _share(value: float) -> str:
    """A share of the sampled deals; what is rounded is neither all nor none."""
    if value >= 1 - 1e-12:
        return "all"
    if value <= 1e-12:
        return "none"
    percent = round(100 * value)
    return "more than 99%" if percent == 100 else "less than 1%" if percent == 0 else f"{percent}%"


def _only(view: View | PickView, text: str, sums: Sums) -> str:
    if _shares(view):
        return f"There is no choice: {text} is all that you may do."
    took, points = sums.means[0, TOOK], float(sums.means[0, TRICK_POINTS])
    return (
        f"{text} is the only card that you may play; it takes this trick in {_share(took)} of the sampled deals, and "
        f"you get {_points(points)} of its cards on average."
    )


def _parts(found: Lead, sums: Sums) -> tuple[float, float, float]:
    """By how much the best leads the next: in this trick's points, in the end's bonuses, and in all other points."""
    gaps = sums.means[found.best] - sums.means[found.second]
    trick, bonus = float(gaps[TRICK_POINTS]), float(gaps[BONUS])
    return trick, bonus, found.gap - trick - bonus


def _signed(value: float, what: str) -> str:
    return f"{value:+.2f} by {what}".replace("-", "−")


def _taking(found: Lead, sums: Sums) -> str:
    trick, bonus, later = _parts(found, sums)
    return f"{_signed(trick + later, 'the points of cards')}, {_signed(bonus, 'recipes')}."


def _playing(found: Lead, sums: Sums) -> str:
    trick, bonus, later = _parts(found, sums)
    took = [_share(float(sums.means[move, TOOK])) for move in (found.best, found.second)]
    text = (
        f"{_signed(trick, 'the points of this trick')} (taken in {took[0]} of the sampled deals, otherwise in {took[1]}), "
        f"{_signed(later, 'the points of later ones')}, {_signed(bonus, 'recipes')}."
    )
    return text
