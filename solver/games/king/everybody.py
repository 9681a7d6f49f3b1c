"""The analysis under `maxn`: every move's scores by the memo, or bounds by what each seat can be held to."""

from __future__ import annotations

import time

from solver.games.king.answers import KingAnalysis, KingMove, Scores
from solver.games.king.guarantee import Guarantee, score
from solver.games.king.maxn import Everybody, merit
from solver.games.king.moves import move_text
from solver.games.king.rules import Move, State, play
from solver.search.drive import Control

_EXACT_SHARE = 0.7  # of a limit; the rest is for bounds, should some moves not be solved by then

Bounds = tuple[Scores, Scores]


def analyze(state: State, control: Control, player: int) -> KingAnalysis:
    """Every move's scores under `maxn`, best first for the seat to move."""
    deck = state.deck
    found, line = of_state(state, control)
    if state.over:
        scores = tuple(score(deck, pile) for pile in state.won)
        value: Bounds = (scores, scores)
    else:
        value = possible(found, state.to_move)
    seat = state.to_move
    ranked = sorted(found, key=lambda move: _badness(found[move], seat))  # stable: canonical order on ties
    if ranked and found[ranked[0]][0] == found[ranked[0]][1]:
        best = found[ranked[0]][0]
        rivals = [move for move in ranked[1:] if found[move][1][seat] >= best[seat]]
        if all(found[move][0] == found[move][1] for move in rivals):
            value = (best, best)
    return KingAnalysis(
        game="king",
        model="maxn",
        player=player,
        to_move=seat,
        exact=all(low == high for low, high in found.values()),
        value=value[0] if value[0] == value[1] else None,
        bounds=value,
        best=move_text(deck, ranked[0]) if ranked else None,
        moves=tuple(
            KingMove(
                move=move_text(deck, move),
                value=found[move][0] if found[move][0] == found[move][1] else None,
                bounds=found[move],
                exact=found[move][0] == found[move][1],
            )
            for move in ranked
        ),
        line=tuple(move_text(deck, move) for move in line or ranked[:1]),
        nodes=control.nodes,
        seconds=control.seconds,
    )


def _badness(bounds: Bounds, seat: int) -> tuple[tuple[int, int], tuple[int, int]]:
    least, most = merit(bounds[0], seat), merit(bounds[1], seat)
    return (-least[0], -least[1]), (-most[0], -most[1])


def possible(bounds: dict[Move, Bounds], seat: int) -> Bounds:
    """What the bounds of its moves say of a state's scores, `seat` to move."""
    sure = max(low[seat] for low, _ in bounds.values())
    standing = [(low, high) for low, high in bounds.values() if high[seat] >= sure]
    players = range(len(standing[0][0]))
    least = [min(low[other] for low, _ in standing) for other in players]
    most = [max(high[other] for _, high in standing) for other in players]
    least[seat] = sure
    return tuple(least), tuple(most)


def of_state(state: State, control: Control) -> tuple[dict[Move, Bounds], list[Move]]:
    """The bounds of every legal move, and the line of play where they are exact."""
    if state.over:
        return {}, []
    search = Everybody(state, control)
    seconds, nodes = control.seconds_left(), control.nodes_left()
    solved = search.moves(
        until=None if seconds is None else time.monotonic() + _EXACT_SHARE * seconds,
        node_share=None if nodes is None else int(_EXACT_SHARE * nodes),
    )
    found = {move: (scores, scores) for move, scores in solved.items() if scores is not None}
    if len(found) == len(solved):
        return found, search.line()
    bracketed = bracket(state, control, [move for move in solved if move not in found])
    return {move: found.get(move) or bracketed[move] for move in solved}, []


def bracket(state: State, control: Control, moves: list[Move]) -> dict[Move, Bounds]:
    """Bounds of moves' scores: for each seat, `paranoid` below and `ally` above.

    The cheap upper bounds come first. What the limit cuts off stays as wide as it was.
    """
    low = {move: [0] * state.players for move in moves}
    high = {move: [0] * state.players for move in moves}
    for allies in (True, False):
        for seat in range(state.players):
            search = Guarantee(state, seat, allies=allies, control=control)
            for move in moves:
                after = play(state, move)
                if allies:
                    low[move][seat], high[move][seat] = search.bounds(after)
                    low[move][seat] = search.widest(search.node(after))[0]
                else:
                    low[move][seat], _ = search.bounds(after, low[move][seat])
    return {move: (tuple(low[move]), tuple(high[move])) for move in moves}
