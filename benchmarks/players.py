"""The arena's players: each gets what its seat sees, and returns a move."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, ClassVar, Protocol

from pydantic import BaseModel

from benchmarks.release import Release, running
from solver.common import Random
from solver.errors import RequestError
from solver.game import Game
from solver.hints.sampled import Sampler
from solver.limits import Control, Limit
from solver.positions import position_data

Player = Callable[[BaseModel], Any]
_LIMIT = Limit(seconds=0.05)  # a move, of a player whose name has none


class State(Protocol):
    """A position with every card known, as OpenSpiel's bots need it; actions are numbers."""

    def current_player(self) -> int: ...
    def legal_actions(self, player: int | None = None) -> list[int]: ...
    def apply_action(self, action: int) -> None: ...
    def clone(self) -> State: ...
    def is_terminal(self) -> bool: ...
    def is_chance_node(self) -> bool: ...
    def returns(self) -> Sequence[float]: ...
    def information_state_string(self) -> str: ...
    def get_game(self) -> Any: ...


class OpenSpielGame:
    """The interface that OpenSpiel's bots expect of a game."""

    def get_type(self) -> Any:
        return _game_type()


@cache
def _game_type() -> Any:
    import pyspiel

    class Type:
        dynamics = pyspiel.GameType.Dynamics.SEQUENTIAL
        information = pyspiel.GameType.Information.IMPERFECT_INFORMATION

    return Type()


class Sighted:
    """A player who sees all cards: it gets the position before it is asked."""

    def __init__(self, best: Callable[[BaseModel, BaseModel], Any]) -> None:
        self._best = best
        self._position: BaseModel | None = None

    def see(self, position: BaseModel) -> None:
        self._position = position

    def __call__(self, view: BaseModel) -> Any:
        assert self._position is not None
        return self._best(self._position, view)


class Contest(Protocol):
    """A game's part in the arena."""

    game: Game
    seats: int
    sampled: ClassVar[
        Mapping[str, Sampler[Any, Any]]
    ] = {}  # players that sample as hints do, by other models of the others
    searched: ClassVar[Mapping[str, Callable[[Any, Limit, int], Any]]] = {}  # by a search, from view, limit, seed
    sighted: ClassVar[Mapping[str, Callable[[Any, Any, Limit, int], Any]]] = {}  # who see all, the position first

    def deal(self, seed: int, number: int) -> BaseModel:
        """A whole round, with every card known."""

    def to_move(self, position: BaseModel) -> int | None:
        """The seat to move; None when the round is over."""

    def decide(self, player: Player, position: BaseModel, seat: int) -> Any:
        """The move that a player makes in a seat; it is asked once, unless a move has several steps."""
        return player(self.game.view(position, seat))

    def scores(self, position: BaseModel) -> Sequence[float]:
        """The scores of a finished round."""

    def simple(self, kind: str, view: BaseModel, random: Random) -> Any:
        """The move of a player by simple rules: "greedy", "rule" or, in King × Alchemy and kirin, "thrifty"."""

    def worlds(self, view: BaseModel, seed: int) -> Callable[[], BaseModel]:
        """A function that draws deals that agree with a view, uniformly, as positions that can be analyzed."""

    def state(self, position: BaseModel) -> State:
        """A position for OpenSpiel's bots."""

    def move_of(self, action: int) -> Any:
        """The game's move for an action of a state."""

    def double_dummy(self, position: BaseModel, moves: Sequence[Any], control: Control) -> Sequence[float] | None:
        """The value of each move with every card known; None if the limit was reached first."""


def parted(name: str) -> tuple[str, str, str]:
    """The parts of a player's name: its kind, its release (only in "release:REF"), its limit."""
    kind, _, rest = name.partition(":")
    if kind != "release":
        return kind, "", rest
    of, _, limit = rest.partition(":")
    return kind, of, limit


def limit_of(name: str) -> Limit | None:
    """The limit in a player's name: seconds, or nodes if an n follows. Raises RequestError."""
    _, _, text = parted(name)
    try:
        if text.endswith("n"):
            return Limit(nodes=int(text[:-1]))
        return Limit(seconds=float(text)) if text else None
    except ValueError:
        message = f"{text!r} in {name!r} is neither a number of seconds nor, as in 20000n, one of nodes"
        raise RequestError("unknown_value", message, "player") from None


def named(contest: Contest, name: str, seed: int) -> Player:
    """The player with a name: "random", "hint:0.05", … Raises RequestError for an unknown name."""
    kind, release, _ = parted(name)
    random = Random(seed, 7)
    if kind == "random":
        return lambda view: _any(contest.game.legal_moves(view), random)
    if kind in ("greedy", "rule", "thrifty"):
        return lambda view: contest.simple(kind, view, random)
    limit = limit_of(name) or _LIMIT
    if kind == "hint":
        return lambda view: _hint(contest.game, contest.game.hint, view, limit, random)
    if kind == "release":
        asked = running(release, contest.game.name)
        return lambda view: _of_release(contest.game, asked, view, limit, random)
    if kind in contest.sampled:
        return lambda view: _hint(contest.game, contest.sampled[kind].hint, view, limit, random)
    if kind in contest.searched:
        search = contest.searched[kind]
        return lambda view: search(view, limit, random.below(1 << 30))
    if kind in contest.sighted:
        seeing = contest.sighted[kind]
        return Sighted(lambda position, view: seeing(position, view, limit, random.below(1 << 30)))
    if kind in ("pimc", "ismcts"):
        if limit.seconds is None:
            raise RequestError("unknown_value", f"{kind} is limited by seconds, not by nodes", "player")
        return partial(_pimc if kind == "pimc" else _ismcts, contest, seconds=limit.seconds, random=random)
    raise RequestError("unknown_value", f"there is no player {name!r}", "player")


def _any(moves: Sequence[Any], random: Random) -> Any:
    return moves[random.below(len(moves))]


def _hint(game: Game, hint: Callable[..., Any], view: BaseModel, limit: Limit, random: Random) -> Any:
    moves = game.legal_moves(view)
    if len(moves) == 1:
        return moves[0]
    answer = hint(view, Control(limit), seed=random.below(1 << 30))
    return game.parse_move(view, str(answer.best))


def _of_release(game: Game, release: Release, view: BaseModel, limit: Limit, random: Random) -> Any:
    moves = game.legal_moves(view)
    if len(moves) == 1:
        return moves[0]
    return game.parse_move(view, release.best(position_data(view), limit, random.below(1 << 30)))


def _pimc(contest: Contest, view: BaseModel, seconds: float, random: Random) -> Any:
    """Perfect-information Monte Carlo: the move with the best mean of double-dummy values over sampled deals.

    If no deal is solved in time, it plays by the greedy rule.
    """
    moves = list(contest.game.legal_moves(view))
    if len(moves) == 1:
        return moves[0]
    end = time.monotonic() + seconds
    draw = contest.worlds(view, random.below(1 << 30))
    totals = [0.0] * len(moves)
    worlds = 0
    while (left := end - time.monotonic()) > 0:
        values = contest.double_dummy(draw(), moves, Control(Limit(seconds=left)))
        if values is not None:
            worlds += 1
            totals = [total + value for total, value in zip(totals, values, strict=True)]
    if not worlds:
        return contest.simple("greedy", view, random)
    best = max(totals)
    return _any([move for move, total in zip(moves, totals, strict=True) if total > best - 1e-9], random)


class _OutOfTimeError(Exception):
    """The end of an `ISMCTSBot` search, which counts simulations, not seconds."""


def _ismcts(contest: Contest, view: BaseModel, seconds: float, random: Random) -> Any:
    """OpenSpiel's Python ISMCTS with its defaults: UCT constant 2 times the range of scores, random rollouts."""
    import numpy as np
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    moves = list(contest.game.legal_moves(view))
    if len(moves) == 1:
        return moves[0]
    end = time.monotonic() + seconds
    draw = contest.worlds(view, random.below(1 << 30))
    numpy_random = np.random.RandomState(random.below(1 << 30))

    class Bot(ISMCTSBot):  # type: ignore[misc]
        def sample_root_state(self, state: Any) -> Any:
            if time.monotonic() > end and self._root_node.child_info:
                raise _OutOfTimeError
            return super().sample_root_state(state)

    root = contest.state(draw())
    bot = Bot(
        game=root.get_game(),
        evaluator=RandomRolloutEvaluator(1, numpy_random),
        uct_c=2.0,
        max_simulations=1 << 30,
        random_state=numpy_random,
    )
    bot.set_resampler(lambda _state, _player: contest.state(draw()))
    try:
        bot.run_search(root)
    except _OutOfTimeError:
        policy = bot.get_final_policy(root, bot._root_node)
    return contest.move_of(max(policy, key=lambda item: item[1])[0])
