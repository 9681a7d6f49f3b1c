"""Whole games are what they were when they were recorded, and seeds mean the same deals for ever."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from solver import registry
from solver.errors import RequestError
from solver.positions import position_data
from tests.support import playthroughs

GAME = registry.game("alchemy")

# Variant, seed, number; the line, the hand, and the stock in draw order or the opponent's hand. Never to change.
DEALS: list[tuple[str, int, int, str, str, str]] = [
    (
        "solo", 0, 0, "A J Q 6 K 10", "9",
        "5 4 J 10 8 Q 8 9 3 J 7 10 8 7 3 A A Q K 7 J K 9 6 A 5 7 2 4 2 2 5 3 10 9 4 "
        "Q 3 2 6 8 6 K 4 5",
    ),
    (
        "solo", 1, 0, "5 6 J J 2 2", "6",
        "10 K A Q 7 A 8 9 5 Q 4 3 A 9 7 Q 8 3 4 8 3 K 10 K 2 A 4 4 7 5 8 Q K 9 10 J "
        "10 5 9 2 3 J 7 6 6",
    ),
    (
        "solo", 1, 1, "7 5 10 10 3 J", "K",
        "6 9 6 A 4 8 3 A 4 Q 9 7 Q K A 2 J K A 2 7 4 Q J 6 8 9 3 J K 4 8 Q 9 2 3 8 5 "
        "5 5 10 2 7 6 10",
    ),
    (
        "alternative", 0, 0, "6 5 3 8", "9",
        "8 6 7 5 7 9 A A 9 5 7 8 8 10 A 4 10 9 10 2 2 3 2 7 6 3 4 2 A 4 6 5 10 3 "
        "4",
    ),
    (
        "alternative", 2024, 7, "5 6 10 5", "2",
        "9 6 5 7 10 A 10 6 A 2 3 2 4 7 A 4 2 A 8 3 8 8 5 4 3 9 7 9 10 6 3 9 7 4 "
        "8",
    ),
    (
        "duel", 0, 0, "A J Q 6 K 10", "9",
        "5",
    ),
    (
        "duel", 9, 2**40, "K Q 10 3 8 4", "2",
        "10",
    ),
]  # fmt: skip


@pytest.mark.small
@pytest.mark.parametrize("name", playthroughs.PLAYTHROUGHS)
def test_a_game_goes_as_recorded(name: str) -> None:
    recorded = (playthroughs.FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    now = playthroughs.played(name).splitlines()
    changes = list(difflib.unified_diff(recorded, now, "recorded", "played now", lineterm=""))
    assert not changes, "\n".join(
        [*changes[:40], "If the change is meant: python -m tests.support.playthroughs --write"]
    )


def test_every_recorded_game_is_played() -> None:
    assert {path.stem for path in playthroughs.FOLDER.glob("*.txt")} == set(playthroughs.PLAYTHROUGHS)


def test_the_recorded_games_cover_what_can_happen() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in Path(playthroughs.FOLDER).glob("*.txt")}
    for variant in ("solo", "alternative"):
        assert "score: won, 0 stock cards left" in texts[f"alchemy_{variant}_won"]
        assert "score: lost" in texts[f"alchemy_{variant}_lost"]
        assert "plays: discard" in texts[f"alchemy_{variant}_lost"]
    jokers = texts["alchemy_duel_jokers"]
    assert "jokers set aside" in jokers
    assert "hands X" in jokers or " X; deck" in jokers
    assert all("wins\n" in text for name, text in texts.items() if "duel" in name)
    assert any(" none" in text for name, text in texts.items() if "duel" in name)


@pytest.mark.small
@pytest.mark.parametrize(("variant", "seed", "number", "line", "hand", "rest"), DEALS)
def test_a_seed_means_the_same_deal_for_ever(
    variant: str, seed: int, number: int, line: str, hand: str, rest: str
) -> None:
    data = position_data(GAME.deal(seed, number=number, variant=variant))
    assert data["line"] == line.split()
    assert data["hand"] == hand
    assert ([data["opponent_hand"]] if variant == "duel" else data["stock"]) == rest.split()


def test_what_is_dealt() -> None:
    assert position_data(GAME.deal(3)) == position_data(GAME.deal(3, variant="solo"))
    assert position_data(GAME.deal(3, players=2))["variant"] == "duel"
    with pytest.raises(RequestError, match="for 1 player, not for 2"):
        GAME.deal(3, players=2, variant="solo")
    with pytest.raises(RequestError, match="cannot be dealt"):
        GAME.deal(3, variant="free")
