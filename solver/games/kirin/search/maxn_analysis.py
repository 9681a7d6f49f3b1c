"""The analysis under `maxn`: every move's scores by the memo, or bounds by what each seat can be held to."""

from __future__ import annotations

import time

from solver.common.control import Control
from solver.common.masks import members
from solver.games.kirin.answers import KirinAnalysis, KirinMove, Scores
from solver.games.kirin.cards.deck import name
from solver.games.kirin.cards.rules import SEATS, Masks, State, legal_moves, points
from solver.games.kirin.positions.declarations import DeclarePosition
from solver.games.kirin.positions.known import KnownPosition
from solver.games.kirin.search.guarantee import Guarantee
from solver.games.kirin.search.maxn import Memo, complete, fits, line, merit, possible
from solver.inputs.errors import RequestError

_MEMO_SHARE = 0.7  # of a limit; the rest is for bounds, should the memo not be full by then

Bounds = tuple[Scores, Scores]


def analyze(position: KnownPosition | DeclarePosition, control: Control, player: int) -> KirinAnalysis:
    """Every move's scores under `maxn`, best first for the seat to move."""
    if isinstance(position, KnownPosition):
        found, cards = of_state(position.state, position.colours, control)
        start: Scores = position.points
    else:
        found, cards = of_declaring(position, control)
        start = (0, 0, 0, 0)
    seat = position.seat_to_move
    value = possible(found, seat) if found else (start, start)
    ranked = sorted(found, key=lambda card: _badness(found[card], seat))  # stable: canonical order on ties
    if found and found[ranked[0]][0] == found[ranked[0]][1] and value[0][seat] == value[1][seat]:
        rivals = [card for card in ranked[1:] if found[card][1][seat] >= value[0][seat]]
        if all(found[card][0] == found[card][1] for card in rivals):
            value = found[ranked[0]]
    return KirinAnalysis(
        game="kirin",
        model="maxn",
        player=player,
        to_move=seat,
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
        line=tuple(map(name, cards or ranked[:1])),
        nodes=control.nodes,
        seconds=control.seconds,
    )


def _badness(bounds: Bounds, seat: int) -> tuple[tuple[int, int], tuple[int, int]]:
    least, most = merit(bounds[0], seat), merit(bounds[1], seat)
    return (-least[0], -least[1]), (-most[0], -most[1])


def of_state(state: State, colours: Masks, control: Control) -> tuple[dict[int, Bounds], list[int]]:
    """The bounds of every legal card, and the line of play where they are exact."""
    if state.over:
        return {}, []
    memo = Memo(state, colours)
    if fits(memo):
        seconds, nodes = control.seconds_left(), control.nodes_left()
        if complete(
            memo,
            control,
            until=None if seconds is None else time.monotonic() + _MEMO_SHARE * seconds,
            node_share=None if nodes is None else int(_MEMO_SHARE * nodes),
        ):
            before = points(state.won, colours)
            found = {}
            for card, scores in memo.moves(state):
                total = tuple(old + new for old, new in zip(before, scores, strict=True))
                whole = (total[0], total[1], total[2], total[3])
                found[card] = (whole, whole)
            return found, line(memo, state)
    del memo
    return bracket(state, colours, control), []


def bracket(state: State, colours: Masks, control: Control) -> dict[int, Bounds]:
    """Bounds of every legal card's scores: for each seat, `paranoid` below and `ally` above.

    The cheap upper bounds come first. What the limit cuts off stays as wide as it was.
    """
    cards = legal_moves(state)
    low = {card: [0] * SEATS for card in cards}
    high = {card: [0] * SEATS for card in cards}
    for allies in (True, False):
        for seat in range(SEATS):
            search = Guarantee(state, colours[seat], seat, allies=allies, control=control)
            for card in cards:
                node = search.after(search.start, card)
                if allies:
                    low[card][seat], _ = search.widest(node)
                    _, high[card][seat] = search.bounds(node)
                else:
                    low[card][seat], _ = search.bounds(node, low[card][seat])
    return {
        card: (
            (low[card][0], low[card][1], low[card][2], low[card][3]),
            (high[card][0], high[card][1], high[card][2], high[card][3]),
        )
        for card in cards
    }


def of_declaring(position: DeclarePosition, control: Control) -> tuple[dict[int, Bounds], list[int]]:
    """The bounds of each card that the asked seat may set aside, the last seat to do so."""
    seat = position.seat
    if sum(card is None for card in position.declared_cards) > 1:
        message = "several seats have yet to set a card aside: maxn has no value for choices made at once"
        raise RequestError("undeclared", message, "declared")
    found: dict[int, Bounds] = {}
    best: list[int] = []
    for card in members(position.masks[seat]):
        after = position.after(card)
        assert isinstance(after, KnownPosition)
        inner, play_line = of_state(after.state, after.colours, control)
        lead = after.seat_to_move
        value = possible(inner, lead)
        exact = [bounds for bounds in inner.values() if bounds[0] == bounds[1]]
        if len(exact) == len(inner):
            top = max((bounds[0] for bounds in exact), key=lambda scores: merit(scores, lead))
            value = (top, top)
        if value[0] == value[1] and all(merit(value[0], seat) > merit(other[1], seat) for other in found.values()):
            best = [card, *play_line]
        found[card] = value
    return found, best if all(low == high for low, high in found.values()) else []


def warm(state: State) -> None:
    """Compile or load the memo's kernel."""
    complete(Memo(state, (0, 0, 0, 0)), Control())
