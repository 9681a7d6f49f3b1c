"""Whether a line of play is one that its analysis may claim."""

from __future__ import annotations

from solver.answers import Analysis
from tests.reference import kirin as reference


def check_line(now: reference.State, colours: list[str], answer: Analysis, player: int) -> None:
    """The line is legal, goes to the end, and leaves the value in the piles."""
    for move in answer.line:
        now = reference.play(now, reference.number(move))
    assert reference.over(now)
    scores = reference.scores(now, colours)
    assert answer.value == (scores if answer.model == "maxn" else scores[player])
