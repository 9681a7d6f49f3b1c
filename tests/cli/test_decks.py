"""`athanor decks` with a name, with a file, and with what is neither; and keys of one letter before moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from api.cli.main import cli
from api.cli.terminal import before_moves


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def test_a_name_shows_the_cards_of_every_deck_that_is_called_so() -> None:
    told = run("decks", "house").output
    assert "House deck: a deck of king, called house" in told
    assert "House reactivity table: a deck of aqua-regia, called house" in told
    assert "Cinnabar" in told
    of_game = run("decks", "aqua-regia").output
    assert "Cinnabar" not in of_game
    assert "Mercury" in of_game
    listed = json.loads(run("decks", "house", "--json").output)["decks"]
    assert [deck["game"] for deck in listed] == ["king", "aqua-regia"]


def test_what_is_no_deck_says_which_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = run("decks", "huose")
    assert missing.exit_code == 2
    assert "there is no file huose, and no deck is called so; there is house" in missing.output
    assert "cannot read huose.toml" in run("decks", "huose.toml").output
    monkeypatch.setenv("ATHANOR_DECKS", str(tmp_path))
    (tmp_path / "bad.toml").write_text('name = "bad"\n[[card]]\ncode = "F1"\n', encoding="utf-8")
    bad = run("decks", "bad")
    assert bad.exit_code == 2
    assert "bad.toml" in bad.output


@pytest.mark.parametrize(
    ("words", "position"),
    [
        ("kirin s=2 h=S1S4 d=B+ m=0:STG3D-G- t=D4 S1", 6),
        ("kirin h=S1 S4 T=D4 s3", 4),
        ("alchemy duel l=3567QK h=K o=6 K=6+7", 5),
        ("alchemy duel H=10 l=A,4,5,7,J,K O=9 t=4+6", 5),
    ],
)
def test_letters_of_keys_part_a_line_from_moves(words: str, position: int) -> None:
    line, moves = before_moves(words.split())
    assert (line.split(), list(moves)) == (words.split()[:position], words.split()[position:])
