"""King × Alchemy in the arena: whole rounds, by players that see what their seat sees."""

from __future__ import annotations

import pytest

from benchmarks import arena, king
from benchmarks.king import KingContest, as_it_lies
from benchmarks.players import named
from solver.games.king.position import KnownPosition, PickPosition, PickView, View
from solver.games.king.rules import TRICKS
from solver.games.king.worlds import Deals


@pytest.mark.parametrize(
    "name",
    [
        "random",
        "greedy",
        "rule",
        "thrifty",
        "hint:0.002",
        "flat:0.002",
    ],
)
def test_every_player_finishes_rounds(name: str) -> None:
    contest = KingContest(3)
    seen: list[object] = []
    player = named(contest, name, 1)

    def watched(view: object) -> object:
        seen.append(view)
        return player(view)  # type: ignore[arg-type]

    others = named(contest, "random", 2)
    scores = arena.play_deal(contest, [others, watched, others], 3, 1)
    assert len(scores) == 3
    assert min(scores) > 0
    assert sum(isinstance(view, PickView) for view in seen) == 1
    plays = [view for view in seen if isinstance(view, View)]
    assert all(view.seat == 1 for view in plays)
    assert sum(len(view.trick) < 3 for view in plays) == TRICKS[3]


def test_who_sees_all_cards_plays_worlds_as_they_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    contest = KingContest(3)
    asked = 0

    def watched(position: KnownPosition | PickPosition, view: View | PickView) -> Deals:
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


def test_the_learned_player_beats_chance() -> None:
    contest = KingContest(4)
    rows = [arena.play_seatings(contest, "rule", "random", 5, number) for number in range(4)]
    margin, half = arena.interval([sum(own - other for own, other in row) / 4 for row in rows])
    assert margin > half
