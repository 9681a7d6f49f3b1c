"""The analysis under `maxn`: every move's scores by the memo, or bounds by what each seat can be held to."""

from __future__ import annotations

from solver.common.control import Control
from solver.games.king.answers import KingAnalysis, KingMove, Scores
from solver.games.king.cards.rules import Move, State, play
from solver.games.king.cards.text import move_text
from solver.games.king.search.budget import Part, proof_share
from solver.games.king.search.guarantee import Guarantee, score
from solver.games.king.search.maxn import Everybody, merit
from solver.games.king.search.mcts import estimate, sampled

_EXACT_SHARE = 0.7  # of the proofs' part of a limit; the rest is for bounds, should some moves not be solved
_BOUND_NODES = 200_000  # for one question of a bound

Bounds = tuple[Scores, Scores]


def analyze(state: State, control: Control, player: int) -> KingAnalysis:
    """Every move's scores under `maxn`, best first for the seat to move."""
    deck = state.deck
    seat = state.to_move
    found, line = of_state(state, control)
    exact = all(low == high for low, high in found.values())
    means = {} if exact else sampled(state, player, "maxn", control)

    def badness(move: Move) -> tuple[float, tuple[int, int], tuple[int, int]]:
        low, high = found[move]
        mean = estimate(means, move, seat, (low[seat], high[seat]))
        least, most = merit(low, seat), merit(high, seat)
        return -mean, (-least[0], -least[1]), (-most[0], -most[1])

    ranked = sorted(found, key=badness)  # stable: canonical order on ties
    value = _value(state, found)
    return KingAnalysis(
        game="king",
        model="maxn",
        player=player,
        to_move=seat,
        exact=exact,
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


def _value(state: State, found: dict[Move, Bounds]) -> Bounds:
    """The bounds of the state's scores, exact when the best move's are and no other can be as good."""
    if state.over:
        scores = tuple(score(state.deck, pile) for pile in state.won)
        return scores, scores
    seat = state.to_move
    exact = [low for low, high in found.values() if low == high]
    if exact:
        best = max(exact, key=lambda scores: merit(scores, seat))  # the first of equals: canonical
        others = [high for low, high in found.values() if low != high]
        if all(high[seat] < best[seat] for high in others):
            return best, best
    return possible(found, seat)


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
    solved = search.moves(_EXACT_SHARE * proof_share(state))
    found = {move: (scores, scores) for move, scores in solved.items() if scores is not None}
    if len(found) == len(solved):
        return found, search.line()
    bracketed = bracket(state, control, [move for move in solved if move not in found])
    return {move: found.get(move) or bracketed[move] for move in solved}, []


def bracket(state: State, control: Control, moves: list[Move]) -> dict[Move, Bounds]:
    """Bounds of moves' scores: for each seat, `paranoid` below and `ally` above.

    The cheap upper bounds come first. What the limit cuts off stays as wide as it was.
    """
    part = Part(control, proof_share(state))
    ways = {move: play(state, move) for move in moves}
    low = {move: [0] * state.players for move in moves}
    high = {move: [0] * state.players for move in moves}
    for allies in (True, False):
        for seat in range(state.players):
            search = Guarantee(state, seat, allies=allies, control=control)
            for move, after in ways.items():
                least, most = search.bounds(after, part=part, nodes=_BOUND_NODES)
                if allies:
                    low[move][seat], high[move][seat] = search.widest(search.node(after))[0], most
                else:
                    low[move][seat] = max(low[move][seat], least)
    return {move: (tuple(low[move]), tuple(high[move])) for move in moves}
