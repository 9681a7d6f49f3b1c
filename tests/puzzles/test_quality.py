"""What a good puzzle is: each flaw in a position that has it, themes that are refuted, and names."""

from __future__ import annotations

from typing import Any

import pytest

from puzzles.check import solve_puzzle
from puzzles.format import Measured, Puzzle, from_data
from puzzles.generate import DROPPED, Order, make
from puzzles.naming import title_of
from puzzles.quality import REASONS, candidate_of, flaw, task_of
from solver import registry
from solver.language import speaking
from solver.limits import Limit
from solver.positions import parse_position
from solver.puzzle_maker import Candidate, composer_of

DUEL = "alchemy duel line=2,3,4,6,10,K hand=5 opponent_hand=3"
TRICK = (
    "kirin direction=descending hands=S3,S-,B2/G5,G-/D1,S1,G3/S5,S+,G4 declared=G6,G2,ST,S4 "
    "won=D6,DT,D+,D-,S6,B+,GT,G+/D2,D3,B1,B3,B5,B6,B-,G1/D5,S2,B4,BT/- trick=1:D4"
)
RACE = "aqua-regia hands=Na,Na,Al,Fe/Al,Al,Al,Fe,Fe,Fe field=aqua-regia reversed=yes turn=0 discard=Ca,Ca,Na,Na"
FORCED = "kirin direction=ascending leader=0 hands=D1,S4/S5,S6/B2,B3/G5,G6 declared=D4,S1,B1,G1"
HIDDEN = {"game": "alchemy", "variant": "solo", "cap": 4, "line": ["A", "A", "4", "7"], "hand": "6"}


def puzzle(position: Any, ask: str = "best-move", **more: Any) -> Puzzle:
    (one,) = from_data(
        {"puzzle": [{"id": "own", "title": "Own", "ask": ask, "position": position, **more}]}
    ).puzzles
    return one


def flaw_of(one: Puzzle, **measured: Any) -> str | None:
    """What is wrong with a puzzle, of which this was measured."""
    result = solve_puzzle(one, Limit())
    assert result.answer is not None
    assert result.found is not None
    how = (
        composer_of(one.game),
        task_of(one),
        candidate_of(one),
        result.answer,
        result.found,
        Measured(**measured),
    )
    return flaw(*how)


def test_a_good_one_has_no_flaw() -> None:
    assert flaw_of(puzzle(DUEL)) is None
    assert flaw_of(puzzle(DUEL), plausible=3) is None


FLAWS: list[tuple[str, Puzzle, dict[str, Any]]] = [
    ("few moves", puzzle(FORCED), {}),
    ("few moves", puzzle(DUEL), {"plausible": 2}),
    ("certain", puzzle(HIDDEN | {"unseen": ["2"] * 3}, "value"), {}),
    ("obvious", puzzle(DUEL, "value"), {"obvious": 6}),
    ("short", puzzle(TRICK, "value"), {"steps": 1}),
    ("level", puzzle(FORCED, "value"), {"steps": 3}),
    ("yes or no", puzzle(RACE, "value"), {"steps": 3}),
    ("counting", puzzle("alchemy free min_line=1 line=A,2,4 hand=3", "value"), {}),
    ("obvious", puzzle(DUEL), {"obvious": "5+4+6=2+3+10"}),
    ("tie-breaks", puzzle(FORCED, "value", model="maxn"), {"steps": 3}),
    ("too much", puzzle(HIDDEN | {"stock": ["2", "3", "5", "8"] * 4}, "winnable"), {}),
    ("too much", puzzle("alchemy free min_line=1 line=A,2,3,4,5,6,7,8 hand=9", "all-matches"), {}),
]


@pytest.mark.parametrize(
    ("name", "one", "measured"), FLAWS, ids=[f"{name}-{at}" for at, (name, *_) in enumerate(FLAWS)]
)
def test_a_flaw(name: str, one: Puzzle, measured: dict[str, Any]) -> None:
    assert flaw_of(one, **measured) == name


def test_a_move_that_only_breaks_ties_loses_nothing() -> None:
    """Seat 0 has one point with each card; what the others have decides."""
    position = (
        "kirin direction=descending hands=S6,B4,G4/G3,G5/S2,S3/D2,B2 declared=D4,G2,S5,B5 "
        "won=D3,S+,BT,G-/D1,D6,D+,D-,S-,B-,G6,GT/DT,S1,B6,G+/D5,ST,B3,B+ trick=1:G1,B1,S4"
    )
    assert flaw_of(puzzle(position, model="maxn"), plausible=3) == "no loss"


def test_cards_in_sight_are_counted_in_each_game() -> None:
    for position, cards in (
        (DUEL, 7),
        (FORCED, 8),
        ("aqua-regia hands=Li,Cu/K,Ag field=water turn=0", 4),
        ({"game": "king", "cards": ["F10", "W7", "F11"]}, 3),
    ):
        read = parse_position(position)
        assert composer_of(registry.game_of(read)).cards_in_sight(Candidate(read)) == cards


# ----------------------------------------------------------------------------------------------------
# Themes, why candidates are dropped, decks, titles.


def test_a_theme_that_does_not_hold_refutes_a_puzzle() -> None:
    solution = {"best": ["5+4+6=2+3+10"], "value": 6}
    right = solve_puzzle(puzzle(DUEL, themes=["deny"], solution=solution), Limit())
    assert (right.status, right.reason) == ("confirmed", None)
    wrong = solve_puzzle(puzzle(DUEL, themes=["deny", "joker", "decline"], solution=solution), Limit())
    assert (wrong.status, wrong.confirmed) == ("refuted", False)
    assert wrong.reason == "the best play does not have the themes joker, decline"


def test_a_value_has_no_theme_that_not_all_best_moves_share() -> None:
    """Every discard leaves the same chance, so that none is to be kept."""
    position = HIDDEN | {"line": ["2", "2", "2", "K"], "hand": "J", "unseen": ["K", "Q", "J"]}
    wrong = solve_puzzle(puzzle(position, "value", themes=["keep the highest card"]), Limit())
    assert wrong.status == "refuted"


def test_why_candidates_are_dropped_is_counted() -> None:
    made = [make(Order(game="kirin", seed=5, model="paranoid"), number) for number in range(6)]
    assert all(sum(one.dropped.values()) + (one.puzzle is not None) > 0 for one in made)
    assert {reason for one in made for reason in one.dropped} <= set(DROPPED)
    assert set(REASONS) < set(DROPPED)
    for language in ("en", "ja"):
        with speaking(language):
            reasons = [reason() for reason in DROPPED.values()]
        assert len(set(reasons)) == len(DROPPED)


def test_titles_are_captions_and_differ() -> None:
    assert title_of(("To lead", "", "D1 ST")) == "To lead · D1 ST"
    assert title_of(("Lead", "D1"), {"Lead · D1", "Lead · D1 · 2"}) == "Lead · D1 · 3"


@pytest.mark.parametrize(
    ("winner", "hands", "flawed"),
    [
        # Seat 0 wins only if seat 1, which loses anyhow, keeps seat 2 from going out.
        ("another", "Li,Ni,Ag/Li,Ni,Sn,Ag/Mg field=vapor turn=1 table=Mg owner=0 stock=Sn discard=Li,Mg", True),
        (
            "the mover",
            "Li,Li,Au/Au/Au/Pb,Hg,Hg field=aqua-regia reversed=yes turn=0 stock=Fe,Pb,Pb discard=Li,Hg",
            False,
        ),
    ],
)
def test_a_race_is_not_decided_by_who_can_not_win(winner: str, hands: str, flawed: bool) -> None:
    one = puzzle(f"aqua-regia hands={hands}", "value", model="maxn")
    assert (flaw_of(one, steps=2) == "tie-breaks") == flawed, winner
