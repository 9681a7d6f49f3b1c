"""Pydantic models of requests and answers, except the solver's positions, records and answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    create_model,
    field_validator,
)

from api.errors import documented
from athanor.asking import QUESTIONS, Question
from athanor.jobs.store import Job, JobsHeld
from athanor.questions import Kind
from athanor.sessions import LoggedMove, Saved
from puzzles.format import MOST_RATING, Ask, Grade, PuzzleFile
from puzzles.solution import Solution
from solver.answers import Answer, Fault, Moves, OpponentMatch, Value
from solver.common import EXACT, SEEDS
from solver.decks import Listed
from solver.display import CardFace, DeckTable, OwnField
from solver.errors import MOST_FAULTS
from solver.language import named, say, translated
from solver.limits import Limit
from solver.positions import PositionField
from solver.validation import at_most, fault

MOST_MOVES = 1_000  # more than any round has
MOST_DEALS = 100  # that agree with a view, in one answer
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Whole = Annotated[int, Field(ge=0, lt=EXACT, strict=True)]
Number = Annotated[int, Field(ge=0, lt=SEEDS, strict=True)]
Text = Annotated[str, Field(strict=True)]
# A parameter of a query string, which is text: "true" or "false".
Flag = Annotated[
    bool, BeforeValidator(lambda text: {"true": True, "false": False}.get(text, text)), Field(strict=True)
]


class Request(BaseModel):
    """Base class of all requests. They are immutable, and reject undeclared keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lang: Annotated[
        Literal["en", "ja"] | None, BeforeValidator(lambda tag: (isinstance(tag, str) and named(tag)) or tag)
    ] = None

    @property
    def search_limit(self) -> Limit | None:
        """The limit of the search; None where there is none, as where the `limit` is a number of deals."""
        limit = getattr(self, "limit", None)
        return limit if isinstance(limit, Limit) else None

    @property
    def values(self) -> dict[str, Any]:
        """What is asked: the values of all keys but the language and the limit of the search."""
        left_out = ("lang",) if self.search_limit is None else ("lang", "limit")
        return {key: value for key, value in self if key not in left_out}


Q = TypeVar("Q", bound=Request)


class HintLimit(Limit):
    """How long a hint may take: at least 0.05 seconds."""

    seconds: Annotated[float, Field(ge=0.05, allow_inf_nan=False, strict=True)] | None = None


class _OfViewer(Request):
    """Keys of an analysis, which the body of a hint knows only to say why they don't apply."""

    model: Annotated[Text | None, Field(description="Must be null: hints have no models.")] = None
    player: Annotated[Whole | None, Field(description="Must be null: a hint is for the viewing seat.")] = None

    @field_validator("model", "player")
    @classmethod
    def _refused(cls, value: object, about: ValidationInfo) -> object:
        if value is not None:
            key = about.field_name
            raise fault("not_applicable", say("a hint is for the viewer; it takes no {key}", key=key))
        return value

    @property
    def values(self) -> dict[str, Any]:
        return {key: value for key, value in super().values.items() if key not in ("model", "player")}


_Moves = Annotated[tuple[Text, ...], Field(max_length=MOST_MOVES), at_most(MOST_MOVES)]
# Bounds of what one call may ask; in Python there are none.
_NARROWER: Mapping[tuple[str, str], Any] = {
    ("play", "moves"): Annotated[_Moves, Field(examples=[["D6"]])],
    ("worlds", "limit"): Annotated[int, Field(ge=1, le=MOST_DEALS, strict=True)],
}


def _grown(base: type[Q], name: str, fields: Mapping[str, Any], about: str | None = None) -> type[Q]:
    """Return a type of requests that has more keys than its base."""
    about = base.__doc__ if about is None else about
    return create_model(name, __base__=base, __module__=__name__, __doc__=about, **fields)


def _body(question: Question) -> type[Request]:
    """Return the type of the body of a question's call."""
    fields: dict[str, Any] = {}
    for name, (kind, default) in question.fields.items():
        narrower = _NARROWER.get((question.name, name))
        about = Field(description=question.keywords[name].help)
        fields[name] = (Annotated[narrower, about] if narrower else kind, default)
        if question.searches and name == question.subject:
            limit = HintLimit if question.seconds else Limit
            fields["limit"] = (limit, limit())
    base = _OfViewer if question.name == "hint" else Request
    return _grown(base, f"{question.name.capitalize()}Request", fields, question.summary)


class Cards(Answer):
    """The faces of the cards, in the deck's order, so that a client can display them."""

    game: str
    cards: tuple[CardFace, ...]


class Deal(Answer):
    """A fresh deal: always the same for the same seed and number."""

    seed: int
    number: int
    text: str
    position: PositionField


Code = Annotated[
    str, Field(json_schema_extra=lambda schema: schema.update(enum=[error.code for error in documented()]))
]


class CheckedDeck(Answer):
    """A deck's table or, if it was given by rows that make no deck, every fault with its row and column."""

    faults: tuple[Fault, ...]
    table: DeckTable | None


class CheckRequest(Request):
    """A position or view to be checked, which may be wrong or incomplete, and moves that follow it."""

    position: Any
    moves: _Moves = ()
    after: Annotated[bool, Field(strict=True)] = False


BODIES: Mapping[str, type[Request]] = {
    **{name: _body(question) for name, question in QUESTIONS.items() if not question.here},
    "check": CheckRequest,
}


class World(Answer):
    """A deal that agrees with a view."""

    text: str
    position: PositionField


class Worlds(Answer):
    """Deals that agree with a view, each as likely as any other."""

    worlds: tuple[World, ...]


class Table(Answer):
    """A position or view, with the seat to move and what lies on the table."""

    text: str
    position: PositionField
    to_move: int | None
    derived: dict[str, Any] | None


class Checked(Answer):
    """All faults in a position and in the moves that follow it. A missing key is a fault too.

    If there are none and it was asked for, also the table `after` the moves, the `next_moves`, and whether each
    seat's view is known (`can_view`).
    """

    faults: Annotated[tuple[Fault, ...], Field(max_length=MOST_FAULTS)]
    after: Table | None = None
    next_moves: Moves | None = None
    can_view: bool | None = None


class SolveRequest(PuzzleFile):
    """A puzzle file, and the limit of the search for each puzzle's solution."""

    limit: Limit = Limit()


class GameInfo(Answer):
    """A game that the service supports."""

    name: str
    title: str
    players: tuple[int, int]
    variants: dict[str, str]
    models: tuple[str, ...]
    rules: dict[str, str]
    disputed: tuple[str, ...]
    description: str
    rounds: int | None
    won_or_lost: bool
    levels: tuple[str, ...]
    has_card_faces: bool
    fields: tuple[OwnField, ...]
    sides: tuple[int, ...]


class Games(Answer):
    games: tuple[GameInfo, ...]


class ErrorDetail(Fault):
    """The first fault of a request and, if there are several, a list of all of them."""

    faults: Annotated[tuple[Fault, ...] | None, Field(max_length=MOST_FAULTS)] = None
    request_id: str | None = None


class DeckInfo(Answer):
    """A deck that positions can name. A deck with an error cannot be used until its file is corrected."""

    game: str | None
    name: str
    title: str | None
    source: str
    error: ErrorDetail | None


class Decks(Answer):
    decks: tuple[DeckInfo, ...]


class Rules(Answer):
    """The rules and rulings in force, in Markdown."""

    game: str
    rules: str
    for_players: str


class GameStart(Answer):
    """How far the service has come in making a game ready."""

    state: Literal["waiting", "compiling", "loading", "ready", "failed"]
    compiled_share: Annotated[float, Field(ge=0, le=1)]
    hints_ready: bool
    seconds: float | None
    reason: str | None


class MemoryUse(Answer):
    """The memory limit of the service, and its use, in MiB."""

    limit_mb: int
    used_mb: int | None
    tables_limit_mb: int
    tables_mb: int
    jobs_limit_mb: int


class Health(Answer):
    """The state of the service. `status` is `starting` until every game is ready or has failed, then `ok`."""

    status: Literal["ok", "starting"]
    version: str
    reason: str | None
    games: dict[str, GameStart]
    memory: MemoryUse
    jobs: JobsHeld
    jobs_fault: Code | None


class Ready(Answer):
    """The answer when every game is ready."""

    status: Literal["ok"]
    jobs_fault: Code | None


class Error(Answer):
    error: ErrorDetail


def decks_of(listed: Iterable[Listed]) -> Decks:
    """Convert the catalogue of decks to an answer."""
    return Decks(
        decks=tuple(
            DeckInfo(
                game=deck.game,
                name=deck.name,
                title=translated(deck.deck.title) if deck.deck else None,
                source=deck.source,
                error=ErrorDetail.model_validate(deck.error.to_dict()["error"]) if deck.error else None,
            )
            for deck in listed
        )
    )


MOST_QUESTIONS = 1_000  # in a batch


# The questions of a batch: the keys of the bodies of their own calls, and `ask`.
BATCHED: Mapping[str, type[Request]] = {
    name: _grown(
        body,
        f"{name.capitalize()}Question",
        {"ask": (Literal[name], ...)},
        f"A question in a batch: the keys of the body of `/v1/{name}`, and `ask`.",
    )
    for name, body in BODIES.items()
    if name in QUESTIONS and QUESTIONS[name].batched
}


class BatchRequest(Request):
    """Independent questions. Each is checked separately: a faulty one gets an error, the others are answered."""

    questions: Annotated[tuple[Any, ...], Field(min_length=1, max_length=MOST_QUESTIONS)]


class BatchLine(Answer):
    """The result of a question in a batch: its answer or its error."""

    index: int
    answer: dict[str, Any] | None = None
    error: ErrorDetail | None = None


class StreamQuery(Request):
    """Query parameters: whether to stream."""

    stream: Flag = False


class ProvedMove(Answer):
    """The bounds proved for a move so far."""

    move: str
    bounds: tuple[Value, Value]


class ProgressData(Answer):
    """The progress of a search."""

    nodes: int
    seconds: float
    done: float | None
    stage: str
    best: str | None
    moves: tuple[ProvedMove, ...] | None = None
    bounds: tuple[Value, Value] | None = None
    message: str | None = None


class ProgressLine(Answer):
    """A line of a stream before the answer: how far a search is, or the preparation of a game."""

    progress: ProgressData


class MatchRequest(Request):
    """A game in progress, and what its player does next: make, undo or redo moves."""

    match: Saved
    moves: _Moves = ()
    undo: Annotated[int, Field(ge=0, le=MOST_MOVES, strict=True)] = 0
    redo: _Moves = ()


class TurnRequest(Request):
    """A game, for requests that need nothing else: its log, or how a round ended."""

    match: Saved


class SearchTurnRequest(TurnRequest):
    """A game in progress, for a hint or a move for the seat to move."""

    limit: Limit = Limit()

    @property
    def search_limit(self) -> Limit:
        return Limit(seconds=self.match.seconds) if self.limit == Limit() else self.limit


class ReadGamesRequest(Request):
    """Games as text, some of which may have been played at a real table."""

    text: Text


class ReadGames(Answer):
    """The games in a file, each in the form that a request sends under `match`, with moves in their usual
    spelling.
    """

    games: tuple[Saved, ...]


class ReviewLimit(Limit):
    """The limit of the two searches for the best move: at most a second, 0.3 seconds by default.

    Two others, which compare the best move with the one made, take twice as long.
    """


class _ReviewRequest(Request):
    """A game in progress or finished, and which of its rounds to review."""

    match: Saved
    limit: ReviewLimit = ReviewLimit()


_, *_REVIEWED = QUESTIONS["review"].fields.items()
ReviewRequest = _grown(_ReviewRequest, "ReviewRequest", dict(_REVIEWED))


class EndedRound(Answer):
    """How a round ended: all its cards, and the result."""

    round: int
    text: str | None
    position: dict[str, Any] | None
    summary: tuple[str, ...]
    decided_by: str | None = None
    won: bool | None = None
    totals: tuple[int, ...] | None = None
    unit: str


class Match(Answer):
    """The state of a game in progress, as its player sees it."""

    match: Saved
    file_text: str
    players: int
    round: int
    to_move: int | None
    has_choice: bool
    legal_moves: tuple[str, ...]
    text: str | None
    position: dict[str, Any] | None
    move_count: int
    undone: tuple[str, ...] = ()
    redone_count: int = 0
    last_move: LoggedMove | None
    reason: str | None = None
    opponent_match: OpponentMatch | None = None
    ended: EndedRound | None = None


class MatchLog(Answer):
    """All moves of a game so far."""

    log: tuple[LoggedMove, ...]


MOST_LISTED = 1_000


# The options of jobs: those of questions about positions, and a seed.
JOB_OPTIONS: Mapping[str, Any] = {
    **{
        key: field
        for name in ("analyze", "hint")
        for key, field in QUESTIONS[name].fields.items()
        if key != "position"
    },
    "seed": (Annotated[Number | None, Field(description="The seed of hints, deals and surveys.")], None),
}


class _JobRequest(Request):
    """Questions of one kind, and options for all of them, which a question may override."""

    kind: Literal["analyze", "hint", "solve", "deal", "survey"]
    questions: Annotated[
        tuple[Any, ...],
        Field(
            min_length=1,
            max_length=MOST_QUESTIONS,
            description="Positions, as objects or as text, or objects with the key `position` and their own "
            f"options: `limit`, {', '.join(f'`{key}`' for key in JOB_OPTIONS)}. For `solve`: puzzles, "
            "as in a puzzle file. For `deal`: objects with `game`, `seed`, `number` (the first) and `deals` (how "
            "many). For `survey`: the same, with the name of the survey in `survey`.",
        ),
    ]
    limit: Limit = Limit()
    title: Annotated[Text, Field(max_length=200)] = ""
    key: Annotated[Text | None, Field(max_length=200)] = None


JobRequest = _grown(_JobRequest, "JobRequest", JOB_OPTIONS)


class JobsQuery(Request):
    """Query parameters: which jobs to list."""

    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = 100
    before: Text | None = None


class ResultsQuery(Request):
    """Query parameters: which results of a job to return, and whether to wait for more."""

    after: Annotated[int, Field(ge=0, lt=EXACT)] = 0
    stream: Flag = False


class Jobs(Answer):
    """A list of jobs, newest first."""

    jobs: tuple[Job, ...]
    next: str | None = None


class ResultLine(Answer):
    """A line of a job's results; the last line has the state of the job, and no other key."""

    id: int | None = None
    index: int | None = None
    result: dict[str, Any] | None = None
    job: Job | None = None
    error: ErrorDetail | None = None


class PuzzleFileQuery(Request):
    """Query parameters: the language, which a file does not state."""


class FileQuery(Request):
    """Query parameters: the name of the file that is sent."""

    name: Text | None = None


class ReadFile(Answer):
    """The text in a file's bytes, and what it is."""

    text: str
    kind: Kind
    guessed: tuple[str, ...]


class ReadDeck(Answer):
    """A deck that was read from a file and checked."""

    game: str
    name: str
    title: str
    deck: dict[str, Any]


def _day(text: object) -> date:
    try:
        return date.fromisoformat(str(text))
    except ValueError:
        raise fault("wrong_type", say("a day is written as {example}", example="2026-01-31")) from None


_RATINGS = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?")


def _ratings(text: object) -> tuple[int, int]:
    matched = _RATINGS.fullmatch(str(text))
    if not matched:
        raise fault(
            "wrong_type", say("ratings are written as {example} or {other}", example="1200-1500", other="1500")
        )
    least, most = int(matched[1]), int(matched[2] or matched[1])
    if least > most:
        raise fault("out_of_range", say("the first rating is the lowest, as in {example}", example="1200-1500"))
    return least, most


class _PuzzleFilter(Request):
    game: Annotated[Text | None, Field(description="Return only puzzles of this game.")] = None
    ask: Annotated[Ask | None, Field(description="Return only puzzles with this question.")] = None
    theme: Annotated[
        Text | None,
        Field(description="Return only puzzles whose solution has this theme, which the query thus tells."),
    ] = None
    grade: Annotated[Grade | None, Field(description="Return only puzzles of this grade.")] = None
    series: Annotated[
        Text | None,
        Field(description="Return only puzzles of this series, which teaches one idea, in its order."),
    ] = None


class PuzzleQuery(_PuzzleFilter):
    """Query parameters: which puzzles to return."""

    rating: Annotated[tuple[int, int], BeforeValidator(_ratings, json_schema_input_type=str)] | None = None
    id: Text | None = None
    day: Annotated[date | None, BeforeValidator(_day)] = None
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = 100
    after: Text | None = None
    solutions: Flag = False


class NextPuzzleQuery(_PuzzleFilter):
    """Query parameters: who wants a puzzle."""

    rating: Annotated[float, Field(ge=0, le=MOST_RATING, allow_inf_nan=False)] = 1200.0
    skip: Text = ""
    solutions: Flag = False


class PuzzleInfo(Answer):
    """A puzzle, with its position also as a line of text. Keys missing in its file are left out.

    So are `title`, `themes`, `note`, `hint` and `solution` of puzzles of the collection, unless `solutions` asks
    for them.
    """

    id: str
    title: str | None = None
    ask: Ask
    game: str
    model: str | None = None
    player: int | None = None
    must: tuple[str, ...] | None = None
    without: tuple[str, ...] | None = None
    grade: Grade | None = None
    rating: int | None = None
    vote_bonus: int | None = None
    themes: tuple[str, ...] | None = None
    note: str | None = None
    hint: str | None = None
    text: str
    position: PositionField
    to_move: int | None = None
    derived: dict[str, object] | None = None
    solution: Solution | None = None


class SeriesInfo(Answer):
    """A series of puzzles that teaches one idea."""

    name: str
    title: str
    lesson: str
    puzzles: tuple[str, ...]


class Puzzles(Answer):
    puzzles: tuple[PuzzleInfo, ...]
    themes: dict[str, str]
    series: tuple[SeriesInfo, ...] | None = None
    next: str | None = None
