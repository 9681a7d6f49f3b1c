"""Games of Aqua Regia that a network learns from. What needs PyTorch is skipped where it is not installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.common import Random
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.deck import house
from solver.games.aqua_regia.fast_rules import make_move
from solver.games.aqua_regia.players import (
    CONTEXT,
    FULL_INPUTS,
    MOVE,
    MOVE_INPUTS,
    SURE,
    game_of,
    list_and_think,
    list_moves,
    move_numbers,
    new_scratch,
    think,
)
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rules import Pass
from solver.hints.network import inputs
from tests.support.marks import in_python
from tests.support.networks import random_network
from training.aqua_regia_games import (
    LEARNED,
    MOST_A_GAME,
    MOST_TRIED,
    TRAINED,
    Players,
    Table,
    new_table,
    players_with,
    random_deck,
    record,
    record_states,
    records,
    score,
)

pytestmark = [pytest.mark.small, in_python]


@pytest.fixture(scope="module")
def players() -> Players:
    return players_with(random_network(1, MOVE_INPUTS, 4, 3, 1), 0.05)


def _laid_out(position: Round) -> Table:
    """A table with a game on it that has just begun."""
    table = new_table(position.metals, position.players)
    game, state = table.game, position.state
    seen = game_of(GAME.view(position, state.turn))  # type: ignore[arg-type]
    game.scalars[:], game.hands[:], game.sizes[:] = seen.scalars, state.hands, position.sizes
    game.stock[:] = state.stock
    return table


def test_in_training_a_seat_sees_what_a_view_tells(players: Players) -> None:
    position, random = GAME.deal(4, players=4), Random(4)
    assert isinstance(position, Round)
    table, mind, again = _laid_out(position), new_scratch(players.brain.net), new_scratch(players.brain.net)
    drawn = False
    looked_at = set()
    while position.state.winner is None:
        view = GAME.view(position, position.state.turn)
        assert isinstance(view, Round)
        view = view.model_copy(update={"drawn": position.stock[0]}) if drawn else view
        count = list_and_think(players.brain, table.game, drawn, mind)
        assert list_moves(game_of(view), drawn, players.brain.rule, again) == count
        if count > 1:
            think(players.brain, game_of(view), drawn, count, again)
            assert mind.worth[:count].tolist() == again.worth[:count].tolist()
            looked_at.add((drawn, bool(view.table), view.stock_count > 0, any(view.known or ())))
        moves = GAME.legal_moves(view)
        move = moves[random.below(len(moves))]
        drawn = make_move(table.game, int(move_numbers(view, [move])[0]))
        if not drawn:
            after = GAME.play(position, move)
            assert isinstance(after, Round)
            position = after
        else:
            assert isinstance(move, Pass)
    assert {seen[:3] for seen in looked_at} >= {(False, False, True), (False, True, True), (True, True, True)}
    assert {seen[3] for seen in looked_at} == {False, True}


def test_what_is_recorded_is_what_each_move_led_to(players: Players) -> None:
    deck, rows = random_deck(1, 2, 3), records(12)
    mind = new_scratch(players.brain.net)
    tables = [new_table(deck, 3) for _ in range(2)]
    mixture = np.array([0.2, 0.1, 0.1, 0.6])
    record(players, tables[0], tables[1], mind, mixture, 3, 0, 9, rows)
    choices, made = (int(count) for count in rows.many)
    assert choices > 6
    assert rows.counts[:choices].sum() == made
    assert (rows.begins[:choices] == np.cumsum(rows.counts[:choices]) - rows.counts[:choices]).all()
    assert (rows.counts[:choices] > 1).all()
    assert rows.counts.max() == MOST_TRIED
    assert rows.shared.shape[1] + rows.moves.shape[1] == CONTEXT + MOVE == MOVE_INPUTS
    assert set(rows.points[:made].tolist()) == {0.0, 1.0}


def test_one_goes_out_of_each_game(players: Players) -> None:
    table, mind = new_table(house(), 3), new_scratch(players.brain.net)
    found = np.zeros((2, 3))
    score(players, table, mind, np.array([TRAINED] * 3), 1, 0, found)
    assert found.sum(1).tolist() == [1.0, 1.0]  # the same game, seen from each seat
    score(players, table, mind, np.array([LEARNED, TRAINED, TRAINED]), 1, 0, found)
    assert set(found.ravel().tolist()) <= {0.0, 1.0}


def test_of_states_it_is_recorded_who_went_out_first(players: Players) -> None:
    rows, won = np.zeros((MOST_A_GAME + 10, FULL_INPUTS), np.float32), np.full(MOST_A_GAME + 10, 9, np.float32)
    table, mind = new_table(random_deck(1, 2, 3), 3), new_scratch(players.brain.net)
    count, games = record_states(players, table, mind, inputs(FULL_INPUTS), SURE, 3, 0, rows, won)
    assert 10 < count < MOST_A_GAME
    assert games > 1
    assert set(won[:count].tolist()) == {0.0, 1.0}
    assert (won[count:] == 9).all()
    assert rows[:count].any(1).all()
    assert not rows[count:].any()


def test_random_decks_can_be_dealt() -> None:
    for number in range(30):
        players = 2 + number % 4
        deck = random_deck(5, number, players)
        assert 10 * players < deck.cards
        assert all(any(row[metal] for row in deck.reactivity) for metal in range(deck.size))
        assert random_deck(5, number, players) == deck


@pytest.mark.slow
def test_learning_makes_the_error_less_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from training.aqua_regia import Learner

    learner = Learner(1, 60)
    played = learner.play(learner._spare.pop())
    errors = [learner.learn(played)[0] for _ in range(60)]
    assert errors[-1] < 0.9 * errors[0]
    learner.save(tmp_path / "checkpoint.pt")
    other = Learner(2, 60)
    other.load(tmp_path / "checkpoint.pt")
    assert (other.learned, other.steps, other.rounds) == (learner.learned, learner.steps, learner.rounds)
    for one, two in zip(learner.players().brain.net, other.players().brain.net, strict=True):
        assert (one == two).all()


@pytest.mark.slow
def test_the_critic_learns_and_goes_on_where_it_stopped(players: Players, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from training.aqua_regia import CriticLearner

    learner = CriticLearner(players, 1, 3 * MOST_A_GAME)
    states = learner.play(1, 0, 2)
    before = learner.told(2)[0]
    for _ in range(6):
        learner.learn(states, 0.5)
    assert learner.told(2)[0] > before
    learner.save(tmp_path / "critic.pt")
    other = CriticLearner(players, 2, 3 * MOST_A_GAME)
    other.load(tmp_path / "critic.pt")
    assert (other.seed, other.learned, other.steps) == (1, learner.learned, 6)
    for one, two in zip(learner.network(), other.network(), strict=True):
        assert (one == two).all()
