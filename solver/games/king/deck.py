"""King × Alchemy's decks: fifty cards, defined in a file and numbered in the order of that file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from solver.decks import DeckKind, DeckName, Doubles, Row, TableColumns, chosen, deck_of, number, parts
from solver.display import CardFace
from solver.errors import Fault
from solver.language import say, translated
from solver.rule_options import Option, Readings
from solver.strict_json import Text, entry_at, introduced, readable
from solver.texts import plain
from solver.validation import fault, nearest, refuse, with_names

# ----------------------------------------------------------------------------------------------------
# The disputed readings of King × Alchemy's rulebook, as options.


class KingReadings(Readings):
    """Options for disputed rules of King × Alchemy; all are off by default."""

    late_trump_does_not_lift: Annotated[
        Option, Field(description="only a trump played before the Dancer lifts it")
    ] = False
    no_bottom_when_trumped: Annotated[
        Option,
        Field(description="if nobody followed and a trump wins, or a Dancer that it lifted, there is no bottom"),
    ] = False


USUAL = KingReadings()


FIRE, WATER, EARTH, WIND, TRUMP, DANCER = range(6)
SUIT_NAMES = ("Fire", "Water", "Earth", "Wind")
SUITS = len(SUIT_NAMES)  # the suits that the Dancer can be named
CARDS = 50
SUIT_CARDS = 44
TRUMPS = 5


@dataclass(frozen=True, slots=True)
class Recipe:
    """An item made of `needs` (materials or methods; one may be needed twice), worth `bonus` points."""

    item: str
    needs: tuple[str, ...]
    bonus: int


@dataclass(frozen=True, slots=True)
class Card:
    """One card. `suit` is FIRE … WIND, TRUMP or DANCER; `provides` is the ingredient that it can serve as."""

    code: str
    name: str
    kind: str
    suit: int
    number: int
    vp: int
    provides: str | None
    recipe: Recipe | None


@dataclass(frozen=True)
class Deck:
    """A valid deck, with the rule options in force.

    `suits` has the letters of Fire, Water, Earth and Wind, in this order.
    """

    name: str
    title: str
    suits: tuple[str, str, str, str]
    cards: tuple[Card, ...]
    readings: KingReadings = USUAL

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.cards))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The index of each card in the deck, by its code."""
        return {card.code: number for number, card in enumerate(self.cards)}

    @cached_property
    def dancer(self) -> int:
        """The index of the Enchanted Dancer in the deck."""
        return next(number for number, card in enumerate(self.cards) if card.suit == DANCER)

    @cached_property
    def dances(self) -> tuple[str, ...]:
        """The texts of the plays of the Dancer, one for each suit, such as ``D:F``."""
        return tuple(f"{self.code(self.dancer)}:{suit}" for suit in self.suits)

    @cached_property
    def of_suit(self) -> tuple[int, ...]:
        """The mask of each suit's cards, in the order FIRE … WIND, TRUMP, DANCER."""
        return tuple(
            sum(1 << number for number, card in enumerate(self.cards) if card.suit == suit) for suit in range(6)
        )

    def code(self, card: int) -> str:
        return self.cards[card].code

    def codes(self, cards: Iterable[int]) -> list[str]:
        return [self.cards[card].code for card in cards]

    def rows(self) -> list[dict[str, str]]:
        """The cards as rows of a table for display: for each card a dict from column name to text."""
        return [_row(card, str) for card in self.cards]

    def vp(self, cards: int) -> int:
        """The victory points of a mask of cards."""
        return sum(vp * (cards & worth_it).bit_count() for vp, worth_it in self._of_vp)

    @cached_property
    def _of_vp(self) -> list[tuple[int, int]]:
        """Each number of victory points above 0, with the mask of the cards that are worth it."""
        masks: dict[int, int] = {}
        for index, card in enumerate(self.cards):
            masks[card.vp] = masks.get(card.vp, 0) | 1 << index
        return [(vp, cards) for vp, cards in masks.items() if vp]


@lru_cache(maxsize=64)
def read_by(deck: Deck, readings: KingReadings) -> Deck:
    """The same deck with the rule options `readings` in force."""
    return deck if readings == deck.readings else replace(deck, readings=readings)


def of_data(data: DeckData) -> Deck:
    """The deck described by validated data."""
    suit_of = {letter: SUIT_NAMES.index(name) for letter, name in data.suits.items()}
    fire, water, earth, wind = sorted(suit_of, key=suit_of.__getitem__)
    other = {"trump": TRUMP, "dancer": DANCER}
    cards = tuple(
        Card(
            code=card.code,
            name=card.name,
            kind=card.kind,
            suit=other[card.kind] if card.suit is None else suit_of[card.suit],
            number=card.number,
            vp=card.vp,
            provides=card.provides,
            recipe=Recipe(card.recipe.item, card.recipe.needs, card.recipe.bonus) if card.recipe else None,
        )
        for card in data.card
    )
    return Deck(data.name, data.title or data.name, (fire, water, earth, wind), cards)


# ----------------------------------------------------------------------------------------------------
# Decks as users write them, in TOML or inside a position, validated.


_MOST = 999  # of numbers, points and bonuses: sums of fifty stay well within the searches' integers
_RESERVED = ("take", "give", "-")  # words of moves


def _word(text: str) -> str:
    if not text.isprintable() or any(mark.isspace() or mark == ":" for mark in text) or text in _RESERVED:
        words = ", ".join(_RESERVED)
        raise fault(
            "wrong_text",
            say(
                "{text!r} must be printable, without spaces and colons, and none of {words}",
                text=text,
                words=words,
            ),
        )
    return text


Code = Annotated[str, Field(strict=True, min_length=1, max_length=8), AfterValidator(_word)]
Points = Annotated[int, Field(ge=0, le=_MOST, strict=True)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RecipeData(_Model):
    """The recipe on a card: an item, the ingredients that it needs, and its bonus."""

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
            raise fault("missing_key", say("a {kind} has a suit", kind=self.kind), "suit")
        if not suited and self.suit is not None:
            raise fault("conflict", say("a {kind} has no suit", kind=self.kind), "suit")
        return self


def _of_card(data: Any, path: str) -> str:
    card, rest = entry_at(data, path, "card")
    code = card.get("code")
    return f"card {code}: " if isinstance(code, str) and rest != ".code" else ""


class DeckData(_Model):
    """A deck of fifty cards: 44 with a suit, 5 trumps and 1 dancer. Their order gives them their indices.

    `suits` gives the four suits their letters.
    """

    name: DeckName
    title: Text | None = None
    suits: Annotated[dict[Code, Literal["Fire", "Water", "Earth", "Wind"]], Field(min_length=4, max_length=4)]
    card: Annotated[tuple[CardData, ...], Field(max_length=2 * CARDS)]

    @cached_property
    def deck(self) -> Deck:
        return of_data(self)

    @model_validator(mode="after")
    def _check(self) -> Self:
        lacking = sorted(set(SUIT_NAMES) - set(self.suits.values()))[:1]
        refuse([
            *(Fault("missing_key", say("no letter stands for {suit}", suit=name), "suits") for name in lacking),
            *_wrong_places(enumerate(self.card), self.suits),
            *self._wrong_counts(),
            *self._wrong_needs(),
        ])  # fmt: skip
        return self

    def _wrong_counts(self) -> Iterator[Fault]:
        kinds = Counter("suit" if card.suit is not None else card.kind for card in self.card)
        wanted = {
            "suit": (
                SUIT_CARDS,
                "a deck has {cards} cards, {wanted} of them with a suit; this one has {all} and {found}",
            ),
            "trump": (
                TRUMPS,
                "a deck has {cards} cards, {wanted} of them of kind trump; this one has {all} and {found}",
            ),
            "dancer": (
                1,
                "a deck has {cards} cards, {wanted} of them of kind dancer; this one has {all} and {found}",
            ),
        }
        for kind, (count, template) in wanted.items():
            if kinds[kind] != count:
                message = say(template, cards=CARDS, wanted=count, all=len(self.card), found=kinds[kind])
                yield Fault("wrong_size", message, "card")

    def _wrong_needs(self) -> Iterator[Fault]:
        provided = {card.provides for card in self.card}
        for row, card in enumerate(self.card):
            for index, need in enumerate(card.recipe.needs if card.recipe else ()):
                if need not in provided:
                    path = f"card[{row}].recipe.needs[{index}]"
                    yield Fault("unknown_value", say("no card provides {need!r}", need=need), path)
        yield from self._misspelt()

    def _misspelt(self) -> Iterator[Fault]:
        """Yield a fault for each ingredient that no recipe needs, but nearly has the name of one that some need.

        Others that none needs are allowed: the beginning of a longer name (salt is no saltpetre), a name with
        another number (*Stuff 1*), and short names in which one letter is another, which may well be another word.
        """
        needed = {need for card in self.card if card.recipe for need in card.recipe.needs}
        for row, card in enumerate(self.card):
            name = card.provides
            if not name or name in needed:
                continue
            likely = sorted(need for need in needed if _numbers(need) == _numbers(name))
            near, _ = nearest(name, likely) or ("", "")
            if len(name) < _LONG and len(near) == len(name):
                continue
            if near and not near.lower().startswith(name.lower()):
                message = say("no recipe needs {name!r}; did you mean {near}?", name=name, near=near)
                yield Fault("unknown_value", message, f"card[{row}].provides")


_LONG = 5  # letters of a name that is more likely misspelt than another word


def _numbers(name: str) -> list[str]:
    return [letter for letter in name if letter.isdigit()]


def _wrong_places(cards: Iterable[tuple[int, CardData]], suits: Mapping[str, str]) -> Iterator[Fault]:
    """Yield faults for codes used twice, unknown suits, and numbers used twice in a suit or among the trumps."""
    codes, numbers = Doubles(), Doubles()
    named: dict[int, str] = {}  # codes by row
    for row, card in cards:
        doubles = codes.add(card.code, row)
        for place, other in doubles:
            message = say("{card} is already card[{place}]", card=card.code, place=other)
            yield Fault("duplicate_card", message, f"card[{place}].code")
        if doubles:
            continue
        named[row] = card.code
        if card.suit is not None and card.suit not in suits:
            message = say("there is no suit {suit!r}", suit=card.suit)
            yield Fault("unknown_value", with_names(message, card.suit, [*suits]), f"card[{row}].suit")
            continue
        if card.kind == "dancer":
            continue
        for place, other in numbers.add((card.suit, card.number), row):
            message = say("the number {number} is taken by {other}", other=named[other], number=card.number)
            yield Fault("conflict", message, f"card[{place}].number")


def _among(data: Any) -> Iterable[Fault]:
    suits = data.get("suits") if isinstance(data, Mapping) else None
    if not isinstance(suits, Mapping) or not all(isinstance(letter, str) for letter in suits):
        return ()
    return _wrong_places(readable(data, "card", CardData), suits)


CheckedDeck = Annotated[DeckData, introduced(DeckData, _of_card, _among)]


_SUITS = {
    **dict.fromkeys(("fire", "火"), "Fire"),
    **dict.fromkeys(("water", "水"), "Water"),
    **dict.fromkeys(("earth", "土", "地"), "Earth"),
    **dict.fromkeys(("wind", "air", "風"), "Wind"),
}
_KINDS = {
    **dict.fromkeys(("trump", "trumps", "切り札", "切札"), "trump"),
    **dict.fromkeys(("dancer", "enchanted dancer", "踊り子", "魅惑の踊り子"), "dancer"),
    **dict.fromkeys(("material", "素材", "材料"), "material"),
    **dict.fromkeys(("method", "手法", "技法", "方法"), "method"),
}
_LETTERS = {"Fire": "F", "Water": "W", "Earth": "E", "Wind": "A"}


def _of_table(rows: Sequence[Row]) -> dict[str, Any]:
    """Convert a table's rows to deck data. A suit's letter is the first letter of its cards' codes."""
    suits = [_SUITS.get(row.get("suit", "").lower()) for row in rows]
    begins = {
        suit: {
            row.get("code", "").rstrip("0123456789") for row, own in zip(rows, suits, strict=True) if own == suit
        }
        for suit in SUIT_NAMES
    }
    letters = {suit: letters_used.pop() for suit, letters_used in begins.items() if len(letters_used) == 1}
    if len(set(letters.values()) - {""}) < SUITS:
        letters = _LETTERS
    provided = {plain(row["provides"]): row["provides"] for row in rows if "provides" in row}
    cards = [
        _card_of(row, letters.get(suit) if suit else None, provided) for row, suit in zip(rows, suits, strict=True)
    ]
    return {"suits": {letter: suit for suit, letter in letters.items()}, "card": cards}


def _card_of(row: Row, letter: str | None, provided: Mapping[str, str]) -> dict[str, Any]:
    word = row.get("suit", "").lower()
    makes = any(key in row for key in ("needs", "item", "bonus"))
    said = row.get("kind", "").lower()
    kind = _KINDS.get(said, said) or _KINDS.get(word) or ("method" if makes else "material")
    suited = kind in ("material", "method")
    card: dict[str, Any] = {
        "code": row.get("code", ""),
        "kind": kind,
        "name": row.get("name", row.get("code", "")),
    }
    if suited and (letter or word):
        card["suit"] = letter or row["suit"]
    card |= {"number": number(row.get("number")), "vp": number(row.get("points"))}
    if "provides" in row:
        card["provides"] = row["provides"]
    if makes:
        needs, bonus = parts(row.get("needs")), number(row.get("bonus"))
        needs = [provided.get(plain(need), need) for need in needs]  # as the card that provides it has it
        card["recipe"] = {"item": row.get("item", card["name"]), "needs": needs, "bonus": bonus}
    return card


TABLE = TableColumns(
    worded=("name", "provides", "needs", "item"),
    names={
        "code": ("card", "カード", "コード", "記号"),
        "name": ("名前", "名称", "カード名"),
        "kind": ("種類", "種別"),
        "suit": ("スート", "属性"),
        "number": ("rank", "数字", "数", "番号"),
        "points": ("vp", "点", "点数", "得点", "勝利点"),
        "provides": ("gives", "提供", "素材になるもの"),
        "needs": ("of", "必要", "必要素材", "材料"),
        "item": ("makes", "アイテム", "調合品", "完成品"),
        "bonus": ("ボーナス", "調合点"),
    },
    needed=("code", "suit", "number", "points"),
    numbers=("number", "points", "bonus"),
    choices={"kind": ("material", "method", "trump", "dancer"), "suit": SUIT_NAMES},
    lists={"needs": "provides"},
    deck=_of_table,
    column_of={
        "vp": "points",
        "recipe.item": "item",
        "recipe.needs": "needs",
        "recipe.bonus": "bonus",
    },
)

KIND: DeckKind[Deck] = DeckKind(
    game="king",
    key="card",
    data=CheckedDeck,
    package="solver.games.king",
    house_file="king-house.toml",
    table=TABLE,
)


def house() -> Deck:
    """The shipped house deck."""
    return KIND.house


# ----------------------------------------------------------------------------------------------------
# The faces of the cards of a deck.


def faces(variant: str | None, deck: Any) -> tuple[CardFace, ...]:
    """What is printed on each of the fifty cards, in the deck's order.

    `deck` is a name, a deck as users write it, or None for the house deck.
    """
    return tuple(_face(card) for card in deck_of(KIND, chosen(KIND, deck)).cards)


def _face(card: Card) -> CardFace:
    texts = {key: text for key, text in _row(card, translated).items() if text}
    return CardFace(
        card=texts.pop("card"),
        name=texts.pop("name"),
        suit=texts.pop("suit", None),
        rank=texts.pop("number"),
        copies=1,
        details=texts,
    )


def _row(card: Card, word: Callable[[str], str]) -> dict[str, str]:
    """The texts printed on a card, by column name; `word` translates a text."""
    recipe = card.recipe
    return {
        "card": card.code,
        "kind": card.kind,
        "name": word(card.name),
        "suit": word(SUIT_NAMES[card.suit]) if card.suit < SUITS else "",
        "number": str(card.number),
        "points": str(card.vp),
        "provides": word(card.provides) if card.provides else "",
        "makes": word(recipe.item) if recipe else "",
        "of": ", ".join(map(word, recipe.needs)) if recipe else "",
        "bonus": str(recipe.bonus) if recipe else "",
    }
