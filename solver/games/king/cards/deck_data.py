"""A deck as users write it, in TOML or inside a position, validated."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from solver.games.king.cards.deck import CARDS, SUIT_CARDS, SUIT_NAMES, TRUMPS, Deck, of_data
from solver.inputs.deck_data import Text, entry_at, introduced
from solver.inputs.faults import fault
from solver.protocol.deck_kind import DeckKind

_MOST = 999  # of numbers, points and bonuses: sums of fifty stay far within the searches' integers
_RESERVED = ("take", "give", "-")  # words of moves


def _word(text: str) -> str:
    if not text.isprintable() or any(mark.isspace() or mark == ":" for mark in text) or text in _RESERVED:
        words = ", ".join(_RESERVED)
        raise fault("wrong_text", f"{text!r} must be printable, without spaces and colons, and none of {words}")
    return text


Code = Annotated[str, Field(strict=True, min_length=1, max_length=8), AfterValidator(_word)]
Points = Annotated[int, Field(ge=0, le=_MOST, strict=True)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RecipeData(_Model):
    """What the card's carrier makes of ingredients, for a bonus."""

    item: Text
    needs: Annotated[tuple[Text, ...], Field(min_length=1, max_length=CARDS - 1, fail_fast=True)]
    bonus: Points


class CardData(_Model):
    """One card. Materials and methods have a suit; trumps and the dancer have none."""

    code: Code
    kind: Literal["material", "method", "trump", "dancer"]
    name: Text
    suit: Code | None = None
    number: Points
    vp: Points
    provides: Text | None = None
    recipe: RecipeData | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        suited = self.kind in ("material", "method")
        if suited and self.suit is None:
            raise fault("missing_key", f"a {self.kind} has a suit", "suit")
        if not suited and self.suit is not None:
            raise fault("conflict", f"a {self.kind} has no suit", "suit")
        return self


def _of_card(data: Any, path: str) -> str:
    card, rest = entry_at(data, path, "card")
    code = card.get("code")
    return f"card {code}: " if isinstance(code, str) and rest != ".code" else ""


class DeckData(_Model):
    """A deck of fifty cards: 44 with a suit, 5 trumps and 1 dancer, in the order that numbers them.

    `suits` gives the four suits their letters.
    """

    name: Code
    title: Text | None = None
    suits: Annotated[dict[Code, Literal["Fire", "Water", "Earth", "Wind"]], Field(min_length=4, max_length=4)]
    card: Annotated[tuple[CardData, ...], Field(max_length=2 * CARDS, fail_fast=True)]

    @cached_property
    def deck(self) -> Deck:
        return of_data(self)

    @model_validator(mode="after")
    def _check(self) -> Self:
        lacking = set(SUIT_NAMES) - set(self.suits.values())
        if lacking:
            raise fault("missing_key", f"no letter stands for {min(lacking)}", "suits")
        self._check_places()
        self._check_counts()
        self._check_needs()
        return self

    def _check_places(self) -> None:
        """Codes are unique, and so are numbers within a suit and among the trumps."""
        codes: dict[str, int] = {}
        numbers: dict[tuple[str | None, int], str] = {}
        for place, card in enumerate(self.card):
            if card.code in codes:
                raise fault(
                    "duplicate_card", f"{card.code} is card[{codes[card.code]}] already", f"card[{place}].code"
                )
            codes[card.code] = place
            if card.suit is not None and card.suit not in self.suits:
                letters = ", ".join(self.suits)
                raise fault(
                    "unknown_value", f"there is no suit {card.suit!r}; there is {letters}", f"card[{place}].suit"
                )
            if card.kind == "dancer":
                continue
            other = numbers.setdefault((card.suit, card.number), card.code)
            if other != card.code:
                whose = "trump" if card.suit is None else self.suits[card.suit]
                raise fault("conflict", f"{other} is {whose} {card.number} already", f"card[{place}].number")

    def _check_counts(self) -> None:
        kinds = Counter("suit" if card.suit is not None else card.kind for card in self.card)
        for kind, wanted in (("suit", SUIT_CARDS), ("trump", TRUMPS), ("dancer", 1)):
            if kinds[kind] != wanted:
                what = {"suit": "with a suit", "trump": "of kind trump", "dancer": "of kind dancer"}[kind]
                raise fault(
                    "wrong_size",
                    f"a deck has {CARDS} cards, {wanted} of them {what}; this one has {len(self.card)} and "
                    f"{kinds[kind]}",
                    "card",
                )

    def _check_needs(self) -> None:
        provided = {card.provides for card in self.card}
        for place, card in enumerate(self.card):
            for index, need in enumerate(card.recipe.needs if card.recipe else ()):
                if need not in provided:
                    path = f"card[{place}].recipe.needs[{index}]"
                    raise fault("unknown_value", f"no card provides {need!r}", path)


CheckedDeck = Annotated[DeckData, introduced(_of_card)]

KIND: DeckKind[Deck] = DeckKind(
    game="king",
    key="card",
    data=CheckedDeck,
    package="solver.games.king",
    house_file="king-house.toml",
)


def house() -> Deck:
    """The deck of our own that is shipped."""
    return KIND.house
