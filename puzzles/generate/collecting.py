"""The puzzles of many deals, put together: in the deals' order, none of them twice, as many as are wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from puzzles.format import loads
from puzzles.generate.making import Order
from puzzles.models import Puzzle
from puzzles.toml import puzzle_text
from solver.protocol.composing import HIDDEN_HAND, Candidate

_WORDS = "The one move"  # the title of a puzzle without a theme that asks for a move


class Collecting:
    """Takes what each deal came to, in any order, and keeps the first `count` puzzles in the order of the deals.

    So what is kept depends neither on who made a puzzle nor on when. A puzzle is left out that differs from an
    earlier one, or from one of the `others`, by a symmetry alone.
    """

    def __init__(self, order: Order, count: int, others: Iterable[Puzzle] = ()) -> None:
        self.order = order
        self.count = count
        self.deals = 0  # done, without a gap
        self.repeated = 0
        self.faults: list[str] = []
        self.puzzles: list[dict[str, Any]] = []
        self._waiting: dict[int, Mapping[str, Any]] = {}
        self._known = set(filter(None, (_symmetry(order, puzzle) for puzzle in others)))

    @property
    def full(self) -> bool:
        return len(self.puzzles) >= self.count

    def add(self, deal: int, result: Mapping[str, Any]) -> None:
        """What deal number `deal` came to: a result of `unit_result`, or an error."""
        self._waiting[deal] = result
        while not self.full and self.deals in self._waiting:
            self._take(self._waiting.pop(self.deals))
            self.deals += 1

    def _take(self, result: Mapping[str, Any]) -> None:
        if "error" in result:
            self.faults.append(str(result["error"]["message"]))
        elif result["puzzle"] is not None:
            if result["symmetry"] in self._known:
                self.repeated += 1
                return
            self._known.add(result["symmetry"])
            key = f"{self.order.seed}-{result['number']}"
            name = f"{self.order.game}-{self.order.task}-{key}"
            self.puzzles.append({"id": name, "title": f"{_title(result['puzzle'])} {key}", **result["puzzle"]})

    def text(self) -> str:
        """The puzzle file. It is read back before it is given. Raises PuzzleError where there is no puzzle."""
        words = [f"--{key} {value}" for key, value in self.order.model_dump(exclude_defaults=True).items()]
        asked = " ".join([self.order.game, *(word.replace("--task", "--ask") for word in words[1:])])
        judged = self.order.task == HIDDEN_HAND and self.order.model is None
        proof = "judged by long hints" if judged else "proved by search"
        head = f"# Made by `athanor generate {asked}`, {proof}.\n\n"
        text = head + "\n".join(map(puzzle_text, self.puzzles))
        loads(text)
        return text


def _title(puzzle: Mapping[str, Any]) -> str:
    themes = puzzle.get("themes")
    if themes:
        return str(themes[0]).capitalize()
    return _WORDS if puzzle["ask"] == "best-move" else str(puzzle["ask"]).replace("-", " ").capitalize()


def _symmetry(order: Order, puzzle: Puzzle) -> str | None:
    """What a puzzle that there is already is the same as, where it is of the order's game and task."""
    task = HIDDEN_HAND if puzzle.hidden else puzzle.ask
    if puzzle.game.name != order.game or task != order.task:
        return None
    return order.composer.symmetry(task, Candidate(puzzle.position, puzzle.model, puzzle.player))
