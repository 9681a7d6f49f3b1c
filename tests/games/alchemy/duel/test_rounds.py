"""Rounds of duels played many at once, against the rules and the exchange's solution in plain Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from solver import registry
from solver.games.alchemy import duel, solving
from solver.games.alchemy.deck import JOKER, NONE, Move, points
from solver.games.alchemy.duel import DuelInPlay, grabs, options
from solver.games.alchemy.playing import AlchemyPlaying
from solver.games.alchemy.position import DuelHint, DuelPosition, dealt_duel, duel_view, ranks_of
from solver.games.alchemy.rules import match_of
from solver.limits import Control, Limit
from solver.positions import parse_position
from tests.games.alchemy.exchanges import deck_of, exchanged, shuffled

GAME = registry.game("alchemy")


def places_of(used: int, line: list[int]) -> list[int]:
    return [line[place] for place in range(6) if used >> place & 1]


def begun(number: int, jokers: int) -> tuple[DuelPosition, duel.Worlds]:
    """A round about to start, both ways."""
    return dealt_duel(8, number, jokers), duel.fresh(np.array([shuffled(8, number, jokers)], np.int64))


def same(state: DuelPosition, worlds: duel.Worlds, scored: list[int]) -> None:
    assert worlds.going[0] == (not state.over)
    assert Counter(worlds.line[0].tolist()) - Counter({JOKER: 6}) == Counter(state.line_ranks)
    assert worlds.table[0] == state.table_jokers
    assert worlds.points[0].tolist() == [points(pile) for pile in state.piles] == scored
    assert worlds.aces[0].tolist() == [pile.count(1) for pile in state.piles]
    assert worlds.jokers[0].tolist() == [pile.count(JOKER) for pile in state.piles]
    assert worlds.deck.shape[1] - worlds.place[0] == len(deck_of(state))
    if not state.over:
        assert tuple(worlds.hands[0].tolist()) == state.drawn


@pytest.mark.small
@pytest.mark.parametrize("jokers", [0, 3])
def test_whole_rounds_by_the_rules_with_the_best_of_each_exchange(jokers: int) -> None:
    tabled = held = 0
    for number in range(12):
        state, worlds = begun(number, jokers)
        first, scored = number % 2, [0, 0]
        same(state, worlds, scored)
        while not state.over:
            tabled += state.table_jokers > 0
            held += JOKER in state.drawn
            line = worlds.line[0].tolist()
            mine, theirs = duel.gains(worlds, first)[0], duel.gains(worlds, 1 - first)[0]
            position = duel_view(state, first)
            known = {
                move.move: move.points
                for move in grabs(line, position.drawn[0], state.table_jokers, position.piles[0])
            }
            for used in range(64):
                move = match_of(places_of(used, line), position.drawn[0]) if used else NONE
                assert (mine[used] >= 0) == (move in known)
                assert mine[used] < 0 or mine[used] == known[move]  # type: ignore[index]
            values = mine - duel.replies(worlds, duel.gains(worlds, 1 - first))[0]
            grabbed = int(np.argmax(values))
            assert values[grabbed] == options(position, 0)[0].swing
            denied = state.table_jokers and grabbed
            left = [used for used in range(64) if not used & grabbed and (used == 0 or not denied)]
            answer = max(left, key=lambda used: (theirs[used], -used))
            moves: list[Move] = []
            for used, player in ((grabbed, first), (answer, 1 - first)):
                moves.append((match_of(places_of(used, line), state.drawn[player]) or NONE) if used else NONE)
            scored[first] += int(mine[grabbed])
            scored[1 - first] += int(theirs[answer])
            state = exchanged(state, first, *moves)
            duel.exchange(worlds, first)
            same(state, worlds, scored)
            first = 1 - first
    assert (tabled > 0) == (held > 0) == (jokers > 0)


def test_races_by_hand() -> None:
    """Rounds that give 50 points to either player, each as likely; and to 100 a tie is even."""
    results = np.array([[50, 0], [0, 50]])
    value = duel._solved(results, results)
    assert value[99, 99] == value[50, 50] == value[0, 0] == 0.5
    assert value[60, 40] == 0.5 + 0.5 * value[60, 90]
    assert value[60, 90] == 0.5
    later = duel._solved(results, np.array([[10, 0], [0, 10]]))
    assert later[80, 80] == 0.5
    assert later[85, 75] == pytest.approx(0.5 * later[95, 75] + 0.5 * later[85, 85])
    assert later[60, 60] == 0.5


def in_race(**more: object) -> DuelPosition:
    position = parse_position({
        "game": "alchemy", "variant": "duel", "line": ["A", "2", "3", "4", "6", "9"], "hand": "7",
        "opponent_hand": "5", "pile": ["A", "A", "A"], "opponent_pile": ["K"], **more,
    })  # fmt: skip
    assert isinstance(position, DuelPosition)
    return position


def asked(position: DuelPosition, **more: int) -> DuelHint:
    found = solving.hint(position, Control(), **more)
    assert isinstance(found, DuelHint)
    return found


def test_the_last_exchange_decides_the_race_by_its_points() -> None:
    """With an empty deck the round ends here: 84 + 3 + 10 points win, 90 + 2 and an answer worth 8 do not."""
    position = in_race(totals=[87, 90], unseen=[])
    found = asked(position, worlds=20)
    for move in found.moves:
        mine, theirs = 87 + 3 + move.points, 90 + 2 + move.reply
        expected = duel.after_round(np.array([mine]), np.array([theirs]), 0, 0).mean()
        assert move.win_probability == pytest.approx(float(expected))
        if max(mine, theirs) >= 100 and mine != theirs:
            assert move.win_probability == float(mine > theirs)
    assert found.moves[0].win_probability == 1.0
    assert not found.exact


def test_without_totals_a_hint_is_the_exchange_alone() -> None:
    found = asked(in_race())
    assert found.exact
    assert "win_probability" not in found.moves[0].to_dict()
    assert [move.swing for move in found.moves] == sorted((move.swing for move in found.moves), reverse=True)


def test_the_same_seed_gives_the_same_chances_and_ahead_is_better() -> None:
    ahead, behind = (asked(in_race(totals=totals), worlds=20, seed=3) for totals in ([80, 40], [40, 80]))
    assert ahead == asked(in_race(totals=[80, 40]), worlds=20, seed=3).model_copy(
        update={"seconds": ahead.seconds}
    )
    assert ahead.worlds == 20
    for one in ahead.moves:
        other = next(move for move in behind.moves if move.move == one.move)
        assert one.win_probability > other.win_probability  # type: ignore[operator]
        assert one.stderr is not None
    none = solving.hint(in_race(totals=[80, 40]), Control(Limit(seconds=1e-9)))
    assert isinstance(none, DuelHint)
    assert none.moves[0].win_probability is None
    assert "no time" in none.reason


def test_what_is_left_in_the_deck() -> None:
    assert len(in_race(totals=[0, 0]).unseen_ranks) == 52 - 12
    assert len(in_race(totals=[0, 0], discarded=["K", "K"]).unseen_ranks) == 52 - 14
    late = in_race(totals=[0, 80], rules={"house_joker": True, "two_jokers": True}, table_jokers=1)
    assert late.unseen_ranks.count(JOKER) == 2
    early = in_race(totals=[0, 20], rules={"house_joker": True, "two_jokers": True})
    assert early.unseen_ranks.count(JOKER) == 1


def cards_in(played: DuelInPlay) -> Counter[int]:
    position = played.position
    assert position.stock is not None
    hands, jokers = position.drawn, Counter({JOKER: position.table_jokers})
    return Counter(ranks_of(position.stock)) + Counter(position.line_ranks) + Counter(hands) + jokers


@pytest.mark.parametrize(("rules", "early", "late"), [
    (None, 0, 0), ({"one_joker": True}, 0, 1), ({"two_jokers": True}, 0, 2),
    ({"house_joker": True, "one_joker": True}, 1, 2),
])  # fmt: skip
def test_jokers_are_added_from_75_points_on(rules: dict[str, bool] | None, early: int, late: int) -> None:
    playing = AlchemyPlaying(GAME)
    pile = ("A", "2", "3", "4", "5", "6", "K") * 4  # 38 points
    rich = DuelInPlay(GAME, DuelPosition(game="alchemy", variant="duel", line=(), pile=pile, stock=()), 2)
    found = [
        playing.opening(4, number=7, players=2, variant="duel", before=before, rules=rules)
        for before in ([], [rich], [rich] * 2)
    ]
    for played, jokers, total in zip(found, (early, early, late), (0, 38, 76), strict=True):
        assert isinstance(played, DuelInPlay)
        assert cards_in(played)[JOKER] == jokers
        assert sum(cards_in(played).values()) == 52 + jokers
        assert played.position.totals == (total, 0)
        view = played.seen(1)
        assert view.totals == (0, total)
        assert view.jokers == (early, late)
    dealt = GAME.deal(4, number=7, variant="duel", rules=rules)
    assert isinstance(dealt, DuelPosition)
    assert dealt.jokers == (early, late)
