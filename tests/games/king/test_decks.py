"""King × Alchemy's decks: the house deck, what a user's deck is refused for, and decks inside positions."""

from __future__ import annotations

import tomllib

import pytest

from solver.common import mask
from solver.errors import PositionError
from solver.games.king.deck import CARDS, DANCER, KIND, SUIT_CARDS, TRUMP, TRUMPS, Recipe, house
from solver.games.king.position import Round
from solver.positions import parse_position, position_data
from tests.games.king.decks import TEXT, house_data
from tests.games.king.examples import ENDING
from tests.support.kinds import of_kind


def test_the_house_deck() -> None:
    deck = house()
    assert (deck.name, deck.title, deck.suits) == ("house", "House deck", ("F", "W", "E", "A"))
    assert [cards.bit_count() for cards in deck.of_suit] == [11, 11, 11, 11, TRUMPS, 1]
    assert len(deck.cards) == CARDS == SUIT_CARDS + TRUMPS + 1
    assert deck.cards[deck.index["T3"]].suit == TRUMP
    dancer = deck.cards[deck.dancer]
    assert (dancer.code, dancer.suit, dancer.number) == ("D", DANCER, 6)
    carrier = deck.cards[deck.index["F3"]]
    assert (carrier.provides, carrier.recipe) == ("Calcination", Recipe("Red Calx", ("Iron", "Vitriol"), 5))
    assert deck.vp(mask(range(CARDS))) == sum(card.vp for card in deck.cards)
    assert deck is house()


def test_a_deck_of_another_order() -> None:
    mixed = house_data()
    mixed["card"].reverse()
    mixed["suits"] = {"A": "Wind", "E": "Earth", "W": "Water", "F": "Fire"}
    del mixed["title"]
    deck = KIND.read(mixed)
    assert (deck.dancer, deck.index["F1"], deck.suits, deck.title) == (0, 49, ("F", "W", "E", "A"), "house")


@pytest.mark.parametrize(
    ("old", "new", "code", "path", "words"),
    [
        ('code = "F2"', 'code = "F1"', "duplicate_card", "card[1].code", "F1 is already card[0]"),
        ('code = "F2"', 'code = "F 2"', "wrong_text", "card[1].code", "'F 2'"),
        ('code = "F2"', 'code = "D:F"', "wrong_text", "card[1].code", "'D:F'"),
        ('code = "F2"', 'code = "take"', "wrong_text", "card[1].code", "'take'"),
        ('code = "F2"', "code = 2", "wrong_type", "card[1].code", "text is expected"),
        ('code = "F2"', 'code = "TWENTYONE"', "wrong_size", "card[1].code", "8"),
        ('suit = "W"\nnumber = 3', 'suit = "Z"\nnumber = 3', "unknown_value", "card[13].suit", "card W3: "),
        ('suit = "W"\nnumber = 3', "number = 3", "missing_key", "card[13].suit", "card W3: a method has a suit"),
        ('name = "Apprentice"', 'name = "A"\nsuit = "F"', "conflict", "card[44].suit",
         "card T1: a trump has no suit"),
        ('suit = "W"\nnumber = 3', 'suit = "W"\nnumber = 2', "conflict", "card[13].number",
         "the number 2 is taken by W2"),
        ('name = "Herbalist"\nnumber = 2', 'name = "H"\nnumber = 1', "conflict", "card[45].number",
         "the number 1 is taken by T1"),
        ("number = 7", "number = -7", "out_of_range", "card[6].number", "card F7: "),
        ("number = 7", "number = 7.0", "wrong_type", "card[6].number", "card F7: "),
        ("vp = 3", "vp = -3", "out_of_range", "card[0].vp", "card F1: "),
        ("vp = 3", "vp = true", "wrong_type", "card[0].vp", "card F1: "),
        ("vp = 3", "vp = 1000", "out_of_range", "card[0].vp", "999"),
        ("vp = 3\n", "", "missing_key", "card[0].vp", "card F1: vp is missing"),
        ("bonus = 5", "bonus = -1", "out_of_range", "card[2].recipe.bonus", "card F3: "),
        ('"Iron", "Vitriol"', '"Iron", "Vitriole"', "unknown_value", "card[2].recipe.needs[1]",
         "card F3: no card"),
        ('provides = "Vitriol"', 'provides = "Vitrol"', "unknown_value", "card[15].provides",
         "card W5: no recipe needs 'Vitrol'; did you mean Vitriol?"),
        *((f'provides = "{name}"', f'provides = "{slip}"', "unknown_value", path, f"did you mean {name}?")
          for name, slip, path in (("Tin", "Tinn", "card[14].provides"), ("Iron", "Irron", "card[4].provides"),
                                   ("Lead", "Lad", "card[20].provides"),
                                   ("Amber", "ambar", "card[1].provides"))),
        ('"Iron", "Vitriol"', "", "wrong_size", "card[2].recipe.needs", "card F3: "),
        ('kind = "dancer"', 'kind = "trump"', "wrong_size", "card",
         "5 of them of kind trump; this one has 50 and 6"),
        ('kind = "dancer"', 'kind = "joker"', "unknown_value", "card[49].kind", "card D: "),
        ('A = "Wind"', 'A = "Air"', "unknown_value", "suits.A", "Wind"),
        ('A = "Wind"', 'A = "Fire"', "missing_key", "suits", "no letter stands for Wind"),
        ('A = "Wind"\n', "", "wrong_size", "suits", "4"),
        ('name = "house"\n', "", "missing_key", "name", "name"),
        ('provides = "Salt"\n', 'provide = "Salt"\n', "unknown_key", "card[11].provide", "card W1: "),
        ("[[card]]", "[[cards]]", "unknown_key", "cards", "cards"),
    ],
)  # fmt: skip
def test_faults_of_decks(old: str, new: str, code: str, path: str, words: str) -> None:
    assert old in TEXT
    changed = TEXT.replace(old, new) if old == "[[card]]" else TEXT.replace(old, new, 1)
    with pytest.raises(PositionError) as found:
        KIND.read(tomllib.loads(changed))
    assert (found.value.code, found.value.path) == (code, path)
    assert words in found.value.message


def test_all_faults_of_a_deck_at_once() -> None:
    """A card that cannot be read hides nothing that is wrong with the others."""
    wrong = house_data()
    wrong["card"][0]["vp"] = "many"
    wrong["card"][1]["suit"] = "Z"
    wrong["card"][4]["code"] = "F4"
    with pytest.raises(PositionError) as found:
        KIND.read(wrong)
    paths = {one.path for one in found.value.faults}
    assert paths == {"card[0].vp", "card[1].suit", "card[4].code", "card[3].code"}


def test_fifty_cards() -> None:
    short = house_data()
    short["card"].pop(0)
    with pytest.raises(PositionError, match="44 of them with a suit; this one has 49 and 43"):
        KIND.read(short)
    with pytest.raises(PositionError) as found:
        KIND.read([1])
    assert found.value.code == "wrong_type"


def test_a_deck_inside_a_position() -> None:
    own = house_data()
    own["card"][0]["vp"] = 7
    position = of_kind(Round, parse_position(ENDING | {"deck": own, "won": [["F1"], [], []]}))
    assert position.full_deck.cards[0].vp == 7
    assert parse_position(position_data(position)) == position
    own["card"][2]["recipe"]["needs"][1] = "Vitriole"
    with pytest.raises(PositionError) as found:
        parse_position(ENDING | {"deck": own})
    assert found.value.path == "deck.card[2].recipe.needs[1]"
    assert found.value.message.startswith("card F3: no card provides 'Vitriole'")
    with pytest.raises(PositionError) as found:
        parse_position(ENDING | {"deck": own | {"card": 3}})
    assert (found.value.code, found.value.path) == ("wrong_type", "deck.card")


@pytest.mark.parametrize(("deck", "code"), [("mine", "unknown_deck"), ("", "wrong_size"), (3, "wrong_type")])
def test_a_deck_that_is_none(deck: object, code: str) -> None:
    with pytest.raises(PositionError) as found:
        parse_position(ENDING | {"deck": deck})
    assert (found.value.code, found.value.path) == (code, "deck")
