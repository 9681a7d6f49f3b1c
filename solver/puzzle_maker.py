"""How a game contributes to making puzzles: candidate positions, their symmetries and their themes.

A game may derive its own class from `Composer` and override methods for which it has something better.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel

from solver.answers import Analysis, Answer
from solver.common import STRENGTHS, Random
from solver.errors import AthanorError, RequestError
from solver.game import Game, chances_of
from solver.language import say
from solver.limits import Control, Limit

BEST_MOVE, VALUE = "best-move", "value"
# The best move where hands are hidden: proved under a model of `Game.guarantees`, else judged by hints. Every
# other task is a puzzle's ask.
HIDDEN_HAND = "hidden-hand"

# Somebody's attempt at a puzzle: a move's text where a move is asked for, else the number, numbers or word.
Try = str | int | float | tuple[int, ...] | None
AnyDeck = str | Mapping[str, Any] | None  # its name, or as users write it; None for the usual one

READABLE = 36  # cards
# Words of titles.
CAPTIONS = (
    "To lead", "To follow", "To take", "Recipes", "Duel", "Solitaire", "Sums",
    "Water", "Vapor", "Acid", "Aqua regia",
)  # fmt: skip
TEMPTING = 0.05  # the least chance of a move that looks right
CLUB = STRENGTHS[1]

_PLAYED = Limit(nodes=100)  # of the hints that play a round up to a puzzle
_SHALLOW = Limit(nodes=64)
_DEEPEST = 2  # choices that a reader of a round of several players looks ahead
_STRAY = 6  # one move in six is random, for variety


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position that may become a puzzle, and the question about it.

    `model` is the assumption about how the other seats play, `player` the seat whose value is asked for (None for
    the seat to move), and `view` what the seat to move sees (None if unknown).
    """

    position: BaseModel
    model: str | None = None
    player: int | None = None
    view: BaseModel | None = None

    @property
    def mover(self) -> int:
        seat: int = self.position.seat_to_move  # type: ignore[attr-defined]
        return seat

    @property
    def asked(self) -> int:
        """The seat whose value is asked for."""
        return self.mover if self.player is None else self.player

    @property
    def held_down(self) -> bool:
        """Whether the seat to move, with all others, keeps another seat's value low."""
        return self.model == "paranoid" and self.asked != self.mover


S = TypeVar("S")


# A test of whether a solved position has a theme.
Theme = Callable[[S], bool]


def found_in(themes: Mapping[str, Theme[S]], solved: S) -> list[str]:
    """Return the names of the themes that a solved position has, in the order of `themes`."""
    return [name for name, holds in themes.items() if holds(solved)]


_A_SEAT = ("seat", "leader", "turn", "owner")
_BY_SEAT = ("won", "counts", "known")


def _seen_from(data: Any, own: int, players: int) -> Any:
    """Return a view's data, or a part of it, with the seats renumbered so that seat `own` becomes seat 0."""
    if isinstance(data, Mapping):
        return {key: _of_key(key, value, own, players) for key, value in data.items()}
    if isinstance(data, list):
        return [_seen_from(entry, own, players) for entry in data]
    return data


def _of_key(key: str, value: Any, own: int, players: int) -> Any:
    if key in _A_SEAT and isinstance(value, int):
        return (value - own) % players
    if key in _BY_SEAT and isinstance(value, list) and len(value) == players:
        return value[own:] + value[:own]
    return sorted(value) if key in ("hand", "discard", "removed") else _seen_from(value, own, players)


def _cards(data: Any) -> int:
    """Return the number of cards in a part of a position."""
    if isinstance(data, Mapping):
        return sum(map(_cards, data.values()))
    return sum(map(_cards, data)) if isinstance(data, list | tuple) else int(isinstance(data, str))


def clauses(*told: str) -> str:
    """Join those clauses that are not empty."""
    first, *others = [*filter(None, told)] or [""]
    for other in others:
        first = say("{first}; {other}", first=first, other=other)
    return first


def in_all(themes: Iterable[Sequence[str]]) -> list[str]:
    """Return the themes that all lists contain, in the order of the first list."""
    shared: list[str] | None = None
    for listed in themes:
        shared = [theme for theme in (listed if shared is None else shared) if theme in listed]
        if not shared:
            break
    return shared or []


class Composer:
    """Finds candidates for a game's puzzles: by default, late positions of simulated rounds that offer a choice.

    Most moves of the rounds are chosen by simple rules (`simple`) or, if there are none or the task hides the
    other hands, by short hint searches; the rest are random. The same arguments always give the same results.
    """

    tasks: Sequence[str] = (BEST_MOVE, VALUE, HIDDEN_HAND)  # the usual one first: asks, and `HIDDEN_HAND`
    themes: Mapping[str, Theme[Any]] = {}  # all that `themes_of` can find, the most telling first
    variant: ClassVar[str | None] = None  # the variant to deal
    last: ClassVar[int] = 20  # how many of a round's last decisions may become candidates
    most: ClassVar[int] = 5  # candidates per round
    last_hidden: ClassVar[int] = 10  # like `last`, for candidates proved for a single view
    holds_down: ClassVar[bool] = (
        False  # whether a puzzle may ask for the value of a seat that all others play against
    )
    longest: ClassVar[int] = 60  # decisions after which a round is no longer played on
    in_sight: ClassVar[Sequence[str]] = (
        "hands",
        "hand",
        "trick",
        "table",
        "stock",
        "line",
        "cards",
    )  # keys of cards

    def __init__(self, game: Game) -> None:
        self.game = game

    def candidates(
        self, task: str, model: str | None, random: Random, *, seed: int, number: int, deck: AnyDeck = None
    ) -> Iterable[Candidate]:
        """Return the candidates from deal `number` of a seed. `model` is the requested model; None for any."""
        dealt = self.dealt(random, seed, number, deck)
        decisions = [position for position in self._played(task, dealt, random) if self.suits(task, position)]
        if task != HIDDEN_HAND:
            decisions = decisions[-self.last :]
        elif model in self.game.guarantees:
            decisions = decisions[-self.last_hidden :]
        random.shuffle(decisions)
        return (self.candidate(task, model, random, position) for position in decisions[: self.most])

    def dealt(self, random: Random, seed: int, number: int, deck: AnyDeck = None) -> BaseModel:
        """Return the deal of a round to be simulated."""
        return self.game.deal(seed, number=number, variant=self.variant, deck=deck)

    def suits(self, task: str, position: BaseModel) -> bool:
        """Return whether a puzzle may ask about this position of a simulated round."""
        return True

    def candidate(self, task: str, model: str | None, random: Random, position: BaseModel) -> Candidate:
        """Make a candidate from a position of a simulated round."""
        seat: int = position.seat_to_move  # type: ignore[attr-defined]
        view = self.game.view(position, seat)
        if task == HIDDEN_HAND:
            return Candidate(view, model if model in self.game.guarantees else None, view=view)
        model = model or self.some_model(random)
        return Candidate(self.bare(position), model, self.held_down(model, seat, position, random), view)

    def some_model(self, random: Random) -> str | None:
        """Pick a model of the game at random; the first is more likely than all others together."""
        if not self.game.models:
            return None
        return self.game.models[max(0, random.below(3 * len(self.game.models)) - 2 * len(self.game.models))]

    def held_down(self, model: str | None, seat: int, position: Any, random: Random) -> int | None:
        """Return the seat whose value a puzzle asks for; None for the seat to move."""
        if not self.holds_down:
            return None
        other: int = (seat + 1 + random.below(position.players - 1)) % position.players
        return other if model == "paranoid" and not random.below(5) else None

    def bare(self, position: BaseModel) -> BaseModel:
        """Return the position without fields that are of no use when all cards are known."""
        return position

    def symmetry(self, task: str, candidate: Candidate) -> str:
        """Return a key that equivalent candidates have in common.

        By default, views are equivalent if they differ only in how the seats are numbered.
        """
        position, seat = candidate.position, getattr(candidate.position, "seat", None)
        seen: Any = position.model_dump(mode="json", exclude_none=True)
        if seat is not None:
            seen = _seen_from(seen, seat, getattr(position, "players", self.game.players[1]))
        return f"{task} {candidate.model} {candidate.player} {seen}"

    def caption(self, task: str, candidate: Candidate) -> Sequence[str]:
        """Return the parts of a title: what the player to move has to do, and the open cards.

        Words are translated when they are shown: `CAPTIONS` has them. By default, the trick and the player's hand.
        """
        position: Any = candidate.position
        hand = position.hands[position.seat_to_move] if position.hands else position.hand
        return ("To follow" if position.trick else "To lead", " ".join(position.trick or ()), " ".join(hand))

    def fits(self, task: str, candidate: Candidate, answer: Answer) -> bool:
        """Return whether a proved answer suits a puzzle; the caller has checked how many best moves there are."""
        return True

    def is_readable(self, candidate: Candidate, answer: Answer) -> bool:
        """Return whether all that is needed to solve a puzzle fits on a phone: by default, `READABLE` cards."""
        return self.cards_in_sight(candidate) <= READABLE

    def cards_in_sight(self, candidate: Candidate) -> int:
        """Return how many cards a solver has to look at: by default, those of the keys `in_sight`."""
        in_sight = candidate.position.model_dump(include=set(self.in_sight), exclude_none=True)
        return sum(map(_cards, in_sight.values()))

    def added_up(self, candidate: Candidate) -> int:
        """Return how many cards that are won already must be added up to find a value."""
        return 0

    def tempting(self, task: str, candidate: Candidate) -> Collection[str] | None:
        """Return the moves that look right, so that a club player or a beginner may well make them.

        Returns None if that is unknown: if there is no view, or no model of such players.
        """
        if candidate.view is None or not self.game.levels:
            return None
        chances = [chances_of(self.game, candidate.view, strength) for strength in STRENGTHS[1:]]
        return [move for move in chances[0] if max(of[move] for of in chances) >= TEMPTING]

    def seen(self, position: Any) -> Any:
        """Return what the seat to move sees of a position; None if its file does not say enough."""
        try:
            return self.game.view(position, position.seat_to_move)
        except AthanorError:  # the tricks before are not in the file
            return None

    def rival(self, task: str, candidate: Candidate, wrong: Mapping[str, float]) -> str | None:
        """Return which wrong move looks best: to a club player who sees one hand, or else by simple rules.

        `wrong` has what each of them loses. Where the seat to move plays for or against another's score, a shallow
        search stands for the club player. Returns None if none of the moves looks right.
        """
        position: Any = candidate.position
        if candidate.player not in (None, getattr(position, "seat_to_move", None)):
            guesses = [self.shallow(BEST_MOVE, candidate)]
        else:
            view = position if self.game.is_view(position) else self.seen(position)
            guesses = [self._likely(view, wrong)]
        guesses.append(self.obvious(BEST_MOVE, candidate))
        return next((str(guess) for guess in guesses if guess in wrong), None)

    def _likely(self, view: Any, moves: Collection[str]) -> str | None:
        """Return which of some moves a club player is the most likely to make; None if none looks right."""
        if view is None or not self.game.levels:
            return None
        chances = chances_of(self.game, view, CLUB)
        best = max(moves, key=lambda move: chances.get(move, 0.0))
        return best if chances.get(best, 0.0) >= TEMPTING else None

    def simple(self, position: Any) -> Any:
        """Return the move of a player who follows simple rules and sees only one hand; None without rules."""
        return None

    def final(self, position: Any, player: int) -> int:
        """Return the score of `player` at the end of a round; only for games with a `simple` player."""
        raise NotImplementedError

    def obvious(self, task: str, candidate: Candidate) -> Try:
        """Return the move of the `simple` player or, for the task `VALUE`, the score if all seats play like that.

        Returns None if there is no such player, and for a value under ``maxn``.
        """
        position = candidate.position
        move = self.simple(position)
        if task != VALUE or move is None:
            return None if move is None else self.game.format_move(position, move)
        if candidate.model == "maxn":
            return None
        player = candidate.asked
        while self.game.legal_moves(position):
            position = self.game.play(position, self.simple(position))
        return self.final(position, player)

    def shallow(self, task: str, candidate: Candidate) -> Try:
        """Return the move or value that a shallow search gives; None if the task has no such search."""
        if task != BEST_MOVE:
            return None
        return self.game.analyze(
            candidate.position, Control(_SHALLOW), model=candidate.model, player=candidate.player
        ).best

    def searches(self, task: str, candidate: Candidate) -> bool:
        """Return whether a search that ends early shows how hard a puzzle is."""
        return bool(self.game.models)

    def read(self, task: str, candidate: Candidate, depth: int, random: Random) -> Try:
        """Return the answer of a player who compares all moves of the next `depth` choices, of whichever seats.

        After these, the player expects simple play, with a random move now and then. With hidden hands, the player
        guesses them first. Returns None if there is no `simple` player, nothing to guess from, or too much to
        read.

        Such players stand for people of several strengths, by whom puzzles are graded: `depth` is 1, 2 or 3.
        """
        if depth > _DEEPEST:
            return None
        position: Any = candidate.position
        with suppress(RequestError):
            position = self.game.worlds(position, 1, random.below(1 << 30))[0]
        if "analyze" not in self.game.asks(position) or self.simple(position) is None:
            return None
        seats = range(position.players) if candidate.model == "maxn" else [candidate.asked]
        move, values = self._read(position, candidate, seats, depth, random)
        if task != VALUE:
            return self.game.format_move(position, move)
        return values if len(seats) > 1 else values[0]

    def _read(
        self, position: Any, candidate: Candidate, seats: Sequence[int], depth: int, random: Random
    ) -> tuple[Any, tuple[int, ...]]:
        """Return the move that a reader of this depth likes best, and what it leads to: the scores of `seats`."""
        seat, moves = position.seat_to_move, list(self.game.legal_moves(position))
        own = self.game.side_of(seats[0])
        random.shuffle(moves)  # of equal moves, any

        def liked(one: tuple[Any, tuple[int, ...]]) -> tuple[int, int]:
            scores = one[1]
            if len(seats) > 1:
                return scores[seat], -sum(scores)
            return (-scores[0] if candidate.model == "paranoid" and seat not in own else scores[0]), 0

        def ahead(now: Any) -> tuple[int, ...]:
            left = depth - (len(moves) > 1)
            if left > 0 and self.game.legal_moves(now):
                return self._read(now, candidate, seats, left, random)[1]
            return self._expected(now, seats, random)

        return max(((move, ahead(self.game.play(position, move))) for move in moves), key=liked)

    def _expected(self, position: Any, seats: Sequence[int], random: Random) -> tuple[int, ...]:
        """Play a round to its end by simple rules, with a random move now and then; return the seats' scores."""
        for _ in range(self.longest):
            moves = self.game.legal_moves(position)
            if not moves:
                break
            stray = len(moves) > 1 and not random.below(_STRAY)
            move = moves[random.below(len(moves))] if stray else self.simple(position)
            position = self.game.play(position, move)
        return tuple(self.final(position, seat) for seat in seats)

    def steps(self, task: str, candidate: Candidate, answer: Answer) -> int:
        """Return the length of the solution: how often the solving seat has a choice along the best line.

        For a hidden-hand task, return the number of cards in the hand if the candidate has a `model`, else 0.
        """
        if task == HIDDEN_HAND:  # play depends on what will be seen: one card for each later trick
            return len(getattr(candidate.position, "hand", None) or ()) if candidate.model else 0
        return sum(
            1 for _ in self._decisions(candidate.position, answer.line if isinstance(answer, Analysis) else ())
        )

    def themes_of(self, task: str, candidate: Candidate, best: str, line: Sequence[str]) -> Sequence[str]:
        """Return the themes found in the solution. `line` is best play from `best` on, as far as it is known."""
        return ()

    def note(self, candidate: Candidate) -> str:
        """Describe the task in a few words, as in "Seat 2 leads, collecting the White Tiger"."""
        return say("{seat:Who} {seat:is|are} to move", seat=candidate.mover)

    def counted(self) -> str:
        """Return a sentence that says which points a question about a value means."""
        return say("What counts are the points at the end of the round, with those won already.")

    def because(self, candidate: Candidate, wrong: Sequence[str], right: Sequence[str]) -> str:
        """Return what is wrong with a tempting move, as a clause; empty if unknown.

        `wrong` begins with that move, and goes on with best play; `right` is best play throughout. Both lead to
        the end of the game or, with hidden cards, are one move each.

        The clause names a cause that holds in these lines and that the best move does not have, or what follows.
        """
        return ""

    def with_model(self, who: str, candidate: Candidate) -> str:
        """Return `who`, the beginning of a note, followed by what the model assumes about the other players."""
        if candidate.model in self.game.guarantees and "analyze" not in self.game.asks(candidate.position):
            if self.game.race:
                return say("{who}, wanting to be sure to go out first, whatever the others hold", who=who)
            return say("{who}, wanting a guarantee whatever the others hold", who=who)
        if candidate.model == "ally":
            if candidate.asked != candidate.mover:
                return say("{who}; all help {other:who}", who=who, other=candidate.asked)
            return say("{who}; all help", who=who)
        if candidate.model == "maxn" and self.game.sides:
            return say("{who}; each side plays for itself", who=who)
        if candidate.model == "maxn" and self.game.race:
            return say("{who}; each plays to go out first", who=who)
        return say("{who}; each plays for themselves", who=who) if candidate.model == "maxn" else who

    def _played(self, task: str, position: BaseModel, random: Random) -> Iterator[BaseModel]:
        """Play a round from this position, and yield every position in which the seat to move has a choice."""
        game, decisions = self.game, 0
        while (moves := game.legal_moves(position)) and decisions < self.longest:
            move = moves[0]
            if len(moves) > 1:
                yield position
                decisions += 1
                move = moves[random.below(len(moves))]
                if random.below(_STRAY):
                    move = self._sensible(task, position, random)
            position = game.play(position, move)

    def _sensible(self, task: str, position: BaseModel, random: Random) -> Any:
        """Return a sensible move for a player who sees only their own hand."""
        move = self.simple(position) if task != HIDDEN_HAND else None
        if move is not None:
            return move
        view = self.game.view(position, position.seat_to_move)  # type: ignore[attr-defined]
        best = self.game.hint(view, Control(_PLAYED), seed=random.below(1 << 30)).best
        return self.game.parse_move(position, str(best))

    def _decisions(self, position: BaseModel, line: Sequence[str]) -> Iterator[BaseModel]:
        """Yield the positions along a line in which the seat to move at its start, `position`, has a choice."""
        seat: int = position.seat_to_move  # type: ignore[attr-defined]
        for text in line:
            if position.seat_to_move == seat and len(self.game.legal_moves(position)) > 1:  # type: ignore[attr-defined]
                yield position
            position = self.game.play(position, self.game.parse_move(position, text))


def composer_of(game: Game) -> Composer:
    """Return the object that finds candidates for a game's puzzles."""
    composer: Composer = game.find("composer")(game)
    return composer
