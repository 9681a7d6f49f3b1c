"""The chance to win after each move of a solitaire whose stock is hidden: exact, or a sampled estimate.

1. *Expectimax* where few cards are unseen: exact.
2. Otherwise *composition DP* from the unseen cards gives each move a value, and a policy with which games are
   played out on the same sampled stocks after every move (common random numbers, luck taken off: `rollouts`).
   How far apart two moves are is judged by both, each weighted by its error.
3. The policy grows stale as cards are drawn, so it wins less often than best play. For the best move some games
   are played with the DP solved anew on the way and the last cards exact: they set the level of all estimates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from solver.common.control import Control
from solver.games.alchemy.cards.text import Move
from solver.games.alchemy.hidden_stock import estimates, orders
from solver.games.alchemy.hidden_stock.expectimax import Expectimax
from solver.games.alchemy.hidden_stock.next_turn import Judge
from solver.games.alchemy.hidden_stock.stock import HiddenStock, Option
from solver.games.alchemy.hidden_stock.tables import static_table, table_of
from solver.search.budget import Part

_EXACT_PRODUCT = 1 << 17  # of the unseen counts plus one: beyond it expectimax is not tried
_EXACT_PRODUCT_A_SECOND = 2e5  # about what is solved in a second
_EXACT_NODES = 40_000_000  # where no limit is given
_EXACT_SHARE = 0.5  # of the time left
WORLDS = 4000


@dataclass(frozen=True, slots=True)
class MoveChance:
    """The chance to win after a move, with its standard error, 0 where it is exact, None where it is unknown.

    `clairvoyant` is the share of stock orders that a player who saw them would win; None where it is unknown.
    `lost` says that the move loses at once, by the rules.
    """

    move: Move
    probability: float
    stderr: float | None
    exact: bool
    clairvoyant: float | None
    lost: bool


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Every move's chance, the best first; how they were found, and from how many sampled stocks.

    `judge` is the table or the search by which they were found; None where the rules sufficed.
    """

    moves: list[MoveChance]
    method: str
    worlds: int
    judge: Judge | None


def evaluate(stock: HiddenStock, control: Control, worlds: int | None = None) -> Evaluation:
    """The chance to win after every move. Where it is not exact, at most `worlds` stocks are sampled."""
    options = stock.options()
    still_open = [option for option in options if not option.lost]
    chances: list[MoveChance] = []
    method, sampled = "rules", 0
    judge: Judge | None = None
    if still_open:
        exact = _exact(stock, still_open, control)
        if exact is not None:
            method, (chances, judge) = "expectimax", exact
        else:
            judge = table = table_of(stock, control)
            name = "static table" if table is static_table(stock.variant) else "composition DP"
            method = f"{name}, sampled games"
            sampled_chances, sampled = estimates.sample(stock, still_open, table, worlds or WORLDS, control)
            chances = [
                MoveChance(option.move, estimate.probability, estimate.stderr, False, None, False)
                for option, estimate in zip(still_open, sampled_chances, strict=True)
            ]
        chances = _with_clairvoyant(chances, orders.clairvoyant(stock, still_open, control))
    chances_of_open = iter(chances)
    every = [
        MoveChance(option.move, 0.0, 0.0, True, 0.0, True) if option.lost else next(chances_of_open)
        for option in options
    ]
    # Rounding keeps equal chances, summed in different orders, in canonical order.
    return Evaluation(sorted(every, key=lambda chance: -round(chance.probability, 12)), method, sampled, judge)


def _with_clairvoyant(chances: list[MoveChance], solved: orders.Clairvoyant | None) -> list[MoveChance]:
    """The chances, each joined with the share that a player who sees the stock would win.

    Such a player wins at least as often: neither number may contradict the other where one of them is exact.
    """
    if solved is None:
        return chances
    joined = []
    for chance, share in zip(chances, solved.shares, strict=True):
        # A sample of orders may say less by chance; no estimate is above the whole truth.
        clairvoyant = max(share, chance.probability) if chance.exact else share
        probability = min(chance.probability, share) if solved.all_orders else chance.probability
        joined.append(replace(chance, clairvoyant=clairvoyant, probability=probability))
    return joined


def _exact(
    stock: HiddenStock, options: Sequence[Option], control: Control
) -> tuple[list[MoveChance], Expectimax] | None:
    """The exact chances by expectimax, and the search; None where that would take too long or too much memory."""
    left = control.seconds_left()
    most = _EXACT_PRODUCT if left is None else min(_EXACT_PRODUCT, left * _EXACT_PRODUCT_A_SECOND)
    if stock.product > most:
        return None
    search = Expectimax(stock.variant, stock.counts)
    until = Part(control, _EXACT_SHARE).until
    limit = control.nodes_left()
    share = _EXACT_NODES if limit is None else limit // 2
    if until is not None and limit is None:
        share = 1 << 62
    begin = control.nodes
    chances = []
    for option in options:
        search.enter(option.cap, option.line)
        nodes = share - (control.nodes - begin)
        try:
            if not control.drive(search.step, until=until, node_share=nodes, stage="expectimax"):
                return None
        except MemoryError:
            return None
        chances.append(MoveChance(option.move, search.value, 0.0, True, None, False))
    return chances, search
