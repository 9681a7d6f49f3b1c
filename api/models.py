"""Pydantic models of requests and answers, except the solver's positions, records and answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal

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
from solver.display import CardFace, DeckTable, OwnField
from solver.errors import MOST_FAULTS
from solver.language import named, say, translated
from solver.limits import Limit
from solver.positions import PositionField
from solver.validation import at_most, fault

if TYPE_CHECKING:
    from solver.decks import Listed

MOST_MOVES = 1_000  # more than any round has
MOST_DEALS = 100  # that agree with a view, in one answer
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Nodes = Annotated[int, Field(gt=0, lt=EXACT)]
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
        Literal["en", "ja"] | None,
        BeforeValidator(lambda tag: (isinstance(tag, str) and named(tag)) or tag),
        Field(
            description="The language of sentences in the answer; by default the header `Accept-Language` decides."
        ),
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
    return create_model(
        f"{question.name.capitalize()}Request",
        __base__=_OfViewer if question.name == "hint" else Request,
        __module__=__name__,
        __doc__=question.summary,
        **fields,
    )


class Cards(Answer):
    """The faces of the cards, in the deck's order, so that a client can display them."""

    game: str
    cards: tuple[CardFace, ...]


class Deal(Answer):
    """A fresh deal: always the same for the same seed and number."""

    seed: int
    number: int
    text: Annotated[str, Field(description="The position as one line of text.")]
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

    position: Annotated[
        Any, Field(description="A position, as an object or as one line of text; it may be incomplete or wrong.")
    ]
    moves: Annotated[_Moves, Field(description="Moves, as for `/v1/play`.")] = ()
    after: Annotated[
        bool, Field(strict=True, description="Whether to return what `/v1/play` and `/v1/moves` would, too.")
    ] = False


BODIES: Mapping[str, type[Request]] = {
    **{name: _body(question) for name, question in QUESTIONS.items() if not question.here},
    "check": CheckRequest,
}


class World(Answer):
    """A deal that agrees with a view."""

    text: Annotated[str, Field(description="The position as one line of text.")]
    position: PositionField


class Worlds(Answer):
    """Deals that agree with a view, each as likely as any other."""

    worlds: Annotated[tuple[World, ...], Field(description="Positions with every card known.")]


class Table(Answer):
    """A position or view, with the seat to move and what lies on the table."""

    text: Annotated[str, Field(description="The position as one line of text.")]
    position: PositionField
    to_move: Annotated[int | None, Field(description="The seat to move; null when the round is over.")]
    derived: Annotated[
        dict[str, Any] | None,
        Field(
            description="What follows from the position but is not in it, such as the cards won, or the seat that "
            "gets a card of a full trick (`bottom`), and sentences about it (`notes`); null if there is nothing."
        ),
    ]


class Checked(Answer):
    """All faults in a position and in the moves that follow it. A missing key is a fault too.

    If there are none and it was asked for, also the table `after` the moves, the `next_moves`, and whether each
    seat's view is known (`can_view`).
    """

    faults: Annotated[
        tuple[Fault, ...], Field(max_length=MOST_FAULTS, description="All faults; empty if there are none.")
    ]
    after: Annotated[Table | None, Field(description="The position after the moves.")] = None
    next_moves: Annotated[
        Moves | None, Field(description="The possible next moves; none if they are too many to list.")
    ] = None
    can_view: Annotated[
        bool | None,
        Field(description="Whether `/v1/view` can show what each seat sees of the position after the moves."),
    ] = None


class SolveRequest(PuzzleFile):
    """A puzzle file, and the limit of the search for each puzzle's solution."""

    limit: Limit = Limit()


class GameInfo(Answer):
    """A game that the service supports."""

    name: str
    title: str
    players: Annotated[tuple[int, int], Field(description="The smallest and the largest number of players.")]
    variants: dict[str, str]
    models: tuple[str, ...]
    rules: Annotated[dict[str, str], Field(description="The rule options: what each one changes, by name.")]
    disputed: Annotated[
        tuple[str, ...], Field(description="The rule options that tables should agree on before they begin.")
    ]
    description: Annotated[str, Field(description="The game in a sentence; empty if it has none.")]
    rounds: Annotated[
        int | None, Field(description="The rounds of a match; null if the points decide when a match is over.")
    ]
    won_or_lost: Annotated[bool, Field(description="Whether a round is won or lost, and no points are counted.")]
    levels: Annotated[
        tuple[str, ...], Field(description="The strengths of other players (`others`) that hints distinguish.")
    ]
    has_card_faces: Annotated[bool, Field(description="Whether `/v1/cards` shows its cards.")]
    fields: Annotated[
        tuple[OwnField, ...],
        Field(description="The keys of positions that only this game has."),
    ]


class Games(Answer):
    games: tuple[GameInfo, ...]


class ErrorDetail(Fault):
    """The first fault of a request and, if there are several, a list of all of them."""

    faults: Annotated[tuple[Fault, ...] | None, Field(max_length=MOST_FAULTS)] = None
    request_id: Annotated[
        str | None, Field(description="The ID of the request, as in the header `X-Request-Id` and in the log.")
    ] = None


class DeckInfo(Answer):
    """A deck that positions can name. A deck with an error cannot be used until its file is corrected."""

    game: Annotated[str | None, Field(description="The game of the deck; null if the file does not name one.")]
    name: str
    title: str | None
    source: Annotated[str, Field(description="`shipped`, or the name of a file in the folder of your own decks.")]
    error: ErrorDetail | None


class Decks(Answer):
    decks: tuple[DeckInfo, ...]


class Rules(Answer):
    """The rules and rulings in force, in Markdown."""

    game: str
    rules: str
    for_players: Annotated[str, Field(description="The rules without what concerns positions and commands.")]


class GameStart(Answer):
    """How far the service has come in making a game ready."""

    state: Literal["waiting", "compiling", "loading", "ready", "failed"]
    compiled_share: Annotated[
        float, Field(ge=0, le=1, description="The share of its kernels that are compiled, from 0 to 1.")
    ]
    hints_ready: Annotated[
        bool, Field(description="Whether hints already work; the kernels for them are compiled first.")
    ]
    seconds: Annotated[float | None, Field(description="How long it has been in this state, in seconds.")]
    reason: Annotated[str | None, Field(description="Why compilation failed; null if it has not.")]


class MemoryUse(Answer):
    """The memory limit of the service, and its use, in MiB."""

    limit_mb: Annotated[int, Field(description="The memory limit of the whole service, in MiB.")]
    used_mb: Annotated[
        int | None, Field(description="Memory in use, in MiB; null if the operating system does not report it.")
    ]
    tables_limit_mb: Annotated[int, Field(description="The part of the limit reserved for search tables, in MiB.")]
    tables_mb: Annotated[
        int, Field(description="Memory held by search tables, including those kept for later searches, in MiB.")
    ]
    jobs_limit_mb: Annotated[int, Field(description="Additional memory that the job workers may use, in MiB.")]


class Health(Answer):
    """The state of the service. `status` is `starting` until every game is ready or has failed, then `ok`."""

    status: Literal["ok", "starting"]
    version: str
    reason: Annotated[str | None, Field(description="Why the service can't search at the moment, if it can't.")]
    games: Annotated[dict[str, GameStart], Field(description="The games and how ready they are.")]
    memory: MemoryUse
    jobs: Annotated[JobsHeld, Field(description="The state of the job store.")]
    jobs_fault: Annotated[
        Code | None, Field(description="Why the service can't work on jobs, as the code of an error, if it can't.")
    ]


class Ready(Answer):
    """The answer when every game is ready."""

    status: Annotated[
        Literal["ok"], Field(description="Always `ok`; a service that is not ready returns an error.")
    ]
    jobs_fault: Annotated[
        Code | None, Field(description="Why the service can't work on jobs, as the code of an error, if it can't.")
    ]


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
    name: create_model(
        f"{name.capitalize()}Question",
        __base__=body,
        __module__=__name__,
        __doc__=f"A question in a batch: the keys of the body of `/v1/{name}`, and `ask`.",
        **dict[str, Any](ask=(Literal[name], ...)),
    )
    for name, body in BODIES.items()
    if name in QUESTIONS and QUESTIONS[name].batched
}


class BatchRequest(Request):
    """Independent questions. Each is checked separately: a faulty one gets an error, the others are answered."""

    questions: Annotated[
        tuple[Any, ...],
        Field(min_length=1, max_length=MOST_QUESTIONS, description="The questions, in any order."),
    ]


class BatchLine(Answer):
    """The result of a question in a batch: its answer or its error."""

    index: Annotated[int, Field(description="The index of the question, counted from 0.")]
    answer: Annotated[
        dict[str, Any] | None, Field(description="The answer, as the question's own endpoint returns it.")
    ] = None
    error: ErrorDetail | None = None


class StreamQuery(Request):
    """Query parameters: whether to stream."""

    stream: Annotated[
        Flag,
        Field(
            description="Whether to send the answer line by line, beginning with progress, as with the header "
            "`Accept: application/x-ndjson`."
        ),
    ] = False


class ProvedMove(Answer):
    """The bounds proved for a move so far."""

    move: str
    bounds: Annotated[tuple[Value, Value], Field(description="Lower and upper bound of the move's value.")]


class ProgressData(Answer):
    """The progress of a search."""

    nodes: Annotated[int, Field(description="The number of nodes searched so far.")]
    seconds: Annotated[float, Field(description="The time searched so far, in seconds.")]
    done: Annotated[float | None, Field(description="The share that is done, from 0 to 1; null if unknown.")]
    stage: Annotated[str, Field(description="The current stage of the search, in a word or two.")]
    best: Annotated[str | None, Field(description="The best move so far; null if unknown.")]
    moves: Annotated[
        tuple[ProvedMove, ...] | None,
        Field(
            description="The bounds proved so far for each move, in no particular order, if the analysis reports "
            "them."
        ),
    ] = None
    bounds: Annotated[
        tuple[Value, Value] | None,
        Field(description="Lower and upper bound of the position's value, if the analysis reports them."),
    ] = None
    message: Annotated[
        str | None,
        Field(description="While a game is prepared (`stage` is `preparing`), a sentence about that for people."),
    ] = None


class ProgressLine(Answer):
    """A line of a stream before the answer: how far a search is, or the preparation of a game."""

    progress: ProgressData


_MATCH = "The game so far: send the `match` of the previous answer."
_SEEN = (
    "What there is to display, with the keys of a position. If `text` is null, you can't ask about it: it shows "
    "the "
    "second match of an exchange, or the hands at the end. Null between the player's pick and the other players'."
)


class MatchRequest(Request):
    """A game in progress, and what its player does next: make, undo or redo moves."""

    match: Annotated[Saved, Field(description=_MATCH)]
    moves: Annotated[_Moves, Field(description="Moves to make, in order, of whichever seat.")] = ()
    undo: Annotated[
        int,
        Field(ge=0, le=MOST_MOVES, strict=True, description="How many of the player's decisions to take back."),
    ] = 0
    redo: Annotated[
        _Moves,
        Field(
            description="Moves taken back, as in `undone`: redoes the first and all others up to the player's "
            "next decision.",
        ),
    ] = ()


class TurnRequest(Request):
    """A game, for requests that need nothing else: its log, or how a round ended."""

    match: Annotated[Saved, Field(description=_MATCH)]


class SearchTurnRequest(TurnRequest):
    """A game in progress, for a hint or a move for the seat to move."""

    limit: Annotated[Limit, Field(description="The limit of the search; by default, `seconds` of the game.")] = (
        Limit()
    )


class ReadGamesRequest(Request):
    """Games as text, some of which may have been played at a real table."""

    text: Annotated[
        Text, Field(description="Games as `athanor play` saves them in text, or as written down by hand.")
    ]


class ReadGames(Answer):
    """The games in a file, each in the form that a request sends under `match`, with moves in their usual
    spelling.
    """

    games: tuple[Saved, ...]


class ReviewLimit(Limit):
    """The time for each of the three searches about a move: at most a second, 0.3 seconds by default."""


class _ReviewRequest(Request):
    """A game in progress or finished, and which of its rounds to review."""

    match: Annotated[Saved, Field(description=_MATCH)]
    limit: ReviewLimit = ReviewLimit()


_, *_REVIEWED = QUESTIONS["review"].fields.items()
ReviewRequest = create_model(
    "ReviewRequest",
    __base__=_ReviewRequest,
    __module__=__name__,
    __doc__=_ReviewRequest.__doc__,
    **dict[str, Any](_REVIEWED),
)


class EndedRound(Answer):
    """How a round ended: all its cards, and the result."""

    round: Annotated[int, Field(description="The round, counted from 1.")]
    text: Annotated[
        str | None,
        Field(description="The last position as one line of text; null if it cannot be written as one."),
    ]
    position: Annotated[dict[str, Any] | None, Field(description=_SEEN)]
    summary: Annotated[
        tuple[str, ...],
        Field(description="The result of the round and the state of the match, in sentences."),
    ]
    decided_by: Annotated[
        str | None,
        Field(description="What decided the round, in a sentence; null if nothing did, or if it is not known."),
    ] = None
    won: Annotated[
        bool | None, Field(description="Whether the solitaire was won; null in games for several players.")
    ] = None
    totals: Annotated[
        tuple[int, ...] | None,
        Field(description="The points of each seat in the match so far, or the rounds won; null in a solitaire."),
    ] = None
    unit: Annotated[
        str, Field(description="What a round brings: points, a chance (it is won or lost), or a lead in points.")
    ]


class Match(Answer):
    """The state of a game in progress, as its player sees it."""

    match: Annotated[Saved, Field(description=_MATCH)]
    file_text: Annotated[str, Field(description="The game as text of a file, which `/v1/match/read` reads.")]
    players: int
    round: Annotated[int, Field(description="The round, counted from 1.")]
    to_move: Annotated[int | None, Field(description="The seat to move; null when the game is over.")]
    has_choice: Annotated[
        bool, Field(description="Whether it is the player's turn, with more than one legal move.")
    ]
    legal_moves: Annotated[
        tuple[str, ...], Field(description="The player's legal moves; empty if it is not their turn.")
    ]
    text: Annotated[
        str | None,
        Field(description="What the player sees, as one line of text; null if it cannot be written as one."),
    ]
    position: Annotated[dict[str, Any] | None, Field(description=_SEEN)]
    move_count: Annotated[int, Field(description="The number of moves made, in all rounds.")]
    undone: Annotated[
        tuple[str, ...], Field(description="The moves that `undo` took back, in the order in which to redo them.")
    ] = ()
    redone_count: Annotated[int, Field(description="The number of moves of `redo` that were made.")] = 0
    last_move: Annotated[LoggedMove | None, Field(description="The last move; null before the first.")]
    reason: Annotated[
        str | None,
        Field(
            description="From `/v1/match/turn`: the reason for the move; null if it is hidden or was the only one."
        ),
    ] = None
    opponent_match: Annotated[
        OpponentMatch | None,
        Field(description="In a race, what the opponent finds among the cards; null for nothing."),
    ] = None
    ended: Annotated[
        EndedRound | None,
        Field(description="The last round, if the game is over or the next round has not begun."),
    ] = None


class MatchLog(Answer):
    """All moves of a game so far."""

    log: Annotated[tuple[LoggedMove, ...], Field(description="Every move, in the order of play.")]


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

    kind: Annotated[
        Literal["analyze", "hint", "solve", "deal", "survey"], Field(description="The kind of question.")
    ]
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
    limit: Annotated[
        Limit, Field(description="The limit of each question; with `nodes` alone, results are reproducible.")
    ] = Limit()
    title: Annotated[Text, Field(max_length=200, description="A title for the list of jobs.")] = ""
    key: Annotated[
        Text | None,
        Field(max_length=200, description="Makes a repeated request with the same questions return the same job."),
    ] = None


JobRequest = create_model(
    "JobRequest", __base__=_JobRequest, __module__=__name__, __doc__=_JobRequest.__doc__, **JOB_OPTIONS
)


class JobsQuery(Request):
    """Query parameters: which jobs to list."""

    limit: Annotated[int, Field(ge=1, le=MOST_LISTED, description="The most jobs to list.")] = 100
    before: Annotated[
        Text | None,
        Field(description="Only jobs older than the one with this `id`; send the `next` of the previous list."),
    ] = None


class ResultsQuery(Request):
    """Query parameters: which results of a job to return, and whether to wait for more."""

    after: Annotated[int, Field(ge=0, lt=EXACT, description="Only results with a higher `id`.")] = 0
    stream: Annotated[
        Flag,
        Field(description="Whether to keep the response open and send new results until the job has ended."),
    ] = False


class Jobs(Answer):
    """A list of jobs, newest first."""

    jobs: Annotated[
        tuple[Job, ...],
        Field(description="Your own jobs or, for requests from the service's own machine, all jobs."),
    ]
    next: Annotated[
        str | None, Field(description="Send this as `before` to list the next jobs; null if there are none.")
    ] = None


class ResultLine(Answer):
    """A line of a job's results; the last line has the state of the job, and no other key."""

    id: Annotated[
        int | None, Field(description="A number that grows from line to line; `after` refers to it.")
    ] = None
    index: Annotated[int | None, Field(description="The number of the question in the job, counted from 0.")] = (
        None
    )
    result: Annotated[
        dict[str, Any] | None,
        Field(description="The answer, without `seconds`, or an object with the key `error`."),
    ] = None
    job: Annotated[Job | None, Field(description="The state of the job, in the last line only.")] = None
    error: ErrorDetail | None = None


class PuzzleFileQuery(Request):
    """Query parameters: the language, which a file does not state."""


class FileQuery(Request):
    """Query parameters: the name of the file that is sent."""

    name: Annotated[
        Text | None,
        Field(description="The file's name, which says what the file is, and names the deck in a table."),
    ] = None


class ReadFile(Answer):
    """The text in a file's bytes, and what it is."""

    text: Annotated[str, Field(description="The text; of a line, without quotation marks or comments.")]
    kind: Annotated[Kind, Field(description="What the text is, by its form: `training` is a record of answers.")]
    guessed: Annotated[
        tuple[str, ...],
        Field(
            description="Words of the text, if its encoding had to be guessed; they show whether that was right."
        ),
    ]


class ReadDeck(Answer):
    """A deck that was read from a file and checked."""

    game: str
    name: str
    title: str
    deck: Annotated[
        dict[str, Any], Field(description="The whole deck, in the form that a position's `deck` accepts.")
    ]


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

    rating: Annotated[
        Annotated[tuple[int, int], BeforeValidator(_ratings, json_schema_input_type=str)] | None,
        Field(description="Return only puzzles rated so, written like 1500 or 1200-1500."),
    ] = None
    id: Annotated[
        Text | None, Field(description="Return only the puzzle with this ID; none if there is none.")
    ] = None
    day: Annotated[
        date | None,
        BeforeValidator(_day),
        Field(description="Return only the puzzle of this day (and game), written like 2026-01-31."),
    ] = None
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED, description="The most puzzles to return.")] = 100
    after: Annotated[
        Text | None,
        Field(
            description="Only puzzles that follow the one with this `id`; send the `next` of the previous list."
        ),
    ] = None
    solutions: Annotated[
        Flag,
        Field(
            description="Whether to return solutions too, and titles, notes and themes, which may give one away."
        ),
    ] = False


class NextPuzzleQuery(_PuzzleFilter):
    """Query parameters: who wants a puzzle."""

    rating: Annotated[
        float,
        Field(
            ge=0, le=MOST_RATING, allow_inf_nan=False, description="The player's rating; a new player's is 1200."
        ),
    ] = 1200.0
    skip: Annotated[
        Text, Field(description="The IDs of puzzles that the player has seen, separated by commas.")
    ] = ""
    solutions: Annotated[Flag, Field(description="As for the list of puzzles.")] = False


class PuzzleInfo(Answer):
    """A puzzle, with its position also as a line of text. Keys missing in its file are left out.

    So are `title`, `themes`, `note` and `solution` of puzzles of the collection, unless `solutions` asks for them.
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
    rating: Annotated[
        int | None,
        Field(description="How hard it is: who has this rating solves it half of the time. The mean is 1650."),
    ] = None
    vote_bonus: Annotated[
        int | None,
        Field(description="By how many points of its rating votes move it forward in the list, if they do."),
    ] = None
    themes: tuple[str, ...] | None = None
    note: str | None = None
    text: Annotated[str, Field(description="The position as one line of text.")]
    position: PositionField
    to_move: Annotated[int | None, Field(description="The seat to move; left out if nobody is to move.")] = None
    derived: Annotated[
        dict[str, object] | None, Field(description="What else lies open or is in force, as in `v1/play`.")
    ] = None
    solution: Solution | None = None


class SeriesInfo(Answer):
    """A series of puzzles that teaches one idea."""

    name: str
    title: str
    lesson: Annotated[str, Field(description="The idea in a sentence or two, shown before the first puzzle.")]
    puzzles: Annotated[tuple[str, ...], Field(description="The IDs of its puzzles, from easy to hard.")]


class Puzzles(Answer):
    puzzles: tuple[PuzzleInfo, ...]
    themes: Annotated[dict[str, str], Field(description="The name of each theme, by its code.")]
    series: Annotated[
        tuple[SeriesInfo, ...] | None,
        Field(description="The series that have one of these puzzles, if `solutions` asks for them."),
    ] = None
    next: Annotated[
        str | None, Field(description="Send this as `after` to list the next puzzles; null if there are none.")
    ] = None
