"""Run every kernel of alchemy once, and build the tables that all questions share."""

from __future__ import annotations

from solver.games.alchemy import advise, solve, table
from solver.games.alchemy.hidden import static_table
from solver.games.alchemy.positions import FreePosition
from solver.search.drive import Control


def warm() -> None:
    """Compile or load the kernels by asking one question of each kind."""
    for variant in ("alternative", "solo"):
        static_table(variant)
        deal = table.deal(0, variant=variant)
        solve.analyze(deal, Control())
        advise.hint(table.view(deal, 0), Control(), worlds=50)
    ending = table.view(table.deal(0, variant="alternative"), 0).model_copy(update={"unseen": ("A", "2", "3")})
    advise.hint(ending, Control())
    line = ("A", "2", "3", "4", "5", "6", "7")
    puzzle = FreePosition(game="alchemy", variant="free", min_line=1, line=line, hand="9")
    solve.analyze(puzzle, Control())
    solve.analyze(puzzle.model_copy(update={"objective": "most-cards"}), Control())
