"""A round of a real table, written down by one who saw only part of the cards: what was seen, move by move."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from athanor.table import is_observed, is_view, played, spelled, turn_of
from solver.inputs.errors import MoveError, RequestError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.common.control import Control
    from solver.protocol.answers import Hint
    from solver.protocol.game import Game
    from solver.protocol.playing import Round
    from solver.protocol.showing.rows import Rows


def is_seen(position: BaseModel) -> bool:
    """Whether a round that begins so is written down by what a seat saw of it."""
    return is_view(position) or (is_observed(position) and getattr(position, "stock", None) is None)


@dataclass(frozen=True)
class ObservedRound:
    """`solver.protocol.playing.Round` of a view, whose moves are what its player saw (`athanor.play`).

    `told` are texts that tell a move only in part, such as a match without the cards turned up after it.
    """

    game: Game
    position: BaseModel
    unit: str
    told: tuple[str, ...] = ()

    @property
    def players(self) -> int:
        least, most = self.game.players
        return int(getattr(self.position, "players", most if least == most or self.seat else 2))

    @property
    def seat(self) -> int:
        """Whose view it is."""
        return int(getattr(self.position, "seat", 0))

    @property
    def to_move(self) -> int | None:
        return turn_of(self.position)

    def moves(self) -> Sequence[str]:
        """The legal moves of the view's own seat, where it is to move; none of the others' are known."""
        if self.told or self.to_move != self.seat:
            return ()
        return [self.game.format_move(self.position, move) for move in self.game.legal_moves(self.position)]

    def move_of(self, text: str) -> str:
        """A move as it is usually written, if it is the own one; else what was seen, as it is."""
        usual = spelled(self.position, [text])[0]
        if self.moves():
            with suppress(MoveError):
                return self.game.format_move(self.position, self.game.parse_move(self.position, usual))
        return usual

    def play(self, move: str) -> ObservedRound:
        texts = (*self.told, move)
        try:
            position, _ = played(self.position, texts)
        except MoveError as found:
            if found.code == "incomplete_move":
                return replace(self, told=texts)
            raise
        return replace(self, position=position, told=())

    def hint(self, control: Control, *, seed: int = 0) -> Hint:
        return self.game.hint(self.position, control, seed=seed)

    def for_match(self) -> ObservedRound:
        raise RequestError("not_offered", "the views of a real table say it themselves", "for_match")

    def by_points(self) -> ObservedRound:
        return self

    @property
    def known(self) -> None:
        """None: cards are hidden, so there is no truth to compare with."""
        return None

    def leads_to(self, move: str) -> Sequence[str]:
        return (move,)

    def announcement(self, move: str) -> str:
        return move

    def secret(self, move: str) -> bool:
        return False

    def seen(self, seat: int) -> BaseModel | None:
        return self.position if seat == self.seat else None

    def rows(self) -> Rows:
        return self.game.describe(self.position)

    def cards(self) -> list[dict[str, str]]:
        return []


def round_of(line: str, usual: Round) -> Round:
    """The round that begins with a position or view, as a line; `usual` is some round of the same game.

    Raises PositionError for what is no position, RequestError for one with which no round begins.
    """
    from solver.positions import game_of, parse_position
    from solver.protocol.playing import PositionRound

    position = parse_position(line)
    game = game_of(position)
    if is_seen(position):
        return ObservedRound(game, position, usual.unit)
    if isinstance(usual, PositionRound) and usual.game is game and game.legal_moves(position):
        players = int(getattr(position, "players", usual.players))
        changes: dict[str, Any] = {"position": position, "players": players, "match": {}}
        if hasattr(usual, "dealt"):  # where a record needs it
            changes["dealt"] = position
        return replace(usual, **changes)
    raise RequestError("not_playable", "no round is played from this position")
