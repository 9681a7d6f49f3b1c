"""What the endpoints take and give back, beside positions, records and answers, which are the solver's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from api.config import Config
from puzzles.format import AnyPosition, SentPosition
from solver.answers import MOST_WAYS, Answer
from solver.common import SEEDS
from solver.decks import NamedDeck
from solver.errors import MOST_FAULTS
from solver.limits import MOST_WORLDS, Limit
from solver.readings import SentRules
from solver.showing import CardFace

if TYPE_CHECKING:
    from solver.decks import Listed

_MOST_NAMED = 100  # cards that must or must not be used
MOST_MOVES = 1_000  # more than any round has

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Nodes = Annotated[int, Field(gt=0, lt=2**62)]
Whole = Annotated[int, Field(ge=0, strict=True)]
Number = Annotated[int, Field(ge=0, lt=SEEDS, strict=True)]
Text = Annotated[str, Field(strict=True)]


class Request(BaseModel):
    """Base of what is sent: immutable, and closed to keys that are not declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class AnalyzeRequest(Request):
    """A position with every card known, and how long to search."""

    position: SentPosition
    model: Annotated[Text | None, Field(description="How the others play, where a game has that.")] = None
    player: Annotated[Whole | None, Field(description="Whose value; by default the seat to move's.")] = None
    limit: Limit = Limit()


class HintLimit(Limit):
    """How long a hint may take: seconds from 0.05 to 60."""

    seconds: Annotated[float, Field(ge=0.05, le=60, allow_inf_nan=False, strict=True)] | None = None


class HintRequest(Request):
    """What one player sees, and how long to think."""

    position: SentPosition
    model: Text | None = None
    player: Whole | None = None
    limit: HintLimit = HintLimit()
    worlds: Annotated[
        int | None,
        Field(ge=0, le=MOST_WORLDS, strict=True, description="How many ways to lay the hidden cards to try."),
    ] = None
    seed: Annotated[Number, Field(description="The same seed and limit of nodes give the same hint.")] = 0


class CompoundRequest(Request):
    """A set of cards, and what is wished of the ways to compound them."""

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
    """Which fresh deal. Without a seed a new one is drawn, and told."""

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
    """Whose cards."""

    game: Text
    variant: Text | None = None
    deck: Annotated[NamedDeck | None, Field(description="A deck's name, or a whole deck, as for a deal.")] = None


class Cards(Answer):
    """What is printed on the cards, in the deck's order, for whoever draws them."""

    game: str
    cards: tuple[CardFace, ...]


class Deal(Answer):
    """A fresh deal: the same one for ever for the same seed and number."""

    seed: int
    number: int
    text: Annotated[str, Field(description="The position as one line of text.")]
    position: AnyPosition


class MovesRequest(Request):
    """A position or a view: what may be done in it?"""

    position: SentPosition


class Moves(Answer):
    """What may happen next. `to_move` is null and both lists are empty when the round is over."""

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
    """A position or a view, and what then happens in it, in order."""

    position: SentPosition
    moves: Annotated[
        tuple[Text, ...],
        Field(
            max_length=MOST_MOVES,
            description="Moves in order. In a view, those of other seats are what was seen of them.",
            examples=[["D6"]],
        ),
    ]


class ViewRequest(Request):
    """A position with every card known, and whose view of it is wanted."""

    position: SentPosition
    seat: Annotated[Whole, Field(description="The seat, counted from 0.")]


class Table(Answer):
    """A position or view, and what may happen next in it."""

    text: Annotated[str, Field(description="The position as one line of text.")]
    position: AnyPosition
    to_move: Annotated[int | None, Field(description="The seat that decides next; null when the round is over.")]


class SolveQuery(Request):
    """The limit of each puzzle, in the address."""

    seconds: Seconds | None = None
    nodes: Nodes | None = None


class GameInfo(Answer):
    """A game that can be asked about."""

    name: str
    title: str
    players: Annotated[tuple[int, int], Field(description="Fewest and most.")]
    variants: dict[str, str]
    models: tuple[str, ...]
    rules: Annotated[dict[str, str], Field(description="What each disputed reading says, by its name.")]


class Games(Answer):
    games: tuple[GameInfo, ...]


class Fault(Answer):
    """`code` is a stable word, `path` the offending key as a path into what was sent, `message` for a person."""

    code: str
    path: Annotated[str, Field(examples=["hands[2][4]", "limit.seconds", ""])]
    message: str


class ErrorDetail(Fault):
    """The first fault and, where there are several, a list of all."""

    faults: Annotated[tuple[Fault, ...] | None, Field(max_length=MOST_FAULTS)] = None
    request_id: Annotated[
        str | None, Field(description="The number of the request, as in `X-Request-Id` and the log.")
    ] = None


class DeckInfo(Answer):
    """A deck that positions can name. One with an error cannot be used until its file is mended."""

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
    """How far a game is since the service started."""

    state: Literal["waiting", "compiling", "loading", "ready", "failed"]
    share: Annotated[float, Field(ge=0, le=1, description="Of its kernels, how many are compiled.")]
    hints: Annotated[bool, Field(description="Whether hints are answered: what they need is compiled first.")]
    seconds: Annotated[float | None, Field(description="How long it has been in this state.")]
    reason: Annotated[str | None, Field(description="Why compiling failed.")]


class MemoryUse(Answer):
    """What the service may take of memory, and what it takes, in MiB."""

    limit_mb: Annotated[int, Field(description="The most that all of it may be.")]
    used_mb: Annotated[int | None, Field(description="What is in memory now; null where that is not told.")]
    tables_limit_mb: Annotated[int, Field(description="What of the limit is for the tables of searches.")]
    tables_mb: Annotated[int, Field(description="What searches hold of that, and what is kept for the next.")]
    jobs_limit_mb: Annotated[int, Field(description="What the workers of jobs may have beside that.")]


class Health(Answer):
    """`status` is `starting` until every game is ready or has failed, then `ok`."""

    status: Literal["ok", "starting"]
    version: str
    games: Annotated[dict[str, GameStart], Field(description="The games that the service makes ready.")]
    memory: MemoryUse


class Error(Answer):
    error: ErrorDetail


def decks_of(listed: Iterable[Listed]) -> Decks:
    """The catalogue of decks as an answer."""
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


def limit_of(config: Config, seconds: float | None, nodes: int | None, default: float | None = None) -> Limit:
    """The limit of a search: the default where none is named, never beyond the maximum."""
    wanted = (default or config.default_seconds) if seconds is None else seconds
    return Limit(seconds=float(min(wanted, config.max_seconds)), nodes=nodes)


def data_of(position: Any) -> Any:
    """A position as JSON-ready data, without the keys that say nothing."""
    return position.model_dump(mode="json", exclude_none=True)
