"""`athanor play`: scripted games, and what is said of bad input."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from api.cli.main import cli
from athanor import sessions
from athanor.sessions import Session
from solver import registry
from tests.cli.support import SOLO_DEAL as SOLO
from tests.cli.support import Run, kept, the_file

DECK = [colour + rank for colour in "DSBG" for rank in "123456T+-"]  # Kirin's cards in canonical order

ROUNDS = [
    (["kirin", "--seed", "3", "--rounds", "1", "--seat", "2"], r"In this round .*seats?"),
    (["alchemy", "--seed", "3"], r"You have (won in|lost after) \d+ turns"),
    (["alchemy", "--seed", "3", "--variant", "alternative"], r"You have (won in|lost after) \d+ turn"),
    (["alchemy", "--seed", "3", "--players", "2", "--rounds", "2"], r"After 2 rounds .* in all"),
    (
        ["aqua-regia", "--seed", "3", "--players", "3"],
        r"(You go|Seat \d goes) out first and wins?\.\nThe hands then: ",
    ),
    (["king", "--seed", "3", "--players", "5", "--rounds", "1"], r"In this round "),
]


@pytest.mark.parametrize(("args", "score"), ROUNDS)
def test_a_game_by_first_moves(play: Run, state: Path, args: list[str], score: str) -> None:
    result = play(*args, "--seconds", "0.05", lines="1\n" * 500)
    assert "is over" in result.stdout
    assert re.search(score, result.stdout.split("is over")[-1])
    assert "There is no move" not in result.stdout
    assert list(state.iterdir()) == []  # nothing to go on with


def test_a_kept_game_can_be_scored_again(play: Run, tmp_path: Path) -> None:
    path = tmp_path / "my game.json"
    won = play(*SOLO, "--save", path, lines="1\n" * 60)
    again = play("alchemy", "--resume", path)
    assert won.stdout.split("is over")[-1] == again.stdout.split("is over")[-1]
    replayed = Session(sessions.read(path.read_bytes()))
    assert replayed.over
    assert replayed.score().to_dict()["turns"] == replayed.count


def test_moves_numbers_and_what_is_no_move(play: Run, state: Path) -> None:
    lines = "4=9\n0\n9\n99999999999999999999\n²\ncards\nHINT now\n\x00\n 10+4+4 = 2+5+J \nquit\nignored\n"
    result = play(*SOLO, lines=lines)
    for text in (
        "in '4=9' the sides sum to 4 and 9", "no move 0; moves are 1 to 8", "no move 9;",
        "no move 99999999999999999999;", "'²' is not a move", "The cards' codes say everything",
        "'hint now' is not a move",
    ):  # fmt: skip
        assert text in result.stdout
    assert "You: 4+4+10=2+5+J" in result.stdout
    assert kept(the_file(state))["moves"] == [["4+4+10=2+5+J"]]


def test_what_the_cards_of_a_deck_are(play: Run) -> None:
    result = play("king", "--seed", "5", lines="cards F3 T9 q1\n")
    assert re.search(
        r"F3 +method +Calcination +Fire +3 +1 +Calcination +Red Calx +Iron, Vitriol +5", result.stdout
    )
    assert "There is no card T9." in result.stdout
    assert "There is no card q1." in result.stdout
    assert "Sulfur" not in result.stdout
    metals = play("aqua-regia", "--seed", "5", lines="cards\n").stdout
    assert re.search(r"Li +\S+ +\d +\d +\d +\d", metals)


def test_a_duel_lists_no_moves_unasked_and_passes_none_for_the_player(play: Run, state: Path) -> None:
    lines = "\n4+4+10=2+5+J\n\nmoves\nnone\n"  # seat 1 has no match then, and leaves none when it grabs first
    result = play("alchemy", "--seed", "5", "--variant", "duel", lines=lines)
    assert result.stdout.count("4   (pile: 0 cards, 0 points)") == 2
    before, after = re.sub(" +\n", "\n", result.stdout).split("\n> 1: none\n")
    assert "1: " not in before.replace("Seat 1: ", "")
    shown = re.findall(r"^(?:> )?Line +(.*?) +\(seat 1 (grabs first|has grabbed: \S+)\)$", before, re.MULTILINE)
    assert shown[0] == ("J A 10 8 4 Q", "grabs first")
    assert len(shown) == 3  # before the player is asked, and after Enter
    assert after.startswith("> You: none\n")
    assert kept(the_file(state))["moves"][0][3] == "none"


def test_the_only_move_makes_itself_and_is_no_decision_to_go_back_to(play: Run, state: Path) -> None:
    result = play("aqua-regia", "--players", "3", "--seed", "7", "--seconds", "0.05", lines="K\nundo\n")
    assert "You: pass (your only move); you draw Ag" in result.stdout
    assert kept(the_file(state))["moves"] == [[]]


def test_a_duel_by_the_clock(play: Run, state: Path) -> None:
    now = itertools.count(0.0, 15.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("api.cli.play.time", SimpleNamespace(monotonic=lambda: next(now)))
        result = play("alchemy", "--seed", "5", "--variant", "duel", "--clock", lines="9=4+5\n")
    assert "Your 20 s are up." in result.stdout
    assert kept(the_file(state))["moves"][0][0] == "none"
    refused = CliRunner().invoke(cli, ["play", "kirin", "--seed", "5", "--clock", "30"])
    assert (refused.exit_code, "only a duel" in refused.stderr) == (2, True)


def test_the_rows_of_a_hint_have_the_numbers_of_the_list(play: Run, state: Path) -> None:
    text = play(*SOLO, "--seconds", "0.05", lines="moves\nhint\n").stdout
    listed = dict(re.findall(r"(\d+): (\S+)", text.split("> ")[1]))
    told = re.findall(r"^ *(\d+) +(\S+=\S+) ", text.split("> ")[2], re.MULTILINE)
    assert [number for number, _ in told] != sorted(listed)
    assert dict(told).items() < listed.items()
    play("alchemy", "--resume", lines=f"hint\n{told[0][0]}\n")
    assert kept(the_file(state))["moves"] == [[told[0][1]]]


def test_moves_and_cards_in_lower_case(play: Run, state: Path) -> None:
    assert "You: S-" in play("kirin", "--seed", "12", "--seconds", "0.05", lines="s-\n").stdout
    result = play("king", "--seed", "1", "--players", "4", "--seconds", "0.05", lines="cards f3\n w11\nt1\n")
    assert "Calcinatio" in result.stdout
    assert "seat 0 does not hold W11" in result.stdout
    assert "You: T1" in result.stdout


def test_bytes_that_are_no_text(play: Run, state: Path) -> None:
    result = CliRunner().invoke(cli, ["play", *SOLO], input=b"\xff\xfe\n1\n")
    assert result.exit_code == 0
    assert len(kept(the_file(state))["moves"][0]) == 1


def test_hint_why_and_help(play: Run) -> None:
    result = play(*SOLO, "--seconds", "0.05", lines="why\nhint\nwhy\n?\n")
    assert "There is no hint to explain yet" in result.stdout
    [reason] = re.findall(r"^> Best +(\S+).*?^Why +(.*?)$", result.stdout, re.MULTILINE | re.DOTALL)
    assert f"> {reason[0]}: {reason[1].rstrip()}" in result.stdout
    assert "wins" in result.stdout
    for command in ("moves", "hint", "why", "undo", "redo", "show", "cards", "quit"):
        assert re.search(rf"^(> )?{command} ", result.stdout, re.MULTILINE)


def test_why_says_nothing_of_the_others_cards(play: Run) -> None:
    result = play("kirin", "--seed", "5", "--seconds", "0.05", lines="1\nwhy\n1\nwhy\n")
    assert "Seat 1: sets a card aside" in result.stdout
    assert result.stdout.count("> There is no hint to explain yet") == 2


def test_hidden_cards_are_not_shown(play: Run, state: Path) -> None:
    result = play("kirin", "--seed", "5", "--variant", "declared", lines="")
    position: Any = registry.game("kirin").deal(5)
    hidden = [card for seat in (1, 2, 3) for card in (*position.hands[seat], position.declared[seat])]
    [unseen] = re.findall(r"^Unseen +(.*)$", result.stdout, re.MULTILINE)
    assert set(unseen.split()) == set(hidden)
    assert unseen.split() == sorted(unseen.split(), key=DECK.index)
    rest = result.stdout.replace(unseen, "")
    for card in hidden:
        assert not re.search(rf"(?<!\S){re.escape(card)}(?!\S)", rest)
