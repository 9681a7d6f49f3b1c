"""Leads that hints say are set against what comes of the two moves in the deal as it lies."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from benchmarks.aqua_regia import AquaContest, greedy
from benchmarks.kirin import KirinContest
from benchmarks.leads import Asked, Lead, after, clear, deal_leads, squared_error
from benchmarks.players import named
from solver.game import Game
from solver.games.aqua_regia.rules import Pass
from solver.games.kirin import GAME
from solver.limits import Limit


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
            SimpleNamespace(move=texts[-1], behind=1.0, behind_stderr=0.5),
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
