"""One game, with the functions of this package bound to it."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from athanor import questions, table
from athanor.questions import data_of, position_of, record_of
from solver import registry
from solver.errors import PositionError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from athanor.questions import PositionLike, RecordLike
    from solver import game as solver_game
    from solver.answers import Analysis, Answer, CompoundAnalysis, Hint
    from solver.limits import Limit, ProgressCallback
    from solver.showing import CardFace


class Game:
    """One game, made by `athanor.game`. Its methods are the functions of `athanor` for positions of this game.

    They take the same arguments and raise the same errors, and PositionError for a position of another game. A
    dict or JSON text may leave ``"game"`` out.
    """

    def __init__(self, rules: solver_game.Game) -> None:
        self._rules = rules

    def __repr__(self) -> str:
        return f"athanor.game({self.name!r})"

    @property
    def name(self) -> str:
        """What positions call the game, such as ``kirin``."""
        return self._rules.name

    @property
    def title(self) -> str:
        """The game's name for a person."""
        return self._rules.title

    @property
    def players(self) -> tuple[int, int]:
        """The fewest and the most players."""
        return self._rules.players

    @property
    def variants(self) -> Mapping[str, str]:
        """What each variant is, in one line, by its name; empty for a game without variants."""
        return self._rules.variants

    @property
    def models(self) -> Sequence[str]:
        """The models of play by the others that `analyze` takes; empty where nobody opposes."""
        return self._rules.models

    @property
    def options(self) -> Mapping[str, str]:
        """What holds when a disputed reading of the rules is on, by its name in the `rules` of positions."""
        return self._rules.options

    def rules(self) -> str:
        """The rules and rulings in force, in Markdown."""
        return self._rules.rules()

    def warm(self, *, hints: bool = False) -> None:
        """Load every kernel of the game now, so that no question waits; with `hints` only what hints need."""
        questions.warm(self.name, hints=hints)

    def parse(self, position: Mapping[str, Any] | str | bytes) -> BaseModel:
        """A position or view from a dict or from JSON text, as `athanor.parse`."""
        return self._position(position)

    def deal(
        self,
        *,
        seed: int | None = None,
        number: int = 0,
        players: int | None = None,
        variant: str | None = None,
        deck: str | Mapping[str, Any] | None = None,
        rules: Mapping[str, bool] | None = None,
    ) -> BaseModel:
        """A fresh deal, as `athanor.deal`."""
        return table.deal(
            self.name, seed=seed, number=number, players=players, variant=variant, deck=deck, rules=rules
        )

    def cards(
        self, *, variant: str | None = None, deck: str | Mapping[str, Any] | None = None
    ) -> Sequence[CardFace]:
        """What is printed on the cards, as `athanor.cards`."""
        return table.cards(self.name, variant=variant, deck=deck)

    def view(self, position: PositionLike, seat: int) -> BaseModel:
        """What the player in `seat` sees, as `athanor.view`."""
        return table.view(self._position(position), seat)

    def legal_moves(self, position: PositionLike) -> list[str]:
        """The texts of all legal moves, as `athanor.legal_moves`."""
        return table.legal_moves(self._position(position))

    def possible_moves(self, view: PositionLike) -> list[str]:
        """What the seat to move could be seen to do next, as `athanor.possible_moves`."""
        return table.possible_moves(self._position(view))

    def to_move(self, position: PositionLike) -> int | None:
        """The seat that decides next, as `athanor.to_move`."""
        return table.to_move(self._position(position))

    def play(self, position: PositionLike, moves: str | Sequence[str] | None) -> BaseModel:
        """The position after legal moves or, in a view, after what was seen, as `athanor.play`."""
        return table.play(self._position(position), moves)

    def analyze(
        self,
        position: PositionLike,
        *,
        model: str | None = None,
        player: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        cancel: threading.Event | None = None,
    ) -> Analysis:
        """The exact value of a position and of each of its moves, as `athanor.analyze`."""
        return questions.analyze(
            self._position(position),
            model=model,
            player=player,
            seconds=seconds,
            nodes=nodes,
            limit=limit,
            progress=progress,
            cancel=cancel,
        )

    def hint(
        self,
        view: PositionLike,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        worlds: int | None = None,
        seed: int = 0,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        cancel: threading.Event | None = None,
    ) -> Hint:
        """The best move for the player who sees this view, as `athanor.hint`."""
        return questions.hint(
            self._position(view),
            seconds=seconds,
            nodes=nodes,
            worlds=worlds,
            seed=seed,
            limit=limit,
            progress=progress,
            cancel=cancel,
        )

    def compound(
        self,
        position: PositionLike,
        *,
        must: Sequence[str] = (),
        without: Sequence[str] = (),
        best: int = 1,
        missing: bool = False,
        seconds: float | None = None,
        nodes: int | None = None,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        cancel: threading.Event | None = None,
    ) -> CompoundAnalysis:
        """The best compounding of a set of cards, as `athanor.compound`."""
        return questions.compound(
            self._position(position),
            must=must,
            without=without,
            best=best,
            missing=missing,
            seconds=seconds,
            nodes=nodes,
            limit=limit,
            progress=progress,
            cancel=cancel,
        )

    def score(
        self,
        record: RecordLike,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        limit: Limit | None = None,
        cancel: threading.Event | None = None,
    ) -> Answer:
        """The score of a finished round or of a match, as `athanor.score`."""
        known = self._own(record_of(self._named(record)))
        return table.score(known, seconds=seconds, nodes=nodes, limit=limit, cancel=cancel)

    def _position(self, given: PositionLike) -> BaseModel:
        return self._own(position_of(self._named(given)))

    def _named(self, given: PositionLike) -> PositionLike:
        """A dict or text with the game's name, which it may leave out."""
        data: object = data_of(given) if isinstance(given, str | bytes) else given
        if isinstance(data, Mapping):
            return data if "game" in data else {"game": self.name, **data}
        return given

    def _own(self, found: BaseModel) -> BaseModel:
        game: str = found.game  # type: ignore[attr-defined]
        if game != self.name:
            raise PositionError("conflict", f"this is of the game {game}, not of {self.name}", "game")
        return found


# ----------------------------------------------------------------------------------------------------
# The games by name.


def games() -> tuple[str, ...]:
    """The names of all games: Athanor's own, then those of other packages, in alphabetical order.

    A package adds a game by an entry point of the group ``athanor.games``. One that cannot be used is left
    out, and the log says why.
    """
    return registry.names()


def game(name: str) -> Game:
    """The game called `name`, with every function of this package bound to it.

    Raises RequestError (code ``unknown_game``) for a name that `games` does not list.
    """
    return Game(registry.game(name))
