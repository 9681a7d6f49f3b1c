"""`athanor decks` with a name, with a file, and with what is neither; and keys of one letter before moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from api.cli.main import cli
from api.cli.terminal import before_moves
from tests.support import places


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
    assert "there is no file or deck called huose; decks: house" in missing.output
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


HEADER = "symbol,name,water,vapor,acid,aqua-regia\n"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "decks"
    monkeypatch.setenv("ATHANOR_DECKS", str(folder))
    return folder


def test_a_table_is_imported_and_played_with(own: Path, tmp_path: Path) -> None:
    file = tmp_path / "short.csv"
    file.write_text(
        HEADER
        + "Zn,Zinc,1,2,3,3\nFe,Iron,0,1,2,3\nPb,Lead,0,0,1,3\n"
        + "".join(f"M{n},,1,1,1,1\n" for n in range(5)),
        encoding="utf-8",
    )
    assert "a deck of aqua-regia, called short" in run("decks", str(file)).output
    assert "--deck short" in run("decks", "import", str(file)).output
    assert (own / "short.csv").exists()
    assert "short.csv" in run("decks").output
    for deck in ("short", str(file)):
        dealt = run("deal", "aqua-regia", "--deck", deck, "--players", "2", "--seed", "1")
        assert dealt.exit_code == 0, dealt.output
    again = run("decks", "import", str(file))
    assert again.exit_code == 2
    assert "--replace" in again.output
    assert run("decks", "import", str(file), "--replace").exit_code == 0
    assert "give another --name" in run("decks", "import", str(file), "--name", "house").output
    assert "give another --name" in run("decks", "import", str(file), "--name", "../up").output


def test_a_deck_in_toml_stays_one(own: Path, tmp_path: Path) -> None:
    """Also where a comment comes first and the deck is called as its file is."""
    text = (places.ROOT / "docs/examples/three-metals.toml").read_text(encoding="utf-8")
    file = tmp_path / "three.toml"
    file.write_text(f"# a comment\n{text}", encoding="utf-8")
    assert run("decks", "import", str(file)).exit_code == 0
    assert (own / "three.toml").read_text(encoding="utf-8").startswith("# a comment")
    assert "three.toml" in run("decks").output


def test_a_deck_is_entered_left_and_resumed(own: Path) -> None:
    def new(typed: str) -> Result:
        return CliRunner().invoke(cli, ["decks", "new", "aqua-regia"], input=typed)

    left = new("name=Red Lithium water=1\n\ncolour=red\nback\nwater=2\nquit\n")
    assert "There is no column colour" in left.output
    assert "2 of 16 cards are entered" in left.output
    done = new("water=99\n" + "\n" * 13 + "water=3\n")
    assert "2 cards have been entered" in done.output
    assert "line 4, water" in done.output  # what is wrong is told, and asked for again
    assert "Saved in" in done.output
    assert not list(own.glob("*.part"))
    rows = json.loads(run("decks", "mine", "--json").output)["decks"][0]
    assert rows["name"] == "mine"
    text = (own / "mine.csv").read_text(encoding="utf-8")
    assert text.startswith(HEADER + "Li,Red Lithium,1,3,3,3\nK,Potassium,2,3,3,3\nCa,Calcium,3,")


def test_a_game_without_decks_has_none_to_enter(own: Path) -> None:
    assert "only for king and aqua-regia" in run("decks", "new", "kirin").output


def test_positions_name_files_for_their_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    others = "".join(f"M{n},,1,1,1,1\n" for n in range(5))
    Path("small.csv").write_text(f"{HEADER}Zn,Zinc,1,2,3,3\n{others}", encoding="utf-8")
    line = "aqua-regia deck=small.csv field=water turn=0 hands=Zn,M1/M2,M3 stock=M4"
    by_key = run("moves", line)
    assert by_key.exit_code == 0, by_key.output
    assert "M1" in by_key.output
    by_option = run("moves", line.replace("deck=small.csv ", ""), "--deck", "small.csv")
    assert by_option.output == by_key.output
    position = json.loads(run("convert", line).output)
    assert position["deck"]["name"] == "small"
    position["deck"] = "./small.csv"
    Path("position.json").write_text(json.dumps(position), encoding="utf-8")
    assert run("moves", "position.json").output == by_key.output
    lost = run("moves", line.replace("small", "lost"))
    assert lost.exit_code == 2
    assert "cannot read lost.csv" in lost.output
    Path("small.csv").write_text(f"{HEADER}Zn,Zinc,x,2,3,3\n", encoding="utf-8")
    assert "small.csv: line 2, water" in run("moves", line).output
