"""What the benchmarks need to know about a game (`Contest`), players by name, and results kept in a file.

A player gets what its seat sees, and returns a move.
"""

from __future__ import annotations

import json
import re
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from traceback import extract_tb
from typing import Any, ClassVar

from pydantic import BaseModel

import athanor
from benchmarks.release import running
from solver.common import Others, Random
from solver.errors import MoveError, RequestError
from solver.game import Game
from solver.hints.sampled import Sampler
from solver.limits import Control, Limit
from solver.positions import position_data, text_of

Player = Callable[[BaseModel], Any]
_LIMIT = Limit(seconds=0.05)  # for each move of a player whose name gives no limit
_OWN = re.compile(r"(?!release:)([A-Za-z_][\w.]*):([A-Za-z_]\w*)")  # module:function


class Sighted:
    """A player who sees all cards: it gets the position before it is asked."""

    def __init__(self, knowing: Callable[[BaseModel], Player]) -> None:
        self._knowing = knowing

    def see(self, position: BaseModel) -> None:
        self._player = self._knowing(position)

    def __call__(self, view: BaseModel) -> Any:
        return self._player(view)


class Contest(ABC):
    """A game with a number of seats: its deals, its players without a search, and its endings."""

    game: Game
    variant: ClassVar[str | None] = None  # of the deals, if rounds begin before the first card is played
    hints: ClassVar[Sampler[Any, Any]]
    sampled: ClassVar[Mapping[str, Sampler[Any, Any]]] = {}  # players that sample like hints, with other models
    sighted: ClassVar[Mapping[str, Callable[[Any], Sampler[Any, Any]]]]  # and players that also see the position
    endings_against: ClassVar[Others] = "equal"  # the strength of the others in solved endings
    deck: Callable[[int, int], Any] | None = None  # the deck of a seed's deal, if not the usual one

    def __init__(self, seats: int) -> None:
        self.seats = seats

    def deal(self, seed: int, number: int) -> BaseModel:
        """Deal a whole round, with every card known."""
        deck = None if self.deck is None else self.deck(seed, number)
        return self.game.deal(seed, number=number, players=self.seats, variant=self.variant, deck=deck)

    def random_deck(self, seed: int, number: int) -> Any:
        """A random deck for a deal, in the form of a user's deck.

        Raises NotImplementedError for a game whose cards are always the same.
        """
        raise NotImplementedError(f"the cards of {self.game.name} are always the same")

    def to_move(self, position: Any) -> int | None:
        """The seat to move; None when the round is over."""
        return position.seat_to_move if self.game.legal_moves(position) else None

    def decide(self, player: Player, position: BaseModel, seat: int) -> Any:
        """The move that a player makes in a seat; it is asked once, unless a move has several steps."""
        return player(self.game.view(position, seat))

    @abstractmethod
    def scores(self, position: BaseModel) -> Sequence[float]:
        """The scores of a finished round."""

    @abstractmethod
    def simple(self, kind: str, view: BaseModel, random: Random) -> Any:
        """The move of a player without a search: greedy, rule or, in King × Alchemy and kirin, thrifty."""

    def turns(self, seed: int) -> Iterator[Any]:
        """Yield each view in which the seat to move has a choice, from endless rounds between rule players."""
        for number in count():
            position: Any = self.game.deal(seed, number=number, players=self.seats)
            random = Random(seed, number)
            while self.game.legal_moves(position):
                view = self.game.view(position, position.seat_to_move)
                if len(self.game.legal_moves(view)) > 1:
                    yield view
                position = self.game.play(position, self.simple("rule", view, random))

    @abstractmethod
    def endings(self, seed: int) -> Iterator[Any]:
        """Yield, without end, views near the end of rounds in which the seat to move has a choice."""

    @abstractmethod
    def ending_values(self, view: Any) -> dict[Any, float] | None:
        """The value of each move of an ending, by the kernels that hints use; None if it is too large."""


def parted(name: str) -> tuple[str, str, str]:
    """Split a player's name into its kind, its release (empty except in "release:REF:LIMIT") and its limit.

    Of "module:function", all is the kind.
    """
    if _OWN.fullmatch(name):
        return name, "", ""
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
    """The player called `name`, such as "random", "hint:0.05" or "my_players:careful", a function of a module.

    Such a function gets a view and returns a move as text. Raises RequestError for an unknown name or a function
    that can't be imported, and ReleaseError for a release that does not exist. The player raises MoveError if its
    function fails, or returns anything but a legal move.
    """
    if (own := _OWN.fullmatch(name)) is not None:
        return _imported(contest, *own.groups())
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


def _imported(contest: Contest, module: str, function: str) -> Player:
    """A function of a module as a player. Raises RequestError if there is none."""
    name = f"{module}:{function}"
    try:
        decide = getattr(import_module(module), function)
    except (Exception, SystemExit) as error:
        raise RequestError("unknown_value", f"{name} can't be imported: {error}", "player") from None
    if not callable(decide):
        raise RequestError("wrong_type", f"{name} is no function", "player")

    def play(view: BaseModel) -> Any:
        try:
            move = decide(view)
        except (Exception, SystemExit) as error:
            line = extract_tb(error.__traceback__)[1:2]  # of the function itself
            where = "".join(f" ({frame.filename}, line {frame.lineno})" for frame in line)
            message = f"{name} failed: {type(error).__name__}: {error}{where}; it was asked about: {text_of(view)}"
            raise MoveError("bad_request", message) from error
        with suppress(MoveError):
            parsed = contest.game.parse_move(view, move) if isinstance(move, str) else None
            if parsed in contest.game.legal_moves(view):
                return parsed
        legal = ", ".join(athanor.legal_moves(view))
        returned = f"{reprlib.repr(move)}, none of the legal moves {legal}"
        raise MoveError("illegal_move", f"{name} returned {returned}; it was asked about: {text_of(view)}")

    return play


def _any(moves: Sequence[Any], random: Random) -> Any:
    return moves[random.below(len(moves))]


def done(
    path: Path | None, key: Mapping[str, object], what: str, numbers: Iterable[int], play: Callable[[int], Any]
) -> Iterator[Any]:
    """Yield the result of each deal in `numbers`: from the file or, if it is not there, from `play`.

    New results are appended to the file, one line each: the keys of `key`, the number as ``deal``, and the result
    under the name `what`. All results are as JSON gives them back, such as lists for tuples.
    """
    there: dict[int, Any] = {}
    if path is not None and path.exists():
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if {name: row.get(name) for name in key} == key:
                there[row["deal"]] = row[what]
    for number in numbers:
        if number in there:
            yield there[number]
            continue
        line = json.dumps({**key, "deal": number, what: play(number)})
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        yield json.loads(line)[what]
