"""Hints of King × Alchemy: what they say holds, under every limit; endings worked out; hints for the match."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest

import athanor
from benchmarks.king import KingContest
from benchmarks.regret import regret
from solver.answers import SampledHint
from solver.common import members
from solver.errors import PositionError, RequestError
from solver.games.king import GAME, hint
from solver.games.king.compounding import best
from solver.games.king.deck import house
from solver.games.king.hint import best_replies, own_points, rounds
from solver.games.king.moves import earned
from solver.games.king.position import Round
from solver.games.king.rules import TRICKS, Move, State, Taking, legal_moves, play
from solver.games.king.worlds import (
    BONUS,
    KERNELS,
    SCORE,
    SCORES,
    STATISTICS,
    TOOK,
    TRICK_POINTS,
    deals,
    move_code,
)
from solver.hints import endings
from solver.hints.endings import GIVEN_UP, RUNNING, STEPS, new_lines
from solver.hints.ranking import Whole
from solver.hints.rounds import Ending as AllDeals
from solver.hints.rounds import new_ending
from solver.limits import Control, Limit
from solver.positions import parse_position, position_data
from tests.games.king.data import FOLDER
from tests.games.king.plain_hints import Rules, plain_values, weighted_worlds
from tests.games.king.rounds import played, seen_by, to_move
from tests.reference.endings import Ending, TooLargeError
from tests.support.amounts import Amount
from tests.support.hint_checks import check_deadlines, check_ranking, check_same
from tests.support.kinds import of_kind
from tests.support.marks import in_python

SAMPLER = replace(hint.SAMPLER, ending=None)  # `test_endings` has those of all deals


def ask(view: Round, limit: Limit | None = None, **options: Any) -> SampledHint:
    return of_kind(SampledHint, SAMPLER.hint(view, Control(limit), **options))


def before(seed: int, players: int = 4, seat: int = 1) -> Round:
    return of_kind(Round, GAME.view(GAME.deal(seed, players=players, variant="unpicked"), seat))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_answer_is_a_ranking_of_the_legal_moves(players: int) -> None:
    asked: list[Round] = [before(1, players), *(to_move(seed, seed * 2, players) for seed in range(0, 20, 2))]
    asked += [to_move(seed, players, players) for seed in range(3)]  # a full trick
    for view in asked:
        check_ranking(GAME, view, ask(view, worlds=60), 60)


def test_the_same_seed_and_nodes_give_the_same_answer() -> None:
    check_same(ask, (to_move(3, 6), before(3)), 4000)


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
        rounds(found, moves, seed, infer=False).play(0, results, np.ones(8))
        for world in range(8):
            position = of_kind(Round, found.position(found.drawn(seed, world)))
            for index, move in enumerate(moves):
                told = results[world, index]
                key = (told[SCORE], told[BONUS], told[TRICK_POINTS])
                assert key in outcomes(position.state, view.seat, move)
                assert told[TOOK] in (0, 1)
                if len(view.trick) == players:
                    assert told[TOOK] == 1


def test_deadlines_are_kept_and_there_is_always_an_answer() -> None:
    GAME.warm(hints=True)
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
        for show_out in view.past.show_outs:
            place = (show_out.seat - view.leader) % 4
            held = next((card for card in view.hand if show_out.excluded >> index[card] & 1), None)
            if held is None or place >= len(view.trick) or not show_out.path.startswith("history"):
                continue
            shown = view.trick[place]
            data = position_data(view)
            data["hand"] = [shown.partition(":")[0] if card == held else card for card in view.hand]
            data["trick"] = [held if card == shown else card for card in view.trick]
            with pytest.raises(PositionError) as found:
                parse_position(data)
            assert found.value.code == "illegal_play"
            assert found.value.path.startswith("history")
            assert f"seat {show_out.seat}" in found.value.message
            tried += 1
    assert tried > 5


def test_random_rounds_never_fail(amount: Amount) -> None:
    rng = random.Random(8)
    for seed in range(amount(6)):
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


_VIEWS = FOLDER.joinpath("endings.txt").read_text().splitlines()  # of one to three cards in the hand
_FUSING = -1  # in the last one it would help much to know the others' hands


@cache
def view_of(number: int) -> Round:
    return of_kind(Round, parse_position(_VIEWS[number]))


def worked_out(view: Round, most: int = 10**9, control: Control | None = None) -> Whole | None:
    return best_replies(deals(view), GAME.legal_moves(view), control or Control(), most)


def ending_of(view: Round) -> tuple[AllDeals, endings.Start]:
    """All deals of a view as the search takes them."""
    found = deals(view)
    game, weights = found.game(chooses=True), np.zeros(found.total)
    ending = new_ending(game, found.total)
    KERNELS.lay_deals(ending, weights)
    start = endings.Start(
        public=game.root,
        codes=[move_code(view, move) for move in GAME.legal_moves(view)],
        particles=np.arange(found.total).reshape(-1, 1),
        weights=weights,
        numbers=STATISTICS,
        children=50,
        depths=(view.players + 2) * (len(view.hand) + 1),
        room=10**5,
    )
    return ending, start


@in_python
@pytest.mark.small
@pytest.mark.parametrize("number", range(len(_VIEWS) + _FUSING))
def test_each_move_brings_what_it_brings_by_the_plain_way(number: int) -> None:
    view = view_of(number)
    found = worked_out(view)
    assert found is not None
    assert found.worlds == deals(view).total
    plain = plain_values(view)
    assert dict(zip(plain, found.means[:, SCORE].tolist(), strict=True)) == pytest.approx(plain)


def test_no_strategies_are_fused() -> None:
    """Who might choose in each deal for itself would do better: it would know what nobody knows."""
    view = view_of(_FUSING)
    together = worked_out(view)
    assert together is not None
    ending, start = ending_of(view)
    apart = np.zeros((len(start.codes), STATISTICS))
    for particle, weight in zip(start.particles, start.weights / start.weights.sum(), strict=True):
        one = replace(start, particles=particle[None], weights=np.ones(1))
        alone = endings.best_replies(KERNELS.follow_lines, ending, one, Control(), 10**9)
        assert alone is not None
        apart += weight * alone.means
    gain = (apart - together.means)[:, SCORE]
    assert gain.min() > -1e-8
    assert gain.max() > 0.5


@pytest.mark.small
def test_it_goes_on_where_it_stopped() -> None:
    view = view_of(0)
    whole = worked_out(view)
    assert whole is not None
    ending, start = ending_of(view)
    lines = new_lines(start, 10**9)
    calls = 1
    while KERNELS.follow_lines(ending, lines, 5) == RUNNING:
        calls += 1
    assert calls > lines.clock[STEPS] / 40
    assert lines.results == pytest.approx(whole.means, abs=1e-8)


def test_it_gives_up_after_so_many_steps() -> None:
    view, control = view_of(0), Control()
    assert worked_out(view, control=control) is not None
    assert worked_out(view, control.nodes) is not None
    assert worked_out(view, control.nodes - 1) is None
    ending, start = ending_of(view)
    assert KERNELS.follow_lines(ending, new_lines(replace(start, room=0), 10**9), 10**9) == GIVEN_UP


def test_a_hint_is_the_best_reply_where_its_limit_allows() -> None:
    view = view_of(0)
    found, moves = worked_out(view), GAME.legal_moves(view)
    answer = of_kind(SampledHint, hint.hint(view, Control(Limit(nodes=10**5))))
    assert found is not None
    assert (answer.method, answer.worlds) == ("all deals", found.worlds)
    scores = {move.move: move.mean for move in answer.moves}
    assert [scores[GAME.format_move(view, move)] for move in moves] == pytest.approx(found.means[:, SCORE])
    assert {move.stderr for move in answer.moves} == {0.0}
    assert "sampled" not in answer.reason
    assert hint.hint(view, Control(Limit(nodes=20))).method == "sampled rounds"
    assert hint.hint(view, Control(), worlds=found.worlds - 1).method == "sampled rounds"


@pytest.mark.parametrize("number", [12, 13])
def test_what_is_told_of_the_trick_is_so_in_sampled_rounds(number: int) -> None:
    """Where the trick is shared out: later choices change nothing of it."""
    view = view_of(number)
    assert view.trick_is_full
    moves = GAME.legal_moves(view)
    found = worked_out(view)
    assert found is not None
    results = np.empty((200, len(moves), STATISTICS))
    hint.SAMPLER.rollouts(view, moves, 1, "equal").play(0, results, np.ones(200))
    for statistic in (TOOK, TRICK_POINTS):
        assert found.means[:, statistic] == pytest.approx(results.mean(axis=0)[:, statistic])


_SAMPLING = replace(hint.SAMPLER, ending=None)


def kept_endings(players: int, most: int) -> Iterator[Round]:
    """Endings with at most so many deals."""
    return (view for view in KingContest(players).endings(2) if deals(view).total <= most)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_no_sampled_move_does_better_than_the_best_play_on(players: int) -> None:
    alike = 0
    for view in islice(kept_endings(players, 30), 2):
        worlds = weighted_worlds(view)
        total = sum(world.weight for world in worlds)
        values = Ending(Rules(view.full_deck, view.seat)).moves(worlds)
        assert list(values) == list(GAME.legal_moves(view))
        answer = _SAMPLING.hint(view, Control(), worlds=400, seed=3)
        for entry in answer.moves:
            move = GAME.parse_move(view, entry.move)
            exact = values[move] / total
            slack = 0.05 + 5 * (entry.stderr or 0.0)
            assert entry.mean <= exact + slack
            alike += entry.mean >= exact - slack
            found = regret(values, move, len(view.hand))
            assert -1e-9 <= found.lost <= found.spread + 1e-9
    assert alike > 3


def test_an_ending_may_be_too_large() -> None:
    view = next(kept_endings(4, 120))
    with pytest.raises(TooLargeError):
        Ending(Rules(view.full_deck, view.seat), most=3).moves(weighted_worlds(view))


WORLDS = 4


def of_match(view: Round, totals: list[int], number: int = 3, **told: Any) -> Any:
    return athanor.parse(position_data(view) | {"totals": totals, "round": number, **told})


def after_the_picks(view: Any) -> Any:
    """The view of seat 0 after it has picked its first card, and the others some that it does not hold."""
    others = [card for card in ("F1", "F2", "F7", "F5", "W2") if card not in view.hand][:3]
    return athanor.play(view, [view.hand[0], *others])


def final_scores(state: State) -> set[tuple[int, ...]]:
    """The scores of all seats that a state can lead to."""
    if state.over:
        return {tuple(earned(state.deck, 0, pile, Control()).total for pile in state.won)}
    return set().union(*(final_scores(play(state, move)) for move in legal_moves(state)))


@pytest.mark.small
@pytest.mark.parametrize("players", [3, 4])
def test_the_scores_of_all_seats_can_come_about_and_tell_who_wins(players: int) -> None:
    length = TRICKS[players] * (players + 1)
    for seed in range(3):
        view = of_match(to_move(seed, length - 2, players), [40, 41, 39, 40][:players])
        found, moves = deals(view), list(GAME.legal_moves(view))
        playing = rounds(found, moves, seed, infer=False)
        results = np.zeros((WORLDS, len(moves), playing.statistics))
        playing.play(0, results, np.ones(WORLDS))
        for world in range(WORLDS):
            position = of_kind(Round, found.position(found.drawn(seed, world)))
            for index, move in enumerate(moves):
                told = results[world, index]
                scores = tuple(told[SCORES : SCORES + players].tolist())
                assert scores in final_scores(play(position.state, move))
                assert told[own_points(view)] == scores[view.seat]
                final = [before + score for before, score in zip(view.totals or (), scores, strict=True)]
                assert told[SCORE] == (final[view.seat] == max(final))


def test_a_hint_goes_by_the_match_in_its_last_round_alone() -> None:
    view = to_move(4, 7)
    usual = athanor.hint(view, nodes=400, seed=2).to_dict()
    assert athanor.hint(of_match(view, [1, 2, 3, 4], 2), nodes=400, seed=2).to_dict()["moves"] == usual["moves"]
    means = {move["move"]: move["mean"] for move in usual["moves"]}
    deciding = athanor.hint(of_match(view, [40, 40, 40, 40]), nodes=400, seed=2).to_dict()
    for move in deciding["moves"]:
        assert 0 <= move["mean"] <= 1
        assert move["points"] == pytest.approx(means[move["move"]])
    assert "% to " in deciding["reason"]
    ahead = [900 if seat == view.seat else 0 for seat in range(4)]
    sure = athanor.hint(of_match(view, ahead), nodes=200).to_dict()
    assert {move["mean"] for move in sure["moves"]} == {1.0}


@pytest.mark.parametrize("more", [{}, {"for_match": True, "rules": {"no_bottom_when_trumped": True}}])
def test_a_view_keeps_how_the_match_stands(more: dict[str, Any]) -> None:
    pick: Any = athanor.view(athanor.deal("king", seed=1, variant="unpicked"), 0)
    view = of_match(pick, [30, 31, 32, 33], 2, **more)
    assert " totals=30,31,32,33 round=2 " in str(view)
    assert athanor.parse(str(view)) == view
    after = after_the_picks(view)
    assert (after.totals, after.round, after.for_match) == ((30, 31, 32, 33), 2, True if more else None)
    assert any(label == "Match" for label, _ in GAME.describe(after))
    found = athanor.hint(after if after.seat_to_move == 0 else view, worlds=4).to_dict()
    assert not more or all(0 <= move["mean"] <= 1 for move in found["moves"])
    for totals, number, key in (([30, 31, 32, 33], 4, "round"), ([1, 2, 3], 2, "totals")):
        with pytest.raises(PositionError) as fault:
            of_match(pick, totals, number, **more)
        assert fault.value.path == key


def test_a_hint_plays_for_the_match_in_every_round_when_asked_to() -> None:
    view = to_move(4, 14)
    chances = []
    for own in (0, 40, 60, 80, 900):
        totals = [own if seat == view.seat else 60 for seat in range(4)]
        found = athanor.hint(of_match(view, totals, 2, for_match=True), worlds=40).to_dict()
        chances.append(found["moves"][0]["mean"])
        assert found["moves"][0]["points"] > 1
        assert "points" not in athanor.hint(of_match(view, totals, 2), worlds=5).to_dict()["moves"][0]
    assert sorted(set(chances)) == chances
    assert (chances[0] < 0.1, chances[-1]) == (True, 1)


def test_chances_are_counted_again_by_the_same_rounds_to_come() -> None:
    """A cause of a lead asks how likely the match is won in the same worlds with other scores."""
    view = to_move(4, 14)
    asked = of_match(view, [60, 60, 60, 60], 2, for_match=True)
    playing = rounds(deals(asked), GAME.legal_moves(asked), 1)
    assert playing.match is not None
    results = np.empty((6, playing.moves, playing.statistics))
    playing.play(9, results, np.ones(6))
    worlds = np.array([4, 1])
    for move in range(playing.moves):
        scores = results[worlds, move : move + 1, SCORES : SCORES + 4]
        assert playing.match.chances(scores, 9 + worlds)[:, 0].tolist() == results[worlds, move, 0].tolist()
        scores[:, :, (view.seat + 1) % 4] += 900
        assert not playing.match.chances(scores, 9 + worlds).any()
