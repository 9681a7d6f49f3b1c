"""A plain game of tricks round by round (`solver.protocol.playing`), until its match is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.protocol.playing import PositionRound, Round
from solver.tricks.plain import KnownPosition, common_fields

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.protocol.game import Game


class PlainInPlay(PositionRound):
    """A round of a plain game: every card is played openly."""

    def told(self, move: str) -> str:
        before, after = self.position, self.play(move).position
        assert isinstance(before, KnownPosition)
        assert isinstance(after, KnownPosition)
        if after.trick:
            return move
        taken = after.past.won != before.past.won
        return f"{move}; seat {after.leader} takes the trick" if taken else f"{move}; nobody takes the trick"


@dataclass(frozen=True)
class PlainPlaying:
    """`solver.protocol.playing.Playing` for a plain game, whose record is a `solver.tricks.records.Record`.

    Every seat leads first in turn.
    """

    game: Game

    def opening(
        self, seed: int, *, number: int, players: int | None, variant: str | None, before: Sequence[Round]
    ) -> PlainInPlay:
        position = self.game.deal(seed, number=number, players=players, variant=variant)
        assert isinstance(position, KnownPosition)
        leader = (position.leader + len(before)) % position.players
        return PlainInPlay(self.game, position.model_copy(update={"leader": leader}), position.players)

    def record(self, rounds: Sequence[Round]) -> BaseModel:
        ends = [played.position for played in rounds if isinstance(played, PlainInPlay)]
        known = [end for end in ends if isinstance(end, KnownPosition)]
        kind: type[BaseModel] = self.game.record_type
        return kind(**common_fields(known[0], kind), rounds=[{"won": end.won} for end in known])

    def finished(self, rounds: Sequence[Round]) -> bool:
        match_rounds: int = self.game.record_type.match_rounds
        return len(rounds) >= match_rounds
