"""`athanor play`: scripted games, bad input, moves taken back, and files of games."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import platformdirs
import pytest
from click.testing import CliRunner

from api.cli.main import cli
from athanor import sessions
from athanor.sessions import Saved, Session
from solver import registry
from solver.errors import AthanorError
from tests.cli.conftest import SOLO_DEAL as SOLO
from tests.cli.conftest import Run, kept, the_file
from tests.support.games import check_rows

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
check_rows({args[0] for args, _ in ROUNDS})


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


def test_a_race_of_the_page_is_gone_on_with_in_turns(play: Run, tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    saved = {"game": "alchemy", "seed": 5, "variant": "duel", "race": True, "seconds": 0.05}
    path.write_text(json.dumps({**saved, "moves": [["1:8+J=4+10+5", "none"]]}), encoding="utf-8")
    result = play("alchemy", "--resume", path, lines="none\nquit\n")
    assert "began as a race" in result.stdout
    assert "in every exchange" in result.stdout
    assert result.stdout.startswith("Alchemy, seed 5; 2 moves so far.")
    assert "(you grab first)" in result.stdout
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert kept["race"]
    assert kept["moves"][0][:3] == ["1:8+J=4+5+10", "none", "none"]
    assert Session(sessions.read(path.read_bytes())).count == 4


def test_moves_numbers_and_what_is_no_move(play: Run, state: Path) -> None:
    lines = "4=9\n0\n9\n99999999999999999999\n²²²\ncards\nHINT now\n\x00\n 10+4+4 = 2+5+J \nquit\nignored\n"
    result = play(*SOLO, lines=lines)
    for text in (
        "in '4=9' the sides sum to 4 and 9", "no move 0; moves are 1 to 8", "no move 9;",
        "no move 99999999999999999999;", "no move 222;", "The cards' codes say everything",
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
        assert re.search(rf"^(> )?{command}[ ,]", result.stdout, re.MULTILINE)


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


# Files.


def test_a_game_goes_on_where_it_was_left(play: Run, state: Path) -> None:
    args = ["alchemy", "--seed", "7", "--variant", "duel", "--seat", "1", "--rounds", "1", "--forced"]
    args += ["--seconds", "0.05"]
    for length, made in enumerate((1, 2, 5)):  # the first to grab is seat 0, then 1, then 0
        play(*args, lines="1\n" * length)
        path = the_file(state)
        moves = kept(path)["moves"][0]
        assert len(moves) == made
        play("alchemy", "--resume", "--forced", lines="1\n")
        assert kept(path)["moves"][0][:made] == moves
        # What seat 0 chooses depends on the time that it has; where a game ends, it does not.
        assert "is over" in play("alchemy", "--resume", "--forced", lines="1\n" * 60).stdout
        assert not path.exists()


def test_every_new_game_has_a_file_of_its_own(play: Run, state: Path) -> None:
    for _ in range(3):
        play(*SOLO)
    assert sorted(path.name for path in state.iterdir()) == [
        "alchemy-5-2.json",
        "alchemy-5-3.json",
        "alchemy-5.json",
    ]


def test_options_of_the_game_and_of_the_file(play: Run, state: Path, tmp_path: Path) -> None:
    assert "there is no saved game of king" in play("king", "--resume", code=2).stderr
    play(*SOLO)
    path = the_file(state)
    for option in ("--seed", "--number", "--players", "--seat", "--rounds", "--variant", "--save"):
        message = play("alchemy", "--resume", path, option, "1", code=2).stderr
        assert f"{option} is only for new games" in message
    assert "a game of alchemy, not of kirin" in play("kirin", "--resume", path, code=2).stderr
    play("alchemy", "--resume", path, "--seconds", "2")
    assert kept(path)["seconds"] == 2
    assert "already exists" in play(*SOLO, "--save", path, code=2).stderr
    assert "cannot write" in play(*SOLO, "--save", tmp_path / "no" / "x.json", code=2).stderr
    assert "no seat 1" in play(*SOLO, "--seat", "1", code=2).stderr
    assert "'free' cannot be dealt" in play("alchemy", "--variant", "free", code=2).stderr
    assert "kirin is for 4 players, not for 3" in play("kirin", "--players", "3", code=2).stderr
    assert play("alchemy", "--seconds", "0.01", code=2).stderr


GOOD = {"saved": "athanor play", "game": "alchemy", "seed": 5, "seconds": 0.3, "moves": [["4+4+10=2+5+J"]]}
BAD = [
    ("", "is empty"),
    ("{", "not JSON"),
    ("[]", "Saved"),
    (b"\xff", "not UTF-8"),
    ({"game": None}, "game"),
    ({"game": "chess"}, "a game of chess, not of alchemy"),
    ({"saved": "something"}, "saved"),
    ({"seed": -1}, "seed"),
    ({"seed": "5"}, "seed"),
    ({"seconds": 1e9}, "seconds"),
    ({"seconds": "1"}, "seconds"),
    ({"seat": 1}, "no seat 1"),
    ({"players": 7}, "alchemy is for 1 to 2 players, not for 7"),
    ({"variant": "free"}, "'free' cannot be dealt"),
    ({"extra": 1}, "unknown key 'extra'"),
    ({"moves": "x"}, "moves"),
    ({"moves": [["4=4+4"]]}, "round 1, move 1: in '4=4+4' the sides sum to"),
    ({"moves": [["4+4+10=2+5+J", "hint"]]}, "round 1, move 2: 'hint' is not a move"),
    ({"moves": [["4+4+10=2+5+J"], []]}, "moves[0]: this round is not over, but another one follows"),
    ({"variant": "duel", "moves": [[], ["4=4"]]}, "moves[0]: this round is not over"),
]


@pytest.mark.parametrize(("fault", "message"), BAD)
def test_a_spoiled_file(play: Run, tmp_path: Path, fault: Any, message: str) -> None:
    path = tmp_path / "game.json"
    content = json.dumps({**GOOD, **fault}) if isinstance(fault, dict) else fault
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    result = play("alchemy", "--resume", path, code=2)
    assert message in result.stderr
    assert str(path) in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_moves_after_the_end_are_refused() -> None:
    table = Session(Saved(game="alchemy", seed=5, seconds=0.3))
    while not table.over:
        table.play(table.round.moves()[0])
    whole = table.saved.moves[0]
    for moves, message in (
        (((*whole, "A=A"),), "comes after the end of its round"),
        ((whole, ("A=A",)), "the game is over after this round"),
    ):
        with pytest.raises(AthanorError, match=message):
            Session(table.saved.model_copy(update={"moves": moves}))


def test_a_state_folder_that_cannot_be_written(play: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_state_path", lambda *_, **__: Path("/dev/null/state"))
    result = play(*SOLO, lines="1\n1\n")
    assert result.stderr.count("goes on without being kept") == 1
    assert "cannot write /dev/null/state/play/alchemy-5.json" in result.stderr
    assert result.stdout.count("You: ") == 2
    assert "The game is not saved." in result.stdout


def test_ctrl_c_while_reading(play: Run, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = iter(["1"])

    def read(prompt: str) -> str:
        for line in lines:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", read)
    result = play(*SOLO, code=130)
    assert f"Continue with: athanor play --resume {the_file(state)}" in result.stdout
    assert len(kept(the_file(state))["moves"][0]) == 1
