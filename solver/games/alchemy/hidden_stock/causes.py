"""What may be behind the lead of a solitaire's move: the next hands that match, what is kept for them, the stock.

Both moves are played on with the same stocks up to the end of the next turn (`next_turn`).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from solver.common.control import Control
from solver.common.words import counted
from solver.games.alchemy.cards.deck import card
from solver.games.alchemy.fast_rules.dealing import deal_worlds
from solver.games.alchemy.hidden_stock.expectimax import Expectimax
from solver.games.alchemy.hidden_stock.next_turn import Judge, NextTurn, next_turn
from solver.games.alchemy.hidden_stock.stock import HiddenStock, Option
from solver.hints.causes import SURE, Cause, Noted, Truths, amount, shown, told
from solver.hints.ranking import Lead
from solver.hints.words import share

_WORLDS = 4000
_FEW_WORLDS = 500  # where a search has to judge nearly each by itself
_SECONDS = 0.1  # with less time left nothing is looked at


def because(stock: HiddenStock, best: Option, second: Option, gap: float, judge: Judge, control: Control) -> str:
    """What is behind the lead of one move over another, as a sentence with a space before it, where it shows.

    `gap` is by how much more often the best one wins.
    """
    left = control.seconds_left()
    if left is not None and left < _SECONDS:
        return ""
    worlds = deal_worlds(stock.cards, stock.seed, 0, _WORLDS)
    try:
        first, other = (next_turn(stock, option, worlds, judge) for option in (best, second))
        text, rest = _by_cards(stock, best, second, first, other)
        return _by_stock(stock, best, second, gap, judge, worlds, other, rest) or text
    except MemoryError:
        return ""


def _by_stock(
    stock: HiddenStock,
    best: Option,
    second: Option,
    gap: float,
    judge: Judge,
    worlds: NDArray[np.int8],
    other: NextTurn,
    rest: float,
) -> str:
    """That the best move takes more cards out of the stock, where that leaves less of the lead than `rest`."""
    size = stock.tables.size
    more = int(size[second.line]) - int(size[best.line])
    if more <= 0 or best.cap != second.cap:
        return ""
    worlds = worlds[: _FEW_WORLDS if isinstance(judge, Expectimax) else None]
    gained = next_turn(stock, second, worlds, judge, fewer=more).worth - other.worth[: len(worlds)]
    gain = float(gained.mean())
    left = gap - gain
    error = float(gained.std(ddof=1)) / sqrt(len(gained))
    if gain <= SURE * error or left > gap / 2 or abs(left) >= rest:
        return ""
    digits = _digits(max(gain, abs(left)))
    return (
        f" This is because {best.move} takes {counted(more, 'card')} more out of the stock: with as many gone "
        f"{second.move} would win {amount(gain, '%', digits)} more often, "
        f"and the lead would be {amount(left, '%', digits)}."
    )


def _by_cards(
    stock: HiddenStock, best: Option, second: Option, first: NextTurn, other: NextTurn
) -> tuple[str, float]:
    """What the next hand finds, in a sentence, and the lead that is left without it."""
    noted = _noted(first, other)
    leads = first.worth - other.worth
    found = shown(noted, Lead(0, 1, float(leads.mean()), 0.0), [*_causes(stock, best, second, first, other)])
    if found is None:
        return "", np.inf
    digits = _digits(max(abs(found.inside), abs(found.outside)))
    return told(found, "%", "stocks", digits), abs(found.outside)


def _causes(stock: HiddenStock, best: Option, second: Option, first: NextTurn, other: NextTurn) -> Iterator[Cause]:
    def cause(one: Truths, another: Truths, what: str) -> Cause:
        often, less = (share(float(found.mean())) for found in (one, another))
        text = f"{what} in {often} of the stocks after {best.move}, in {less} after {second.move}"
        return Cause(text, one & ~another, another & ~one)

    yield cause(first.matched, other.matched, "the next hand finds a match")
    kept, kept_other = (stock.tables.digits[option.line].tolist() for option in (best, second))
    for rank in range(stock.tables.ranks):
        name = card(rank + 1)
        if kept.count(rank) > kept_other.count(rank):
            yield cause(first.used[:, rank] > 0, other.used[:, rank] > 0, f"{name} goes into the next match")
        drawn, drawn_other = (turn.matched & (turn.hand == rank) for turn in (first, other))
        yield cause(drawn, drawn_other, f"{name} is the next hand and finds a match")


def _noted(first: NextTurn, other: NextTurn) -> Noted:
    """The two moves' worth in each stock; the stocks don't depend on one another."""
    scores = np.array([first.worth, other.worth]).T
    return Noted(scores, np.zeros((len(scores), 0), np.int64), np.arange(len(scores)))


def _digits(lead: float) -> int:
    """How many digits of a percentage tell something."""
    return 0 if lead >= 0.1 else 1 if lead >= 0.01 else 2
