"""What a puzzle's note says, in either language."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from puzzles import wording
from puzzles.format import Puzzle, from_data
from puzzles.training import collection
from solver.language import speaking

PUZZLES = {puzzle.id: puzzle for puzzle in collection()}
ENDING = {"cap": 4, "line": ["A", "A", "4", "7"], "hand": "6", "unseen": ["2", "5", "9"]}

NOTES: Sequence[tuple[str, str, str]] = (
    (
        "kirin-0001",
        "Seat 2 leads and collects the Azure Dragon; GT, the obvious move, falls short by 4.",
        "席2がリード、集めるのは青龍。すぐ目につくGTは、最善手より4劣ります。",
    ),
    (
        "hidden-0006",
        "You play last. Where is the Dancer of use?",
        "あなたが最後に出します。踊り子が役立つのはどこでしょう。",
    ),
)


@pytest.mark.parametrize(("number", "english", "japanese"), NOTES, ids=[note[0] for note in NOTES])
def test_a_note_in_both_languages(number: str, english: str, japanese: str) -> None:
    puzzle = PUZZLES[number]
    assert wording.note(puzzle) == english
    with speaking("ja"):
        assert wording.note(puzzle) == japanese


def test_every_note_of_the_collection_is_said_in_japanese() -> None:
    with speaking("ja"):
        notes = [wording.note(puzzle) for puzzle in PUZZLES.values()]
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
