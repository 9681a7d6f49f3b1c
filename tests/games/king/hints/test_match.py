"""Hints of King × Alchemy that play for the match: the chance to win it or to share the win."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import athanor
from solver.errors import PositionError
from solver.games.king import GAME
from solver.games.king.hint import Rounds, own_points
from solver.games.king.moves import earned
from solver.games.king.position import KnownPosition, PickView, View
from solver.games.king.rules import TRICKS, State, legal_moves, play
from solver.games.king.worlds import SCORE, SCORES, deals
from solver.limits import Control
from solver.positions import position_data
from tests.games.king.hints.views import to_move

WORLDS = 4


def of_match(view: View | PickView, totals: list[int], number: int = 3, **told: Any) -> Any:
    return athanor.parse(position_data(view) | {"totals": totals, "round": number, **told})


def after_the_picks(view: Any) -> Any:
    """The view of seat 0 after it has picked its first card, and the others some that it does not hold."""
    others = [card for card in ("F1", "F2", "F7", "F5", "W2") if card not in view.hand][:3]
    return athanor.play(view, [view.hand[0], *others])


def endings(state: State) -> set[tuple[int, ...]]:
    """The scores of all seats that a state can lead to."""
    if state.over:
        return {tuple(earned(state.deck, 0, pile, Control()).total for pile in state.won)}
    return set().union(*(endings(play(state, move)) for move in legal_moves(state)))


@pytest.mark.small
@pytest.mark.parametrize("players", [3, 4])
def test_the_scores_of_all_seats_can_come_about_and_tell_who_wins(players: int) -> None:
    length = TRICKS[players] * (players + 1)
    for seed in range(3):
        view = of_match(to_move(seed, length - 2, players), [40, 41, 39, 40][:players])
        found, moves = deals(view), list(GAME.legal_moves(view))
        playing = Rounds(found, moves, seed, infer=False)
        results = np.zeros((WORLDS, len(moves), playing.statistics))
        playing.play(0, results, np.ones(WORLDS))
        for world in range(WORLDS):
            position = found.position(found.drawn(seed, world))
            assert isinstance(position, KnownPosition)
            for index, move in enumerate(moves):
                told = results[world, index]
                scores = tuple(told[SCORES : SCORES + players].tolist())
                assert scores in endings(play(position.state, move))
                assert told[own_points(view)] == scores[view.seat]
                final = [before + score for before, score in zip(view.totals or (), scores, strict=True)]
                assert told[SCORE] == (final[view.seat] == max(final))


def test_a_hint_goes_by_the_match_in_its_last_round_alone() -> None:
    view = to_move(4, 7)
    usual = athanor.hint(view, nodes=400, seed=2).to_dict()
    assert athanor.hint(of_match(view, [1, 2, 3, 4], 2), nodes=400, seed=2).to_dict()["moves"] == usual["moves"]
    means = {move["move"]: move["mean"] for move in usual["moves"]}
    deciding = athanor.hint(of_match(view, [40, 40, 40, 40]), nodes=400, seed=2).to_dict()
    for move in deciding["moves"]:
        assert 0 <= move["mean"] <= 1
        assert move["points"] == pytest.approx(means[move["move"]])
    assert "% to " in deciding["reason"]
    ahead = [900 if seat == view.seat else 0 for seat in range(4)]
    sure = athanor.hint(of_match(view, ahead), nodes=200).to_dict()
    assert {move["mean"] for move in sure["moves"]} == {1.0}


def test_a_view_keeps_how_the_match_stands() -> None:
    pick: Any = athanor.view(athanor.deal("king", seed=1, variant="unpicked"), 0)
    view = of_match(pick, [30, 31, 32, 33], 2)
    assert " totals=30,31,32,33 round=2 " in str(view)
    assert str(athanor.parse(str(view))) == str(view)
    after = after_the_picks(view)
    assert (after.totals, after.round) == ((30, 31, 32, 33), 2)
    assert any(label == "Match" for label, _ in GAME.describe(after))
    for totals, number, key in (([30, 31, 32, 33], 4, "round"), ([1, 2, 3], 2, "totals")):
        with pytest.raises(PositionError) as found:
            of_match(pick, totals, number)
        assert found.value.path == key


def test_a_hint_plays_for_the_match_in_every_round_when_asked_to() -> None:
    view = to_move(4, 14)
    chances = []
    for own in (0, 40, 60, 80, 900):
        totals = [own if seat == view.seat else 60 for seat in range(4)]
        found = athanor.hint(of_match(view, totals, 2, for_match=True), worlds=40).to_dict()
        chances.append(found["moves"][0]["mean"])
        assert found["moves"][0]["points"] > 1
        assert "points" not in athanor.hint(of_match(view, totals, 2), worlds=5).to_dict()["moves"][0]
    assert sorted(set(chances)) == chances
    assert (chances[0] < 0.1, chances[-1]) == (True, 1)


def test_chances_are_counted_again_by_the_same_rounds_to_come() -> None:
    """A cause of a lead asks how likely the match is won in the same worlds with other scores."""
    view = to_move(4, 14)
    asked = of_match(view, [60, 60, 60, 60], 2, for_match=True)
    rounds = Rounds(deals(asked), GAME.legal_moves(asked), 1)
    results = np.empty((6, rounds.moves, rounds.statistics))
    rounds.play(9, results, np.ones(6))
    worlds = np.array([4, 1])
    for move in range(rounds.moves):
        scores = results[worlds, move, SCORES : SCORES + 4]
        assert rounds.chances(9 + worlds, scores).tolist() == results[worlds, move, 0].tolist()
        scores[:, (view.seat + 1) % 4] += 900
        assert not rounds.chances(9 + worlds, scores).any()


def test_a_view_keeps_that_it_is_played_for_the_match() -> None:
    pick: Any = athanor.view(athanor.deal("king", seed=1, variant="unpicked"), 0)
    view = of_match(pick, [0, 0, 0, 0], 1, for_match=True, rules={"no_bottom_when_trumped": True})
    assert athanor.parse(str(view)) == view
    after = after_the_picks(view)
    assert (after.totals, after.round, after.for_match) == ((0, 0, 0, 0), 1, True)
    found = athanor.hint(after if after.seat_to_move == 0 else view, worlds=4).to_dict()
    assert all(0 <= move["mean"] <= 1 for move in found["moves"])
