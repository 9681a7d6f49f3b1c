"""Kirin round by round: three rounds; the first leader is another seat each time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from solver.games.kirin.cards.readings import extra_points
from solver.games.kirin.cards.rules import ROUNDS, SEATS
from solver.games.kirin.positions.declarations import DeclarePosition
from solver.games.kirin.positions.known import KnownPosition
from solver.games.kirin.positions.moves import as_kirin
from solver.games.kirin.positions.records import KirinRecord, KirinRound
from solver.games.kirin.positions.scoring import score
from solver.protocol.playing import Round
from solver.protocol.showing.summaries import match_summary
from solver.tricks.match import MatchInPlay, standing
from solver.tricks.plain.playing import CardsInPlay

if TYPE_CHECKING:
    from solver.protocol.game import Game


class KirinInPlay(MatchInPlay, CardsInPlay):
    """A round from setting cards aside on: the cards set aside stay hidden to its end."""

    untaken: ClassVar[str] = "nobody takes four kirin"

    def announcement(self, move: str) -> str:
        before, after = self.position, self.play(move).position
        if isinstance(before, DeclarePosition):
            return "sets a card aside"
        assert isinstance(before, KnownPosition)
        assert isinstance(after, KnownPosition)
        turned = after.direction != before.direction
        return super().announcement(move) + (f"; the order is {after.direction} now" if turned else "")

    def secret(self, move: str) -> bool:
        return isinstance(self.position, DeclarePosition)


@dataclass(frozen=True)
class KirinPlaying:
    """`solver.protocol.playing.Playing` for kirin. Every seat leads first in turn: the rulebook is silent."""

    game: Game

    def opening(
        self,
        seed: int,
        *,
        number: int,
        players: int | None,
        variant: str | None,
        before: Sequence[Round],
        deck: str | Mapping[str, Any] | None = None,
        rules: Mapping[str, bool] | None = None,
    ) -> KirinInPlay:
        variant = variant or "undeclared"
        position = self.game.deal(seed, number=number, players=players, variant=variant, deck=deck, rules=rules)
        first = position.model_copy(update={"leader": len(before) % SEATS})
        scores = score(self.record(before)).rounds if before else ()
        return KirinInPlay(self.game, first, SEATS, match=standing(scores))

    def record(self, rounds: Sequence[Round]) -> KirinRecord:
        first = rounds[0]
        assert isinstance(first, KirinInPlay)
        extra = extra_points(as_kirin(first.position).rules)
        return KirinRecord(game="kirin", declared_counts=bool(extra), rounds=tuple(map(_record, rounds)))

    def finished(self, rounds: Sequence[Round]) -> bool:
        return len(rounds) >= ROUNDS

    def summary(self, rounds: Sequence[Round], you: int | None) -> list[str]:
        found = score(self.record(rounds))
        return match_summary(found.rounds, you, finished=found.finished, of=ROUNDS)


def _record(played: Round) -> KirinRound:
    assert isinstance(played, KirinInPlay)
    assert isinstance(played.position, KnownPosition)
    return KirinRound(declared=played.position.declared, history=played.position.history)
