"""Rounds of King × Alchemy that a network learns from. What needs PyTorch is skipped where it is not installed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from solver.common import Random
from solver.games.king import GAME
from solver.games.king.deck import house
from solver.games.king.fast_rules import start_trick
from solver.games.king.learned import (
    CONTEXT,
    PICK_INPUTS,
    PLAY,
    PLAY_INPUTS,
    TAKE_INPUTS,
    Brain,
    Head,
    judge_takings,
    sight_of,
    think,
)
from solver.games.king.players import ALL, ALL_PLAYS, TRAINED, chances, move_words, new_room, plays, setting
from solver.games.king.position import KnownPosition, View
from solver.games.king.rules import DEALT, Play, Taking
from tests.support.marks import in_python
from tests.support.networks import random_network
from training.choices import room_for
from training.king.decks import random_deck, values_of
from training.king.judging import score
from training.king.playing import (
    LEARNED,
    Players,
    Table,
    lay_card,
    new_mind,
    new_table,
    no_heads,
    players_with,
    share_as,
    worth_of,
)
from training.king.records import MOST_A_ROUND, record, records
from training.king.shares import record_picks, record_takings


@pytest.fixture(scope="module")
def players() -> Players:
    """Players with random networks."""
    brain = Brain(random_network(1, PLAY_INPUTS, 4, 3, 1), np.array([0.5]), ALL_PLAYS)
    pick, take = (Head(random_network(2, inputs, 4, 3, 1), np.ones(1)) for inputs in (PICK_INPUTS, TAKE_INPUTS))
    return players_with(brain, no_heads()._replace(pick=pick, take=take))


def _laid_out(position: KnownPosition) -> Table:
    """A table with a round on it that has just begun."""
    view = GAME.view(position, 0)
    assert isinstance(view, View)
    table = new_table(setting(view).values)
    start_trick(table.sight.node, 0, position.leader)
    table.hands[:] = position.state.hands
    table.sight.piles[:] = position.piles
    table.gone[0] = ALL
    for hand in position.state.hands:
        table.gone[0] &= ~hand
    return table


@pytest.mark.small
@in_python
def test_in_training_a_seat_sees_what_a_view_tells(players: Players) -> None:
    position, random = GAME.deal(4, players=4, variant="picked"), Random(4)
    assert isinstance(position, KnownPosition)
    table, room = _laid_out(position), new_room()
    mind, again = (new_mind(players, table.sight.values) for _ in range(2))
    looked_at = 0
    while not position.state.over:
        view = GAME.view(position, position.seat_to_move)
        assert isinstance(view, View)
        moves = GAME.legal_moves(position)
        asks = view.seat, view.hand_mask, view.unseen
        if view.trick_is_full:
            ways = {move.taken for move in moves if isinstance(move, Taking)}
            count = judge_takings(players.heads, table.sight, *asks[1:], room, mind.trial)
            assert count == judge_takings(players.heads, sight_of(view), *asks[1:], room, again.trial) == len(ways)
            assert mind.trial.worth[:count].tolist() == again.trial.worth[:count].tolist()
            move = moves[int(np.argmax(chances(view, moves)))]
            share_as(table, -1)
        else:
            count = plays(table.sight.values.deal, table.sight.node, view.hand_mask, room.codes)
            worth_of(players.brain, table, view.seat, count, room, mind)
            think(players.brain, sight_of(view), *asks, count, room, again.thought)
            assert mind.thought.worth[:count].tolist() == again.thought.worth[:count].tolist()
            looked_at += 1
            move = moves[random.below(len(moves))]
            assert isinstance(move, Play)
            lay_card(table, move_words(view, move)[0])
        after = GAME.play(position, move)
        assert isinstance(after, KnownPosition)
        position = after
    assert looked_at == 44


@pytest.mark.small
@in_python
def test_what_is_recorded_is_what_each_play_led_to(players: Players) -> None:
    given, rows = values_of(random_deck(1, 2), 5), records(2 * MOST_A_ROUND)
    table, other, mind = new_table(given), new_table(given), new_mind(players, given)
    mixture = np.array([0.3, 0.2, 0.0, 0.5])
    assert record(players, given, table, other, mind, mixture, DEALT[5], 3, 0, 9, rows) == 1
    choices, made = (int(count) for count in rows.many)
    assert choices > 0
    assert rows.counts[:choices].sum() == made
    assert (rows.begins[:choices] == np.cumsum(rows.counts[:choices]) - rows.counts[:choices]).all()
    assert (rows.counts[:choices] > 1).all()
    assert rows.shared.shape[1] + rows.moves.shape[1] == CONTEXT + PLAY == PLAY_INPUTS
    assert (rows.points[:made] >= 0).all()
    assert len(set(rows.points[:made].tolist())) > 1


@pytest.mark.small
@in_python
def test_without_an_output_the_learned_player_plays_as_the_trained_one() -> None:
    net = random_network(1, PLAY_INPUTS, 4, 3, 1)
    nothing = net._replace(third=0 * net.third, third_bias=0 * net.third_bias)
    brain = Brain(nothing, np.ones(1), ALL_PLAYS)
    players, given = players_with(brain, no_heads(), picks=False), values_of(house(), 3)
    found = [np.zeros((1, 3, 3)) for _ in range(2)]
    for kind, results in zip((TRAINED, LEARNED), found, strict=True):
        kinds = np.array([kind, TRAINED, TRAINED])
        score(players, given, new_table(given), new_mind(players, given), kinds, DEALT[3], 1, 0, results)
    assert (found[0] == found[1]).all()


@pytest.mark.small
@in_python
@pytest.mark.parametrize(("recording", "inputs"), [(record_picks, PICK_INPUTS), (record_takings, TAKE_INPUTS)])
def test_what_is_recorded_of_picks_and_takings_is_what_each_led_to(
    players: Players, recording: Callable[..., int], inputs: int
) -> None:
    given, rows = values_of(house(), 4), room_for(15, 180, 0, inputs)
    tables, mixture = (new_table(given), new_table(given)), np.array([0.3, 0.2, 0.0, 0.5])
    mind = new_mind(players, given)
    assert recording(players, given, *tables, mind, mixture, TRAINED, DEALT[4], 3, 0, 1, rows) == 1
    choices, ways = (int(count) for count in rows.many)
    assert choices > 0
    assert rows.counts[:choices].sum() == ways
    assert (rows.counts[:choices] > 1).all()
    assert (rows.points[:ways] >= 0).all()
    assert len(set(rows.points[:ways].tolist())) > 1
    if inputs == TAKE_INPUTS:  # the plausible player takes in one of the ways
        assert (np.add.reduceat(rows.by_rule[:ways], rows.begins[:choices]) == 1).all()


@pytest.mark.slow
def test_learning_makes_the_error_of_picks_less(tmp_path: Path, players: Players) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from training.king.heads import HeadLearner, players_of

    learners = {name: HeadLearner(name, 1, players, 300) for name in ("picks", "takings")}
    picks = learners["picks"]
    rows = picks.play(picks._spare.pop())
    errors = [picks.learn(rows)[0] for _ in range(40)]
    assert errors[-1] < errors[0]  # most of which is luck
    picks.save(tmp_path / picks.file)
    other = HeadLearner("picks", 2, players, 300)
    other.load(tmp_path / "picks.pt")
    assert (other.learned, other.steps, other.rounds) == (picks.learned, picks.steps, picks.rounds)
    made = players_of(players.brain, learners, ("picks",)).heads
    for one, two in zip(other.head().net, made.pick.net, strict=True):
        assert (one == two).all()
    assert not made.take.net.third.any()


@pytest.mark.slow
def test_learning_makes_the_error_less_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from training.king.learning import Learner

    learner = Learner(1, 600)
    played = learner.play(learner._spare.pop())
    errors = [learner.learn(played)[0] for _ in range(80)]
    assert errors[-1] < 0.9 * errors[0]
    learner.save(tmp_path / "checkpoint.pt")
    other = Learner(2, 600)
    other.load(tmp_path / "checkpoint.pt")
    assert (other.learned, other.steps, other.rounds) == (learner.learned, learner.steps, learner.rounds)
    for one, two in zip(learner.players().brain.net, other.players().brain.net, strict=True):
        assert (one == two).all()
