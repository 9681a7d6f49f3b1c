"""Rounds in play: which seat is to move, what it sees, and the effect of each move.

A round is immutable, and its moves are texts as in answers, so a game in progress can be stored as its deal and a
list of texts. A round at a real table is followed by one seat: its position is that seat's view, and its moves are
what the seat saw (`athanor.play`).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from solver.common import Others, lying
from solver.errors import IncompleteMoveError, MoveError, RequestError
from solver.game import Game, is_open, spelled
from solver.language import say, say_many

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.answer_tables import Rows
    from solver.answers import Hint, LeftOver, OpponentMatch, Score
    from solver.limits import Control


CARD = re.compile(r"[A-Za-z][0-9A-Za-z+-]{0,2}(:[A-Za-z])?|10|[0-9]|(10|[0-9+-]{1,2})[A-Za-z]")
Shown = tuple[tuple[str, ...], ...]  # cards of each seat


class Hindsight(NamedTuple):
    """What a seat that followed a round knows of a moment in it once the round is over.

    `end` is its view at the end. `shown` has the cards that each seat showed then: in Kirin the card set aside, in
    Aqua Regia the cards left in hand. `later` is what was seen from this moment on.
    """

    end: Any
    shown: Shown
    later: Sequence[str] = ()


@dataclass(frozen=True)
class Round:
    """A round at one moment.

    The seat to move sees only its own view, even if several seats decide simultaneously. `players` is the number
    of seats. `others` is the strength that hints assume for the other players, and `match` has the keys about the
    match that are added to views (`solver.tricks.match.OfMatch`).

    `seat` is the seat that follows the round at a real table; None if all cards are known. `entries` then has what
    was entered of a move that is still incomplete, such as a match without the cards turned up after it. If a card
    was missed (``?``), it has everything entered from that card on; `asked` asks for the missing part, and
    `next_seat` is the seat that acts next, or None. `hindsight` is set once such a round is over.
    """

    game: Game
    position: BaseModel
    players: int
    match: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    others: Others | None = field(default=None, kw_only=True)
    seat: int | None = field(default=None, kw_only=True)
    entries: tuple[str, ...] = field(default=(), kw_only=True)
    asked: str = field(default="", kw_only=True)
    next_seat: int | None = field(default=None, kw_only=True)
    hindsight: Hindsight | None = field(default=None, kw_only=True)

    @property
    def to_move(self) -> int | None:
        """The seat to move; None when the round is over."""
        if self.asked and self.seat is not None:  # while a question is open, it is nobody's turn
            return (self.seat + 1) % self.players if self.next_seat is None else self.next_seat
        return self.game.turn(self.position)

    def view(self) -> BaseModel:
        """Return what the seat to move sees. Raises MoveError when the round is over."""
        return self._view

    @cached_property
    def _view(self) -> BaseModel:  # cached, since making it is most of the work of a move
        if self.seat is not None:
            return self.position
        seat = self.to_move
        if seat is None:
            raise MoveError("illegal_move", say("the round is over"))
        return self._of_match(self.game.view(self.position, seat))

    def _of_match(self, view: BaseModel) -> BaseModel:
        return view.model_copy(update=self.match) if self.match else view

    def seen(self, seat: int) -> BaseModel | None:
        """Return what a seat sees now, even if it is not to move.

        When the round is over, every seat sees everything. Returns None if `seat` has made its choice and waits
        for simultaneous choices of others, since no view can express that, and if another seat follows the round.
        """
        if self.seat is not None:
            return self.position if seat == self.seat else None
        to_move = self.to_move
        if to_move is None:
            return self.position
        return self.view() if seat == to_move else self._of_match(self.game.view(self.position, seat))

    def moves(self) -> Sequence[str]:
        """Return the legal moves of the seat to move, in canonical order; none when the round is over.

        None are known if another seat follows the round, or if the last move is incomplete.
        """
        mover = self.to_move
        if self.entries or mover is None or self.seat not in (None, mover):
            return ()
        view = self.view()
        return [self.game.format_move(view, move) for move in self.game.legal_moves(view)]

    def move_of(self, text: str) -> str:
        """Return the legal move that `text` means, spelled as in `moves`. Raises MoveError if it is illegal.

        Of what a seat saw at a real table, only the spelling is corrected unless it is the seat's own legal move.
        """
        if self.seat is not None:
            usual = spelled(self.game, self.position, [text])[0]
            with suppress(MoveError):
                if self.moves():
                    return self.game.format_move(self.position, self.game.parse_move(self.position, usual))
            return usual
        with suppress(MoveError):  # try without the view first: making it is most of the work
            move = self.game.parse_move(self.position, text)
            if self.in_view(move):
                return self.game.format_move(self.position, move)
        view = self.view()
        return self.game.format_move(view, self.game.parse_move(view, text))

    def in_view(self, move: Any) -> bool:
        """Return whether a move that is legal in the position is certainly legal in the mover's view, too.

        If False, the caller must check the move against the view's legal moves.
        """
        return True

    def announcement(self, move: str) -> str:
        """Return what everybody sees of a legal move and its effects."""
        return move

    def secret(self, move: str) -> bool:
        """Return whether a legal move stays hidden from the others for now, so that `announcement` omits it."""
        return False

    def revealed(self, move: str, now: Round) -> str | None:
        """Return what everybody saw of a secret move of this round by `now`; None if it is still hidden."""
        return None

    def winner(self, after: Round) -> int | None:
        """Return the seat that won the trick, if the last move before `after` completed a trick; else None."""
        return None

    def draws(self, move: str) -> str | None:
        """Return the card that a legal move takes from the stock, unseen by the others; None if it takes none."""
        return None

    def play(self, move: str) -> Self:
        """Return the round after a legal move or, at a real table, after what was seen.

        Raises MoveError for what is illegal or impossible.
        """
        words = move.split() if self.entries and not self.asked else ()  # cards turned up may be alike, as 6 6
        texts = (*self.entries, *(words if words and all(map(CARD.fullmatch, words)) else [move]))
        try:
            position, _ = self.game.observe(self.position, texts)
        except IncompleteMoveError as error:
            return replace(self, entries=texts, asked=error.message, next_seat=error.seat)
        except MoveError as error:
            if error.code == "incomplete_move":
                return replace(self, entries=texts)
            raise
        return replace(self, position=position, entries=(), asked="", next_seat=None)

    def hint(self, control: Control, *, seed: int = 0) -> Hint:
        """Return the best move for the seat to move, given what it sees."""
        return self.game.hint(self.view(), control, seed=seed, others=self.others)

    def hint_in_truth(self, control: Control, *, seed: int = 0) -> Hint | None:
        """Return a hint like `hint`, but with the moves judged in the actual deal instead of sampled ones.

        The simulated players still see only their own cards. Returns None if the game's hints sample no deals, or
        if the deal is unknown.
        """
        hands: Sequence[int] | None = getattr(self.position, "hand_masks", None)
        seat = self.to_move
        if hands is None or seat is None or self.seat is not None:
            return None
        with lying([*hands[seat + 1 :], *hands[:seat]]):
            return self.hint(control, seed=seed)

    def given(self, move: str) -> float | None:
        """Return what a move gave the other player in the actual deal, in the unit of reviews.

        It is compared with the move that simulated players make, and may be negative. Returns None if that is not
        known: then whatever changes with the move is due to it.
        """
        return None

    def for_match(self) -> Self:
        """Return this fresh round, with hints that aim to win the match.

        Raises RequestError if the game's hints cannot do that.
        """
        message = say("hints for {game} do not play for a match", game=self.game.name)
        raise RequestError("not_offered", message, "for_match")

    def among(self, others: Others) -> Self:
        """Return a copy of this round, which must not have begun, with opponents of strength `others`.

        Raises RequestError if the game does not offer that strength.
        """
        return replace(self, others=self.game.strength(others))

    def raced(self, seat: int) -> Self:
        """Return this fresh round as a race, in which whoever is quicker moves first: `seat` unless a move begins
        with another seat, as in ``1:5+2=7``.

        Raises RequestError if the game has no race.
        """
        raise RequestError("not_offered", say("{game} is no race", game=self.game.name), "race")

    def find(self, seat: int, seed: int) -> OpponentMatch | None:
        """Return what a player of an even pace finds in a race; None if there is nothing to find, or no race."""
        return None

    def by(self, move: str) -> tuple[Round, str]:
        """Return the round with the seat to move that makes `move`, and the move without that seat."""
        return self, move

    def drawn(self, seed: int) -> str | None:
        """Draw a move for a simulated player of strength `others` in the seat to move.

        Returns None if the other players follow hints.
        """
        if self.others is None or self.others == "equal":
            return None
        return self.game.drawn(self.view(), self.others, seed)

    def by_points(self) -> Self:
        """Return the round without the state of the match, so that hints maximize points."""
        return replace(self, match={}) if self.match else self

    @property
    def unit(self) -> str:
        """The unit of reviews: "points", "chance" (to win), or "lead" (points ahead at the round's end)."""
        return "points"

    @property
    def known(self) -> BaseModel | None:
        """The current position with every card known; None if it cannot be analyzed."""
        return self.position if "analyze" in self.game.asks(self.position) else None

    @property
    def revoked(self) -> Sequence[str]:
        """Sentences on plays that were against the rules in truth, which the seat that followed did not know."""
        return ()

    def closed(self) -> Round | None:
        """Return a finished round as `Playing.score` takes it; None if too little of it was seen."""
        if self.seat is None:
            return self
        known = self.known
        return None if known is None else replace(self, position=known, seat=None, hindsight=None)

    def can_show(self) -> bool:
        """Whether the cards that the seats showed at the end of a round at a real table can be right."""
        return self.known is not None

    def leads_to(self, move: str) -> Sequence[str]:
        """Return the legal moves of the position `known` that begin with `move`.

        There are several if `move` is only part of a move, and just `move` itself if it is complete.
        """
        return (move,)

    @property
    def opens(self) -> bool:
        """Whether cards have just been turned up for everybody, and nobody has moved since."""
        return False

    @property
    def late(self) -> str | None:
        """The move made for a seat that takes too long; None in games without a clock."""
        return None

    def rows(self, seat: int | None = None) -> Rows:
        """Return what a seat (by default the seat to move) sees, as rows for display.

        When the round is over, the rows show every card, whatever `seat` is.
        """
        mover = self.to_move
        if mover is None or self.seat is not None:
            return self.game.describe(self.position)
        return self.game.describe(self.view() if seat in (None, mover) else self.game.view(self.position, seat))

    def cards(self) -> list[dict[str, str]]:
        """Return a table row for each card, beginning with its code; empty if the codes need no explanation."""
        return []


def not_playable() -> RequestError:
    """Return the error for a position from which no round can start, such as a puzzle."""
    return RequestError("not_playable", say("no round can start from this position"))


@dataclass(frozen=True)
class Playing(ABC):
    """How a game is played round by round, until a match is won. Each game has its own subclass."""

    game: Game

    usual: ClassVar[str | None] = None  # the variant that is dealt unless another is asked for

    @property
    def match_rounds(self) -> int | None:
        """The number of rounds in a match; None if its end follows from the points."""
        return None

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
        """Start the round that follows the rounds `before`, with deal `number` of `seed`.

        `deck` and `rules` are as in `solver.game.Game.deal`. Raises RequestError for a variant, number of players
        or deck that cannot be dealt, PositionError for an unknown deck or option.
        """
        variant = variant or self.usual
        dealt = self.game.deal(seed, number=number, players=players, variant=variant, deck=deck, rules=rules)
        return self.begun(dealt, before, seed, number)

    def viewer(self, position: BaseModel) -> int | None:
        """Return the seat that sees a view; None for a position with every card known."""
        hides = getattr(position, "stock", None) is None if is_open(position) else self.game.is_view(position)
        return getattr(position, "seat", 0) if hides else None

    @abstractmethod
    def start(self, position: Any) -> Round:
        """Start a round from a position or view. Raises RequestError for one from which no round can start."""

    @abstractmethod
    def begun(self, dealt: Any, before: Sequence[Round], seed: int, number: int) -> Round:
        """Start the round that follows the rounds `before`, with the deal `dealt`, deal `number` of `seed`."""

    @abstractmethod
    def record(self, rounds: Sequence[Round]) -> BaseModel:
        """Return one or more finished rounds of a match as the record that the game's `score` takes."""

    def score(self, rounds: Sequence[Round]) -> Score:
        """Return the score of one or more finished rounds of a match."""
        return self.game.score(self.record(rounds))

    @abstractmethod
    def finished(self, rounds: Sequence[Round]) -> bool:
        """Return whether the match is over after these rounds; there must be at least one."""

    @abstractmethod
    def summary(self, rounds: Sequence[Round], you: int | None) -> Sequence[str]:
        """Describe, in sentences, the result of the last of these rounds and the match so far.

        There must be at least one round, and all must be finished. `you` is the seat that is addressed; None if
        nobody is, as in a solitaire.
        """

    def standings(self, position: BaseModel) -> Sequence[int] | None:
        """Return how far each seat is at a `position` of a round, as it counts at the end; the most is ahead.

        Returns None if this is unknown, and where the seats don't compete.
        """
        return None

    def decided(self, by: str, seat: int, brought: int, you: int | None) -> str:
        """Say that the round was decided `by` what brought `seat` so many points, or ahead without any."""
        if brought <= 0:
            if seat == you:
                return say("{by} puts you ahead in this round for good.", by=by)
            return say("{by} puts {seat:who} ahead in this round for good.", by=by, seat=seat)
        if seat == you:
            return say_many(
                "{by} brings you {count} point and the lead in this round for good.",
                "{by} brings you {count} points and the lead in this round for good.",
                brought,
                by=by,
            )
        return say_many(
            "{by} brings {seat:who} {count} point and the lead in this round for good.",
            "{by} brings {seat:who} {count} points and the lead in this round for good.",
            brought,
            by=by,
            seat=seat,
        )

    # Rounds at a real table.

    def own_score(self, view: BaseModel) -> int | None:
        """Return a seat's score, from its view at the end of a round.

        Returns None if the view does not determine the score.
        """
        return None

    def left_over(self, end: BaseModel) -> LeftOver | None:
        """Return what the seats may show at the `end` of a round, as one seat saw it; None for nothing."""
        return None

    def next_leader(self, end: BaseModel) -> Mapping[str, int]:
        """Return the key of a position that says who begins the next round, after one that ended so.

        Returns no key if the rules don't say who.
        """
        return {}

    def wins_match(self, number: int, totals: Sequence[int | None]) -> bool:
        """Whether a match is over after round `number` (from 1) with these totals, as far as they are known."""
        return False


def playing_of(game: Game) -> Playing:
    """Return how a game is played round by round."""
    playing: Playing = game.find("playing")(game)
    return playing
