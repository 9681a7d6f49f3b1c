"""King × Alchemy round by round: three rounds; the winner of a round's last trick leads the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.common.control import Control
from solver.games.king.cards.rules import ROUNDS
from solver.games.king.positions.known import KnownPosition
from solver.games.king.positions.moves import as_king
from solver.games.king.positions.picks import PickPosition
from solver.games.king.positions.records import KingRecord, KingRound
from solver.games.king.positions.scoring import Earned, record_score
from solver.protocol.playing import Round
from solver.protocol.showing.summaries import match_summary
from solver.tricks.match import MatchInPlay, standing

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.protocol.game import Game


class KingInPlay(MatchInPlay):
    """A round from the picks on: they are made at once, so each stays hidden until all are made."""

    def announcement(self, move: str) -> str:
        position = self.position
        if isinstance(position, PickPosition):
            return "picks a card"
        after = self.play(move).position
        assert isinstance(after, KnownPosition)
        return f"{move}; seat {after.seat_to_move} wins the trick" if after.trick_is_full else move

    def secret(self, move: str) -> bool:
        return isinstance(self.position, PickPosition)

    def seen(self, seat: int) -> BaseModel | None:
        position = self.position
        if isinstance(position, PickPosition) and position.picked[seat]:
            return None
        return super().seen(seat)

    def cards(self) -> list[dict[str, str]]:
        return as_king(self.position).full_deck.rows()


@dataclass(frozen=True)
class KingPlaying:
    """`solver.protocol.playing.Playing` for King × Alchemy."""

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
    ) -> KingInPlay:
        variant = variant or "unpicked"
        position = self.game.deal(seed, number=number, players=players, variant=variant, deck=deck, rules=rules)
        assert isinstance(position, PickPosition | KnownPosition)
        if before:
            position = position.model_copy(update={"leader": _end(before[-1]).leader})
        scores = record_score(self.record(before), Control()).rounds if before else ()
        return KingInPlay(self.game, position, position.players, match=standing(scores))

    def record(self, rounds: Sequence[Round]) -> KingRecord:
        ends = list(map(_end, rounds))
        return KingRecord(game="king", deck=ends[0].deck, rounds=tuple(KingRound(won=end.won) for end in ends))

    def finished(self, rounds: Sequence[Round]) -> bool:
        return len(rounds) >= ROUNDS

    def summary(self, rounds: Sequence[Round], you: int | None) -> list[str]:
        found = record_score(self.record(rounds), Control())
        told = match_summary(found.rounds, you, finished=found.finished, of=ROUNDS)
        return [*told, *(making(one, you) for one in found.earned[-1] if one.recipes)]


def making(earned: Earned, you: int | None) -> str:
    """What a seat made of its cards, in a sentence."""
    who, has = ("You", "have") if earned.seat == you else (f"Seat {earned.seat}", "has")
    items = ", ".join(
        f"{made.item} ({made.card} of {' '.join(made.uses)}) for {made.bonus}" for made in earned.recipes
    )
    best = "" if earned.bounds is None else ", the best that was found in time"
    return f"{who} {has} {earned.vp} by the cards, and made {items}{best}."


def _end(played: Round) -> KnownPosition:
    assert isinstance(played, KingInPlay)
    assert isinstance(played.position, KnownPosition)
    return played.position
