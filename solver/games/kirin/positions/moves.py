"""Kirin at the table: deals, views, legal moves, and playing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from pydantic import BaseModel

from solver.common.masks import mask, members
from solver.games.kirin.cards.deck import CARDS, name, names
from solver.games.kirin.cards.rules import HAND, SEATS, Order
from solver.games.kirin.positions.declarations import DeclarePosition, DeclareView
from solver.games.kirin.positions.fields import NOT_YET, FinishedTrick, numbers
from solver.games.kirin.positions.known import KnownPosition, View
from solver.inputs.errors import MoveError
from solver.tricks import moves, questions

VARIANTS = ("declared", "undeclared")  # what `deal` makes


def as_kirin(position: BaseModel) -> KnownPosition | DeclarePosition | View | DeclareView:
    """The position as one of kirin's four kinds."""
    assert isinstance(position, KnownPosition | DeclarePosition | View | DeclareView)
    return position


def as_known(position: BaseModel) -> KnownPosition | DeclarePosition:
    """The position, when all its cards are known. Raises RequestError for a view."""
    position = as_kirin(position)
    if isinstance(position, View | DeclareView):
        raise questions.hidden_hands("all four hands")
    return position


def as_view(position: BaseModel) -> View | DeclareView:
    """The position, when it is what one player sees. Raises RequestError where every card is known."""
    position = as_kirin(position)
    if isinstance(position, View | DeclareView):
        return position
    raise questions.nothing_hidden()


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
    if isinstance(position, KnownPosition | View):
        return moves.legal_cards(position)
    return list(members(_hand_to_declare_from(position)))


def _hand_to_declare_from(position: DeclarePosition | DeclareView) -> int:
    """The mask of the hand of which a card is set aside."""
    if isinstance(position, DeclareView):
        return mask(numbers(position.hand))
    return position.masks[position.seat]


def parse_move(position: BaseModel, text: str) -> int:
    """The legal move that a card's text means. Raises MoveError that says why it is none."""
    card = moves.card_of(Order(), text)
    _check_move(position, card)
    return card


def format_move(position: BaseModel, move: int) -> str:
    """The contract's text of a move: the card."""
    return name(move)


def _check_move(position: BaseModel, card: int) -> None:
    """Raise MoveError unless `card` is legal."""
    position = as_kirin(position)
    if isinstance(position, KnownPosition | View):
        moves.check_card(position, card)
    elif not _hand_to_declare_from(position) >> card & 1:
        raise MoveError("illegal_move", f"seat {position.seat} does not hold {name(card)}")


def play(position: BaseModel, move: int) -> KnownPosition | DeclarePosition:
    """The position after a legal move.

    Raises MoveError for a move that is not legal, RequestError for a view, where the others' cards are hidden.
    """
    position = as_kirin(position)
    if isinstance(position, View | DeclareView):
        raise questions.view_not_played()
    _check_move(position, move)
    if isinstance(position, DeclarePosition):
        return position.after(move)
    return moves.after(position, move, FinishedTrick)


def deal(seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None) -> BaseModel:
    """Deal `number` of a seed; seat 0 leads. Raises RequestError for another number of players than four.

    The variants share the hands: of each nine cards the last one dealt is the one set aside.
    """
    questions.dealt_players("kirin", players, (SEATS, SEATS), SEATS)
    variant = questions.dealt_variant("kirin", variant, VARIANTS)
    dealt = moves.shuffled(CARDS, [HAND] * SEATS, seed, number)[:SEATS]
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
    questions.check_viewer(seat, SEATS, position.seat if isinstance(position, View | DeclareView) else None)
    if isinstance(position, View | DeclareView):
        return position
    declared = position.declared[seat]
    if declared == NOT_YET:
        return DeclareView(
            game="kirin", rules=position.rules, seat=seat, leader=position.leader, hand=position.hands[seat]
        )
    return View(
        game="kirin",
        rules=position.rules,
        seat=seat,
        hand=position.hands[seat],
        declared=declared,
        leader=position.leader,
        trick=position.trick if isinstance(position, KnownPosition) else (),
        history=moves.history_seen(position) if isinstance(position, KnownPosition) else (),
    )
