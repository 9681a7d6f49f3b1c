"""Training: which puzzle is asked next, and the player's rating in each game and streak.

A record is a set of attempts and votes that only grows, so records from several terminals, browsers and files can
be merged without losing any. The ratings, the streak and the puzzles to repeat are computed from the attempts in
order of time, by the same rules here and on the page (`api/page/static/puzzles/record.js`). A file of votes is a
record without attempts.
"""

from __future__ import annotations

import json
import re
import sqlite3
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypedDict, Unpack

from pydantic import AfterValidator, BeforeValidator, Field

from puzzles.format import MOST_RATING, Grade, Puzzle, load
from puzzles.rating import Rating, rated, rested
from puzzles.solution import Model
from solver import registry
from solver.errors import PositionError, RequestError, cannot_read
from solver.language import say
from solver.strict_json import loads_json
from solver.validation import fault, validated, with_names

COLLECTION = Path(__file__).parent / "collection"
OWN = "own:"  # in a record, this precedes the id of a puzzle that is not one of the collection

# ----------------------------------------------------------------------------------------------------
# The record, and what follows from it.


_MOMENT = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def _checked(at: str) -> str:
    with suppress(ValueError):
        if _MOMENT.fullmatch(at) and datetime.fromisoformat(at):
            return at
    raise fault("invalid_value", say("a time is written as {example}", example="2026-01-31T12:00:00.000Z"))


class Attempt(Model):
    """An attempt at a puzzle of a `game`; `right` means solved at the first try, `helped` after a hint.

    `rating` is the one that the puzzle had in lists then. Older attempts have the `grade` alone, and no `game`.
    """

    at: Annotated[str, AfterValidator(_checked)]
    puzzle: Annotated[str, Field(min_length=1, max_length=200)]
    grade: Grade | None = None
    rating: Annotated[int, Field(ge=0, le=MOST_RATING, strict=True)] | None = None
    right: Annotated[bool, Field(strict=True)]
    game: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    helped: Annotated[bool, Field(strict=True)] = False

    @property
    def rated_in(self) -> str:
        """The game whose rating it changes; empty if unknown. Older attempts have it in the puzzle's ID."""
        return self.game or next((game for game in registry.names() if self.puzzle.startswith(f"{game}-")), "")

    @property
    def score(self) -> float:
        """What it counts as a game against the puzzle: a hint halves a win."""
        return (0.5 if self.helped else 1.0) * self.right


class Vote(Model):
    """What a player thinks of a puzzle of the collection, who is asked once, after the first attempt."""

    at: Annotated[str, AfterValidator(_checked)]
    puzzle: Annotated[str, Field(min_length=1, max_length=200)]
    good: Annotated[bool, Field(strict=True)]


class Record(Model):
    """A training record as stored in a file."""

    saved: Literal["athanor train"] = "athanor train"
    attempts: tuple[Attempt, ...]
    votes: tuple[Vote, ...] = ()


def moment(when: datetime) -> str:
    """Format a time as in attempts: UTC, to the millisecond."""
    return when.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_record(content: bytes | str) -> Record:
    """Parse a training record from a file's bytes or text. Raises PositionError."""
    return validated(Record.model_validate, loads_json(content, "record"))


NEW = Rating(1350.0)  # a beginner's: harder puzzles are no longer easy
_OFF = 150.0  # half of the distance between two grades
GRADED: Mapping[Grade | None, Rating] = {
    None: Rating(1500.0, _OFF),
    "easy": Rating(1200.0, _OFF),
    "medium": Rating(1500.0, _OFF),
    "hard": Rating(1800.0, _OFF),
    "expert": Rating(2100.0, _OFF),
}


def rating_of(puzzle: Puzzle | Attempt) -> Rating:
    """Return the rating that a puzzle begins with, or had when it was tried: its own or else that of its grade."""
    of_grade = GRADED[puzzle.grade]
    return of_grade if puzzle.rating is None else of_grade._replace(points=float(puzzle.rating))


# Days until a failed puzzle returns, and after each right answer from then on; after the last, it is learned.
RETURNS = (1, 3, 7, 21)
_EARLY = timedelta(hours=4)  # so that a player who trains at the same time each day finds it due


@dataclass
class PuzzleState:
    """The state of a puzzle: its rating, whether it was solved last time, and when to ask it again, if ever.

    `moved` is by how many points attempts have changed the rating.
    """

    rating: Rating
    moved: float = 0.0
    solved: bool = False
    due: str | None = None
    returns: int = 0


@dataclass
class Standing:
    """The state of a player: ratings by game, the current and the longest streak, and the state of each puzzle.

    `new` is the rating in games that are not among `ratings`.
    """

    ratings: dict[str, Rating] = field(default_factory=dict)
    new: Rating = NEW
    streak: int = 0
    longest: int = 0
    puzzles: dict[str, PuzzleState] = field(default_factory=dict)
    liked: dict[str, float] = field(default_factory=dict)  # points by which votes bring a puzzle nearer

    def rating_in(self, game: str) -> Rating:
        """Return the rating in a game, which begins at a beginner's level."""
        return self.ratings.get(game, self.new)

    def vote_bonus(self, name: str) -> float:
        """Return by how many points votes move a puzzle forward in lists, and attempts that solved it."""
        state = self.puzzles.get(name)
        return self.liked.get(name, 0.0) - (0.0 if state is None else state.moved)

    def due(self, names: Iterable[str], now: datetime) -> list[str]:
        """Return the puzzles to be repeated by now, the earliest due first."""
        by_now = moment(now)
        waiting = [(state.due, name) for name in names if (state := self.puzzles.get(name)) and state.due]
        return [name for at, name in sorted(waiting) if at <= by_now]


def standing(attempts: Iterable[Attempt], votes: Iterable[Vote] = ()) -> Standing:
    """Compute the state of a player from all attempts, and from everybody's votes that are known here.

    Each game has a rating of its own, since who plays one well may be new to another. Only the first attempt at a
    puzzle is rated. It counts as a game of the player against the puzzle, in a rating period of its own; days
    (UTC) without a first attempt at a puzzle of the game are periods without games. Later attempts are not rated,
    and don't count in the streak, since the player has seen the solution. A right answer after a hint leaves the
    streak as it is.
    """
    result, days = Standing(liked=_liked(votes)), dict[str, date]()
    for attempt in sorted(attempts, key=lambda attempt: (attempt.at, attempt.puzzle)):
        asked = result.puzzles.get(attempt.puzzle)
        if asked is None:
            if not attempt.right:
                result.streak = 0
            elif not attempt.helped:  # after a hint a row neither grows nor ends
                result.streak += 1
            result.longest = max(result.longest, result.streak)
            game, today = attempt.rated_in, date.fromisoformat(attempt.at[:10])
            before = rested(result.rating_in(game), max(0, (today - days.get(game, today)).days - 1))
            puzzle, days[game] = rating_of(attempt), today
            now = rated(before, [(puzzle, attempt.score)])
            if attempt.right:  # half of an expected win is less than expected: a right answer lowers no rating
                now = now._replace(points=max(now.points, before.points))
            result.ratings[game] = now
            after = rated(puzzle, [(before, 1 - attempt.score)])
            asked = PuzzleState(after, moved=after.points - puzzle.points)
            result.puzzles[attempt.puzzle] = asked
        asked.solved = attempt.right
        if not attempt.right:
            asked.returns, asked.due = 0, _return(attempt.at, 0)
        elif asked.due is not None and asked.due <= attempt.at:  # a puzzle repeated early keeps its due date
            asked.returns += 1
            asked.due = _return(attempt.at, asked.returns)
    return result


_MISSED = 150.0  # points by which a missed theme brings a puzzle nearer: half of the distance between two grades
_LIKED = 300.0  # points between a puzzle that all like and one that nobody does: as between two grades


def _liked(votes: Iterable[Vote]) -> dict[str, float]:
    """Return by how many points votes bring each puzzle nearer to every player: less than 0 if most find it bad.

    The share of good votes counts, as if there had been a good one and a bad one before.
    """
    counts: dict[str, list[int]] = {}
    for vote in votes:
        counts.setdefault(vote.puzzle, [1, 1])[vote.good] += 1
    return {name: _LIKED * (good / (bad + good) - 1 / 2) for name, (bad, good) in counts.items()}


def _return(at: str, returns: int) -> str | None:
    """Return when to ask a puzzle again, given the time `at` of an answer and the number of right answers so far.

    Only right answers to a repeated puzzle that was due count. Returns None if the puzzle now counts as learned.
    """
    if returns == len(RETURNS):
        return None
    return moment(datetime.fromisoformat(at) + timedelta(days=RETURNS[returns]) - _EARLY)


_STEP, _MODULUS = 7919, 10_007  # primes: spread neighbours in the list far apart


class Listed(NamedTuple):
    """A puzzle to choose from: its name in records, its game, and the points of its rating."""

    name: str
    game: str
    points: float


def listed(puzzles: Mapping[str, Puzzle]) -> list[Listed]:
    """Return puzzles by name as `next_puzzle` takes them."""
    return [Listed(name, puzzle.game.name, rating_of(puzzle).points) for name, puzzle in puzzles.items()]


def next_puzzle(puzzles: Sequence[Listed], standing: Standing, now: datetime) -> str | None:
    """Return the name of the puzzle to ask next; None if all are solved or not yet due.

    Puzzles due to be repeated come first, then the new puzzle whose rating is nearest to what the player's in its
    game is at least: a deviation below it. So a newcomer to a game, whose rating says little, begins with easy
    ones. Good votes bring a puzzle nearer, bad ones move it away; so does a theme of a puzzle of the collection
    that the player missed.
    """
    due = standing.due((puzzle.name for puzzle in puzzles), now)
    if due:
        return due[0]
    ratings = {game: standing.rating_in(game) for _, game, _ in puzzles}
    missed = {theme for name, state in standing.puzzles.items() if not state.solved for theme in _themes_of(name)}
    nearer = {name: 0.0 if missed.isdisjoint(_themes_of(name)) else _MISSED for name, _, _ in puzzles}
    new = [
        (
            abs(points - ratings[game].points + ratings[game].deviation)
            - standing.liked.get(name, 0.0)
            - nearer[name],
            index * _STEP % _MODULUS,
            name,
        )
        for index, (name, game, points) in enumerate(puzzles)
        if name not in standing.puzzles
    ]
    return min(new)[2] if new else None


def _themes_of(name: str) -> Sequence[str]:
    puzzle = by_id().get(name)
    return () if puzzle is None else puzzle.themes or ()


# ----------------------------------------------------------------------------------------------------
# Where a record is kept on this machine.


class Store:
    """A training record in a SQLite file, to which several programs may add attempts and votes.

    Each of these is written completely or not at all. Every method raises OSError if the file cannot be read or
    written, or is not a record.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def record(self) -> Record:
        """Return everything that is stored; empty if there is no file."""
        if not self.path.exists():
            return Record(attempts=())
        with self._open() as file:
            attempts = file.execute(f"SELECT {', '.join(_KEYS)} FROM attempts ORDER BY at, puzzle").fetchall()
            votes = file.execute("SELECT at, puzzle, good FROM votes ORDER BY at, puzzle").fetchall()
        answers = [dict(zip(_KEYS, row, strict=True)) for row in attempts]
        try:
            return Record(
                attempts=tuple(
                    Attempt(**answer | {key: bool(answer[key]) for key in ("right", "helped")})
                    for answer in answers
                ),
                votes=tuple(Vote(at=at, puzzle=name, good=bool(good)) for at, name, good in votes),
            )
        except ValueError as error:
            raise self._damaged(say("an answer in it cannot be read")) from error

    def standing(self) -> Standing:
        """Return the state of the player whose record this is."""
        record = self.record()
        return standing(record.attempts, record.votes)

    def add(self, attempts: Iterable[Attempt], votes: Iterable[Vote] = ()) -> tuple[int, int]:
        """Store attempts and votes, skipping those that exist already; return how many of each are new."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        into_attempts = f"INSERT OR IGNORE INTO attempts ({', '.join(_KEYS)}) VALUES (:{', :'.join(_KEYS)})"
        into_votes = "INSERT OR IGNORE INTO votes VALUES (:at, :puzzle, :good)"
        with self._open() as file:
            return (
                file.executemany(into_attempts, map(dict, attempts)).rowcount,
                file.executemany(into_votes, map(dict, votes)).rowcount,
            )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the file in a transaction that is committed if the with block succeeds."""
        try:
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE)) as file, file:
                file.execute(_ATTEMPTS)
                file.execute(_VOTES)
                if _missing(file):  # an older record has less
                    file.execute("BEGIN IMMEDIATE")  # another program may add them, too
                    for column in _missing(file):
                        file.execute(f"ALTER TABLE attempts ADD COLUMN {column} {_LATER[column]}")
                yield file
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorname", "SQLITE_ERROR").startswith(_DAMAGED):
                raise self._damaged(error) from error
            raise OSError(0, str(error), str(self.path)) from error

    def _damaged(self, problem: object) -> OSError:
        message = say(
            "this is no training record, or it is damaged ({problem}); move it away to begin a new one, and "
            "import what you have exported",
            problem=problem,
        )
        return OSError(0, message, str(self.path))


_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_ERROR", "SQLITE_FORMAT", "SQLITE_NOTADB")  # SQLITE_ERROR: of other tables
_PATIENCE = 20.0  # seconds to wait for other programs' transactions
_LATER = {"rating": "INTEGER", "game": "TEXT", "helped": "INTEGER"}
_ATTEMPTS = f"""CREATE TABLE IF NOT EXISTS attempts (
    at TEXT NOT NULL, puzzle TEXT NOT NULL, grade TEXT, right INTEGER NOT NULL,
    {", ".join(map(" ".join, _LATER.items()))}, PRIMARY KEY (at, puzzle))"""
_KEYS = ("at", "puzzle", "grade", "right", *_LATER)
_VOTES = """CREATE TABLE IF NOT EXISTS votes (
    at TEXT NOT NULL, puzzle TEXT NOT NULL, good INTEGER NOT NULL, PRIMARY KEY (at, puzzle))"""


def _missing(file: sqlite3.Connection) -> list[str]:
    """Return the columns that a record of an older version does not have."""
    there = {name for _, name, *_ in file.execute("PRAGMA table_info(attempts)")}
    return [column for column in _LATER if column not in there]


@cache
def opinions(path: str) -> Standing:
    """Return what the votes and attempts in a file say about the puzzles. The file is read once.

    Raises RequestError if it is no record.
    """
    try:
        record = read_record(Path(path).read_bytes())
    except OSError as error:
        raise RequestError("unreadable", cannot_read(path, error)) from None
    except PositionError as error:
        raise RequestError(error.code, f"{path}: {error}") from None
    return standing(record.attempts, record.votes)


def exported(record: Record) -> str:
    """Return a record as the text of a file."""
    return json.dumps(record.model_dump(mode="json", exclude_none=True), indent=1) + "\n"


# ----------------------------------------------------------------------------------------------------
# The available puzzles.


@cache
def collection() -> tuple[Puzzle, ...]:
    """Return all built-in puzzles by game, and of each game the easiest first.

    Cached: reading them takes half a second.
    """
    return tuple(in_order([puzzle for path in files() for puzzle in puzzles_of(path)], Standing()))


def in_order(puzzles: Iterable[Puzzle], standing: Standing) -> list[Puzzle]:
    """Return puzzles of the collection by game, and of each game the easiest first; good ones are moved forward.

    This is the order of every list: here, over HTTP and on the page (`api/page/static/puzzles/store.js`).
    """
    return sorted(
        puzzles, key=lambda puzzle: (puzzle.game.name, rating_of(puzzle).points - standing.vote_bonus(puzzle.id))
    )


@cache
def by_id() -> Mapping[str, Puzzle]:
    """Return all built-in puzzles by their ID, in order."""
    return {puzzle.id: puzzle for puzzle in collection()}


class Series(NamedTuple):
    """Puzzles of the collection, by ID from easy to hard, and a lesson to begin with.

    All of them have the `theme`, which is the idea that they teach, if there is one.
    """

    name: str
    lesson: str
    puzzles: tuple[str, ...]
    theme: str | None = None

    @property
    def title(self) -> str:
        return self.name.replace("-", " ").capitalize()


@cache
def all_series() -> Mapping[str, Series]:
    """Return all series by name, in order."""
    with (COLLECTION.parent / "series.toml").open("rb") as file:
        listed = tomllib.load(file)["series"]
    return {entry["name"]: Series(**{**entry, "puzzles": tuple(entry["puzzles"])}) for entry in listed}


@cache
def themes() -> tuple[str, ...]:
    """Return the themes of the built-in puzzles, in alphabetical order."""
    return tuple(sorted({theme for puzzle in collection() for theme in puzzle.themes or ()}))


def files() -> list[Path]:
    """Return the built-in files, in order."""
    return sorted(COLLECTION.glob("*.toml"))


@cache
def puzzles_of(path: Path) -> tuple[Puzzle, ...]:
    """Return the puzzles of a built-in file. Cached, so that reading all can stop between two files."""
    return load(path).puzzles


_STATED = {"best-move": "best", "all-matches": "moves", "compound": "total", "value": "value"}


def is_asked(puzzle: Puzzle) -> bool:
    """Whether a puzzle states the answer to its question."""
    solution = puzzle.solution
    if solution is None:
        return False
    if puzzle.ask == "winnable":
        return solution.winnable is not None or solution.value is not None
    return getattr(solution, _STATED[puzzle.ask]) not in (None, ())


def _of_collection(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value not in by_id():
        raise fault("unknown_value", say("the collection has no puzzle {id!r}", id=value))
    return by_id()[value]


def _asking(puzzle: Puzzle) -> Puzzle:
    if puzzle.ask == "all-matches" or not is_asked(puzzle):
        raise fault(
            "not_offered", say("the puzzle must state its answer, and not ask for all matches"), "solution"
        )
    return puzzle


# A puzzle whose answers can be judged, or the ID of one of the collection.
SentPuzzle = Annotated[
    Puzzle, BeforeValidator(_of_collection, json_schema_input_type=Puzzle | str), AfterValidator(_asking)
]


class Filter(TypedDict, total=False):
    """Which built-in puzzles to return; None stands for any."""

    game: str | None
    grade: str | None
    theme: str | None
    series: str | None


def matching(
    *, ask: str | None = None, standing: Standing | None = None, **wanted: Unpack[Filter]
) -> list[Puzzle]:
    """Return the built-in puzzles of a game, grade, theme, question and series, in order; None stands for any.

    Votes and attempts in `standing` change the order (see `in_order`), but not that of a series. Raises
    RequestError if there is no such series.
    """
    series, theme = wanted.get("series"), wanted.get("theme")
    if series is not None and series not in all_series():
        sentence = say("there is no series {series!r}", series=series)
        raise RequestError("unknown_value", with_names(sentence, series, list(all_series())), "series")
    if series is not None:
        listed = [by_id()[name] for name in all_series()[series].puzzles]
    else:
        listed = in_order(collection(), standing or Standing())
    return [
        puzzle
        for puzzle in listed
        if ask in (None, puzzle.ask)
        and wanted.get("game") in (None, puzzle.game.name)
        and wanted.get("grade") in (None, puzzle.grade)
        and (theme is None or theme in (puzzle.themes or ()))
    ]


def chosen(
    *, ask: str | None = "best-move", standing: Standing | None = None, **wanted: Unpack[Filter]
) -> list[Puzzle]:
    """Return the built-in puzzles that state their answer, filtered and ordered as by `matching`.

    `ask` is the question, None for any. Puzzles with hidden hands come last.
    """
    puzzles = filter(is_asked, matching(ask=ask, standing=standing, **wanted))
    return sorted(puzzles, key=lambda puzzle: puzzle.judged)


def daily(puzzles: Sequence[Puzzle], day: date) -> Puzzle:
    """Return the puzzle of the day from a non-empty list. It changes every day, and is the same for everybody.

    It is easy or medium if the list has such a puzzle, since it is the first that many see.
    """
    puzzles = [puzzle for puzzle in puzzles if puzzle.grade in ("easy", "medium")] or puzzles
    return puzzles[day.toordinal() * _STEP % len(puzzles)]


def fewer(puzzle: Puzzle, moves: Sequence[str]) -> list[str]:
    """Return about half of the legal moves, to help the player: all best moves and at least one wrong one."""
    assert puzzle.solution is not None
    best = puzzle.solution.best or ()
    others = [move for move in moves if move not in best]
    kept = {*best, *others[: max(1, len(moves) // 2 - len(best))]}
    return [move for move in moves if move in kept]
