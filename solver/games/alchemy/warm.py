"""Run every kernel of alchemy once, and build the tables that all questions share.

Those of the larger variant, which take longer to make than all the rest, are made beside: the kernels do not hold
Python's lock. Who asks meanwhile makes them too.
"""

from __future__ import annotations

from threading import Thread

from solver.common.control import Control, Limit
from solver.games.alchemy import analyze, hint
from solver.games.alchemy.cards.rules import SOLITAIRE
from solver.games.alchemy.fast_rules.lines import lines
from solver.games.alchemy.hidden_stock.tables import static_table
from solver.games.alchemy.positions import moves
from solver.games.alchemy.positions.known import FreePosition


def known() -> None:
    """Compile or load what answers about cards that are all known."""
    analyze.analyze(moves.deal(0, variant="alternative"), Control())
    Thread(target=lines, args=(SOLITAIRE["solo"],), daemon=True).start()
    line = ("A", "2", "3", "4", "5", "6", "7")
    puzzle = FreePosition(game="alchemy", variant="free", min_line=1, line=line, hand="9")
    analyze.analyze(puzzle, Control())
    analyze.analyze(puzzle.model_copy(update={"objective": "most-cards"}), Control())


def hints() -> None:
    """Compile or load what answers about a hidden stock, and what a hint needs where no card is hidden."""
    static_table(SOLITAIRE["alternative"])
    Thread(target=static_table, args=(SOLITAIRE["solo"],), daemon=True).start()
    # The kernels are the same for both variants, and faster in this one.
    hint.hint(moves.view(moves.deal(0, variant="alternative"), 0), Control(), worlds=4)
    ending = moves.view(moves.deal(0, variant="alternative"), 0).model_copy(update={"unseen": ("A", "2", "3")})
    hint.hint(ending, Control())
    hint.hint(moves.deal(0, variant="alternative"), Control(Limit(nodes=1)))
