"""Kirin round by round: three rounds; the first leader is another seat each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.games.kirin.cards.rules import SEATS
from solver.games.kirin.positions import moves
from solver.games.kirin.positions.declarations import DeclarePosition
from solver.games.kirin.positions.known import KnownPosition
from solver.games.kirin.positions.records import ROUNDS, KirinRecord, KirinRound
from solver.protocol.playing import PositionRound, Round

if TYPE_CHECKING:
    from solver.protocol.game import Game


class KirinInPlay(PositionRound):
    """A round from setting cards aside on: the cards set aside stay hidden to its end."""

    def told(self, move: str) -> str:
        position = self.position
        if isinstance(position, DeclarePosition):
            return "sets a card aside"
        after = self.play(move).position
        assert isinstance(position, KnownPosition)
        assert isinstance(after, KnownPosition)
        if after.trick:
            return move
        taken = after.won != position.won
        text = f"{move}; seat {after.leader} takes the trick" if taken else f"{move}; nobody takes four kirin"
        turned = after.direction != position.direction
        return f"{text}; the order is {after.direction} now" if turned else text

    def secret(self, move: str) -> bool:
        return isinstance(self.position, DeclarePosition)


@dataclass(frozen=True)
class KirinPlaying:
    """`solver.protocol.playing.Playing` for kirin. Every seat leads first in turn: the rulebook is silent."""

    game: Game

    def opening(
        self, seed: int, *, number: int, players: int | None, variant: str | None, before: Sequence[Round]
    ) -> KirinInPlay:
        position = moves.deal(seed, number=number, players=players, variant=variant or "undeclared")
        first = position.model_copy(update={"leader": len(before) % SEATS})
        return KirinInPlay(self.game, first, SEATS)

    def record(self, rounds: Sequence[Round]) -> KirinRecord:
        return KirinRecord(game="kirin", rounds=tuple(map(_record, rounds)))

    def finished(self, rounds: Sequence[Round]) -> bool:
        return len(rounds) >= ROUNDS


def _record(played: Round) -> KirinRound:
    assert isinstance(played, KirinInPlay)
    assert isinstance(played.position, KnownPosition)
    return KirinRound(declared=played.position.declared, history=played.position.history)
