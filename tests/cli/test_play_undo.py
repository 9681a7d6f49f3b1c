"""`athanor play`: moves taken back and made again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from athanor.sessions import Saved, Session
from tests.cli.support import SOLO_DEAL as SOLO
from tests.cli.support import Run, kept, the_file


def test_undo_several_and_redo(play: Run, state: Path) -> None:
    text = play(*SOLO, lines="1\n1\n1\nundo 2\nredo\nredo 9\nredo\nundo 9\nredo 0\nundo x\n").stdout
    made = re.findall(r"You: (\S+)", text)
    assert made == [*made[:3], *made[1:3]]
    assert "Back by 2 of your decisions." in text
    assert "There is nothing to redo" in text
    assert "Back to your first decision, 3 ago." in text
    assert "redo takes a number from 1 on, not '0'" in text
    assert "undo takes a number from 1 on, not 'x'" in text
    assert kept(the_file(state))["moves"] == [[]]


def test_another_move_than_that_taken_back_leaves_nothing_to_redo(play: Run, state: Path) -> None:
    text = play(*SOLO, lines="1\n1\nundo 2\n2\nredo\n").stdout
    assert "There is nothing to redo" in text
    assert len(kept(the_file(state))["moves"][0]) == 1


def test_redo_makes_the_others_moves_again() -> None:
    table = Session(Saved(game="alchemy", seed=1, variant="duel", seat=1, seconds=0.05))
    while table.number == 0:
        table.play(table.round.moves()[0])
    whole = table.saved.moves
    while table.undo():
        pass
    while table.undone is not None:
        table.play(table.undone)
    assert table.saved.moves == whole


@pytest.mark.parametrize("args", [SOLO, [*SOLO, "--variant", "duel", "--seconds", "0.05"]])
def test_undo_goes_back_to_the_last_own_decision(play: Run, state: Path, args: list[str]) -> None:
    plain = play(*args, lines="1\n")
    first = kept(the_file(state))["moves"]
    table = plain.stdout.split("> ")[1].split("\n\n")[-1]
    result = play(*args, lines="1\n1\nundo\n")
    paths = sorted(state.iterdir(), key=lambda path: path.stat().st_mtime)
    assert kept(paths[-1])["moves"][0] == first[0]
    assert "Back to your last decision.\n\n" + table in result.stdout
    nothing = play(*args, lines="1\nundo\nundo\n")
    assert "You have decided nothing yet." in nothing.stdout


def test_undo_across_a_round_and_with_the_others() -> None:
    table = Session(Saved(game="alchemy", seed=1, variant="duel", seat=1, seconds=0.05))
    while table.number == 0:
        table.play(table.round.moves()[0])
    count = table.count
    assert table.undo()
    assert table.number == 0
    assert table.count in (count - 1, count - 2)
    assert table.round.to_move == 1
    while table.undo():
        assert table.round.to_move == 1
    assert table.count == 1  # seat 0 has grabbed first
    assert not table.undo()
    assert table.count == 1
