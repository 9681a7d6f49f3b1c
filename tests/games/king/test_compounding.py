"""Compounding: the kernel, the constraint solver and the slow reference compared; questions, answers, pictures."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from api import examples
from api.app import create_app
from api.cli.main import cli
from api.config import Config
from solver.answers import Compounding, MadeRecipe, Wishes
from solver.common import Random, mask, members
from solver.errors import RequestError
from solver.games.king.compounding import (
    ENDLESS,
    best,
    bonus_of,
    compound,
    optimistic,
    reduced,
    renumbered,
    tables,
    working_space,
)
from solver.games.king.compounding_question import recipe_graph
from solver.games.king.deck import Deck, house
from solver.limits import Control, Limit
from solver.positions import compounder, parse_position
from tests.games.king.decks import as_reference, random_cards, random_deck, small_sets
from tests.reference import compound as slow
from tests.support.amounts import Amount
from tests.support.proved import Proved


def decks(count: int, seed: int) -> list[Deck]:
    return [house() if number % 4 == 0 else random_deck(Random(seed, number)) for number in range(count)]


@pytest.mark.covered
@pytest.mark.small
def test_best_is_the_reference_s(amount: Amount) -> None:
    work = working_space()
    positive = 0
    for number, deck in enumerate(decks(amount(120), 1)):
        for cards in small_sets(deck, Random(2, number), 9, 12):
            expected = slow.best(as_reference(deck, cards))
            assert bonus_of(tables(deck), work, mask(cards), ENDLESS) == expected
            positive += expected > 0
    assert positive > amount(300)


@pytest.mark.small
def test_optimistic_is_never_too_low(amount: Amount) -> None:
    work = working_space()
    for number, deck in enumerate(decks(amount(30), 3)):
        for cards in small_sets(deck, Random(4, number), 50, amount(30)):
            exact = bonus_of(tables(deck), work, mask(cards), ENDLESS)
            assert exact <= optimistic(tables(deck), work, mask(cards))


@pytest.mark.small
def test_a_reduced_set_is_worth_the_same_with_whatever_joins_it(amount: Amount) -> None:
    work = working_space()
    sizes = [0, 0]
    for number, deck in enumerate(decks(amount(60), 5)):
        table = tables(deck)
        original = {int(renumbered(table, 1 << card)): card for card in range(50)}
        random = Random(6, number)
        possible = random_cards(random, 6 + random.below(10))
        different: dict[int, set[int]] = {}
        for cards in small_sets(deck, random, 14, amount(40)):
            own = mask(card for card in cards if card not in possible)
            key = int(reduced(table, own, mask(possible)))
            instead = mask(original[1 << place] for place in members(key))
            assert instead & mask(possible) == 0
            different.setdefault(key, set()).add(own)
            joining = [mask(card for card in possible if random.below(2)) for _ in range(8)]
            for joined in [0, mask(possible), *joining]:
                assert bonus_of(table, work, own | joined, ENDLESS) == bonus_of(
                    table, work, instead | joined, ENDLESS
                )
        sizes[0] += len(different)
        sizes[1] += sum(map(len, different.values()))
    assert sizes[0] < sizes[1]


@pytest.mark.covered
@pytest.mark.small
def test_more_cards_are_never_worse(amount: Amount) -> None:
    work = working_space()
    for number, deck in enumerate(decks(amount(40), 7)):
        cards = random_cards(Random(8, number), 50)
        values = [bonus_of(tables(deck), work, mask(cards[:size]), ENDLESS) for size in range(51)]
        assert values == sorted(values)


PROVED = Proved("king_compounding")


def cases(count: int, seed: int) -> Iterator[tuple[Deck, Random, list[int]]]:
    for number in range(count):
        random = Random(seed, number)
        deck = house() if number % 4 == 0 else random_deck(random)
        for cards in small_sets(deck, random, 8, 6):
            yield deck, random, cards


class Reference:
    """Every set of recipes that a hand can make, and whether the cards of `must` can serve in it."""

    def __init__(self, deck: Deck, cards: list[int], must: list[int], without: list[int]) -> None:
        self.deck = deck
        usable = [card for card in cards if card not in without]
        self.allowed: dict[frozenset[int], bool] = {}
        for made in slow.compoundings(as_reference(deck, usable)):
            used = {usable[card] for carrier, uses in made for card in (carrier, *uses)}
            carriers = frozenset(usable[carrier] for carrier, _ in made)
            if must or all(self._bonus(card) for card in carriers):
                self.allowed[carriers] = self.allowed.get(carriers, False) or used >= set(must)

    def _bonus(self, card: int) -> int:
        recipe = self.deck.cards[card].recipe
        return recipe.bonus if recipe else 0

    def bonus(self, made: frozenset[int]) -> int:
        return sum(map(self._bonus, made))

    def _order(self, made: frozenset[int]) -> tuple[int, int, list[bool]]:
        recipes = [self.deck.cards[card].recipe for card in made]
        used = sum(1 + len(recipe.needs) for recipe in recipes if recipe)
        return -self.bonus(made), used, [card not in made for card in range(50)]

    def ways(self, count: int) -> list[frozenset[int]]:
        """The best sets of recipes, best first; of several, those to which none can be added."""
        found = [made for made, allowed in self.allowed.items() if allowed]
        if count > 1:
            found = [made for made in found if not self._extensible(made)]
        return sorted(found, key=self._order)[:count]

    def _extensible(self, made: frozenset[int]) -> bool:
        return any(
            made < more and len(more) == len(made) + 1 and self._bonus(*(more - made)) for more in self.allowed
        )


def check_recipes(deck: Deck, cards: list[int], recipes: tuple[MadeRecipe, ...]) -> None:
    """Every card serves once, and each recipe has what it needs."""
    used = [code for made in recipes for code in (made.card, *made.uses)]
    assert len(used) == len(set(used))
    assert set(used) <= set(deck.codes(cards))
    for made in recipes:
        recipe = deck.cards[deck.index[made.card]].recipe
        assert recipe is not None
        assert tuple(deck.cards[deck.index[code]].provides for code in made.uses) == recipe.needs
        assert (made.item, made.bonus) == (recipe.item, recipe.bonus)


def carriers(deck: Deck, recipes: tuple[MadeRecipe, ...]) -> frozenset[int]:
    return frozenset(deck.index[made.card] for made in recipes)


def check_total(deck: Deck, cards: list[int], found: Compounding) -> None:
    check_recipes(deck, cards, found.recipes)
    assert found.bonus == sum(made.bonus for made in found.recipes)
    assert found.vp == sum(deck.cards[card].vp for card in cards)
    assert found.total == found.vp + found.bonus


@pytest.mark.covered
@pytest.mark.small
def test_the_best_is_the_reference_s(amount: Amount) -> None:
    for deck, _, cards in cases(amount(60), 11):
        [made] = Reference(deck, cards, [], []).ways(1)
        found = best(deck, cards)
        check_total(deck, cards, found)
        assert carriers(deck, found.recipes) == made
        assert compound(deck, cards, Control()).recipes == found.recipes


@pytest.mark.small
def test_must_without_and_several_ways_are_the_reference_s(amount: Amount) -> None:
    impossible = several = 0
    for deck, random, cards in cases(max(20, amount(60)), 12):  # of which some are impossible
        must = [card for card in cards if random.below(5) == 0]
        without = [card for card in cards if card not in must and random.below(6) == 0]
        count = 1 + random.below(4)
        expected = Reference(deck, cards, must, without).ways(count)
        if not expected:
            impossible += 1
            with pytest.raises(RequestError) as caught:
                compound(deck, cards, Control(), must=must, without=without, count=count)
            assert (caught.value.code, caught.value.path) == ("impossible", "must")
            continue
        found = compound(deck, cards, Control(), must=must, without=without, count=count)
        assert found.exact
        assert found.bounds == (found.total, found.total)
        check_total(deck, cards, found)
        ways = found.ways if found.ways is not None else (found,)
        assert [carriers(deck, way.recipes) for way in ways] == expected
        several += len(expected) > 1
        for way in ways:
            check_recipes(deck, [card for card in cards if card not in without], way.recipes)
            used = {code for made in way.recipes for code in (made.card, *made.uses)}
            assert used >= set(deck.codes(must))
    assert impossible > 6
    assert several > 2


@pytest.mark.small
def test_missing_cards_are_ranked_by_what_they_add() -> None:
    for number in range(6):
        random = Random(13, number)
        deck = random_deck(random) if number % 2 else house()
        cards = random_cards(random, 12)
        found = compound(deck, cards, Control(), missing=True)
        assert found.missing is not None
        expected = {}
        for card in set(range(50)) - set(cards):
            more = best(deck, [*cards, card])
            expected[deck.cards[card].code] = (
                more.total - found.total,
                more.vp - found.vp,
                more.bonus - found.bonus,
            )
        assert {gain.card: (gain.gain, gain.vp, gain.bonus) for gain in found.missing} == expected
        order = [(-gain.gain, deck.index[gain.card]) for gain in found.missing]
        assert order == sorted(order)


@pytest.mark.slow
def test_the_kernel_and_the_constraint_solver_agree() -> None:
    for number in range(250):
        random = Random(16, number)
        deck = house() if number % 3 == 0 else random_deck(random)
        cards = random_cards(random, 15 + random.below(36))
        found = best(deck, cards)
        check_total(deck, cards, found)

        def check_by_solver(deck: Deck = deck, cards: list[int] = cards, found: Compounding = found) -> None:
            proved = compound(deck, cards, Control())
            assert proved.exact
            check_total(deck, cards, proved)
            assert proved.recipes == found.recipes

        PROVED.check(repr((as_reference(deck, list(range(50))), cards)), repr(found.recipes), check_by_solver)
    PROVED.check_record()


@pytest.mark.small
def test_the_whole_house_deck_makes_108() -> None:
    found = compound(house(), range(50), Control())
    assert (found.bonus, found.exact) == (108, True)
    assert found.recipes == best(house(), range(50)).recipes


@pytest.mark.small
def test_a_limit_gives_proved_bounds() -> None:
    cut = 0
    for number in range(4):
        deck = house() if number == 0 else random_deck(Random(15, number))
        cards = list(range(50))
        exact = best(deck, cards)
        for limit in (Limit(nodes=1), Limit(seconds=0.001)):
            found = compound(deck, cards, Control(limit), count=3, missing=True)
            check_total(deck, cards, found)
            assert found.bounds[0] == found.total <= exact.total <= found.bounds[1]
            assert not found.exact or found.bounds[0] == found.bounds[1]
            cut += not found.exact
    assert cut > 0


def test_a_cancelled_question_has_an_answer_too() -> None:
    cancel = threading.Event()
    cancel.set()
    found = compound(house(), list(range(50)), Control(cancel=cancel))
    check_total(house(), list(range(50)), found)
    assert not found.exact
    assert found.bounds[0] <= best(house(), range(50)).total <= found.bounds[1]
    with pytest.raises(RequestError, match="limit") as caught:
        compound(house(), list(range(50)), Control(cancel=cancel), must=[0])
    assert caught.value.code == "limit_reached"


@pytest.mark.small
def test_nothing_makes_nothing() -> None:
    found = compound(house(), [], Control(), count=2)
    assert (found.vp, found.bonus, found.total, found.recipes) == (0, 0, 0, ())
    assert best(house(), []).recipes == ()


# Electrum with gold F10 or A10, the Elixir with the other one.
CARDS = ["F6", "F7", "F10", "F11", "W4", "W7", "W9", "W10", "E9", "A7", "A10", "D"]
POSITION = {"game": "king", "deck": "house", "cards": CARDS}
ELECTRUM = {"card": "F11", "item": "Electrum", "uses": ["F10", "W7"], "bonus": 7}
PEWTER = {"card": "W9", "item": "Pewter", "uses": ["W4", "W10"], "bonus": 5}
ELIXIR = {"card": "D", "item": "Elixir of Life", "uses": ["F6", "F7", "A10"], "bonus": 15}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config(default_seconds=600, max_seconds=600)).test_client()


def run(*args: str, stdin: object = POSITION) -> Result:
    return CliRunner().invoke(cli, ["compound", "-", *args], input=json.dumps(stdin))


def test_the_contract_s_answer(client: FlaskClient) -> None:
    found = client.post("/v1/compound", json={"position": POSITION, "limit": {"seconds": 20}})
    assert found.status_code == 200, found.text
    answer = found.get_json()
    assert list(answer)[:4] == ["vp", "bonus", "total", "recipes"]
    assert {key: answer[key] for key in ("vp", "bonus", "total", "exact", "bounds")} == {
        "vp": 11, "bonus": 27, "total": 38, "exact": True, "bounds": [38, 38],
    }  # fmt: skip
    assert answer["recipes"] == [ELECTRUM, PEWTER, ELIXIR]
    assert "ways" not in answer
    assert "missing" not in answer


@pytest.mark.small
def test_wishes(client: FlaskClient) -> None:
    body = {"position": POSITION, "must": ["E9"], "without": ["A10"], "best": 3, "missing": True}
    answer = client.post("/v1/compound", json=body).get_json()
    assert answer["exact"]
    assert [recipe["card"] for recipe in answer["recipes"]] == ["E9", "D"]
    assert answer["ways"][0]["recipes"] == answer["recipes"]
    assert all("E9" in json.dumps(way) and "A10" not in json.dumps(way) for way in answer["ways"])
    totals = [way["total"] for way in answer["ways"]]
    assert totals == sorted(totals, reverse=True)
    assert answer["missing"][0]["gain"] >= answer["missing"][-1]["gain"]
    assert {gain["card"] for gain in answer["missing"]}.isdisjoint(CARDS)


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"position": POSITION | {"cards": ["F1", "Q9"]}}, "illegal_card", "position.cards[1]"),
        ({"position": POSITION | {"cards": ["F1", "F1"]}}, "duplicate_card", "position.cards[1]"),
        ({"position": POSITION | {"deck": "none"}}, "unknown_deck", "position.deck"),
        ({"position": POSITION | {"hands": []}}, "unknown_key", "position.hands"),
        ({"position": {"game": "alchemy", "variant": "free", "min_line": 1, "line": ["A"], "hand": "A"}},
         "not_offered", ""),
        ({"must": ["F10", "X"]}, "illegal_card", "must[1]"),
        ({"must": ["F1"]}, "illegal_card", "must[0]"),
        ({"must": ["F10", "F10"]}, "duplicate_card", "must[1]"),
        ({"without": ["T1"]}, "illegal_card", "without[0]"),
        ({"must": ["F10"], "without": ["W7", "F10"]}, "conflict", "without[1]"),
        ({"must": ["F11", "E9"]}, "impossible", "must"),
        ({"best": 0}, "out_of_range", "best"),
        ({"best": 101}, "out_of_range", "best"),
        ({"missing": 1}, "wrong_type", "missing"),
        ({"model": "maxn"}, "unknown_key", "model"),
    ],
)  # fmt: skip
def test_errors_name_the_key(client: FlaskClient, change: dict[str, Any], code: str, path: str) -> None:
    found = client.post("/v1/compound", json={"position": POSITION} | change)
    assert found.status_code == 422
    error = found.get_json()["error"]
    assert (error["code"], error["path"]) == (code, path)
    assert error["message"]


def test_the_document_s_examples_work(client: FlaskClient) -> None:
    for example in examples.questions("compound").values():
        found = client.post("/v1/compound", json=example["value"])
        assert found.status_code == 200
        assert found.get_json()["exact"]


def test_other_positions_are_not_compounded() -> None:
    from solver.games.king import GAME

    position = GAME.deal(1)
    with pytest.raises(RequestError) as caught:
        compounder(position)
    assert caught.value.code == "not_offered"
    position = parse_position(POSITION)
    with pytest.raises(RequestError, match="1 to 100"):
        compounder(position).answer(position, None, Wishes(best=0))  # type: ignore[arg-type]


@pytest.mark.small
def test_the_command_prints_the_recipes() -> None:
    result = run()
    assert result.exit_code == 0, result.output
    for text in (
        "38: 11 for the cards, 27 for recipes",
        "Electrum",
        "F10 W7",
        "Pewter",
        "Elixir of Life",
        "exact",
    ):
        assert text in result.output
    assert run(stdin=POSITION | {"cards": []}).output.count("No recipe can be made.") == 1


@pytest.mark.small
def test_the_command_s_wishes() -> None:
    result = run("--best", "2", "--must", "E9", "--without", "A10", "--missing", "--seconds", "600")
    assert result.exit_code == 0, result.output
    for text in ("Way 1: ", "Amalgam", "One more card would add:", "… and "):
        assert text in result.output
    assert "… and " not in run("--missing", "--all").output


def test_the_command_s_json() -> None:
    answer = json.loads(run("--json").output)
    assert answer["recipes"] == [ELECTRUM, PEWTER, ELIXIR]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--must", "F1"], "must[0]: F1 is not among the cards"),
        (["--must", "F11", "--must", "E9"], "no compounding of these cards uses F11, E9"),
        (["--best", "1000"], "1 to 100 is expected, not 1000"),
        (["--svg", "/nowhere/at/all.svg"], "cannot write /nowhere/at/all.svg"),
    ],
)
def test_the_command_s_failures(args: list[str], message: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.covered
@pytest.mark.small
def test_the_command_draws(tmp_path: Path) -> None:
    file = tmp_path / "hand.svg"
    assert run("--svg", str(file), "--json").exit_code == 0
    check_picture(file.read_text(encoding="utf-8"), recipes=5)


def check_picture(text: str, recipes: int) -> None:
    """A well-formed picture; no two texts overlap, and all are inside."""
    root = ElementTree.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    wide, high = float(root.attrib["width"]), float(root.attrib["height"])
    spots = []
    for found in root.iter(f"{space}text"):
        content = found.text or ""
        long = len(content) * 7.6 * (1.35 if found.attrib.get("class") == "title" else 1)
        x, y = float(found.attrib["x"]), float(found.attrib["y"])
        left = x - long / 2 if found.attrib["text-anchor"] == "middle" else x
        spots.append((left, left + long, y, content))
        assert left >= 0
        assert left + long <= wide
        assert 8 <= y <= high - 8
    for at, (left, right, y, _) in enumerate(spots):
        for other_left, other_right, other_y, _ in spots[at + 1 :]:
            assert abs(y - other_y) >= 15 or right <= other_left or other_right <= left
    assert sum(bool(re.search(r"\+\d+$", content)) for *_, content in spots) == recipes


@pytest.mark.small
def test_a_picture_of_a_few_cards() -> None:
    cards = range(0, 50, 4)
    recipes = sum(house().cards[card].recipe is not None for card in cards)
    check_picture(recipe_graph(house(), cards, best(house(), cards)), recipes=recipes)


def test_pictures_of_any_deck_are_readable() -> None:
    check_picture(recipe_graph(house(), range(50)), recipes=22)
    check_picture(recipe_graph(house(), range(50), best(house(), range(50))), recipes=22)
    check_picture(recipe_graph(house(), []), recipes=0)
    for number in range(12):
        deck = random_deck(Random(21, number))
        cards = [card for card in range(50) if deck.cards[card].recipe]
        text = recipe_graph(deck, range(50), best(deck, range(50)))
        assert recipe_graph(deck, range(50), best(deck, range(50))) == text
        ElementTree.fromstring(text)
        assert text.count("<rect") > len(cards)


def test_the_picture_does_not_depend_on_the_process() -> None:
    code = (
        "from solver.games.king.deck import house; "
        "from solver.games.king.compounding_question import recipe_graph; "
        "print(recipe_graph(house(), range(0, 50, 2)))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert texts == {recipe_graph(house(), range(0, 50, 2)) + "\n"}
