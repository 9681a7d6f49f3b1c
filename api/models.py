"""Pydantic models of requests and answers, except the solver's positions, records and answers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from athanor.jobs.store import Job
from athanor.sessions import Saved
from puzzles.format import AnyPosition, Ask, Grade, Puzzle, SentPosition
from puzzles.solution import Solution
from puzzles.training import is_asked
from solver.answers import MOST_WAYS, Answer, Value
from solver.common import SEEDS, Others
from solver.decks import NamedDeck
from solver.errors import MOST_FAULTS
from solver.findings import fault
from solver.language import say
from solver.limits import MOST_WORLDS, Limit
from solver.readings import SentRules
from solver.showing import CardFace

if TYPE_CHECKING:
    from solver.decks import Listed

_MOST_NAMED = 100  # cards that must or must not be used
MOST_MOVES = 1_000  # more than any round has
MOST_DEALS = 100  # that agree with a view, in one answer
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Nodes = Annotated[int, Field(gt=0, lt=2**62)]
Whole = Annotated[int, Field(ge=0, strict=True)]
Number = Annotated[int, Field(ge=0, lt=SEEDS, strict=True)]
Text = Annotated[str, Field(strict=True)]


class Request(BaseModel):
    """Base class of all requests. They are immutable, and reject undeclared keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lang: Annotated[
        Literal["en", "ja"] | None,
        Field(description="The language of sentences in the answer; by default as the header `Accept-Language`."),
    ] = None


class AnalyzeRequest(Request):
    """A position with every card known, and how long to search."""

    position: SentPosition
    model: Annotated[Text | None, Field(description="How the others play, where a game has that.")] = None
    player: Annotated[Whole | None, Field(description="Whose value; by default the seat to move's.")] = None
    limit: Limit = Limit()


class HintLimit(Limit):
    """How long a hint may take: at least 0.05 seconds."""

    seconds: Annotated[float, Field(ge=0.05, allow_inf_nan=False, strict=True)] | None = None


class HintRequest(Request):
    """What one player sees of a position, and how long to search."""

    position: SentPosition
    model: Text | None = None
    player: Whole | None = None
    limit: HintLimit = HintLimit()
    worlds: Annotated[
        int | None,
        Field(ge=0, le=MOST_WORLDS, strict=True, description="How many ways to lay the hidden cards to try."),
    ] = None
    seed: Annotated[Number, Field(description="The same seed and limit of nodes give the same hint.")] = 0
    others: Annotated[Others | None, Field(description="How strong the other players are; null: equal.")] = None


class CompoundRequest(Request):
    """A set of cards, and options for compounding them."""

    position: SentPosition
    limit: Limit = Limit()
    must: Annotated[
        tuple[Text, ...],
        Field(
            max_length=_MOST_NAMED, fail_fast=True, description="Cards to use, as a carrier or as an ingredient."
        ),
    ] = ()
    without: Annotated[
        tuple[Text, ...],
        Field(max_length=_MOST_NAMED, fail_fast=True, description="Cards not to use; their own points count."),
    ] = ()
    best: Annotated[
        int, Field(ge=1, le=MOST_WAYS, strict=True, description="How many different ways, the best ones.")
    ] = 1
    missing: Annotated[
        bool, Field(strict=True, description="Whether to rank the other cards by what they would add.")
    ] = False


class DealRequest(Request):
    """The options of a fresh deal. Without a seed, a random one is chosen and returned."""

    game: Text
    seed: Number | None = None
    number: Annotated[Number, Field(description="Which deal of the seed.")] = 0
    players: Whole | None = None
    variant: Text | None = None
    deck: Annotated[
        NamedDeck | None,
        Field(description="A deck's name, or a whole deck, where the cards are data; by default the shipped one."),
    ] = None
    rules: Annotated[SentRules | None, Field(description="Which disputed readings of the rules are on.")] = None
    seat: Annotated[Whole | None, Field(description="Whose view; without it, every card is shown.")] = None


class CardsRequest(Request):
    """The game, variant and deck whose cards are requested."""

    game: Text
    variant: Text | None = None
    deck: Annotated[NamedDeck | None, Field(description="A deck's name, or a whole deck, as for a deal.")] = None


class Cards(Answer):
    """The faces of the cards, in the deck's order, so that a client can display them."""

    game: str
    cards: tuple[CardFace, ...]


class Deal(Answer):
    """A fresh deal: always the same for the same seed and number."""

    seed: int
    number: int
    text: Annotated[str, Field(description="The position as one line of text.")]
    position: AnyPosition


class MovesRequest(Request):
    """A position or view whose possible moves are requested."""

    position: SentPosition


class Moves(Answer):
    """The possible next moves. `to_move` is null and both lists are empty when the round is over."""

    game: str
    text: Annotated[str, Field(description="The position as a line of text.")]
    to_move: Annotated[int | None, Field(description="The seat that decides next, counted from 0.")]
    moves: Annotated[
        tuple[str, ...],
        Field(description="The legal moves of that seat, where its cards are known, in canonical order."),
    ]
    possible: Annotated[
        tuple[str, ...], Field(description="In a view in which another seat is to move: what it could do.")
    ]


class PlayRequest(Request):
    """A position or a view, and the moves or events that follow, in order."""

    position: SentPosition
    moves: Annotated[
        tuple[Text, ...],
        Field(
            max_length=MOST_MOVES,
            description="Moves in order. In a view, those of other seats are what was seen of them.",
            examples=[["D6"]],
        ),
    ]


class Fault(Answer):
    """A fault of a request. `code` is a stable word, `path` the path of the wrong key, `message` for a person."""

    code: str
    path: Annotated[str, Field(examples=["hands[2][4]", "limit.seconds", ""])]
    message: str


class CheckRequest(Request):
    """A position or view to be checked, which may be wrong or incomplete, and moves from there."""

    position: Annotated[Any, Field(description="A position as an object or a line, whole or not, right or wrong.")]
    moves: Annotated[tuple[Text, ...], Field(max_length=MOST_MOVES, description="As for `/v1/play`.")] = ()


class Checked(Answer):
    """The faults of a position and the moves from there, including what is missing."""

    faults: Annotated[tuple[Fault, ...], Field(max_length=MOST_FAULTS, description="None where nothing is wrong.")]


class ViewRequest(Request):
    """A position with every card known, and the seat whose view is requested."""

    position: SentPosition
    seat: Annotated[Whole, Field(description="The seat, counted from 0.")]


class WorldsRequest(Request):
    """A view, and how many of the deals that agree with it are requested."""

    position: SentPosition
    most: Annotated[
        int, Field(ge=1, le=MOST_DEALS, strict=True, description="So many deals, or all where there are fewer.")
    ] = 1
    seed: Annotated[Number, Field(description="The same seed draws the same deals.")] = 0


class World(Answer):
    """A deal that agrees with a view."""

    text: Annotated[str, Field(description="The position as one line of text.")]
    position: AnyPosition


class Worlds(Answer):
    """Deals that agree with a view, each as likely as any other."""

    worlds: Annotated[tuple[World, ...], Field(description="Positions with every card known.")]


class Table(Answer):
    """A position or view, with the seat to move and what lies on the table."""

    text: Annotated[str, Field(description="The position as one line of text.")]
    position: AnyPosition
    to_move: Annotated[int | None, Field(description="The seat that decides next; null when the round is over.")]
    on_table: Annotated[
        dict[str, Any] | None,
        Field(
            description="What lies open and isn't in the position, such as the won cards; null where nothing does."
        ),
    ]


class SolveQuery(Request):
    """Query parameters: the limit of each puzzle."""

    seconds: Seconds | None = None
    nodes: Nodes | None = None


class GameInfo(Answer):
    """A game that the service supports."""

    name: str
    title: str
    players: Annotated[tuple[int, int], Field(description="Fewest and most.")]
    variants: dict[str, str]
    models: tuple[str, ...]
    rules: Annotated[dict[str, str], Field(description="What each disputed reading says, by its name.")]


class Games(Answer):
    games: tuple[GameInfo, ...]


class ErrorDetail(Fault):
    """The first fault of a request and, if there are several, a list of all of them."""

    faults: Annotated[tuple[Fault, ...] | None, Field(max_length=MOST_FAULTS)] = None
    request_id: Annotated[
        str | None, Field(description="The number of the request, as in `X-Request-Id` and the log.")
    ] = None


class DeckInfo(Answer):
    """A deck that positions can name. A deck with an error cannot be used until its file is corrected."""

    game: Annotated[str | None, Field(description="Null where the file does not tell.")]
    name: str
    title: str | None
    source: Annotated[str, Field(description="`shipped`, or the file in the folder of the user's own decks.")]
    error: ErrorDetail | None


class Decks(Answer):
    decks: tuple[DeckInfo, ...]


class Rules(Answer):
    """The rules and rulings in force, in Markdown."""

    game: str
    rules: str


class GameStart(Answer):
    """The state of a game on its way to being ready."""

    state: Literal["waiting", "compiling", "loading", "ready", "failed"]
    share: Annotated[float, Field(ge=0, le=1, description="Of its kernels, how many are compiled.")]
    hints: Annotated[bool, Field(description="Whether hints are answered: what they need is compiled first.")]
    seconds: Annotated[float | None, Field(description="How long it has been in this state.")]
    reason: Annotated[str | None, Field(description="Why compiling failed.")]


class MemoryUse(Answer):
    """The memory limit of the service, and its use, in MiB."""

    limit_mb: Annotated[int, Field(description="The most that all of it may be.")]
    used_mb: Annotated[int | None, Field(description="What is in memory now; null where that is not told.")]
    tables_limit_mb: Annotated[int, Field(description="What of the limit is for the tables of searches.")]
    tables_mb: Annotated[int, Field(description="What searches hold of that, and what is kept for the next.")]
    jobs_limit_mb: Annotated[int, Field(description="What the workers of jobs may have beside that.")]


class JobsHeld(Answer):
    """The state of the job store, checked twice a minute."""

    waiting: Annotated[int, Field(description="Units that wait.")]
    running: Annotated[int, Field(description="Units that are being done.")]
    failed: Annotated[int, Field(description="Units that could not be answered.")]
    oldest: Annotated[float, Field(description="Seconds since the oldest job that has not ended was submitted.")]
    bytes: Annotated[int, Field(description="The size of the store.")]


class Health(Answer):
    """`status` is `starting` until every game is ready or has failed, then `ok`."""

    status: Literal["ok", "starting"]
    version: str
    games: Annotated[dict[str, GameStart], Field(description="The games that the service makes ready.")]
    memory: MemoryUse
    jobs: Annotated[JobsHeld, Field(description="What the store of jobs holds.")]


class Ready(Answer):
    """The answer when every game is ready or has failed."""

    status: Annotated[Literal["ok"], Field(description="Always the same: else the answer is an error.")]


class Error(Answer):
    error: ErrorDetail


def decks_of(listed: Iterable[Listed]) -> Decks:
    """Convert the catalogue of decks to an answer."""
    return Decks(
        decks=tuple(
            DeckInfo(
                game=found.game,
                name=found.name,
                title=found.deck.title if found.deck else None,
                source=found.source,
                error=ErrorDetail.model_validate(found.error.to_dict()["error"]) if found.error else None,
            )
            for found in listed
        )
    )


def data_of(position: Any) -> Any:
    """A position as JSON-ready data, without keys whose value is null."""
    return position.model_dump(mode="json", exclude_none=True)


MOST_QUESTIONS = 1_000  # in a batch


class HintQuestion(HintRequest):
    """A hint in a batch: the keys of the body of `/v1/hint`, and `ask`."""

    ask: Literal["hint"]


class AnalyzeQuestion(AnalyzeRequest):
    """An analysis in a batch: the keys of the body of `/v1/analyze`, and `ask`."""

    ask: Literal["analyze"]


class CompoundQuestion(CompoundRequest):
    """A question about compounding in a batch: the keys of the body of `/v1/compound`, and `ask`."""

    ask: Literal["compound"]


class BatchAsk(BaseModel):
    """The question type of an entry in a batch; its other keys are those of that question's body."""

    ask: Literal["hint", "analyze", "compound"]


class BatchRequest(Request):
    """Independent questions. Each is checked separately: a faulty one gets an error, the others are answered."""

    questions: Annotated[
        tuple[Any, ...],
        Field(min_length=1, max_length=MOST_QUESTIONS, description="In any order."),
    ]


class BatchLine(Answer):
    """The result of a question in a batch: its answer or its error."""

    index: Annotated[int, Field(description="Which question, counted from 0.")]
    answer: Annotated[dict[str, Any] | None, Field(description="The whole answer to the question.")] = None
    error: ErrorDetail | None = None


class StreamQuery(Request):
    """Query parameters: whether to stream."""

    stream: Annotated[
        Literal["0", "1"],
        Field(description="1 to be told line by line, as for `Accept: application/x-ndjson`; 0 not to."),
    ] = "0"


class ProvedMove(Answer):
    """The bounds proved for a move so far."""

    move: str
    bounds: Annotated[tuple[Value, Value], Field(description="The least and the most that its value can be.")]


class ProgressData(Answer):
    """The progress of a search."""

    nodes: Annotated[int, Field(description="How large the search is so far.")]
    seconds: Annotated[float, Field(description="How long it has searched.")]
    done: Annotated[float | None, Field(description="The share that is done, from 0 to 1; null if not known.")]
    stage: Annotated[str, Field(description="What it is at, in a word or two.")]
    best: Annotated[str | None, Field(description="The move that seems best so far; null if not known.")]
    moves: Annotated[
        tuple[ProvedMove, ...] | None,
        Field(description="What is proved of each move so far, where an analysis tells it; in no order."),
    ] = None
    bounds: Annotated[
        tuple[Value, Value] | None,
        Field(description="The least and the most that the position's value can be, where an analysis tells it."),
    ] = None


class ProgressLine(Answer):
    """A line of a streamed hint or analysis, before the answer."""

    progress: ProgressData


_MATCH = "The game so far, as every answer about it tells it; all else follows from it."
_SEEN = (
    "What is to be seen, with the keys of a position, to be drawn. Without `text` it is none that can be asked "
    "about: the second match of an exchange, or the hands at the end. Null between a pick and those of the others."
)


class MatchRequest(Request):
    """A game in progress, and what its player does next: make, undo or redo moves."""

    match: Annotated[Saved, Field(description=_MATCH)]
    moves: Annotated[
        tuple[Text, ...],
        Field(max_length=MOST_MOVES, description="Moves to make, in order, whoever's they are."),
    ] = ()
    undo: Annotated[
        int,
        Field(ge=0, le=MOST_MOVES, strict=True, description="How many of the player's decisions to go back by."),
    ] = 0
    redo: Annotated[
        tuple[Text, ...],
        Field(
            max_length=MOST_MOVES,
            description="Moves that were taken back: the first is made again, and all up to the next decision.",
        ),
    ] = ()


class TurnRequest(Request):
    """A game in progress whose log is requested, or a hint or a move for its seat to move."""

    match: Annotated[Saved, Field(description=_MATCH)]


class WrittenRequest(Request):
    """A file of games as text, which may have been played at a real table."""

    text: Annotated[Text, Field(description="What `athanor play` keeps as text, or somebody wrote down.")]


class WrittenGames(Answer):
    """The games of a file, each as a request sends it under `match`, with moves in their usual spelling."""

    games: tuple[Saved, ...]


class ReviewLimit(Limit):
    """The time for each of the three searches about a move: at most a second, 0.3 seconds by default."""


class ReviewRequest(Request):
    """A game in progress or finished, and which of its rounds to review."""

    match: Annotated[Saved, Field(description=_MATCH)]
    limit: ReviewLimit = ReviewLimit()
    round: Annotated[int | None, Field(ge=1, strict=True, description="One round, counted from 1; else all.")] = (
        None
    )
    seat: Annotated[Whole | None, Field(description="One seat's moves alone.")] = None
    model: Annotated[Text | None, Field(description="How the others play in truth, where a game has that.")] = None


class EndedRound(Answer):
    """How a round ended: all its cards, and the result."""

    round: Annotated[int, Field(description="Which round, counted from 1.")]
    text: Annotated[str | None, Field(description="The last position as a line; null where no line says it.")]
    position: Annotated[dict[str, Any] | None, Field(description=_SEEN)]
    summary: Annotated[
        tuple[str, ...],
        Field(description="What the round brought, and how the match stands, in sentences."),
    ]


class LoggedMove(Answer):
    """A move of a game in progress."""

    round: Annotated[int, Field(description="Which round it is, counted from 1.")]
    seat: Annotated[int, Field(description="The seat that moved.")]
    told: Annotated[str, Field(description="The player's own move, or what everybody was told of another's.")]
    move: Annotated[str | None, Field(description="The move; null for one that is hidden.")]
    trick: Annotated[int | None, Field(description="Which trick it is, counted from 1; null where there is none.")]
    won_by: Annotated[int | None, Field(description="Who won the trick, at the move that ends it.")]


class Match(Answer):
    """The state of a game in progress, as its player sees it."""

    match: Annotated[Saved, Field(description=_MATCH)]
    file: Annotated[str, Field(description="The game as the text of a file, which `/v1/match/written` reads.")]
    players: int
    round: Annotated[int, Field(description="Which round it is, counted from 1.")]
    to_move: Annotated[int | None, Field(description="The seat that decides next; null when the game is over.")]
    deciding: Annotated[
        bool, Field(description="Whether the player decides now, and has more than one move to choose from.")
    ]
    moves: Annotated[tuple[str, ...], Field(description="The player's legal moves, when it is their turn.")]
    text: Annotated[str | None, Field(description="What the player sees, as a line; null where no line says it.")]
    position: Annotated[dict[str, Any] | None, Field(description=_SEEN)]
    made: Annotated[int, Field(description="How many moves were made in all rounds.")]
    undone: Annotated[
        tuple[str, ...], Field(description="The moves that `undo` took back, the first to be made again first.")
    ] = ()
    redone: Annotated[int, Field(description="How many moves of `redo` were made.")] = 0
    last: Annotated[LoggedMove | None, Field(description="The last move; null before the first.")]
    ended: Annotated[
        EndedRound | None, Field(description="The last round, where the game is over or the next has not begun.")
    ] = None


class MatchLog(Answer):
    """All moves of a game so far."""

    log: Annotated[tuple[LoggedMove, ...], Field(description="Every move, in the order of play.")]


class Turn(Answer):
    """A seat's move, and the state of the game after it."""

    seat: Annotated[int, Field(description="The seat that moved.")]
    told: Annotated[str, Field(description="What everybody is told of it; a hidden move is not named.")]
    reason: Annotated[str | None, Field(description="Why; null for a move without a choice or a hidden one.")]
    match: Annotated[Match, Field(description="Where the game stands after it.")]


MOST_LISTED = 1_000


class JobRequest(Request):
    """Questions of one kind, and options for all of them, which a question may override."""

    kind: Annotated[
        Literal["analyze", "hint", "solve", "deal", "survey"], Field(description="What is asked of each.")
    ]
    questions: Annotated[
        tuple[Any, ...],
        Field(
            min_length=1,
            max_length=MOST_QUESTIONS,
            description="Positions, as objects or as text, or objects with the key `position` and `nodes`, "
            "`seconds`, `model`, `player`, `worlds`, `seed` or `others` of their own. To solve: puzzles, as in a "
            "file. To deal: objects with `game`, `seed`, `number` (the first) and `deals` (how many); for a "
            "survey the same with `survey`, its name.",
        ),
    ]
    limit: Annotated[
        Limit, Field(description="How long each may take; a limit of nodes gives the same each time.")
    ] = Limit()
    model: Text | None = None
    player: Whole | None = None
    worlds: Annotated[
        int | None, Field(ge=0, le=MOST_WORLDS, strict=True, description="How many layouts a hint tries.")
    ] = None
    seed: Annotated[Number | None, Field(description="Of hints, deals and surveys.")] = None
    others: Annotated[Others | None, Field(description="How strong the other players are, in hints.")] = None
    title: Annotated[Text, Field(max_length=200, description="What the list calls the job.")] = ""
    key: Annotated[
        Text | None,
        Field(max_length=200, description="Sent again with the same key and questions, it is the same job."),
    ] = None


class JobsQuery(Request):
    """Query parameters: which jobs to list."""

    most: Annotated[int, Field(ge=1, le=MOST_LISTED, description="The newest ones, so many at most.")] = 100
    before: Annotated[
        Text | None,
        Field(description="Only jobs from before the one with this `id`, as `next` of a list says it."),
    ] = None


class ResultsQuery(Request):
    """Query parameters: which results of a job to return, and whether to wait for more."""

    after: Annotated[int, Field(ge=0, lt=2**63, description="Only those with a higher `id`.")] = 0
    stream: Annotated[
        Literal["0", "1"],
        Field(description="1 to be told further results as they come, until the job has ended."),
    ] = "0"


class Jobs(Answer):
    """A list of jobs, newest first."""

    jobs: Annotated[tuple[Job, ...], Field(description="Your own or, asked from this machine, all.")]
    next: Annotated[
        str | None, Field(description="Sent as `before`, it lists the jobs that follow; null where none do.")
    ] = None


class ResultLine(Answer):
    """A line of a job's results; the last line has the state of the job, and no other key."""

    id: Annotated[int | None, Field(description="Grows from line to line; `after` begins behind one.")] = None
    unit: Annotated[int | None, Field(description="Which unit of the job, counted from 0.")] = None
    result: Annotated[
        dict[str, Any] | None,
        Field(description="The answer, without the seconds that it took, or an object with the key `error`."),
    ] = None
    job: Annotated[Job | None, Field(description="How far the job is, in the last line.")] = None
    error: ErrorDetail | None = None


class WrittenDeck(Answer):
    """A deck that was read from a file and checked."""

    game: str
    name: str
    title: str
    deck: Annotated[dict[str, Any], Field(description="The whole deck, as a position's `deck` may hold it.")]


def _day(text: object) -> date:
    try:
        return date.fromisoformat(str(text))
    except ValueError:
        raise fault("wrong_type", say("a day is written as {example}", example="2026-01-31")) from None


class PuzzleQuery(Request):
    """Query parameters: which puzzles to return."""

    id: Annotated[Text | None, Field(description="The one with this id alone.")] = None
    game: Annotated[Text | None, Field(description="Those of one game alone.")] = None
    grade: Annotated[Grade | None, Field(description="Those of one grade alone.")] = None
    day: Annotated[
        date | None,
        BeforeValidator(_day),
        Field(description="The puzzle of this day alone, as 2026-01-31."),
    ] = None


class PuzzleInfo(Answer):
    """A puzzle, with its position also as a line of text. Keys missing in its file are left out."""

    id: str
    title: str
    ask: Ask
    game: str
    model: str | None = None
    player: int | None = None
    grade: Grade | None = None
    themes: tuple[str, ...] | None = None
    note: str | None = None
    text: Annotated[str, Field(description="The position as one line of text.")]
    position: AnyPosition
    solution: Solution | None = None


class Puzzles(Answer):
    puzzles: tuple[PuzzleInfo, ...]
    themes: Annotated[dict[str, str], Field(description="What their themes are called, by the theme.")]


class ReplyRequest(Request):
    """A puzzle that states its solution, and a player's answer: a move, or text if the puzzle asks for no move."""

    puzzle: Puzzle
    move: Text

    @field_validator("puzzle")
    @classmethod
    def _asks(cls, puzzle: Puzzle) -> Puzzle:
        if puzzle.ask == "all-matches" or not is_asked(puzzle):
            raise fault(
                "not_offered", say("the puzzle must state its answer, and not ask for all matches"), "solution"
            )
        return puzzle
