"""Positions of alchemy as users send them, validated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from solver.common.words import counted
from solver.games.alchemy.cards.deck import JOKER, card
from solver.games.alchemy.cards.readings import AlchemyReadings, RulesField
from solver.games.alchemy.cards.rules import (
    SOLITAIRE,
    WITHOUT_CAP_LOSS,
    Turn,
    Variant,
)
from solver.games.alchemy.positions.duels import DuelPosition
from solver.games.alchemy.positions.fields import (
    Card,
    Cards,
    Model,
    check_rules,
    places,
    rank_at,
    ranks_of,
    refuse_jokers,
    refuse_surplus,
)
from solver.inputs.errors import Fault
from solver.inputs.faults import all_of, fault, refuse
from solver.positions import Shown

MOST_CAP = 6  # cards that a solitaire's line holds
LARGEST_LINE = 60  # of a `free` puzzle with an objective
LARGEST_LISTED_LINE = 24  # of one whose matches are all listed


def solitaire_of(variant: str, rules: AlchemyReadings | None) -> Variant:
    """A solitaire by the rules that are in force."""
    other = rules is not None and rules.alternative_without_cap_loss and variant == WITHOUT_CAP_LOSS.name
    return WITHOUT_CAP_LOSS if other else SOLITAIRE[variant]


class SolitairePosition(Shown, Model):
    """A solitaire turn: the line lies, the hand is drawn. With `stock` (in draw order) all is known.

    Without `stock` its order is hidden: it holds the cards of `unseen` or, without that too, the full deck
    less `line`, `hand` and `discarded`. `hand` is left out only when the game is over: it is won when the stock is
    empty, and else lost, the line being too short to be played with.
    """

    game: Literal["alchemy"]
    variant: Literal["solo", "alternative"]
    rules: RulesField = None
    cap: Annotated[int, Field(ge=0, le=MOST_CAP, strict=True)]
    line: Cards
    hand: Card | None = None
    stock: Cards | None = None
    unseen: Cards | None = None
    discarded: Cards = ()

    inferred: ClassVar[frozenset[str]] = frozenset({"cap"})

    @property
    def solitaire(self) -> Variant:
        """The variant by the rules that are in force."""
        return solitaire_of(self.variant, self.rules)

    @property
    def seat_to_move(self) -> int:
        return 0

    @property
    def hidden(self) -> bool:
        """Whether the order of the stock is not known and matters."""
        return self.stock is None and bool(self.unseen_ranks)

    @property
    def unseen_ranks(self) -> tuple[int, ...]:
        """The stock's cards: in draw order when known, ascending when hidden."""
        if self.stock is not None:
            return ranks_of(self.stock)
        if self.unseen is not None:
            return tuple(sorted(ranks_of(self.unseen)))
        left = Counter(self.solitaire.deck)
        left.subtract(ranks_of(self.line))
        left.subtract(ranks_of(self.discarded))
        if self.hand is not None:
            left[rank_at(self.hand)] -= 1
        return tuple(sorted(left.elements()))

    @property
    def discarded_ranks(self) -> tuple[int, ...]:
        return ranks_of(self.discarded)

    @property
    def turn(self) -> Turn:
        """The position by ranks; the stock is empty where it is hidden."""
        stock = ranks_of(self.stock or ())
        hand = None if self.hand is None else rank_at(self.hand)
        won = None if hand is not None else not self.unseen_ranks
        return Turn(self.cap, ranks_of(self.line), hand, stock, won=won)

    def _all_places(self) -> Iterator[tuple[str, int]]:
        yield from places("line", self.line)
        if self.hand is not None:
            yield "hand", rank_at(self.hand)
        yield from places("stock", self.stock)
        yield from places("unseen", self.unseen)
        yield from places("discarded", self.discarded)

    @model_validator(mode="after")
    def _check(self) -> Self:
        checks = self._check_ranks, lambda: refuse_surplus(self._all_places()), self._check_cap
        all_of(*checks, then=[self._check_line])
        return self

    def _check_ranks(self) -> None:
        rules = self.solitaire
        deck = f"A–{card(rules.ranks)}, no jokers"
        refuse(
            Fault("illegal_card", f"{card(rank)} is not in the deck of {rules.name} ({deck})", path)
            for path, rank in self._all_places()
            if rank == JOKER or rank > rules.ranks
        )

    def _check_cap(self) -> None:
        rules = self.solitaire
        if self.cap > rules.cap:
            raise fault("out_of_range", f"cap is at most {rules.cap} in {rules.name}", "cap")
        lost = rules.shortest - 1
        if self.cap < lost or (self.cap == lost and self.hand is not None):
            message = f"cap is at least {rules.shortest} while a game of {rules.name} goes on"
            raise fault("out_of_range", f"{message}; with {lost} it is lost, and no hand is drawn", "cap")
        check_rules(self.rules, self.variant)
        if self.stock is not None and self.unseen is not None:
            raise fault("conflict", "a position has a known stock or unseen cards, not both", "unseen")

    def _check_line(self) -> None:
        stock = len(self.unseen_ranks)
        if len(self.line) > self.cap or (stock and len(self.line) != self.cap):
            wanted = f"{'exactly' if stock else 'at most'} {self.cap}"
            held = counted(len(self.line), "card")
            raise fault("wrong_size", f"the line has {held}; it holds {wanted} (cap)", "line")
        if self.hand is not None and not self.line:
            raise fault("wrong_size", "the line is empty: a hand is drawn when it has been filled", "line")
        if self.hand is None and stock and self.cap >= self.solitaire.shortest:
            raise fault("missing_key", "hand is missing, and the stock is not empty", "hand")


class FreePosition(Shown, Model):
    """A sum-match puzzle of any size: list all moves, or find one that is best by `objective`."""

    game: Literal["alchemy"]
    variant: Literal["free"]
    min_line: Annotated[int, Field(ge=1, le=LARGEST_LINE, strict=True)]
    line: Annotated[Cards, Field(max_length=LARGEST_LINE)]
    hand: Card
    objective: Literal["most-cards", "fewest-cards", "most-points"] | None = None
    cards: Annotated[int, Field(ge=1, le=LARGEST_LINE, strict=True)] | None = None

    @property
    def line_ranks(self) -> tuple[int, ...]:
        return ranks_of(self.line)

    @property
    def hand_rank(self) -> int:
        return rank_at(self.hand)

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse_jokers([*places("line", self.line), ("hand", rank_at(self.hand))])
        if self.objective is None and len(self.line) > LARGEST_LISTED_LINE:
            limit = f"all matches are listed for lines of up to {LARGEST_LISTED_LINE} cards"
            raise fault("too_large", f"{limit}; a longer line needs an objective", "line")
        return self


Position = Annotated[SolitairePosition | DuelPosition | FreePosition, Field(discriminator="variant")]
