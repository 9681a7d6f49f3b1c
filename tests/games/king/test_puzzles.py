"""King × Alchemy's puzzles: how they are made, and that the collection's solutions are right."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from puzzles import wording
from puzzles.check import solve_puzzle
from puzzles.format import Puzzle, dumps, from_data, load, loads
from solver.errors import PuzzleError
from solver.games.king import GAME
from solver.games.king.compounding import compound, demand
from solver.games.king.deck import SUITS, house
from solver.games.king.position import CardSet, Round
from solver.games.king.puzzles import by_rule, dear, thrifty, totals_by
from solver.limits import Control, Limit
from solver.positions import parse_position, position_data
from solver.puzzle_maker import BEST_MOVE, HIDDEN_HAND, VALUE, Candidate, composer_of
from tests.reference import king as ref
from tests.reference.king_deck import DANCER, TRUMP, Deck
from tests.support import places
from tests.support.kinds import of_kind
from tests.support.puzzle_checks import collection

ROUND = "king hands=A3/F2,D/W7,A7/A1,A8 trick=0:A10"


def position(text: str) -> Round:
    return of_kind(Round, parse_position(text))


def test_recipes_make_the_suits_of_the_house_differ() -> None:
    """So no puzzle is another one with its suits exchanged."""
    suits = {
        tuple(
            (card.number, card.vp, card.recipe and card.recipe.bonus)
            for card in house().cards
            if card.suit == suit
        )
        for suit in range(SUITS)
    }
    assert len(suits) == SUITS


def test_seats_turned_round_are_the_same() -> None:
    known = position(ROUND)
    turned = known.model_copy(
        update={"hands": (known.hands[-1], *known.hands[:-1]), "leader": 1, "won": ((),) * 4}
    )
    composer = composer_of(GAME)
    assert composer.symmetry(BEST_MOVE, Candidate(turned)) == composer.symmetry(BEST_MOVE, Candidate(known))
    assert composer.symmetry(VALUE, Candidate(known)) != composer.symmetry(BEST_MOVE, Candidate(known))


@pytest.mark.parametrize(
    ("text", "best", "themes"),
    [
        # The Dancer could be named A and win nothing; F2 is thrown.
        ("hands=A3/F2,D/W7,A7/A1,A8 trick=0:A10", "F2", ["keep the Dancer"]),
        # A7 wins for certain and the lower A1 gives the lead away.
        ("hands=F1/F2/F3/A1,A7 trick=0:A2,A3,A4", "A1", ["lose on purpose"]),
        ("hands=F1/F2/F3/A7,T1 trick=0:A2,A3,A4", "T1", ["trump"]),
        ("hands=F1/F2/F3/F4/F5 trick=0:A2,F11,A9,E10,A5", "take A2 A5 give F11", ["what to give"]),
    ],
)
def test_themes(text: str, best: str, themes: list[str]) -> None:
    known = position(f"king {text}")
    analysis = GAME.analyze(known, Control(), model="ally")
    after = GAME.analyze(GAME.play(known, GAME.parse_move(known, best)), Control(), model="ally")
    assert analysis.exact
    found = composer_of(GAME).themes_of(BEST_MOVE, Candidate(known, "ally"), best, [best, *after.line])
    assert set(themes) <= set(found)


def test_rules_of_thumb() -> None:
    deck = house()
    cards = [deck.index[code] for code in ("F3", "F6", "F8", "W3", "W5", "E3", "E8", "A1")]
    assert by_rule(deck, cards, dear) in (5, 10)
    assert by_rule(deck, cards, thrifty) <= 10
    known = position("king hands=F1/F2/F3/A1,A7 trick=0:A2,A3,A4")
    assert composer_of(GAME).obvious(BEST_MOVE, Candidate(known)) == "A7"


VIEW = (
    "king seat=2 hand=E2,E5,A10 pick=E10,E11,A7 removed=F8,W6,E3,T2,D history=0:W2,T1,T4:take:W2,T1/2:F10,F11,F3:"
    "take:F3,F10/0:W10,W5,W3:take:W3,W5/0:W1,W4,W8:take:W1,W4/2:A11,T3,A6:give:A6/0:F9,F4,T5:take:F4:give:F9/2:E1,F1,E8:"
    "take:F1,E1/1:W11,A4,W7:take:W7,A4/1:E7,E6,F2:take:F2,E6/1:F6,F7,F5:take:F5,F6/2:A9,A3,A5:take:A3,A5"
)


@pytest.mark.parametrize("model", ["paranoid", None])
def test_views_turned_round_share_a_key(model: str | None) -> None:
    def key(view: str) -> str:
        return composer_of(GAME).symmetry(HIDDEN_HAND, Candidate(parse_position(view), model))

    turned = re.sub(r"(history=|/)(\d)(?=:)", lambda found: f"{found[1]}{(int(found[2]) + 1) % 3}", VIEW)
    turned = turned.replace("seat=2", "seat=0").replace("pick=E10,E11,A7", "pick=A7,E10,E11")
    assert key(turned) == key(VIEW)
    assert key(VIEW.replace("hand=E2,E5", "hand=E4,E5")) != key(VIEW)


PUZZLES = [puzzle for puzzle in collection("king") if puzzle.ask in ("best-move", "value")]


def loaded(puzzle: Puzzle) -> tuple[Deck, ref.State]:
    return ref.load(position_data(puzzle.position))


def test_every_number_of_players_is_there() -> None:
    assert {len(loaded(puzzle)[1].hands) for puzzle in PUZZLES} == {3, 4, 5}


def test_every_kind_of_decision_is_there() -> None:
    kinds: Counter[str] = Counter()
    for puzzle in PUZZLES:
        assert puzzle.solution is not None
        if puzzle.solution.best is None:
            continue
        deck, now = loaded(puzzle)
        move = next(move for move in ref.legal(deck, now) if ref.text(deck, move) == puzzle.solution.best[0])
        if isinstance(move, ref.Take):
            takings = {other.taken for other in ref.takings(deck, now.trick)}
            kinds["take" if len(takings) > 1 else "give"] += 1
        else:
            kinds[deck[move.card].suit if deck[move.card].suit in (TRUMP, DANCER) else "suit card"] += 1
            dancer = any(deck[card].suit == DANCER for card in now.hands[ref.to_move(deck, now)])
            kinds["dancer kept"] += dancer and deck[move.card].suit != DANCER
        kinds["held down"] += puzzle.model == "paranoid" and puzzle.player is not None
    assert (
        min(kinds[kind] for kind in ("take", "give", TRUMP, DANCER, "suit card", "dancer kept", "held down")) >= 2
    )


FILE = load(places.COLLECTION / "king.toml")
COMPOUNDINGS = [puzzle for puzzle in FILE.puzzles if puzzle.ask == "compound"]

POSITION = {"game": "king", "deck": "house", "cards": ["F3", "F6", "F8", "W3", "W5", "E3", "E8", "A1"]}
RECIPES = [{"card": "W3", "uses": ["A1", "W5"]}, {"card": "E3", "uses": ["F8", "E8"]}]


def test_the_collection_of_compoundings() -> None:
    assert len(COMPOUNDINGS) >= 10
    assert len({puzzle.grade for puzzle in COMPOUNDINGS}) > 1
    assert all(puzzle.solution is not None and wording.note(puzzle) for puzzle in COMPOUNDINGS)
    assert loads(dumps(FILE)) == FILE


@pytest.mark.parametrize("puzzle", COMPOUNDINGS, ids=lambda puzzle: puzzle.id)
def test_the_solver_confirms_and_greed_is_wrong(puzzle: Puzzle) -> None:
    assert solve_puzzle(puzzle, Limit()).status == "confirmed"
    position = of_kind(CardSet, puzzle.position)
    assert puzzle.solution is not None
    ways = compound(position.full_deck, position.numbers, Control(), count=2).ways
    assert ways is not None
    assert all(way.bonus < ways[0].bonus for way in ways[1:])
    assert by_rule(house(), position.numbers, dear) < ways[0].bonus
    totals = greedy_totals(house(), position.numbers)
    assert totals_by(house(), position.numbers, dear) == totals
    said = f"may add up to only {min(totals)}: it depends" if len(totals) > 1 else f"add up to {min(totals)}."
    assert said in wording.note(puzzle)


def greedy_totals(deck: Any, cards: Sequence[int], made: Sequence[int] = ()) -> set[int]:
    """Every order of equal recipes."""
    left = Counter(deck.cards[card].provides for card in cards)
    for card in made:
        left.subtract(demand(deck, card))
    able = [
        card
        for card in cards
        if deck.cards[card].recipe and card not in made
        if all(left[need] >= units for need, units in demand(deck, card).items())
    ]
    most = max((deck.cards[card].recipe.bonus for card in able), default=0)
    first = [card for card in able if deck.cards[card].recipe.bonus == most]
    return {total + most for card in first for total in greedy_totals(deck, cards, [*made, card])} or {0}


def puzzle(**solution: Any) -> Puzzle:
    data = {"id": "p", "title": "T", "ask": "compound", "position": POSITION, "solution": solution}
    (read,) = from_data({"puzzle": [data]}).puzzles
    return read


@pytest.mark.parametrize(
    ("solution", "reason"),
    [
        ({"total": 20}, "the total is 21, not 20"),
        ({"bonus": 11}, "the bonus is 10, not 11"),
        ({"recipes": RECIPES[:1]}, "the recipes have a bonus of 5, but 10 can be made"),
        ({"bonus": 10, "recipes": []}, "the recipes have a bonus of 0, but 10 can be made"),
    ],
)
def test_a_wrong_solution_is_refuted(solution: dict[str, Any], reason: str) -> None:
    result = solve_puzzle(puzzle(**solution), Limit())
    assert (result.status, result.reason) == ("refuted", reason)
    assert result.found is not None
    assert (result.found.total, result.found.bonus) == (21, 10)


def test_any_best_way_is_confirmed() -> None:
    other = [{"card": "E3", "uses": ["E8", "F8"], "item": "Bronze", "bonus": 5}, RECIPES[0]]
    assert solve_puzzle(puzzle(recipes=other), Limit()).status == "confirmed"


def test_a_limit_leaves_it_unproved() -> None:
    result = solve_puzzle(puzzle(total=21), Limit(seconds=1e-9))
    assert (result.status, result.found) == ("unproved", None)
    assert result.reason is not None
    assert "before the total was proved" in result.reason


@pytest.mark.parametrize(
    ("solution", "path", "message"),
    [
        ({"recipes": [{"card": "T1", "uses": []}]}, "recipes[0].card", "T1 is not among the cards"),
        ({"recipes": [{"card": "X", "uses": []}]}, "recipes[0].card", "not a card of the deck"),
        ({"recipes": [{"card": "F8", "uses": []}]}, "recipes[0].card", "carries no recipe"),
        ({"recipes": [{"card": "W3", "uses": ["A1", "F8"]}]}, "recipes[0].uses[1]", "is not needed"),
        ({"recipes": [{"card": "W3", "uses": ["A1"]}]}, "recipes[0].uses", "also needs Vitriol"),
        ({"recipes": [*RECIPES, {"card": "F3", "uses": ["W5"]}]}, "recipes[2].uses[0]", "W5 is used twice"),
        ({"recipes": [RECIPES[0] | {"bonus": 6}]}, "recipes[0].bonus", "has the bonus 5"),
        ({"recipes": [RECIPES[0] | {"item": "Gold"}]}, "recipes[0].item", "makes Aqua Fortis"),
        ({"value": 3}, "value", "not 'compound'"),
        ({"best": ["F3"]}, "best", "not 'compound'"),
    ],
)
def test_what_cannot_be_made_is_no_solution(solution: dict[str, Any], path: str, message: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzle(**solution)
    assert caught.value.path == f"puzzle[0].solution.{path}"
    assert message in caught.value.message
