"""A plain game of tricks round by round (`solver.protocol.playing`), until its match is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from solver.protocol.playing import PositionRound, Round
from solver.protocol.showing.summaries import match_summary
from solver.tricks.cards import CardKnown
from solver.tricks.plain.answers import MatchScore
from solver.tricks.plain.positions import KnownPosition, common_fields

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.protocol.game import Game


class CardsInPlay(PositionRound):
    """A round in which a move is a card that is played openly, and its winner takes a trick at once."""

    untaken: ClassVar[str] = "nobody takes the trick"

    def announcement(self, move: str) -> str:
        before, after = self.position, self.play(move).position
        assert isinstance(before, CardKnown)
        assert isinstance(after, CardKnown)
        if after.trick:
            return move
        taken = after.past.won != before.past.won
        return f"{move}; seat {after.leader} takes the trick" if taken else f"{move}; {self.untaken}"


@dataclass(frozen=True)
class PlainPlaying:
    """`solver.protocol.playing.Playing` for a plain game, whose record is a `solver.tricks.plain.records.Record`.

    Every seat leads first in turn.
    """

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
    ) -> CardsInPlay:
        position = self.game.deal(seed, number=number, players=players, variant=variant, deck=deck, rules=rules)
        assert isinstance(position, KnownPosition)
        leader = (position.leader + len(before)) % position.players
        return CardsInPlay(self.game, position.model_copy(update={"leader": leader}), position.players)

    def record(self, rounds: Sequence[Round]) -> BaseModel:
        ends = [played.position for played in rounds if isinstance(played, CardsInPlay)]
        known = [end for end in ends if isinstance(end, KnownPosition)]
        kind: type[BaseModel] = self.game.record_type
        return kind(**common_fields(known[0], kind), rounds=[{"won": end.won} for end in known])

    def finished(self, rounds: Sequence[Round]) -> bool:
        match_rounds: int = self.game.record_type.match_rounds
        return len(rounds) >= match_rounds

    def summary(self, rounds: Sequence[Round], you: int | None) -> list[str]:
        found = self.game.score(self.record(rounds))
        assert isinstance(found, MatchScore)
        of: int = self.game.record_type.match_rounds
        return match_summary(found.rounds, you, finished=found.finished, of=of)
