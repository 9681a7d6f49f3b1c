"""Partial memory of a trick game: a view with the hand, the table, and anything else its player remembers.

The last finished tricks may be given, and single cards of earlier ones. The size of the player's own hand shows
how many cards each other hand has. It also shows how many of the cards that have left the hands are forgotten:
these are sampled together with the hidden hands. A priori, all deals that agree with the memory are equally
likely; what the remembered plays suggest is considered afterwards.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pydantic import BaseModel

from solver.common import gone_unseen, members, seats_named
from solver.errors import IncompleteMoveError, MoveError, PositionError
from solver.findings import fault, validated
from solver.game import split_anyway
from solver.language import say, say_many
from solver.tricks.positions import ViewParts, lacking
from solver.tricks.rules import TrickRules

P = TypeVar("P")
R = TypeVar("R", bound=TrickRules[Any])
B = TypeVar("B", bound=BaseModel)


class RememberedParts(ViewParts[P, R]):
    """Mixin for views of players who do not remember everything, to be listed before the game's view.

    The model has the fields `gone` and `voids`. `gone` has cards known to have left the hands, in whatever pile;
    `voids` has, by seat, entries for the cards that the seat is known not to hold.
    """

    if TYPE_CHECKING:
        voids: Any  # a mapping from the text of a seat to its entries

    set_aside: ClassVar[int] = 0  # cards that the others keep hidden besides their hands

    @abstractmethod
    def void_cards(self, text: str) -> int:
        """The mask of the cards that an entry of `voids` stands for."""

    @property
    def over(self) -> int:
        return self.whole_hand - len(self.hand) - self.has_played(self.seat)

    @property
    def forgotten(self) -> int:
        """The number of cards that have left the hands and that the player does not remember."""
        held = sum(self.count(seat) for seat in range(self.players) if seat != self.seat)
        return self.unseen.bit_count() - held - self.set_aside

    @property
    def goes_by_match(self) -> bool:
        """Whether hints maximize the chance to win the match; always False if the player has forgotten cards.

        It is then unknown what the others have won.
        """
        return not self.forgotten and bool(super().goes_by_match)  # type: ignore[misc]

    def shown(self, seat: int) -> int:
        """The mask of the cards that `seat` cannot hold according to the remembered plays."""
        return self.past.excluded(seat)

    def excluded(self, seat: int) -> int:
        cards = self.shown(seat)
        for void in self.voids.get(str(seat), ()):
            cards |= self.void_cards(void)
        return cards

    def check_hands(self) -> None:
        """Raise a fault if `gone` has more cards than can have been played, or if no deal agrees with the view."""
        self.past.check_may_hold(self.seat, self.cards_held, lambda: say("in hand"))
        if self.forgotten < 0:
            message = say_many(
                "{count} trick is over: fewer cards are gone than these",
                "{count} tricks are over: fewer cards are gone than these",
                self.over,
            )
            raise fault("wrong_size", message, "gone")
        counts = {seat: self.count(seat) for seat in range(self.players) if seat != self.seat}
        for group, wanted, allowed in lacking(
            {seat: self.unseen & ~self.excluded(seat) for seat in counts}, counts
        ):
            message = say_many(
                "no deal agrees with this: {seats} must hold {count} card, but only these can be there: {cards}",
                "no deal agrees with this: {seats} must hold {count} cards, but only these can be there: {cards}",
                wanted,
                seats=seats_named(group),
                cards=" ".join(map(self.past.rules.name, members(allowed))) or say("none"),
            )
            raise fault("conflict", message, "voids" if self.voids else "history")


def unknown_rows(view: object) -> list[tuple[str, str]]:
    """A labelled line with the number of forgotten cards; no line if the player remembers every card."""
    if not isinstance(view, RememberedParts) or not view.forgotten:
        return []
    return [(say("Unknown"), gone_unseen(view.forgotten))]


# ----------------------------------------------------------------------------------------------------
# Cards that were not seen when they were played: of their trick, only the other cards are remembered, and who took
# it. These are entered together, starting with the first missed card (`observe` of the games).


MISSED = "?"


def unseen_trick(
    view: ViewParts[P, R], texts: Sequence[str], read: Callable[[str], P], own: Callable[[str, bool], P]
) -> list[tuple[int, P]]:
    """Read the rest of a trick in which the player missed cards; return (seat, play) for all plays that were seen.

    `texts` has the plays from the first missed one on, with ``?`` (`MISSED`) for each missed card. `read` parses a
    play of another seat, `own` one of the player's own, and is passed whether it was played `anyway`. Raises
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
        play = own(text, anyway) if seat == view.seat else read(text)
        card = rules.card(play)
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


def _seats(view: ViewParts[P, R], first: int) -> list[int]:
    """The seats that play to the current trick, from place `first` on."""
    return [(view.leader + place) % view.players for place in range(first, view.players)]


def voids_now(view: ViewParts[P, R], shown: Sequence[tuple[int, P]]) -> dict[str, tuple[str, ...]]:
    """The value of the field `voids`: for each other seat, the unseen cards that it cannot hold, if any.

    `shown` has the plays that were seen of the current trick. If a seat plays a card that it cannot hold, one of
    its plays was against the rules, and nothing is concluded about that seat.
    """
    rules = view.past.rules
    against = {seat for seat, play in shown if view.excluded(seat) >> rules.card(play) & 1}
    found = {
        str(seat): tuple(map(rules.name, members(view.excluded(seat) & view.unseen)))
        for seat in range(view.players)
        if seat != view.seat and seat not in against
    }
    return {seat: cards for seat, cards in found.items() if cards}


def remembered_as(kind: type[B], data: Mapping[str, object], told: str) -> B:
    """Validate these fields as a view of type `kind`.

    Raises MoveError, quoting the text `told`, if they are impossible.
    """
    try:
        return validated(kind.model_validate, data)
    except PositionError as error:
        message = say("{text} is impossible: {message}", text=told, message=error.message)
        raise MoveError("illegal_move", message) from None


def taker_of(text: str, players: int) -> int:
    """Parse a seat number. Raises MoveError if there is no such seat."""
    if len(text) != 1 or not text.isdecimal() or int(text) >= players:
        raise MoveError(
            "illegal_move", say("{text!r} is not a seat; seats are 0 to {last}", text=text, last=players - 1)
        )
    return int(text)
