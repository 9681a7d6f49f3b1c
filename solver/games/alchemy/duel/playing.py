"""A round of a duel in play: the players take turns at grabbing first.

At the table whoever sees a match first grabs it. Here nobody is hurried: the two alternate from exchange to
exchange.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from solver.common.control import Control
from solver.common.words import counted
from solver.games.alchemy.cards.deck import card, cards, points
from solver.games.alchemy.cards.rules import match_of
from solver.games.alchemy.cards.text import Move, parse_move
from solver.games.alchemy.duel.hint import hint
from solver.games.alchemy.positions.duels import DuelPosition
from solver.games.alchemy.positions.race import Round as Race
from solver.games.alchemy.positions.race import exchange
from solver.inputs.errors import MoveError
from solver.protocol.answers import Hint
from solver.protocol.showing.rows import Rows


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

    def seen(self, seat: int) -> DuelPosition:
        """The exchange as a seat sees it, or the round when it is over."""
        seen = self.race.position(seat)
        if self.grabbed is None:
            return seen
        return seen.model_copy(update={"grabbed": f"{int(self.first != seat)}:{self.grabbed}"})

    def hint(self, control: Control, *, seed: int = 0) -> Hint:
        return hint(self.seen(self._seat()), control, seed)

    def for_match(self) -> DuelInPlay:
        return self  # hints go by the race in any case

    def by_points(self) -> DuelInPlay:
        return self  # what a move gave away is counted in points

    @property
    def unit(self) -> str:
        return "points"

    @property
    def known(self) -> None:
        """None: both hands of an exchange lie open, so the hint knows all that is not left to the deck."""
        return None

    def leads_to(self, move: str) -> Sequence[str]:
        return (move,)

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
