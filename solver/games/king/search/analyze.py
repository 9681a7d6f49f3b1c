"""`analyze` for King × Alchemy with every card known: every move's value under a model of play by the others."""

from __future__ import annotations

from solver.common.control import Control, Limit
from solver.games.king.answers import KingAnalysis, KingMove
from solver.games.king.cards.deck_data import house
from solver.games.king.cards.rules import Move, State, play
from solver.games.king.cards.text import move_text
from solver.games.king.positions.known import KnownPosition
from solver.games.king.search import maxn_analysis
from solver.games.king.search.budget import proof_share
from solver.games.king.search.guarantee import Guarantee, score
from solver.games.king.search.mcts import estimate, sampled
from solver.inputs.errors import RequestError

MODELS = ("paranoid", "ally", "maxn")


def analyze(
    position: KnownPosition, control: Control, *, model: str | None = None, player: int | None = None
) -> KingAnalysis:
    """Exact values of every move, best first for the seat to move; what is proved when the limit comes first.

    Raises RequestError for a model or a player that there is not.
    """
    model = "paranoid" if model is None else model
    if model not in MODELS:
        raise RequestError("unknown_value", f"unknown model {model!r}; expected {', '.join(MODELS)}", "model")
    state = position.state
    player = state.to_move if player is None else player
    if not 0 <= player < state.players:
        raise RequestError("out_of_range", f"player is a seat, 0 to {state.players - 1}", "player")
    if model == "maxn":
        return maxn_analysis.analyze(state, control, player)
    return _guaranteed(state, control, model, player)


def _guaranteed(state: State, control: Control, model: str, player: int) -> KingAnalysis:
    search = Guarantee(state, player, allies=model == "ally", control=control)
    found = search.moves(proof_share(state))
    exact = all(least == most for least, most in found.values())
    means = {} if exact else sampled(state, player, model, control)
    high = search.maximises(state)
    pick = max if high else min
    if found:
        value = (pick(least for least, _ in found.values()), pick(most for _, most in found.values()))
    else:
        value = (score(state.deck, state.won[player]),) * 2
    line: list[Move] = []
    if found and value[0] == value[1]:
        first = next(move for move, bounds in found.items() if bounds == value)
        line = [first, *search.line(play(state, first), value[0])]

    def badness(move: Move) -> tuple[float, int, int]:
        least, most = found[move]
        mean = estimate(means, move, player, found[move])
        return (-mean, -least, -most) if high else (mean, most, least)

    ranked = sorted(found, key=badness)  # stable: canonical order on ties
    return KingAnalysis(
        game="king",
        model=model,
        player=player,
        to_move=state.to_move,
        exact=exact,
        value=value[0] if value[0] == value[1] else None,
        bounds=value,
        best=move_text(state.deck, ranked[0]) if ranked else None,
        moves=tuple(
            KingMove(
                move=move_text(state.deck, move),
                value=found[move][0] if found[move][0] == found[move][1] else None,
                bounds=found[move],
                exact=found[move][0] == found[move][1],
            )
            for move in ranked
        ),
        line=tuple(move_text(state.deck, move) for move in line or ranked[:1]),
        nodes=control.nodes,
        seconds=control.seconds,
    )


def warm() -> None:
    """Compile or load every kernel."""
    state = State(house(), (0b11, 0b1100, 0b110000), 0, (), (0, 0, 0))
    search = Guarantee(state, 0, allies=False, control=Control())
    search.moves()
    maxn_analysis.analyze(state, Control(), 0)
    sampled(state, 0, "maxn", Control(Limit(nodes=1000)))
