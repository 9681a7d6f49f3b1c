"""The arena: rounds are played to the end in every seat, by players that see what their seat sees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import arena
from benchmarks.kirin import KirinContest, lying
from benchmarks.players import Sighted, limit_of, named
from solver.errors import RequestError
from solver.games.kirin import GAME
from solver.games.kirin.position import DeclarePosition, DeclareView, KnownPosition, View
from solver.limits import Limit

CONTEST = KirinContest()


PLAYERS = ["random", "greedy", "rule", "thrifty", "first"]
LIMITED = ["hint:0.002", "club:20n", "flat:0.002"]


@pytest.mark.parametrize("name", [*PLAYERS, *LIMITED])
def test_every_player_finishes_rounds(name: str) -> None:
    seen: list[object] = []
    player = named(CONTEST, name, 1)

    def watched(view: object) -> object:
        seen.append(view)
        return player(view)  # type: ignore[arg-type]

    others = named(CONTEST, "random", 2)
    scores = arena.play_deal(CONTEST, [others, watched, others, others], 3, 1)
    assert len(scores) == 4
    assert 0 <= min(scores) <= max(scores) <= 8
    assert sum(isinstance(view, DeclareView) for view in seen) == 1
    assert sum(isinstance(view, View) for view in seen) == 8
    assert all(view.seat == 1 for view in seen if isinstance(view, View | DeclareView))


def test_rules_of_thumb_beat_chance() -> None:
    for name in ("greedy", "rule", "thrifty"):
        rows = [arena.play_seatings(CONTEST, name, "random", 5, number) for number in range(12)]
        margin, half = arena.interval([sum(own - other for own, other in row) / 4 for row in rows])
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
    scores = [arena.play_seatings(CONTEST, "hint:300n", "rule", 5, 1) for _ in range(2)]
    assert scores[0] == scores[1]


def test_limits_in_names() -> None:
    assert limit_of("hint:0.2") == Limit(seconds=0.2)
    assert limit_of("hint:20000n") == Limit(nodes=20000)
    assert limit_of("rule") is None


@pytest.mark.parametrize("name", ["nobody", "hint:soon", "hint:0n", "hint:-1", "hint:1.5n"])
def test_players_that_there_are_not(name: str) -> None:
    with pytest.raises(RequestError):
        named(CONTEST, name, 1)


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
    player = named(CONTEST, "sighted:6n", 1)
    assert isinstance(player, Sighted)
    player.see(position)
    view = GAME.view(position, position.seat_to_move)
    assert len(GAME.legal_moves(view)) > 1
    assert player(view) in GAME.legal_moves(view)
