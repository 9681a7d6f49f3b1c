"""`athanor moves`, `athanor after` and `athanor view`."""

from __future__ import annotations

import json

from tests.cli.support import DUEL, WON, Run


def test_a_position_is_played_on_and_seen(athanor: Run) -> None:
    deal = athanor("deal", "kirin", "--seed", "3").stdout
    first = json.loads(athanor("moves", "-", "--json", stdin=deal).stdout)
    assert first["to_move"] == 0
    later = athanor("after", "-", first["moves"][0], stdin=deal)
    assert json.loads(later.stdout)["trick"] == first["moves"][:1]
    seen = athanor("view", "-", "--seat", "2", stdin=later.stdout)
    told = athanor("moves", "-", stdin=seen.stdout).stdout.splitlines()
    assert told[0] == "What seat 1 could do:"
    assert len(told) > 9
    legal = athanor("moves", "-", stdin=deal).stdout.splitlines()
    assert legal[0] == "Seat 0 is to move. Its moves:"
    assert [line.strip() for line in legal[1:]] == first["moves"]


def test_wrong_moves_are_refused(athanor: Run) -> None:
    found = athanor("after", "-", "9+9=2", stdin=json.dumps(WON))
    assert found.exit_code == 2
    assert "moves[0]" in found.stderr
    found = athanor("after", "-", "1:none", "none", stdin=json.dumps(DUEL))
    assert found.exit_code == 2
    assert "moves[1]: after none cards are turned up" in found.stderr


def test_a_line_before_moves_needs_no_quotes(athanor: Run) -> None:
    line = "alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8"
    for words in (line.split(), [line]):
        found = athanor("after", *words, "1:J+8=4+5+10", "--text")
        assert found.stdout == f"{line} grabbed=1:8+J=4+5+10\n"
    both = athanor("moves", line).stdout.splitlines()
    assert both[0] == "Seat 0 is to move. Its moves:"
    assert "Before that, there could be:" in both
    assert "  1:8+2=10" in both
    assert "Missing argument" in athanor("after", *line.split()).stderr
