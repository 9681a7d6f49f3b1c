"""Kirin at the table: deals, views, legal moves, and playing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never, cast

from pydantic import BaseModel

from solver.common.masks import members
from solver.common.rng import Random
from solver.games.kirin.cards import rules
from solver.games.kirin.cards.deck import ASCENDING, CARDS, DIRECTIONS, card_of, name, names
from solver.games.kirin.cards.rules import HAND, SEATS
from solver.games.kirin.positions.declarations import DeclarePosition, DeclareView
from solver.games.kirin.positions.fields import NOT_YET, FinishedTrick, numbers
from solver.games.kirin.positions.known import KnownPosition, View
from solver.inputs.errors import MoveError, RequestError

_DEALT = ("declared", "undeclared")  # what `deal` makes, by variant


def as_kirin(position: BaseModel) -> KnownPosition | DeclarePosition | View | DeclareView:
    """The position as one of kirin's four kinds."""
    assert isinstance(position, KnownPosition | DeclarePosition | View | DeclareView)
    return position


def all_known(position: BaseModel) -> KnownPosition | DeclarePosition:
    """The position, when all its cards are known. Raises RequestError for a view."""
    position = as_kirin(position)
    if isinstance(position, View | DeclareView):
        raise RequestError("hidden_cards", "the other hands are hidden: to analyze, give all four hands", "hand")
    return position


def seen(position: BaseModel) -> View | DeclareView:
    """The position, when it is what one player sees. Raises RequestError where every card is known."""
    position = as_kirin(position)
    if isinstance(position, View | DeclareView):
        return position
    raise RequestError("all_known", "every card is known: analyze, or ask for a hint of one seat's view", "hands")


def asks(position: BaseModel) -> frozenset[str]:
    """The questions that a position can be asked: of a view, where cards are hidden, a hint."""
    if isinstance(position, KnownPosition | DeclarePosition):
        return frozenset({"analyze", "best-move", "value"})
    return frozenset({"hint"})


def legal_moves(position: BaseModel) -> Sequence[int]:
    """Every legal move in canonical order: a card to play, or to set aside.

    Empty when the round is over, and in a view while another seat is to move.
    """
    position = as_kirin(position)
    match position:
        case KnownPosition():
            return rules.legal_moves(position.state)
        case DeclarePosition():
            return list(members(position.masks[position.seat]))
        case View():
            if position.seat_to_move != position.seat:
                return []
            return list(members(rules.playable(position.hand_mask, position.plays, position.past.rules.direction)))
        case DeclareView():
            return sorted(numbers(position.hand))
        case _:
            assert_never(position)


def _hand(position: BaseModel) -> tuple[str, ...]:
    """The hand that the move is made from."""
    if isinstance(position, View | DeclareView):
        return position.hand
    assert isinstance(position, KnownPosition | DeclarePosition)
    return position.hands[position.seat_to_move]


def format_move(position: BaseModel, move: int) -> str:
    """The card's text."""
    return name(move)


def parse_move(position: BaseModel, text: str) -> int:
    """The legal move that a card's text means. Raises MoveError that says why it is none."""
    position = as_kirin(position)
    card = card_of(text.strip())
    if card is None:
        raise MoveError("illegal_move", f"{text!r} is no card; cards are like D6 ST B+")
    _check_move(position, card)
    return card


def _check_move(position: BaseModel, card: int) -> None:
    """Raise MoveError unless `card` is legal."""
    position = as_kirin(position)
    allowed = legal_moves(position)
    if card in allowed:
        return
    seat = position.seat_to_move
    if isinstance(position, View) and seat != position.seat:
        raise MoveError("illegal_move", f"seat {seat} is to move, not seat {position.seat}")
    if not allowed:
        raise MoveError("illegal_move", "the round is over")
    if name(card) not in _hand(position):
        raise MoveError("illegal_move", f"seat {seat} does not hold {name(card)}")
    must = " or ".join(names(allowed))
    standard = position.trick[0] if isinstance(position, KnownPosition | View) else ""
    raise MoveError(
        "illegal_move", f"{name(card)} may not be played to {standard}: seat {seat} must follow with {must}"
    )


def play(position: BaseModel, move: int) -> KnownPosition | DeclarePosition:
    """The position after a legal move.

    Raises MoveError for a move that is not legal, RequestError for a view, where the others' cards are hidden.
    """
    position = as_kirin(position)
    if isinstance(position, View | DeclareView):
        raise RequestError("hidden_cards", "a view is not played on from: the other hands are hidden", "hand")
    _check_move(position, move)
    if isinstance(position, DeclarePosition):
        return position.after(move)
    after = rules.play(position.state, move)
    history = _history(position)
    if history is not None and not after.trick:
        history = (*history, FinishedTrick(leader=position.leader, cards=(*position.trick, name(move))))
    return position.model_copy(
        update={
            "direction": DIRECTIONS[after.direction],
            "leader": after.leader,
            "trick": tuple(names(after.trick)),
            "hands": tuple(
                tuple(text for text in hand if text != name(move)) if seat == position.seat_to_move else hand
                for seat, hand in enumerate(position.hands)
            ),
            "won": tuple(tuple(names(members(pile))) for pile in after.won),
            "history": history,
        }
    )


def _history(position: KnownPosition) -> tuple[FinishedTrick, ...] | None:
    """The finished tricks where they are known: stated, or none yet with every card in its place."""
    if position.history is not None:
        return position.history
    placed = sum(map(len, position.hands)) + len(position.trick) + SEATS
    fresh = placed == CARDS and position.direction == DIRECTIONS[ASCENDING]
    return () if fresh else None


def deal(seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None) -> BaseModel:
    """Deal `number` of a seed; seat 0 leads. Raises RequestError for another number of players than four.

    The variants share the hands: of each nine cards the last one dealt is the one set aside.
    """
    if players not in (None, SEATS):
        raise RequestError("out_of_range", f"kirin is for {SEATS} players, not for {players}", "players")
    variant = variant or "declared"
    if variant not in _DEALT:
        raise RequestError("unknown_value", f"{variant!r} is not dealt; {' and '.join(_DEALT)} are", "variant")
    deck = list(range(CARDS))
    Random(seed, number).shuffle(deck)
    dealt = [deck[HAND * seat : HAND * (seat + 1)] for seat in range(SEATS)]
    position = DeclarePosition(
        game="kirin", seat=0, leader=0, hands=tuple(tuple(names(sorted(hand))) for hand in dealt)
    )
    if variant == "undeclared":
        return position
    declared: BaseModel = position
    for hand in dealt:
        declared = cast(DeclarePosition, declared).after(hand[-1])
    return declared


def view(position: BaseModel, seat: int) -> View | DeclareView:
    """What the player in `seat` sees.

    Raises RequestError for a position that does not tell the tricks before (no `history`), and for another
    seat's view of a view.
    """
    position = as_kirin(position)
    if not 0 <= seat < SEATS:
        raise RequestError("out_of_range", f"there is no seat {seat}; seats are 0 to {SEATS - 1}", "seat")
    if isinstance(position, View | DeclareView):
        if seat != position.seat:
            raise RequestError("hidden_cards", f"this is what seat {position.seat} sees, not seat {seat}", "seat")
        return position
    declared = position.declared[seat]
    if declared == NOT_YET:
        return DeclareView(game="kirin", seat=seat, leader=position.leader, hand=position.hands[seat])
    trick: tuple[str, ...] = ()
    history: tuple[FinishedTrick, ...] | None = ()
    if isinstance(position, KnownPosition):
        trick, history = position.trick, _history(position)
    if history is None:
        raise RequestError("missing_key", "a view needs the tricks played before: give history", "history")
    return View(
        game="kirin",
        seat=seat,
        hand=position.hands[seat],
        declared=declared,
        leader=position.leader,
        trick=trick,
        history=history,
    )
