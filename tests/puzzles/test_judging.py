"""What is said of a move that answers a puzzle: why it is right, or what refutes it, checked by the rules."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from puzzles import judging, training
from puzzles.format import Puzzle, from_data
from puzzles.judging import Verdict, is_right, judge, solution_in_words
from puzzles.solution import Solution
from solver.answers import Analysis
from solver.errors import MoveError
from solver.language import speaking, voiced
from solver.limits import Control
from solver.positions import parse_position
from solver.registry import names


@cache
def collection(ask: str | None = "best-move") -> dict[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in training.chosen(ask=ask)}


def wrong_moves(puzzle: Puzzle) -> list[str]:
    game = puzzle.game
    moves = [game.format_move(puzzle.position, move) for move in game.legal_moves(puzzle.position)]
    assert puzzle.solution is not None
    return [move for move in moves if move not in (puzzle.solution.best or ())]


def played(game: Any, position: Any, moves: list[str]) -> Any:
    for move in moves:
        position = game.play(position, game.parse_move(position, move))
    return position


@pytest.mark.parametrize("game", names())
def test_the_answer_of_each_puzzle_is_known_in_words_and_nonsense_is_none(game: str) -> None:
    for puzzle in training.collection():
        if puzzle.game.name != game:
            continue
        told = solution_in_words(puzzle)
        assert told
        with pytest.raises(MoveError):
            judge(puzzle, "?")
        if puzzle.ask not in ("best-move", "compound", "all-matches"):
            assert is_right(puzzle, told)


def test_values_are_typed_as_people_write_them() -> None:
    line = "kirin hands=D5,S2/D1,ST/B4,G+/B2,G1 declared=D3,S1,B+,G6 leader=0 direction=ascending"
    known = {"id": "a", "title": "a", "ask": "value", "model": "maxn", "position": line}
    [puzzle] = from_data({"puzzle": [known | {"solution": {"value": [2, 2, 0, 0]}}]}).puzzle
    for typed in ("2 2 0 0", "2,2,0,0", "２／２／０／０", "2:2:0:0", "2; 2; 0; 0"):
        assert is_right(puzzle, typed)
        assert not is_right(puzzle, typed[::-1])
    values = collection("value").values()
    chances = [puzzle for puzzle in values if getattr(puzzle.position, "unseen", None)]
    for puzzle in chances[:3]:
        assert puzzle.solution is not None
        value = Fraction(str(puzzle.solution.value)).limit_denominator(100)
        assert is_right(puzzle, str(value))
        assert is_right(puzzle, f" {3 * value.numerator} ／ {3 * value.denominator}")
        assert not is_right(puzzle, f"{value.numerator}/{value.denominator + 30}")
        with pytest.raises(MoveError):
            is_right(puzzle, f"{value.numerator}/0")
    assert chances
    duel = next(puzzle for puzzle in values if getattr(puzzle.position, "is_duel", False))
    assert duel.solution is not None
    assert [is_right(duel, text) for text in (str(duel.solution.value), "0")] == [True, False]


def value_of(puzzle: Puzzle, position: Any) -> Any:
    seat = puzzle.position.seat_to_move  # type: ignore[attr-defined]
    found = puzzle.game.analyze(position, Control(), model=puzzle.model, player=seat)
    assert isinstance(found, Analysis)
    return found.value


@pytest.mark.parametrize("name", ["kirin-0001", "aqua-regia-0002"])
def test_the_line_after_a_wrong_move_is_legal_and_brings_less(name: str) -> None:
    puzzle = collection()[name]
    assert puzzle.solution is not None
    for move in wrong_moves(puzzle):
        found = judge(puzzle, move)
        assert found.correct is False
        assert found.line
        end = played(puzzle.game, puzzle.position, [move, *found.line])
        assert value_of(puzzle, end) < puzzle.solution.value
        assert (puzzle.solution.best or ("",))[0] not in found.explanation.replace(move, "")
    right = judge(puzzle, (puzzle.solution.best or ("",))[0])
    assert right.correct
    end = played(puzzle.game, puzzle.position, [right.answer, *right.line])
    assert value_of(puzzle, end) == puzzle.solution.value


def test_what_a_move_is_worth_is_said_in_words() -> None:
    puzzle = collection()["kirin-0001"]
    assert judge(puzzle, "B2").explanation == "B2: 0 points. The best move: 4 points."
    assert judge(puzzle, "s5").explanation == "S5: 4 points. B2, the next best: 0 points."
    with speaking("ja"):
        assert judge(puzzle, "B2").explanation == "B2なら0点。最善手なら4点。"
    with pytest.raises(MoveError):
        judge(puzzle, "D6")


def test_a_race_is_won_or_not() -> None:
    puzzle = collection()["aqua-regia-0002"]
    wrong = wrong_moves(puzzle)[0]
    assert "seat 0 does not win" in judge(puzzle, wrong).explanation
    with speaking(voiced("en", ["", "seat 1"])):
        assert judge(puzzle, wrong).explanation.endswith("you do not win. The best move: you win.")
    hidden = next(one for one in collection().values() if one.hidden and one.game.name == "aqua-regia")
    wrong = wrong_moves(hidden)[0]
    assert judge(hidden, wrong).explanation == f"{wrong}: may not win. The best move: wins for certain."


def test_of_a_held_down_seat_its_points_are_told() -> None:
    puzzle = next(
        one
        for one in collection().values()
        if one.game.name == "king" and one.player not in (None, getattr(one.position, "seat_to_move", None))
    )
    assert f"for seat {puzzle.player}" in judge(puzzle, wrong_moves(puzzle)[0]).explanation


@pytest.mark.parametrize("name", ["kirin-0023", "king-0039", "aqua-regia-best-move-133-49"])
def test_a_wrong_value_is_refuted_by_the_line_that_brings_another(name: str) -> None:
    puzzle = collection(None)[name]
    assert puzzle.solution is not None
    value: Any = puzzle.solution.value
    puzzle = puzzle.model_copy(update={"ask": "value", "solution": Solution(value=value)})
    if puzzle.game.race:
        wrong = {"no" if value else "yes": "Best play shows it."}
    else:
        wrong = {str(value + 1): "less", str(value - 1): "more"}
    for text, words in wrong.items():
        found = judge(puzzle, text)
        assert (found.correct, found.answer) == (False, text)
        assert words in found.explanation
        end = played(puzzle.game, puzzle.position, [*found.line])
        player = puzzle.player if puzzle.player is not None else puzzle.position.seat_to_move  # type: ignore[attr-defined]
        shown: Any = puzzle.game.analyze(end, Control(), model=puzzle.model, player=player)
        assert shown.value == value
    right = judge(puzzle, ("yes" if value else "no") if puzzle.game.race else str(value))
    assert right.correct
    if puzzle.game.race:
        assert right.explanation == "Best play shows it."
    else:
        mover = puzzle.position.seat_to_move  # type: ignore[attr-defined]
        who = "" if player == mover else f", which seat {mover} plays"
        assert right.explanation.startswith(f"Best play begins with {found.line[0]}{who}: ")
        assert f" {value} point" in right.explanation
    assert right.line == found.line


def test_who_says_that_a_lost_deal_can_be_won_sees_what_stays_in_the_stock() -> None:
    puzzle = collection(None)["alchemy-winnable-403-156"]
    found = judge(puzzle, "yes")
    end = played(puzzle.game, puzzle.position, [*found.line])
    left = len(end.stock)
    assert left
    assert f"{left} card" in found.explanation


def test_what_cards_are_worth_is_refuted_by_recipes_and_a_chance_by_its_side() -> None:
    puzzle = collection(None)["king-0001"]
    assert "bring more, for example: Aqua Fortis (W3: A1 W5)" in judge(puzzle, "20").explanation
    assert "bring less" in judge(puzzle, "22").explanation
    chance = collection(None)["alchemy-value-312-14"]
    assert chance.solution is not None
    assert chance.solution.value == pytest.approx(5 / 6)
    assert [judge(chance, text).explanation for text in ("82%", "85")] == ["It is more.", "It is less."]
    assert judge(chance, "83").correct


def test_in_a_duel_the_answer_is_the_best_grab() -> None:
    puzzle = collection()["alchemy-0027"]
    found = judge(puzzle, "7+8+8=4+6+K")
    assert found.explanation == (
        "7+8+8=4+6+K: 7 points, and 2 for the opponent. The best move: 6 points, and 0 for the opponent."
    )
    [answer] = found.line
    position: Any = puzzle.position
    assert answer.startswith(position.opponent_hand)


def test_every_right_answer_is_explained() -> None:
    kinds: dict[tuple[str, str, str | None, str | None], Puzzle] = {}
    for puzzle in collection(None).values():
        position: Any = puzzle.position
        if puzzle.ask != "all-matches" and not puzzle.judged:
            how = getattr(position, "variant", None), getattr(position, "objective", None)
            kinds.setdefault((puzzle.game.name, puzzle.ask, *how), puzzle)
    for kind, puzzle in kinds.items():
        solution = puzzle.solution
        assert solution is not None
        if puzzle.ask == "best-move":
            answer = (solution.best or ("",))[0]
        elif getattr(puzzle.position, "stock_hidden", False) and puzzle.position.is_solitaire:  # type: ignore[attr-defined]
            answer = f"{100 * solution.value:.0f}"  # type: ignore[operator]
        else:
            answer = solution_in_words(puzzle).split()[0]
        found = judge(puzzle, answer)
        assert found.correct, kind
        assert found.explanation, kind
        if kind[3]:
            assert "and no match" in found.explanation


def test_all_matches_are_counted_by_their_cards() -> None:
    puzzle = next(one for one in collection(None).values() if one.ask == "all-matches")
    moves = (puzzle.solution and puzzle.solution.moves) or ()
    told = judging.all_matches(puzzle)
    counts = [int(number) for number in re.findall(r"(\d+) with", told)]
    assert sum(counts) == len(moves)
    [size, *_] = [int(number) for number in re.findall(r"with (\d+) card", told)]
    assert size == min(len(re.split("[+=]", move)) - 1 for move in moves)


def test_every_kind_of_puzzle_has_an_answer() -> None:
    kinds: dict[tuple[str, str | None, bool, str | None], Puzzle] = {}
    for puzzle in collection().values():
        variant = getattr(puzzle.position, "variant", None)
        kinds.setdefault((puzzle.game.name, puzzle.model, puzzle.hidden, variant), puzzle)
    assert len(kinds) > 12
    for kind, puzzle in kinds.items():
        assert puzzle.solution is not None
        right = judge(puzzle, (puzzle.solution.best or ("",))[0])
        assert right.correct, kind
        assert right.explanation, kind
        for move in () if puzzle.judged else wrong_moves(puzzle)[:1]:  # those that are judged take long: see below
            found = judge(puzzle, move)
            assert found.correct is False, (kind, move)
            assert found.explanation, kind


def seen(puzzle: Puzzle, found: Verdict) -> bool:
    """Whether the seat of a puzzle sees its position in the deal of a reply."""
    assert found.example is not None
    position: Any = puzzle.position
    view: Any = puzzle.game.view(parse_position(found.example.text), position.seat)
    return sorted(view.hand) == sorted(position.hand) and view.trick == position.trick


def test_of_hidden_hands_deals_are_counted_and_one_is_shown_where_the_move_brings_less() -> None:
    hidden = [one for one in collection().values() if one.hidden and not one.judged and one.game.name == "king"]
    shown = 0
    for puzzle, move in [(one, move) for one in hidden[:2] for move in wrong_moves(one)]:
        found = judge(puzzle, move)
        assert found.cards_open
        assert 0 <= (found.worse_deals or 0) <= (found.deals or 0) - (found.better_deals or 0)
        if found.example is None:
            assert found.worse_deals == 0
            continue
        shown += 1
        assert seen(puzzle, found)
        game, deal, told = puzzle.game, parse_position(found.example.text), found.example
        assert isinstance(told.value, int)
        assert isinstance(told.best_value, int)
        values = {entry.move: entry.value for entry in game.analyze(deal, Control()).moves}
        assert puzzle.solution is not None
        assert values[move] == told.value < told.best_value == values[(puzzle.solution.best or ("",))[0]]
        end = played(game, deal, [move, *found.example.line])
        assert not game.legal_moves(end)
        assert found == judge(puzzle, move)  # the same each time
    assert shown > 1


def test_where_deals_are_few_each_is_looked_at_once() -> None:
    hidden = (one for one in collection().values() if one.hidden and not one.judged and one.game.name == "king")
    puzzle = next(one for one in hidden if len(one.game.worlds(one.position, 100)) < 100 and wrong_moves(one))
    deals = {str(one) for one in puzzle.game.worlds(puzzle.position, 100)}
    assert (
        judge(puzzle, wrong_moves(puzzle)[0]).deals == len(deals) == len(puzzle.game.worlds(puzzle.position, 100))
    )


def test_where_hints_judge_deals_are_played_out_by_players_who_see_their_own_cards() -> None:
    view = "kirin seat=1 hand=S1,S4,ST,B+,G3,G5 declared=D1 history=0:G+,S5,B2,D+/1:G6,S6,DT,S+ trick=3:D-,D6"
    data = {"id": "own", "title": "Own", "ask": "best-move", "position": view, "solution": {"best": ["ST"]}}
    (puzzle,) = from_data({"puzzle": [data]}).puzzles
    found = judge(puzzle, wrong_moves(puzzle)[0])
    assert found.correct is False
    assert not found.cards_open
    assert found.deals is not None
    assert 10 < found.deals <= 100  # as many as there is time for
    assert (found.worse_deals or 0) > 0.9 * found.deals
    assert seen(puzzle, found)
    assert found.example is not None
    end = played(puzzle.game, parse_position(found.example.text), [found.answer, *found.example.line])
    assert not puzzle.game.legal_moves(end)
    best = (puzzle.solution.best or ("",))[0] if puzzle.solution else ""
    assert "ST wins this trick" in judge(puzzle, best).explanation
