"""The catalogue of decks: shipped ones and the user's own, in the solver, over HTTP and on the command line."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.app import create_app
from api.cli.main import cli
from solver import decks
from solver.errors import PositionError
from solver.games.king.deck import KIND

pytestmark = [pytest.mark.small, pytest.mark.plain]

HOUSE = resources.files("solver.games.king").joinpath("decks", "king-house.toml").read_text(encoding="utf-8")
MINE = HOUSE.replace('name = "house"', 'name = "mine"')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(decks.FOLDER_VARIABLE, str(tmp_path))
    return tmp_path


def test_a_folder_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for named in (tmp_path / "nowhere", Path(__file__)):
        monkeypatch.setenv(decks.FOLDER_VARIABLE, str(named))
        assert {listed.source for listed in decks.catalogue()} == {decks.SHIPPED}


def test_the_default_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(decks.FOLDER_VARIABLE, raising=False)
    assert decks.folder().parts[-2:] == ("athanor", "decks")


def test_shipped_decks_are_of_their_game() -> None:
    kinds = {kind.game: kind for kind in decks.kinds()}
    for listed in decks.catalogue():
        assert listed.game is not None
        assert listed.deck is not None
        assert decks.find(kinds[listed.game], listed.name) is listed.deck
        assert listed.deck.rows()


def test_own_decks(folder: Path) -> None:
    (folder / "a.toml").write_text(MINE, encoding="utf-8")
    (folder / "b.toml").write_text("\ufeff" + HOUSE, encoding="utf-8")
    (folder / "c.toml").write_text(MINE, encoding="utf-8")
    (folder / "d.toml").write_text(HOUSE.replace("vp = 3", "vp = -3", 1), encoding="utf-8")
    (folder / "e.toml").write_text("[[puzzle]]", encoding="utf-8")
    (folder / "f.toml").write_bytes(b"name = '\xff'")
    (folder / "g.toml").write_text("a =", encoding="utf-8")
    (folder / "h.toml").mkdir()
    (folder / "i.toml").symlink_to(folder / "nowhere")
    (folder / "j.txt").write_text(MINE, encoding="utf-8")
    own = [listed for listed in decks.catalogue() if listed.source != decks.SHIPPED]
    assert [(listed.source, listed.game, listed.name, listed.error and listed.error.code) for listed in own] == [
        ("a.toml", "king", "mine", None),
        ("b.toml", "king", "house", "conflict"),
        ("c.toml", "king", "mine", "conflict"),
        ("d.toml", None, "d", "out_of_range"),
        ("e.toml", None, "e", "missing_key"),
        ("f.toml", None, "f", "invalid_text"),
        ("g.toml", None, "g", "invalid_toml"),
        ("h.toml", None, "h", "wrong_size"),
        ("i.toml", None, "i", "unreadable"),
    ]
    assert decks.find(KIND, "mine").name == "mine"
    with pytest.raises(PositionError, match="there is no deck of king called 'other'; possible: house, mine"):
        decks.find(KIND, "other")
    with pytest.raises(PositionError, match=r"d.toml is not a deck: card\[0\].vp: card F1"):
        decks.find(KIND, "d")


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("copies = ", "invalid_toml", "the deck is not TOML: Invalid value (at end of document)"),
        ("x = " + "[" * 5000, "invalid_toml", "the deck is nested too deeply"),
        ("x = " + "9" * 5000, "invalid_toml", "the deck is not TOML: "),
        ("", "missing_key", "it has no [[card]] (king) or [[metal]] (aqua-regia)"),
    ],
)
def test_what_texts_are_refused_for(text: str, code: str, words: str) -> None:
    with pytest.raises(PositionError) as found:
        decks.written(text)
    assert found.value.code == code
    assert words in found.value.message


def test_a_file_that_changes_is_read_anew(folder: Path) -> None:
    file = folder / "mine.toml"
    file.write_text(MINE, encoding="utf-8")
    assert decks.find(KIND, "mine").title == "House deck"
    file.write_text(MINE.replace("House deck", "Another"), encoding="utf-8")
    assert decks.find(KIND, "mine").title == "Another"


def test_over_http(folder: Path) -> None:
    (folder / "bad.toml").write_text("a =", encoding="utf-8")
    client = create_app().test_client()
    found = client.get("/v1/decks").get_json()["decks"]
    assert found[0] == {"game": "king", "name": "house", "title": "House deck", "source": "shipped", "error": None}
    assert found[-1]["source"] == "bad.toml"
    assert found[-1]["error"]["code"] == "invalid_toml"
    assert str(folder) not in json.dumps(found)


def test_on_the_command_line(folder: Path) -> None:
    (folder / "a.toml").write_text(MINE, encoding="utf-8")
    (folder / "bad.toml").write_text("a =", encoding="utf-8")
    listed = CliRunner().invoke(cli, ["decks"])
    assert listed.exit_code == 0
    assert "mine" in listed.output
    assert "cannot be used: the deck is not TOML" in listed.output
    as_data = json.loads(CliRunner().invoke(cli, ["decks", "--json"]).output)["decks"]
    assert [deck["source"] for deck in as_data if deck["source"] != "shipped"] == ["a.toml", "bad.toml"]


@pytest.mark.covered
def test_one_file_on_the_command_line(folder: Path) -> None:
    (folder / "a.toml").write_text(MINE, encoding="utf-8")
    (folder / "bad.toml").write_text(MINE.replace("vp = 3", "vp = -3", 1), encoding="utf-8")
    shown = CliRunner().invoke(cli, ["decks", str(folder / "a.toml")])
    assert shown.exit_code == 0
    assert "House deck: a deck of king, called mine" in shown.output
    assert "Balsam" in shown.output
    one = json.loads(CliRunner().invoke(cli, ["decks", "--json", "-"], input=MINE).output)
    assert (one["game"], one["name"], one["source"], one["error"]) == ("king", "mine", "<stdin>", None)
    for arguments in ([str(folder / "bad.toml")], [str(folder / "nowhere.toml")]):
        refused = CliRunner().invoke(cli, ["decks", *arguments])
        assert refused.exit_code == 2
        assert arguments[0] in refused.output
    assert "bad.toml: card[0].vp: card F1: " in CliRunner().invoke(cli, ["decks", str(folder / "bad.toml")]).output
