"""King × Alchemy's rules and scores against the slow reference: random positions, whole rounds, counted lines."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from solver.common import members
from solver.games.king import GAME, rules
from solver.games.king.deck import Deck
from solver.games.king.moves import earned
from solver.games.king.position import KnownPosition
from solver.games.king.rules import State, move_text
from solver.limits import Control
from solver.positions import parse_position, position_data
from tests.games.king.random_positions import random_deck, random_position
from tests.reference import king as ref
from tests.support import count_tables


def same(position: KnownPosition, slow: ref.State) -> None:
    """That both have the same cards in the same places."""
    state = position.state
    assert [frozenset(members(hand)) for hand in state.hands] == list(slow.hands)
    assert [frozenset(members(pile)) for pile in state.won] == list(slow.won)
    assert tuple(play.card for play in state.trick) == tuple(played.card for played in slow.trick)
    assert (state.leader, state.over) == (slow.leader, ref.over(slow))


def play_out(data: dict[str, Any], rng: random.Random) -> int:
    """Play a position to its end by both, the same legal moves at every step; the number of moves."""
    position: Any = parse_position(data)
    deck, slow = ref.load(data)
    moves = 0
    while True:
        same(position, slow)
        legal = GAME.legal_moves(position)
        texts = [GAME.format_move(position, move) for move in legal]
        theirs = ref.legal(deck, slow)
        assert texts == [ref.text(deck, move) for move in theirs], data
        if not legal:
            break
        assert position.seat_to_move == ref.to_move(deck, slow)
        chosen = rng.randrange(len(legal))
        assert GAME.parse_move(position, texts[chosen]) == legal[chosen]
        position, slow = GAME.play(position, legal[chosen]), ref.play(deck, slow, theirs[chosen])
        moves += 1
    points = tuple(earned(position.full_deck, 0, pile, Control()).total for pile in position.piles)
    assert points == ref.scores(deck, slow)
    return moves


@pytest.mark.parametrize("heavy", [None, "trump", "dancer"])
def test_random_endings(heavy: str | None, amount: Callable[[int], int]) -> None:
    rng = random.Random(f"king {heavy}")
    assert sum(play_out(random_position(rng, heavy=heavy), rng) for _ in range(amount(120))) > 100


@pytest.mark.parametrize("rule", ["late_trump_does_not_lift", "no_bottom_when_trumped"])
def test_disputed_readings(rule: str, amount: Callable[[int], int]) -> None:
    rng = random.Random(rule)
    for heavy in ("trump", "dancer"):
        for _ in range(amount(40)):
            play_out(random_position(rng, heavy=heavy, rules=[rule]), rng)


def test_random_decks(amount: Callable[[int], int]) -> None:
    rng = random.Random(52)
    for _ in range(amount(40)):
        deck = random_deck(rng)
        for heavy in (None, "trump", "dancer"):
            play_out(random_position(rng, heavy=heavy, deck=deck, cards=rng.randint(1, 5)), rng)


def test_whole_rounds() -> None:
    rng = random.Random(53)
    for number in range(6):
        players = 3 + number % 3
        data = position_data(GAME.deal(53, number=number, players=players))
        del data["history"]
        assert play_out(data, rng) == (players + 1) * rules.TRICKS[players]


def _after(state: State) -> list[State]:
    return [rules.play(state, move) for move in rules.legal_moves(state)]


def test_counted_lines() -> None:
    rows = json.loads((count_tables.FOLDER / "king" / "counts.json").read_text(encoding="utf-8"))
    assert len(rows) > 15
    for row in rows:
        position = parse_position(row["position"])
        assert isinstance(position, KnownPosition)
        ways, ended = Counter({position.state: 1}), 0
        for lines in row["lines"]:
            later: Counter[State] = Counter()
            for state, many in ways.items():
                if state.over:
                    ended += many
                for following in _after(state):
                    later[following] += many
            assert ended + later.total() == lines
            ways = later


def test_texts_of_moves(amount: Callable[[int], int]) -> None:
    """A taking's cards may be named in any order."""
    rng = random.Random(54)
    for _ in range(amount(40)):
        position = parse_position(random_position(rng, players=4, played=4))
        assert isinstance(position, KnownPosition)
        deck: Deck = position.full_deck
        for move in GAME.legal_moves(position):
            words = move_text(deck, move).split()
            end = words.index("give") if "give" in words else len(words)
            turned = ["take", *reversed(words[1:end]), *words[end:]]
            assert GAME.parse_move(position, f"  {'  '.join(turned)} ") == move
