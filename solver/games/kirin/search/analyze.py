"""`analyze` for Kirin with every card known: every move's value under a model of play by the others."""

from __future__ import annotations

from solver.common.control import Control
from solver.games.kirin.answers import KirinAnalysis, KirinMove
from solver.games.kirin.cards.deck import name
from solver.games.kirin.cards.rules import SEATS, State
from solver.games.kirin.positions.declarations import DeclarePosition
from solver.games.kirin.positions.known import KnownPosition
from solver.games.kirin.search import maxn_analysis
from solver.games.kirin.search.declare import Declaring
from solver.games.kirin.search.guarantee import Guarantee
from solver.inputs.errors import RequestError

MODELS = ("paranoid", "ally", "maxn")


def analyze(
    position: KnownPosition | DeclarePosition,
    control: Control,
    *,
    model: str | None = None,
    player: int | None = None,
) -> KirinAnalysis:
    """Exact values of every move, best first for the seat to move; what is proved when the limit comes first.

    Raises RequestError for a model or a player that there is not.
    """
    model = "paranoid" if model is None else model
    if model not in MODELS:
        raise RequestError("unknown_value", f"unknown model {model!r}; expected {', '.join(MODELS)}", "model")
    player = position.seat_to_move if player is None else player
    if not 0 <= player < SEATS:
        raise RequestError("out_of_range", "player is a seat, 0 to 3", "player")
    if model == "maxn":
        return maxn_analysis.analyze(position, control, player)
    if isinstance(position, DeclarePosition):
        return _declaring(position, control, model, player)
    return _playing(position, control, model, player)


def _playing(position: KnownPosition, control: Control, model: str, player: int) -> KirinAnalysis:
    state = position.state
    search = Guarantee(state, position.colours[player], player, allies=model == "ally", control=control)
    found = search.moves(search.start)
    high = search.maximises(search.start)
    value = _position_bounds(found, high) if found else (search.won, search.won)
    line: list[int] = []
    if found and value[0] == value[1]:
        first = next(card for card, bounds in found.items() if bounds == value)
        line = [first, *search.line(search.after(search.start, first), value[0])]
    return _answer(position, control, model, player, found, value, line, high)


def _declaring(position: DeclarePosition, control: Control, model: str, player: int) -> KirinAnalysis:
    search = Declaring(player, allies=model == "ally", control=control)
    found = search.moves(position)
    high = search.maximises(position.seat)
    value = _position_bounds(found, high)
    line = search.line(position, value[0]) if value[0] == value[1] else []
    return _answer(position, control, model, player, found, value, line, high)


def _position_bounds(found: dict[int, tuple[int, int]], high: bool) -> tuple[int, int]:
    pick = max if high else min
    return pick(least for least, _ in found.values()), pick(most for _, most in found.values())


def _answer(
    position: KnownPosition | DeclarePosition,
    control: Control,
    model: str,
    player: int,
    found: dict[int, tuple[int, int]],
    value: tuple[int, int],
    line: list[int],
    high: bool,
) -> KirinAnalysis:
    def badness(card: int) -> tuple[int, int]:
        least, most = found[card]
        return (-least, -most) if high else (most, least)

    ranked = sorted(found, key=badness)  # stable: canonical order on ties
    return KirinAnalysis(
        game="kirin",
        model=model,
        player=player,
        to_move=position.seat_to_move,
        exact=all(least == most for least, most in found.values()),
        value=value[0] if value[0] == value[1] else None,
        bounds=value,
        best=name(ranked[0]) if ranked else None,
        moves=tuple(
            KirinMove(
                move=name(card),
                value=found[card][0] if found[card][0] == found[card][1] else None,
                bounds=found[card],
                exact=found[card][0] == found[card][1],
            )
            for card in ranked
        ),
        line=tuple(map(name, line or ranked[:1])),
        nodes=control.nodes,
        seconds=control.seconds,
    )


def warm() -> None:
    """Compile or load every kernel."""
    hands = (1 << 2 | 1 << 9, 1 << 3 | 1 << 10, 1 << 4 | 1 << 11, 1 << 5 | 1 << 12)
    state = State(hands)
    search = Guarantee(state, 0, 0, allies=False, control=Control())
    search.moves(search.start)
    maxn_analysis.warm(state)
