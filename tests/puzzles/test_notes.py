"""What the notes of the collection's puzzles say of wrong moves, checked by slow and obvious replaying.

With ATHANOR_ALL_PUZZLES=1 the notes of all puzzles, else of some.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import pytest

from puzzles import training, wording
from puzzles.format import Puzzle
from puzzles.quality import candidate_of
from solver.positions import position_data
from tests.reference import king, notes

EVERY = 1 if os.environ.get("ATHANOR_ALL_PUZZLES") == "1" else 8
GAMES: dict[str, Callable[..., None]] = {
    "kirin": notes.of_kirin,
    "king": notes.of_king,
    "aqua-regia": notes.of_aqua,
}


def check(puzzle: Puzzle) -> None:
    """Check the clause after what the wrong move loses."""
    measured = puzzle.measured
    assert measured is not None
    wrong, best = measured.wrong_line or (), measured.best_line or ()
    before = next((time for time, moves in enumerate(zip(wrong, best, strict=False)) if len(set(moves)) > 1), 0)
    position = puzzle.position
    for text in wrong[:before]:
        position = puzzle.game.play(position, puzzle.game.parse_move(position, text))
    clause = wording.note(puzzle).split(", which looks right, ")[1].partition(": ")[2].removesuffix(".")
    assert clause, puzzle.id
    how = (position_data(position), clause, wrong[before:], best[before:])
    if puzzle.game.name == "alchemy":
        notes.of_alchemy(*how)
    else:
        candidate = candidate_of(puzzle)
        GAMES[puzzle.game.name](*how, candidate.asked, candidate.held_down)


REFUTED = re.compile(
    r": if seat (\d) holds ([A-Z\d, ]+(?: and \w+)?), the others can hold seat (\d) to (\d+) points?\.$"
)


def test_a_note_of_hidden_hands_names_cards_with_which_the_wrong_move_falls_short() -> None:
    told = [
        puzzle
        for puzzle in training.collection()
        if puzzle.game.name == "king" and puzzle.hidden and not puzzle.judged and puzzle.measured is not None
    ]
    assert len(told) > 6
    for puzzle in told[:: min(EVERY, 3)]:
        note = wording.note(puzzle)
        found = REFUTED.search(note)
        assert found, note
        other, listed, seat, most = found.groups()
        position: Any = puzzle.position
        best: Any = puzzle.solution and puzzle.solution.value
        assert int(most) < best
        assert position.seat == int(seat) != int(other)
        cards = set(re.split(", | and ", listed))
        worlds: Any = puzzle.game.worlds(position, 1000)
        deals = [deal for deal in worlds if cards <= {*deal.hands[int(other)]}]
        assert deals
        for deal in deals[: 99 if EVERY == 1 else 1]:
            deck, now = king.load(position_data(deal))
            wrong = ((puzzle.measured and puzzle.measured.wrong_line) or ("",))[0]
            found_values: Any = king.values(deck, now, "paranoid", int(seat)).items()
            [value] = [value for move, value in found_values if king.text(deck, move) == wrong]
            assert value <= int(most), puzzle.id


@pytest.mark.parametrize("game", ["alchemy", "king", "kirin", "aqua-regia"])
def test_a_note_says_truly_what_is_wrong_with_a_move_that_looks_right(game: str) -> None:
    told = [
        puzzle
        for puzzle in training.collection()
        if puzzle.game.name == game and not puzzle.note and not puzzle.hidden
        if puzzle.measured is not None and puzzle.measured.wrong_line
    ]
    assert len(told) > 60
    for puzzle in told[::EVERY]:
        try:
            check(puzzle)
        except AssertionError as error:
            raise AssertionError(f"{puzzle.id}: {wording.note(puzzle)}") from error


@pytest.mark.parametrize(
    ("number", "clause"),
    [
        ("king-best-move-143-43", "seat 1 then takes W6 with W7."),  # which lies on the table already
        ("kirin-best-move-530-37", "seat 1 then takes S- with BT; with best play, seat 2 takes S- with B3."),
        ("kirin-best-move-122-335", "seat 3 then takes B4 with D3; with best play, seat 1 takes B4 with B6."),
        ("king-best-move-142-125", "seat 1 then takes F2 with F6, which is gone by then after A2."),
    ],
)
def test_a_card_is_gone_by_then_only_if_best_play_has_played_it_in_a_trick_before(
    number: str, clause: str
) -> None:
    puzzle = training.by_id()[number]
    check(puzzle)
    assert clause in wording.note(puzzle)


def test_a_hint_names_no_best_move_and_keeps_what_looks_right() -> None:
    for puzzle in training.collection():
        best = (puzzle.solution and puzzle.solution.best) or ()
        note, hint = wording.notes(puzzle)
        if hint == note or puzzle.note:
            continue
        assert "which looks right" in hint
        assert note.startswith(hint.removesuffix("."))
        cause = note.removeprefix(hint.removesuffix("."))
        words = {word for move in best for word in (move, *move.split())}
        assert any(word in cause for word in words), puzzle.id
    for number, kept in (
        ("alchemy-best-move-402-30", False),  # "discard 3" is named by the chance after it
        ("aqua-regia-best-move-132-170", False),
        ("kirin-best-move-122-85", False),
        ("king-best-move-143-43", True),
    ):
        note, hint = wording.notes(training.by_id()[number])
        assert (hint == note) is kept, number
