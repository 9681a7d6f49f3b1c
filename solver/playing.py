"""Rounds in play: who decides, what that seat sees, and what follows from a move.

A round is an immutable value, and its moves are texts as in answers, so a game in progress is its deal and a list
of texts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from solver.common import Others, lying
from solver.errors import MoveError, RequestError
from solver.language import say

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.answers import Hint, Rows
    from solver.game import Game
    from solver.limits import Control


@dataclass(frozen=True)
class Round:
    """A round at one moment; every decision in it has its own position.

    The seat that decides sees only a view, even where several decide simultaneously. `players` is the number of
    seats. `others` is the strength that hints assume for the other players, and `match` has the
    keys about the match that are added to views (`solver.tricks.match.OfMatch`).
    """

    game: Game
    position: BaseModel
    players: int
    match: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    others: Others | None = field(default=None, kw_only=True)

    @property
    def to_move(self) -> int | None:
        """The seat that decides next; None when the round is over."""
        if not self.game.legal_moves(self.position):
            return None
        seat: int = self.position.seat_to_move  # type: ignore[attr-defined]
        return seat

    def view(self) -> BaseModel:
        """What the seat to move sees. Raises MoveError when the round is over."""
        return self._view

    @cached_property
    def _view(self) -> BaseModel:  # cached, since making it is most of the work of a move
        seat = self.to_move
        if seat is None:
            raise MoveError("illegal_move", say("the round is over"))
        return self._of_match(self.game.view(self.position, seat))

    def _of_match(self, view: BaseModel) -> BaseModel:
        return view.model_copy(update=self.match) if self.match else view

    def seen(self, seat: int) -> BaseModel | None:
        """What a seat sees now, even if it is not to move; when the round is over, everything.

        None where no position can express it, as between a seat's own pick and those of the others.
        """
        to_move = self.to_move
        if to_move is None:
            return self.position
        return self.view() if seat == to_move else self._of_match(self.game.view(self.position, seat))

    def moves(self) -> Sequence[str]:
        """The legal moves of the seat to move, in canonical order."""
        if self.to_move is None:
            return ()
        view = self.view()
        return [self.game.format_move(view, move) for move in self.game.legal_moves(view)]

    def move_of(self, text: str) -> str:
        """The legal move that `text` means, spelled as in `moves`. Raises MoveError with the reason if illegal."""
        with suppress(MoveError):  # try without the view first: making it is most of the work
            move = self.game.parse_move(self.position, text)
            if self.in_view(move):
                return self.game.format_move(self.position, move)
        view = self.view()
        return self.game.format_move(view, self.game.parse_move(view, text))

    def in_view(self, move: Any) -> bool:
        """Whether a legal move of the position is certainly legal in its seat's view, too."""
        return True

    def announcement(self, move: str) -> str:
        """What everybody sees of a legal move and its effects."""
        return move

    def secret(self, move: str) -> bool:
        """Whether a legal move is still hidden from the others: `announcement` does not reveal it."""
        return False

    def winner(self, after: Round) -> int | None:
        """The seat that won the trick just ended by a move that led to `after`; None if no seat did."""
        return None

    def draws(self, move: str) -> str | None:
        """The card that a legal move draws, seen only by its seat; None if it draws none."""
        return None

    def play(self, move: str) -> Self:
        """The round after a legal move. Raises MoveError."""
        position = self.position
        after = self.game.play(position, self.game.parse_move(position, move))
        return replace(self, position=after)

    def hint(self, control: Control, *, seed: int = 0) -> Hint:
        """The best move for the seat to move, given what it sees."""
        return self.game.hint(self.view(), control, seed=seed, others=self.others)

    def hint_in_truth(self, control: Control, *, seed: int = 0) -> Hint | None:
        """Like `hint`, but in the actual deal: what each move is worth if all play on seeing just their own cards.

        None if the game's hint samples no deals, or the deal is unknown.
        """
        hands: Sequence[int] | None = getattr(self.position, "hand_masks", None)
        seat = self.to_move
        if hands is None or seat is None:
            return None
        with lying([*hands[seat + 1 :], *hands[:seat]]):
            return self.hint(control, seed=seed)

    def for_match(self) -> Self:
        """This fresh round, with hints that always aim to win the match. Raises RequestError if there are none."""
        message = say("hints for {game} do not play for a match", game=self.game.name)
        raise RequestError("not_offered", message, "for_match")

    def among(self, others: Others) -> Self:
        """This fresh round, with players of strength `others`. Raises RequestError if that is not offered."""
        return replace(self, others=self.game.strength(others))

    def drawn(self, seed: int) -> str | None:
        """The move of a player of strength `others` in the seat to move; None for a player who follows hints."""
        if self.others is None or self.others == "equal":
            return None
        view = self.view()
        return self.game.format_move(view, self.game.drawn(view, self.others, seed))

    def by_points(self) -> Round:
        """The round without the state of the match, so that hints maximize points."""
        return replace(self, match={}) if self.match else self

    @property
    def unit(self) -> str:
        """What reviews of this round count: "points", the "chance" to win, or the "lead" in points at its end."""
        return "points"

    @property
    def known(self) -> BaseModel | None:
        """The position in which the seat to move decides, with every card known; None if it cannot be analyzed."""
        return self.position if "analyze" in self.game.asks(self.position) else None

    def leads_to(self, move: str) -> Sequence[str]:
        """The moves of `known` that a legal move may turn into: several if it is only the first part of one."""
        return (move,)

    @property
    def opens(self) -> bool:
        """Whether cards have just been turned up for all, and nobody has decided since."""
        return False

    @property
    def late(self) -> str | None:
        """The move made for a seat that takes too long; None in games without a clock."""
        return None

    def rows(self, seat: int | None = None) -> Rows:
        """What a seat (by default the seat to move) sees, for display; everything when the round is over."""
        mover = self.to_move
        if mover is None:
            return self.game.describe(self.position)
        return self.game.describe(self.view() if seat in (None, mover) else self.game.view(self.position, seat))

    def cards(self) -> list[dict[str, str]]:
        """A table row for each card, the code first; empty if the codes need no explanation."""
        return []


Shown = tuple[tuple[str, ...], ...]  # cards of each seat


@dataclass(frozen=True)
class Playing(ABC):
    """How a game is played round by round, until a match is won. Each game derives its own class."""

    game: Game

    usual: ClassVar[str | None] = None  # the variant that is dealt unless another is asked for

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
        """A new round, with deal `number` of a seed, that follows the rounds `before`.

        `deck` and `rules` are as in `solver.game.Game.deal`. Raises RequestError for a variant, number of players
        or deck that cannot be dealt, PositionError for an unknown deck or option.
        """
        variant = variant or self.usual
        dealt = self.game.deal(seed, number=number, players=players, variant=variant, deck=deck, rules=rules)
        return self.begun(dealt, before, seed, number)

    @abstractmethod
    def begun(self, dealt: Any, before: Sequence[Round], seed: int, number: int) -> Round:
        """The round that begins with a deal, number `number` of a seed, after the rounds `before`."""

    @abstractmethod
    def record(self, rounds: Sequence[Round]) -> BaseModel:
        """The finished rounds of a match, at least one, as the game's `score` takes them."""

    @abstractmethod
    def finished(self, rounds: Sequence[Round]) -> bool:
        """Whether the match is over after these rounds, at least one."""

    @abstractmethod
    def summary(self, rounds: Sequence[Round], you: int | None) -> Sequence[str]:
        """Sentences about the result of the last of these finished rounds (at least one), and the match so far.

        `you` is the seat that is addressed; None: nobody, as in a solitaire.
        """

    # Rounds at a real table: one seat saw a `view`, later the `end`, and then the cards `shown` by the seats.
    # In a trick game, the cards played reveal the hands without these methods.

    def open_round(self, view: BaseModel, later: Sequence[str] | None) -> Round | None:
        """The round at a view that hides no hand, given what was seen `later` up to the end; else None."""
        return None

    def own_score(self, view: BaseModel) -> int | None:
        """The score of the seat that saw a round to its end; None if that does not follow from the view."""
        return None

    def known_at(self, view: BaseModel, end: BaseModel, shown: Shown) -> BaseModel | None:
        """The position at a view with every card known; None if `end` and `shown` do not determine it."""
        return None

    def hint_in_truth(
        self, view: BaseModel, end: BaseModel, shown: Shown, control: Control, seed: int
    ) -> Hint | None:
        """The hint at a view from deals that lead to this end; None if too few such deals are found."""
        return None

    def can_show(self, end: BaseModel, shown: Shown) -> bool | None:
        """Whether the seats can have shown these cards at the end; None if only `known_at` can decide that."""
        return None
