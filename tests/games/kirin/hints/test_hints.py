"""Hints of kirin: what they say holds, under every limit, and the same seed says the same."""

from __future__ import annotations

import json
import random
from itertools import islice
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from api.cli.main import cli
from benchmarks.kirin import KirinContest
from solver.answers import SampledHint
from solver.errors import RequestError
from solver.games.kirin import GAME, hint
from solver.games.kirin.hint import Rounds
from solver.games.kirin.position import DeclareView, KnownPosition, View
from solver.games.kirin.rules import State
from solver.games.kirin.rules import points as points_of
from solver.games.kirin.worlds import deals
from solver.hints import sampled
from solver.limits import MOST_WORLDS, Control, Limit
from solver.positions import parse_position, position_data
from tests.games.kirin.hints.plain_endings import Rules, weighted_worlds
from tests.games.kirin.hints.views import played, seen_by
from tests.reference.endings import Ending
from tests.support.amounts import Amount
from tests.support.hint_checks import check_deadlines


def ask(view: View | DeclareView, limit: Limit | None = None, **options: Any) -> SampledHint:
    answer = hint.hint(view, Control(limit), **options)
    assert isinstance(answer, SampledHint)
    return answer


def known(error: float | None) -> float:
    assert error is not None
    return error


def to_move(seed: int, cards: int) -> View:
    position = played(seed, cards)
    return seen_by(position, position.seat_to_move)


def without_times(answer: SampledHint) -> dict[str, Any]:
    return {key: value for key, value in answer.to_dict().items() if key != "seconds"}


def test_the_answer_is_a_ranking_of_the_legal_cards() -> None:
    for seed, cards in enumerate((0, 1, 2, 3, 9, 14, 22, 30, 31)):
        view = to_move(seed, cards)
        answer = ask(view, worlds=60)
        assert isinstance(answer, SampledHint)
        legal = [GAME.format_move(view, card) for card in GAME.legal_moves(view)]
        assert sorted(move.move for move in answer.moves) == sorted(legal)
        assert answer.best == answer.moves[0].move
        means = [move.mean for move in answer.moves]
        assert means == sorted(means, reverse=True)
        assert answer.worlds == 60
        assert answer.nodes == 60 * len(legal)
        assert not answer.exact
        assert answer.to_move == view.seat
        for move in answer.moves:
            assert move.behind == pytest.approx(means[0] - move.mean)
            assert move.stderr is None or move.stderr >= 0
            assert move.worlds == 60


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_same_seed_and_nodes_give_the_same_answer(threads: int) -> None:
    before = GAME.view(GAME.deal(3, variant="undeclared"), 2)
    assert isinstance(before, DeclareView)
    for view in (to_move(3, 5), before):
        limit = Limit(nodes=20_000)
        first = ask(view, limit, seed=9, threads=1)
        assert without_times(ask(view, limit, seed=9, threads=threads)) == without_times(first)
        assert without_times(ask(view, limit, seed=10, threads=threads)) != without_times(first)


@pytest.mark.covered
@pytest.mark.small
def test_the_last_card_scores_what_the_rules_say(amount: Amount) -> None:
    """With a card each, a world's score follows from the rules alone."""
    for seed in range(amount(20)):
        view = to_move(seed, 28 + seed % 4)
        found = deals(view)
        cards = list(GAME.legal_moves(view))
        results, weights = np.empty((60, 1, 3)), np.ones(60)
        infer = seed % 2 == 1
        Rounds(found, cards, seed, infer=infer).play(0, results, weights)
        possible = set()
        for rank in range(found.total):
            position = found.position(rank)
            assert isinstance(position, KnownPosition)
            state: State = position.state
            mine = points_of(state.won, position.colours)[view.seat]
            while not state.over:
                hand = state.hands[state.to_move]
                state = state.after(hand.bit_length() - 1)
            score = points_of(state.won, position.colours)[view.seat]
            possible.add((float(score), float(score > mine), float(score - mine)))
        told = {(row[0], float(row[2] > 0), row[2]) for row in results[:, 0, :].tolist()}
        assert told <= possible
        assert infer or found.total > 6 or told == possible


def test_worlds_and_errors() -> None:
    view = to_move(4, 6)
    few, many = ask(view, worlds=400), ask(view, worlds=6400)
    assert known(many.moves[0].stderr) < known(few.moves[0].stderr)
    one = ask(view, worlds=1)
    assert {move.stderr for move in one.moves} == {None}
    for bad in (-1, MOST_WORLDS + 1):
        with pytest.raises(RequestError) as found:
            ask(view, worlds=bad)
        assert (found.value.code, found.value.path) == ("out_of_range", "worlds")


def test_deadlines_are_kept_and_there_is_always_an_answer() -> None:
    hint.warm()
    check_deadlines(hint.hint, [to_move(6, 0)])


def test_progress_is_told() -> None:
    told: list[float | None] = []
    hint.hint(to_move(6, 0), Control(), worlds=1)  # loading takes nothing of the time then
    control = Control(Limit(seconds=0.4), progress=lambda progress: told.append(progress.done))
    hint.hint(to_move(6, 0), control)
    assert told
    assert all(share is not None and 0 <= share <= 1 for share in told)


def test_a_failure_in_a_thread_is_the_callers() -> None:
    class Broken:
        moves, statistics, chained = 2, 1, False

        def play(self, first: int, results: Any, weights: Any) -> None:
            raise ZeroDivisionError

    for threads in (1, 2):
        with pytest.raises(ZeroDivisionError):
            sampled.simulate(Broken(), Control(), worlds=1000, threads=threads)


def test_what_can_not_be_hinted() -> None:
    position = played(1, 3)
    other = (position.seat_to_move + 1) % 4
    with pytest.raises(RequestError) as found:
        GAME.hint(seen_by(position, other), Control())
    assert (found.value.code, found.value.path) == ("not_to_move", "seat")
    with pytest.raises(RequestError) as found:
        GAME.hint(position, Control())
    assert found.value.code == "all_known"
    assert "hint" not in GAME.asks(position)
    over = ask(seen_by(played(1, 32), played(1, 32).seat_to_move))
    assert (over.best, over.moves, over.exact) == (None, (), True)


def test_a_card_that_is_plainly_better_is_found() -> None:
    """The last seat wins two own-colour cards with the trump, or gives them away."""
    data: dict[str, Any] = {
        "game": "kirin",
        "seat": 3,
        "hand": ["DT", "G1", "G2", "G3", "S1", "S2", "B1", "B4"],
        "declared": "D1",
        "leader": 0,
        "trick": ["D6", "D5", "D4"],
        "history": [],
    }
    view = parse_position(data)
    assert isinstance(view, View)
    answer = ask(view, worlds=2000)
    assert answer.best == "DT"
    assert answer.reason.startswith("DT wins this trick with ")
    assert answer.moves[1].behind > 1.96 * known(answer.moves[1].behind_stderr)


def test_setting_aside() -> None:
    view = GAME.view(GAME.deal(8, variant="undeclared"), 2)
    assert isinstance(view, DeclareView)
    answer = ask(view, worlds=3000)
    assert {move.move for move in answer.moves} == set(view.hand)
    assert answer.sure is not None


def test_random_views_have_hints(amount: Amount) -> None:
    rng = random.Random(8)
    for seed in range(amount(30)):
        view = to_move(seed, rng.randrange(32))
        answer = ask(view, worlds=rng.randrange(1, 40), seed=seed)
        assert answer.reason.endswith(".")
        assert all(np.isfinite([move.mean, move.behind]).all() for move in answer.moves)


def test_means_are_those_of_every_deal_worked_out() -> None:
    """With two cards a hand one choice is left: its value by listing deals and choices in plain Python."""
    endings = (view for view in KirinContest().endings(4) if deals(view).total <= 200)
    for view in islice(endings, 4):
        assert len(view.hand) == 2
        worlds = weighted_worlds(view)
        total = sum(world.weight for world in worlds)
        values = Ending(Rules(view.seat)).moves(worlds)
        exact = {GAME.format_move(view, card): value / total for card, value in values.items()}
        answer = ask(view, worlds=20_000)
        for move in answer.moves:
            assert move.mean == pytest.approx(exact[move.move], abs=0.02 + 4 * known(move.stderr))
            assert known(move.stderr) < 0.05
        first, second = answer.moves[0], answer.moves[1]
        gap = exact[first.move] - exact[second.move]
        assert second.behind == pytest.approx(gap, abs=0.02 + 4 * known(second.behind_stderr))


def test_a_hint_on_the_command_line() -> None:
    view = json.dumps(position_data(to_move(3, 6)))
    told = CliRunner().invoke(cli, ["hint", "-", "--nodes", "2000", "--seed", "5", "--full"], input=view)
    assert told.exit_code == 0, told.output
    for text in ("Best", "Why", "none: an estimate (sampled rounds"):
        assert text in told.output
    options = ["hint", "-", "--worlds", "200", "--seed", "5", "--json"]
    first, second = (json.loads(CliRunner().invoke(cli, options, input=view).stdout) for _ in range(2))
    assert first["worlds"] == 200
    assert {**first, "seconds": 0} == {**second, "seconds": 0}
    assert CliRunner().invoke(cli, ["hint", "-", "--seconds", "0.01"], input=view).exit_code == 2
