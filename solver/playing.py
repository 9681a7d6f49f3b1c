"""Rounds in play: who decides, what that seat sees, and what becomes of a move.

A round is an immutable value, and its moves are the contract's texts, so that a game in progress is its deal and a
list of texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, Self

from solver.common import Others, lying
from solver.errors import MoveError, RequestError
from solver.language import say

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.answers import Hint, Rows
    from solver.game import Game
    from solver.limits import Control


class Round(Protocol):
    """A round at one moment. Whoever decides sees a view alone, also where several decide at once."""

    @property
    def players(self) -> int:
        """How many seats there are."""

    @property
    def to_move(self) -> int | None:
        """The seat that decides next; None when the round is over."""

    def moves(self) -> Sequence[str]:
        """The legal moves of the seat to move, in canonical order."""

    def move_of(self, text: str) -> str:
        """The legal move that a text means, as `moves` has it. Raises MoveError that says why it is none."""

    def announcement(self, move: str) -> str:
        """What everybody is told of a legal move, and what it brings about."""

    def secret(self, move: str) -> bool:
        """Whether a legal move is hidden from the others so far: `announcement` does not say what it is."""

    def play(self, move: str) -> Self:
        """The round after a legal move. Raises MoveError."""

    def seen(self, seat: int) -> BaseModel | None:
        """What a seat sees now, whoever decides; when the round is over, everything.

        None where no position says it, as between a seat's own pick and those of the others.
        """

    def hint(self, control: Control, *, seed: int = 0) -> Hint:
        """The best move for the seat to move, from what it sees."""

    def hint_in_truth(self, control: Control, *, seed: int = 0) -> Hint | None:
        """As `hint`, but in the deal as it is: what each move brings when all play on, seeing their own cards.

        None where the hint of the game samples no deals, or where the deal is not known.
        """

    def for_match(self) -> Self:
        """The round at its start, whose hints always go by the match. Raises RequestError where none do."""

    def among(self, others: Others) -> Self:
        """The round at its start, with others of this strength. Raises RequestError where that is not offered."""

    def drawn(self, seed: int) -> str | None:
        """What a player of that strength does in the seat to move; None for one who follows hints."""

    def by_points(self) -> Self:
        """The round as if nothing were known of the match, so that hints count points."""

    @property
    def unit(self) -> str:
        """What hints of this round count: "points", or "chance" to win."""

    @property
    def known(self) -> BaseModel | None:
        """The position in which the seat to move decides, every card known; None where none can be analyzed."""

    def leads_to(self, move: str) -> Sequence[str]:
        """Which moves of `known` a legal move may turn into: several where it is only the first part of one."""

    def draws(self, move: str) -> str | None:
        """The card that a legal move draws at once, which its seat alone sees; None where it draws none."""

    @property
    def opens(self) -> bool:
        """Whether cards have just been turned up for all, about which nobody has decided yet."""

    @property
    def late(self) -> str | None:
        """The move of a seat that takes too long, where the rules know a clock."""

    def rows(self, seat: int | None = None) -> Rows:
        """For a person: what a seat sees, by default the one to move; when the round is over, everything."""

    def cards(self) -> list[dict[str, str]]:
        """What each card is, by column, the code first; empty where codes say it all."""


class Playing(Protocol):
    """How a game is played round by round, until a match is won."""

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
    ) -> Round:
        """The round of deal `number` of a seed, about to start after the rounds `before`.

        `deck` and `rules` are as `solver.protocol.game.Game.deal` takes them. Raises RequestError for a variant, a
        number of players or a deck that is not dealt, PositionError for a deck or an option that is none.
        """

    def record(self, rounds: Sequence[Round]) -> BaseModel:
        """The finished rounds of a match, at least one, as the game's `score` takes them."""

    def finished(self, rounds: Sequence[Round]) -> bool:
        """Whether the match is over after these rounds, at least one."""

    def summary(self, rounds: Sequence[Round], you: int | None) -> Sequence[str]:
        """What the last of these finished rounds, at least one, brought, and how the match stands, in sentences.

        `you` is the seat that is addressed; None: nobody is, as where one plays alone.
        """


@dataclass(frozen=True)
class PositionRound:
    """A round in which every decision has a position of its own.

    `others` is how strong the other players are, as hints take them to be.
    `match` is what views tell of the match besides, by keys (`solver.tricks.match.OfMatch`).
    """

    game: Game
    position: BaseModel
    players: int
    match: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    others: Others | None = field(default=None, kw_only=True)

    @property
    def unit(self) -> str:
        return "points"

    @property
    def known(self) -> BaseModel | None:
        return self.position if "analyze" in self.game.asks(self.position) else None

    def leads_to(self, move: str) -> Sequence[str]:
        return (move,)

    @property
    def to_move(self) -> int | None:
        if not self.game.legal_moves(self.position):
            return None
        seat: int = self.position.seat_to_move  # type: ignore[attr-defined]
        return seat

    def view(self) -> BaseModel:
        """What the seat to move sees. Raises MoveError when the round is over."""
        seat = self.to_move
        if seat is None:
            raise MoveError("illegal_move", say("the round is over"))
        return self._of_match(self.game.view(self.position, seat))

    def _of_match(self, view: BaseModel) -> BaseModel:
        return view.model_copy(update=self.match) if self.match else view

    def for_match(self) -> Self:
        message = say("hints of {game} do not go by a match", game=self.game.name)
        raise RequestError("not_offered", message, "for_match")

    def among(self, others: Others) -> Self:
        return replace(self, others=self.game.strength(others))

    def drawn(self, seed: int) -> str | None:
        if self.others is None or self.others == "equal":
            return None
        view = self.view()
        return self.game.format_move(view, self.game.drawn(view, self.others, seed))

    def by_points(self) -> Self:
        return replace(self, match={}) if self.match else self

    def seen(self, seat: int) -> BaseModel | None:
        to_move = self.to_move
        if to_move is None:
            return self.position
        return self.view() if seat == to_move else self._of_match(self.game.view(self.position, seat))

    def moves(self) -> Sequence[str]:
        if self.to_move is None:
            return ()
        view = self.view()
        return [self.game.format_move(view, move) for move in self.game.legal_moves(view)]

    def move_of(self, text: str) -> str:
        with suppress(MoveError):  # to make the view takes most of the time, and is left to its moves and faults
            move = self.game.parse_move(self.position, text)
            if self.in_view(move):
                return self.game.format_move(self.position, move)
        view = self.view()
        return self.game.format_move(view, self.game.parse_move(view, text))

    def in_view(self, move: Any) -> bool:
        """Whether a legal move of the position is surely one of what its seat sees, too."""
        return True

    def announcement(self, move: str) -> str:
        return move

    def secret(self, move: str) -> bool:
        return False

    def draws(self, move: str) -> str | None:
        return None

    @property
    def opens(self) -> bool:
        return False

    @property
    def late(self) -> str | None:
        return None

    def play(self, move: str) -> Self:
        position = self.position
        after = self.game.play(position, self.game.parse_move(position, move))
        return replace(self, position=after)

    def hint(self, control: Control, *, seed: int = 0) -> Hint:
        return self.game.hint(self.view(), control, seed=seed, others=self.others)

    def hint_in_truth(self, control: Control, *, seed: int = 0) -> Hint | None:
        hands: Sequence[int] | None = getattr(self.position, "hand_masks", None)
        seat = self.to_move
        if hands is None or seat is None:
            return None
        with lying([*hands[seat + 1 :], *hands[:seat]]):
            return self.hint(control, seed=seed)

    def rows(self, seat: int | None = None) -> Rows:
        mover = self.to_move
        if mover is None:
            return self.game.describe(self.position)
        return self.game.describe(self.view() if seat in (None, mover) else self.game.view(self.position, seat))

    def cards(self) -> list[dict[str, str]]:
        return []
