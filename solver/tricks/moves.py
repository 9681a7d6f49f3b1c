"""Moves of trick games: finding the legal ones, explaining why others are not, and playing them.

The functions for a `CardRound` serve every game in which a play is a card; those at the end have the signatures of
`solver.game.Game`, whose `places` may name them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar, cast

from pydantic import BaseModel
from pydantic_core import PydanticCustomError

from solver.common import Random
from solver.errors import MoveError, PositionError, RequestError
from solver.game import split_anyway
from solver.language import say
from solver.tricks.positions import (
    CardRound,
    RoundParts,
    ShowOut,
    check_deal_exists,
    no_seat,
    without,
)
from solver.tricks.rules import CardRules, Trick, TrickRules
from solver.validation import faults_in, validated, with_names

# ----------------------------------------------------------------------------------------------------
# Errors about questions and deals, shared so that all games use the same words.


def hidden_hands(wanted: str) -> RequestError:
    """Return the error for analyzing a view; `wanted` names what must be given."""
    return RequestError(
        "hidden_cards", say("the other hands are hidden: to analyze, give {wanted}", wanted=wanted), "hand"
    )


def view_not_played() -> RequestError:
    """Return the error for playing on from a view."""
    return RequestError("hidden_cards", say("a view cannot be played on: the other hands are hidden"), "hand")


def nothing_hidden() -> RequestError:
    """Return the error for asking for a hint when every card is known."""
    message = say("every card is known: analyze, or ask for a hint of one seat's view")
    return RequestError("all_known", message, "hands")


def check_viewer(seat: int, players: int, own: int | None = None) -> None:
    """Raise RequestError if the seat does not exist, or if the position is a view of another seat, `own`."""
    if not 0 <= seat < players:
        raise RequestError("out_of_range", no_seat(seat, players), "seat")
    if own not in (None, seat):
        raise RequestError(
            "hidden_cards",
            say("this is what {own:who} {own:sees|see}, not {seat:who}", own=own, seat=seat),
            "seat",
        )


def dealt_variant(game: str, variant: str | None, variants: Sequence[str]) -> str | None:
    """Return `variant`, by default the first of `variants`. Raises RequestError for one that is not offered."""
    if variants:
        variant = variant or variants[0]
    if variant is not None and variant not in variants:
        message = say("{game} has no variants; leave {variant!r} out", game=game, variant=variant)
        if variants:
            message = with_names(say("{variant!r} cannot be dealt", variant=variant), str(variant), variants)
        raise RequestError("unknown_value", message, "variant")
    return variant


P = TypeVar("P")
K = TypeVar("K", bound=CardRound[Any])


class Round(Protocol):
    """The part of a position that messages about illegal moves need."""

    @property
    def seat_to_move(self) -> int: ...


def why_not_now(position: Round, allowed: Sequence[object]) -> str | None:
    """Explain why no move can be made now; return None if one can.

    `allowed` has the legal moves. A view has none while another seat is to move.
    """
    seat, own = position.seat_to_move, getattr(position, "seat", None)
    if own is not None and seat != own:
        return say("{seat:who} {seat:is|are} to move, not {own:who}", seat=seat, own=own)
    return None if allowed else say("the round is over")


def why_no_play(
    rules: TrickRules[P], seat: int, play: P, hand: int, trick: Sequence[P], allowed: Sequence[P]
) -> str:
    """Explain why a play from a hand (a mask) is not among the `allowed` plays to a trick."""
    card = rules.card(play)
    if not hand >> card & 1:
        return say("{seat:who} {seat:does|do} not hold {name}", seat=seat, name=rules.name(card))
    must = " or ".join(map(rules.play_text, allowed))
    if not trick:
        return say(
            "{move} may not be led: {seat:who} must lead {must}", move=rules.play_text(play), seat=seat, must=must
        )
    led = rules.play_text(trick[0])
    return say(
        "{move} may not be played to {led}: {seat:who} must follow with {must}",
        move=rules.play_text(play),
        led=led,
        seat=seat,
        must=must,
    )


def card_of(rules: CardRules, text: str) -> int:
    """Parse a card. Raises MoveError if there is no such card."""
    card = rules.numbers.get(text.strip())
    if card is None:
        raise MoveError("illegal_move", rules.no_card(text))
    return card


def check_card(position: CardRound[Any], card: int) -> None:
    """Raise MoveError, with the reason, unless a card may be played."""
    allowed = position.legal_cards
    if card in allowed:
        return
    why = why_not_now(position, allowed)
    if why is None:
        rules: CardRules = position.past.rules
        seat = position.seat_to_move
        why = why_no_play(rules, seat, card, position.hand_to_move, position.plays, allowed)
    raise MoveError("illegal_move", why)


def after(position: K, card: int) -> K:
    """The position after a legal card."""
    past, plays, history = position.past, (*position.plays, card), position.known_history
    rules: CardRules = past.rules
    trick = (*position.trick, rules.name(card))
    if len(plays) == position.players:
        if history is not None:
            history = (*history, position.finished_trick(leader=position.leader, cards=trick))
        past, trick = past.after(Trick(position.leader, plays, "trick")), ()
    changed = {
        **position.rules_in_fields(past.rules),
        "leader": past.leader,
        "trick": trick,
        "hands": without(position.hands, position.seat_to_move, rules.name(card)),
        "won": tuple(map(rules.names, past.won)),
        "history": history,
    }
    return position.model_copy(update=changed)


def history_seen(position: RoundParts[Any, Any]) -> tuple[Any, ...]:
    """The finished tricks of a position, for making a view of it. Raises RequestError if they are not known."""
    history = position.known_history
    if history is None:
        raise RequestError("missing_key", say("a view needs the tricks played before: give history"), "history")
    return history


def shuffled(cards: int, hands: Sequence[int], seed: int, number: int) -> list[list[int]]:
    """Shuffle a deck of `cards` cards and deal it; return hands of the given sizes, then the cards left over.

    Cards are in the order dealt. The same seed and number always give the same deal.
    """
    deck = list(range(cards))
    Random(seed, number).shuffle(deck)
    dealt = []
    for size in hands:
        dealt.append(deck[:size])
        deck = deck[size:]
    return [*dealt, deck]


# ----------------------------------------------------------------------------------------------------
# Views that grow: what a player sees after a further card, from the player's own hand or another seat.


B = TypeVar("B")
W = TypeVar("W", bound=CardRound[Any])


def with_anyway(view: Any, seat: int, cards: Iterable[str]) -> dict[str, Any]:
    """The changes to a view when a seat has moved against the rules: these cards are in `as_played`.

    What the player remembered of the seat's voids was wrong, perhaps.
    """
    changes: dict[str, Any] = {"as_played": (*(view.as_played or ()), *cards)}
    if getattr(view, "voids", None):
        changes["voids"] = {other: cards for other, cards in view.voids.items() if int(other) != seat}
    return changes


def seen_anyway(view: B, text: str, changes: dict[str, Any]) -> B:
    """Like `seen`, after a move that may be against the rules.

    If it contradicts what several seats have shown, nobody knows which of their plays were against the rules, so
    nothing is concluded from any of them.
    """
    try:
        return seen(view, text, changes)
    except MoveError:
        past = cast(RoundParts[Any, Any], view).past
        shown = [past.rules.name(past.rules.card(show_out.play)) for show_out in past.show_outs]
        if not shown:
            raise
    return seen(view, text, changes | {"as_played": tuple(dict.fromkeys((*changes["as_played"], *shown)))})


def observe_card(view: W, text: str) -> W:
    """The view after the seat to move has played the card with this text; a full trick goes into the history.

    With ``anyway`` behind it, the card may be against the rules. Raises MoveError for text that is not a card, for
    an illegal card of the player's own, and for a card that another seat cannot have played.
    """
    check_goes_on(view)
    text, anyway = split_anyway(text)
    seat, rules = view.seat_to_move, view.past.rules
    card = card_of(rules, text)
    hand = view.hand
    if seat == view.seat:
        if not anyway or not view.hand_mask >> card & 1:
            check_card(view, card)
        hand = tuple(held for held in hand if held != rules.name(card))
    else:
        check_hidden(view, seat, card, anyway=anyway)
    plays, trick, history, leader = (*view.plays, card), (*view.trick, rules.name(card)), view.history, view.leader
    changes: dict[str, Any] = with_anyway(view, seat, [rules.name(card)]) if anyway else {}
    if len(plays) == view.players:
        history = (*(history or ()), view.finished_trick(leader=leader, cards=trick))
        before = view.before_trick
        if anyway:
            before = replace(before, rules=replace(rules, as_played=rules.as_played | 1 << card))
        try:
            past = before.with_plays(Trick(leader, plays, "trick")).after(Trick(leader, plays, "trick"))
        except PydanticCustomError as error:
            raise _not_played(text, next(faults_in(error)).message) from None
        leader, trick = past.leader, ()
        changes |= view.rules_in_fields(past.rules)
    changes |= {"hand": hand, "trick": trick, "history": history, "leader": leader}
    return seen_anyway(view, text, changes) if anyway else seen(view, text, changes)


def possible_plays(view: RoundParts[P, Any], plays: Iterable[P]) -> list[P]:
    """Those of `plays` that another seat could make now, given the past tricks and the unseen cards."""
    if is_over(view):
        return []
    seat, before = view.seat_to_move, view.before_trick
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


def is_over(view: RoundParts[Any, Any]) -> bool:
    """Whether all tricks of the round have been played."""
    return not view.trick and not view.count(view.seat)


def check_goes_on(view: RoundParts[Any, Any]) -> None:
    """Raise MoveError when the round is over."""
    if is_over(view):
        raise MoveError("illegal_move", say("the round is over"))


def check_hidden(view: RoundParts[Any, Any], seat: int, card: int, *, anyway: bool = False) -> None:
    """Raise MoveError if another seat cannot hold a card: it was seen elsewhere or, unless `anyway`, is void."""
    name = view.past.rules.name(card)
    if not anyway and (view.excluded(seat) & ~view.past.excluded(seat)) >> card & 1:
        message = say(
            "{seat:who} cannot play {name}: by what you remember, {seat:who} {seat:has|have} no such cards",
            seat=seat,
            name=name,
        )
        raise MoveError("illegal_move", message)
    if not view.unseen >> card & 1:
        if view.hand_mask >> card & 1:
            message = say("{seat:who} cannot play {name}: it is in your hand", seat=seat, name=name)
        else:
            message = say("{seat:who} cannot play {name}: it is where everybody sees it, or set aside",
                          seat=seat, name=name)  # fmt: skip
        raise MoveError("illegal_move", message)
    shown = next((play for play in view.past.show_outs if play.seat == seat and play.excluded >> card & 1), None)
    if shown is not None and not anyway:
        raise MoveError("illegal_move", _contradicted(view, shown, name))


def trick_number(view: RoundParts[Any, Any], shown: ShowOut[Any, Any]) -> int:
    """Return the number of the trick, from 1, of a play that shows what a hand lacks."""
    among = re.match(r"history\[(\d+)\]", shown.path)
    return view.over + 1 if among is None else view.over - len(view.tricks) + int(among[1]) + 1


def _contradicted(view: RoundParts[Any, Any], shown: ShowOut[Any, Any], card: str) -> str:
    """Say which earlier play of a seat shows that it can't hold a card that it plays now."""
    named = {
        "card": card,
        "seat": shown.seat,
        "number": trick_number(view, shown),
        "play": shown.rules.play_text(shown.play),
    }
    if shown.lead is None:
        return say(
            "{card} cannot have been played: {seat:who} led {play} in trick {number}, and so held no {card}",
            **named,
        )
    return say(
        "{card} cannot have been played: {seat:who} did not follow {lead} in trick {number}, but played {play}, "
        "and so held no {card}",
        lead=shown.rules.lead_text(shown.lead),
        **named,
    )


def seen(view: B, text: str, changes: dict[str, Any]) -> B:
    """Copy a view with some fields changed. Raises MoveError, quoting `text`, if the result is contradictory."""
    kind = type(cast(BaseModel, view))
    try:
        fields = {key: value for key in kind.model_fields if (value := getattr(view, key)) is not None}
        return cast(B, validated(kind.model_validate, fields | changes))
    except PositionError as error:
        if error.code == "conflict":  # the plays that rule it out are a long list
            message = say(
                "{text} cannot have been played: no deal of the unseen cards agrees with it and with all earlier "
                "plays. One of those may be wrong.",
                text=text,
            )
            raise MoveError("illegal_move", message) from None
        raise _not_played(text, error.message) from None


def _not_played(text: str, message: str) -> MoveError:
    return MoveError("illegal_move", say("{text} cannot have been played: {message}", text=text, message=message))


# ----------------------------------------------------------------------------------------------------
# What a game in which a play is a card answers with (`solver.game.Game`).


Q = TypeVar("Q", bound=BaseModel)


def as_round(position: BaseModel) -> CardRound[Any]:
    """The same position, narrowed to such a round for the type checker."""
    assert isinstance(position, CardRound)
    return position


def as_view(position: Q) -> Q:
    """The position, if it is a view. Raises RequestError if every card is known."""
    if as_round(position).viewer is None:
        raise nothing_hidden()
    return position


def asks(position: BaseModel) -> frozenset[str]:
    """The questions that can be asked about a position: a hint for a view, an analysis otherwise."""
    known = as_round(position).viewer is None
    return frozenset({"analyze", "best-move", "value"} if known else {"hint"})


def legal_moves(position: BaseModel) -> Sequence[int]:
    """The cards that may be played or set aside, in canonical order.

    Empty when the round is over, and in a view while another seat is to move.
    """
    return as_round(position).legal_cards


def parse_move(position: BaseModel, text: str) -> int:
    """Parse the text of a legal card. Raises MoveError with the reason if it is not one."""
    now = as_round(position)
    card = card_of(now.trick_rules, text)
    check_card(now, card)
    return card


def format_move(position: BaseModel, move: int) -> str:
    """Return the text of a card."""
    rules: CardRules = as_round(position).trick_rules
    return rules.name(move)


def possible(position: BaseModel) -> Sequence[str]:
    """The cards that the seat to move could play, given a view, in canonical order.

    For the view's own seat these are the legal cards. Empty when the round is over.
    """
    view = as_round(as_view(position))
    rules: CardRules = view.past.rules
    own = view.seat_to_move == view.seat
    return list(map(rules.name, view.legal_cards if own else possible_plays(view, rules.members(view.unseen))))
