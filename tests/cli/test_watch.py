"""`athanor watch`: whole rounds told by keystrokes, corrections, and going on later.

The tables are simulated apart from the companion: all cards are known there and played at random by the rules, and
the companion is told only what one seat sees.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import athanor
from api.cli.main import cli
from solver import registry
from solver.positions import text_of
from tests.support.observed import played_out


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "athanor" / "play" / "watch"


def watch(typed: str, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["watch", *arguments, "--seconds", "0.05"], input=typed)


def kirin_table(seed: int, seat: int) -> tuple[str, list[list[str]], Any]:
    """How a round of Kirin begins for a seat, what is seen trick by trick, and the round at its end."""
    random_ = random.Random(seed)
    position: Any = athanor.deal("kirin", seed=seed)
    dealt = [*position.hands[seat], position.declared[seat]]
    start = f"seat={seat} leader={position.leader} hand={','.join(dealt)}"
    tricks: list[list[str]] = [[position.declared[seat]], []]
    while legal := athanor.legal_moves(position):
        card = random_.choice(legal)
        tricks[-1].append(card)
        position = athanor.play(position, card)
        if len(tricks[-1]) == 4:
            tricks.append([])
    return start, tricks[:-1], position


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_round_of_kirin(seed: int, state: Path) -> None:
    seat = seed % 4
    start, tricks, known = kirin_table(seed, seat)
    typed = tricks[0][0] + "\n"
    for trick in tricks[1:]:  # a line up to the own turn, and one after it
        leader = known.history[tricks.index(trick) - 1].leader
        own = (seat - leader) % 4
        typed += " ".join(trick[:own]) + "\n" * bool(own) + " ".join(trick[own:]) + "\n"
    assert len(typed) <= sum(len(card) + 3 for trick in tricks for card in trick)
    told = watch(typed + "\n", "kirin", *start.split())
    assert told.exit_code == 0, told.output
    assert "Round 1 is over." in told.output
    assert f"You have {known.points[seat]} point" in told.output
    assert told.output.count("Best ") >= 8  # hints at the own turns
    (file,) = state.glob("*.json")
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert [card for trick in tricks for card in trick] == kept["moves"][0]
    for other, won in enumerate(known.won):
        for card in won:
            assert card in told.output.split(f"Seat {other} won")[-1].splitlines()[0]


def test_what_is_missing_is_asked_for(state: Path) -> None:
    typed = "2\nD6 S1\n0\nD6 S1 S6 S- B3 B+ G2 G4 G-\nquit\n"
    told = watch(typed, "kirin", "leader=0").output
    assert "Your seat" in told
    assert "Which seat leads" not in told
    assert "set a card aside" in told


def test_a_wrong_entry_is_corrected_where_it_was_made(state: Path) -> None:
    start, tricks, _ = kirin_table(3, 1)
    (aside,), first, second, *_ = tricks
    wrong = next(card for card in ("D1", "S1", "B1", "G1", "D2", "S2") if card not in first + second)
    typed = f"{aside}\n{' '.join(first)}\nfix 99 D1\nfix 2 zz\nlist\nundo 2\nlist\nquit\n"
    told = watch(typed, "kirin", *start.split()).output
    assert "There is no entry 99" in told
    assert "Entry 2: " in told
    assert "2 entries taken back." in told
    (file,) = state.glob("*.json")
    assert json.loads(file.read_text(encoding="utf-8"))["moves"][0] == [aside, *first[:2]]
    again = watch(f"{' '.join(first[2:])}\nquit\n", "--resume")
    assert again.exit_code == 0, again.output
    assert json.loads(file.read_text(encoding="utf-8"))["moves"][0] == [aside, *first]
    assert wrong not in again.output.split("Last trick")[-1].splitlines()[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "variant"),
    [("king", 3, "unpicked"), ("king", 4, "unpicked"), ("aqua-regia", 2, None), ("aqua-regia", 3, None)],
)
def test_a_whole_round_of_other_games(name: str, players: int, variant: str | None, state: Path) -> None:
    seat, game = 1, registry.game(name)
    positions = list(played_out(name, players, variant, 4))
    first, last = game.view(positions[0][0], seat), positions[-1][0]
    lines = [text for _, _, told in positions if told for text in (told[seat] or ())]
    _, *words = text_of(first).split()
    told = watch("\n".join(lines) + "\n\n", name, *words)
    assert told.exit_code == 0, told.output
    assert "Round 1 is over." in told.output, told.output[-2000:]
    assert "help lists the commands" not in told.output
    (file,) = state.glob("*.json")
    assert len(json.loads(file.read_text(encoding="utf-8"))["moves"][0]) == len(lines)
    assert last is not None


def test_a_solitaire_is_told_by_the_cards_turned_up(state: Path) -> None:
    told = watch("9=2+7\n4 8\n6\nquit\n", "alchemy", "solo", "line=2,4,6,7,J,K", "hand=9")
    assert told.exit_code == 0, told.output
    assert "Best " in told.output


@pytest.mark.slow
def test_cards_that_were_missed_are_entries(state: Path) -> None:
    seat, (start, tricks, _) = 2, kirin_table(5, 2)
    position: Any = athanor.deal("kirin", seed=5)
    typed, shown = f"{tricks[0][0]}\n", 1
    for trick in tricks[1:]:
        before = [*trick]
        for place, card in enumerate(trick):
            missed = place and (position.leader + place) % 4 != seat and (position.leader + place + shown) % 3 == 0
            before[place] = "?" if missed else card
            position = athanor.play(position, card)
        answer = f" {position.leader}{'+' if position.direction == 'ascending' else '-'}" if "?" in before else ""
        typed += " ".join(before) + answer + "\n"
        shown += 1
    assert typed.count("?") > 3
    assert len(typed) <= sum(len(card) + 3 for trick in tricks for card in trick)
    told = watch(typed + "\n", "kirin", *start.split())
    assert told.exit_code == 0, told.output
    assert "Round 1 is over." in told.output
    assert "is gone" in told.output or "are gone" in told.output
    assert "help lists the commands" not in told.output
    (file,) = state.glob("*.json")
    assert json.loads(file.read_text(encoding="utf-8"))["moves"][0].count("?") == typed.count("?")


@pytest.mark.parametrize(
    ("words", "typed", "question"),
    [
        (
            "king seat=2 leader=0 removed=T1,T2 hand=F3,F4,F5,W2,W3,W4,E2,E3,E4,A2,A3,D",
            "F3\nF1\nW1\n?\nF7 ?\nF4\nE1\n1\ntake -\nF8\n",
            "Which cards of it did you get?",
        ),
        (
            "aqua-regia players=3 seat=2 turn=0 hand=Zn,Fe,Cu,Zn,Ag,Pt,Li,K,Ca,Mg",
            "K\n?\n11\ndraws Pb\npass\nNa\n?10\nMg\n",
            "How many cards does seat 1 hold now?",
        ),
    ],
)
def test_what_was_missed_is_asked_for(state: Path, words: str, typed: str, question: str) -> None:
    told = watch(typed + "list\nquit\n", *words.split())
    assert told.exit_code == 0, told.output
    assert question in told.output
    assert "help lists the commands" not in " ".join(told.output.split()), told.output
    assert told.output.count("Best ") >= 2
    again = watch("undo\nquit\n", "--resume")
    assert "1 entry taken back." in again.output


def test_a_card_of_alchemy_cannot_be_missed() -> None:
    told = watch("?\nquit\n", "alchemy", "solo", "line=2,4,6,7,J,K", "hand=9")
    assert told.exit_code == 0, told.output
    assert "Traceback" not in told.output
    assert "help lists the commands" in " ".join(told.output.split())
