"""Monte-Carlo tree search in King × Alchemy: repeatable, within what is possible, and far better than chance."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from solver.games.king import analyze
from solver.games.king.analyze import MaxnScores, Means, estimate, means_of, sampled, tree_of
from solver.games.king.rules import State, legal_moves, play
from solver.games.king.search import PROVERS, PlayerScore
from solver.limits import Control, Limit
from solver.tricks.analysis import MODELS
from tests.games.king.rounds import position_of, round_at

PLAYERS = (3, 4, 5)


def games(state: State, model: str, nodes: int) -> Means:
    return sampled(state, state.to_move, model, Control(Limit(nodes=nodes)))


@pytest.mark.small
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_same_question_gets_the_same_games(model: str, players: int) -> None:
    state = round_at(random.Random(players), players, 3)
    found = games(state, model, 2_000)
    assert found
    assert games(state, model, 2_000) == found
    tree = tree_of(state, state.to_move, model)
    for _ in range(200):
        tree.step(10)
    assert means_of(state, tree) == found
    assert set(found) <= set(legal_moves(state))


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize("players", PLAYERS)
def test_means_are_within_what_can_happen(players: int) -> None:
    rng = random.Random(players)
    for cards in (1, 2, 3):
        state = round_at(rng, players, cards)
        for move, means in games(state, "ally", 3_000).items():
            assert move in legal_moves(state)
            after = play(state, move)
            for seat in range(players):
                with PROVERS.lend() as prover:
                    search = PlayerScore(prover, after, seat, allies=True, control=Control())
                    low, high = search.widest(search.node(after))
                assert low <= means[seat] <= high


@pytest.mark.small
def test_every_move_is_tried_takings_and_names_too(amount: Callable[[int], int]) -> None:
    rng = random.Random(5)
    for _ in range(amount(20)):
        state = round_at(rng, 4, 2)
        for _ in range(rng.randrange(5)):
            state = play(state, rng.choice(legal_moves(state)))
        assert set(games(state, "maxn", 5_000)) == set(legal_moves(state))


def losses(model: str, players: int, cards: int, count: int) -> tuple[int, float]:
    """Points lost in all by the sampled moves, and by random ones on the average, to the seat that leads."""
    rng = random.Random(f"{model} {players}")
    lost, random_lost = 0, 0.0
    for _ in range(count):
        state = round_at(rng, players, cards)
        seat = state.to_move
        with PROVERS.lend() as prover:
            if model == "maxn":
                everybody = MaxnScores(prover, state, Control()).moves()
                values = {move: (scores or ())[seat] for move, scores in everybody.items()}
            else:
                search = PlayerScore(prover, state, seat, allies=model == "ally", control=Control())
                values = {move: low for move, (low, _) in search.moves().items()}
        found = games(state, model, 300_000)
        lost += max(values.values()) - values[max(values, key=lambda move: found[move][seat])]
        random_lost += max(values.values()) - sum(values.values()) / len(values)
    return lost, random_lost


@pytest.mark.parametrize(
    ("model", "players", "cards"), [("paranoid", 3, 5), ("paranoid", 4, 4), ("ally", 3, 4), ("maxn", 3, 4)]
)
def test_it_loses_a_third_of_what_chance_loses_at_most(model: str, players: int, cards: int) -> None:
    lost, random_lost = losses(model, players, cards, 15)
    assert random_lost > 0
    assert lost <= random_lost / 3


def test_what_is_proved_bounds_an_estimate() -> None:
    state = round_at(random.Random(1), 3, 2)
    move = legal_moves(state)[0]
    assert estimate({move: (7.5, 1.0, 2.0)}, move, 0, (0, 20)) == 7.5
    assert estimate({move: (7.5, 1.0, 2.0)}, move, 0, (8, 20)) == 8
    assert estimate({move: (7.5, 1.0, 2.0)}, move, 0, (0, 5)) == 5
    assert estimate({}, move, 0, (3, 5)) is None


@pytest.mark.parametrize("model", MODELS)
def test_a_whole_round_gets_its_best_looking_move(model: str) -> None:
    state = round_at(random.Random(2), 3, 14)
    control = Control(Limit(nodes=200_000))
    answer = analyze.analyze(position_of(state), control, model=model)
    assert not answer.exact
    assert len(answer.moves) == len(legal_moves(state))
    assert answer.nodes <= 200_000
    assert answer.line == (answer.best,)
    again = analyze.analyze(position_of(state), Control(Limit(nodes=200_000)), model=model)
    assert again.moves == answer.moves
