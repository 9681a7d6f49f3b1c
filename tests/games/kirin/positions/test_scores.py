"""The scores of rounds and matches of kirin."""

from __future__ import annotations

from typing import Any

from solver.games.kirin import GAME
from solver.games.kirin.position import KirinScore
from solver.positions import parse_record
from tests.games.kirin.examples import NINES

ROUNDS = [
    # seat 0 has the D but D1 for eight points, seat 1 all S, …
    {"declared": ["D1", "S1", "B1", "G1"], "won": [NINES[0][1:], NINES[1][1:], NINES[2][1:], NINES[3][1:]]},
    # seats 0 and 1 both collect D; seat 2 has taken everything
    {
        "declared": ["D1", "D2", "S1", "G1"],
        "won": [[], [], [*NINES[0][2:], *NINES[1][1:], *NINES[2], *NINES[3][1:]], []],
    },
    # two tricks of four kirin: their cards are nobody's
    {
        "declared": ["D1", "S1", "B1", "G1"],
        "won": [
            ["D2", "D3", "D4", "D5", "D6", "DT", "S2", "S3"],
            ["S4", "S5", "S6", "ST"],
            ["B2", "B3", "B4", "B5"],
            ["B6", "BT", "G2", "G3", "G4", "G5", "G6", "GT"],
        ],
    },
]


def score(*rounds: dict[str, Any], **keys: Any) -> KirinScore:
    found = GAME.score(parse_record({"game": "kirin", "rounds": list(rounds)} | keys))
    assert isinstance(found, KirinScore)
    return found


def test_rounds_and_a_match() -> None:
    match = score(*ROUNDS)
    assert match.rounds == ((8, 8, 8, 8), (0, 0, 8, 0), (6, 4, 4, 6))
    assert match.totals == (14, 12, 20, 14)
    assert match.winners == (2,)
    assert match.finished


def test_no_winner_before_the_third_round() -> None:
    part = score(ROUNDS[2], ROUNDS[1])
    assert part.totals == (6, 4, 12, 6)
    assert part.winners is None
    assert not part.finished


def test_ties_share() -> None:
    assert score(ROUNDS[2], ROUNDS[2], ROUNDS[0]).winners == (0, 3)
    assert score(ROUNDS[0], ROUNDS[0], ROUNDS[0]).winners == (0, 1, 2, 3)


def test_the_declared_card_counts_by_option() -> None:
    match = score(*ROUNDS, declared_counts=True)
    assert match.rounds == ((9, 9, 9, 9), (1, 1, 9, 1), (7, 5, 5, 7))
    assert match.totals == (17, 15, 23, 17)
    assert match.winners == (2,)
