"""Decks as tables: CSV, pasted tables, English and Japanese headers, and what is wrong with them."""

from __future__ import annotations

import random

import pytest

from solver import decks
from solver.errors import PositionError
from tests.support.deck_tables import JAPANESE, ROWS, spelled, table


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("game", ["king", "aqua-regia"])
def test_the_house_deck_comes_back_from_its_table(game: str, separator: str) -> None:
    rows = spelled(ROWS[game])
    columns = list(rows[0])
    random.Random(7).shuffle(columns)
    found, deck, data = decks.written(table(rows, separator, columns), "mine")
    assert (found, deck.name, data["name"]) == (game, "mine", "mine")
    assert deck.rows() == ROWS[game]


@pytest.mark.parametrize("game", ["king", "aqua-regia"])
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
