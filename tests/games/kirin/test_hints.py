"""Hints of kirin: what they say holds, under every limit; small endings worked out; and hints for the match."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np
import pytest

import athanor
from benchmarks.kirin import KirinContest
from solver.answers import SampledHint
from solver.common import MOST_WORLDS, Random
from solver.errors import PositionError, RequestError
from solver.games.kirin import GAME, hint
from solver.games.kirin.deck import colour
from solver.games.kirin.hint import OWN_POINTS, _opening, best_replies, rounds
from solver.games.kirin.players import KINDS, LOOKS_AHEAD
from solver.games.kirin.position import Round as KirinRound
from solver.games.kirin.position import number_of
from solver.games.kirin.rules import SEATS, State, points
from solver.games.kirin.worlds import KERNELS, SCORE, SCORES, STATISTICS, deals, draw
from solver.hints import endings, sampled
from solver.hints.match import whole_rounds
from solver.hints.rounds import new_ending
from solver.kernels.rng import start_stream
from solver.limits import Control, Limit
from solver.positions import parse_position
from tests.games.kirin.deals import late_view, played, seen_by, to_move
from tests.games.kirin.plain_hints import Round, Rules, weighted_worlds
from tests.reference.endings import Ending, World
from tests.support.amounts import Amount
from tests.support.hint_checks import check_deadlines, check_ranking, check_same
from tests.support.kinds import of_kind


def ask(view: KirinRound, limit: Limit | None = None, **options: Any) -> SampledHint:
    return of_kind(SampledHint, hint.hint(view, Control(limit), **options))


def known(error: float | None) -> float:
    assert error is not None
    return error


def test_the_answer_is_a_ranking_of_the_legal_cards(amount: Amount) -> None:
    rng = random.Random(8)
    for seed, cards in enumerate((0, 1, 2, 3, 9, 14, 22, 30, 31, *(rng.randrange(32) for _ in range(amount(20))))):
        view, worlds = to_move(seed, cards), rng.randrange(1, 60)
        check_ranking(GAME, view, ask(view, worlds=worlds, seed=seed), worlds)


def test_the_same_seed_and_nodes_give_the_same_answer() -> None:
    check_same(ask, (to_move(3, 5), GAME.view(GAME.deal(3, variant="undeclared"), 2)), 5_000)


@pytest.mark.covered
@pytest.mark.small
def test_the_last_card_scores_what_the_rules_say(amount: Amount) -> None:
    """With a card each, a world's score follows from the rules alone."""
    for seed in range(amount(12)):
        view = to_move(seed, 28 + seed % 4)
        found = deals(view)
        cards = list(GAME.legal_moves(view))
        results, weights = np.empty((60, 1, 3)), np.ones(60)
        infer = seed % 2 == 1
        rounds([found], cards, seed, infer=infer).play(0, results, weights)
        possible = set()
        for rank in range(found.total):
            position = of_kind(KirinRound, found.position(rank))
            state: State = position.state
            mine = points(state, position.colours)[view.seat]
            while not state.over:
                hand = state.hands[state.to_move]
                state = state.after(hand.bit_length() - 1)
            score = points(state, position.colours)[view.seat]
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


def test_means_are_those_of_every_deal_worked_out() -> None:
    """With two cards a hand one choice is left: its value by listing deals and choices in plain Python."""
    endings = (view for view in KirinContest().endings(4) if deals(view).total <= 200)
    for view in islice(endings, 2):
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
        assert second.gap == pytest.approx(gap, abs=0.02 + 4 * known(second.gap_stderr))


FEW = (  # 24, 48 and 48 deals
    "kirin seat=2 hand=D3,G- declared=B3 history=0:D-,D1,G1,ST/3:S-,G2,BT,B6/1:G4,S2,GT,G5/3:G+,S3,S4,S5/"
    "0:B4,S+,S6,G6/2:B2,D2,D+,S1 trick=3:B5,B-,G3",
    "kirin seat=0 hand=D6,S6 declared=B1 history=0:D5,S2,S-,G6/3:B2,G-,BT,G1/1:D2,S1,B+,D+/2:D1,S3,B4,S4/"
    "1:D4,B5,G2,G3/2:G4,S5,B6,ST trick=1:G5,D3,G+",
    "kirin seat=0 hand=S1,G5 declared=D- history=0:B+,S-,D2,S3/3:S4,B1,S+,BT/2:S5,GT,D5,DT/1:D+,G+,G6,S2/"
    "3:G2,S6,D4,G1/0:B3,B6,G-,B- trick=1:D1,G4,B5",
)


def view_of(text: str) -> KirinRound:
    return of_kind(KirinRound, parse_position(text))


def worked_out(view: KirinRound, ranks: Sequence[int] | None = None) -> list[float]:
    """The score of each legal card over some deals; by default over all."""
    found, cards = deals(view), GAME.legal_moves(view)
    if ranks is None:
        whole = best_replies(found, cards, Control(), 10**9)
    else:
        game, weights = found.game(), np.zeros(found.total)
        ending = new_ending(game, found.total)
        KERNELS.lay_deals(ending, weights)
        start = endings.Start(
            public=game.root,
            codes=cards,
            particles=np.array(ranks).reshape(-1, 1),
            weights=weights[ranks],
            numbers=3,
            children=36,
            depths=4 * len(view.hand) + 2,
            room=10**5,
        )
        whole = endings.best_replies(KERNELS.follow_lines, ending, start, Control(), 10**9)
    assert whole is not None
    return list(whole.means[:, 0])


def plainly(view: KirinRound, worlds: list[World[Round]]) -> list[float]:
    """The same by following each deal for itself."""
    total = sum(world.weight for world in worlds)
    values = Ending(Rules(view.seat)).moves(worlds)
    return [values[card] / total for card in GAME.legal_moves(view)]


def some_deals(view: KirinRound, ranks: list[int]) -> list[World[Round]]:
    """A few deals, each as likely as it is by the choices seen."""
    found = deals(view)
    game, weights = found.game(), np.zeros(found.total)
    ending = new_ending(game, found.total)
    KERNELS.lay_deals(ending, weights)
    gone = sum(1 << card for trick in (*view.tricks, view.current_trick) for card in trick.plays)
    shares = ending.shares.reshape(found.total, SEATS, KINDS)[:, :, LOOKS_AHEAD]
    worlds = []
    for rank in ranks:
        position = of_kind(KirinRound, found.position(rank))
        asides = tuple(map(number_of, position.declared))
        worlds.append(World(float(weights[rank]), Round(position.state, asides, tuple(shares[rank]), gone)))
    return worlds


@pytest.mark.parametrize(("cards", "count"), [(22, 1), (23, 3), (24, 12), (25, 12), (26, 12), (27, 12)])
def test_each_card_brings_what_it_brings_by_the_plain_way(cards: int, count: int) -> None:
    position = played(7, cards)
    view = seen_by(position, position.seat_to_move)
    random, total = Random(cards), deals(view).total
    ranks = [random.below(total) for _ in range(count)]
    assert worked_out(view, ranks) == pytest.approx(plainly(view, some_deals(view, ranks)), abs=1e-9)


def test_each_deal_counts_as_it_is_likely() -> None:
    view = view_of(FEW[0])
    weights = [world.weight for world in some_deals(view, list(range(deals(view).total)))]
    assert weights == pytest.approx([world.weight for world in weighted_worlds(view)])


@pytest.mark.covered
@pytest.mark.small
def test_it_gives_up_after_so_many_steps() -> None:
    view = view_of(FEW[1])
    found, cards, control = deals(view), GAME.legal_moves(view), Control()
    whole = best_replies(found, cards, control, 10**9)
    again = best_replies(found, cards, Control(), control.nodes)
    assert whole is not None
    assert again is not None
    assert again.means.tolist() == whole.means.tolist()
    assert best_replies(found, cards, Control(), control.nodes - 1) is None


@pytest.mark.parametrize("text", FEW)
def test_a_hint_is_the_best_reply_where_its_limit_allows(text: str) -> None:
    view = view_of(text)
    answer = of_kind(SampledHint, hint.hint(view, Control(Limit(nodes=10**4))))
    assert (answer.method, answer.worlds) == ("all deals", deals(view).total)
    scores = {move.move: move.mean for move in answer.moves}
    told = [scores[GAME.format_move(view, card)] for card in GAME.legal_moves(view)]
    assert told == pytest.approx(worked_out(view), abs=1e-8)
    assert {move.stderr for move in answer.moves} == {0.0}
    assert hint.hint(view, Control(Limit(nodes=20))).method == "sampled rounds"
    assert hint.hint(view, Control(), worlds=10).method == "sampled rounds"


WORLDS = 60


def told(view: Any, totals: tuple[int, ...], number: int, **more: Any) -> dict[str, Any]:
    return {**json.loads(view.model_dump_json(exclude_none=True)), "totals": totals, "round": number, **more}


def of_match(view: KirinRound, totals: tuple[int, ...], number: int = 3) -> KirinRound:
    return of_kind(KirinRound, athanor.parse(told(view, totals, number)))


@pytest.mark.small
@pytest.mark.parametrize("totals", [(0, 0, 0, 0), (9, 10, 11, 8), (30, 2, 30, 29)])
def test_the_last_trick_in_each_world_by_the_rules(totals: tuple[int, ...]) -> None:
    for seed in range(4):
        view = of_match(late_view(seed, 7), totals)
        dealt = deals(view)
        (card,) = (number_of(text) for text in view.hand)
        playing = rounds([dealt], [card], 5, infer=False)
        results = np.zeros((WORLDS, 1, playing.statistics))
        playing.play(0, results, np.ones(WORLDS))
        game = dealt.game()
        for world in range(WORLDS):
            start_stream(game.chain.random, 5, world)
            draw(game, game.chain)
            held = [view.hand_mask if seat == view.seat else 0 for seat in range(SEATS)]
            aside = [number_of(str(view.declared))] * SEATS
            for one, box in zip(dealt.cards, game.chain.places.tolist(), strict=True):
                seat = (view.seat + 1 + box % 3) % SEATS
                if box < 3:
                    held[seat] |= 1 << one
                else:
                    aside[seat] = one
            state = State(view.past.rules, tuple(held), view.leader, (), view.past.won)
            while not state.over:
                state = state.after(state.moves()[0])
            scores = points(state, [colour(one) for one in aside])
            found = results[world, 0]
            assert found[SCORES : SCORES + SEATS].tolist() == list(scores)
            assert found[OWN_POINTS] == scores[view.seat]
            final = [before + score for before, score in zip(totals, scores, strict=True)]
            assert found[SCORE] == (final[view.seat] == max(final))


def test_a_hint_goes_by_the_match_in_its_last_round_alone() -> None:
    view = late_view(3, 3)
    usual = athanor.hint(view, nodes=2000, seed=2).to_dict()
    for told in (of_match(view, (9, 10, 11, 8), 2), view.model_copy(update={"totals": (9, 10, 11, 8)})):
        again = athanor.hint(told, nodes=2000, seed=2).to_dict()
        assert again["moves"] == usual["moves"]
        assert "points" not in again["moves"][0]
    deciding = athanor.hint(of_match(view, (9, 10, 11, 8)), nodes=2000, seed=2).to_dict()
    means = {move["move"]: move["mean"] for move in usual["moves"]}
    for move in deciding["moves"]:
        assert 0 <= move["mean"] <= 1
        assert move["points"] == pytest.approx(means[move["move"]])
    assert "points" not in deciding["reason"]
    ahead, behind = [0] * SEATS, [40] * SEATS
    ahead[view.seat], behind[view.seat] = 40, 0
    for totals, chance in ((ahead, 1.0), (behind, 0.0)):
        sure = athanor.hint(of_match(view, tuple(totals)), nodes=500).to_dict()
        assert {move["mean"] for move in sure["moves"]} == {chance}


LEVEL = (5, 5, 5, 5)


def test_without_the_match_nothing_more_is_kept() -> None:
    assert rounds([deals(late_view(1, 5))], [0], 1).statistics == STATISTICS


def test_a_hint_plays_for_the_match_in_every_round_when_asked_to() -> None:
    view = late_view(3, 5)
    ahead, behind = [
        tuple(high if seat == view.seat else low for seat in range(4)) for high, low in ((6, 3), (3, 6))
    ]
    chances = []
    for totals in (behind, LEVEL, ahead):
        found = athanor.hint(told(view, totals, 2, for_match=True), worlds=150).to_dict()
        assert all(0 <= move["mean"] <= 1 <= move["points"] + 1 for move in found["moves"])
        chances.append(found["moves"][0]["mean"])
    assert 0 < chances[0] < chances[1] < chances[2] < 1
    early = athanor.hint(told(view, ahead, 1, for_match=True), worlds=150).to_dict()["moves"][0]["mean"]
    assert early < chances[2]  # a lead is worth less the more is to come
    for totals, chance in (((40, 0, 0, 0), 1), ((0, 40, 40, 40), 0)):
        mine = totals[-view.seat :] + totals[: -view.seat] if view.seat else totals
        sure = athanor.hint(told(view, mine, 2, for_match=True), worlds=30).to_dict()
        assert {move["mean"] for move in sure["moves"]} == {chance}


def test_it_changes_nothing_in_the_last_round_nor_where_it_is_not_asked_for() -> None:
    view = late_view(3, 5)
    for number, same in ((3, True), (2, False)):
        usual, always, off = (
            athanor.hint(told(view, LEVEL, number, **more), worlds=60).to_dict()["moves"]
            for more in ({}, {"for_match": True}, {"for_match": False})
        )
        assert off == usual
        assert (always == usual) is same


@pytest.mark.parametrize(("number", "more"), [(3, {}), (2, {"for_match": True})])
def test_a_view_keeps_how_the_match_stands(number: int, more: dict[str, bool]) -> None:
    before = athanor.view(athanor.deal("kirin", seed=1, variant="undeclared"), 0)
    data = told(before, (3, 1, 4, 1), number, **more)
    view: Any = athanor.parse(data)
    assert f" totals=3,1,4,1 round={number} {'for_match=yes ' if more else ''}" in str(view)
    assert str(athanor.parse(str(view))) == str(view)
    for _ in range(2):
        view = athanor.play(view, athanor.possible_moves(view)[0])
        assert (view.totals, view.round, view.for_match) == ((3, 1, 4, 1), number, True if more else None)
    match = f"round {number} of 3; points before it: seat 0 3, seat 1 1, seat 2 4, seat 3 1"
    assert dict(GAME.describe(view))["Match"] == match + ("; played for the match" if more else "")
    for wrong in ({"round": 4}, {"round": 0}, {"totals": [1, 2, 3]}, {"totals": [1, 2, 3, -1]}):
        with pytest.raises(PositionError) as found:
            athanor.parse(data | wrong)
        assert found.value.path.startswith(*wrong)
    for key in ("totals", "round") if more else ():
        with pytest.raises(PositionError) as found:
            athanor.parse({name: value for name, value in data.items() if name != key})
        assert (found.value.code, found.value.path) == ("missing_key", key)


def test_whole_rounds_are_rounds_of_kirin() -> None:
    whole = whole_rounds(_opening, SCORES, SEATS)
    assert whole.min() >= 0
    assert (whole == whole.round()).all()
    assert (whole.sum(axis=1) <= 32).all()  # nine cards of a colour, of which one is set aside
    assert 2 < whole.mean() < 4
    assert abs(whole.mean(axis=0) - whole.mean()).max() < 1
