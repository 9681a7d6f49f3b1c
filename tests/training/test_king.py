"""What is learned of hints: the plays of rounds, as the kernels that ask the network see them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.games.king import GAME, rules
from solver.games.king.players import FEATURES
from solver.games.king.position import Round
from solver.games.king.rules import Play, State
from tests.support.marks import in_python

pytest.importorskip("torch")

from training import king

RANK_INPUT = FEATURES + 10  # the number of a card among all numbers, in tenths


def round_at_random(seed: int, players: int) -> tuple[Round, list[tuple[State, Play]]]:
    """A round of random moves to its end, and its plays with the state before."""
    rng = random.Random(seed)
    position, made = GAME.deal(seed, players=players, variant="picked"), []
    while legal := GAME.legal_moves(position):
        assert isinstance(position, Round)
        move = rng.choice(legal)
        if isinstance(move, Play):
            made.append((position.state, move))
        position = GAME.play(position, move)
    assert isinstance(position, Round)
    return position, made


@in_python
@pytest.mark.small
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_plays_of_a_round_are_told_with_what_there_was_to_choose_from(players: int) -> None:
    position, made = round_at_random(players, players)
    deck = position.full_deck
    numbers = sorted({card.number for card in deck.cards})
    expected = []
    for seat in range(players):
        for state, play in made:
            legal = rules.playable(deck, state.hands[seat], state.trick)
            cards = {other.card for other in legal}
            if state.to_move == seat and len(legal) > 1 and deck.dancer not in cards:
                rank = 0.1 * numbers.index(deck.cards[play.card].number)
                place = 0 if not state.trick else 2 if len(state.trick) == players - 1 else 1
                expected.append((len(legal), place, pytest.approx(rank)))
    told = []
    for choices in king.choices_of(position, 7):
        assert (choices.rounds == 7).all()
        for row, count in enumerate(choices.counts.tolist()):
            moves = choices.own[row, :count]
            if not moves[:, 10].any():  # the Dancer, whose names are several plays
                told.append((count, int(choices.contexts[row]), moves[choices.chosen[row], RANK_INPUT]))
    assert told == expected
    assert len(told) > 10


@in_python
@pytest.mark.small
def test_rounds_are_kept_and_a_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = []

    def to_end(_game: object, dealt: Any, _hint: object, _nodes: int, seed: int) -> Round:
        played.append(seed // 1000)
        return round_at_random(played[-1], dealt.players)[0]

    monkeypatch.setattr(king, "to_end", to_end)
    path = tmp_path / "rounds.jsonl"
    some = king.watched(path, 2, 1, 1)
    more = king.watched(path, 3, 1, 1)
    assert played == [0, 1, 2]
    assert len(path.read_text(encoding="utf-8").splitlines()) == 3
    assert np.array_equal(more.own[: len(some.own)], some.own)
    assert set(more.rounds.tolist()) == {0, 1, 2}
