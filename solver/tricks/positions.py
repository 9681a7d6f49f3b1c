"""What known positions and views of a game of tricks share: who is to move, the past, the checks of hands.

These are mixins: a game's models declare the fields, in the order that its users see, and answer a few questions
about them. The past is worked out from the history once, when the position is checked, and kept.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from solver.common.masks import mask
from solver.common.words import counted
from solver.inputs.errors import Fault
from solver.inputs.faults import all_of, fault, refuse
from solver.tricks.history import Past, check_deal_exists, replay
from solver.tricks.rules import Masks, Trick, TrickRules

P = TypeVar("P")
R = TypeVar("R", bound=TrickRules[Any])


class RoundParts(ABC, Generic[P, R]):
    """A round at one moment. The model has the fields `leader` and `trick` (the texts of the current trick)."""

    if TYPE_CHECKING:

        @property
        def leader(self) -> int: ...
        @property
        def trick(self) -> tuple[str, ...]: ...

    @property
    @abstractmethod
    def players(self) -> int:
        """How many seats there are."""

    @property
    @abstractmethod
    def whole_hand(self) -> int:
        """How many cards a hand has before the first trick: the number of tricks of a round."""

    @property
    @abstractmethod
    def plays(self) -> tuple[P, ...]:
        """The current trick. Raises a fault for a text that is no play."""

    @property
    @abstractmethod
    def tricks(self) -> Sequence[Trick[P]]:
        """The finished tricks that the position tells. Raises a fault for a text that is no play."""

    @property
    @abstractmethod
    def start(self) -> Past[P, R]:
        """The past before the first of `tricks`; it is led by whoever led that one, or leads now."""

    @property
    def current_trick(self) -> Trick[P]:
        """The current trick, which is not over; it may be empty."""
        return Trick(self.leader, self.plays, "trick")

    @property
    def seat_to_move(self) -> int:
        """The seat that plays the next card."""
        return (self.leader + len(self.trick)) % self.players

    def has_played(self, seat: int) -> bool:
        """Whether a card of `seat` is in the current trick."""
        return (seat - self.leader) % self.players < len(self.trick)

    def replayed(self) -> Past[P, R]:
        """The past up to the current trick. Raises a fault for a leader who does not follow from it."""
        past = replay(self.start, self.tricks)
        if past.leader != self.leader:
            raise fault(
                "conflict", f"by the history seat {past.leader} leads now, not seat {self.leader}", "leader"
            )
        return past

    @cached_property
    def past(self) -> Past[P, R]:
        """What the finished tricks and the current one tell. Raises a fault where they contradict each other."""
        return self.replayed().with_plays(self.current_trick)


class KnownParts(RoundParts[P, R]):
    """A round with every card known: the field `hands` has the texts of each seat's cards.

    The field `history` has the finished tricks, or None where they are not told.
    """

    if TYPE_CHECKING:

        @property
        def hands(self) -> tuple[tuple[str, ...], ...]: ...
        @property
        def history(self) -> tuple[Any, ...] | None: ...

    after_what: ClassVar[str] = ""  # when a hand is whole: " once one is set aside"

    @property
    @abstractmethod
    def held(self) -> tuple[tuple[int, ...], ...]:
        """The cards of each hand, as they are listed."""

    @property
    def tells_history(self) -> bool:
        """Whether the finished tricks are told, if only that there are none."""
        return self.history is not None

    @property
    def hand_masks(self) -> Masks:
        """The hands as masks."""
        return tuple(map(mask, self.held))

    @property
    def is_fresh(self) -> bool:
        """Whether all hands are whole, so that no trick can be finished."""
        return len(self.hands[0]) + self.has_played(0) == self.whole_hand

    @property
    def known_history(self) -> tuple[Any, ...] | None:
        """The finished tricks where they are known: stated, or none since the round is fresh."""
        return () if self.history is None and self.is_fresh else self.history

    def check_sizes(self) -> None:
        """Raise a fault unless the hands are equal but for the cards in the current trick.

        The history says what their size is or, where it is not told, most of the hands.
        """
        whole = [len(hand) + self.has_played(seat) for seat, hand in enumerate(self.hands)]
        if self.tells_history:
            usual = self.whole_hand - len(self.tricks)
        else:
            usual = max(Counter(whole).most_common(1)[0][0], len(self.trick) > 0)
        source = "the history" if self.tells_history else "the other hands"
        found = []
        for seat, size in enumerate(whole):
            if size != usual:
                played = self.has_played(seat)
                message = (
                    f"seat {seat} has {counted(size - played, 'card')}; by {source} it holds {usual - played}"
                )
                message += ", one of its cards being on the table" if played else ""
                found.append(Fault("wrong_size", message, f"hands[{seat}]"))
        refuse(found)
        if usual > self.whole_hand:
            message = f"a hand has at most {self.whole_hand} cards{self.after_what}"
            raise fault("wrong_size", message, "hands[0]")

    def check_hands(self) -> None:
        """Raise a fault for a card in a hand that should have been played before."""
        past = self.past
        all_of(
            *(partial(past.check_shown, seat, cards, f"in hands[{seat}]") for seat, cards in enumerate(self.held))
        )


class ViewParts(RoundParts[P, R]):
    """What one player sees of a round: the fields `seat` and `hand` have who it is and the texts of its cards."""

    if TYPE_CHECKING:

        @property
        def seat(self) -> int: ...
        @property
        def hand(self) -> tuple[str, ...]: ...

    @property
    @abstractmethod
    def cards_held(self) -> tuple[int, ...]:
        """The cards of the own hand, as they are listed."""

    @property
    @abstractmethod
    def all_cards(self) -> int:
        """The mask of the deck."""

    @property
    def seen_elsewhere(self) -> int:
        """The mask of the cards seen neither in the own hand nor in a trick."""
        return 0

    @property
    def hand_mask(self) -> int:
        """The own hand as a mask."""
        return mask(self.cards_held)

    @cached_property
    def unseen(self) -> int:
        """The mask of the cards that are in the other hands, or nowhere in play."""
        past = self.past
        seen = self.hand_mask | mask(map(past.rules.card, self.plays)) | past.discarded | self.seen_elsewhere
        for pile in past.won:
            seen |= pile
        return self.all_cards & ~seen

    def count(self, seat: int) -> int:
        """How many cards `seat` holds."""
        return self.whole_hand - len(self.tricks) - self.has_played(seat)

    def check_size(self) -> None:
        """Raise a fault unless the own hand has as many cards as the tricks have left it."""
        size = self.count(self.seat)
        if len(self.hand) != size:
            message = f"the hand has {counted(len(self.hand), 'card')}; after what was played it holds {size}"
            raise fault("wrong_size", message, "hand")

    def check_hidden_hands(self) -> None:
        """Raise a fault for a card in the own hand that should have been played before, or if no deal fits."""
        self.past.check_shown(self.seat, self.cards_held, "in hand")
        others = {seat: self.count(seat) for seat in range(self.players) if seat != self.seat}
        check_deal_exists(self.past, self.unseen, others)
