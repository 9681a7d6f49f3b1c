"""The learned player's choice in Aqua Regia, a hint's first answer, and the plausible player's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.errors import RequestError
from solver.games.aqua_regia import GAME, hint, network
from solver.games.aqua_regia.deck import FIELDS, MOST_METALS
from solver.games.aqua_regia.game_words import alone as by_rule
from solver.games.aqua_regia.game_words import move_words
from solver.games.aqua_regia.players import NO_PLAY, PLAYER, Turn, choose_exchange, choose_play, reactivity_rows
from solver.games.aqua_regia.position import View
from solver.games.aqua_regia.rules import Pass, Play, next_field
from solver.hints.network import MOST_BYTES
from solver.kernels.rng import start
from solver.limits import Control
from solver.positions import parse_position
from tests.games.aqua_regia.examples import QUESTIONS, SEEN, change
from tests.hints.first_answers import at_once, check_chances, check_told_first


def view(data: dict[str, Any]) -> View:
    found = parse_position(data)
    assert isinstance(found, View)
    return found


def turn_of(seen: View) -> Turn:
    top, following = seen.top or Play(0, 0), next_field(seen.field_number, seen.reversed)
    return Turn(seen.field_number, following, top.metal, top.count, int(seen.stock_count > 0))


def likely(seen: View) -> dict[str, float]:
    """How likely the player of the sampled games makes each move."""
    moves = GAME.legal_moves(seen)
    words, out = np.array([move_words(seen, move) for move in moves]), np.empty(len(moves))
    reactivity, held = reactivity_rows(seen.metals), np.array(seen.held, np.int64)
    by_rule(reactivity, held, len(seen.hand), turn_of(seen), words, np.array(PLAYER), out)
    return {GAME.format_move(seen, move): float(chance) for move, chance in zip(moves, out, strict=True)}


def often(seen: View, games: int) -> dict[str, float]:
    """How often each move is made by the player of the sampled games."""
    deck, following, turn = seen.metals, next_field(seen.field_number, seen.reversed), turn_of(seen)
    words, weights, held = np.zeros(1, np.int64), np.array(PLAYER), np.array(seen.held, np.int64)
    start(words, 5, 0)
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
    chances = likely(seen)
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


def test_the_largest_deck_is_played() -> None:
    metals = [f"M{number}" for number in range(MOST_METALS)]
    rows = [{"symbol": metal, "reactivity": dict.fromkeys(FIELDS, 2)} for metal in metals]
    hand = [metals[0], *metals]
    seen = view(
        change(
            SEEN,
            deck={"name": "any", "metal": rows},
            table=metals[:1],
            discard=metals[1:],
            hand=hand,
            counts=[2, 3, len(hand)],
            known=None,
            stock_count=0,
        )
    )
    answer = at_once(GAME, seen)
    assert len(answer.moves) == len(GAME.legal_moves(seen)) > 7000
    assert sum(move.chance for move in answer.moves) == pytest.approx(1, abs=0.01)


@pytest.mark.small
@pytest.mark.plain
def test_the_weights_are_small_and_their_card_says_how_they_were_made() -> None:
    place = Path(network.__file__).with_name("policy.npz")
    assert place.stat().st_size < MOST_BYTES
    with np.load(place) as arrays:
        assert all(array.dtype == np.float32 and np.isfinite(array).all() for array in arrays.values())
    card = json.loads(place.with_suffix(".json").read_text(encoding="utf-8"))
    assert {"game", "what", "seed", "commit", "minutes", "choices", "2 players"} <= set(card)
