"""Endings are solved as the plain reference solves them, and hints lose little in them."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from benchmarks.king import KingContest
from benchmarks.kirin import KirinContest
from benchmarks.regret import main, regret
from solver.games.king.worlds import deals as king_deals
from solver.games.kirin.worlds import deals as kirin_deals
from tests.games.king.plain_hints import plain_values
from tests.games.kirin.plain_hints import Rules, weighted_worlds
from tests.reference.endings import Ending


def test_endings_of_kirin_are_solved() -> None:
    contest = KirinContest()
    view = next(view for view in contest.endings(4) if kirin_deals(view).total <= 100)
    worlds = weighted_worlds(view)
    total = sum(world.weight for world in worlds)
    plain = {card: value / total for card, value in Ending(Rules(view.seat)).moves(worlds).items()}
    assert contest.ending_values(view) == pytest.approx(plain, abs=1e-8)


def test_endings_of_king_are_solved() -> None:
    contest = KingContest(3)
    view = next(view for view in contest.endings(4) if king_deals(view).total <= 30)
    assert contest.ending_values(view) == pytest.approx(plain_values(view), abs=1e-8)


def test_what_a_move_gives_away() -> None:
    found = regret({"A": 1.5, "B": 1.0, "C": -0.5}, "B", 2)
    assert (found.lost, found.spread) == (0.5, 2.0)


@pytest.mark.parametrize("game", ["kirin", "king-3", "aqua-regia-2"])
def test_hints_lose_less_than_is_at_stake(game: str) -> None:
    told = CliRunner().invoke(main, [game, "--count", "3", "--limit", "hint:300n"])
    assert told.exit_code == 0, told.output
    assert "3 endings" in told.output
    stake = float(re.findall(r"([\d.]+) (?:points|of a win) at stake", told.output)[0])
    lost = [float(mean) for mean in re.findall(r"(?m)^  (?:sampling|hints): mean regret ([\d.-]+)", told.output)]
    assert len(lost) == 2
    assert all(-1e-9 <= mean <= stake + 0.005 for mean in lost)
