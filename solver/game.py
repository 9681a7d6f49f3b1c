"""The protocol that each game meets. Everything outside a game's folder talks to it through this alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from solver.errors import RequestError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.answers import Analysis, Answer, Hint, Proved, Question
    from solver.codec import Notation
    from solver.composing import Composer
    from solver.decks import DeckKind
    from solver.limits import Control
    from solver.playing import Playing
    from solver.showing import CardFace


class Game(Protocol):
    """One game: its rules, and the questions that it can answer.

    Positions and moves are immutable values. A position is a pydantic model made by
    `solver.positions.parse_position`; a move is a hashable value that `parse_move` and `format_move` turn
    from and into text. Rules (`legal_moves`, `play`) import no search.
    """

    @property
    def name(self) -> str:
        """What positions call the game: small letters, digits and hyphens."""

    @property
    def title(self) -> str:
        """The game's name for a person."""

    @property
    def players(self) -> tuple[int, int]:
        """The fewest and the most players."""

    @property
    def variants(self) -> Mapping[str, str]:
        """What each variant is, in one line, by its name; empty for a game without variants."""

    @property
    def models(self) -> Sequence[str]:
        """The models of play by the others ("paranoid", …); empty where nobody opposes."""

    @property
    def guarantees(self) -> Sequence[str]:
        """The models under which `answer` proves what a view's seat guarantees over all deals that agree."""

    @property
    def deck_kind(self) -> DeckKind[Any] | None:
        """What the game's decks are, if its cards are data; else None."""

    @property
    def options(self) -> Mapping[str, str]:
        """What holds when a disputed reading of the rules is on, by the option's name; most games have none."""

    @property
    def position_type(self) -> Any:
        """The pydantic type of all positions and views of the game (a union, discriminated)."""

    @property
    def record_type(self) -> Any:
        """The pydantic type of what `score` takes: a finished round, or a match of several."""

    @property
    def analysis_type(self) -> Any:
        """The type, or union of types, that `analyze` returns, for the API's document."""

    @property
    def hint_type(self) -> Any:
        """The type, or union of types, that `hint` returns."""

    @property
    def score_type(self) -> Any:
        """The type, or union of types, that `score` returns."""

    @property
    def questions(self) -> Mapping[str, Question]:
        """What answers the game's own questions, by their names among `asks`; most games have none."""

    @property
    def surveys(self) -> Sequence[Survey]:
        """What can be told from many deals: a command each."""

    @property
    def record_help(self) -> str:
        """What a record holds and how it is written, in lines of at most 76 characters; empty: nothing to tell."""

    @property
    def notation(self) -> Notation:
        """How the game's positions and records are written as text, and what follows from what in them."""

    @property
    def playing(self) -> Playing:
        """How the game is played round by round."""

    @property
    def composer(self) -> Composer:
        """The game's part in making puzzles."""

    def asks(self, position: BaseModel) -> frozenset[str]:
        """Which questions this position can be asked: "analyze", "hint" and the puzzles' asks."""

    def legal_moves(self, position: BaseModel) -> Sequence[Any]:
        """Every legal move, in canonical order."""

    def parse_move(self, position: BaseModel, text: str) -> Any:
        """The legal move that `text` means. Raises MoveError when it is unreadable or not legal."""

    def format_move(self, position: BaseModel, move: Any) -> str:
        """The contract's text of a move."""

    def play(self, position: BaseModel, move: Any) -> BaseModel:
        """The position after a legal move. Raises MoveError for one that is not."""

    def analyze(
        self, position: BaseModel, control: Control, *, model: str | None = None, player: int | None = None
    ) -> Analysis:
        """Every move's exact value, or what was proved when the control's limit ended the search."""

    def hint(self, position: BaseModel, control: Control, *, worlds: int | None = None, seed: int = 0) -> Hint:
        """The best move for the player who sees this view, and why."""

    def answer(
        self,
        position: BaseModel,
        ask: str,
        control: Control,
        *,
        model: str | None = None,
        player: int | None = None,
    ) -> Answer:
        """The answer to a puzzle's question, one of `asks`.

        A question about moves is answered by an analysis, or by a hint where cards are hidden; one of `questions`
        has a type of its own, and no `model` or `player`.
        """

    def proved(self, position: BaseModel, answer: Analysis | Hint, stated: Sequence[Any] = ()) -> Proved:
        """What an answer to `position` proves: its value, and every optimal move (`stated` moves among them)."""

    def deal(
        self,
        seed: int,
        *,
        number: int = 0,
        players: int | None = None,
        variant: str | None = None,
        deck: str | Mapping[str, Any] | None = None,
        rules: Mapping[str, bool] | None = None,
    ) -> BaseModel:
        """The fresh deal number `number` of a seed: the same one for ever with the same deck.

        `deck` is a deck's name, or a deck as users write it; None for the usual one. `rules` says which of the
        `options` are on. Raises RequestError for a deck of a game whose cards are no data and for options of what
        has none, PositionError for an option that there is not.
        """

    def cards(
        self, *, variant: str | None = None, deck: str | Mapping[str, Any] | None = None
    ) -> Sequence[CardFace]:
        """What is printed on the cards of a variant and a deck, in the deck's order.

        Raises RequestError for a variant that there is not, for a deck of a game whose cards are no data, and for
        a game that does not tell its cards; PositionError for a deck that is wrong, or not there.
        """

    def view(self, position: BaseModel, seat: int) -> BaseModel:
        """What the player in `seat` sees of a position."""

    def observe(self, position: BaseModel, texts: Sequence[str]) -> tuple[BaseModel, int]:
        """What a player sees after what the first of `texts`, at least one, tells, and how many texts that took.

        A text is a move of the seat to move as everybody sees it, or another fact that the game's own module
        names: a card turned up, or drawn. Raises MoveError for what cannot have happened.
        """

    def possible(self, position: BaseModel) -> Sequence[str]:
        """What the seat to move could be seen to do next, by what a view tells, in canonical order.

        These are the legal moves where the seat is the view's own; none when the round is over.
        """

    def score(self, record: BaseModel, control: Control | None = None) -> Answer:
        """The score of a finished round or of a match; where it is searched for, as far as the limit allows."""

    def describe(self, position: BaseModel) -> list[tuple[str, str]]:
        """The position for a person: labelled lines of text."""

    def rules(self) -> str:
        """The rules and rulings in force, in Markdown."""

    def warm(self, *, hints: bool = False, last_first: bool = False) -> None:
        """Compile or load every kernel, so that no user waits for it; with `hints` those that hints need, no more.

        Two processes that share a cache share the work when one of them begins at the other end: `last_first`.
        That end has the kernels of hints.
        """


# ----------------------------------------------------------------------------------------------------
# Where the functions and types of a game lie, so that none is imported before it is called.


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where the functions and types of a game lie, each as ``module:name``.

    A module that begins with a dot is seen from the game's package. The defaults are the rooms that every game of
    tricks has; a game that keeps to them names only what differs. Functions have the signatures of the methods of
    `solver.game.Game` with the same name, but for these:

    `playing` and `notation` are called with the game itself, and make its `solver.playing.Playing` and
    its `solver.codec.Notation`.

    `as_known` and `as_view` turn a position into what `analyze` and `hint` take, and raise RequestError for a
    position that cannot be asked that; they are called before the module that searches is imported. None: the
    position as it is. `readings` is the model of the options for disputed readings (`solver.readings`),
    None where there are none; `deal` has a parameter `rules` if what is dealt depends on them (`dealt_by_rules`).
    `deck_kind` is None where the cards are no data, and then `deal` and `faces` have no parameter `deck`. `faces`
    makes what `Game.cards` returns, of a variant that there is or None; it is None where the game does not tell
    its cards, which then cannot be drawn.
    `guaranteed`, of a view and a control, makes the analysis of what its seat guarantees without seeing the other
    hands (`solver.hints.endings`); None where that is not offered.
    `answer` is None where `analyze` answers every question of a puzzle, and `proved` where an analysis that lists
    every move says all that is proved. Each function of `warm` takes nothing and runs kernels once, the
    last of them all kernels that hints need. `questions`
    has, by the name of each question of the game's own, a `solver.answers.Question`. `composer` is
    called with the game itself too, and makes its `solver.composing.Composer`.
    """

    analysis_type: str
    score_type: str
    playing: str
    notation: str = ".text:notation"
    hint_type: str = "solver.answers:SampledHint"
    position_type: str = ".position:Position"
    record_type: str = ".moves:Record"
    deck_kind: str | None = None
    faces: str | None = None
    readings: str | None = None
    composer: str = "solver.composing:RoundComposer"
    dealt_by_rules: bool = False
    questions: Mapping[str, str] = field(default_factory=dict)
    asks: str = ".moves:asks"
    legal_moves: str = ".moves:legal_moves"
    parse_move: str = ".moves:parse_move"
    format_move: str = ".moves:format_move"
    play: str = ".moves:play"
    deal: str = ".moves:deal"
    view: str = ".moves:view"
    observe: str = ".moves:observe"
    possible: str = ".moves:possible"
    describe: str = ".moves:describe"
    score: str = ".moves:score"
    as_known: str | None = ".moves:as_known"
    as_view: str | None = ".moves:as_view"
    analyze: str = ".analyze:analyze"
    hint: str = ".hint:hint"
    answer: str | None = None
    guaranteed: str | None = None
    proved: str | None = None
    warm: tuple[str, ...] = (".analyze:warm", ".hint:warm")


def found_at(package: str, place: str) -> Any:
    """What lies at a place, ``module:name``; a module that begins with a dot is seen from the package."""
    module, _, name = place.partition(":")
    return getattr(import_module(module, package), name)


# ----------------------------------------------------------------------------------------------------
# The face of a game: what it is called, and where its functions lie.
#
# A game's package has one object of the class `Face`, usually named `GAME`. It meets the protocol
# `solver.game.Game`, and imports a function's module when the function is called, so that to list games costs next
# to nothing. The face lies above all rooms of its game: it names their functions, and no room imports it.


A = TypeVar("A", bound="Answer")

_DATA = ("playing", "deck_kind", "readings", "questions")  # places where no function lies


def late(package: str, place: str) -> Callable[..., Any]:
    """The function at a place; its module is imported when the function is called."""

    def call(*args: Any, **named: Any) -> Any:
        return found_at(package, place)(*args, **named)

    return call


@dataclass(frozen=True, eq=False)
class Face:
    """`solver.game.Game` for a game whose functions lie at `places`.

    `package` is the name of the game's package (its ``__name__``), in which ``rules.md`` lies too; the other
    fields are those of the protocol.
    """

    package: str
    _: KW_ONLY
    name: str
    title: str
    players: tuple[int, int]
    places: Places
    variants: Mapping[str, str] = field(default_factory=dict)
    models: Sequence[str] = ()
    surveys: Sequence[Survey] = ()
    record_help: str = ""

    def find(self, place: str) -> Any:
        """What lies at a place, ``module:name``. Raises ImportError that names the game when there is nothing."""
        try:
            return found_at(self.package, place)
        except (ImportError, AttributeError, ValueError) as found:
            raise ImportError(f"the game {self.name} has nothing at {place!r}: {found}") from found

    def missing(self) -> Iterator[str]:
        """What is wrong with the places, a sentence each: nothing lies there, or no function does. For tests."""
        for role in fields(self.places):
            found = getattr(self.places, role.name)
            for place in _each(found):
                try:
                    there = self.find(place)
                except ImportError as error:
                    yield f"{role.name}: {error}"
                    continue
                data = role.name.endswith("_type") or role.name in _DATA
                if not data and not callable(there):
                    yield f"{role.name}: {place!r} of the game {self.name} is no function"

    @property
    def deck_kind(self) -> DeckKind[Any] | None:
        return None if self.places.deck_kind is None else self.find(self.places.deck_kind)

    @property
    def options(self) -> Mapping[str, str]:
        if self.places.readings is None:
            return {}
        from solver.readings import options_of

        return options_of(self.find(self.places.readings))

    @property
    def position_type(self) -> Any:
        return self.find(self.places.position_type)

    @property
    def record_type(self) -> Any:
        return self.find(self.places.record_type)

    @property
    def analysis_type(self) -> Any:
        return self.find(self.places.analysis_type)

    @property
    def hint_type(self) -> Any:
        return self.find(self.places.hint_type)

    @property
    def score_type(self) -> Any:
        return self.find(self.places.score_type)

    @property
    def questions(self) -> Mapping[str, Question]:
        return {ask: self.find(place) for ask, place in self.places.questions.items()}

    @property
    def guarantees(self) -> Sequence[str]:
        return () if self.places.guaranteed is None else ("paranoid",)

    @cached_property
    def notation(self) -> Notation:
        found: Notation = self.find(self.places.notation)(self)
        return found

    @property
    def playing(self) -> Playing:
        found: Playing = self.find(self.places.playing)(self)
        return found

    @property
    def composer(self) -> Composer:
        found: Composer = self.find(self.places.composer)(self)
        return found

    def asks(self, position: BaseModel) -> frozenset[str]:
        found: frozenset[str] = self.find(self.places.asks)(position)
        return found

    def legal_moves(self, position: BaseModel) -> Sequence[Any]:
        found: Sequence[Any] = self.find(self.places.legal_moves)(position)
        return found

    def parse_move(self, position: BaseModel, text: str) -> Any:
        return self.find(self.places.parse_move)(position, text)

    def format_move(self, position: BaseModel, move: Any) -> str:
        found: str = self.find(self.places.format_move)(position, move)
        return found

    def play(self, position: BaseModel, move: Any) -> BaseModel:
        found: BaseModel = self.find(self.places.play)(position, move)
        return found

    def analyze(
        self, position: BaseModel, control: Control, *, model: str | None = None, player: int | None = None
    ) -> Analysis:
        known = position if self.places.as_known is None else self.find(self.places.as_known)(position)
        found: Analysis = self.find(self.places.analyze)(known, control, model=model, player=player)
        return self._with_text(found, position)

    def hint(self, position: BaseModel, control: Control, *, worlds: int | None = None, seed: int = 0) -> Hint:
        seen = position if self.places.as_view is None else self.find(self.places.as_view)(position)
        found: Hint = self.find(self.places.hint)(seen, control, worlds=worlds, seed=seed)
        return self._with_text(found, position)

    def answer(
        self,
        position: BaseModel,
        ask: str,
        control: Control,
        *,
        model: str | None = None,
        player: int | None = None,
    ) -> Answer:
        if ask in self.places.questions:
            return self._with_text(self.questions[ask].answer(position, control), position)
        if model in self.guarantees and "analyze" not in self.asks(position):
            found: Answer = self.find(str(self.places.guaranteed))(position, control)
            return self._with_text(found, position)
        if self.places.answer is None:
            return self.analyze(position, control, model=model, player=player)
        found = self.find(self.places.answer)(position, ask, control, model=model, player=player)
        return self._with_text(found, position)

    def _with_text(self, answer: A, position: BaseModel) -> A:
        """An answer with the position's line, if it is of a kind that has one."""
        if "text" not in type(answer).model_fields:
            return answer
        return answer.model_copy(update={"text": self.notation.write(position)})

    def proved(self, position: BaseModel, answer: Analysis | Hint, stated: Sequence[Any] = ()) -> Proved:
        if self.places.proved is None:
            from solver import answers
            from solver.answers import Analysis

            assert isinstance(answer, Analysis)
            return answers.proved(answer)
        found: Proved = self.find(self.places.proved)(position, answer, stated)
        return found

    def deal(
        self,
        seed: int,
        *,
        number: int = 0,
        players: int | None = None,
        variant: str | None = None,
        deck: str | Mapping[str, Any] | None = None,
        rules: Mapping[str, bool] | None = None,
    ) -> BaseModel:
        named = {"number": number, "players": players, "variant": variant, **self._decked(deck)}
        if self.places.dealt_by_rules:
            named["rules"] = rules
        found: BaseModel = self.find(self.places.deal)(seed, **named)
        if not rules:
            return found
        from solver.readings import with_rules

        return with_rules(found, rules, self.name)

    def cards(
        self, *, variant: str | None = None, deck: str | Mapping[str, Any] | None = None
    ) -> Sequence[CardFace]:
        if self.places.faces is None:
            raise RequestError("not_offered", f"{self.name} does not tell what its cards look like", "game")
        if variant is not None and variant not in self.variants:
            there = ", ".join(self.variants) or "none"
            raise RequestError(
                "unknown_value", f"there is no variant {variant!r} of {self.name}; there is {there}", "variant"
            )
        named: dict[str, Any] = {"variant": variant, **self._decked(deck)}
        found: Sequence[CardFace] = self.find(self.places.faces)(**named)
        return found

    def _decked(self, deck: str | Mapping[str, Any] | None) -> dict[str, Any]:
        """The argument `deck` where the cards are data."""
        if self.places.deck_kind is not None:
            return {"deck": deck}
        if deck is not None:
            raise RequestError("not_offered", f"the cards of {self.name} are fixed: it has no other decks", "deck")
        return {}

    def view(self, position: BaseModel, seat: int) -> BaseModel:
        found: BaseModel = self.find(self.places.view)(position, seat)
        return found

    def observe(self, position: BaseModel, texts: Sequence[str]) -> tuple[BaseModel, int]:
        found: tuple[BaseModel, int] = self.find(self.places.observe)(position, texts)
        return found

    def possible(self, position: BaseModel) -> Sequence[str]:
        found: Sequence[str] = self.find(self.places.possible)(position)
        return found

    def score(self, record: BaseModel, control: Control | None = None) -> Answer:
        from solver.limits import Control

        found: Answer = self.find(self.places.score)(record, control or Control())
        return found

    def describe(self, position: BaseModel) -> list[tuple[str, str]]:
        from solver import readings

        found: list[tuple[str, str]] = self.find(self.places.describe)(position)
        return [*readings.rows_of(position), *found]

    def rules(self) -> str:
        from importlib import resources  # which takes long to import

        return resources.files(self.package).joinpath("rules.md").read_text(encoding="utf-8")

    def warm(self, *, hints: bool = False, last_first: bool = False) -> None:
        # Every module is imported first: how many kernels there are tells how far compiling is.
        runs = [self.find(place) for place in self.places.warm]
        for run in runs[-1:] if hints else reversed(runs) if last_first else runs:
            run()


def _each(places: Any) -> Iterable[str]:
    if isinstance(places, Mapping):
        return places.values()
    return (places,) if isinstance(places, str) else places if isinstance(places, tuple) else ()


if TYPE_CHECKING:

    def _meets(face: Face) -> Game:
        """For mypy: a face meets the protocol."""
        return face


# ----------------------------------------------------------------------------------------------------
# Surveys: what a game can tell from many deals.
#
# Some are commands, ``athanor NAME VARIANT``. Some can be done in parts, by jobs and batches: each part has rows,
# which are data, and all rows together come to a result.


class Run(Protocol):
    def __call__(
        self, variant: str, *, deals: int, seed: int = ..., jobs: int = ..., control: Control | None = ...
    ) -> Answer:
        """Play deals 0 to `deals` of a seed with `jobs` threads; the same result whatever `jobs` is.

        What the control ends early has the deals done by then.
        """


Row = Mapping[str, Any]


class Part(Protocol):
    def __call__(self, variant: str, *, seed: int, number: int, deals: int, control: Control) -> Iterable[Row]:
        """Look at so many deals of a seed, from deal `number` on: rows of what JSON knows.

        The same rows each time: no clock decides. Each names its deal, ``number``, or the range of deals that it
        counts, ``number`` and ``deals``. What the control cancels is not used.
        """


class Merge(Protocol):
    def __call__(self, variant: str, seed: int, rows: Iterable[Row]) -> Answer:
        """What the rows of parts of one survey come to, in whatever order they stand.

        Raises RequestError for deals that are counted twice.
        """


@dataclass(frozen=True, kw_only=True)
class Parts:
    """How a survey is done in parts: of how many `deals` each, by whom, and what they come to together."""

    deals: int
    part: Part
    merged: Merge


class Section(NamedTuple):
    """Part of a result for a person: a heading, or none, and labelled lines."""

    heading: str | None
    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class Survey:
    """A survey over the deals of some variants of a game, which has `run`, `parts`, or both.

    `help` is one sentence, `deals` how many are played unless a number is asked for. With `run` there is a command
    called `name`; with `parts` it is a job. `sections` tells a result, of `run` or of parts, to a person. `draw`,
    if there is one, draws what `drawn` says (such as "where deals are lost") into a file whose name ends in .png
    or .svg; it raises OSError.
    """

    name: str
    help: str
    variants: tuple[str, ...]
    deals: int
    sections: Callable[[Any], Sequence[Section]]
    run: Run | None = None
    parts: Parts | None = None
    draw: Callable[[Any, Path], None] | None = None
    drawn: str = ""
