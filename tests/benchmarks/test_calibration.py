"""What hints say is set against what comes of it: scores, leads, intervals and endings."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.aqua_regia import AquaContest, greedy
from benchmarks.arena import CONTESTS, play_deal
from benchmarks.calibration import Round, Said, deal_rounds, errors_of, errors_told, model_errors, rounds_of, table
from benchmarks.coverage import choices, reference
from benchmarks.king import KingContest
from benchmarks.kirin import KirinContest
from benchmarks.leads import Asked, Lead, after, clear, deal_leads, squared_error
from benchmarks.players import done, named
from benchmarks.regret import main, regret
from solver.game import Game
from solver.games.aqua_regia.rules import Pass
from solver.games.king.worlds import deals as king_deals
from solver.games.kirin import GAME
from solver.games.kirin.worlds import deals as kirin_deals
from solver.limits import Limit
from tests.games.king.plain_hints import plain_values
from tests.games.kirin.plain_hints import Rules, weighted_worlds
from tests.reference.endings import Ending


class Says:
    """Kirin with a hint that says 2 points and the first legal card."""

    def __getattr__(self, name: str) -> Any:
        return getattr(GAME, name)

    def hint(self, view: Any, _control: object, seed: int = 0, worlds: int | None = None) -> Any:
        best = GAME.format_move(view, GAME.legal_moves(view)[0])
        return SimpleNamespace(best=best, moves=[SimpleNamespace(mean=2.0, stderr=0.5)], model_error=0.3)


class SayingContest(KirinContest):
    game = cast(Game, Says())


def test_errors_are_what_was_said_less_what_was_scored() -> None:
    contest = KirinContest()
    scores = []
    for seat in range(4):
        players = [named(contest, "greedy", 4 * 3 + place) for place in range(4)]
        players[seat] = lambda view: GAME.legal_moves(view)[0]
        scores.append(play_deal(contest, players, 1, 3)[seat])
    rounds = deal_rounds(SayingContest(), "greedy", Limit(nodes=1), 1, 3)
    assert [round_.scored for round_ in rounds] == scores
    errors = errors_of(rounds)
    assert len(set(scores)) > 1
    assert errors[9] == pytest.approx(2.0 - sum(scores) / 4)  # every seat chooses which of nine cards to set aside
    assert set(errors) <= set(range(2, 10))


def test_what_hints_tell_of_their_model_is_asked_of_them() -> None:
    assert errors_told(SayingContest(), {2, 9}) == {2: 0.3, 9: 0.3}


def _rounds(kind: Callable[[float], float], luck: float) -> list[Round]:
    """Rounds in which means from 0 to 4 are said; what a kind makes of them is scored, give or take luck."""
    random = np.random.default_rng(3)
    means = [4 * number / 1999 for number in range(2000)]
    return [Round([Said(5, mean, 0.1)], kind(mean) + luck * random.standard_normal()) for mean in means]


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        (lambda mean: mean, 0.0),
        (lambda mean: mean + 0.5, 0.5),
        (lambda mean: 2 + (mean - 2) / 2, 0.5 * 4 / 12**0.5),  # half as far from the middle as is said
    ],
)
def test_the_error_of_the_model_is_told_from_luck(kind: Callable[[float], float], error: float) -> None:
    assert model_errors({"some": _rounds(kind, 0.0)})[5] == pytest.approx(error, abs=1e-3)
    assert model_errors({"some": _rounds(kind, 2.0)})[5] == pytest.approx(error, abs=0.15)


def test_kinds_count_alike_and_hands_that_came_up_seldom_are_left_out() -> None:
    some, other = _rounds(lambda mean: mean + 0.3, 0.0), _rounds(lambda mean: mean - 0.4, 0.0)
    few = [Round([Said(9, mean, 0.1)], mean) for mean in (0.0, 1.0, 2.0)]
    assert model_errors({"some": some + few, "other": other[:400]}) == {5: pytest.approx((0.125) ** 0.5)}


def test_deals_are_read_back_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    key = {"game": "kirin", "limit": "hint:9n", "others": "rule", "seed": 1}
    rows = [
        {**key, "deal": deal, "rounds": [[[[9, 3.0 + deal, 0.5], [8, 3.0 + 2 * deal, 0.5]], 3.0]]}
        for deal in (1, 3)
    ]
    other = {**key, "others": "random", "deal": 2, "rounds": []}
    path.write_text("".join(json.dumps(row) + "\n" for row in (*rows, other)), encoding="utf-8")
    read = [rounds_of(told) for told in done(path, key, "rounds", (1, 3), lambda _number: [])]
    assert read[0] == [Round([Said(9, 4.0, 0.5), Said(8, 5.0, 0.5)], 3.0)]
    errors = [errors_of(rounds) for rounds in read]
    assert errors == [{9: 1.0, 8: 2.0}, {9: 3.0, 8: 6.0}]
    assert list(done(path, key, "rounds", (1, 2), lambda _number: [])) == [rows[0]["rounds"], []]
    assert len(path.read_text(encoding="utf-8").splitlines()) == 4
    means = table(errors)
    assert [(cards, mean) for cards, (mean, _) in means.items()] == [(9, 2.0), (8, 4.0)]


# ----------------------------------------------------------------------------------------------------
# Leads that hints say are set against what comes of the two moves in the deal as it lies.


class Leads:
    """A game with a hint that says that the first legal move leads the last one by a point."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def hint(self, view: Any, _control: object, seed: int) -> Any:
        texts = [self._game.format_move(view, move) for move in self._game.legal_moves(view)]
        first, last = (
            SimpleNamespace(move=texts[0]),
            SimpleNamespace(move=texts[-1], gap=1.0, gap_stderr=0.5),
        )
        return SimpleNamespace(best=texts[0], moves=[first, last], method="sampled")


class LeadingContest(KirinContest):
    game = cast(Game, Leads(GAME))


class LeadingAqua(AquaContest):
    game = cast(Game, Leads(AquaContest.game))

    def simple(self, _kind: str, view: Any, _random: object) -> Any:
        return greedy(view)


def test_every_choice_of_every_seat_is_a_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = itertools.cycle((5.0, 1.0))  # after the best, after the next best
    monkeypatch.setattr("benchmarks.leads.after", lambda *_given: next(scores))
    found = deal_leads(LeadingContest(), Asked("greedy", Limit(nodes=1)), 1, 3)
    assert {lead[1:] for lead in found} == {(1.0, 0.5, 4.0)}
    assert sum(lead.cards == 9 for lead in found) == 4


def test_what_to_exchange_for_a_drawn_card_is_a_choice_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[list[Any]] = []

    def after(_contest: object, _position: object, _seat: int, moves: list[Any], _players: object) -> float:
        made.append(moves)
        return 0.0

    monkeypatch.setattr("benchmarks.leads.after", after)
    deal_leads(LeadingAqua(2), Asked("greedy", Limit(nodes=1)), 1, 3)
    assert {len(moves) for moves in made} == {1, 2}
    drawn = [moves for moves in made if len(moves) == 2]
    assert {moves[0] for moves in drawn} == {Pass()}
    assert all(isinstance(exchange, Pass) for _, exchange in drawn)
    assert any(exchange.taken is not None for _, exchange in drawn)


def test_a_move_is_made_and_then_the_players_go_on() -> None:
    contest = KirinContest()
    position = contest.deal(1, 3)
    seat = contest.to_move(position)
    assert seat is not None
    first, *_, last = GAME.legal_moves(GAME.view(position, seat))
    scores = [
        after(contest, position, seat, [move], [named(contest, "greedy", place) for place in range(4)])
        for move in (first, last, first)
    ]
    assert scores[0] == scores[2]


def test_errors_of_leads_are_told_from_luck() -> None:
    random = np.random.default_rng(5)
    truths, errors, luck = random.standard_normal((3, 20_000))
    leads = [
        Lead(5, truth + error / 2, 0.3, truth + luck)
        for truth, error, luck in zip(truths, errors, luck, strict=True)
    ]
    assert squared_error(leads) == pytest.approx(0.25 - 0.3**2, abs=0.05)
    assert clear(Lead(5, 1.0, 0.5, 0.0))
    assert not clear(Lead(5, 1.0, 0.52, 0.0))


# ----------------------------------------------------------------------------------------------------
# The values that intervals are held against are corrected as the means of hints are.


def test_the_odds_of_the_reference_are_those_of_hints() -> None:
    contest = CONTESTS["aqua-regia-2"]()
    sampler, view = contest.hints, next(choices(contest, 3))
    plain = reference(replace(sampler, odds=None), view, 4, 5)
    halved = reference(replace(sampler, odds=lambda *_: 0.5), view, 4, 5)
    assert halved == pytest.approx({move: said / (2 - said) for move, said in plain.items()}, abs=1e-6)
    assert halved != plain


# ----------------------------------------------------------------------------------------------------
# Endings are solved as the plain reference solves them, and hints lose little in them.


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
