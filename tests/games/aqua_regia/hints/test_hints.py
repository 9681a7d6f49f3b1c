"""Hints of Aqua Regia: kernels play by the rules, answers rank the legal moves, a seed says the same again."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from solver.answers import SampledHint
from solver.common import STRENGTHS, Others
from solver.errors import PositionError, RequestError
from solver.games.aqua_regia import GAME, game_words, hint, rollouts, rules
from solver.games.aqua_regia.deck import Deck, house
from solver.games.aqua_regia.network import foresight, no_critic, prior
from solver.games.aqua_regia.players import (
    NO_PLAY,
    PLAYER,
    WEIGHTS,
    Turn,
    choose_exchange,
    choose_play,
    reactivity_rows,
)
from solver.games.aqua_regia.position import KnownPosition, View
from solver.games.aqua_regia.rollouts import Games
from solver.games.aqua_regia.rules import Pass, Play, State
from solver.hints.ranking import Leaned, Shifted
from solver.hints.sampled import simulate
from solver.limits import Control, Limit
from solver.positions import parse_position
from tests.games.aqua_regia.examples import QUESTIONS, SEEN, change
from tests.games.aqua_regia.random_positions import either, random_position, random_table


class Board:
    """A state in the kernels' arrays, and back."""

    def __init__(self, deck: Deck, state: State) -> None:
        self.deck = deck
        self.reactivity = reactivity_rows(deck)
        self.hands = np.array(state.hands, np.int64)
        self.sizes = self.hands.sum(1)
        self.piles = np.array([state.discard, deck.counts(state.table)], np.int64)
        self.stock = np.array(state.stock, np.int64)
        self.scalars = np.zeros(game_words.SCALARS, np.int64)
        top = rules.runs(state.table)[-1] if state.table else Play(0, 0)
        self.scalars[:9] = [
            state.turn, state.field, state.reversed, state.owner or 0, top.metal, top.count, 0, len(state.stock),
            deck.copies,
        ]  # fmt: skip
        self.words = np.zeros(1, np.int64)

    def make(self, *move: int) -> None:
        known = np.zeros_like(self.hands)
        game = game_words.Game(
            self.reactivity, self.hands, self.sizes, self.piles, self.scalars, self.stock, known
        )
        rollouts.make(foresight(no_critic()), game, False, np.array(PLAYER), self.words, np.array(move, np.int64))

    def shows(self, state: State) -> bool:
        """Whether it is this state."""
        top = rules.runs(state.table)[-1] if state.table else Play(0, 0)
        scalars = [int(word) for word in self.scalars]
        table = scalars[game_words.METAL : game_words.COUNT + 1] if state.table else [0, scalars[game_words.COUNT]]
        return (
            self.hands.tolist() == [list(hand) for hand in state.hands]
            and self.sizes.tolist() == [sum(hand) for hand in state.hands]
            and self.piles.tolist() == [list(state.discard), list(self.deck.counts(state.table))]
            and self.stock[scalars[game_words.DRAWN] :].tolist() == list(state.stock)
            and scalars[:3] == [state.turn, state.field, state.reversed]
            and (not state.table or scalars[game_words.OWNER] == state.owner)
            and table == [top.metal, top.count]
        )


def words_of(move: rules.Move) -> tuple[int, int, int]:
    if isinstance(move, Play):
        return game_words.PLAYS, move.metal, move.count
    if move.discarded is not None and move.taken is not None:
        return game_words.EXCHANGES, move.discarded, move.taken
    return game_words.CLOSED_PASS, 0, 0


def states(seed: int, count: int) -> Any:
    """Random settled states, their decks and a generator."""
    rng = random.Random(seed)
    for _ in range(count):
        table = random_table(rng, copies=rng.choice([2, 4, 5])) if rng.random() < 0.5 else None
        players = rng.randint(2, 5)
        if table is not None and len(table["metal"]) * table["copies"] < 12:
            continue
        position = parse_position(
            random_position(rng, deck=table, players=players, cards=players * 4, rules=either(rng))
        )
        assert isinstance(position, KnownPosition)
        yield rng, position.metals, position.state


@pytest.mark.small
def test_the_kernels_play_by_the_rules() -> None:
    for rng, deck, state in states(71, 60):
        board = Board(deck, state)
        while legal := rules.legal_moves(deck, state):
            assert board.shows(state)
            move = rng.choice(legal)
            board.make(*words_of(move))
            state = rules.play(deck, state, move)
        winner = state.winner
        assert winner is not None
        assert board.sizes[winner] == 0


@pytest.mark.small
def test_the_player_chooses_legal_moves_and_all_of_them() -> None:
    """With equal weights every legal move is chosen now and then, and no other."""
    flat = np.zeros(WEIGHTS)
    for _, deck, state in states(72, 15):
        board = Board(deck, state)
        hand = board.hands[state.turn]
        legal = rules.legal_moves(deck, state)
        following = rules.next_field(state.field, state.reversed)
        plays = {move for move in legal if isinstance(move, Play)}
        top = int(board.scalars[game_words.METAL]), int(board.scalars[game_words.COUNT])
        turn = Turn(state.field, following, *top, 0)
        found: set[Any] = set()
        for _ in range(60 * len(legal)):
            code = choose_play(board.reactivity, hand, 99, turn, flat, board.words)
            found.add(Pass() if code == NO_PLAY else Play(code >> 3, code & 7))
        assert found == (plays | {Pass()} if state.table else plays)
        if state.table:
            held = rules.added(state.hands[state.turn], state.stock[0], 1) if state.stock else tuple(hand)
            exchanges = {move for move in legal if isinstance(move, Pass)}
            found = set()
            for _ in range(60 * len(exchanges)):
                code = choose_exchange(
                    board.reactivity,
                    np.array(held, np.int64),
                    board.piles[0],
                    deck.copies,
                    following,
                    flat,
                    board.words,
                )
                found.add(Pass() if code == NO_PLAY else Pass(code // 1000, code % 1000))
            assert found == exchanges


def view(data: dict[str, Any]) -> View:
    found = parse_position(data)
    assert isinstance(found, View)
    return found


def ask(data: dict[str, Any] | View, limit: Limit | None = None, **options: Any) -> SampledHint:
    answer = hint.hint(data if isinstance(data, View) else view(data), Control(limit), **options)
    assert isinstance(answer, SampledHint)
    return answer


@pytest.mark.parametrize("data", QUESTIONS, ids=range(len(QUESTIONS)))
def test_the_answer_is_a_ranking_of_the_legal_moves(data: dict[str, Any]) -> None:
    answer = ask(data, worlds=200)
    seen = view(data)
    assert sorted(move.move for move in answer.moves) == sorted(
        GAME.format_move(seen, move) for move in GAME.legal_moves(seen)
    )
    means = [move.mean for move in answer.moves]
    assert means == sorted(means, reverse=True)
    assert all(0 <= mean <= 1 for mean in means)
    assert (answer.best, answer.worlds, answer.to_move) == (answer.moves[0].move, 200, 2)
    assert answer.sure in ("clear", "slight", "close")


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_same_seed_and_nodes_give_the_same_answer(threads: int) -> None:
    limit = Limit(nodes=3000)

    def told(**options: Any) -> dict[str, Any]:
        return {key: value for key, value in ask(SEEN, limit, **options).to_dict().items() if key != "seconds"}

    first = told(seed=9, threads=1)
    assert told(seed=9, threads=threads) == first
    assert told(seed=10, threads=threads) != first


@pytest.mark.parametrize("data", QUESTIONS, ids=range(len(QUESTIONS)))
def test_means_lean_to_the_network(data: dict[str, Any]) -> None:
    """By the same worlds; and a sampler without a prior tells what the games alone do."""
    seen = view(data)
    legal = GAME.legal_moves(seen)
    answer = ask(seen, worlds=60)
    alone = replace(hint.SAMPLERS["equal"], prior=None).hint(seen, Control(), worlds=60)
    known = prior(seen, legal)
    assert known is not None
    sampler = hint.SAMPLERS["equal"]
    assert sampler.odds is not None
    odds = sampler.odds(seen)
    assert odds is not None
    leaned = Shifted(Leaned(simulate(Games(seen, legal, 0), Control(), worlds=60), known), odds)
    told = {move.move: move for move in answer.moves}
    for place, move in enumerate(legal):
        one = told[GAME.format_move(seen, move)]
        assert one.mean == pytest.approx(leaned.means[place, 0])
        assert one.stderr == pytest.approx(leaned.stderr(place))
        assert one.method == "sampled games, network"
    assert alone.method == "sampled games"


@pytest.mark.parametrize("others", STRENGTHS)
def test_log_odds_are_lowered_by_what_was_played(others: Others) -> None:
    """By all of it once eight cards of each player have been played."""

    def lowered(hand: int, played: int, deck: Deck | None = None) -> float:
        fields: dict[str, Any] = {"hand": ("Zn",) * hand, "discard": ("Zn",) * played, "counts": (hand, 5, 5)}
        seen = View.model_construct(**fields)
        seen.__dict__["metals"] = deck or house()
        odds = hint.SAMPLERS[others].odds
        assert odds is not None
        return float(-np.log(odds(seen)))

    start, card, advance = hint.TOO_SURE[others][3]
    assert (start, card, advance) != (0, 0, 0)
    assert lowered(12, 0) == lowered(10, 0) == pytest.approx(start)
    assert lowered(7, 12) == pytest.approx(start + 3 * card + advance / 2)
    assert lowered(2, 24) == lowered(2, 40) == pytest.approx(start + 8 * card + advance)
    if others == "equal":
        start, card, advance = hint.TOO_SURE_WITH_OTHER_DECKS[3]
    other = replace(house(), metals=house().metals[1:])
    assert lowered(7, 12, other) == pytest.approx(start + 3 * card + advance / 2)


def test_going_out_is_certain_and_seen() -> None:
    data = change(SEEN, hand=["Sn", "Sn"], counts=[2, 3, 2], known=None)
    answer = ask(data, worlds=50)
    assert (answer.best, answer.moves[0].mean) == ("Sn Sn", 1.0)
    assert (answer.sure, answer.reason) == ("clear", "Sn Sn goes out and wins.")


def test_what_is_not_answered() -> None:
    with pytest.raises(RequestError, match="seat 0 is to move, not seat 2"):
        ask(change(SEEN, turn=0))
    with pytest.raises(RequestError, match="nothing to lead in water"):
        ask(change(SEEN, table=[], owner=None, field="water"))
    with pytest.raises(RequestError, match="every card is known"):
        GAME.hint(GAME.deal(1), Control())
    impossible = view(change(SEEN, known=None, deal_passes=[{"seat": 1, "field": "aqua-regia"}]))
    with pytest.raises(PositionError, match="no deal agrees"):
        ask(impossible)


def test_a_hint_on_every_deck() -> None:
    rng = random.Random(73)
    for _ in range(10):
        table = random_table(rng, copies=3)
        if len(table["metal"]) < 5:
            continue
        position = parse_position(random_position(rng, deck=table, players=3, cards=9))
        assert isinstance(position, KnownPosition)
        seat = position.seat_to_move
        answer = GAME.hint(GAME.view(position, seat), Control(Limit(nodes=500)))
        assert answer.best is not None
