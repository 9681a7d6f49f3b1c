"""From a hand at a real table to a review of the round: every game, by what is typed in a terminal."""

from __future__ import annotations

import json

import pytest

from tests.journeys.people import Person
from tests.journeys.real_tables import TURNED, missed_at, seen_at
from tests.journeys.table import MISSING, ROWS, Row

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_from_a_hand_to_a_review(person: Person, row: Row) -> None:
    """The companion is left in the middle and goes on; there a move is made against the rules, or told to be."""
    dealt = person.gets("deal", *row.options, "--seat", 0, "--text") if row.record else ""
    start, lines = seen_at(row, dealt)
    half = len(lines) // 2
    told = [at for at, line in enumerate(lines) if not line.startswith("draws") and not TURNED.fullmatch(line)]
    against = next(at for at in told if at >= half)
    lines[against] += " anyway"
    begun = ["watch", row.game, *start, "--seconds", "0.05", "--save", "table.json"]
    first = person.gets(*begun, lines="\n".join([*lines[:half], "quit", ""]))
    assert "athanor watch --resume table.json" in first
    assert "Best" in first
    rest = person.gets("watch", "--resume", "table.json", lines="\n".join([*lines[half:], "", ""]))
    assert "Round 1 is over." in rest
    assert "help lists the commands" not in first + rest  # nothing was refused
    scored = person.wants("score of a real table", row, "score", "table.json")
    assert scored is None or row.game in scored
    assert "Played against the rules or earlier plays:" in rest
    review = json.loads(person.gets("review", "table.json", "--nodes", row.nodes, "--json"))
    assert review["complete"]
    assert review["moves"]
    assert review["notes"]


@pytest.mark.parametrize("row", MISSING, ids=str)
def test_from_a_missed_card_to_a_review(person: Person, row: Row) -> None:
    """The companion asks what can be seen of it, goes on with half a memory, and reviews what it knows."""
    start, lines = missed_at(row)
    begun = ["watch", row.game, *start, "--seconds", "0.05", "--save", "table.json"]
    told = person.gets(*begun, lines="\n".join([*lines, "", ""]))
    assert "Round 1 is over." in told
    assert "help lists the commands" not in told  # nothing was refused
    person.wants("score of a real table", row.game, "score", "table.json")
    review = json.loads(person.gets("review", "table.json", "--nodes", row.nodes, "--json"))
    assert review["moves"]
