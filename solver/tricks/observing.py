"""Views that grow: what a player sees after a further card, from the player's hand or another seat.

Functions named like those of `solver.game.Game` work for any view of a plain game (`solver.tricks.plain`); a game
that extends it uses those that fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel
from pydantic_core import PydanticCustomError

from solver.common import members
from solver.errors import MoveError, PositionError
from solver.findings import validated
from solver.language import say
from solver.tricks import moves
from solver.tricks.positions import CardView, ViewParts, check_deal_exists
from solver.tricks.rules import CardRules, Trick

V = TypeVar("V", bound=CardView[Any])
B = TypeVar("B")
P = TypeVar("P")


def observe_card(view: V, text: str, finished_trick: type[BaseModel]) -> V:
    """The view after the seat to move played the card that `text` names; a full trick goes into the history.

    `finished_trick` is the game's model of a trick in a history. Raises MoveError for a text that names no card,
    an illegal own card, or a card that another seat cannot have played.
    """
    check_goes_on(view)
    seat, rules = view.seat_to_move, view.past.rules
    card = moves.card_of(rules, text)
    hand = view.hand
    if seat == view.seat:
        moves.check_card(view, card)
        hand = tuple(held for held in hand if held != rules.name(card))
    else:
        check_hidden(view, seat, card)
    plays, trick, history, leader = (*view.plays, card), (*view.trick, rules.name(card)), view.history, view.leader
    changes: dict[str, Any] = {}
    if len(plays) == view.players:
        history = (*(history or ()), finished_trick(leader=leader, cards=trick))
        past = view.past.with_plays(Trick(leader, plays, "trick")).after(Trick(leader, plays, "trick"))
        leader, trick, changes = past.leader, (), view.rules_in_fields(past.rules)
    return seen(view, text, {"hand": hand, "trick": trick, "history": history, "leader": leader, **changes})


def possible_cards(view: CardView[Any]) -> list[str]:
    """The cards that the seat to move could play, given the view, in canonical order.

    For the view's own seat these are the legal cards; empty when the round is over.
    """
    rules: CardRules = view.past.rules
    if view.seat_to_move == view.seat:
        return [rules.name(card) for card in moves.legal_cards(view)]
    return [rules.name(card) for card in possible_plays(view, members(view.unseen))]


def possible_plays(view: ViewParts[P, Any], plays: Iterable[P]) -> list[P]:
    """Those of `plays` that another seat could make now, given the past and the unseen cards."""
    if is_over(view):
        return []
    seat, before = view.seat_to_move, view.replayed()
    counts = {other: view.count(other) - (other == seat) for other in range(view.players) if other != view.seat}
    excluded = view.excluded(seat)

    def can_be(play: P) -> bool:
        card = 1 << before.rules.card(play)
        if excluded & card or not view.unseen & card:
            return False
        trick = Trick(view.leader, (*view.plays, play), "trick")
        try:
            check_deal_exists(before.with_plays(trick), view.unseen & ~card, counts)
        except PydanticCustomError:
            return False
        return True

    return [play for play in plays if can_be(play)]


def is_over(view: ViewParts[Any, Any]) -> bool:
    """Whether all tricks of the round have been played."""
    return not view.trick and not view.count(view.seat)


def check_goes_on(view: ViewParts[Any, Any]) -> None:
    """Raise MoveError when the round is over."""
    if is_over(view):
        raise MoveError("illegal_move", say("the round is over"))


def check_hidden(view: ViewParts[Any, Any], seat: int, card: int) -> None:
    """Raise MoveError if another seat cannot hold a card because it was seen elsewhere."""
    if not view.unseen >> card & 1:
        name = view.past.rules.name(card)
        if view.hand_mask >> card & 1:
            message = say("seat {seat} cannot play {name}: it is in your hand", seat=seat, name=name)
        else:
            message = say("seat {seat} cannot play {name}: it is where everybody sees it, or set aside",
                          seat=seat, name=name)  # fmt: skip
        raise MoveError("illegal_move", message)


def seen(view: B, text: str, changes: dict[str, Any]) -> B:
    """A view with some fields changed, checked as a whole. Raises MoveError if the result is contradictory."""
    kind = type(cast(BaseModel, view))
    try:
        fields = {key: getattr(view, key) for key in kind.model_fields}
        return cast(B, validated(kind.model_validate, fields | changes))
    except PositionError as error:
        raise MoveError(
            "illegal_move", say("{text} cannot have been played: {message}", text=text, message=error.message)
        ) from None


def observe(position: BaseModel, texts: Sequence[str]) -> tuple[BaseModel, int]:
    """A view of a plain game after the first of `texts`, a card played, and 1, the number of texts used. Raises
    MoveError.
    """
    from solver.tricks.plain import FinishedTrick, as_view

    return observe_card(as_view(position), texts[0], FinishedTrick), 1


def possible(position: BaseModel) -> Sequence[str]:
    """The cards that the seat to move could play, given a view of a plain game."""
    from solver.tricks.plain import as_view

    return possible_cards(as_view(position))
