"""Aqua Regia's players and endings. A round is a whole game, with a score of 1 for going out first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel

from benchmarks.players import Contest, Player
from solver import registry
from solver.common import Others, Random
from solver.games.aqua_regia import rules
from solver.games.aqua_regia.deck import FIELDS
from solver.games.aqua_regia.endings import TooManyError, deals_left, ending_of, follow_lines
from solver.games.aqua_regia.fast_rules import PASS, move_of, reactivity_rows
from solver.games.aqua_regia.hint import SAMPLER
from solver.games.aqua_regia.players import (
    PLAYER,
    WEIGHTS_OF,
    Foresight,
    Turn,
    choose_exchange,
    choose_play,
)
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rollouts import SCORE, Games, Setting, new_game, try_moves
from solver.games.aqua_regia.rules import Move, Pass, Play
from solver.hints.endings import best_replies
from solver.hints.sampled import Sampler
from solver.kernels.jit import kernel
from solver.kernels.rng import below, start_stream
from solver.kernels.words import Floats, Words
from solver.limits import Control
from tests.games.aqua_regia.plain_endings import tables

_MOST_STEPS = 5_000_000  # of working out an ending


@kernel
def play_truth(
    setting: Setting,
    foresight: Foresight,
    hands: Words,
    stock: Words,
    shuffled: bool,
    seed: int,
    first: int,
    results: Floats,
    noted: Words,
) -> None:
    """Like `rollouts.play_worlds`, but with the same hands and stock in every world.

    `hands` has a row per seat with a count per metal. If `shuffled`, each world has another order of the stock,
    except for the cards on top that the view knows.
    """
    random = np.zeros(1, np.int64)
    game = new_game(setting)
    known = len(setting.top)
    for world in range(results.shape[0]):
        start_stream(random, seed, first + world)
        game.stock[:] = stock
        for last in range(len(stock) - 1 if shuffled else 0, known, -1):  # Fisher and Yates
            other = known + below(random, last + 1 - known)
            game.stock[last], game.stock[other] = game.stock[other], game.stock[last]
        try_moves(setting, foresight, hands, game, random, results[world], noted[world])


class Lying(Games):
    """Rollouts of a view that all start from the actual position."""

    def __init__(self, position: Round, view: Round, moves: Sequence[Move], seed: int, shuffled: bool) -> None:
        super().__init__(view, moves, seed, "club", foresees=False)
        self.chained = False
        deck = position.metals
        self._hands = np.array([deck.counts(deck.numbers(hand)) for hand in position.hands], np.int64)
        self._stock = np.array(deck.numbers(position.stock), np.int64)
        self._shuffled = shuffled

    def _play(self, setting: Setting, first: int, results: Floats, noted: Words) -> None:
        truth = self._hands, self._stock, self._shuffled
        play_truth(setting, self.ahead(), *truth, self._seed, first, results, noted)


def sighted(position: Round, *, shuffled: bool) -> Sampler[Round, Move]:
    """The hints of a seat that sees the position. If `shuffled`, it does not see the order of the stock."""

    def rollouts(view: Round, moves: Sequence[Move], seed: int, _others: Others) -> Lying:
        return Lying(position, view, moves, seed, shuffled)

    def odds(view: Round, _others: Others) -> float:
        assert SAMPLER.odds is not None
        return SAMPLER.odds(view, "club")

    return replace(SAMPLER, rollouts=rollouts, odds=odds, ending=None, because=None)


class AquaContest(Contest):
    """`benchmarks.players.Contest` for aqua-regia, usually with the house deck."""

    game = registry.game("aqua-regia")
    hints = SAMPLER
    sighted: ClassVar[Mapping[str, Callable[[Any], Sampler[Any, Any]]]] = {
        "sighted": partial(sighted, shuffled=False),
        "but-stock": partial(sighted, shuffled=True),
    }
    endings_against = "club"

    def decide(self, player: Player, position: BaseModel, seat: int) -> Any:
        """Like `Contest.decide`, but a player who passes and draws a card is asked again, with that card in the
        view.
        """
        assert isinstance(position, Round)
        view = self.game.view(position, seat)
        move = player(view)
        if isinstance(move, Pass) and position.stock:
            move = player(view.model_copy(update={"drawn": position.stock[0]}))
        return move

    def scores(self, position: BaseModel) -> Sequence[float]:
        assert isinstance(position, Round)
        return [float(seat == position.state.winner) for seat in range(self.seats)]

    def simple(self, kind: str, view: BaseModel, random: Random) -> Any:
        assert isinstance(view, Round)
        return greedy(view) if kind == "greedy" else learned(view, random)

    def random_deck(self, seed: int, number: int) -> Any:
        from training.aqua_regia_games import random_deck

        deck = random_deck(seed, number, self.seats)
        metals = [
            {"symbol": row["metal"], "reactivity": {field: int(row[field]) for field in FIELDS}}
            for row in deck.rows()
        ]
        return {"name": deck.name, "copies": deck.copies, "metal": metals}

    def endings(self, seed: int) -> Iterator[Round]:
        """Small random tables without a history: 6 metals, two of each."""
        for position in tables(seed, self.seats):
            view = self.game.view(position, position.seat_to_move)
            assert isinstance(view, Round)
            yield view

    def ending_values(self, view: Round) -> dict[Move, float] | None:
        legal, weights = self.game.legal_moves(view), WEIGHTS_OF[self.endings_against]
        try:
            left = deals_left(view, _MOST_STEPS, Control(), weights)
        except TooManyError:
            return None
        assert left is not None
        whole = best_replies(follow_lines, *ending_of(view, legal, left, weights), Control(), _MOST_STEPS)
        return None if whole is None else dict(zip(legal, whole.means[:, SCORE].tolist(), strict=True))


def greedy(view: Round) -> Move:
    """A person's rule of thumb.

    Play whenever possible: the most cards, of the weakest metal. Draw only when nothing can be played, and then
    exchange the weakest card for the strongest one that makes a pair or more.
    """
    moves: list[Move] = list(registry.game("aqua-regia").legal_moves(view))
    plays = [move for move in moves if isinstance(move, Play)]
    if plays:
        return max(plays, key=lambda play: (play.count, -play.metal))
    held = view.held
    pairs = [
        (held[move.taken], move.taken, -move.discarded, move)
        for move in moves
        if isinstance(move, Pass) and move.taken is not None and move.discarded is not None and held[move.taken]
    ]
    lonely = [pair for pair in pairs if held[-pair[2]] == 1]
    return max(lonely, key=lambda pair: pair[:3])[3] if lonely else Pass()


def learned(view: Round, random: Random) -> Move:
    """Choose a move like the players in a hint's rollouts."""
    deck, top = view.metals, view.top or Play(0, 0)
    words, weights = np.zeros(1, np.int64), np.array(PLAYER)
    start_stream(words, random.below(1 << 30), 0)
    reactivity, held = reactivity_rows(deck), np.array(view.held, np.int64)
    field = view.field_number
    following = rules.next_field(field, view.reversed)
    if view.drawn is None:
        size, draws = len(view.hand), int(view.stock_count > 0)
        turn = Turn(field, following, top.metal, top.count, draws)
        play = int(choose_play(reactivity, held, size, turn, weights, words))
        if play != PASS:
            return move_of(play)
        if view.stock_count:
            return Pass()
    end = int(choose_exchange(reactivity, held, np.array(view.pile), deck.copies, following, weights, words))
    return move_of(end)
