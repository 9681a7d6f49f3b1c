"""Aqua Regia in play: one round decides. A pass is two decisions, since the card is drawn in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from solver.common.words import counted
from solver.games.aqua_regia.cards.rules import Move, Pass
from solver.games.aqua_regia.positions import moves
from solver.games.aqua_regia.positions.known import KnownPosition
from solver.games.aqua_regia.positions.records import AquaRecord, AquaRound
from solver.protocol.playing import PositionRound, Round
from solver.protocol.showing.summaries import named

if TYPE_CHECKING:
    from solver.protocol.game import Game


@dataclass(frozen=True)
class AquaInPlay(PositionRound):
    """A round; `passing` after the first half of a pass, the card drawn and the exchange yet to be decided.

    A pass after which nothing can be exchanged has no second half.
    """

    passing: bool = False

    def view(self) -> BaseModel:
        view = super().view()
        if not self.passing:
            return view
        assert isinstance(self.position, KnownPosition)
        return view.model_copy(update={"drawn": self.position.stock[0]})

    def in_view(self, move: Move) -> bool:
        return not self.passing and not isinstance(move, Pass)

    def announcement(self, move: str) -> str:
        if self.secret(move):
            return "draws a card to pass"
        before, after = self.position, self.play(move).position
        assert isinstance(before, KnownPosition)
        assert isinstance(after, KnownPosition)
        text = move
        if after.reversed != before.reversed:
            text += "; the fields change in the other order now"
        if after.field != before.field and all(after.hands):
            text += f"; the field is {after.field} now, and seat {after.turn} leads"
        return text

    def secret(self, move: str) -> bool:
        """Whether the pass goes on with a choice of what to exchange for the card drawn."""
        return self._draws(move) and len(self._drawn().moves()) > 1

    def play(self, move: str) -> AquaInPlay:
        if not self._draws(move):
            return replace(super().play(move), passing=False)
        drawn = self._drawn()
        return drawn if len(drawn.moves()) > 1 else drawn.play(move)

    @property
    def unit(self) -> str:
        return "chance"

    def leads_to(self, move: str) -> Sequence[str]:
        """A pass is followed by any exchange, or by none."""
        if not self.secret(move):
            return (move,)
        return [self.game.format_move(self.position, made) for made in self._all() if isinstance(made, Pass)]

    def _all(self) -> Sequence[Move]:
        return moves.legal_moves(self.position)

    def cards(self) -> list[dict[str, str]]:
        return moves.as_aqua(self.position).metals.rows()

    def _drawn(self) -> AquaInPlay:
        return replace(self, passing=True)

    def _draws(self, move: str) -> bool:
        """Whether a legal move is the first half of a pass."""
        position = self.position
        assert isinstance(position, KnownPosition)
        made = moves.parse_move(position, move)
        return isinstance(made, Pass) and bool(position.stock) and not self.passing


@dataclass(frozen=True)
class AquaPlaying:
    """`solver.protocol.playing.Playing` for Aqua Regia."""

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
    ) -> AquaInPlay:
        position = self.game.deal(seed, number=number, players=players, variant=variant, deck=deck, rules=rules)
        assert isinstance(position, KnownPosition)
        return AquaInPlay(self.game, position, position.players)

    def record(self, rounds: Sequence[Round]) -> AquaRecord:
        ends = [played.position for played in rounds if isinstance(played, AquaInPlay)]
        known = [end for end in ends if isinstance(end, KnownPosition)]
        left = tuple(AquaRound(counts=tuple(map(len, end.hands))) for end in known)
        return AquaRecord(game="aqua-regia", deck=known[0].deck, rounds=left)

    def finished(self, rounds: Sequence[Round]) -> bool:
        return True

    def summary(self, rounds: Sequence[Round], you: int | None) -> list[str]:
        left = self.record(rounds[-1:]).rounds[0].left
        winner = left.index(0)
        told = ["You go out first and win." if winner == you else f"Seat {winner} goes out first and wins."]
        kept = [(named([seat], you), counted(count, "card")) for seat, count in enumerate(left) if count]
        held = [f"{who} {'have' if who == 'you' else 'has'} {count} left" for who, count in kept]
        return [*told, f"The hands then: {', '.join(held)}."]
