"""The calls with one question in a JSON body: what each asks and answers, and its examples for the document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from pydantic import BaseModel

import athanor
from api import examples
from api.bodies import limit_of, validated
from api.config import Config
from api.models import (
    BODIES,
    Cards,
    Checked,
    CheckedDeck,
    Deal,
    Match,
    MatchLog,
    MatchRequest,
    Request,
    SearchTurnRequest,
    Table,
    TurnRequest,
    Worlds,
)
from api.searches import about, change_match, match_hint, match_log, play_turn, sample_worlds, table_end
from athanor.asking import QUESTIONS
from athanor.endings import TableEnd
from athanor.table import numbered_deal
from puzzles.format import Puzzle
from puzzles.judging import Verdict
from solver.answers import ASK as COMPOUND
from solver.answers import Answer, CompoundAnalysis, Fault, Moves
from solver.decks import kind_of
from solver.display import CardFace
from solver.errors import AthanorError, PositionError, RequestError
from solver.language import translated
from solver.limits import Control, Limit
from solver.positions import position_data, text_of
from solver.registry import game as game_called
from solver.registry import game_of

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A call at `/v1/NAME`, which asks the question of that name, or else `ask` with the values of the body.

    Its answer has the type `answer`, or the union of that name. The document lists it under `tag`, with
    `examples` of its body. `lane` is where it searches, if it does: then `ask` gets a `Control` too, and if it may
    be `tried`, the quick lane tries it first. If it `streams`, it can send its progress. Its `path` is its name
    unless given; so are the type of its `body` and its `summary` those of the question.
    """

    name: str
    tag: Literal["questions", "puzzles", "matches", "games"]
    answer: type[Answer] | str
    examples: Callable[[], examples.Examples] = dict
    ask: Callable[..., Any] | None = None
    lane: Literal["", "hint", "long"] = ""
    tried: bool = True
    streams: bool = False
    path: str = ""
    body: type[Request] | None = None
    summary: str = ""

    @property
    def address(self) -> str:
        return f"/v1/{self.path or self.name}"

    @property
    def is_hint(self) -> bool:
        """Whether what hints need is all that it needs."""
        return self.lane == "hint" and self.tag != "matches"

    @property
    def body_type(self) -> type[Request]:
        return self.body or BODIES[self.name]

    def asked(self, data: object, config: Config) -> Asked:
        """Validate the body. Raises RequestError or PositionError if it is invalid."""
        body = validated(self.body_type, data)
        values, wanted = body.values, body.search_limit or Limit()
        default = config.default_seconds
        if self.lane == "hint":
            limits = QUESTIONS[self.name].limits if self.name in QUESTIONS else ()
            limited = wanted.nodes is not None or any(values[key] is not None for key in limits)
            default = config.max_seconds if limited else config.hint_seconds
        # An analysis has one thread, since other cores are for other questions.
        limit = limit_of(config, wanted.seconds, wanted.nodes, default)
        return Asked(values, limit, partial(self.ask or QUESTIONS[self.name].run, values))


@dataclass(frozen=True, slots=True)
class Asked:
    """What a body asks: its values, such as a position, the limit of the search, and what answers."""

    values: Values
    limit: Limit
    answer: Callable[..., Answer]

    @property
    def game(self) -> str:
        """The game of the position, record, puzzle or match that is asked about. Raises RequestError for none."""
        key, subject = next(iter(self.values.items()))
        with about(key):
            return game_of(subject.position if isinstance(subject, Puzzle) else subject).name


def answer_body(name: str, data: object, config: Config, control: Control) -> Answer:
    """Read the body of a call and answer it, as a search. Raises what `Endpoint.asked` does."""
    asked = ENDPOINTS[name].asked(data, config)
    return asked.answer(Control(asked.limit, control.cancel))


# ----------------------------------------------------------------------------------------------------
# Answers over HTTP that say more than those in Python.


def _cards(values: Values) -> Cards:
    return Cards(game=values["game"], cards=faces(**values))


def faces(game: str, *, variant: str | None = None, deck: Any = None) -> tuple[CardFace, ...]:
    """Return the faces of a game's cards, with their names in the current language."""
    cards = athanor.cards(game, variant=variant, deck=deck)
    kind = kind_of(game_called(game))
    return tuple(_spoken(face, translated if kind is None else kind.spoken) for face in cards)


_NAMES = ("provides", "makes", "of")  # details of a card that are names; `of` may have several


def _spoken(face: CardFace, spoken: Callable[[str], str]) -> CardFace:
    """A card face with its names in the current language, where translations are known."""
    names = {
        key: ", ".join(spoken(detail) for detail in face.details[key].split(", "))
        for key in _NAMES
        if face.details.get(key)
    }
    suit = face.suit and translated(face.suit)
    return face.model_copy(update={"name": spoken(face.name), "suit": suit, "details": {**face.details, **names}})


def _deck(values: Values) -> CheckedDeck:
    try:
        return CheckedDeck(faults=(), table=QUESTIONS["deck"].run(values))
    except PositionError as error:
        if values["rows"] is None:
            raise
        return CheckedDeck(faults=Fault.of(error), table=None)


def _play(values: Values) -> dict[str, Any]:
    return _table(QUESTIONS["play"].run(values))


def _view(values: Values) -> dict[str, Any]:
    return _table(QUESTIONS["view"].run(values))


def _table(position: BaseModel) -> dict[str, Any]:
    """Return a position, also as text, its seat to move, and what follows from it, as data."""
    derived, notes = getattr(position, "derived", None), game_of(position).notes(position)
    return {
        "text": text_of(position),
        "position": position_data(position),
        "to_move": game_of(position).turn(position),
        "derived": {**(derived or {}), "notes": notes} if notes else derived,
    }


def _check(values: Values) -> Checked | dict[str, Any]:
    try:
        body = validated(BODIES["play"], {"position": values["position"], "moves": values["moves"]})
        position = QUESTIONS["play"].run(body.values)
    except AthanorError as error:
        return Checked(faults=Fault.of(error))
    if not values["after"]:
        return Checked(faults=())
    following = QUESTIONS["moves"].run({"position": position, "empty_if_too_many": True})
    return {
        "faults": (),
        "after": _table(position),
        "next_moves": following.model_dump(mode="json"),
        "can_view": _has_views(position),
    }


def _has_views(position: BaseModel) -> bool:
    """Whether all cards are known, and enough of what was played for what each seat sees."""
    if game_of(position).is_view(position):
        return False
    try:
        athanor.view(position, 0)
    except RequestError:
        return False
    return True


ENDPOINTS = {
    endpoint.name: endpoint
    for endpoint in (
        Endpoint("hint", "questions", "AnyHint", examples.hints, lane="hint", tried=False, streams=True),
        Endpoint("analyze", "questions", "AnyAnalysis", examples.analyses, lane="long", streams=True),
        Endpoint("compound", "questions", CompoundAnalysis, partial(examples.questions, COMPOUND), lane="long"),
        Endpoint("score", "games", "AnyScore", lane="long"),
        Endpoint("judge", "puzzles", Verdict, lane="long", tried=False, path="puzzles/answer"),
        Endpoint("deal", "games", Deal, examples.deals, numbered_deal),
        Endpoint("cards", "games", Cards, examples.cards, _cards),
        Endpoint("deck", "games", CheckedDeck, examples.decks, _deck),
        Endpoint("moves", "games", Moves, examples.positions),
        Endpoint("play", "games", Table, examples.plays, _play),
        Endpoint("check", "games", Checked, examples.plays, _check),
        Endpoint("view", "games", Table, examples.seats, _view),
        Endpoint("worlds", "games", Worlds, examples.hidden, sample_worlds, lane="hint", tried=False),
        Endpoint("match", "matches", Match, examples.matches, change_match, lane="hint", body=MatchRequest,
                 summary="Make, undo or redo moves in a game, and get its state"),
        Endpoint("matchLog", "matches", MatchLog, examples.matches, match_log, lane="hint", path="match/log",
                 body=TurnRequest, summary="List all moves of a game so far"),
        Endpoint("matchEnded", "matches", TableEnd, dict, table_end, lane="hint", path="match/ended",
                 body=TurnRequest, summary="Get how a round at a real table ended, as far as known"),
        Endpoint("matchTurn", "matches", Match, examples.matches, play_turn, lane="hint", tried=False,
                 path="match/turn", body=SearchTurnRequest, summary="Make a move for the seat to move"),
        Endpoint("matchHint", "matches", "AnyHint", examples.matches, match_hint, lane="hint", tried=False,
                 streams=True, path="match/hint", body=SearchTurnRequest,
                 summary="Get the best move for the seat to move, with reasons"),
    )
}  # fmt: skip
