"""The face of a game: what it is called, and where its functions lie.

A game's package has one object of the class `Face`, usually named `GAME`. It meets the protocol
`solver.protocol.game.Game`, and imports a function's module when the function is called, so that to list games
costs next to nothing. The face lies above all rooms of its game: it names their functions, and no room imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from solver.inputs.errors import RequestError
from solver.protocol.places import Places, found_at

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.common.control import Control
    from solver.notation.notation import Notation
    from solver.protocol.answers import Analysis, Answer, Hint, Proved
    from solver.protocol.composing import Composer
    from solver.protocol.deck_kind import DeckKind
    from solver.protocol.game import Game
    from solver.protocol.playing import Playing
    from solver.protocol.question import Question
    from solver.protocol.showing.card_faces import CardFace
    from solver.protocol.survey import Survey


A = TypeVar("A", bound="Answer")

_DATA = ("playing", "deck_kind", "readings", "questions")  # places where no function lies


def late(package: str, place: str) -> Callable[..., Any]:
    """The function at a place; its module is imported when the function is called."""

    def call(*args: Any, **named: Any) -> Any:
        return found_at(package, place)(*args, **named)

    return call


@dataclass(frozen=True, eq=False)
class Face:
    """`solver.protocol.game.Game` for a game whose functions lie at `places`.

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
        from solver.protocol.readings import options_of

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
            from solver.protocol import proofs
            from solver.protocol.answers import Analysis

            assert isinstance(answer, Analysis)
            return proofs.proved(answer)
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
        from solver.protocol.readings import with_rules

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
        from solver.common.control import Control

        found: Answer = self.find(self.places.score)(record, control or Control())
        return found

    def describe(self, position: BaseModel) -> list[tuple[str, str]]:
        from solver.protocol import readings

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
