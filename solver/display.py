"""Score sheets (a match recorded by its rounds' points, without cards), card faces, and summaries of matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

from solver.answers import Answer, Score
from solver.codec import NUMBERS, OrText, Piles
from solver.common import one_after_another, seats_named
from solver.language import capital, say, say_many
from solver.validation import fault

MOST_ROUNDS = 1000  # of a match
MOST_POINTS = 1_000_000  # of a seat in one round

Scores = tuple[int, ...]  # one per seat
_Round = Annotated[
    tuple[Annotated[int, Field(ge=0, le=MOST_POINTS, strict=True)], ...],
    Field(min_length=1, max_length=8, fail_fast=True),
]
POINTS = Piles(NUMBERS, per="round")  # in a line: ``3,1,2,2/0,4,1,3``


class Sheet(BaseModel):
    """A score sheet: the points of each round of a match so far, one number per seat, without the cards.

    A game's subclass sets `seats`, the smallest and largest number of seats, and `match_rounds`, the number of
    rounds (None if it is not fixed). It overrides the checks of a round's points and of the end of a match.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    points: Annotated[
        tuple[_Round, ...],
        Field(
            min_length=1,
            max_length=MOST_ROUNDS,
            fail_fast=True,
            description="The points of each round, one number per seat.",
        ),
        OrText("3,1,2,2/0,4,1,3"),
    ]

    seats: ClassVar[tuple[int, int]]
    match_rounds: ClassVar[int | None] = None

    @classmethod
    def fault_of(cls, played: Scores) -> str | None:
        """Return why a round cannot have these points; None if it can."""
        return None

    @classmethod
    def is_over(cls, rounds: int, totals: Scores) -> bool:
        """Return whether the match is over after this many rounds with these totals."""
        return rounds == cls.match_rounds

    @model_validator(mode="after")
    def _check(self) -> Self:
        fewest, most = self.seats
        players = len(self.points[0])
        totals: Scores = (0,) * players
        if not fewest <= players <= most:
            template = "a round has the points of {fewest} to {most} players, not of {players}"
            if fewest == most:
                template = "a round has the points of {most} players, not of {players}"
            message = say(template, fewest=fewest, most=most, players=players)
            raise fault("wrong_size", message, "points[0]")
        for number, played in enumerate(self.points):
            path = f"points[{number}]"
            if len(played) != players:
                message = say_many(
                    "the first round had {players} players, this one has {count} player",
                    "the first round had {players} players, this one has {count} players",
                    len(played),
                    players=players,
                )
                raise fault("wrong_size", message, path)
            if self.is_over(number, totals):
                raise fault("conflict", say("the match was over before this round"), path)
            wrong = self.fault_of(played)
            if wrong is not None:
                raise fault("out_of_range", wrong, path)
            totals = totals_of([totals, played])
        return self


class SheetScore(Score):
    """The state of a match according to its score sheet: each round's points and the totals, seat by seat.

    `leaders` has every seat with the highest total. `winners` are the leaders once the match is over, and None
    before.
    """

    game: str
    rounds: tuple[Scores, ...]
    totals: Scores
    leaders: tuple[int, ...]
    winners: tuple[int, ...] | None
    finished: bool


def sheet_score(game: str, sheet: Sheet) -> SheetScore:
    """Return the state of a match according to its score sheet."""
    totals = totals_of(sheet.points)
    leaders, finished = leaders_of(totals), sheet.is_over(len(sheet.points), totals)
    return SheetScore(
        game=game,
        rounds=sheet.points,
        totals=totals,
        leaders=leaders,
        winners=leaders if finished else None,
        finished=finished,
    )


def with_sheet(records: Any, sheet: type[Sheet]) -> Any:
    """Return the union of a game's record type and its score sheet, which is recognized by the key `points`."""
    return Annotated[
        Annotated[records, Tag("what was won")] | Annotated[sheet, Tag("a sheet")], Discriminator(_kind)
    ]


def _kind(data: Any) -> str:
    if isinstance(data, BaseModel):
        return "a sheet" if isinstance(data, Sheet) else "what was won"
    return "a sheet" if isinstance(data, Mapping) and "points" in data else "what was won"


def totals_of(rounds: Iterable[Sequence[int]]) -> Scores:
    """Return the sum of the rounds' scores, seat by seat."""
    return tuple(map(sum, zip(*rounds, strict=True)))


def leaders_of(totals: Scores) -> tuple[int, ...]:
    """Return every seat with the highest total."""
    return tuple(seat for seat, total in enumerate(totals) if total == max(totals))


# ----------------------------------------------------------------------------------------------------
# The faces of a game's cards.


class CardFace(Answer):
    """What is printed on one kind of card. `details` has what only some games' cards have."""

    card: str
    name: str
    suit: str | None
    rank: str
    copies: int | None
    details: dict[str, str]


class DeckColumn(Answer):
    """A column of a deck's table: what can be set of each card."""

    name: str
    title: str
    kind: Literal["text", "number", "choice", "list"]
    choices: tuple[str, ...]
    list_of: str | None


class DeckTable(Answer):
    """A deck as a table of texts, which can be changed and read again, and as files."""

    game: str
    name: str
    title: str
    columns: tuple[DeckColumn, ...]
    rows: tuple[dict[str, str], ...]
    deck: dict[str, Any]
    csv: str
    toml: str


class OwnField(Answer):
    """A key of a game's positions that says which rules are in force: one of several words, or yes or no."""

    name: str
    title: str
    choices: tuple[str, ...]
    default: str | bool | None


# ----------------------------------------------------------------------------------------------------
# What a finished round brought, and how a match stands, in sentences addressed to one of the players.


def match_summary(
    rounds: Sequence[Sequence[int]],
    you: int | None,
    *,
    finished: bool,
    of: int | None = None,
) -> list[str]:
    """Describe, in sentences, the last of these rounds, the totals, and the winner of a finished match.

    `rounds` has a score per seat for each round; there must be at least one round. `you` is the seat that is
    addressed; None for nobody. `of` is the number of rounds of a match, if it is fixed.
    """
    lines = [say("In this round {scores}.", scores=_standings(rounds[-1], you))]
    totals = totals_of(rounds)
    if len(rounds) > 1:
        scores = _standings(totals, you)
        if of and not finished:
            text = say("After {count} of {of} rounds {scores} in all.", count=len(rounds), of=of, scores=scores)
        else:
            text = say("After {count} rounds {scores} in all.", count=len(rounds), scores=scores)
        lines.append(text)
    if finished:
        winners = leaders_of(totals)
        who = capital(named(winners, you))
        if len(winners) > 1:
            lines.append(say("{who} share the match.", who=who))
        else:
            lines.append(say("You win the match.") if winners == (you,) else say("{who} wins the match.", who=who))
    return lines


def named(seats: Sequence[int], you: int | None) -> str:
    """Name one or more seats within a sentence, as in "you", "seat 1" or "you and seats 1, 2"."""
    others = [seat for seat in seats if seat != you]
    if len(others) == len(seats):
        return seats_named(others)
    return say("you and {others}", others=seats_named(others)) if others else say("you")


def _standings(scores: Sequence[int], you: int | None) -> str:
    """List everybody's points, the most first: "seat 2 has 5 points, you have 3, seats 0, 1 have none each"."""
    parts: list[str] = []
    for score in sorted(set(scores), reverse=True):
        seats = [seat for seat, own in enumerate(scores) if own == score]
        who = named(seats, you)
        if len(seats) > 1:
            first = say_many("{who} have {count} point each", "{who} have {count} points each", score, who=who)
            further = say("{who} have {count} each", who=who, count=score)
        elif seats == [you]:
            first = say_many("you have {count} point", "you have {count} points", score)
            further = say("you have {count}", count=score)
        else:
            first = say_many("{who} has {count} point", "{who} has {count} points", score, who=who)
            further = say("{who} has {count}", who=who, count=score)
        parts.append(further if parts else first)
    return one_after_another(parts)
