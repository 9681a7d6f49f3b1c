"""King × Alchemy on the command line: scores, deals, positions and what is wrong with them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from api.cli.main import cli
from tests.games.king.examples import ROUND


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def athanor(*arguments: str, stdin: object = None) -> Result:
    return CliRunner().invoke(cli, list(arguments), input=None if stdin is None else json.dumps(stdin))


def test_a_score_with_what_was_made() -> None:
    record = {"game": "king", "deck": "house", "rounds": [ROUND]}
    shown = athanor("score", "-", stdin=record).stdout
    lines = [line.strip() for line in shown.splitlines()]
    assert "seat 2: 22 = 13 + 9: Gunpowder 9 (T1 of F3 A1 A4)" in lines
    assert json.loads(athanor("score", "-", "--json", stdin=record).stdout)["rounds"] == [[14, 27, 22]]


def test_kings_deals_positions_and_decks() -> None:
    dealt = json.loads(athanor("deal", "king", "--seed", "3", "--players", "5").stdout)
    assert [len(hand) for hand in dealt["hands"]] == [9] * 5
    pick = json.loads(athanor("deal", "king", "--seed", "3", "--variant", "unpicked", "--seat", "2").stdout)
    assert (pick["stage"], pick["seat"], len(pick["hand"])) == ("pick", 2, 12)
    shown = athanor("analyze", "-", "--nodes", "1", stdin=dealt)
    assert shown.exit_code == 0
    assert "Seat 4 won" in shown.stdout
    assert "not proved further" in shown.stdout
    for position, words in (
        (dealt | {"deck": "mine"}, "deck: there is no deck of king called 'mine'"),
        (pick, "the other hands are hidden"),
        (dealt | {"trick": ["F12"]}, "trick[0]: 'F12' is not a card"),
    ):
        refused = athanor("analyze", "-", stdin=position)
        assert refused.exit_code == 2
        assert words in refused.stderr


def test_a_hint_for_a_card_and_for_a_taking() -> None:
    view = json.loads(athanor("deal", "king", "--seed", "4", "--seat", "0").stdout)
    found = athanor("hint", "-", "--worlds", "20", "--full", stdin=view)
    assert (found.exit_code, found.stderr) == (0, "")
    for text in ("Why", "mean", "sampled rounds"):
        assert text in found.stdout
    answer = json.loads(athanor("hint", "-", "--worlds", "20", "--json", stdin=view).stdout)
    assert answer["worlds"] == 20
    assert {move["move"] for move in answer["moves"]} >= set(view["hand"]) - {"D"}
