"""`maxn` of states whose memo is too large: card by card, each state of this trick by a memo of its own.

A card that is played makes the memo of what follows smaller: with two of eight cards played it takes 185 MB in
place of 720 MB. These memos are filled one after the other, each from nothing, so it takes some minutes.
"""

from __future__ import annotations

from solver.games.kirin.answers import Scores
from solver.games.kirin.cards.rules import Masks, State, legal_moves, play, points
from solver.games.kirin.search.maxn.memo import Memo, complete, fits, line
from solver.search.budget import Part
from solver.tricks.maxn import merit

Worth = tuple[Scores, list[int]]  # what each seat has at the end of the round, and the line of play


def worth(state: State, colours: Masks, part: Part) -> Worth | None:
    """The scores of a state, and the first of the best lines; None when this part of a limit came first."""
    if state.over:
        return points(state.won, colours), []
    memo = Memo(state, colours)
    if fits(memo):
        return _by_memo(memo, state, colours, part)
    del memo
    best: Worth | None = None
    for card in legal_moves(state):
        found = worth(play(state, card), colours, part)
        if found is None:
            return None
        if best is None or merit(found[0], state.to_move) > merit(best[0], state.to_move):
            best = found[0], [card, *found[1]]
    return best


def _by_memo(memo: Memo, state: State, colours: Masks, part: Part) -> Worth | None:
    if not complete(memo, part):
        return None
    seat = state.to_move
    later = max((scores for _, scores in memo.moves(state)), key=lambda scores: merit(scores, seat))
    before = points(state.won, colours)
    first, second, third, fourth = (old + new for old, new in zip(before, later, strict=True))
    return (first, second, third, fourth), line(memo, state)
