"""Aqua Regia in the arena: whole games, with a score of 1 for going out first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel

from benchmarks.players import Contest, OpenSpielGame, Player
from solver import registry
from solver.common import Random
from solver.games.aqua_regia import moves, rules
from solver.games.aqua_regia.analyze import analyze
from solver.games.aqua_regia.deck import Deck
from solver.games.aqua_regia.hint import SAMPLERS
from solver.games.aqua_regia.network import Foresight, chances
from solver.games.aqua_regia.players import (
    NO_PLAY,
    PLAYER,
    Turn,
    choose_exchange,
    choose_play,
    reactivity_rows,
)
from solver.games.aqua_regia.position import AquaMove, KnownPosition, View
from solver.games.aqua_regia.rollouts import Games, Setting, new_game, try_moves
from solver.games.aqua_regia.rules import Move, Pass, Play, State
from solver.games.aqua_regia.worlds import deals
from solver.hints.sampled import Sampler
from solver.kernels.jit import kernel
from solver.kernels.rng import below
from solver.kernels.rng import start as start_stream
from solver.kernels.words import Floats, Words
from solver.limits import Control, Limit

_PASS = 1 << 20  # actions: 8 * metal + count, or this and the exchange as 1 + 1000 * discarded + taken
_NODES_A_DEAL = 10_000  # of perfect-information Monte-Carlo: some milliseconds, so that there are several deals


class MidPass(BaseModel):
    """A game in which the seat to move has passed and seen the card it drew, which is still on top of the
    stock.
    """

    position: KnownPosition


def _flat(view: View, moves: Sequence[Move], seed: int) -> Games:
    """Flat Monte Carlo: uniformly drawn deals, played on by trained rule players."""
    return Games(view.model_copy(update={"history": None}), moves, seed, "club", foresees=False)


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
    """As `rollouts.play_worlds`, but every world has these hands (a row per seat, a count per metal) and this
    stock.

    A stock that is `shuffled` keeps its first card if the view gives it as drawn.
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
        try_moves(setting, foresight, hands, setting.shares, game, random, results[world], noted[world])


class Lying(Games):
    """Rollouts of a view that all start from the actual position."""

    def __init__(
        self, position: KnownPosition, view: View, moves: Sequence[Move], seed: int, shuffled: bool
    ) -> None:
        super().__init__(view, moves, seed, "club", foresees=False)
        self.chained = False
        deck = position.metals
        self._hands = np.array([deck.counts(deck.numbers(hand)) for hand in position.hands], np.int64)
        self._stock = np.array(deck.numbers(position.stock), np.int64)
        self._shuffled = shuffled

    def _play(self, setting: Setting, first: int, results: Floats, noted: Words) -> None:
        truth = self._hands, self._stock, self._shuffled
        play_truth(setting, self.ahead(), *truth, self._seed, first, results, noted)


def sighted(position: KnownPosition, view: View, limit: Limit, seed: int, *, shuffled: bool) -> Move:
    """The move of a seat that sees the whole position, except for the order of a stock that is `shuffled`."""
    legal: list[Move] = list(moves.legal_moves(view))
    if len(legal) == 1:
        return legal[0]

    def rollouts(view: View, moves: Sequence[Move], seed: int) -> Lying:
        return Lying(position, view, moves, seed, shuffled)

    found = replace(SAMPLERS["club"], rollouts=rollouts, ending=None, prior=None, because=None).hint(
        view, Control(limit), seed=seed
    )
    return next(move for move in legal if SAMPLERS["club"].text(view, move) == found.best)


class AquaContest(Contest):
    """`benchmarks.players.Contest` for aqua-regia with the house deck."""

    game = registry.game("aqua-regia")
    searched: ClassVar[Mapping[str, Callable[[Any, Limit, int], Any]]] = {
        "first": lambda view, _limit, _seed: first(view),
    }
    sampled: ClassVar[Mapping[str, Sampler[Any, Any]]] = {
        "club": SAMPLERS["club"],
        "flat": replace(SAMPLERS["club"], rollouts=_flat, ending=None, prior=None),
    }
    sighted: ClassVar[Mapping[str, Callable[[Any, Any, Limit, int], Any]]] = {
        "sighted": partial(sighted, shuffled=False),
        "but-stock": partial(sighted, shuffled=True),
    }

    def __init__(self, seats: int) -> None:
        self.seats = seats

    def deal(self, seed: int, number: int) -> BaseModel:
        return self.game.deal(seed, number=number, players=self.seats)

    def to_move(self, position: BaseModel) -> int | None:
        assert isinstance(position, KnownPosition)
        state = position.state
        return state.turn if state.winner is None else None

    def decide(self, player: Player, position: BaseModel, seat: int) -> Any:
        """As `Contest.decide`; a pass that draws is two questions, the second one with the card drawn."""
        assert isinstance(position, KnownPosition)
        view = self.game.view(position, seat)
        move = player(view)
        if isinstance(move, Pass) and position.stock:
            move = player(view.model_copy(update={"drawn": position.stock[0]}))
        return move

    def scores(self, position: BaseModel) -> Sequence[float]:
        assert isinstance(position, KnownPosition)
        return [float(seat == position.state.winner) for seat in range(self.seats)]

    def simple(self, kind: str, view: BaseModel, random: Random) -> Any:
        assert isinstance(view, View)
        return greedy(view) if kind == "greedy" else learned(view, random)

    def worlds(self, view: BaseModel, seed: int) -> Callable[[], BaseModel]:
        assert isinstance(view, View)
        found = deals(view)
        numbers = iter(range(1 << 62))
        middle = view.drawn is not None

        def draw() -> BaseModel:
            position = found.position(seed, next(numbers))
            return MidPass(position=position) if middle else position

        return draw

    def state(self, position: BaseModel) -> AquaState:
        if isinstance(position, MidPass):
            return AquaState(position.position.metals, position.position.state, True)
        assert isinstance(position, KnownPosition)
        return AquaState(position.metals, position.state)

    def move_of(self, action: int) -> Any:
        return move_of(action)

    def double_dummy(self, position: BaseModel, moves: Sequence[Any], control: Control) -> Sequence[float] | None:
        """The values of selfish play where a short search proves them, and its estimates elsewhere.

        A pass that still has to draw is worth its best exchange.
        """
        known = position.position if isinstance(position, MidPass) else position
        assert isinstance(known, KnownPosition)
        left = control.seconds_left()
        if left is not None and left <= 0:
            return None
        limit = Limit(seconds=left, nodes=_NODES_A_DEAL)
        seat = known.seat_to_move
        worth: dict[Move, float] = {}
        for entry in analyze(known, Control(limit), model="maxn").moves:
            value = _worth(entry, seat)
            if value is None:
                return None
            move = self.game.parse_move(known, entry.move)
            if isinstance(move, Pass) and known.stock and not isinstance(position, MidPass):
                move, value = Pass(), max(value, worth.get(Pass(), 0.0))
            worth[move] = value
        return [worth[move] for move in moves]


def _worth(entry: AquaMove, seat: int) -> float | None:
    low, high = (bound[seat] if isinstance(bound, tuple) else bound for bound in entry.bounds)
    return float(low) if low == high else entry.estimate


def action_of(move: Move) -> int:
    """A move as a number for OpenSpiel."""
    if isinstance(move, Play):
        return 8 * move.metal + move.count
    if move.discarded is None or move.taken is None:
        return _PASS
    return _PASS + 1 + 1000 * move.discarded + move.taken


def move_of(action: int) -> Move:
    """The move with this number."""
    action = int(action)  # bots draw NumPy's integers
    if action < _PASS:
        return Play(action >> 3, action & 7)
    exchange = action - _PASS - 1
    return Pass() if exchange < 0 else Pass(*divmod(exchange, 1000))


class AquaState:
    """`benchmarks.players.State` for aqua-regia: drawing is one action, exchanging another."""

    def __init__(self, deck: Deck, state: State, drawn: bool = False, seen: tuple[int, ...] = ()) -> None:
        self._deck = deck
        self._state = state
        self._drawn = drawn
        self._seen = seen  # the actions since the root: all of them are seen by everybody

    def current_player(self) -> int:
        return -4 if self.is_terminal() else self._state.turn

    def legal_actions(self, player: int | None = None) -> list[int]:
        moves = rules.legal_moves(self._deck, self._state)
        if self._drawn:
            moves = [move for move in moves if isinstance(move, Pass)]
        elif self._state.stock:
            moves = [move for move in moves if move == Pass() or isinstance(move, Play)]
        return [action_of(move) for move in moves]

    def apply_action(self, action: int) -> None:
        move = move_of(action)
        self._seen += (int(action),)
        if isinstance(move, Pass) and self._state.stock and not self._drawn:
            self._drawn = True
        else:
            self._drawn = False
            self._state = rules.play(self._deck, self._state, move)

    def clone(self) -> AquaState:
        return AquaState(self._deck, self._state, self._drawn, self._seen)

    def is_terminal(self) -> bool:
        return self._state.winner is not None

    def is_chance_node(self) -> bool:
        return False

    def returns(self) -> Sequence[float]:
        return [float(seat == self._state.winner) for seat in range(self._state.seats)]

    def information_state_string(self) -> str:
        state = self._state
        drawn = state.stock[0] if self._drawn else ""
        return f"{state.turn} {state.hands[state.turn]} {drawn} {self._seen} {state.field}"

    def get_game(self) -> Any:
        return OpenSpielGame()


def greedy(view: View) -> Move:
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


def learned(view: View, random: Random) -> Move:
    """The player in the hint's own rollouts."""
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
        if play != NO_PLAY:
            return Play(play >> 3, play & 7)
        if view.stock_count:
            return Pass()
    pair = int(choose_exchange(reactivity, held, np.array(view.pile), deck.copies, following, weights, words))
    return Pass() if pair == NO_PLAY else Pass(*divmod(pair, 1000))


def first(view: View) -> Move:
    """The first answer of a hint."""
    moves: list[Move] = list(registry.game("aqua-regia").legal_moves(view))
    return moves[int(np.argmax(chances(view, moves)))]
