"""The arena: rounds are played to the end in every seat, by players that see what their seat sees."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks import aqua_regia, arena, king
from benchmarks.aqua_regia import AquaContest
from benchmarks.king import KingContest, as_it_lies
from benchmarks.kirin import KirinContest, lying
from benchmarks.players import Contest, Sighted, limit_of, named
from solver.errors import RequestError
from solver.games.aqua_regia.game_words import Game
from solver.games.aqua_regia.network import Foresight
from solver.games.aqua_regia.position import KnownPosition as AquaPosition
from solver.games.aqua_regia.rollouts import Setting, try_moves
from solver.games.aqua_regia.rules import Pass
from solver.games.king.position import KnownPosition as KingPosition
from solver.games.king.position import PickPosition, PickView
from solver.games.king.position import View as KingView
from solver.games.king.rules import TRICKS
from solver.games.king.worlds import Deals
from solver.games.kirin import GAME
from solver.games.kirin.position import DeclarePosition, DeclareView, KnownPosition, View
from solver.kernels.words import Floats, Words
from solver.limits import Limit
from tests.support.marks import in_python

KIRIN = KirinContest()


def played(contest: Contest, name: str) -> tuple[list[Any], list[Any], list[float]]:
    """What the player with this name sees in seat 1 among random ones, its moves, and all scores."""
    views, moves = [], []
    player, others = named(contest, name, 1), named(contest, "random", 2)

    def watched(view: Any) -> Any:
        views.append(view)
        moves.append(player(view))
        return moves[-1]

    table = [watched if seat == 1 else others for seat in range(contest.seats)]
    scores = arena.play_deal(contest, table, 3, 1)
    assert len(scores) == contest.seats
    assert {view.seat for view in views} == {1}
    return views, moves, scores


SIMPLE = ["random", "greedy", "rule", "first", "hint:0.002"]


@pytest.mark.parametrize("name", [*SIMPLE, "thrifty", "flat:0.002"])
def test_every_player_finishes_rounds_of_kirin(name: str) -> None:
    views, _, scores = played(KIRIN, name)
    assert 0 <= min(scores) <= max(scores) <= 8
    assert sum(isinstance(view, DeclareView) for view in views) == 1
    assert sum(isinstance(view, View) for view in views) == 8


@pytest.mark.parametrize("name", [*SIMPLE, "thrifty", "flat:0.002"])
def test_every_player_finishes_rounds_of_king(name: str) -> None:
    views, _, scores = played(KingContest(3), name)
    assert min(scores) > 0
    assert sum(isinstance(view, PickView) for view in views) == 1
    assert sum(isinstance(view, KingView) and len(view.trick) < 3 for view in views) == TRICKS[3]


@pytest.mark.parametrize("name", SIMPLE)
def test_every_player_finishes_games_of_aqua_regia(name: str) -> None:
    """A pass that draws is asked about twice."""
    views, moves, scores = played(AquaContest(3), name)
    assert sorted(scores) == [0, 0, 1]
    for (view, later), move in zip(pairwise(views), moves, strict=False):
        drew = isinstance(move, Pass) and view.drawn is None and view.stock_count > 0
        assert (later.drawn is not None) == drew
        if drew:
            assert later == view.model_copy(update={"drawn": later.drawn})


@pytest.mark.parametrize(
    ("contest", "name", "deals"),
    [
        (KIRIN, "greedy", 12), (KIRIN, "rule", 12), (KIRIN, "thrifty", 12), (KingContest(4), "rule", 4),
        (AquaContest(3), "greedy", 6), (AquaContest(3), "rule", 6),
    ],
)  # fmt: skip
def test_rules_of_thumb_beat_chance(contest: Contest, name: str, deals: int) -> None:
    rows = [arena.play_seatings(contest, name, "random", 5, number) for number in range(deals)]
    margin, half = arena.interval([sum(own - other for own, other in row) / contest.seats for row in rows])
    assert margin > half


def test_players_are_compared_on_the_same_deals() -> None:
    """Deals that only one of them has played yet tell nothing."""
    one = [[[5.0, 1.0], [3.0, 1.0]], [[4.0, 9.0], [4.0, 9.0]], [[50.0, 0.0], [50.0, 0.0]]]
    other = [[[2.0, 7.0], [2.0, 7.0]], [[3.0, 2.0], [3.0, 2.0]]]
    mean, half = arena.gain(one, other)
    assert mean == 1.5
    assert half == arena.interval([2.0, 1.0])[1] > 0


def test_a_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    file = tmp_path / "arena.jsonl"
    options = ["kirin", "--one", "rule", "--against", "random", "--file", str(file)]
    first = CliRunner().invoke(arena.main, [*options, "--deals", "2"])
    assert first.exit_code == 0, first.output
    before = file.read_text()
    again = CliRunner().invoke(arena.main, [*options, "--deals", "3"])
    assert again.exit_code == 0, again.output
    lines = file.read_text().splitlines()
    assert lines[:2] == before.splitlines()
    assert [json.loads(line)["deal"] for line in lines] == [0, 1, 2]
    assert "rule" in again.output
    assert f"{3:6}" in again.output


def test_a_hint_limited_by_nodes_plays_the_same_round_again() -> None:
    scores = [arena.play_seatings(KIRIN, "hint:300n", "rule", 5, 1) for _ in range(2)]
    assert scores[0] == scores[1]


def test_limits_in_names() -> None:
    assert limit_of("hint:0.2") == Limit(seconds=0.2)
    assert limit_of("hint:20000n") == Limit(nodes=20000)
    assert limit_of("rule") is None


@pytest.mark.parametrize("name", ["nobody", "hint:soon", "hint:0n", "hint:-1", "hint:1.5n"])
def test_players_that_there_are_not(name: str) -> None:
    with pytest.raises(RequestError):
        named(KIRIN, name, 1)


def _view(position: KnownPosition | DeclarePosition) -> View | DeclareView:
    view = GAME.view(position, position.seat_to_move)
    assert isinstance(view, View | DeclareView)
    return view


@pytest.mark.small
def test_who_is_sighted_sees_one_deal_and_that_is_the_true_one() -> None:
    position = GAME.deal(5, number=2, variant="undeclared")
    for _ in range(4):
        assert isinstance(position, DeclarePosition)
        found = lying(position, _view(position))
        assert found.total == 1
        seen = found.position(0)
        assert isinstance(seen, DeclarePosition)
        before = [
            sorted([*hand, card] if card else hand)
            for hand, card in zip(position.hands, position.declared, strict=True)
        ]
        assert [sorted(hand) for hand in seen.hands] == before
        position = GAME.play(position, GAME.legal_moves(position)[0])
    for _ in range(3):
        for _ in range(5):
            position = GAME.play(position, GAME.legal_moves(position)[0])
        assert isinstance(position, KnownPosition)
        found = lying(position, _view(position))
        assert found.total == 1
        seen = found.position(0)
        assert isinstance(seen, KnownPosition)
        assert seen.declared == position.declared
        assert seen.state == position.state


@pytest.mark.small
def test_who_is_sighted_plays_in_the_arena() -> None:
    position = GAME.deal(9)
    assert isinstance(position, KnownPosition)
    for _ in range(22):
        position = GAME.play(position, GAME.legal_moves(position)[0])
        assert isinstance(position, KnownPosition)
    player = named(KIRIN, "sighted:6n", 1)
    assert isinstance(player, Sighted)
    player.see(position)
    view = GAME.view(position, position.seat_to_move)
    assert len(GAME.legal_moves(view)) > 1
    assert player(view) in GAME.legal_moves(view)


def test_who_is_sighted_sees_the_true_hands_of_king(monkeypatch: pytest.MonkeyPatch) -> None:
    contest = KingContest(3)
    asked = 0

    def watched(position: KingPosition | PickPosition, view: KingView | PickView) -> Deals:
        nonlocal asked
        asked += 1
        lying = as_it_lies(position, view)
        others = [seat for seat in range(3) if seat != view.seat]
        hands = lying.position(lying.drawn(1, asked)).hands
        picked = [position.picked[seat] if isinstance(position, PickPosition) else () for seat in range(3)]
        assert lying.total == 1
        assert all({*hands[seat]} == {*position.hands[seat], *picked[seat]} for seat in others)
        return lying

    monkeypatch.setattr(king, "as_it_lies", watched)
    players = [named(contest, name, 1) for name in ("first", "sighted:20n", "rule")]
    arena.play_deal(contest, players, 3, 1)
    assert asked > TRICKS[3] // 2


@pytest.mark.small
@in_python
def test_who_is_sighted_may_know_the_stock_of_aqua_regia(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contest = AquaContest(3)
    position = contest.deal(4, 1)
    assert isinstance(position, AquaPosition)
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
