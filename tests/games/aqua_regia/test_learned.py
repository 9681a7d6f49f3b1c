"""What Aqua Regia's learned player and critic are told, and what their networks make of it, by plain Python."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.fast_rules import reactivity_rows
from solver.games.aqua_regia.moves import legal_moves
from solver.games.aqua_regia.players import (
    CONTEXT,
    FULL_INPUTS,
    GOES_OUT,
    HAND,
    MOVE_INPUTS,
    PLAYER,
    SURE,
    Brain,
    Scratch,
    choice_chances,
    choice_inputs,
    exchange_value,
    foresight,
    full_inputs,
    game_of,
    list_moves,
    move_inputs,
    move_numbers,
    new_scratch,
    pass_value,
    play_value,
    policy,
    think,
    work_out,
)
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rollouts import SCORE, STATISTICS, Games, new_game, try_moves
from solver.games.aqua_regia.rules import Move, Pass, Play, next_field
from solver.hints.network import Singles, inputs, outputs
from solver.hints.policy import gumbel
from solver.kernels.rng import start_stream
from solver.kernels.words import Words
from tests.games.aqua_regia import learned_inputs as reference
from tests.games.aqua_regia.deals import dealt, known_from, play_randomly, seen_by
from tests.games.aqua_regia.random_positions import either, random_position, random_table
from tests.support.marks import in_python
from tests.support.networks import random_network

pytestmark = pytest.mark.small


# The player. ----------------------------------------------------------------------------------------------------

BRAIN = Brain(random_network(1, MOVE_INPUTS, 6, 5, 1), np.array([0.25]), np.array(PLAYER))


@cache
def views() -> list[Round]:
    """Views of who is to move, before and after a card is drawn, with the house deck and small random ones."""
    found = []
    for seed in range(10):
        rng = random.Random(seed)
        if seed < 4:
            start = dealt(seed, players=2 + seed)
        else:
            deck = random_table(rng, metals=rng.randint(3, 20), copies=rng.randint(2, 5))
            start = known_from(random_position(rng, deck=deck, cards=12, stock=2, rules=either(rng)))
        for position in play_randomly(start, rng):
            if position.state.winner is not None or rng.random() < 0.93:
                continue
            settled = position.model_copy(update={"turn": position.state.turn})
            view = seen_by(settled, position.state.turn)
            if not GAME.legal_moves(view):
                continue
            if position.stock and position.table and rng.random() < 0.5:
                view = view.model_copy(update={"drawn": position.stock[0]})
            found.append(view)
    return found


def _told(view: Round) -> tuple[Singles, list[int], Scratch, int]:
    """What the network is told of each move, a row each, and in which order what they share."""
    game, mind, exchanging = game_of(view), new_scratch(BRAIN.net), view.drawn is not None
    count = list_moves(game, exchanging, BRAIN.rule, mind)
    total = work_out(game, mind.odds)
    rows = np.zeros((count, MOVE_INPUTS), np.float32)
    choice_inputs(game, mind.odds, total, exchanging, mind.hand, mind.row, mind.told)
    order = mind.told.places[: mind.told.many[0]].tolist()
    rows[:, order] = mind.told.values[: mind.told.many[0]]
    for place in range(count):
        move_inputs(game, mind.odds, mind.moves[place], mind.by_rule[place], mind.hand, mind.row, mind.told)
        places = mind.told.places[: mind.told.many[0]]
        assert (places >= CONTEXT).all()
        rows[place, places] = mind.told.values[: mind.told.many[0]]
    return rows, order, mind, count


def _by_rule(view: Round, moves: list[Move]) -> list[float]:
    """What the plausible player finds moves worth, from the values of its own choices."""
    reactivity, held = reactivity_rows(view.metals), np.array(view.held, np.int64)
    following, top = next_field(view.field_number, view.reversed), view.top or Play(0, 0)
    passing = 0.0 if view.drawn else pass_value(int(view.stock_count > 0), BRAIN.rule)
    play, exchange = [], []
    for move in moves:
        change = 0.0
        if isinstance(move, Play):
            plain = reactivity, held[move.metal], following, top.metal, top.count, move.metal, move.count
            play.append(play_value(*plain, BRAIN.rule))
        else:
            play.append(passing)
            if move.discarded is not None and move.taken is not None:
                change = exchange_value(reactivity, held, following, move.discarded, move.taken, BRAIN.rule)
        exchange.append(change)
    return reference.by_rule(view, moves, play, exchange)


def test_the_views_are_of_all_kinds() -> None:
    assert {view.players for view in views()} == {2, 3, 4, 5}
    stages = {(view.drawn is not None, view.top is None, view.stock_count > 0) for view in views()}
    assert stages >= {(True, False, True), (False, True, True), (False, False, True), (False, False, False)}
    assert any(view.known and any(view.known) for view in views())
    assert {view.reversed for view in views()} == {False, True}


@in_python
def test_what_is_told_is_what_the_rules_say() -> None:
    for view in views():
        rows, _, mind, count = _told(view)
        legal = list(GAME.legal_moves(view))
        assert mind.moves[:count].tolist() == move_numbers(view, legal).tolist()
        expected = _by_rule(view, legal)
        assert mind.by_rule[:count].tolist() == pytest.approx(expected, abs=1e-9)
        of_rules = reference.rows(view, legal, mind.by_rule[:count].tolist())
        assert rows.tolist() == [pytest.approx(row, abs=2e-4) for row in of_rules]


@in_python
def test_a_move_is_worth_what_the_network_makes_of_it_to_the_bit() -> None:
    for view in views()[::3]:
        rows, order, again, count = _told(view)
        mind = new_scratch(BRAIN.net)
        assert list_moves(game_of(view), view.drawn is not None, BRAIN.rule, mind) == count
        think(BRAIN, game_of(view), view.drawn is not None, count, mind)
        order += [place for place in range(MOVE_INPUTS) if place not in order]
        net = BRAIN.net._replace(first=BRAIN.net.first[order])
        expected = outputs(net, np.ascontiguousarray(rows[:, order]))[:, 0] + 0.25 * again.by_rule[:count]
        for move, worth, value in zip(GAME.legal_moves(view), mind.worth[:count], expected, strict=True):
            wins = isinstance(move, Play) and move.count == len(view.hand)
            assert worth == (GOES_OUT if wins else value)


@pytest.mark.covered
def test_moves_are_as_likely_as_they_are_worth() -> None:
    for view in views()[::2]:
        legal = list(GAME.legal_moves(view))
        mind = new_scratch(BRAIN.net)
        count = choice_chances(BRAIN, game_of(view), view.drawn is not None, 3.0, mind)
        assert mind.moves[:count].tolist() == move_numbers(view, legal).tolist()
        by_rule = _by_rule(view, legal)
        told = np.array(reference.rows(view, legal, by_rule), np.float32)
        worth = 3.0 * (outputs(BRAIN.net, told)[:, 0].astype(float) + 0.25 * np.array(by_rule))
        wins = [isinstance(move, Play) and move.count == len(view.hand) for move in legal]
        chances = np.array(wins, float) if any(wins) else np.exp(worth - worth.max())
        assert mind.worth[:count].tolist() == pytest.approx((chances / chances.sum()).tolist(), abs=5e-3)


# The critic, and what comes of a move up to the own next choice. ------------------------------------------------

CRITIC = random_network(2, FULL_INPUTS, 6, 5, 1)


@cache
def positions() -> list[Round]:
    """Positions of games with two to five players, in which the seat to move has a choice."""
    found = []
    for seed in range(12):
        rng = random.Random(seed)
        deal = dealt(seed, players=2 + seed % 4)
        played = [one for one in play_randomly(deal, rng) if one.state.winner is None and rng.random() < 0.1]
        found += [position for position in played if len(GAME.legal_moves(_view(position))) > 1]
    return found


def _view(position: Round, drawn: str | None = None) -> Round:
    view = seen_by(position, position.state.turn)
    return view.model_copy(update={"drawn": drawn}) if drawn else view


def _critic_told(position: Round) -> Singles:
    """What the critic is told where the seat to move may play: one row."""
    view = _view(position)
    game, mind, told = game_of(view), new_scratch(policy()[0].net), inputs(FULL_INPUTS)
    game.hands[:] = position.state.hands
    full_inputs(game, mind.odds, mind.hand, mind.row, told)
    row = np.zeros((1, FULL_INPUTS), np.float32)
    row[0, told.places[: told.many[0]]] = told.values[: told.many[0]]
    return row


@in_python
def test_the_critic_is_told_what_the_rules_say() -> None:
    for position in positions()[::4]:
        view, row = _view(position), _critic_told(position)[0]
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


def _chosen(position: Round, drawn: str | None, words: Words) -> Move:
    """What the learned player makes, by the same random numbers."""
    brain, view = policy()[0], _view(position, drawn)
    mind = new_scratch(brain.net)
    game, legal = game_of(view), legal_moves(view)
    count = list_moves(game, drawn is not None, brain.rule, mind)
    if count == 1:
        return legal[0]
    think(brain, game, drawn is not None, count, mind)
    values = [SURE * mind.worth[place] + gumbel(words) for place in range(count)]
    made = move_numbers(view, legal).tolist().index(int(mind.moves[int(np.argmax(values))]))
    found: Move = legal[made]
    return found


def _moved(position: Round, move: Move | None, words: Words, drawn: bool = False) -> Round:
    """After a move, or after the learned player's; what to exchange is chosen once the card is `drawn`."""
    chosen = _chosen(position, None, words) if move is None else move
    if chosen == Pass() and position.stock and not drawn:
        chosen = _chosen(position, position.stock[0], words)
    after = GAME.play(position, chosen)
    assert isinstance(after, Round)
    return after


def _chance(position: Round, move: Move, words: Words, drawn: bool) -> float:
    """What the critic expects of a move."""
    seat = position.state.turn
    after = _moved(position, move, words, drawn)
    while after.state.winner is None and after.state.turn != seat:
        after = _moved(after, None, words)
    if after.state.winner is not None:
        return float(after.state.winner == seat)
    return float(np.clip(outputs(CRITIC, _critic_told(after))[0, 0], 0.0, 1.0))


def _check(position: Round, number: int, drawn: bool = False) -> bool:
    """Whether no move wins at once; if so, moves are worth what the critic says, followed plainly."""
    view = _view(position, position.stock[0] if drawn else None)
    legal = list(GAME.legal_moves(view))
    if len(legal) < 2 or any(isinstance(move, Play) and move.count == len(view.hand) for move in legal):
        return False
    setting, deck = Games(view, legal, 0).setting, view.metals
    game, words = new_game(setting), np.zeros(1, np.int64)
    game.stock[:] = deck.numbers(position.stock)
    start_stream(words, 5, number)
    results = np.zeros((len(legal), STATISTICS))
    noted = np.zeros(view.players * deck.size + len(legal), np.int64)
    hands = np.array(position.state.hands)
    try_moves(setting, foresight(CRITIC), hands, game, words, results, noted)
    chances = []
    for move in legal:
        start_stream(words, 5, number)
        chances.append(_chance(position, move, words, drawn))
    assert results[:, SCORE] == pytest.approx(chances, abs=1e-6)
    return True


@in_python
def test_moves_are_worth_what_the_critic_expects() -> None:
    assert sum(_check(position, number) for number, position in enumerate(positions()[::36])) > 0
    passed = [position for position in positions() if position.stock and position.table]
    assert sum(_check(position, number, drawn=True) for number, position in enumerate(passed[::12])) > 0
