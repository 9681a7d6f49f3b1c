"""A game in progress: its deals and moves, all that follows from them, and its file formats."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from athanor.arguments import limit_of
from solver import registry, strict_json
from solver.answers import Answer, Hint, Score
from solver.common import EXACT, SEEDS, Others, Random
from solver.decks import NamedDeck
from solver.display import leaders_of
from solver.errors import AthanorError, MoveError, PositionError, RequestError
from solver.game import Game
from solver.language import say, say_many, sentences
from solver.positions import parse_position
from solver.registry import game_of
from solver.rounds_in_play import CARD, Hindsight, Round, Shown, not_playable, playing_of
from solver.rule_options import SentRules
from solver.strict_json import typed_json
from solver.texts import decoded, game_typed, mark_of, plain, unwrapped
from solver.validation import validated

if TYPE_CHECKING:
    from solver.limits import Control


Seed = Annotated[int, Field(ge=0, lt=SEEDS, strict=True)]
MOST_ROUNDS = 100  # of a match: a duel of Alchemy takes about ten, other matches fewer
MOST_MOVES = 1_000  # of a round: no round has so many
_MOST_SHOWN = 1_000  # cards at the end of a round
SECONDS = 0.3  # the default time for another player's choice, and for a hint
Seconds = Annotated[float, Field(ge=0.05, le=60, strict=True)]


_Text = Annotated[str, Field(strict=True)]
_Shown = Annotated[tuple[_Text, ...], Field(max_length=_MOST_SHOWN, fail_fast=True)]


class Saved(BaseModel):
    """The contents of a saved game; everything else follows from the rules.

    Round r (from 0) is deal `number` + r of the seed; `moves` lists the moves of each round as text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    saved: Literal["athanor play"] = "athanor play"
    game: Annotated[str, Field(strict=True)]
    seed: Seed
    number: Seed = 0
    players: Annotated[int, Field(ge=1, lt=EXACT, strict=True)] | None = None
    variant: Annotated[str, Field(strict=True)] | None = None
    deck: NamedDeck | None = None
    rules: SentRules | None = None
    seat: Annotated[int, Field(ge=0, lt=EXACT, strict=True)] = 0
    rounds: Annotated[int, Field(ge=1, lt=EXACT, strict=True)] | None = None
    for_match: Annotated[bool | None, Field(strict=True)] = None
    race: Annotated[bool | None, Field(strict=True)] = None
    others: Others | None = None
    seconds: Seconds
    moves: Annotated[
        tuple[Annotated[tuple[_Text, ...], Field(max_length=MOST_MOVES, fail_fast=True)], ...],
        Field(max_length=MOST_ROUNDS, fail_fast=True),
    ] = ()
    dealt: Annotated[tuple[_Text, ...] | None, Field(max_length=MOST_ROUNDS, fail_fast=True)] = None
    shown: Annotated[
        tuple[Annotated[tuple[_Shown, ...], Field(max_length=_MOST_SHOWN, fail_fast=True)], ...] | None,
        Field(max_length=MOST_ROUNDS, fail_fast=True),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _of_a_real_table(cls, data: object) -> object:
        """Add the seed and the time limit that a game dealt by hand may lack."""
        if isinstance(data, Mapping) and data.get("dealt"):
            return {"seed": 0, "seconds": SECONDS, **data}
        return data


def read(content: bytes | str) -> Saved:
    """Read a saved game from JSON. Raises PositionError with the path of the wrong key."""
    return validated(Saved.model_validate, typed_json(content, "saved game"))


class LoggedMove(Answer):
    """A move of a game in progress."""

    round: int
    seat: int
    announcement: str
    move: str | None
    trick: int | None
    won_by: int | None


def _lying(table: Round) -> int | None:
    """Return the number of cards played to the current trick, or None in a game without tricks."""
    position = table.position
    cards = getattr(position, "trick", getattr(position, "table", None))
    return None if cards is None else len(cards)


class Session:
    """A game in progress. It changes only through `play`, `undo` and `redo`, so it can be saved at any time.

    A *decision* is a move of the player's own seat with more than one legal choice. With `forced`, and in games
    whose point is to find the moves, every move of that seat is a decision.
    """

    def __init__(self, saved: Saved, *, forced: bool = True, control: Control | None = None) -> None:
        """Start a game, or continue a saved one.

        Raises RequestError for a seat that does not exist, for a round that cannot be dealt, and
        (``limit_reached``) if `control` is cancelled meanwhile; PositionError for an illegal move, with its path,
        and for an unusable deck or impossible shown cards.
        """
        self._control = control
        self.game: Game = registry.game(saved.game)
        self.seat = saved.seat
        self.seconds = saved.seconds
        self._forced = forced or self.game.finding
        self._saved = saved
        self._rounds: list[list[Round]] = []  # for each round, the states at the start and after each move
        self._moves: list[list[str]] = []
        self.observed = False  # whether it was recorded by somebody who saw only some of the cards
        self._undone: list[str] = []  # moves taken back by `undo`, the next to redo last
        self._open()
        if not self.observed and saved.seat >= self.round.players:
            message = say(
                "there is no seat {seat}; seats are 0 to {last}",
                seat=saved.seat,
                last=self.round.players - 1,
            )
            raise RequestError("out_of_range", message, "seat")
        self._replay(saved.moves)
        self._check_shown()

    def _check_shown(self) -> None:
        """Raise PositionError if impossible cards are listed as shown, or any for a round that is not over."""
        for number, shown in enumerate(self._saved.shown or ()):
            if shown and not (number < len(self._rounds) and self._can_show(number)):
                message = say("these are not the cards that the seats have left at the end of this round")
                raise PositionError("conflict", message, f"shown[{number}]")

    def _can_show(self, number: int) -> bool:
        """Whether the cards listed as shown at the end of round `number` (from 0) are possible.

        False if this round is not over, or was not played at a real table.
        """
        end = self.states(number)[-1]
        return end.hindsight is not None and end.can_show()

    @property
    def round(self) -> Round:
        """The current round, or the last one when the game is over."""
        return self._rounds[-1][-1]

    @property
    def number(self) -> int:
        """The number of the current round, from 0."""
        return len(self._rounds) - 1

    @property
    def count(self) -> int:
        """The number of moves made in all rounds."""
        return sum(map(len, self._moves))

    @property
    def over(self) -> bool:
        return self.round.to_move is None

    @property
    def has_choice(self) -> bool:
        """Whether the player has a decision to make now."""
        return self.round.to_move == self.seat and (self._forced or len(self.round.moves()) > 1)

    @property
    def undone(self) -> str | None:
        """The next move to redo, or None."""
        return self._undone[-1] if self._undone else None

    @property
    def ended(self) -> Sequence[Round]:
        """The finished rounds, each in its final state."""
        return [states[-1] for states in self._rounds if states[-1].to_move is None]

    @property
    def hint_seed(self) -> int:
        """The seed for a hint on the current decision: different for each decision, but reproducible."""
        return Random(self._saved.seed, self.count).below(1 << 30)

    @property
    def settled(self) -> str | None:
        """The move to make without asking for a hint, or None if a hint is needed.

        It is the only legal move or, if a club player or a beginner is to move, one picked at random for that
        player.
        """
        moves = self.round.moves()
        if len(moves) == 1:
            return moves[0]
        return self.round.drawn(self.hint_seed) if moves and self.round.to_move != self.seat else None

    @property
    def saved(self) -> Saved:
        """The game in its current state, for saving."""
        return self._saved.model_copy(update={"moves": tuple(map(tuple, self._moves))})

    def hint(self, *, seconds: float | None = None, nodes: int | None = None) -> Hint:
        """Recommend a move for the seat to move, from what it sees, within `seconds` or `nodes`."""
        from solver.limits import Control

        control = Control(limit_of(None, seconds, nodes))
        if self.round.asked:
            from solver.hints.guesses import hint_by_guesses

            return hint_by_guesses(self.round, control, self.hint_seed)
        return self.round.hint(control, seed=self.hint_seed)

    def score(self) -> Score:
        """Return the score of the finished rounds.

        Raises RequestError if there is none, or if some of the cards of one were never seen.
        """
        if not self.ended:
            raise RequestError("not_applicable", say("no round of this game is over"))
        ends = [end for number in range(len(self.ended)) if (end := self.end(number)) is not None]
        if len(ends) < len(self.ended):
            raise RequestError("not_applicable", say("not all cards were seen, so the score is not known"))
        return playing_of(self.game).score(ends)

    def result(self, number: int, seat: int) -> float | None:
        """Return a seat's result in round `number` (from 0), or None if it is unknown.

        The result is the seat's score or, in a duel of Alchemy, the difference between the seat's points and the
        opponent's. In games that are only won or lost, it is 1 or 0.
        """
        end = self.end(number)
        if end is None:
            points = self._own_scores(number)[seat]
            return None if points is None else float(points)
        score = playing_of(self.game).score([end])
        totals: Sequence[int] | None = getattr(score, "totals", None)
        if totals is not None and end.unit == "lead":
            return float(2 * totals[seat] - sum(totals))
        return float(getattr(score, "value", None) == "won") if totals is None else float(totals[seat])

    def points(self, number: int) -> list[int | None]:
        """Return each seat's points in the finished round `number` (from 0), or 1 for a seat that has won.

        None stands for points that are unknown, and for those of a solitaire.
        """
        end = self.end(number)
        if end is None:
            return self._own_scores(number)
        totals: Sequence[int] | None = getattr(playing_of(self.game).score([end]), "totals", None)
        return [None] if totals is None else list(totals)

    def won(self) -> bool | None:
        """Return whether the last finished round, a solitaire, was won; None in games for several players."""
        number = len(self.ended) - 1
        end = self._rounds[number][-1]
        return self.result(number, 0) == 1 if end.players == 1 and end.unit == "chance" else None

    def _own_scores(self, number: int) -> list[int | None]:
        """Return the points, as far as they are known, in a round that may have no `end`."""
        end = self._rounds[number][-1]
        scores: list[int | None] = [None] * end.players
        if end.seat is not None and end.to_move is None and not getattr(end.position, "forgotten", 0):
            scores[end.seat] = playing_of(self.game).own_score(end.position)
        return scores

    def end(self, number: int) -> Round | None:
        """Return round `number` (from 0) in its final state, with all that is needed for its score.

        Returns None if it is not over or, at a real table, if too few cards were seen or shown.
        """
        end = self.states(number)[-1]
        return None if end.to_move is not None else end.closed()

    def outcome(self) -> str | None:
        """Return a sentence on how the last finished round ended; None if the player did not see how."""
        number = len(self.ended) - 1
        end = self.end(number)
        if end is not None:
            return sentences(*playing_of(self.game).summary([end], self.seat))
        points = self.result(number, self.seat)
        return (
            None
            if points is None
            else say_many("You have {count} point.", "You have {count} points.", int(points))
        )

    def rounds(self) -> Sequence[Sequence[Round]]:
        """Return the states of every round so far: at its start and after each of its moves."""
        return [self.states(number) for number in range(len(self._rounds))]

    def states(self, number: int) -> Sequence[Round]:
        """Return the states of round `number` (from 0), as in `rounds`."""
        states = self._rounds[number]
        last = states[-1]
        states = [*(state.by(move)[0] for state, move in zip(states, self._moves[number], strict=False)), last]
        if last.seat is None or last.to_move is not None:
            return tuple(states)
        end, shown, moves = last.position, self._shown(number), self._moves[number]
        return tuple(
            replace(state, hindsight=Hindsight(end, shown, moves[at:])) for at, state in enumerate(states)
        )

    def _shown(self, number: int) -> Shown:
        """Return the cards that each seat showed at the end of round `number` (from 0); empty if not given."""
        listed = self._saved.shown or ()
        return tuple(map(tuple, listed[number])) if number < len(listed) else ()

    def moves_of(self, number: int) -> Sequence[str]:
        """Return the moves made in round `number` (from 0), which the seats to move in `states` made."""
        return tuple(
            state.by(move)[1] for state, move in zip(self._rounds[number], self._moves[number], strict=False)
        )

    def log(self) -> Iterator[LoggedMove]:
        """Yield what the player knows of each move, in the order of play."""
        for number, moves in enumerate(self._moves):
            for at in range(len(moves)):
                yield self._logged(number, at)

    @property
    def last(self) -> LoggedMove | None:
        """What the player knows of the last move, or None before the first."""
        begun = [number for number, moves in enumerate(self._moves) if moves]
        return self._logged(begun[-1], len(self._moves[begun[-1]]) - 1) if begun else None

    def _logged(self, number: int, at: int) -> LoggedMove:
        """Return what the player knows of move `at` of round `number`, both from 0."""
        states, move = self._rounds[number], self._moves[number][at]
        (state, move), after = states[at].by(move), states[at + 1]
        own = state.to_move == self.seat
        is_secret = state.seat is None and state.secret(move)  # at a real table, moves are what the player saw
        hidden = is_secret and not own
        revealed = state.revealed(move, states[-1]) if hidden else None
        announcement = move if own or state.seat is not None else revealed or state.announcement(move)
        if own and is_secret and (card := state.draws(move)) is not None:
            announcement = say("drew {card} and passed", card=card)  # what the pass exchanges is a move of its own
        trick = won_by = None
        if _lying(state) is not None:
            trick = sum(_lying(earlier) == 0 for earlier in states[: at + 1])
            won_by = state.winner(after) if _lying(after) == 0 else None
        return LoggedMove(
            round=number + 1,
            seat=state.to_move or 0,
            announcement=announcement,
            move=None if hidden and revealed is None else move,
            trick=trick,
            won_by=won_by,
        )

    def summary(self) -> Sequence[str]:
        """Return sentences on the result of the last finished round and the standing of the match."""
        you = self.seat if self.round.players > 1 else None
        return playing_of(self.game).summary(self.ended, you)

    def decided(self) -> str | None:
        """Return a sentence on what decided the last finished round: from there on its winner was ahead.

        Returns None if several seats end level, if it is not known who was ahead when, or if the winner was ahead
        before the first move of the round that is known.
        """
        number = len(self.ended) - 1
        states = self.states(number)
        after = [at for at, state in enumerate(states) if at and (not _lying(state) or state is states[-1])]
        last = self._standings(states[-1])
        if last is None or len(leaders_of(last)) > 1:
            return None
        [winner] = leaders_of(last)
        decisive, most, before = 0, 0, 0
        for at in reversed(after):  # until somebody else was ahead
            counts = self._standings(states[at])
            if counts is None:
                return None
            before = counts[winner]
            if leaders_of(counts) != (winner,):
                break
            decisive, most = at, before
        else:
            begun = self._standings(states[0]) or (0,) * len(last)
            if leaders_of(begun) == (winner,):
                return None
            before = begun[winner]
        if _lying(states[decisive - 1]) is None:  # no game of tricks
            # Cards turned up after a move are no moves. In a duel, a move may name the seat that was quicker.
            moves = [move if re.match(r"\d:", move) else f"{state.to_move}:{move}" for state, move in
                     zip(states, self._moves[number], strict=False)]  # fmt: skip
            own = f"{winner}:"
            at = max(at for at in range(decisive) if moves[at].startswith(own) and not states[at].entries)
            by = self._logged(number, at).announcement.removeprefix(own)
        else:
            by = say("Trick {trick}", trick=sum(_lying(state) == 0 for state in states[:decisive]))
        return playing_of(self.game).decided(by, winner, most - before, self.seat)

    def _standings(self, state: Round) -> tuple[int, ...] | None:
        """How far each seat is in a state, with all that was shown at the end."""
        counts = playing_of(self.game).standings(state.position)
        if counts is None and (known := state.known) is not None:
            counts = playing_of(self.game).standings(known)
        return None if counts is None else tuple(counts)

    def move_of(self, text: str) -> str:
        """Return the legal move that a text means, ignoring case. Raises MoveError."""
        return self.round.move_of(" ".join(text.split()))

    def play(self, move: str | None) -> bool:
        """Make a legal move of the seat to move; return whether it ended a round.

        Raises MoveError if the move is illegal or None. Moves taken back can be redone until a different move is
        made.
        """
        if move is None:
            raise MoveError("illegal_move", say("there is no move to play"))
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
        """Go back to the player's last decision; return False, and change nothing, if there is none."""
        rounds, moves = [list(states) for states in self._rounds], [list(texts) for texts in self._moves]
        undone = list(self._undone)
        while self._step_back():
            if self.has_choice:
                return True
        self._rounds, self._moves, self._undone = rounds, moves, undone
        return False

    def redo(self, moves: Sequence[str]) -> int:
        """Make the first of `moves`, then more of them until the player has a decision; return how many were made.

        Raises MoveError with the path of an illegal move, such as ``[2]``.
        """
        count = 0
        for move in moves:
            if count and self.has_choice:
                break
            try:
                self.play(self.round.move_of(move))
            except MoveError as error:
                raise error.under(f"[{count}]") from None
            count += 1
        return count

    def _step_back(self) -> bool:
        """Take back the last move and any round begun after it; return False at the start of the game."""
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
        opening = playing_of(self.game).opening(
            options.seed,
            number=(options.number + number) % SEEDS,
            players=options.players,
            variant=options.variant,
            before=() if options.dealt else self.ended,
            deck=options.deck,
            rules=options.rules,
        )
        if options.dealt:
            opening = self._dealt(number, options.dealt[number])
        if options.others is not None:
            opening = opening.among(options.others)
        if options.race:
            opening = opening.raced(options.seat)
        self._rounds.append([opening.for_match() if options.for_match else opening])
        self._moves.append([])

    def _dealt(self, number: int, line: str) -> Round:
        """Start round `number` from a position or view as text. Raises PositionError with a path."""
        try:
            position = parse_position(line)
            game = game_of(position)
            if game is not self.game:
                raise PositionError("conflict", say("this is a position of {name}", name=game.name))
            opening = playing_of(game).start(position)
            if opening.seat is None and opening.to_move is None:
                raise not_playable()
        except AthanorError as error:
            raise PositionError(error.code, error.message, f"dealt[{number}]", error.others) from None
        if opening.seat is not None:
            self.observed, self.seat = True, opening.seat
            if self._saved.for_match:
                raise RequestError("not_offered", say("at a real table, the view itself says so"), "for_match")
        return opening

    def _match_over(self) -> bool:
        rounds = self.ended
        if self._saved.dealt:
            return len(rounds) == len(self._saved.dealt)
        return len(rounds) == self._saved.rounds or playing_of(self.game).finished(rounds)

    def _replay(self, rounds: Sequence[Sequence[str]]) -> None:
        for number, moves in enumerate(rounds):
            for index, text in enumerate(moves):
                path = f"moves[{number}][{index}]"
                words = say("round {round}, move {move}", round=number + 1, move=index + 1)
                if self._control is not None and self._control.cancelled():
                    raise RequestError("limit_reached", say("the game was not read to its end"))
                if self.over or self.number > number:
                    raise PositionError(
                        "conflict", say("{text!r} comes after the end of its round", text=text), path, words=words
                    )
                try:
                    self.play(self.move_of(text))
                except AthanorError as error:
                    raise PositionError(error.code, error.message, path, words=words) from None
            if number + 1 < len(rounds) and self.number == number:
                message = say("this round is not over, but another one follows")
                if self.over:
                    message = say("the game is over after this round, but another follows")
                raise PositionError("conflict", message, f"moves[{number}]")


# ----------------------------------------------------------------------------------------------------
# Games in progress or finished as text files: tags, the moves of each round in order, comments.
#
# [game kirin] [seed 7] [seat 2] ; who set what aside round D6 S3
#
# A round at a real table gives its start, ``round kirin seat=2 hand=…``, and then what was seen. A game begins
# with the tag of its name, so a file may hold several. As in chess, what follows a semicolon (or ``#``) or stands
# in braces is a comment, moves may be numbered (``1.``) and judged (``!?``); blank lines are ignored.


_COMMENTS = re.compile(r"(?<![^\s!?])(?:[;#]|//).*|(?<!=)\{[^}]*+(?:\}|(\Z))")
_NUMBERED = re.compile(
    r"(?<!\S)(?:\d++(?:\.++|\))|\[(?:\d{1,2}:\d\d(?::\d\d)?|%[a-z]{1,9} [^\]\s]{1,20})\])"
)  # moves, and when they were made
_JUDGED = re.compile(
    r"(?:(?<=[^\s!?])[!?]++(?:\$\d{1,3}+){0,9}+|(?<!\S)(?:![!?]*+|\?[!?]++|[±∓⩲⩱∞□⊕⟳]|\+-|-\+|\+/[-=]|[-=]/\+)|(?<=\w)±"
    r"|(?:(?<=[\w+-])|(?<!\S))(?:\$\d{1,3}+){1,9}+)(?=\s|\Z)"
)  # but ``?`` is a card
_RESULT = re.compile(r"(?<!\S)(?:\*|1-0|0-1|(?:1[/⁄]2|0\.5)-(?:1[/⁄]2|0\.5))\Z")  # at the end of a line
# Tags of other programs, which say nothing about the game itself.
_ABOUT = ("annotator", "black", "date", "event", "result", "round", "site", "time", "white")


_MOST_PARENTHESES = 10_000  # in a record


def _uncommented(text: str) -> Iterator[tuple[int, str]]:
    """Yield a file's lines with their numbers, from 1, without comments, variations, move numbers and what judges
    moves. Raises PositionError for a comment or a variation without an end, in which all further moves would be.
    """
    inside = False  # a comment in braces
    parentheses = 0  # so far
    opened: list[int] = []  # the lines in which variations begin, each within the one before
    begun = 0  # the line in which the last comment in braces begins
    for number, whole in enumerate(text.splitlines(), start=1):
        line = whole.strip()
        line = line if _TAG.fullmatch(line) else plain(line)  # the names in a tag's deck stay as they are
        if inside:
            _, end, line = line.partition("}")
            inside = not end
        elif _TAG.fullmatch(line):
            yield number, line
            continue
        left: list[str] = []
        at = 0
        for comment in _COMMENTS.finditer(line):
            left.append(line[at : comment.start()])
            at = comment.end()
            inside = comment[1] is not None
            begun = number
        line = "".join([*left, line[at:]]).strip()
        if line and not _starts(line, _ROUND) and not _TAG.fullmatch(line):
            parentheses += line.count("(") + line.count(")")
            if parentheses > _MOST_PARENTHESES:
                message = say("at most {most} parentheses can be read", most=f"{_MOST_PARENTHESES:,}")
                raise PositionError("invalid_text", message)
            line = _without_variations(line, number, opened)
            line = _RESULT.sub("", _JUDGED.sub(" ", _NUMBERED.sub(" ", line)).strip())
            line = " ".join(line.split()).rstrip(".。")
        if line:
            yield number, line
    if inside or opened:
        begun, end = (begun, "}") if inside else (opened[-1], ")")
        message = say("line {number}: what begins here has no end, {end}", number=begun, end=end)
        raise PositionError("invalid_text", message)


def _without_variations(line: str, number: int, opened: list[int]) -> str:
    """Return a line without what stands in parentheses. `opened` has the lines of open ones, and changes."""
    left: list[str] = []
    for part in re.split("([()])", line):
        if part == "(":
            opened.append(number)
            left.append(" ")
        elif part == ")" and opened:
            opened.pop()
        elif not opened:
            left.append(part)
    return "".join(left)


_QUOTED = re.compile(r"\s*(?:[>\uff1e]\s*)+")
_NAMED = re.compile(r"^[ \t]*+[\[\uff3b]", re.MULTILINE)  # what a tag begins with


def _unquoted(text: str) -> str:
    """Return a text without what a program puts around it, the marks of a quotation, and words before its tags.

    A quotation has its marks in all lines. Lines in front of the tags become empty: others keep their numbers.
    """
    text = unwrapped(text)
    lines = text.splitlines()
    if text.lstrip()[:1] in (">", "\uff1e") and all(_QUOTED.match(line) for line in lines if line.strip()):
        text = "\n".join(_QUOTED.sub("", line, count=1) for line in lines)
    named = _NAMED.search(text[:_FIRST_LETTERS])
    front = text[: named.start()] if named else ""
    tag = text[len(front) :][:_LONGEST_TAG]
    if not (named and _TAG_OF_GAME.match(plain(tag))) or _AHEAD.fullmatch(front):
        return text
    return "\n" * front.count("\n") + text[len(front) :]


# Numbers of moves; others are left out wherever they stand.
_COUNTED = re.compile(r"(\d{1,3})(?:[\s,|]|\u624b\u76ee)\s*(?=\S)")


def _unlisted(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of moves without the marks of a list, if all have some, or numbers from 1 on."""
    lines = [line.strip("| ") for line in lines]  # as in the rows of a table
    marks = [mark_of(line) for line in lines]
    if len(lines) < 2 or not all(marks):
        counted = [_COUNTED.match(line) for line in lines]
        numbers = [str(number) for number in range(1, 1 + len(lines))]
        marks = len(lines) * [""]
        if len(lines) > 2 and [found and found[1] for found in counted] == numbers:
            marks = [found[0] for found in counted if found]
    yield from (line[len(mark) :] for line, mark in zip(lines, marks, strict=True))


_MISSED = re.compile(r"\?\d{0,3}|\d[+-]")  # a card that was not seen, or what is entered for it afterwards
_BETWEEN_MOVES = re.compile("[,;|\u00bb\u203a\u2190-\u21ff\u25b6\u25b8\u25ba\u2794-\u27be\u27f0-\u27ff]\ufe0f?")
_SIGN = re.compile("[-/>=+~]+|\N{IDEOGRAPHIC FULL STOP}")  # between moves
_MOST_CARDS = 60  # in a line that is read as several moves; no round has more cards, each of which is there once


def moves_of(line: str) -> list[str]:
    """Split a line recorded at a real table into moves: a single move, or several cards of a trick."""
    words = [word for word in _BETWEEN_MOVES.sub(" ", plain(line)).split() if not _SIGN.fullmatch(word)]
    cards = [word.casefold() for word in words if not word.startswith("?")]
    several = len(words) <= _MOST_CARDS and len(set(cards)) == len(cards)
    several = several and all(CARD.fullmatch(word) or _MISSED.fullmatch(word) for word in words)
    return words if several else [line]


_TAG = re.compile(r"\[\s*+(\w[\w-]*+)(?:\s*+[:=]\s*+|\s++)(.*)\]")  # possessive: blanks would take n³ steps
_TAG_OF_GAME = re.compile(r"\s*\[\s*(?:game|ゲ-ム)\b", re.IGNORECASE)
_LONGEST_TAG = 100  # letters of a tag that names a game
_FIRST_LINE = re.compile(r"\s*(?:(?:[;#][^\n]*+|\{[^}\"]*+\})\s*+)*+\[\s*[^\W\d]\w*-?\w*[\s:=]|\s*;")
_AHEAD = re.compile(r"(?:\s++|[;#][^\n]*+|\{[^}\"]*+\})*+")  # blanks and comments, however long
_FIRST_LETTERS = 20_000  # in which the first line is looked for: `plain` takes long
_ROUND = "round"
_SHOWN = "shown"
_START = re.compile(r"\S+\s*(?:\d{1,3}[:.)]\s*)?")  # the word that begins a line, and the number of a round
_OF_THE_SEED = ("seed", "number", "seconds")  # not in a game dealt by hand
_FLAGS = {"yes": True, "no": False, "true": True, "false": False, "はい": True, "いいえ": False}
# What tags, and the words that begin lines, may be called in Japanese: as `plain` writes them.
_IN_JAPANESE = {
    plain(word): key
    for key, words in {
        "game": "ゲーム", "seed": "シード", "number": "番号", "players": "人数", "variant": "バリアント 種類",
        "deck": "デッキ", "rules": "ルール", "seat": "席", "rounds": "ラウンド数", "for_match": "マッチ",
        "others": "ほかの人", "seconds": "秒 秒数", _ROUND: "ラウンド", _SHOWN: "公開",
    }.items()
    for word in words.split()
}  # fmt: skip
_TEXTS = ("game", "variant", "deck", "rules")


def _key(word: str) -> str:
    """Return the key that a word of a file is, in any case or in Japanese."""
    key = plain(word).casefold().rstrip(":")
    return _IN_JAPANESE.get(key, key)


def _starts(line: str, word: str) -> bool:
    """Whether a line, which is not empty, starts with the key `word`."""
    return _key(line.split()[0]) == word


def is_written(text: str) -> bool:
    """Whether a file has games as text rather than JSON, because its first line is a tag or a comment."""
    text = _unquoted(text)
    ahead = _AHEAD.match(text)
    begins = (0, ahead.end() if ahead else 0)
    return any(_FIRST_LINE.match(plain(text[begin : begin + _FIRST_LETTERS])) for begin in begins)


def is_game(text: str) -> bool:
    """Whether a file has saved games, as text or as JSON, rather than a position or a record."""
    return is_written(text) or '"saved"' in text


def dumps(games: Iterable[Saved]) -> str:
    """Return games as the text of a file, which `loads` reads back."""
    return "\n".join("\n".join(_lines(game)) + "\n" for game in games)


def _lines(game: Saved) -> Iterator[str]:
    left_out = {"saved", "moves", "dealt", "shown", *(_OF_THE_SEED if game.dealt else ())}
    for key, value in game.model_dump(mode="json", exclude_none=True, exclude=left_out).items():
        if key == "rules":
            text = ",".join(name for name, on in value.items() if on)
        elif isinstance(value, bool):
            text = "yes" if value else "no"
        else:
            text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
        if text != "":
            yield f"[{key} {text}]"
    rounds = zip_longest(game.dealt or (), game.moves, game.shown or (), fillvalue=())
    for line, moves, shown in rounds:
        yield f"{_ROUND} {line}" if line else _ROUND
        yield from moves
        if shown:
            yield f"{_SHOWN} {'/'.join(','.join(cards) or '-' for cards in shown)}"


@dataclass
class _Written:
    """A game that is written from line `number` on: its tags, and each round's start, moves and cards shown."""

    number: int
    tags: dict[str, object] = field(default_factory=dict)
    starts: list[str] = field(default_factory=list)
    lines: list[list[str]] = field(default_factory=list)
    shown: list[list[list[str]]] = field(default_factory=list)

    def saved(self) -> Saved:
        """Return the game. Raises PositionError."""
        moves = [[move for line in _unlisted(lines) for move in moves_of(line)] for lines in self.lines]
        data: dict[str, object] = {**self.tags, "moves": moves}
        if any(self.shown):
            data["shown"] = self.shown
        if any(self.starts):
            if not all(self.starts):
                message = say(
                    "the game at line {number}: either every round says how it begins, or none does",
                    number=self.number,
                )
                raise PositionError("invalid_text", message)
            data["dealt"] = self.starts
        try:
            return validated(Saved.model_validate, data)
        except PositionError as error:
            message = say("the game at line {number}: {message}", number=self.number, message=error.message)
            raise PositionError(error.code, message, error.path, error.others) from None


def loads(content: bytes | str, *, most_games: int | None = None, most_lines: int | None = None) -> list[Saved]:
    """Read the games in a text file, at least one. Raises PositionError with the line that cannot be read.

    It is also an error if the file has more than `most_games` games, or more than `most_lines` lines besides blank
    lines and comments.
    """
    games: list[_Written] = []
    for read, (number, line) in enumerate(_uncommented(_unquoted(decoded(content))), start=1):
        if most_lines is not None and read > most_lines:
            raise PositionError("too_large", say("at most {lines:,} lines are read at a time", lines=most_lines))
        tag = _TAG.fullmatch(line)
        key = "" if tag is None else _key(tag[1])
        if key in _ABOUT:
            continue
        if key == "game":
            if len(games) == most_games:
                raise PositionError("too_large", say("at most {games} games are read at a time", games=most_games))
            games.append(_Written(number))
        if not games:
            raise PositionError(
                "invalid_text", say("line {number}: a game begins with its tag, [game NAME]", number=number)
            )
        game = games[-1]
        if tag is not None:
            if key in game.tags:
                message = say("line {number}: the tag {tag} appears twice", number=number, tag=key)
                raise PositionError("duplicate_key", message, key)
            game.tags[key] = _value(key, tag[2].strip().strip('"'), number)
        elif _starts(line, _ROUND):
            game.lines.append([])
            game.starts.append(_START.sub("", line, count=1))
            game.shown.append([])
        elif game.lines and game.starts[-1] and _starts(line, _SHOWN):
            shown = _START.sub("", line, count=1).split("/")
            game.shown[-1] = [re.findall(r"[^\s,-][^\s,]*", cards) for cards in shown]
        elif game.lines:
            game.lines[-1].append(line)
        else:
            raise PositionError(
                "invalid_text",
                say("line {number}: moves must come after a line that says {round}", number=number, round=_ROUND),
            )
    if not games:
        raise PositionError("invalid_text", say("the file holds no game"))
    return [game.saved() for game in games]


def read_one(content: bytes | str) -> Saved:
    """Read the only game in a file of text or JSON. Raises PositionError if it is invalid or there are several."""
    text = decoded(content)
    if not is_written(text):
        return read(text)
    game, *others = loads(text)
    if others:
        raise PositionError("wrong_size", say("the file holds {count} games, not one", count=1 + len(others)))
    return game


def _value(tag: str, text: str, line: int) -> object:
    """Parse the value of a tag: text, a number or, in braces, a whole deck as JSON. Raises PositionError."""
    if tag == "game":
        return game_typed(text)
    if not text.startswith("{"):
        return text if tag in _TEXTS else _FLAGS.get(text.lower(), _number(plain(text)))
    try:
        return strict_json.loads_json(text, tag)
    except PositionError as error:
        raise PositionError(
            error.code, say("line {line}: {message}", line=line, message=error.message), tag
        ) from None


def _number(text: str) -> object:
    """Convert a text to a number if it is one; otherwise return the text, which validation will reject."""
    try:
        return float(text) if "." in text else int(text[:30])
    except ValueError:
        return text
