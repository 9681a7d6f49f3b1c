"""What a critic is told, and what comes of a move up to the own next choice, by the rules in plain Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.game_words import move_words
from solver.games.aqua_regia.moves import legal_moves
from solver.games.aqua_regia.network import (
    CONTEXT,
    FULL_INPUTS,
    HAND,
    SURE,
    foresight,
    full_inputs,
    game_of,
    is_asked,
    list_moves,
    policy,
    think,
    thought,
)
from solver.games.aqua_regia.position import KnownPosition, View
from solver.games.aqua_regia.rollouts import SCORE, STATISTICS, Games, new_game, try_moves
from solver.games.aqua_regia.rules import Move, Pass
from solver.hints.network import Singles, inputs, outputs
from solver.hints.policy import gumbel
from solver.kernels.rng import start
from solver.kernels.words import Words
from tests.games.aqua_regia.hints import learned_inputs as reference
from tests.games.aqua_regia.random_play import play_randomly
from tests.support.marks import in_python
from tests.support.networks import random_network

pytestmark = pytest.mark.small

CRITIC = random_network(2, FULL_INPUTS, 6, 5, 1)


def _positions() -> list[KnownPosition]:
    """Positions of games with two to five players, in which the seat to move has a choice."""
    found = []
    for seed in range(12):
        rng = random.Random(seed)
        deal = GAME.deal(seed, players=2 + seed % 4)
        assert isinstance(deal, KnownPosition)
        played = [one for one in play_randomly(deal, rng) if one.state.winner is None and rng.random() < 0.1]
        found += [position for position in played if len(GAME.legal_moves(_view(position))) > 1]
    return found


def _view(position: KnownPosition, drawn: str | None = None) -> View:
    view = GAME.view(position, position.state.turn)
    assert isinstance(view, View)
    return view.model_copy(update={"drawn": drawn}) if drawn else view


POSITIONS = _positions()


def _told(position: KnownPosition) -> Singles:
    """What the critic is told where the seat to move may play: one row."""
    view = _view(position)
    game, mind, told = game_of(view), thought(policy()[0].net), inputs(FULL_INPUTS)
    game.hands[:] = position.state.hands
    full_inputs(game, mind.odds, mind.hand, mind.row, told)
    row = np.zeros((1, FULL_INPUTS), np.float32)
    row[0, told.places[: told.many[0]]] = told.values[: told.many[0]]
    return row


@in_python
def test_the_critic_is_told_what_the_rules_say() -> None:
    for position in POSITIONS:
        view, row = _view(position), _told(position)[0]
        odds = reference.Odds(view)
        move = GAME.legal_moves(view)[0]
        assert row[:CONTEXT] == pytest.approx(reference.rows(view, [move], [0.0])[0][:CONTEXT], abs=1e-3)
        for place in range(4):
            held = row[CONTEXT + place * HAND :][:HAND]
            seat = (view.turn + 1 + place) % view.players
            plain = [0.0] * HAND
            if place < view.players - 1:
                plain = reference.hand(view, odds, position.state.hands[seat], view.reversed)
            assert held == pytest.approx(plain, abs=1e-3)


def _chosen(position: KnownPosition, drawn: str | None, words: Words) -> Move:
    """What the learned player makes, by the same random numbers."""
    brain, view = policy()[0], _view(position, drawn)
    mind = thought(brain.net)
    game, legal = game_of(view), legal_moves(view)
    count = list_moves(game, drawn is not None, brain.rule, mind)
    if count == 1:
        return legal[0]
    think(brain, game, drawn is not None, count, mind)
    values = [SURE * mind.worth[place] + gumbel(words) for place in range(count)]
    made = tuple(mind.moves[int(np.argmax(values))].tolist())
    found: list[Move] = [move for move in legal if move_words(view, move) == made]
    return found[0]


def _moved(position: KnownPosition, move: Move | None, words: Words, drawn: bool = False) -> KnownPosition:
    """After a move, or after the learned player's; what to exchange is chosen once the card is `drawn`."""
    chosen = _chosen(position, None, words) if move is None else move
    if chosen == Pass() and position.stock and not drawn:
        chosen = _chosen(position, position.stock[0], words)
    after = GAME.play(position, chosen)
    assert isinstance(after, KnownPosition)
    return after


def _chance(position: KnownPosition, move: Move, words: Words, drawn: bool) -> float:
    """What the critic expects of a move."""
    seat = position.state.turn
    after = _moved(position, move, words, drawn)
    while after.state.winner is None and after.state.turn != seat:
        after = _moved(after, None, words)
    if after.state.winner is not None:
        return float(after.state.winner == seat)
    return float(np.clip(outputs(CRITIC, _told(after))[0, 0], 0.0, 1.0))


def _check(position: KnownPosition, number: int, drawn: bool = False) -> bool:
    """Whether networks are asked; if so, moves are worth what the critic says, followed plainly."""
    view = _view(position, position.stock[0] if drawn else None)
    legal = list(GAME.legal_moves(view))
    if not is_asked(view, legal):
        return False
    setting, deck = Games(view, legal, 0).setting, view.metals
    game, words = new_game(setting), np.zeros(1, np.int64)
    game.stock[:] = deck.numbers(position.stock)
    start(words, 5, number)
    results = np.zeros((len(legal), STATISTICS))
    noted = np.zeros(view.players * deck.size + len(legal), np.int64)
    hands = np.array(position.state.hands)
    try_moves(setting, foresight(CRITIC), hands, setting.shares, game, words, results, noted)
    chances = []
    for move in legal:
        start(words, 5, number)
        chances.append(_chance(position, move, words, drawn))
    assert results[:, SCORE] == pytest.approx(chances, abs=1e-6)
    return True


@pytest.mark.covered
def test_moves_are_worth_what_the_critic_expects() -> None:
    assert sum(_check(position, number) for number, position in enumerate(POSITIONS)) > 20
    passed = [position for position in POSITIONS if position.stock and position.table]
    assert sum(_check(position, number, drawn=True) for number, position in enumerate(passed)) > 10


@in_python
def test_kernels_do_so_in_plain_python() -> None:
    assert sum(_check(position, number) for number, position in enumerate(POSITIONS[:4])) > 1
    passed = [position for position in POSITIONS if position.stock and position.table]
    assert sum(_check(position, number, drawn=True) for number, position in enumerate(passed[:3])) > 1
