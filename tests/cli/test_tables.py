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
    assert told[0] == "Seat 1 could be seen to do:"
    assert len(told) > 9
    legal = athanor("moves", "-", stdin=deal).stdout.splitlines()
    assert legal[0] == "Seat 0 is to move, and may do:"
    assert [line.strip() for line in legal[1:]] == first["moves"]


def test_wrong_moves_are_refused(athanor: Run) -> None:
    found = athanor("after", "-", "9+9=2", stdin=json.dumps(WON))
    assert found.exit_code == 2
    assert "moves[0]" in found.stderr
    found = athanor("after", "-", "none", stdin=json.dumps(DUEL))
    assert found.exit_code == 2
    assert "only a solitaire" in found.stderr
