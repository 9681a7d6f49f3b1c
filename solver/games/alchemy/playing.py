"""Alchemy turn by turn: a solitaire; or a duel, in which the players take turns at grabbing first.

At the table whoever sees a match first grabs it. Here nobody is hurried: the two alternate from exchange to
exchange, seat 0 grabs first at the beginning of the first round, seat 1 at that of the second, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from solver.common.control import Control
from solver.common.words import counted
from solver.games.alchemy import hint as advise
from solver.games.alchemy.answers import DuelGrabHint, DuelGrabMove
from solver.games.alchemy.cards.deck import card, cards, points
from solver.games.alchemy.cards.rules import match_of
from solver.games.alchemy.cards.text import Move, parse_move
from solver.games.alchemy.duel.exchange import grabs
from solver.games.alchemy.positions import moves as table
from solver.games.alchemy.positions.known import DuelRecord, DuelRound, SolitairePosition, SolitaireRecord
from solver.games.alchemy.positions.race import Round as Race
from solver.games.alchemy.positions.race import deal_round, exchange
from solver.games.alchemy.positions.scoring import score
from solver.inputs.errors import MoveError
from solver.protocol.answers import Hint
from solver.protocol.playing import PositionRound, Round
from solver.protocol.rows import Rows

if TYPE_CHECKING:
    from solver.protocol.game import Game


@dataclass(frozen=True)
class SolitaireInPlay(PositionRound):
    """A solitaire with its stock hidden; `dealt` is its first turn, `made` are the moves since."""

    dealt: SolitairePosition
    made: tuple[str, ...] = ()

    def play(self, move: str) -> SolitaireInPlay:
        return replace(super().play(move), made=(*self.made, self.move_of(move)))


@dataclass(frozen=True)
class DuelInPlay:
    """A round of a duel. `grabbed` is the move of the player who was first in this exchange, once made."""

    race: Race
    first: int
    grabbed: Move | None = None
    players: int = 2

    @property
    def to_move(self) -> int | None:
        if self.race.hands is None:
            return None
        return self.first if self.grabbed is None else 1 - self.first

    def _seat(self) -> int:
        seat = self.to_move
        if seat is None:
            raise MoveError("illegal_move", "the round is over")
        return seat

    def _line(self) -> list[int]:
        """What is left of the line."""
        line = list(self.race.line)
        for rank in self.grabbed.used if self.grabbed else ():
            line.remove(rank)
        return line

    def moves(self) -> Sequence[str]:
        return [] if self.to_move is None else [str(move) for move in self.race.moves(self._seat(), self._line())]

    def move_of(self, text: str) -> str:
        return str(self._parsed(text))

    def _parsed(self, text: str) -> Move:
        seat, line = self._seat(), self._line()
        assert self.race.hands is not None
        hand = self.race.hands[seat]
        move = parse_move(text, hand)
        if move.kind == "match":
            move = match_of(move.used, hand) or move
        if move not in self.race.moves(seat, line):
            left = " ".join(cards(line)) or "empty"
            raise MoveError("illegal_move", f"{text!r} is no move here: you drew {card(hand)}, the line is {left}")
        return move

    def announcement(self, move: str) -> str:
        return move

    def secret(self, move: str) -> bool:
        return False

    def play(self, move: str) -> DuelInPlay:
        chosen = self._parsed(move)
        if self.grabbed is None:
            return replace(self, grabbed=chosen)
        after = exchange(self.race, self.first, self.grabbed, chosen)
        return DuelInPlay(after, 1 - self.first)

    def hint(self, control: Control, *, seed: int = 0) -> Hint:
        seat = self._seat()
        if self.grabbed is None:
            return advise.hint(self.race.position(seat), control, seed=seed)
        return self._second_hint(seat, control, seed)

    def _second_hint(self, seat: int, control: Control, seed: int) -> DuelGrabHint:
        """The match that scores most: nothing that this player leaves is of use to the other in the exchange."""
        assert self.race.hands is not None
        found = grabs(self._line(), self.race.hands[seat], self.race.table_jokers, self.race.piles[seat])
        found.sort(key=lambda grab: -grab.points)
        control.nodes += len(found)
        best = found[0]
        reason = "You have no match."
        if best.points:
            reason = f"{best.move} takes {best.points} point{'s' * (best.points != 1)}, the most that is left."
        return DuelGrabHint(
            game="alchemy",
            variant="duel",
            to_move=seat,
            exact=True,
            best=str(best.move),
            moves=tuple(
                DuelGrabMove(move=str(grab.move), used=tuple(cards(grab.move.used)), points=grab.points)
                for grab in found
            ),
            reason=reason,
            method="exchange solved",
            worlds=0,
            seed=seed,
            nodes=control.nodes,
            seconds=control.seconds,
        )

    def rows(self) -> Rows:
        seat = self.to_move
        piles = self.race.piles
        if seat is None:
            rows = [(f"Seat {player}", _pile(pile)) for player, pile in enumerate(piles)]
            return [("Line", " ".join(cards(self.race.line)) or "–"), *rows]
        assert self.race.hands is not None
        when = "you grab first" if self.grabbed is None else f"seat {1 - seat} has grabbed: {self.grabbed}"
        line = " ".join(cards(self._line())) or "–"
        rows = [("Line", f"{line}   ({when})")]
        for label, player in (("You", seat), ("Opponent", 1 - seat)):
            rows.append((label, f"{card(self.race.hands[player])}   (pile: {_pile(piles[player])})"))
        return [*rows, ("Deck", counted(len(self.race.deck), "card"))]

    def cards(self) -> list[dict[str, str]]:
        return []


def _pile(pile: Sequence[int]) -> str:
    total = points(pile)
    return f"{counted(len(pile), 'card')}, {counted(total, 'point')}"


@dataclass(frozen=True)
class AlchemyPlaying:
    """`solver.protocol.playing.Playing` for alchemy: a solitaire is one round, a duel goes to 100 points."""

    game: Game

    def opening(
        self, seed: int, *, number: int, players: int | None, variant: str | None, before: Sequence[Round]
    ) -> SolitaireInPlay | DuelInPlay:
        dealt = table.deal(seed, number=number, players=players, variant=variant)
        if isinstance(dealt, SolitairePosition):
            return SolitaireInPlay(self.game, dealt, 1, dealt)
        return DuelInPlay(deal_round(seed, number), len(before) % 2)

    def record(self, rounds: Sequence[Round]) -> SolitaireRecord | DuelRecord:
        first = rounds[0]
        if isinstance(first, SolitaireInPlay):
            dealt = first.dealt
            deck = (*dealt.line, *((dealt.hand,) if dealt.hand else ()), *(dealt.stock or ()))
            return SolitaireRecord(game="alchemy", variant=dealt.variant, deck=deck, moves=first.made)
        return DuelRecord(game="alchemy", variant="duel", rounds=tuple(map(_round, rounds)))

    def finished(self, rounds: Sequence[Round]) -> bool:
        found = score(self.record(rounds))
        return bool(found.finished)  # type: ignore[attr-defined]


def _round(played: Round) -> DuelRound:
    assert isinstance(played, DuelInPlay)
    first, second = (tuple(cards(pile)) for pile in played.race.piles)
    return DuelRound(piles=(first, second))
