"""Mixins for the positions and views of games in which a play is a card (`solver.tricks.rules.CardRules`).

A model declares the fields `leader`, `trick` and `history`, and `hands` and `won` or `seat` and `hand`.
It says by `trick_rules` which rules are in force in the first trick that it tells.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from solver.common.masks import mask
from solver.inputs.errors import Fault
from solver.inputs.faults import fault, refuse
from solver.tricks.fields import places, spread
from solver.tricks.history import Past
from solver.tricks.positions import KnownParts, RoundParts, ViewParts
from solver.tricks.rules import CardRules, Trick

R = TypeVar("R", bound=CardRules)


class CardTrick(Protocol):
    """A finished trick of a model's history."""

    @property
    def leader(self) -> int: ...
    @property
    def cards(self) -> tuple[str, ...]: ...


def cards_at(rules: CardRules, texts: Sequence[str], path: str) -> tuple[int, ...]:
    """The cards of a list at `path`. Raises a fault that names the place of each text that is no card."""
    numbers = rules.numbers
    refuse(
        Fault("illegal_card", rules.no_card(text), f"{path}[{index}]")
        for index, text in enumerate(texts)
        if text not in numbers
    )
    return tuple(numbers[text] for text in texts)


class CardRound(RoundParts[int, R]):
    """What a position and a view of such a game share."""

    if TYPE_CHECKING:

        @property
        def history(self) -> tuple[Any, ...] | None: ...

    @property
    @abstractmethod
    def trick_rules(self) -> R:
        """The rules in force in the first trick that is told, or now where none is."""

    @property
    def about(self) -> list[tuple[str, str]]:
        """What a person is told of the game's own fields, as labelled lines."""
        return []

    @property
    def players(self) -> int:
        return self.trick_rules.players

    @property
    def whole_hand(self) -> int:
        return self.trick_rules.hand_size

    @cached_property
    def plays(self) -> tuple[int, ...]:
        return cards_at(self.trick_rules, self.trick, "trick")

    @cached_property
    def tricks(self) -> tuple[Trick[int], ...]:
        return read_tricks(self.trick_rules, self.history or ())

    @property
    def start(self) -> Past[int, R]:
        leader = self.tricks[0].leader if self.tricks else self.leader
        return Past(self.trick_rules, leader, (0,) * self.players)


def read_tricks(rules: CardRules, history: Sequence[CardTrick]) -> tuple[Trick[int], ...]:
    """The tricks of a history, with their places in the position. Raises a fault for a text that is no card."""
    return tuple(
        Trick(trick.leader, cards_at(rules, trick.cards, path), path)
        for trick, path in ((trick, f"history[{index}].cards") for index, trick in enumerate(history))
    )


def history_places(history: Iterable[CardTrick]) -> Iterator[tuple[str, str]]:
    """The places of the cards of finished tricks."""
    for index, trick in enumerate(history):
        yield from places(f"history[{index}].cards", trick.cards)


class CardKnown(CardRound[R], KnownParts[int, R]):
    """A round with every card known."""

    if TYPE_CHECKING:

        @property
        def won(self) -> tuple[tuple[str, ...], ...]: ...
        def model_copy(self, *, update: Mapping[str, Any]) -> Self: ...

    @property
    def start(self) -> Past[int, R]:
        if self.tells_history or not self.won:
            return super().start
        return Past(self.trick_rules, self.leader, tuple(map(mask, self.piles_told)))

    @cached_property
    def held(self) -> tuple[tuple[int, ...], ...]:
        return tuple(cards_at(self.trick_rules, hand, f"hands[{seat}]") for seat, hand in enumerate(self.hands))

    @cached_property
    def piles_told(self) -> tuple[tuple[int, ...], ...]:
        """The cards of the field `won`, as they are listed."""
        return tuple(cards_at(self.trick_rules, pile, f"won[{seat}]") for seat, pile in enumerate(self.won))

    @property
    def is_fresh(self) -> bool:
        return super().is_fresh and not any(self.won)

    @property
    def played_places(self) -> Iterator[tuple[str, str]]:
        """The places of the cards that have been played; those of `won` only where no history tells them."""
        yield from places("trick", self.trick)
        yield from history_places(self.history) if self.history else spread("won", self.won)

    def check_told(self, past: Past[int, R]) -> None:
        """Raise a fault where the fields contradict the history, which leads to `past`."""
        for seat, pile in enumerate(self.piles_told):
            for index, card in enumerate(pile):
                if not past.won[seat] >> card & 1:
                    message = f"by the history seat {seat} has not won {past.rules.name(card)}"
                    raise fault("conflict", message, f"won[{seat}][{index}]")

    def replayed(self) -> Past[int, R]:
        past = super().replayed()
        if self.tells_history:
            self.check_told(past)
        return past

    @property
    def hand_to_move(self) -> int:
        """The hand of the seat to move, as a mask."""
        return mask(self.held[self.seat_to_move])

    def rules_in_fields(self, rules: R) -> dict[str, object]:
        """The fields that say which rules are in force, when these are; none where tricks change nothing."""
        return {}


class CardView(CardRound[R], ViewParts[int, R]):
    """What one player sees of a round."""

    @cached_property
    def cards_held(self) -> tuple[int, ...]:
        return cards_at(self.trick_rules, self.hand, "hand")

    @property
    def all_cards(self) -> int:
        return self.trick_rules.all_cards

    @property
    def played_places(self) -> Iterator[tuple[str, str]]:
        """The places of the cards that have been played."""
        yield from places("trick", self.trick)
        yield from history_places(self.history or ())

    @property
    def hand_to_move(self) -> int:
        """The own hand, as a mask."""
        return self.hand_mask
