"""The collection's puzzles: graded as measured, no two the same, a sample measured and proved anew; notes.

With ATHANOR_ALL_PUZZLES=1 all of them are measured and proved.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

import pytest

from puzzles import training, wording
from puzzles.check import solve_puzzle
from puzzles.format import Measured, Puzzle, from_data
from puzzles.generate import grade_of, is_obvious
from solver.composing import BEST_MOVE, Candidate
from solver.language import joined, speaking, titled
from solver.limits import Limit
from solver.positions import position_data
from tests.puzzles.renew import can_be_measured, measured_anew, task_of
from tests.reference import aqua, kirin

ALL = os.environ.get("ATHANOR_ALL_PUZZLES") == "1"
EVERY = 1 if ALL else 60  # of the puzzles; the small ones are also put to the reference
SMALL_CARDS = {"kirin": 9, "aqua-regia": 7}  # in the hands and the stock, that the reference can be asked about


def made() -> list[tuple[Puzzle, Measured]]:
    """The puzzles that were measured: those that were made, and most of those found by hand."""
    return [(puzzle, puzzle.measured) for puzzle in training.collection() if puzzle.measured is not None]


def is_made(puzzle: Puzzle) -> bool:
    """Whether its id has a seed and a deal."""
    return re.search(r"-\d+-\d+$", puzzle.id) is not None


def is_small(puzzle: Puzzle) -> bool:
    if puzzle.hidden or puzzle.game.name not in SMALL_CARDS:
        return False
    told = position_data(puzzle.position)
    cards = sum(map(len, told["hands"])) + len(told.get("stock", ()))
    return cards <= SMALL_CARDS[puzzle.game.name]


def test_no_two_puzzles_of_the_collection_share_an_id_or_differ_by_a_symmetry_alone() -> None:
    assert len({puzzle.id for puzzle in training.collection()}) == len(training.collection())
    keys: dict[str, str] = {}
    for puzzle in training.collection():
        candidate = Candidate(puzzle.position, puzzle.model, puzzle.player)
        key = f"{puzzle.game.name} {puzzle.game.composer.symmetry(task_of(puzzle), candidate)}"
        assert keys.setdefault(key, puzzle.id) == puzzle.id


def test_titles_say_the_idea_and_no_number() -> None:
    for puzzle in training.collection():
        if is_made(puzzle):
            themes = puzzle.game.composer.themes
            assert puzzle.themes, puzzle.id
            assert puzzle.title == joined([themes[theme].title for theme in puzzle.themes]), puzzle.id
        assert not any(letter.isdigit() for letter in puzzle.title), puzzle.id
        with speaking("ja"):
            assert not titled(puzzle.title).isascii(), puzzle.id


def test_the_solver_confirms_and_players_of_today_make_of_it_what_was_measured() -> None:
    for puzzle, known in made()[::EVERY]:
        result = solve_puzzle(puzzle, Limit())
        assert result.status == "confirmed", puzzle.id
        assert result.answer is not None
        if can_be_measured(puzzle):
            measured, themes = measured_anew(puzzle, result.answer)
            assert measured == known, puzzle.id
            assert tuple(themes) == (puzzle.themes or ()), puzzle.id


def test_grades_follow_from_what_was_measured() -> None:
    for puzzle, measured in made():
        assert isinstance(measured, Measured)
        assert puzzle.solution is not None
        assert puzzle.grade == grade_of(measured, puzzle.solution), puzzle.id
        if is_obvious(measured, puzzle.solution):
            assert puzzle.grade == "easy", puzzle.id
        assert set(puzzle.themes or ()) <= set(puzzle.game.composer.themes), puzzle.id
        if puzzle.ask == BEST_MOVE and is_made(puzzle):
            assert len(puzzle.solution.best or ()) == 1, puzzle.id


def test_the_reference_confirms() -> None:
    small = [puzzle for puzzle, _ in made() if is_small(puzzle)]
    for puzzle in small[:: 1 if ALL else 25]:
        confirm(puzzle)


def confirm(puzzle: Puzzle) -> None:
    solution = puzzle.solution
    assert solution is not None
    assert puzzle.model is not None
    if puzzle.game.name == "aqua-regia":
        table, now = aqua.load(position_data(puzzle.position))
        assert aqua.value(table, now, puzzle.model, puzzle.player) == solution.value, puzzle.id
        if solution.best is not None:
            best = aqua.optimal(table, now, puzzle.model, puzzle.player)
            assert tuple(aqua.text(table, move) for move in best) == solution.best, puzzle.id
        return
    told = position_data(puzzle.position)
    state = kirin.state(
        [" ".join(hand) for hand in told["hands"]],
        told["leader"],
        told["direction"],
        " ".join(told["trick"]),
        [" ".join(pile) for pile in told["won"]],
    )
    declared = [card[0] for card in told["declared"]]
    assert kirin.value(state, declared, puzzle.model, puzzle.player) == solution.value, puzzle.id
    if solution.best is not None:
        cards = kirin.optimal(state, declared, puzzle.model, puzzle.player)
        assert tuple(kirin.DECK[card] for card in cards) == solution.best, puzzle.id


# ----------------------------------------------------------------------------------------------------
# What a puzzle's note says, in either language.


ENDING = {"cap": 4, "line": ["A", "A", "4", "7"], "hand": "6", "unseen": ["2", "5", "9"]}

NOTES: Sequence[tuple[str, str, str]] = (
    (
        "kirin-0001",
        "Seat 2 leads, collecting the Azure Dragon; GT, the obvious move, falls short by 4.",
        "席2がリード、集めるのは青龍。すぐ目につくGTは、最善手より4劣ります。",
    ),
    (
        "aqua-regia-0001",
        "Seat 0 leads in aqua regia; K K, the obvious move, fails.",
        "席0が王水でリード。すぐ目につくK Kでは失敗します。",
    ),
    (
        "hidden-0006",
        "You play last. Where is the Dancer of use?",
        "あなたが最後に出します。踊り子が役立つのはどこでしょう。",
    ),
)


@pytest.mark.parametrize(("number", "english", "japanese"), NOTES, ids=[note[0] for note in NOTES])
def test_a_note_in_both_languages(number: str, english: str, japanese: str) -> None:
    (puzzle,) = (one for one in training.collection() if one.id == number)
    assert wording.note(puzzle) == english
    with speaking("ja"):
        assert wording.note(puzzle) == japanese


def test_every_note_of_the_collection_is_said_in_japanese() -> None:
    with speaking("ja"):
        notes = [wording.note(puzzle) for puzzle in training.collection()]
    assert sum(map(bool, notes)) > 900
    assert not [note for note in notes if re.search(r"\b(?!discard\b|pass\b|take\b|give\b)[a-z]{4,}\b", note)]


def test_words_of_somebody_else_stay_and_what_was_not_measured_has_no_note() -> None:
    position = {"game": "alchemy", "variant": "solo", **ENDING}
    data = {"id": "own", "title": "Own", "ask": "best-move", "position": position}
    told, silent = (from_data({"puzzle": [data | more]}).puzzles[0] for more in ({"note": "Mine!"}, {}))
    assert wording.note(told) == "Mine!"
    assert wording.note(silent) == ""
    measured = Puzzle.model_validate(data | {"measured": {"steps": 1}})
    assert wording.note(measured) == "3 cards are face down."
