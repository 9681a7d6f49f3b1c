"""What is printed fits the terminal; what goes to a pipe is not wrapped."""

from __future__ import annotations

import io
import re

import pytest
from click.testing import CliRunner

from api.cli.decks import show_cards
from api.cli.main import cli
from api.cli.terminal import laid_out, output

VIEW = "kirin seat=3 hand=D1,D+,S2,S3,ST declared=B- leader=2 trick=S+ " + (
    "history=0:G-,D3,D5,B6/3:G3,S1,G1,D-/1:B4,GT,D2,B3"
)
METHOD = {
    "card": "F3", "kind": "method", "name": "Calcination", "suit": "Fire", "number": "3", "points": "1",
    "provides": "Calcination", "makes": "Red Calx", "of": "Iron, Vitriol", "bonus": "5",
}  # fmt: skip
MATERIAL = dict.fromkeys(METHOD, "") | {"card": "W10", "kind": "material", "name": "Lead", "suit": "Water"}


def cards_at(width: int) -> list[str]:
    """What `cards` prints on a terminal of so many columns."""
    stream = io.StringIO()
    show_cards(output(stream, width), [METHOD, MATERIAL])
    lines = re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()).splitlines()
    assert all(len(line) <= width for line in lines)
    return lines


def test_words_are_whole_where_a_table_is_too_wide() -> None:
    told = " ".join(" ".join(cards_at(80)).split())
    assert told == (
        "F3 kind method; name Calcination; suit Fire; number 3; points 1; provides Calcination; makes Red Calx; "
        "of Iron, Vitriol; bonus 5 W10 kind material; name Lead; suit Water"
    )


def test_a_table_gives_way_between_words() -> None:
    lines = [line.split() for line in cards_at(100)]
    assert list(METHOD) in lines
    assert ["F3", "method", "Calcination", "Fire", "3", "1", "Calcination", "Red", "Calx", "Iron,", "5"] in lines
    assert ["Vitriol"] in lines


def test_nothing_is_wrapped_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    found = CliRunner().invoke(cli, ["hint", VIEW, "--worlds", "64", "--full"]).output
    unseen = next(line for line in found.splitlines() if line.startswith("Unseen"))
    assert len(unseen.split()) > 12
    assert not any(line.endswith(" ") for line in found.splitlines())


def test_columns_move_together_before_words_are_parted() -> None:
    stream = io.StringIO()
    labels = ["move", "used", "points", "win probability", "stderr"]
    output(stream, 46).print(laid_out(labels, [["4+4+10=2+5+J", "2 4", "6", "0.6", "0.01"]], 46))
    lines = re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()).splitlines()
    assert all(len(line) <= 46 for line in lines)
    assert any(line.split() == ["4+4+10=2+5+J", "2", "4", "6", "0.6", "0.01"] for line in lines)
    assert any(line.split() == ["move", "used", "points", "probability", "stderr"] for line in lines)
