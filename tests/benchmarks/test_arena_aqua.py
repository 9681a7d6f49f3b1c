"""Aqua Regia in the arena: its players finish games by the rules; a pass that draws is asked about twice."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from benchmarks import arena, arena_aqua
from benchmarks.arena_aqua import AquaContest, MidPass, action_of, move_of
from benchmarks.players import Sighted, named
from solver.common import Random
from solver.games.aqua_regia.game_words import Game
from solver.games.aqua_regia.network import Foresight
from solver.games.aqua_regia.position import KnownPosition, View
from solver.games.aqua_regia.rollouts import Setting, try_moves
from solver.games.aqua_regia.rules import Move, Pass, Play
from solver.kernels.words import Floats, Words
from solver.limits import Control
from solver.positions import parse_position
from tests.games.aqua_regia.random_positions import random_position
from tests.support.marks import in_python


@pytest.mark.parametrize(
    "name",
    [
        "random",
        "greedy",
        "rule",
        "first",
        "flat:20n",
        "club:20n",
        "hint:0.002",
        "pimc:0.002",
        "ismcts:0.002",
    ],
)
def test_every_player_finishes_games(name: str) -> None:
    contest = AquaContest(3)
    asked: list[tuple[View, Move]] = []
    player = named(contest, name, 1)

    def watched(view: object) -> object:
        assert isinstance(view, View)
        asked.append((view, player(view)))
        return asked[-1][1]

    others = named(contest, "random", 2)
    assert sorted(arena.play_deal(contest, [others, watched, others], 3, 1)) == [0, 0, 1]
    assert {view.seat for view, _ in asked} == {1}
    for (view, move), (later, _) in pairwise(asked):
        drew = isinstance(move, Pass) and view.drawn is None and view.stock_count > 0
        assert (later.drawn is not None) == drew
        if drew:
            assert later == view.model_copy(update={"drawn": later.drawn})


def test_rules_of_thumb_beat_chance() -> None:
    contest = AquaContest(3)
    for name in ("greedy", "rule"):
        rows = [arena.play_seatings(contest, name, "random", 5, number) for number in range(6)]
        margin, half = arena.interval([sum(own - other for own, other in row) / 3 for row in rows])
        assert margin > half


def test_a_state_for_bots_plays_by_the_rules() -> None:
    for number in range(4):
        contest = AquaContest(2 + number)
        draws = Random(6, number)
        position = contest.deal(6, number)
        while (seat := contest.to_move(position)) is not None:
            state = contest.state(position)
            for view in _looks(contest, position, seat):
                assert state.current_player() == seat
                legal = state.legal_actions()
                assert [contest.move_of(action) for action in legal] == list(contest.game.legal_moves(view))
                action = legal[draws.below(len(legal))]
                copy = state.clone()
                key = copy.information_state_string()
                state.apply_action(action)
                assert copy.information_state_string() == key
                if not isinstance(contest.move_of(action), Pass):
                    break
            position = contest.game.play(position, contest.move_of(action))
            assert state.is_terminal() == (contest.to_move(position) is None)
            assert (
                state.information_state_string().split(" (")[1]
                == (contest.state(position).information_state_string().split(" (")[1])
            )
        assert list(state.returns()) == list(contest.scores(position))


def _looks(contest: AquaContest, position: object, seat: int) -> list[View]:
    """What is seen before a move and, if it is a pass that draws, before its second step."""
    assert isinstance(position, KnownPosition)
    view = contest.game.view(position, seat)
    assert isinstance(view, View)
    drawn = [view.model_copy(update={"drawn": position.stock[0]})] if position.stock and position.table else []
    return [view, *drawn]


def test_actions_are_moves() -> None:
    for move in (Play(0, 1), Play(15, 4), Pass(), Pass(0, 1), Pass(3, 15)):
        assert move_of(action_of(move)) == move


def test_with_known_cards_a_pass_is_worth_its_best_exchange() -> None:
    """In small endings: what is worth a win leads to a position that is one."""
    rng = random.Random(8)
    several = 0
    while several < 8:
        players = rng.randint(2, 3)
        contest = AquaContest(players)
        position = parse_position(
            random_position(rng, players=players, cards=2 * players, stock=1, climbing=True, crowded=True)
        )
        if not isinstance(position, KnownPosition) or not position.table:
            continue
        seat = position.turn
        worth = {move: _value(contest, position, move, seat) for move in contest.game.legal_moves(position)}
        passes = {move: value for move, value in worth.items() if isinstance(move, Pass)}
        plays = {move: value for move, value in worth.items() if isinstance(move, Play)}
        several += len(set(passes.values())) > 1
        assert contest.double_dummy(position, [*plays, Pass()], Control()) == [
            *plays.values(),
            max(passes.values()),
        ]
        assert contest.double_dummy(MidPass(position=position), list(passes), Control()) == [*passes.values()]


def _value(contest: AquaContest, position: KnownPosition, move: Move, seat: int) -> float:
    after = contest.game.play(position, move)
    value = contest.game.analyze(after, Control(), model="maxn").value
    assert isinstance(value, tuple)
    return float(value[seat])


@pytest.mark.small
@in_python
def test_who_is_sighted_knows_all_hands_and_may_know_the_stock(monkeypatch: pytest.MonkeyPatch) -> None:
    contest = AquaContest(3)
    position = contest.deal(4, 1)
    assert isinstance(position, KnownPosition)
    seen: list[tuple[list[list[int]], list[int]]] = []

    def watched(
        setting: Setting,
        ahead: Foresight,
        hands: Words,
        shares: Floats,
        game: Game,
        random: Words,
        results: Floats,
        noted: Words,
    ) -> None:
        assert len(ahead.critic.first) == 0
        seen.append((hands.tolist(), game.stock.tolist()))
        try_moves(setting, ahead, hands, shares, game, random, results, noted)

    monkeypatch.setattr(arena_aqua, "try_moves", watched)
    deck = position.metals
    hands = [list(deck.counts(deck.numbers(hand))) for hand in position.hands]
    stock = list(deck.numbers(position.stock))
    for name in ("sighted:20n", "but-stock:20n"):
        player = named(contest, name, 1)
        assert isinstance(player, Sighted)
        player.see(position)
        view = contest.game.view(position, position.turn)
        assert player(view) in contest.game.legal_moves(view)
        assert {str(known) for known, _ in seen} == {str(hands)}
        assert {str(sorted(order)) for _, order in seen} == {str(sorted(stock))}
        assert all(order == stock for _, order in seen) == (name == "sighted:20n")
        seen.clear()
