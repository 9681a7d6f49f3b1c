"""The plausible player's choice in Aqua Regia: the answer of no deals, and the first line of a hint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.common.control import Control
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.cards.rules import Pass, Play, next_field
from solver.games.aqua_regia.hints import hint
from solver.games.aqua_regia.hints.policy import NO_PLAY, Turn, choose_exchange, choose_play, reactivity_rows
from solver.games.aqua_regia.hints.weights import PLAYER
from solver.games.aqua_regia.positions.known import View
from solver.inputs.errors import RequestError
from solver.kernels.rng import start
from solver.positions import parse_position
from tests.games.aqua_regia.examples import QUESTIONS, SEEN, change
from tests.hints.first_answers import at_once, check_chances, check_told_first


def view(data: dict[str, Any]) -> View:
    found = parse_position(data)
    assert isinstance(found, View)
    return found


def often(seen: View, games: int) -> dict[str, float]:
    """How often each move is made by the player of the sampled games."""
    deck, top = seen.metals, seen.top or Play(0, 0)
    words, weights, held = np.zeros(1, np.int64), np.array(PLAYER), np.array(seen.held, np.int64)
    start(words, 5, 0)
    following = next_field(seen.field_number, seen.reversed)
    turn = Turn(seen.field_number, following, top.metal, top.count, int(seen.stock_count > 0))
    made: dict[str, float] = {}
    for _ in range(games):
        move: Any = Pass()
        code = NO_PLAY
        if seen.drawn is None:
            code = int(choose_play(reactivity_rows(deck), held, len(seen.hand), turn, weights, words))
        if code != NO_PLAY:
            move = Play(code >> 3, code & 7)
        elif seen.drawn is not None or not seen.stock_count:
            pile = np.array(seen.pile, np.int64)
            pair = int(choose_exchange(reactivity_rows(deck), held, pile, deck.copies, following, weights, words))
            move = Pass() if pair == NO_PLAY else Pass(*divmod(pair, 1000))
        text = GAME.format_move(seen, move)
        made[text] = made.get(text, 0.0) + 1 / games
    return made


@pytest.mark.small
@pytest.mark.parametrize("data", QUESTIONS, ids=range(len(QUESTIONS)))
def test_every_legal_move_has_its_chance(data: dict[str, Any]) -> None:
    check_chances(GAME, view(data))


@pytest.mark.parametrize("data", QUESTIONS, ids=range(len(QUESTIONS)))
def test_chances_are_those_of_the_player_of_the_sampled_games(data: dict[str, Any]) -> None:
    seen = view(data)
    made = often(seen, 400)
    chances = {move.move: move.chance for move in at_once(GAME, seen).moves}
    assert set(made) <= set(chances)
    for move, chance in chances.items():
        assert abs(made.get(move, 0.0) - chance) < 5 * (chance * (1 - chance) / 400) ** 0.5 + 0.01


def test_who_can_go_out_does() -> None:
    seen = view(change(SEEN, hand=["Sn", "Sn"], counts=[2, 3, 2], known=None))
    best = at_once(GAME, seen).moves[0]
    assert (best.move, best.chance) == ("Sn Sn", 1.0)


def test_it_is_the_first_that_is_told() -> None:
    check_told_first(GAME, view(SEEN))


def test_what_has_no_answer_is_refused() -> None:
    with pytest.raises(RequestError, match="is to move"):
        hint.hint(view(change(SEEN, turn=0)), Control(), worlds=0)
