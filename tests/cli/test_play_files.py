"""`athanor play`: what is kept of games, going on with them, and what is said of bad files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from athanor.sessions import Saved, Session
from solver.errors import AthanorError
from tests.cli.support import SOLO_DEAL as SOLO
from tests.cli.support import Run, kept, the_file


def test_a_game_goes_on_where_it_was_left(play: Run, state: Path) -> None:
    args = ["alchemy", "--seed", "7", "--variant", "duel", "--seat", "1", "--rounds", "1", "--forced"]
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
    ({"players": 7}, "solo is for 1 player, not for 7"),
    ({"variant": "free"}, "'free' cannot be dealt"),
    ({"extra": 1}, "unknown key 'extra'"),
    ({"moves": "x"}, "moves"),
    ({"moves": [["4=4+4"]]}, "moves[0][0]: in '4=4+4' the sides sum to"),
    ({"moves": [["4+4+10=2+5+J", "hint"]]}, "moves[0][1]: 'hint' is not a move"),
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
