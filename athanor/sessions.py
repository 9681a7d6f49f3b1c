"""A game in progress: its deals and the moves made, what follows from them, and how a file keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from athanor.observed import ObservedRound, round_of
from solver import registry
from solver.common.rng import SEEDS, Random
from solver.decks import NamedDeck
from solver.inputs.errors import AthanorError, MoveError, PositionError, RequestError
from solver.inputs.findings import validated
from solver.protocol.answers import Answer
from solver.protocol.game import Game
from solver.protocol.playing import Round
from solver.protocol.readings import SentRules

Seed = Annotated[int, Field(ge=0, lt=SEEDS, strict=True)]
SECONDS = 0.3  # of a choice of the others, and of a hint, unless something is said
Seconds = Annotated[float, Field(ge=0.05, le=60, strict=True)]


class Saved(BaseModel):
    """What a file of a game in progress holds. All else follows from it by the rules.

    Round `r` is deal `number` + `r` of the seed; `moves` has a list of texts for each round, in the order of play.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    saved: Literal["athanor play"] = "athanor play"
    game: Annotated[str, Field(strict=True)]
    seed: Seed
    number: Seed = 0
    players: Annotated[int, Field(ge=1, strict=True)] | None = None
    variant: Annotated[str, Field(strict=True)] | None = None
    deck: NamedDeck | None = None
    rules: SentRules | None = None
    seat: Annotated[int, Field(ge=0, strict=True)] = 0
    rounds: Annotated[int, Field(ge=1, strict=True)] | None = None
    for_match: Annotated[bool | None, Field(strict=True, description="Whether hints always go by the match.")] = (
        None
    )
    seconds: Seconds
    moves: tuple[tuple[Annotated[str, Field(strict=True)], ...], ...] = ()
    dealt: Annotated[
        tuple[Annotated[str, Field(strict=True)], ...] | None,
        Field(description="Of a game at a real table, the line with which each round begins; no seed is needed."),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _of_a_real_table(cls, data: object) -> object:
        """A game whose cards were dealt by hand has no seed, and nobody who has to choose in time."""
        if isinstance(data, Mapping) and data.get("dealt"):
            return {"seed": 0, "seconds": SECONDS, **data}
        return data


def read(content: bytes) -> Saved:
    """What a file holds. Raises PositionError that names the key at fault."""
    from solver.inputs.jsontext import loads

    return validated(Saved.model_validate, loads(content, "saved game"))


class Session:
    """A game in progress. Every change goes through `play` and `undo`, so that it can be saved at any time.

    A *decision* is a move of the player's own seat where there is more than one legal move or, with `forced`,
    any move of that seat.
    """

    def __init__(self, saved: Saved, *, forced: bool = True) -> None:
        """Start a game, or play a saved one up to where it was left.

        Raises RequestError for what is not dealt, and the error of a move that is not legal with its path.
        """
        self.game: Game = registry.game(saved.game)
        self.seat = saved.seat
        self.seconds = saved.seconds
        self._forced = forced
        self._saved = saved
        self._rounds: list[list[Round]] = []  # of each round its state at the start and after each move
        self._moves: list[list[str]] = []
        self.observed = False  # whether it was written down by one who saw only part of the cards
        self._undone: list[str] = []  # what `undo` took back, the next to be made again last
        self._open()
        if not self.observed and saved.seat >= self.round.players:
            message = f"there is no seat {saved.seat}; seats are 0 to {self.round.players - 1}"
            raise RequestError("out_of_range", message, "seat")
        self._replay(saved.moves)

    @property
    def round(self) -> Round:
        """The round in play; the last one when the game is over."""
        return self._rounds[-1][-1]

    @property
    def number(self) -> int:
        """How many rounds came before this one."""
        return len(self._rounds) - 1

    @property
    def count(self) -> int:
        """How many moves were made in all rounds."""
        return sum(map(len, self._moves))

    @property
    def over(self) -> bool:
        return self.round.to_move is None

    @property
    def deciding(self) -> bool:
        """Whether the player has a decision to make now."""
        return self.round.to_move == self.seat and (self._forced or len(self.round.moves()) > 1)

    @property
    def undone(self) -> str | None:
        """The next move to be made again of those that were taken back; None when there is none."""
        return self._undone[-1] if self._undone else None

    @property
    def ended(self) -> Sequence[Round]:
        """The rounds that are over, at their ends."""
        return [states[-1] for states in self._rounds if states[-1].to_move is None]

    @property
    def hint_seed(self) -> int:
        """The seed of the hint for the decision at hand: another for each, the same whenever it comes up."""
        return Random(self._saved.seed, self.count).below(1 << 30)

    @property
    def saved(self) -> Saved:
        """The game as it is now, to be kept in a file."""
        return self._saved.model_copy(update={"moves": tuple(map(tuple, self._moves))})

    def score(self) -> Answer:
        """The game's own score of the rounds that are over, at least one."""
        return self.game.score(self.game.playing.record(self.ended))

    def rounds(self) -> Sequence[Sequence[Round]]:
        """Every round so far, each at its start and after each of its moves."""
        return [tuple(states) for states in self._rounds]

    def made(self, number: int) -> Sequence[str]:
        """The moves made in a round, counted from 0."""
        return tuple(self._moves[number])

    def summary(self) -> Sequence[str]:
        """What the last round that is over brought, and how the match stands, in sentences."""
        you = self.seat if self.round.players > 1 else None
        return self.game.playing.summary(self.ended, you)

    def move_of(self, text: str) -> str:
        """The legal move that a text means, in whatever case it is written. Raises MoveError."""
        try:
            return self.round.move_of(text)
        except MoveError as found:
            words = {word.casefold(): word for move in self.round.moves() for word in (move, *move.split())}
            whole = " ".join(text.split())
            for again in (whole, " ".join(words.get(word.casefold(), word) for word in whole.split())):
                meant = words.get(again.casefold(), again)
                with suppress(MoveError):
                    return self.round.move_of(meant)
            raise found

    def play(self, move: str) -> bool:
        """Make a legal move of the seat to move; whether it ended a round. Raises MoveError.

        Moves that were taken back can be made again until another one is made.
        """
        after = self.round.play(move)
        if self.undone == move:
            self._undone.pop()
        else:
            self._undone.clear()
        self._rounds[-1].append(after)
        self._moves[-1].append(move)
        ended = after.to_move is None
        if ended and not self._match_over():
            self._open()
        return ended

    def undo(self) -> bool:
        """Go back to the last decision of the player's own; False, and nothing is changed, if there is none."""
        rounds, moves = [list(states) for states in self._rounds], [list(made) for made in self._moves]
        undone = list(self._undone)
        while self._step_back():
            if self.deciding:
                return True
        self._rounds, self._moves, self._undone = rounds, moves, undone
        return False

    def redo(self, moves: Sequence[str]) -> int:
        """Make the first of moves that were taken back, and on to the player's next decision; how many these were.

        Raises MoveError with the path of a move that is not legal, such as ``[2]``.
        """
        made = 0
        for move in moves:
            if made and self.deciding:
                break
            try:
                self.play(self.round.move_of(move))
            except MoveError as found:
                raise MoveError(found.code, found.message, f"[{made}]") from None
            made += 1
        return made

    def _step_back(self) -> bool:
        """Take the last move back, with the round that it opened; False at the beginning of the game."""
        if not self._moves[-1] and self.number:
            self._rounds.pop()
            self._moves.pop()
        if not self._moves[-1]:
            return False
        self._rounds[-1].pop()
        self._undone.append(self._moves[-1].pop())
        return True

    def _open(self) -> None:
        options = self._saved
        number = len(self._rounds)
        opening = self.game.playing.opening(
            options.seed,
            number=(options.number + number) % SEEDS,
            players=options.players,
            variant=options.variant,
            before=() if options.dealt else self.ended,
            deck=options.deck,
            rules=options.rules,
        )
        if options.dealt:
            opening = self._dealt(number, options.dealt[number], opening)
        self._rounds.append([opening.for_match() if options.for_match else opening])
        self._moves.append([])

    def _dealt(self, number: int, line: str, usual: Round) -> Round:
        """The round of a real table. Raises PositionError with its path where none begins so."""
        try:
            found = round_of(line, usual)
        except AthanorError as error:
            raise PositionError(error.code, error.message, f"dealt[{number}]", error.others) from None
        if isinstance(found, ObservedRound):
            if found.game is not self.game:
                raise PositionError("conflict", f"this is a view of {found.game.name}", f"dealt[{number}]")
            self.observed, self.seat = True, found.seat
        return found

    def _match_over(self) -> bool:
        rounds = self.ended
        if self._saved.dealt:
            return len(rounds) == len(self._saved.dealt)
        return len(rounds) == self._saved.rounds or self.game.playing.finished(rounds)

    def _replay(self, rounds: Sequence[Sequence[str]]) -> None:
        for number, moves in enumerate(rounds):
            for index, text in enumerate(moves):
                path = f"moves[{number}][{index}]"
                if self.over or self.number > number:
                    raise PositionError("conflict", f"{text!r} comes after the end of its round", path)
                try:
                    self.play(self.move_of(text))
                except AthanorError as found:
                    raise PositionError(found.code, found.message, path) from None
            if number + 1 < len(rounds) and self.number == number:
                over = "the game is over after this round, but another follows"
                message = over if self.over else "a round follows this one, which is not over"
                raise PositionError("conflict", message, f"moves[{number}]")
