"""The arena's players: each gets what its seat sees, and returns a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from pydantic import BaseModel

from benchmarks.release import running
from solver.common import Random
from solver.errors import RequestError
from solver.game import Game
from solver.hints.sampled import Sampler
from solver.limits import Control, Limit
from solver.positions import position_data

Player = Callable[[BaseModel], Any]
_LIMIT = Limit(seconds=0.05)  # for each move of a player whose name gives no limit


class Sighted:
    """A player who sees all cards: it gets the position before it is asked."""

    def __init__(self, knowing: Callable[[BaseModel], Player]) -> None:
        self._knowing = knowing

    def see(self, position: BaseModel) -> None:
        self._player = self._knowing(position)

    def __call__(self, view: BaseModel) -> Any:
        return self._player(view)


class Contest(Protocol):
    """A game's part in the arena."""

    game: Game
    seats: int
    sampled: ClassVar[Mapping[str, Sampler[Any, Any]]]  # players that sample like hints, with other models
    sighted: ClassVar[Mapping[str, Callable[[Any], Sampler[Any, Any]]]]  # and players that also see the position

    def deal(self, seed: int, number: int) -> BaseModel:
        """A whole round, with every card known."""

    def to_move(self, position: Any) -> int | None:
        """The seat to move; None when the round is over."""
        return position.seat_to_move if self.game.legal_moves(position) else None

    def decide(self, player: Player, position: BaseModel, seat: int) -> Any:
        """The move that a player makes in a seat; it is asked once, unless a move has several steps."""
        return player(self.game.view(position, seat))

    def scores(self, position: BaseModel) -> Sequence[float]:
        """The scores of a finished round."""

    def simple(self, kind: str, view: BaseModel, random: Random) -> Any:
        """The move of a player without a search: greedy, rule or, in King × Alchemy and kirin, thrifty."""


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

    def asking(best: Callable[[BaseModel, Limit, int], str]) -> Player:
        """A player who asks `best` for a move where there is more than one."""

        def play(view: BaseModel) -> Any:
            moves = contest.game.legal_moves(view)
            if len(moves) == 1:
                return moves[0]
            return contest.game.parse_move(view, best(view, limit, random.below(1 << 30)))

        return play

    def hinted(hint: Callable[..., Any]) -> Player:
        return asking(lambda view, limit, seed: str(hint(view, Control(limit), seed=seed).best))

    if kind == "first":
        return asking(lambda view, _limit, seed: str(contest.game.hint(view, Control(), worlds=0, seed=seed).best))
    if kind == "hint":
        return hinted(contest.game.hint)
    if kind == "release":
        asked = running(release, contest.game.name)
        return asking(lambda view, limit, seed: asked.best(position_data(view), limit, seed))
    if kind in contest.sampled:
        return hinted(contest.sampled[kind].hint)
    if kind in contest.sighted:
        return Sighted(lambda position: hinted(contest.sighted[kind](position).hint))
    raise RequestError("unknown_value", f"there is no player {name!r}", "player")


def _any(moves: Sequence[Any], random: Random) -> Any:
    return moves[random.below(len(moves))]
