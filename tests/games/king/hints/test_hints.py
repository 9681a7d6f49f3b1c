"""Hints of King × Alchemy: what they say holds, under every limit, and the same seed says the same."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from solver.answers import SampledHint
from solver.common import members
from solver.errors import PositionError, RequestError
from solver.games.king import GAME, hint
from solver.games.king.compounding import best
from solver.games.king.deck import house
from solver.games.king.hint import Rounds
from solver.games.king.position import KnownPosition, PickView, View
from solver.games.king.rules import TRICKS, Move, State, Taking, legal_moves, play
from solver.games.king.worlds import BONUS, SCORE, STATISTICS, TOOK, TRICK_POINTS, deals
from solver.limits import Control, Limit
from solver.positions import parse_position, position_data
from tests.games.king.hints.views import played, seen_by, to_move
from tests.support.amounts import Amount
from tests.support.hint_checks import check_deadlines

SAMPLER = replace(hint.SAMPLERS["equal"], ending=None)  # `test_endings` has those of all deals


def ask(view: View | PickView, limit: Limit | None = None, **options: Any) -> SampledHint:
    found = SAMPLER.hint(view, Control(limit), **options)
    assert isinstance(found, SampledHint)
    return found


def before(seed: int, players: int = 4, seat: int = 1) -> PickView:
    view = GAME.view(GAME.deal(seed, players=players, variant="unpicked"), seat)
    assert isinstance(view, PickView)
    return view


def without_times(answer: SampledHint) -> dict[str, Any]:
    return {key: value for key, value in answer.to_dict().items() if key != "seconds"}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_answer_is_a_ranking_of_the_legal_moves(players: int) -> None:
    asked: list[View | PickView] = [before(1, players), *(to_move(seed, seed * 2, players) for seed in range(20))]
    asked += [to_move(seed, players, players) for seed in range(3)]  # a full trick
    for view in asked:
        answer = ask(view, worlds=200)
        legal = [GAME.format_move(view, move) for move in GAME.legal_moves(view)]
        assert sorted(move.move for move in answer.moves) == sorted(legal)
        assert answer.best == answer.moves[0].move
        means = [move.mean for move in answer.moves]
        assert means == sorted(means, reverse=True)
        assert answer.worlds == 200
        assert answer.nodes == 200 * len(legal)
        assert not answer.exact
        assert answer.to_move == view.seat
        assert answer.reason.endswith(".")
        for move in answer.moves:
            assert move.behind == pytest.approx(means[0] - move.mean)
            assert move.stderr is not None
            assert move.stderr >= 0


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_same_seed_and_nodes_give_the_same_answer(threads: int) -> None:
    for view in (to_move(3, 6), to_move(3, 4), before(3)):
        limit = Limit(nodes=4000)
        first = ask(view, limit, seed=9, threads=1)
        assert without_times(ask(view, limit, seed=9, threads=threads)) == without_times(first)
        assert without_times(ask(view, limit, seed=10, threads=threads)) != without_times(first)


def outcomes(state: State, seat: int, first: Move) -> set[tuple[int, int, int]]:
    """What a seat can score after a move, however all go on: in all, of bonuses, of the first trick."""
    found: set[tuple[int, int, int]] = set()

    def go_on(now: State, move: Move, trick: int | None) -> None:
        after = play(now, move)
        if trick is None and isinstance(move, Taking):
            trick = after.deck.vp(after.won[seat] & ~now.won[seat])
        if after.over:
            made = best(after.deck, members(after.won[seat]))
            assert trick is not None
            found.add((made.total, made.bonus, trick))
        for following in legal_moves(after):
            go_on(after, following, trick)

    go_on(state, first, None)
    return found


@pytest.mark.small
@pytest.mark.parametrize("players", [3, 4, 5])
def test_each_world_scores_what_the_rules_allow(players: int, amount: Amount) -> None:
    """The worlds of a hint, dealt again, and every way to go on: the kernel's outcome is among them."""
    rng = random.Random(players)
    length = TRICKS[players] * (players + 1)
    for seed in range(amount(12)):
        # In the last trick, or the taking before it.
        view = to_move(seed, length - rng.randrange(1, players + 2), players)
        found = deals(view)
        moves = list(GAME.legal_moves(view))
        results = np.empty((8, len(moves), STATISTICS))
        Rounds(found, moves, seed, infer=False).play(0, results, np.ones(8))
        for world in range(8):
            position = found.position(found.drawn(seed, world))
            assert isinstance(position, KnownPosition)
            for index, move in enumerate(moves):
                told = results[world, index]
                key = (told[SCORE], told[BONUS], told[TRICK_POINTS])
                assert key in outcomes(position.state, view.seat, move)
                assert told[TOOK] in (0, 1)
                if len(view.trick) == players:
                    assert told[TOOK] == 1


def test_worlds_and_errors() -> None:
    view = to_move(4, 7)
    few, many = ask(view, worlds=200), ask(view, worlds=3200)
    rough, fine = few.moves[0].stderr, many.moves[0].stderr
    assert rough is not None
    assert fine is not None
    assert fine < rough
    for bad in (-1, 1_000_000):
        with pytest.raises(RequestError) as found:
            ask(view, worlds=bad)
        assert (found.value.code, found.value.path) == ("out_of_range", "worlds")


def test_deadlines_are_kept_and_there_is_always_an_answer() -> None:
    hint.warm()
    check_deadlines(hint.hint, (to_move(6, 0), to_move(6, 4), before(6, 5), to_move(6, 0, 5)))


def test_what_can_not_be_hinted() -> None:
    position = played(1, 3)
    other = (position.seat_to_move + 1) % 4
    with pytest.raises(RequestError) as found:
        GAME.hint(seen_by(position, other), Control())
    assert (found.value.code, found.value.path) == ("not_to_move", "seat")
    for known in (position, GAME.deal(1, variant="unpicked")):
        with pytest.raises(RequestError) as found:
            GAME.hint(known, Control())
        assert (found.value.code, found.value.path) == ("all_known", "hands")
    with pytest.raises(RequestError) as found:
        GAME.hint(parse_position({"game": "king", "deck": "house", "cards": ["F1"]}), Control())
    assert (found.value.code, found.value.path) == ("not_offered", "cards")


def test_a_round_that_is_over() -> None:
    position = played(1, 55)
    assert position.state.over
    answer = ask(seen_by(position, position.seat_to_move))
    assert answer.exact
    assert answer.best is None
    assert answer.moves == ()


def test_an_impossible_view_says_what_contradicts_what() -> None:
    """A seat that did not follow a suit, and shows a card of it later."""
    index = house().index
    tried = 0
    for seed in range(60):
        view = to_move(seed, 28)  # three cards are on the table
        for refusal in view.past.refusals:
            place = (refusal.seat - view.leader) % 4
            held = next((card for card in view.hand if refusal.excluded >> index[card] & 1), None)
            if held is None or place >= len(view.trick) or not refusal.path.startswith("history"):
                continue
            shown = view.trick[place]
            data = position_data(view)
            data["hand"] = [shown.partition(":")[0] if card == held else card for card in view.hand]
            data["trick"] = [held if card == shown else card for card in view.trick]
            with pytest.raises(PositionError) as found:
                parse_position(data)
            assert found.value.code == "illegal_play"
            assert found.value.path.startswith("history")
            assert f"seat {refusal.seat}" in found.value.message
            tried += 1
    assert tried > 5


def test_random_rounds_never_fail(amount: Amount) -> None:
    rng = random.Random(8)
    for seed in range(amount(9)):
        players = 3 + seed % 3
        position = GAME.deal(seed, players=players, variant="unpicked")
        while moves := GAME.legal_moves(position):
            seat = position.seat_to_move  # type: ignore[attr-defined]
            if rng.random() < 0.3:
                answer = GAME.hint(GAME.view(position, seat), Control(), worlds=1 + rng.randrange(3), seed=seed)
                move = GAME.parse_move(position, str(answer.best))
            else:
                move = rng.choice(moves)
            position = GAME.play(position, move)
