"""`analyze` for Kirin with every card known: every move's value under a model of play by the others."""

from __future__ import annotations

from solver.errors import RequestError
from solver.games.kirin.answers import KirinAnalysis, KirinMove
from solver.games.kirin.cards import name
from solver.games.kirin.guarantee import Guarantee
from solver.games.kirin.positions import DeclarePosition, KnownPosition
from solver.games.kirin.rules import SEATS, legal_moves, play
from solver.search.drive import Control

MODELS = ("paranoid", "ally", "maxn")


def analyze(
    position: KnownPosition | DeclarePosition,
    control: Control,
    *,
    model: str | None = None,
    player: int | None = None,
) -> KirinAnalysis:
    """Exact values of every move, best first for the seat to move. Raises RequestError for a wrong option."""
    model = "paranoid" if model is None else model
    if model not in MODELS:
        raise RequestError("unknown_value", f"unknown model {model!r}; expected {', '.join(MODELS)}", "model")
    player = position.seat_to_move if player is None else player
    if not 0 <= player < SEATS:
        raise RequestError("out_of_range", "player is a seat, 0 to 3", "player")
    assert isinstance(position, KnownPosition)
    return one_player(position, control, model, player)


def one_player(position: KnownPosition, control: Control, model: str, player: int) -> KirinAnalysis:
    """`paranoid` or `ally`: one player's score after each move."""
    state = position.state
    search = Guarantee(
        state, position.colours[player], player, allies=model == "ally", control=control
    )
    high = search.maximises(state)
    found: dict[int, tuple[int, int]] = {}
    guess: int | None = None
    for card in legal_moves(state):
        found[card] = search.bounds(play(state, card), guess)
        guess = found[card][0]
    ranked = sorted(found, key=lambda card: _merit(found[card], high))  # stable: canonical order on ties
    if found:
        pick = max if high else min
        least, most = pick(low for low, _ in found.values()), pick(up for _, up in found.values())
    else:
        least = most = search.won(state)
    line = search.line(state, least) if least == most else ranked[:1]
    return KirinAnalysis(
        game="kirin",
        model=model,
        player=player,
        to_move=position.seat_to_move,
        exact=least == most and all(low == up for low, up in found.values()),
        value=least if least == most else None,
        bounds=(least, most),
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
        line=tuple(map(name, line)),
        nodes=control.nodes,
        seconds=control.seconds,
    )


def _merit(bounds: tuple[int, int], high: bool) -> tuple[int, int]:
    """A sort key, best first: by what is proved for the side to move, then by what is still possible for it."""
    least, most = bounds
    return (-least, -most) if high else (most, least)


def warm() -> None:
    """Compile or load every kernel."""
