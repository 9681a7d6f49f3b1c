"""Decks: shipped ones and the user's own, as TOML and as tables, dealt and played, through every door."""

from __future__ import annotations

import json
import random
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from click.testing import CliRunner, Result

import athanor
from api.app import create_app
from api.cli.main import cli
from athanor.sessions import Saved, Session
from solver import decks
from solver.errors import PositionError, RequestError
from solver.games.king.deck import KIND
from solver.language import speaking
from tests.api.support import refused
from tests.support.deck_tables import JAPANESE, ROWS, spelled, table

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


def test_the_catalogue_over_http(folder: Path) -> None:
    (folder / "bad.toml").write_text("a =", encoding="utf-8")
    client = create_app().test_client()
    found = client.get("/v1/decks").get_json()["decks"]
    assert found[0] == {"game": "king", "name": "house", "title": "House deck", "source": "shipped", "error": None}
    assert found[-1]["source"] == "bad.toml"
    assert found[-1]["error"]["code"] == "invalid_toml"
    assert str(folder) not in json.dumps(found)


def test_the_catalogue_on_the_command_line(folder: Path) -> None:
    (folder / "a.toml").write_text(MINE, encoding="utf-8")
    (folder / "bad.toml").write_text("a =", encoding="utf-8")
    listed = CliRunner().invoke(cli, ["decks"])
    assert listed.exit_code == 0
    assert "mine" in listed.output
    assert "cannot be used: the deck is not TOML" in listed.output
    as_data = json.loads(CliRunner().invoke(cli, ["decks", "--json"]).output)["decks"]
    assert [deck["source"] for deck in as_data if deck["source"] != "shipped"] == ["a.toml", "bad.toml"]


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


# ----------------------------------------------------------------------------------------------------
# Decks as tables: CSV, pasted tables, English and Japanese headers, and what is wrong with them.


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("game", ROWS)
def test_the_house_deck_comes_back_from_its_table(game: str, separator: str) -> None:
    rows = spelled(ROWS[game])
    columns = list(rows[0])
    random.Random(7).shuffle(columns)
    found, deck, data = decks.written(table(rows, separator, columns), "mine")
    assert (found, deck.name, data["name"]) == (game, "mine", "mine")
    assert deck.rows() == ROWS[game]


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("game", ROWS)
def test_a_deck_is_written_as_a_table_that_is_read_again(game: str, lang: str) -> None:
    """Such a table is where one's own deck begins."""
    house = next(kind.house for kind in decks.kinds() if kind.game == game)
    with speaking(lang):
        written = decks.table_of(game, house)
    assert written.startswith("\ufeff")
    assert written[1:].split(",")[0].isascii() == (lang == "en")
    assert decks.read(written.encode(), "mine")[1].rows() == ROWS[game]
    assert CliRunner().invoke(cli, ["decks", game, "--csv"]).output == decks.table_of(game, house)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("game", ROWS)
def test_a_deck_is_changed_row_by_row_and_saved_as_files(tmp_path: Path, game: str, lang: str) -> None:
    """As on the page: from the house deck, in either language; its files are read by every door."""
    client = create_app().test_client()

    def asked(**body: Any) -> dict[str, Any]:
        answer = client.post("/v1/deck", json={"game": game, **body}, headers={"Accept-Language": lang})
        found: dict[str, Any] = answer.get_json()
        return found

    first = asked()["table"]
    names = [column["name"] for column in first["columns"]]
    numbers = [column["name"] for column in first["columns"] if column["kind"] == "number"]
    rows = first["rows"]
    rows[0][numbers[1]] = "2"
    rows[1]["name"] = "Ours, of two words"
    changed = asked(rows=rows, name="mine")
    assert changed["faults"] == []
    table = changed["table"]
    assert (table["name"], table["rows"]) == ("mine", rows)
    assert asked(deck=table["deck"])["table"]["rows"] == rows
    for ending in ("csv", "toml"):
        file = tmp_path / f"mine.{ending}"
        file.write_text(table[ending], encoding="utf-8")
        checked = CliRunner().invoke(cli, ["decks", str(file)])
        assert checked.exit_code == 0, checked.output
        read = client.post(
            f"/v1/decks?name={file.name}", data=table[ending], content_type="application/toml"
        ).get_json()
        assert (read["game"], read["name"]) == (game, "mine")
        assert asked(deck=read["deck"])["table"]["rows"] == rows
    for column in numbers[:2]:
        rows[3][column] = "many"
    del rows[5][names[0]]
    wrong = asked(rows=rows, name="mine")
    assert wrong["table"] is None
    expected = {f"rows[3].{column}" for column in numbers[:2]} | {f"rows[5].{names[0]}"}
    assert {fault["path"] for fault in wrong["faults"]} == expected


@pytest.mark.parametrize("made", ["en", "ja"])
@pytest.mark.parametrize("game", ROWS)
def test_unchanged_cards_are_in_the_language_of_the_reader(game: str, made: str) -> None:
    client = create_app().test_client()

    def asked(path: str, lang: str, **body: Any) -> Any:
        return client.post(path, json={"game": game, **body}, headers={"Accept-Language": lang}).get_json()

    rows = asked("/v1/deck", made)["table"]["rows"]
    rows[1]["name"] = "Ours, of two words"
    deck = asked("/v1/deck", made, rows=rows, name="mine")["table"]["deck"]
    for read in ("en", "ja"):
        house, own = (asked("/v1/deck", read, deck=one)["table"]["rows"] for one in ("house", deck))
        assert [at for at, (one, other) in enumerate(zip(house, own, strict=True)) if one != other] == [1]
        faces = [asked("/v1/cards", read, deck=one)["cards"] for one in ("house", deck)]
        assert [one["name"] for one in faces[0]][2:] == [one["name"] for one in faces[1]][2:]


def test_a_table_of_what_is_no_deck() -> None:
    client = create_app().test_client()
    refused(client.post("/v1/deck", json={"game": "kirin"}), 422, "not_offered", "game")
    refused(client.post("/v1/deck", json={"game": "king", "deck": "none"}), 422, "unknown_deck", "deck")
    with pytest.raises(PositionError) as caught:
        athanor.deck("aqua-regia", rows=[{"water": "1"}])
    assert caught.value.path == "rows[0].symbol"


def test_a_table_has_the_copies_and_the_faults_of_metals_in_order_of_strength() -> None:
    three = athanor.deck("aqua-regia", deck=METALS | {"copies": 3})
    assert decks.read(three.csv)[2]["copies"] == 3
    lines = "symbol,water,vapor,acid,aqua-regia,strength\nAu,0,0,0,many,2\nLi,3,3,3,3,1\n"
    with pytest.raises(PositionError) as caught:
        decks.written(lines)
    assert caught.value.path == "line 2, aqua-regia"


def test_metals_that_differ_in_their_copies_are_refused_in_their_row() -> None:
    lines = "symbol,water,vapor,acid,aqua-regia,copies,strength\nAu,0,0,0,4,3,2\nLi,3,3,3,3,4,1\nAg,0,0,2,2,,3\n"
    with pytest.raises(PositionError) as caught:
        decks.written(lines)
    assert str(caught.value).startswith("line 2, copies: 3 cards, but Li has 4")
    rows = [
        {"symbol": symbol, "aqua-regia": "1", "copies": copies} for symbol, copies in (("Li", "2"), ("Na", "2.5"))
    ]
    with pytest.raises(PositionError) as caught:
        athanor.deck("aqua-regia", rows=rows)
    assert (caught.value.code, caught.value.path) == ("conflict", "rows[1].copies")
    _, _, data = decks.written(lines.replace(",3,2", ",4,2"))
    assert data["copies"] == 4
    assert [metal["symbol"] for metal in data["metal"]] == ["Li", "Au", "Ag"]  # an empty cell says nothing


def test_a_table_is_of_one_deck(folder: Path) -> None:
    for arguments in ([], ["house"]):  # a house deck of two games
        refused = CliRunner().invoke(cli, ["decks", "--csv", *arguments])
        assert refused.exit_code == 2
        assert "--csv writes one deck" in refused.output
    assert CliRunner().invoke(cli, ["decks", "king", "--csv"]).exit_code == 0  # although there are others


@pytest.mark.parametrize("game", ROWS)
def test_japanese_headers_and_letters_of_spreadsheets(game: str) -> None:
    rows = [{JAPANESE[column]: cell for column, cell in row.items()} for row in spelled(ROWS[game])]
    kinds = {"material": "素材", "method": "手法", "trump": "切り札", "dancer": "踊り子"}
    suits = {"Fire": "火", "Water": "水", "Earth": "土", "Wind": "風"}
    rows = [{column: (kinds | suits).get(cell, cell) for column, cell in row.items()} for row in rows]
    for encoding in ("utf-8-sig", "cp932"):
        _, deck, _ = decks.read(table(rows).encode(encoding))
        assert deck.rows() == ROWS[game]


def test_kinds_follow_from_suits_and_recipes() -> None:
    rows = [dict(row) for row in spelled(ROWS["king"])]
    for row in rows:
        row["suit"] = row["suit"] or row["kind"]
        del row["kind"]
    assert decks.written(table(rows))[1].rows() == ROWS["king"]


def test_a_pasted_table_of_bars_with_a_rule() -> None:
    rows = ROWS["aqua-regia"]
    lines = ["| " + " | ".join(rows[0]) + " |", "|" + "---|" * len(rows[0])]
    lines += ["| " + " | ".join(row.values()) + " |" for row in rows]
    assert decks.written("\n".join(lines))[1].rows() == rows


def faults(text: str) -> list[str]:
    with pytest.raises(PositionError) as found:
        decks.written(text)
    return [str(fault) for fault in found.value.faults]


def test_faults_name_line_and_column() -> None:
    rows = [dict(row) for row in ROWS["aqua-regia"]]
    rows[1]["acid"] = "many"
    rows[4]["water"] = "12"
    found = faults(table(rows))
    assert found[0].startswith("line 3, acid: metal K")
    header = "symbol,colour,water,vapor\nZn,grey,1,2\n"
    assert faults(header) == [
        "line 1: there is no column 'colour'; the columns are symbol, name, water, vapor, acid, aqua-regia, "
        "copies, strength",
        "line 1: the column acid is missing",
        "line 1: the column aqua-regia is missing",
    ]
    assert faults("symbol,water,vapor,acid,aqua-regia\nZn,1,2,3,1,5\n") == [
        "line 2: the row has 6 cells, but there are 5 columns"
    ]


# ----------------------------------------------------------------------------------------------------
# Decks of the user's own, dealt and played: in Python, over HTTP, and on the command line.


THREE = Path("docs/examples/three-metals.toml")
METALS = tomllib.loads(THREE.read_text(encoding="utf-8"))
RENAMED = HOUSE.replace('name = "house"', 'name = "mine"').replace('code = "F1"', 'code = "F0"')


@pytest.fixture
def own_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's decks, one of which is King's house deck with a card called otherwise, and state own_decks."""
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "mine.toml").write_text(RENAMED, encoding="utf-8")
    monkeypatch.setenv(decks.FOLDER_VARIABLE, str(tmp_path / "decks"))
    monkeypatch.setattr(platformdirs, "user_state_path", lambda *_, **__: tmp_path / "state")
    return tmp_path / "decks"


def ran(*args: object, lines: str = "", code: int = 0) -> Result:
    result = CliRunner().invoke(cli, list(map(str, args)), input=lines)
    assert result.exit_code == code, (result.output, result.exception)
    return result


def cards_of(position: Any) -> list[str]:
    return sorted(card for hand in position.hands for card in hand)


@pytest.mark.usefixtures("own_decks")
@pytest.mark.parametrize("variant", ["unpicked", "picked"])
def test_the_same_seed_deals_the_same_places_of_another_deck(variant: str) -> None:
    usual: Any = athanor.deal("king", seed=4, players=5, variant=variant)
    own: Any = athanor.deal("king", seed=4, players=5, variant=variant, deck="mine")
    assert (own.deck, usual.deck) == ("mine", "house")
    assert own.hands == tuple(tuple("F0" if card == "F1" else card for card in hand) for hand in usual.hands)
    whole: Any = athanor.game("king").deal(seed=4, players=5, variant=variant, deck=tomllib.loads(RENAMED))
    assert whole.hands == own.hands
    assert athanor.parse(str(whole)) == whole
    named = athanor.deal("king", seed=4, players=5, variant=variant, deck="house")
    assert named == usual


@pytest.mark.usefixtures("own_decks")
def test_a_table_of_metals_is_dealt_whole() -> None:
    dealt: Any = athanor.deal("aqua-regia", seed=1, players=2, deck=METALS)
    assert sorted([*cards_of(dealt), *dealt.stock]) == sorted(["Na", "Fe", "Au"] * 8)
    view: Any = athanor.view(dealt, 1)
    assert view.deck == dealt.deck
    assert athanor.hint(athanor.view(dealt, 0), nodes=100).best in athanor.legal_moves(dealt)


@pytest.mark.usefixtures("own_decks")
@pytest.mark.parametrize(
    ("game", "more", "code", "path", "words"),
    [
        ("king", {"deck": "none"}, "unknown_deck", "deck", "possible: house, mine"),
        ("king", {"deck": {**tomllib.loads(RENAMED), "copies": 3}}, "unknown_key", "deck.copies", "unknown key"),
        ("aqua-regia", {"deck": {**METALS, "copies": 0}}, "out_of_range", "deck.copies", "1 to 99 is expected"),
        ("aqua-regia", {"deck": METALS, "players": 3}, "out_of_range", "players", "has 24 cards"),
        ("kirin", {"deck": "house"}, "not_offered", "deck", "are fixed"),
        ("alchemy", {"deck": {}}, "not_offered", "deck", "are fixed"),
        ("king", {"deck": ""}, "wrong_size", "deck", "at least 1 character"),
        ("king", {"deck": 3}, "wrong_type", "deck", "text is expected"),
    ],
)
def test_decks_that_are_refused(game: str, more: dict[str, Any], code: str, path: str, words: str) -> None:
    with pytest.raises((PositionError, RequestError), match=words) as found:
        athanor.deal(game, seed=1, **more)
    assert (found.value.code, found.value.path) == (code, path)
    client = create_app().test_client()
    assert words in refused(client.post("/v1/deal", json={"game": game, **more}), 422, code, path)


@pytest.mark.usefixtures("own_decks")
def test_own_decks_over_http() -> None:
    client = create_app().test_client()
    asked = {"game": "aqua-regia", "seed": 3, "players": 2}
    told = client.post("/v1/deal", json={**asked, "deck": METALS, "seat": 1}).get_json()
    assert told["position"]["deck"]["name"] == "three"
    assert athanor.parse(told["text"]) == athanor.parse(told["position"])
    named = client.post("/v1/deal", json={"game": "king", "seed": 4, "deck": "mine"}).get_json()
    assert athanor.parse(named["position"]) == athanor.deal("king", seed=4, deck="mine")


@pytest.mark.usefixtures("own_decks")
def test_own_decks_on_the_command_line(own_decks: Path) -> None:
    told = json.loads(ran("deal", "king", "--seed", 4, "--deck", "mine").stdout)
    assert athanor.parse(told) == athanor.deal("king", seed=4, deck="mine")
    told = json.loads(ran("deal", "aqua-regia", "--seed", 4, "--players", 2, "--deck", THREE).stdout)
    assert athanor.parse(told) == athanor.deal("aqua-regia", seed=4, players=2, deck=METALS)
    for named, words in (
        ("other", "there is no deck of king called 'other'; possible: house, mine"),
        (THREE, f"{THREE}: this is a deck of aqua-regia, not of king"),
        (own_decks / "none.toml", "No such file or directory"),
        ("docs/examples/my-deck.toml", "docs/examples/my-deck.toml: card[0].vp: card F1"),
    ):
        for command in ("deal", "play"):
            assert words in ran(command, "king", "--deck", named, code=2).stderr


@pytest.mark.usefixtures("own_decks")
@pytest.mark.parametrize(("game", "named", "players"), [("aqua-regia", str(THREE), 2), ("king", "mine", 3)])
def test_a_game_is_played_and_kept_with_its_deck(tmp_path: Path, game: str, named: str, players: int) -> None:
    """The file holds all that is needed to go on, and is text and JSON in turn."""
    kept, text = tmp_path / "game.json", tmp_path / "game.txt"
    begun = f"play {game} --seed 5 --players {players} --deck {named} --seconds 0.05 --save".split()
    told = ran(*begun, kept, lines="1\ncards\n")
    assert ("F0" if named == "mine" else "Sodium") in told.stdout
    text.write_text(ran("convert", kept).stdout, encoding="utf-8")
    assert json.loads(ran("convert", text).stdout) == json.loads(kept.read_text(encoding="utf-8"))
    again = ran("play", game, "--resume", kept, lines="")
    assert "1: " in again.stdout
    assert "keeps its own" in ran("play", game, "--resume", kept, "--deck", named, code=2).stderr


@pytest.mark.usefixtures("own_decks")
@pytest.mark.parametrize(("game", "deck", "players"), [("aqua-regia", METALS, 2), ("king", "mine", 3)])
def test_a_match_is_scored_with_its_deck(game: str, deck: Any, players: int) -> None:
    table = Session(Saved(game=game, seed=2, players=players, deck=deck, rounds=2, seconds=0.3))
    while not table.over:
        table.play(table.round.moves()[0])
    positions: list[Any] = [played.position for played in table.ended]
    first, *others = positions
    assert all(other.deck == first.deck for other in others)
    assert first.deck != "house"
    assert len(table.score().rounds) == 1 + len(others)  # type: ignore[attr-defined]
