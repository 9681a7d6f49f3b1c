"""Aqua Regia's rules against the reference, on random positions and tables, move by move to the end."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solver.games.aqua_regia import GAME, rules
from solver.games.aqua_regia.deck import Deck, members
from solver.games.aqua_regia.position import KnownPosition
from solver.games.aqua_regia.rules import State
from solver.positions import parse_position, position_data
from tests.games.aqua_regia.random_positions import either, random_position, random_table
from tests.reference import aqua as ref


def slow_state(state: State) -> ref.State:
    """The same state for the reference."""
    return ref.State(
        hands=tuple(tuple(members(hand)) for hand in state.hands),
        turn=state.turn,
        field=state.field,
        reverse=state.reversed,
        plays=tuple(ref.Play(play.metal, play.count) for play in rules.runs(state.table)),
        owner=state.owner,
        stock=state.stock,
        discard=tuple(members(state.discard)),
    )


def known(data: dict[str, Any]) -> KnownPosition:
    position = parse_position(data)
    assert isinstance(position, KnownPosition)
    return position


def measure(state: State) -> int:
    """What never grows, and falls with every play and every pass that draws."""
    return 2 * len(state.stock) + sum(map(sum, state.hands))


def same_moves(deck: Deck, table: ref.Table, state: State, slow: ref.State) -> list[rules.Move]:
    """The legal moves, when both agree on the state and on its moves, in order."""
    assert slow_state(state) == slow
    legal = rules.legal_moves(deck, state)
    assert [rules.text_of(deck, move) for move in legal] == [
        ref.text(table, move) for move in ref.legal(table, slow)
    ]
    return legal


@pytest.mark.parametrize("own_table", [False, True])
def test_games_from_random_positions_to_the_end(own_table: bool) -> None:
    rng = random.Random(51 + own_table)
    seen: set[str] = set()
    for _ in range(400):
        table_data = random_table(rng) if own_table else None
        players = rng.randint(2, 5)
        if table_data is not None and len(table_data["metal"]) * table_data["copies"] < players:
            continue
        cards = players * rng.randint(1, 10)
        position = known(random_position(rng, deck=table_data, players=players, cards=cards, rules=either(rng)))
        deck, state = position.metals, position.state
        table, slow = ref.load(position_data(position))
        if state != position.state_as_written:
            seen.add("deal passed on")
        while legal := same_moves(deck, table, state, slow):
            index = rng.randrange(len(legal))
            if rng.random() < 0.3:  # as many cards as can be
                index = max(range(len(legal)), key=lambda choice: getattr(legal[choice], "count", 0))
            move = legal[index]
            seen.add(type(move).__name__)
            after = rules.play(deck, state, move)
            assert measure(after) <= measure(state)
            falls = isinstance(move, rules.Play) or bool(state.stock)
            assert (measure(after) < measure(state)) == falls
            if after.reversed != state.reversed:
                seen.add("reversed")
            state, slow = after, ref.play(table, slow, ref.legal(table, slow)[index])
        assert state.winner == ref.scores(slow).index(1)
    assert seen == {"deal passed on", "Play", "Pass", "reversed"}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_playouts_of_whole_deals_end(players: int) -> None:
    rng = random.Random(players)
    for number in range(8):
        position: Any = GAME.deal(51, number=number, players=players)
        deck, state = position.metals, position.state
        start = measure(state)
        plies = idle = 0
        while legal := rules.legal_moves(deck, state):
            after = rules.play(deck, state, rng.choice(legal))
            assert measure(after) <= measure(state)
            idle = idle + 1 if measure(after) == measure(state) else 0
            assert idle < players  # passes without a draw; then the owner must lead
            state = after
            plies += 1
        assert state.winner is not None
        assert plies <= start * players
