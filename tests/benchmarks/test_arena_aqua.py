"""Aqua Regia in the arena: its players finish games by the rules; a pass that draws is asked about twice."""

from __future__ import annotations

from itertools import pairwise

import pytest

from benchmarks import aqua_regia, arena
from benchmarks.aqua_regia import AquaContest
from benchmarks.players import Sighted, named
from solver.games.aqua_regia.game_words import Game
from solver.games.aqua_regia.network import Foresight
from solver.games.aqua_regia.position import KnownPosition, View
from solver.games.aqua_regia.rollouts import Setting, try_moves
from solver.games.aqua_regia.rules import Move, Pass
from solver.kernels.words import Floats, Words
from tests.support.marks import in_python


@pytest.mark.parametrize(
    "name",
    [
        "random",
        "greedy",
        "rule",
        "first",
        "flat:20n",
        "club:20n",
        "hint:0.002",
    ],
)
def test_every_player_finishes_games(name: str) -> None:
    contest = AquaContest(3)
    asked: list[tuple[View, Move]] = []
    player = named(contest, name, 1)

    def watched(view: object) -> object:
        assert isinstance(view, View)
        asked.append((view, player(view)))
        return asked[-1][1]

    others = named(contest, "random", 2)
    assert sorted(arena.play_deal(contest, [others, watched, others], 3, 1)) == [0, 0, 1]
    assert {view.seat for view, _ in asked} == {1}
    for (view, move), (later, _) in pairwise(asked):
        drew = isinstance(move, Pass) and view.drawn is None and view.stock_count > 0
        assert (later.drawn is not None) == drew
        if drew:
            assert later == view.model_copy(update={"drawn": later.drawn})


def test_rules_of_thumb_beat_chance() -> None:
    contest = AquaContest(3)
    for name in ("greedy", "rule"):
        rows = [arena.play_seatings(contest, name, "random", 5, number) for number in range(6)]
        margin, half = arena.interval([sum(own - other for own, other in row) / 3 for row in rows])
        assert margin > half


@pytest.mark.small
@in_python
def test_who_is_sighted_knows_all_hands_and_may_know_the_stock(monkeypatch: pytest.MonkeyPatch) -> None:
    contest = AquaContest(3)
    position = contest.deal(4, 1)
    assert isinstance(position, KnownPosition)
    seen: list[tuple[list[list[int]], list[int]]] = []

    def watched(
        setting: Setting,
        ahead: Foresight,
        hands: Words,
        shares: Floats,
        game: Game,
        random: Words,
        results: Floats,
        noted: Words,
    ) -> None:
        assert len(ahead.critic.first) == 0
        seen.append((hands.tolist(), game.stock.tolist()))
        try_moves(setting, ahead, hands, shares, game, random, results, noted)

    monkeypatch.setattr(aqua_regia, "try_moves", watched)
    deck = position.metals
    hands = [list(deck.counts(deck.numbers(hand))) for hand in position.hands]
    stock = list(deck.numbers(position.stock))
    for name in ("sighted:20n", "but-stock:20n"):
        player = named(contest, name, 1)
        assert isinstance(player, Sighted)
        player.see(position)
        view = contest.game.view(position, position.turn)
        assert player(view) in contest.game.legal_moves(view)
        assert {str(known) for known, _ in seen} == {str(hands)}
        assert {str(sorted(order)) for _, order in seen} == {str(sorted(stock))}
        assert all(order == stock for _, order in seen) == (name == "sighted:20n")
        seen.clear()
