"""Partial memory of a trick game: a view with the hand, the table, and anything else its player remembers.

The last finished tricks may be given, and single cards of earlier ones. The size of the player's own hand shows
how many cards each other hand has. It also shows how many of the cards that have left the hands are forgotten:
these are sampled together with the hidden hands. A priori, all deals that agree with the memory are equally
likely; what the remembered plays suggest is considered afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from solver.answers import Unknown
from solver.common import gone_unseen
from solver.errors import IncompleteMoveError, MoveError, PositionError
from solver.game import split_anyway
from solver.language import say
from solver.tricks.positions import RoundParts
from solver.tricks.rules import TrickRules
from solver.validation import validated

P = TypeVar("P")
R = TypeVar("R", bound=TrickRules[Any])
B = TypeVar("B", bound=BaseModel)


def unknown_rows(view: RoundParts[Any, Any]) -> list[tuple[str, str]]:
    """A labelled line with the number of forgotten cards; no line if the player remembers every card."""
    return [(say("Unknown"), gone_unseen(view.forgotten))] if view.forgotten else []


def unknown(view: RoundParts[Any, Any]) -> Unknown | None:
    """Describe the cards that the player does not remember; None if no card is forgotten."""
    if not view.forgotten:
        return None
    rules = view.past.rules
    return Unknown(gone=view.forgotten, possible_cards=tuple(map(rules.name, rules.members(view.unseen))))


# ----------------------------------------------------------------------------------------------------
# Cards that were not seen when they were played: of their trick, only the other cards are remembered, and who took
# it. These are entered together, starting with the first missed card (`observe` of the games).


MISSED = "?"


def unseen_trick(
    view: RoundParts[P, R], texts: Sequence[str], read: Callable[[str], P], follows: Callable[[P], bool]
) -> list[tuple[int, P]]:
    """Read the rest of a trick in which the player missed cards; return (seat, play) for all plays that were seen.

    `texts` has the plays from the first missed one on, with ``?`` (`MISSED`) for each missed card. `read` parses a
    play; `follows` says whether the player may make it now, which counts only if the led card was seen. Raises
    IncompleteMoveError if `texts` ends before the trick does, MoveError for a card that cannot have been played.
    """
    rules, seen = view.past.rules, list(zip(_seats(view, 0), view.plays, strict=False))
    cards = {rules.card(play) for _, play in seen}
    for seat, text in zip(_seats(view, len(view.trick)), texts, strict=False):
        if text == MISSED:
            if seat == view.seat:
                raise MoveError("illegal_move", say("you know what you played yourself"))
            continue
        text, anyway = split_anyway(text)
        play = read(text)
        card = rules.card(play)
        if seat == view.seat and not view.hand_mask >> card & 1:
            message = say("{seat:who} {seat:does|do} not hold {name}", seat=seat, name=rules.name(card))
            raise MoveError("illegal_move", message)
        if seat == view.seat and view.trick and not anyway and not follows(play):
            raise MoveError("illegal_move", say("{text} doesn't follow what was led", text=text))
        if card in cards:
            raise MoveError("illegal_move", say("{card} was played before", card=rules.name(card)))
        if seat != view.seat and not view.unseen >> card & 1:
            message = say(
                "{seat:who} cannot have played {card}: it is elsewhere", seat=seat, card=rules.name(card)
            )
            raise MoveError("illegal_move", message)
        cards.add(card)
        seen.append((seat, play))
    to_come = view.players - len(view.trick) - len(texts)
    if to_come > 0:
        raise IncompleteMoveError(say("the trick goes on"), (view.seat_to_move + len(texts)) % view.players)
    return seen


def _seats(view: RoundParts[P, R], first: int) -> list[int]:
    """The seats that play to the current trick, from place `first` on."""
    return [(view.leader + turn) % view.players for turn in range(first, view.players)]


def voids_now(view: RoundParts[P, R], shown: Sequence[tuple[int, P]]) -> dict[str, tuple[str, ...]]:
    """The value of the field `voids`: for each other seat, the unseen cards that it cannot hold, if any.

    `shown` has the plays that were seen of the current trick. If a seat plays a card that it cannot hold, one of
    its plays was against the rules, and nothing is concluded about that seat.
    """
    rules = view.past.rules
    against = {seat for seat, play in shown if view.excluded(seat) >> rules.card(play) & 1}
    void = {
        str(seat): tuple(map(rules.name, rules.members(view.excluded(seat) & view.unseen)))
        for seat in range(view.players)
        if seat != view.seat and seat not in against
    }
    return {seat: cards for seat, cards in void.items() if cards}


def remembered_as(kind: type[B], data: Mapping[str, object], quoted: str) -> B:
    """Validate these fields as a view of type `kind`.

    Raises MoveError, quoting the text `quoted`, if they are impossible.
    """
    try:
        return validated(kind.model_validate, data)
    except PositionError as error:
        message = say("{text} is impossible: {message}", text=quoted, message=error.message)
        raise MoveError("illegal_move", message) from None


def taker_of(text: str, players: int) -> int:
    """Parse a seat number. Raises MoveError if there is no such seat."""
    if len(text) != 1 or not text.isdecimal() or int(text) >= players:
        raise MoveError(
            "illegal_move", say("{text!r} is not a seat; seats are 0 to {last}", text=text, last=players - 1)
        )
    return int(text)
